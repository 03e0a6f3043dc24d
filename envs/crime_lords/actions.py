"""The flat action space of Crime Lords, its notation (section 23), and what actions concern."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..core.errors import NotationError
from .data import CROOK_IDS, LADDER, RACKET_IDS, SPECIAL_IDS
from .state import CROOKS, KINDS, MAX_SEATS, MONEY_STEPS, MOST_BID, RACKETS, SIDES

if TYPE_CHECKING:
    from ..core.game import Game
    from ..core.state import State

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


WORDS: Final = (
    "PASS", "YES", "END", "BACKOUT", "KEEP", "REBUILD", "FULL", "ONE", "MOVE", "DROP", "VISIT",
    "ABIL", "DOUBLE", "RETIRE", "BUGLE", "OFFER", "SHOW", "QUIT", "SWING", "BSWING",
)  # fmt: skip
SIDE_NAMES: Final = "NESW"


def _all_texts() -> tuple[str, ...]:
    texts = list(WORDS)
    texts += [f"REC {c}" for c in CROOK_IDS]
    texts += [f"HIT {c}" for c in CROOK_IDS]
    texts += [f"TAKE {r}" for r in RACKET_IDS]
    texts += [*CROOK_IDS, *RACKET_IDS, *SPECIAL_IDS]
    texts += [f"P+{j}" for j in range(1, MAX_SEATS)]
    texts += [f"{c}.{d}" for c in CROOK_IDS for d in SIDE_NAMES]
    texts += [f"BID {b}" for b in range(MOST_BID + 1)]
    texts += [f"FOR {x}" for x in LADDER[1:]]
    texts += [f"AG {x}" for x in LADDER[1:]]
    texts += [f"AMT {x}" for x in LADDER]
    return tuple(texts)


TEXTS: Final = _all_texts()
assert len(TEXTS) == NUM_ACTIONS


def action_text(game: Game, state: State, action: int) -> str:
    """Notation of an action (section 23); it does not depend on the position.

    Raises:
        NotationError: If there is no such action.
    """
    if not 0 <= action < NUM_ACTIONS:
        raise NotationError(f"action {action}: must be 0..{NUM_ACTIONS - 1}")
    return TEXTS[action]


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
