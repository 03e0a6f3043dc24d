"""Matches during training: who sits where, on which deals, and what counts as a win."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest
from rich.console import Console

pytest.importorskip("sb3_contrib")

from gangland.agents.base import BatchAgent
from gangland.agents.decision import Decisions
from gangland.agents.registry import make
from gangland.agents.trained.policy import read_checkpoint
from gangland.arena.statistics import Share
from gangland.envs import load
from gangland.envs.core.rng import stream
from gangland.training.config import parse
from gangland.training.measure.evaluation import Match, play_match
from gangland.training.measure.final import Rated, as_table, verdict
from gangland.training.run import train
from tests.arena.test_tournament import Unpaid
from tests.games import TOY

from .toy import TwoRoles, toy_config, two_roles  # noqa: F401


class Keeps(BatchAgent):
    """Keeps its card; notes the seats and the cards it is asked with."""

    spec = "keeps"

    def __init__(self):
        self.asked = []

    def decide_batch(self, views):
        rows = zip(views.seats.tolist(), views.known["cards"], views.known["ply"], strict=True)
        self.asked += [(seat, int(cards[seat]), int(ply)) for seat, cards, ply in rows]
        return Decisions(views.masks.argmax(axis=1))


def test_the_policy_takes_every_seat_in_turn_on_the_same_deal():
    game, policy = load(TOY), Keeps()
    found = play_match(game, [{}], [policy], make("heuristic", game), 9, seed=3)
    kind = stream(np.uint64(3), np.uint64(0))
    base = np.uint64(stream(np.uint64(kind), np.uint64(1)))
    deals = [int(stream(np.uint64(stream(base, np.uint64(d))), np.uint64(0))) for d in range(3)]
    dealt = {(seat, int(game.new_state(d).cards[seat])) for d in deals for seat in range(3)}
    assert {(seat, card) for seat, card, _ in policy.asked} == dealt
    assert found.games == 9
    assert np.isfinite(found.seat_shares[:3]).all()
    assert np.isnan(found.seat_shares[3])
    assert found.win.share == pytest.approx(found.seat_shares[:3].mean())


def test_kinds_of_tables_share_the_games():
    game = load(TOY)
    random = make("random", game)
    kinds = [{"players": 2}, {"players": 4}]
    found = play_match(game, kinds, [random], random, 400, seed=1)
    assert found.par == pytest.approx((1 / 2 + 1 / 4) / 2)
    assert found.win.share == pytest.approx(found.par, abs=0.1)
    assert play_match(game, kinds, [random], random, 1, seed=1).par in (1 / 2, 1 / 4)


def test_every_role_has_its_policy():
    game, dealer, guest = TwoRoles(), Keeps(), Keeps()
    play_match(game, [{}], [dealer, guest], make("random", load(TOY)), 30, seed=2)
    assert {seat for seat, _, _ in dealer.asked} == {0}
    assert {seat for seat, _, _ in guest.asked} == {1, 2}


def test_a_role_is_played_where_there_is_one():
    game, kinds = load("gangsters"), [{"gangs": 3}, {"wheels": True}]
    player, police = make("random", game), game.roles.index("police")
    found = play_match(game, kinds, [player, player], player, 4, 1, police)
    assert found.games == 4
    assert found.par == 1 / 5
    assert np.flatnonzero(~np.isnan(found.seat_shares)).tolist() == [4]


def test_a_game_that_is_cut_off_is_won_by_nobody():
    game, policy = Unpaid(), Keeps()
    assert play_match(game, [{"highest": 4}], [policy], policy, 30, seed=1).win.share == 0
    assert 0.1 < play_match(game, [{}], [policy], policy, 300, seed=1).win.share < 0.25


def test_the_pool_is_the_heuristics_unless_it_is_named():
    assert parse({"game": "chicago", "steps": 1}).pool() == ["heuristic", "heuristic:specified"]
    assert parse({"game": "leduc", "steps": 1}).pool() == ["random"]
    named = {"game": "chicago", "steps": 1, "evaluation": {"baselines": ["random"]}}
    assert parse(named).pool() == ["random"]


def test_the_checkpoint_with_the_best_worst_row_is_kept(tmp_path, monkeypatch):
    """Shares as scripted: the second evaluation is the best, by its worst match.

    One within its interval takes its place, as it has learnt more: the fifth.
    """
    scripted = iter([(0.5, 0.1), (0.3, 0.2), (0.9, 0.15), (0.25, 0.18), (0.2, 0.2)])
    scores = []

    def match(game, kinds, policies, baseline, games, seed, role=None):
        if baseline.spec == "random":
            scores.append(next(scripted))
        share = scores[-1][baseline.spec != "random"]
        win = Share(share, share - 0.015, share + 0.015, 0.0)
        return Match(baseline.spec, "", games, win, 1 / 3, np.full(4, np.nan), 0.0)

    monkeypatch.setattr("gangland.training.run.play_match", match)
    evaluation = {"every": 1, "baselines": ["random", "heuristic"]}
    seen = []
    outcome = train(
        toy_config(steps=1000, evaluation=evaluation),
        tmp_path,
        report=lambda status: seen.append(status.worst and status.worst.name),
        stop=lambda status: len(scores) == 4,
    )
    assert len(scores) == 4
    assert seen[-1] == "heuristic"
    (kept,) = (tmp_path / "best").glob("step-*")
    note = json.loads((tmp_path / "best" / "worst_row.json").read_text())
    assert note["worst_row"] == 0.2
    assert note["against"] == "heuristic"
    assert read_checkpoint(kept).model["steps"] == note["steps"] < outcome.status.steps
    # A resumed run knows it.
    train(
        toy_config(steps=1500, evaluation=evaluation),
        tmp_path,
        resume=True,
        stop=lambda status: len(scores) == 5,
    )
    later = json.loads((tmp_path / "best" / "worst_row.json").read_text())
    assert later["steps"] > note["steps"]
    assert later["worst_row"] == 0.2


def test_each_role_has_a_row(two_roles, tmp_path):  # noqa: F811
    config = toy_config(game=two_roles, steps=300, evaluation={"every": 1, "games": 20})
    status = train(config, tmp_path).status
    assert set(status.matches) == {"random as dealer", "random as guest"}


def test_the_verdict_names_every_row_below_par():
    def row(baseline, low, share, high):
        win = Share(share, low, high, 100.0)
        return Rated(baseline, 5, {}, "", 0.2, SimpleNamespace(win=win))

    good, unclear = row("a", 0.3, 0.35, 0.4), row("b", 0.18, 0.21, 0.24)
    bad = row("c", 0.02, 0.05, 0.08)
    assert verdict([good]).startswith("above par against the whole pool; worst row: a (35.0%")
    assert verdict([good, unclear]).startswith("not clearly above par against b (21.0%")
    found = verdict([good, unclear, bad])
    assert found == "BELOW PAR against c (5.0%, par 20%); worst row: c (5.0%, par 20%)"


@pytest.mark.parametrize("games", [[500, 500], [500, 499]])
def test_names_stay_whole_on_a_narrow_terminal(games):
    names = ["ppo:crime_lords/bot", "heuristic:specified"]
    win = Share(0.3281, 0.29, 0.37, 500.0)
    rows = [
        Rated(
            name,
            5,
            {},
            "police",
            0.2,
            SimpleNamespace(win=win, games=count, score=12420.1, seat_shares=[0.33] * 4 + [None]),
        )
        for name, count in zip(names, games, strict=True)
    ]
    console = Console(width=80, record=True)
    console.print(as_table(rows, "ppo:runs/mine"))
    lines = console.export_text().splitlines()
    for name, count in zip(names, games, strict=True):
        line = next(line for line in lines if name in line)
        assert all(text in line for text in ("police", "32.8% (29%-37%)", "12420.1"))
        assert (f"│   {count} │" in line) == (games[0] != games[1])
    scores = " ".join(" ".join(lines).split())
    assert ("500 games a row" in scores) == (games[0] == games[1])
