"""The flat action space of Crime Lords (section 23)."""

from __future__ import annotations

from typing import Final

from .state import CROOKS, KINDS, MAX_SEATS, MONEY_STEPS, MOST_BID, RACKETS, SIDES

PASS_ACTION: Final = 0
YES: Final = 1
END: Final = 2
BACKOUT: Final = 3
KEEP: Final = 4
REBUILD: Final = 5
FULL: Final = 6
ONE: Final = 7
MOVE: Final = 8
DROP: Final = 9
VISIT: Final = 10
ABIL: Final = 11
DOUBLE: Final = 12
RETIRE: Final = 13
BUGLE: Final = 14
OFFER: Final = 15
SHOW: Final = 16
QUIT: Final = 17
SWING: Final = 18
BSWING: Final = 19
REC_AT: Final = 20
HIT_AT: Final = REC_AT + CROOKS
TAKE_AT: Final = HIT_AT + CROOKS
CROOK_AT: Final = TAKE_AT + RACKETS
RACKET_AT: Final = CROOK_AT + CROOKS
SPECIAL_AT: Final = RACKET_AT + RACKETS
PLAYER_AT: Final = SPECIAL_AT + KINDS - 1
"""Player j seats to the right is ``PLAYER_AT + j``, j from 1."""
PLACE_AT: Final = PLAYER_AT + MAX_SEATS
BID_AT: Final = PLACE_AT + SIDES * CROOKS
FOR_AT: Final = BID_AT + MOST_BID
"""Ladder step i, from 1, is ``FOR_AT + i``."""
AGAINST_AT: Final = FOR_AT + MONEY_STEPS - 1
AMOUNT_AT: Final = AGAINST_AT + MONEY_STEPS
NUM_ACTIONS: Final = AMOUNT_AT + MONEY_STEPS
