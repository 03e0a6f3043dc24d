"""What no position can be, for positions of unknown origin."""

from __future__ import annotations

from ..core.game import Game
from ..core.state import State


def inconsistency(game: Game, state: State) -> str:
    """What no position can be; see ``Game.inconsistency``."""
    gangs, seats = int(state.gangs), int(state.num_seats)
    if seats != gangs + int(state.police):
        return f"num_seats={seats}: must be the gangs and the police"
    if sorted(state.order[:gangs]) != list(range(gangs)):
        return f"order: must hold the gangs 0..{gangs - 1} once each"
    if not state.legal.any():
        return "legal: the decision that is due must allow something"
    return ""
