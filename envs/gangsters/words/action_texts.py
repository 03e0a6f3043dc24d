"""The notation of actions (G-21.1)."""

from __future__ import annotations

from typing import Final

from ...core.game import Game
from ...core.state import State
from ..data.tables import CHIT_IDS, LADDER, NODE_NAMES, OFFICER_IDS, PUBLIC_IDS, SIDES
from ..state import NUM_ACTIONS


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
