"""Matches that rate a training: who sits where, on which deals, what counts; ``gangland rate``."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest
import yaml
from rich.console import Console

pytest.importorskip("sb3_contrib")

from gangland.agents.base import BatchAgent
from gangland.agents.decision import Decisions
from gangland.agents.registry import make
from gangland.agents.trained.policy import load_checkpoint, read_checkpoint
from gangland.arena.statistics import Share
from gangland.envs import load
from gangland.envs.core.rng import stream
from gangland.training.config import parse
from gangland.training.measure import levels
from gangland.training.measure.evaluation import Match, play_match
from gangland.training.measure.final import Rated, as_table, verdict
from gangland.training.measure.levels import CHOOSING_SEED, REPORTED_SEED
from gangland.training.run import last_checkpoint, train
from tests.agents.checkpoints import change_model
from tests.arena.test_tournament import Unpaid
from tests.cli.runner import assert_refused, run
from tests.games import TOY

from .toy import TwoRoles, toy_config, two_roles  # noqa: F401

# --- matches during training ----------------------------------------------------------------------


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


# --- ``gangland rate``: a checkpoint that lies there is rated as at the end of its training -------


@pytest.fixture
def trained(capsys, monkeypatch, tmp_path):
    """The checkpoint of a short training."""
    config, out = tmp_path / "toy.yaml", tmp_path / "out"
    evaluation = {"every": 0, "final_games": 60, "baselines": ["random", "heuristic"]}
    settings = toy_config(checkpoint_minutes=0, evaluation=evaluation).model_dump()
    config.write_text(yaml.safe_dump(settings))
    done = run(capsys, monkeypatch, "train", config, "--out", out, "--steps", 300, "--quiet")
    assert done.code == 0, done.err
    return last_checkpoint(out)


def model(folder):
    return json.loads((folder / "model.json").read_text())


def test_it_repeats_the_ratings_of_the_training(capsys, monkeypatch, trained):
    before = model(trained)["ratings"]
    words = ["rate", trained, "--games", 60, "--against", "random,heuristic", "--json", "-"]
    done = run(capsys, monkeypatch, *words)
    assert done.code == 0, done.err
    assert json.loads(done.out) == before
    assert "win share, 95 %" in done.err


def test_it_keeps_ratings_only_if_asked_to(capsys, monkeypatch, trained):
    before = model(trained)
    words = ["rate", trained, "--games", 20, "--against", "random"]
    assert run(capsys, monkeypatch, *words).code == 0
    assert model(trained) == before
    assert run(capsys, monkeypatch, *words, "--write", "--quiet").code == 0
    after = model(trained)
    assert [row["baseline"] for row in after["ratings"]] == ["random"]
    assert {**after, "ratings": before["ratings"]} == before


def test_the_configuration_in_a_checkpoint_runs_no_program(capsys, monkeypatch, trained, tmp_path):
    monkeypatch.setattr("gangland.arena.ladder.small_pool", lambda game: ["random"])
    touched = tmp_path / "touched"
    forged = model(trained)
    forged["config"]["evaluation"]["baselines"] = [f"cmd:touch {touched}"]
    (trained / "model.json").write_text(json.dumps(forged))
    done = run(capsys, monkeypatch, "rate", trained, "--games", 20, "--quiet")
    assert done.code == 0, done.err
    assert not touched.exists()


def test_it_finds_levels(capsys, monkeypatch, trained):
    """Each is the lowest temperature at which the next higher level wins enough, or the highest."""
    tried = []

    def rate(game, spec, baseline, games, role=0, seed=0, workers=1):
        """One of the higher level wins more the more temperature the lower one has."""
        tried.append((spec, baseline, games, role, seed))
        times = float(baseline.partition("=")[2]) if seed == CHOOSING_SEED else 2.0
        win = Share(times / 3, 0.1, 0.9, 60)
        result = SimpleNamespace(win=win, games=games, score=0.0, place=1.0, seat_shares=[])
        return Rated(baseline, 3, {}, "", 1 / 3, result)

    monkeypatch.setattr(levels, "rate", rate)
    change_model(trained, temperature=0.7)
    before = model(trained)
    words = ["rate", trained, "--levels", "--write", "--json", "-"]
    done = run(capsys, monkeypatch, *words)
    assert done.code == 0, done.err
    after = model(trained)
    assert {key: after[key] for key in before} == before
    assert json.loads(done.out) == after["levels"]
    assert list(after["levels"]) == ["easy", "medium", "hard"]
    found = {name: level.get("temperature") for name, level in after["levels"].items()}
    assert found == {"easy": 2.8, "medium": 2.0, "hard": None}
    rows = [row for level in after["levels"].values() for row in level["ratings"]]
    assert [row["baseline"] for row in rows] == ["random", "bot:easy", "bot:medium"]
    assert all(row["games"] == 1000 for row in rows)
    bot = f"ppo:{trained}"
    chosen = [(spec, baseline) for spec, baseline, games, _, seed in tried if games == 400]
    heats = [f"{bot}?temperature={heat}" for heat in ("1", "1.4", "2", "2.8")]
    assert chosen == [*((bot, heat) for heat in heats[:3]), (heats[2], heats[3])]
    assert {seed for *_, games, _, seed in tried if games == 1000} == {REPORTED_SEED}
    assert load_checkpoint(str(trained)).model["levels"]["easy"]["temperature"] == 2.8


def test_without_a_temperature_that_is_enough_the_highest_is_taken(capsys, monkeypatch, trained):
    monkeypatch.setattr(levels, "TEMPERATURES", (1.0, 2.0))
    monkeypatch.setattr(levels, "EDGE", 9.0)
    monkeypatch.setattr(levels, "CHOOSING_GAMES", 6)
    words = ["rate", trained, "--levels", "--games", 6, "--json", "-"]
    done = run(capsys, monkeypatch, *words)
    assert done.code == 0, done.err
    kept = json.loads(done.out)
    assert {name: level.get("temperature") for name, level in kept.items()} == {
        "medium": 2.0,
        "hard": None,
    }, "no temperature is left for bot:easy"
    assert "no temperature is enough for medium" in done.err
    assert "levels" not in model(trained)
    assert [row["games"] for level in kept.values() for row in level["ratings"]] == [6, 6]


def test_wrong_words_are_refused(capsys, monkeypatch, trained):
    refused = run(capsys, monkeypatch, "rate", trained, "--levels", "--against", "random")
    assert_refused(refused, "--against: must not be given with --levels")
    refused = run(capsys, monkeypatch, "rate", "nowhere")
    assert_refused(refused, "no checkpoint at 'nowhere'")
    refused = run(capsys, monkeypatch, "rate", trained, "--against", "nobody")
    assert_refused(refused, "nobody")
