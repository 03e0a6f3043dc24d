"""Mobs of the big city recruit Crooks, take over their Rackets and rub out their rivals' men.

Whoever holds enough of the city at the end of a turn wins; for two to eight seats. Each of k
winners has a share of 1 / k, the others of 0; a share of s pays s - (1 - s) / (n - 1) at a table of
n seats.
``max_rounds`` is scored; ``max_decisions`` truncates, and nobody is paid. Version history: v0, the
rules of ``RULES.md``.
"""

VERSION = 0
"""Version of the environments, as in ``crime_lords_v0``."""
