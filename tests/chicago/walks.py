"""Games to look at: random play and the bot, over all options; a plain-Python stream of chance."""

from __future__ import annotations

import numpy as np

from gangland.envs.chicago.heuristics import choose_specified
from gangland.envs.chicago.state import LOG_SIZE
from gangland.envs.core.rng import randint, seed_chance
from gangland.envs.core.state import record_dtype

from .scene import GAME

OPTIONS = (
    {},
    {"players": 2},
    {"players": 3, "hand_limit": 3, "bribe": 5},
    {"players": 4, "bribe": 25},
    {"players": 6, "hand_limit": 10},
    {"deck_end": "reshuffle", "bribe": 10},
)


def walk(seed, bots=False, **options):
    """``(before, action, after)`` of each decision of a game; with bots every other seat is one."""
    rng = np.random.default_rng(seed)
    state = GAME.new_state(seed, **options)
    while not state.over:
        before = GAME.clone(state)
        mask = GAME.action_mask(state)
        if bots and state.seat % 2 == 0:
            action = int(choose_specified(state, state.seat, mask, np.uint64(0)))
        else:
            action = int(rng.choice(np.flatnonzero(mask)))
        GAME.apply(state, action)
        yield before, action, GAME.clone(state)


def all_walks(games=2):
    """Games over all options, of random seats and of bots between random seats."""
    for options in OPTIONS:
        for seed in range(games):
            yield from walk(seed, bots=seed % 2 == 1, **options)


def events(state, before=None):
    """``(kind, seat, detail, more)`` since the position before, or since the scene was set."""
    numbers = range(0 if before is None else int(before.told), int(state.told))
    assert len(numbers) <= LOG_SIZE
    return [tuple(state.log[number % LOG_SIZE].tolist()) for number in numbers]


class Chance:
    """The chance of a game with this seed, drawn one integer at a time."""

    def __init__(self, seed):
        self._record = np.zeros(1, record_dtype(1, []))[0]
        seed_chance(self._record, np.uint64(seed))

    def below(self, bound):
        return int(randint(self._record, bound))
