"""Python's calls of kernels find the memory of a record, and only of a record."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs import load
from gangland.envs.core.compiling.interpreted import INTERPRETED
from gangland.envs.core.compiling.numba_private import _pointer_is_where_it_is_looked_for
from gangland.envs.core.state import copy_states
from tests.games import GAMES

compiled = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")


@pytest.fixture(params=GAMES)
def game(request):
    return load(request.param)


def mask_of(game, state):
    mask = np.zeros(game.num_actions, np.bool_)
    game.compiled.legal_actions(state, mask)
    return mask.tolist()


def test_numpy_keeps_the_pointer_where_it_is_looked_for():
    assert _pointer_is_where_it_is_looked_for()


def test_records_of_an_array_are_played_in_place(game):
    states = np.repeat(game.template(), 3)
    for seed, state in enumerate(states):
        game.compiled.reset(state, np.uint64(seed))
    before = copy_states(states)
    game.apply(states[1], game.legal_actions(states[1])[0])
    changed = [now.tobytes() != then.tobytes() for now, then in zip(states, before, strict=True)]
    assert changed == [False, True, False]


@compiled
def test_what_is_no_record_but_has_its_memory_goes_the_long_way(game):
    state = game.new_state(5)
    plain = np.frombuffer(state.tobytes(), np.dtype([("bytes", "u1", len(state.tobytes()))]))[0]
    assert type(plain) is np.void
    assert mask_of(game, plain) == mask_of(game, state)


@compiled
@pytest.mark.parametrize("nonsense", [None, 7, "state", object()])
def test_anything_else_is_an_error_and_no_crash(game, nonsense):
    with pytest.raises((TypeError, AttributeError)):
        mask_of(game, nonsense)
