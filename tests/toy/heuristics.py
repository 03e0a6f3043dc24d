"""Heuristics of the toy game: good, bad, and one that breaks the rules."""

from __future__ import annotations

import numpy as np

from gangland.envs.core.kernel import kernel
from gangland.envs.core.rng import mix

from .game import CHALLENGE, CHALLENGE_IT, KEEP, PASS, SWAP, TURN


@kernel
def choose(known, seat, mask, seed):
    """Swap low cards, never challenge."""
    if known.phase == TURN:
        return SWAP if known.cards[seat] < 5 else KEEP
    return PASS


@kernel
def choose_reckless(known, seat, mask, seed):
    """Swap high cards, challenge always."""
    if known.phase == TURN:
        return SWAP if known.cards[seat] >= 5 else KEEP
    return CHALLENGE_IT


@kernel
def choose_fickle(known, seat, mask, seed):
    """Anything, by the seed."""
    second = np.int64(mix(seed) >> np.uint64(63))
    return 2 * known.phase + second


@kernel
def choose_cheat(known, seat, mask, seed):
    """An illegal action in the second phase."""
    return KEEP if known.phase == CHALLENGE else SWAP
