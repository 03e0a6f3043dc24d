"""Helpers that set scenes in tests: actions by notation, and chance that comes out as wanted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gangland.envs.core.compiling.interpreted import INTERPRETED
from gangland.envs.core.kernel import kernel
from gangland.envs.core.rng import GAMMA, mix, randint
from gangland.envs.core.state import record_dtype

_STREAM = record_dtype(1, [])
_SPREAD = np.uint64(0xD1342543DE82EF95)


def play_texts(game, state, *texts):
    """Play actions given by their notation."""
    for text in texts:
        game.apply(state, game.parse_action(state, text))
    return state


def legal_texts(game, state):
    """Notations of the legal actions."""
    return [game.action_text(state, action) for action in game.legal_actions(state)]


@kernel
def _search(state, bounds, values, limit):
    for candidate in range(1, limit):
        state.rng = np.uint64(candidate) * _SPREAD
        start = state.rng
        matches = True
        for k in range(len(bounds)):
            if randint(state, bounds[k]) != values[k]:
                matches = False
                break
        if matches:
            return start
    return np.uint64(0)


def _search_blocks(bounds, values, limit):
    """As ``_search``, with NumPy over blocks of candidates, for rules that are not compiled."""
    first, size = 1, 1 << 10
    while first < limit:
        starts = np.arange(first, min(first + size, limit), dtype=np.uint64) * _SPREAD
        rng = starts
        for bound, value in zip(bounds.astype(np.uint64), values.astype(np.uint64), strict=True):
            rng = rng + GAMMA
            product = (np.asarray(mix(rng)) >> np.uint64(32)) * bound
            # Draws that ``randint`` might repeat are passed over.
            fits = (product >> np.uint64(32) == value) & (product % np.uint64(1 << 32) >= bound)
            starts, rng = starts[fits], rng[fits]
        if len(starts):
            return starts[0]
        first, size = first + size, min(2 * size, 1 << 18)
    return np.uint64(0)


def chance_seed(draws: Sequence[tuple[int, int]], limit: int = 2_000_000_000) -> np.uint64:
    """A value of ``state.rng`` from which the next draws are the given ones.

    Args:
        draws: ``(bound, value)`` of each ``randint(state, bound)`` to come, value from 0. Dice:
            see :func:`dice`.
        limit: How many candidates to try; each draw multiplies the work by its bound.
    """
    if not draws:
        return np.uint64(1)
    bounds = np.array([b for b, _ in draws], np.int64)
    values = np.array([v for _, v in draws], np.int64)
    assert ((values >= 0) & (values < bounds)).all(), f"impossible draws {draws}"
    if INTERPRETED:
        found = np.uint64(_search_blocks(bounds, values, limit))
    else:
        found = np.uint64(_search(np.zeros(1, _STREAM)[0], bounds, values, limit))
    assert found != 0, f"no seed within {limit} tries gives {draws}"
    return found


def dice(*faces: int) -> list[tuple[int, int]]:
    """Draws of six-sided dice with these faces, for :func:`chance_seed`."""
    return [(6, face - 1) for face in faces]
