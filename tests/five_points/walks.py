"""Random games, position by position."""

from __future__ import annotations

import numpy as np

from .scenes import GAME


def random_game(seed, state=None, prefer=(), **options):
    """Yield the state at every decision and at the end; the record is the same object.

    ``prefer``: phases at which ``skip`` is avoided.
    """
    chance = np.random.default_rng(seed)
    state = GAME.new_state(seed, **options) if state is None else state
    yield state
    while not state.over:
        legal = GAME.legal_actions(state)
        if GAME.phases[state.phase] in prefer and len(legal) > 1:
            legal = [action for action in legal if action != 2]
        GAME.apply(state, int(chance.choice(legal)))
        yield state
