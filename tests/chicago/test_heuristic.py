"""The heuristics: how the one that sits at tables differs, and the validation table (CU-21.1)."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from gangland.envs.chicago.heuristics import choose, choose_specified

from .scenes import GAME, drawing, scene

# --- the one that sits at tables ------------------------------------------------------------------


def chosen(bot, state):
    mask = GAME.action_mask(state)
    return GAME.action_text(state, int(bot(state, int(state.seat), mask, np.uint64(0))))


def winner_shares(seats, games):
    """Mean win share of a seat's bot over games; the bots move one seat on from game to game."""
    n = len(seats)
    shares = np.zeros(n)
    mask = np.zeros(GAME.num_actions, np.bool_)
    for seed in range(games):
        state = GAME.new_state(seed, players=n)
        while not state.over:
            seat = int(state.seat)
            mask[:] = GAME.action_mask(state)
            bot = seats[(seat + seed) % n]
            GAME.apply(state, int(bot(state, seat, mask, np.uint64(0))))
        for seat, share in enumerate(GAME.result(state).win_shares):
            shares[(seat + seed) % n] += share / games
    return shares


def test_kings_are_refused_by_the_stronger_one_at_larger_tables():
    for players, answer in ((2, "pay T"), (3, "no"), (5, "no")):
        king = drawing("KC", n=players, hands={0: "TT"})
        assert chosen(choose_specified, king) == "pay T"
        assert chosen(choose, king) == answer
        queen = drawing("QC", n=players, hands={0: "78"})
        assert chosen(choose, queen) == "pay 8"


def test_the_stronger_one_battles_for_less():
    # 5 dice against 4 for 15 points: .3484 x 15 - .6516 x 4 = 2.6; against 3: 4.36; 2: 6.7.
    # 2 dice against 1 for 10 points: .5787 x 10 - .4213 x 4 = 4.10; 3 against 1: 5.24.
    own = {1: "QS"}
    assert chosen(choose, scene(men={0: 2}, own=own)) == "hire"
    assert chosen(choose, scene(men={0: 3}, own=own)) == "battle QS"
    assert chosen(choose_specified, scene(men={0: 3}, own=own)) == "hire"


def test_it_needs_only_what_its_seat_may_know():
    for seed in range(3):
        state = GAME.new_state(seed)
        while not state.over:
            seat, mask = int(state.seat), GAME.action_mask(state)
            known = GAME.redact(state, seat)
            for bot in (choose_specified, choose):
                action = int(bot(state, seat, mask, np.uint64(0)))
                assert int(bot(known, seat, mask, np.uint64(0))) == action
            GAME.apply(state, action)


@pytest.mark.slow
def test_the_stronger_one_wins_more():
    alone = winner_shares([choose] + [choose_specified] * 4, 1000)
    assert alone[0] > 0.30
    assert winner_shares([choose_specified] + [choose] * 4, 300)[0] < 0.06


# --- the specified one's table: a sample of it fast and the whole of it slow ----------------------

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "rules" / "validate_chicago.py"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("validate_chicago", SCRIPT)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(SCRIPT.parent))  # as for a script that is started
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(SCRIPT.parent))
    return module


def run(script, *arguments):
    return CliRunner().invoke(script.main, arguments)


@pytest.mark.rule("CU-21.1", "CU-20.1")
def test_a_small_sample_agrees(script):
    """Of 160 figures 0.4 are expected beyond three standard errors by chance; more than two of
    them in one case of a hundred."""
    result = run(script, "--random-games", "150", "--bot-games", "150")
    found = re.search(r"(\d+) of 160 figures disagree\n$", result.output)
    assert found, result.output
    assert int(found[1]) <= 2, result.output


@pytest.mark.rule("CU-21.1")
def test_a_figure_that_disagrees_is_reported(script):
    report = script.Report()
    games = script.play({"players": 2}, 100, [0], 5)
    report.mean("mean score", games[:, script.MEAN_SCORE], 90.0, 1000, 0.1)
    assert report.failed == 1
    report.mean("mean score", games[:, script.MEAN_SCORE], 74.1, 1000, 0.1)
    assert report.failed == 1


@pytest.mark.slow
@pytest.mark.rule("CU-21.1", "CU-20.1")
def test_the_whole_table_agrees(script):
    """Over so many games that the sampling error of the specification's own run is what is left."""
    result = run(script, "--random-games", "20000", "--bot-games", "20000")
    assert result.exit_code == 0, result.output
