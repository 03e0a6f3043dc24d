"""Laws of limit poker."""

from __future__ import annotations

import numpy as np

from ..core.game import Game
from ..core.state import State


def violations(game: Game, state: State) -> list[str]:
    """What is wrong with a position, in words; empty if it obeys every law."""
    wrong = []
    n = int(state.num_seats)
    dealt = [*state.cards[:n], *([state.public] if state.rounds > 1 else [])]
    if max(np.bincount(dealt)) > state.suits or max(dealt) > n:
        wrong.append(f"cards {dealt}")
    if state.over and state.scores[:n].sum() != 0:
        wrong.append(f"chips are lost or made: {state.scores}")
    if state.over and (state.scores[:n] < -2 * state.stakes[:n]).any():
        wrong.append(f"more is lost than was put in: {state.scores}, {state.stakes}")
    if not state.over and state.folded[state.seat]:
        wrong.append("a seat decides that has folded")
    if state.folded[:n].sum() >= n:
        wrong.append("everybody has folded")
    standing = state.stakes[:n][state.folded[:n] == 0]
    if state.over and len(standing) > 1 and len(set(standing.tolist())) > 1:
        wrong.append(f"a showdown with stakes {standing}")
    return wrong
