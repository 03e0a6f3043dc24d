"""The notation of each action (section 23)."""

from __future__ import annotations

from typing import Final

from ...core.errors import NotationError
from ...core.game import Game
from ...core.state import State
from ..actions import NUM_ACTIONS
from ..data.tables import CROOK_IDS, LADDER, RACKET_IDS, SPECIAL_IDS
from ..state import MAX_SEATS, MOST_BID

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
