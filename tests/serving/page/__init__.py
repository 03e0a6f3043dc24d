"""The page in a real browser.

It is closed when this package is over: its event loop is in the way of other tests.
"""
