"""Invariants of random play and the figures of the specification's table (section 21)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gangland.envs.five_points.conformance import violations

from .scenes import GAME, random_game

ROOT = Path(__file__).parents[2]


@pytest.mark.rule("FP-21.1", "FP-2.3", "FP-2.4", "FP-9.9")
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("options", [{}, {"control_markers": 4, "move_rule": "adjacent_only"}])
def test_invariants_after_every_action(players, options):
    lengths = []
    for seed in range(12):
        bossed = np.zeros(17, bool)
        for state in random_game(seed, players=players, **options):
            assert violations(GAME, state) == []
            now = state.bosses.any(axis=1)
            assert (now | ~bossed).all()
            bossed = now
        lengths.append(int(state.ply))
    assert 20 < np.median(lengths) < 200


@pytest.mark.rule("FP-11.5", "FP-4.5")
def test_the_start_seat_has_the_first_turn_of_each_round():
    begun = 0
    for seed in range(12):
        known = 1
        for state in random_game(seed, players=4):
            if not state.over and state.round_number != known:
                known = int(state.round_number)
                # Whoever has nothing to place passes by itself.
                passed = [s for s in range(4) if state.pass_place[s]]
                waiting = [(state.start + k) % 4 for k in range(4)]
                assert state.seat == next(s for s in waiting if s not in passed)
                begun += 1
    assert begun > 20


@pytest.mark.rule("FP-21.1")
def test_batches_play_on_like_single_games():
    """The same seed and actions lead to the same bytes by either entry point."""
    compiled = GAME.compiled
    state = GAME.new_state(11)
    other = np.zeros(1, GAME.dtype)
    other[0] = state
    chance = np.random.default_rng(0)
    while not state.over:
        action = int(chance.choice(GAME.legal_actions(state)))
        GAME.apply(state, action)
        compiled.batch["apply_batch"](
            compiled.pointers.apply, other, np.array([action], np.int64), 0, 1
        )
        assert other[0].tobytes() == state.tobytes()


@pytest.mark.slow
@pytest.mark.rule("FP-21.1", "FP-20.1")
def test_validation_table():
    script = ROOT / "benchmarks" / "rules" / "validate_five_points.py"
    run = subprocess.run(
        [sys.executable, str(script), "--random-games", "1000", "--bot-games", "300"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout
    assert "all figures agree" in run.stdout


@pytest.mark.rule("FP-21.1")
@pytest.mark.parametrize(
    ("field", "index", "word"),
    [
        ("hq", 0, "rabble by seat"),
        ("supply", 2, "control markers"),
        ("boss_count", 1, "bosses"),
        ("total", 3, "totals"),
        ("cell", 0, "two tiles"),
    ],
)
def test_the_laws_notice_a_broken_position(field, index, word):
    state = GAME.new_state(1)
    assert violations(GAME, state) == []
    state[field][index] += 1
    assert word in " ".join(violations(GAME, state))
