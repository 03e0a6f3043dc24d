"""The games of this folder, for the registry."""

GAMES = {"kuhn": "kuhn:Kuhn", "leduc": "leduc:Leduc"}
CALIBRATION = True
"""They are there to measure with, not to be played."""
