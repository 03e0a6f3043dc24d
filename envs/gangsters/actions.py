"""The flat action space, its notation, and what its actions concern (G-21, G-22.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .data import (
    BUILDINGS,
    CHIT_IDS,
    JOINTS,
    LADDER,
    NODE_NAMES,
    OFFICER_IDS,
    PUBLIC_IDS,
    SIDES,
    STREETS,
)
from .state import MAX_SEATS, NUM_ACTIONS

if TYPE_CHECKING:
    from ..core.game import Game
    from ..core.state import State

GO: Final = 0
END: Final = 152
YES: Final = 153
STRENGTH: Final = 154
MOVE_PIECE: Final = 163
RECRUIT: Final = 166
STAY: Final = 169
PUBLIC: Final = 171
NEW_PUBLIC: Final = 175
BUY_BUILDING: Final = 176
IMPROVE: Final = 177
EQUIPMENT: Final = 178
TRADE: Final = 186
CASH_ZERO: Final = 190
PAY: Final = 191
GET: Final = 207
BRIBE: Final = 223
PLAY: Final = 224
COP: Final = 233
NEW_COP: Final = 243
VIA: Final = 244
COMMISSIONER: Final = 245
RECRUIT_C: Final = 246
HIRE: Final = 247
CHIT: Final = 248
FLIP_JOINT: Final = 251
FLIP_PIECE: Final = 255
HIT: Final = 267
EXTORT: Final = 268
SEDUCE: Final = 269
TARGET_SIDE: Final = 277
LOSE: Final = 281
RAID: Final = 287
ARREST: Final = 288
OWN_DIE: Final = 289
ALL_DICE: Final = 290


def _table() -> list[str]:
    """Texts of all actions; ``{r}`` stands for the side r places after the actor."""
    texts = [f"go {name}" for name in NODE_NAMES] + ["end", "yes"]
    texts += [f"n {n}" for n in range(1, 10)]
    texts += [f"move {p}" for p in "RTV"] + [f"recruit {p}" for p in "RTV"] + ["stay T", "stay V"]
    texts += [f"public {name}" for name in PUBLIC_IDS] + ["public new", "buy", "up"]
    texts += ["heaters R", "wheels R", "heaters T", "wheels T", "wheels V", "dress V"]
    texts += ["heaters C", "wheels C"] + [f"trade {{{r}}}" for r in range(1, 5)] + ["cash 0"]
    texts += [f"pay {x}" for x in LADDER] + [f"get {x}" for x in LADDER] + ["bribe"]
    texts += [f"play {n}" for n in OFFICER_IDS[:9]] + [f"cop {n}" for n in OFFICER_IDS]
    texts += ["cop new", "via", "commissioner", "recruit C", "hire"]
    texts += [f"chit {name}" for name in CHIT_IDS] + [f"flip {name}" for name in PUBLIC_IDS]
    texts += [f"flip {{{r}}} {p}" for r in range(1, 5) for p in "RTV"] + ["hit", "extort"]
    texts += [f"seduce {{{r}}} {p}" for r in range(1, 5) for p in "RT"]
    texts += [f"target {{{r}}}" for r in range(1, 5)]
    texts += [f"lose {unit}" for unit in ("R", "T", "V", "joint", "cop", "Commissioner")]
    return [*texts, "raid", "arrest", "own die", "all dice"]


TEXTS: Final = _table()
assert len(TEXTS) == NUM_ACTIONS


def action_text(game: Game, state: State, action: int) -> str:
    """Notation of an action for the deciding seat (G-21.1)."""
    seat, n = max(int(state.seat), 0), int(state.num_seats)
    return TEXTS[action].format("", *(SIDES[(seat + r) % n] for r in range(1, 5)))


ITEM_ACTIONS: Final = {
    "rivals": tuple(
        (
            TRADE + rival,
            TARGET_SIDE + rival,
            *(SEDUCE + 2 * rival + piece for piece in range(2)),
            *(FLIP_PIECE + 3 * rival + piece for piece in range(3)),
        )
        for rival in range(MAX_SEATS - 1)
    ),
    "officers": tuple(
        (COP + officer, PLAY + officer if officer < len(OFFICER_IDS) - 1 else -1)
        for officer in range(len(OFFICER_IDS))
    ),
    "publics": tuple((PUBLIC + public, FLIP_JOINT + public) for public in range(len(PUBLIC_IDS))),
    "joints": tuple((GO + STREETS + joint,) for joint in range(JOINTS)),
    "inside": tuple((GO + STREETS + building,) for building in range(BUILDINGS)),
    "buildings": tuple((GO + STREETS + building,) for building in range(BUILDINGS)),
    "piece_ends": tuple((MOVE_PIECE + piece,) for piece in range(3)),
    "public_ends": tuple((PUBLIC + public,) for public in range(len(PUBLIC_IDS))),
    "police_ends": (*((COP + officer,) for officer in range(len(OFFICER_IDS))), (-1,)),
}
"""See :attr:`gangland.envs.core.game.Game.item_actions`; a joint stands in three blocks."""
