"""Gangsters, with the five-player variant and its Police Player; see ``RULES.md``."""
