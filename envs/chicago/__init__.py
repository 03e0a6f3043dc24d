"""Territories, henchmen, hit men and two jokers: a card game of the 1920s for two to six seats.

A game that reaches ``turn_cap`` is scored. Version history: v0, the rules of ``RULES.md``.
"""

VERSION = 0
"""Version of the environments, as in ``chicago_v0``."""
