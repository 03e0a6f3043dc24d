"""Political gangs of the 1800s push followers through a city of moving tiles and win its elections.

For three to five seats. A game that reaches ``max_rounds`` is scored. Version history: v0, the
rules of ``RULES.md``.
"""

VERSION = 0
"""Version of the environments, as in ``five_points_v0``."""
