"""Dominate the Chicago Underworld: the wing."""
