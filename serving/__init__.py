"""Serving: one protocol, several doors, every registered game."""
