"""Kuhn and Leduc poker for two to five seats: small games whose best play can be computed exactly.

They calibrate training and exploitability figures; see ``RULES.md``.
"""
