"""The games of this folder, for the registry."""

GAMES = {"kuhn": "limit_poker:Kuhn", "leduc": "limit_poker:Leduc"}
CALIBRATION = True
"""They are there to measure with, not to be played."""
