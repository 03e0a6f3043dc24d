"""Which actions concern the cards and seats that an observation lists."""

from __future__ import annotations

from typing import Final

from .actions import CROOK_AT, HIT_AT, PLACE_AT, PLAYER_AT, RACKET_AT, REC_AT, TAKE_AT
from .state import CROOKS, MAX_SEATS, RACKETS, SIDES

ITEM_ACTIONS: Final = {
    "seats": ((-1,), *((PLAYER_AT + seat,) for seat in range(1, MAX_SEATS))),
    "crooks": tuple(
        (
            REC_AT + crook,
            HIT_AT + crook,
            CROOK_AT + crook,
            *(PLACE_AT + SIDES * crook + side for side in range(SIDES)),
        )
        for crook in range(CROOKS)
    ),
    "rackets": tuple((TAKE_AT + racket, RACKET_AT + racket) for racket in range(RACKETS)),
    "targets": tuple((REC_AT + crook, HIT_AT + crook, CROOK_AT + crook) for crook in range(CROOKS)),
    "prizes": tuple((TAKE_AT + racket, RACKET_AT + racket) for racket in range(RACKETS)),
}
"""See :attr:`gangland.envs.core.game.Game.item_actions`."""
