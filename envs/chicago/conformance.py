"""Conservation laws of Chicago Underworld (CU-21.1, invariants)."""

from __future__ import annotations

from ..core.game import Game
from ..core.state import State
from .data import FULL_DECK
from .state import NONE

SCORED = ({"turn_cap": 5},)
"""Options with which a random game ends by a cap that is scored (CU-14.6)."""

SUSPECTS = ("ply", "log", "told")
"""Fields of how play goes on rather than how the table looks: they must not reveal more."""

SECRET_PHASES = (("CARDS", "PAY_HIRE", "DISCARD"),)
"""Phases that nobody but the deciding seat can distinguish."""


def violations(game: Game, state: State) -> list[str]:
    """What is wrong with a position, in words; empty if it obeys every law."""
    wrong = []
    n = int(state.num_seats)
    counts = state.hands[:n].sum(axis=0) + state.discards + state.pile
    counts[:9] += state.payment
    if state.joker != NONE:
        counts[state.joker] += 1
    if (counts != FULL_DECK).any():
        wrong.append(f"cards {counts.tolist()}")
    if (state.hand_size[:n] != state.hands[:n].sum(axis=1)).any():
        wrong.append(f"hand sizes {state.hand_size}")
    unowned = int((state.owner == NONE).sum()) - (state.flipped != NONE)
    if state.pile_size != state.pile.sum() + unowned:
        wrong.append(f"pile size {state.pile_size}")
    if (state.men < 0).any() or (state.men > 5).any():
        wrong.append(f"men {state.men}")
    waiting = [s for s in range(n) if s != state.current]
    if not state.over and any(state.hand_size[s] > state.hand_limit for s in waiting):
        wrong.append("a waiting seat holds more than the limit")
    if state.phase == 0 and not state.over and state.pile_size == 0:
        wrong.append("the pile is empty at the start of a turn")
    return wrong
