"""Cards and territories (CU-2.2, CU-2.3)."""

from __future__ import annotations

import numpy as np

CARDS = "23456789TARB"
"""One letter a card type, in canonical order."""

CARD_NAMES = (
    *(f"${value}" for value in range(2, 11)),
    "an Ace",
    "the red joker",
    "the black joker",
)

CODES = tuple(rank + suit for suit in "SHDC" for rank in "JQK")
"""Code of each territory."""

NAMES = (
    "Loop",
    "Levee",
    "Gold Coast",
    "Little Italy",
    "Bridgeport",
    "Near North",
    "Cicero",
    "Maxwell Street",
    "Lakeshore",
    "Stockyards",
    "Back of the Yards",
    "South Side",
)
"""District of each territory; our own choice, the source names none."""

GANGSTERS = ("Capone", "O'Banion", "Genna", "Moran", "Saltis", "McErlane")
"""Gangsters of the time, one a seat; flavour only (CU-1.1)."""

PRICES = np.array([10, 15, 20] * 4, np.int64)
POINTS = np.array([5, 10, 15] * 4, np.int64)
FULL_DECK = np.array([4] * 10 + [1, 1], np.int64)
"""Cards of each type; the twelve territories complete the 54."""

HIRE_PRICE = 5
MAN_POINTS = 2
START_MEN = 1
DEALT = 3
