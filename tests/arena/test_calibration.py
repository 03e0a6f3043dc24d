"""Calibration: agents whose chances are known to be right, too high, or missing."""

from __future__ import annotations

import json

import numpy as np
import pytest

from gangland.agents.base import Agent, BatchAgent
from gangland.agents.decision import Decision, Decisions
from gangland.arena.calibration import NoChancesError, calibrate, save_plot
from gangland.envs import load
from gangland.envs.core.integers import IntegerError
from tests.cli.runner import assert_refused, run
from tests.games import TOY


class Sayer(BatchAgent):
    """Plays the first legal action in high card, and says a chance."""

    spec = "sayer"

    def __init__(self, chance):
        self.chance = chance

    def decide_batch(self, views):
        actions = views.masks.argmax(1)
        chances = np.full((len(views), views.game.max_seats), np.nan)
        said = [self.chance(views[k]) for k in range(len(views))]
        chances[np.arange(len(views)), views.seats] = said
        return Decisions(actions, None, chances)


def keeps_and_knows(view):
    """With everybody keeping his card: the chance that it is the highest, ties shared."""
    card, others = int(view.known.cards[view.seat]), 2
    below, same = card / 10, 1 / 10
    ways = (1, 2, 1)  # of others who hold the same card
    return sum(ways[k] * same**k * below ** (others - k) / (k + 1) for k in range(others + 1))


def test_true_chances_are_calibrated():
    found = calibrate(TOY, Sayer(keeps_and_knows), 4000, seed=2)
    assert found.decisions == 12_000
    assert found.error < 0.02
    assert found.skill > 0.2
    assert sum(one.decisions for one in found.bins) == found.decisions
    for one in found.bins:
        assert one.low <= one.said <= one.high
        assert one.came_low - 0.02 < one.said < one.came_high + 0.02


def test_par_has_no_skill_and_too_much_is_seen():
    par = calibrate(TOY, Sayer(lambda view: 1 / 3), 500)
    assert par.skill == pytest.approx(0, abs=1e-9)
    assert par.brier == pytest.approx(par.brier_of_par)
    assert par.brier_low < par.brier < par.brier_high
    (only,) = par.bins
    assert only.came == pytest.approx(1 / 3)
    boaster = calibrate(TOY, Sayer(lambda view: 0.9), 500)
    assert boaster.error == pytest.approx(0.9 - 1 / 3)
    assert boaster.skill < 0


def test_deals_count_not_decisions():
    """Three decisions of a game are worth less than three of different games."""
    found = calibrate(TOY, Sayer(lambda view: 1 / 3), 300, seed=1)
    (only,) = found.bins
    # One of three seats wins each game, whatever happens: the mean of a deal never varies.
    assert only.came_high - only.came_low < 0.05


def test_the_same_again():
    first = calibrate(TOY, Sayer(keeps_and_knows), 300, seed=4)
    assert calibrate(TOY, Sayer(keeps_and_knows), 300, seed=4) == first
    assert calibrate(TOY, Sayer(keeps_and_knows), 300, seed=5) != first


class Silent(Agent):
    spec = "silent"

    def decide(self, view):
        return Decision(view.legal_actions[0])


def test_who_says_nothing_is_refused():
    with pytest.raises(NoChancesError, match="silent does not estimate"):
        calibrate(TOY, Silent(), 10)
    with pytest.raises(IntegerError, match="games=0"):
        calibrate(TOY, Sayer(keeps_and_knows), 0)


def test_the_picture(tmp_path):
    save_plot(calibrate(TOY, Sayer(keeps_and_knows), 50), tmp_path / "chances.svg")
    assert "<svg" in (tmp_path / "chances.svg").read_text()


def test_the_command(capsys, monkeypatch, tmp_path):
    file = tmp_path / "found.json"
    words = ["calibrate", "ismcts:20", "--game", TOY, "--games", 20]
    done = run(capsys, monkeypatch, *words, "--json", file)
    assert done.code == 0, done.err
    assert "Brier score" in done.out
    found = json.loads(file.read_text())
    assert found["bot"] == "ismcts:20"
    assert found["options"]["players"] == load(TOY).options.resolve({})["players"]
    assert_refused(
        run(capsys, monkeypatch, "calibrate", "random", "--game", TOY), "does not estimate"
    )
