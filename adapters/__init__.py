"""Gangland in other libraries: vector environments, OpenSpiel, RLlib, OpenEnv.

Each module needs the library that it is for and is imported on its own; importing this package
loads none of them.
"""
