"""Rules as plain Python (``NUMBA_DISABLE_JIT=1``) play the same games as compiled ones."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from gangland.envs import load
from tests.games import GAMES, TOY
from tests.games import slow_but

DECISIONS = 60


def trace(name):
    """One line a decision: the position, and what a seat sees, may know and could imagine."""
    game = load(name)
    rng = np.random.default_rng(1)
    state = game.new_state(1)
    lines = []
    for k in range(DECISIONS):
        if game.is_over(state):
            break
        if k % 20 == 0:
            for seat in range(game.num_seats(state)):
                lines.append(game.observe(state, seat).tobytes().hex())
                lines.append(game.redact(state, seat).tobytes().hex())
                lines.append(game.resample_hidden(state, seat, k).tobytes().hex())
        game.apply(state, int(rng.choice(game.legal_actions(state))))
        lines.append(state.tobytes().hex())
    return lines


@pytest.mark.parametrize("name", slow_but([TOY, "chicago", "five_points"], GAMES))
def test_plain_python_plays_the_same_game(name):
    program = f"from tests.core.test_interpreted import trace; print(*trace({name!r}), sep='\\n')"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == trace(name)
