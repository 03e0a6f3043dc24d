"""The flat action space of Chicago Underworld: 66 actions (CU-17.1)."""

from __future__ import annotations

from .state import CARD_TYPES, MAX_SEATS, MONEY_TYPES, TERRITORIES

HIRE = 0
DRAW = 1
END = 2
NO = 3
PAY = 4
BATTLE = PAY + MONEY_TYPES
RAID = BATTLE + TERRITORIES
MOB = RAID + TERRITORIES
HIT = MOB + TERRITORIES
DROP = HIT + MAX_SEATS - 1
NUM_ACTIONS = DROP + CARD_TYPES
