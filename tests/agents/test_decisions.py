"""Decisions: what agents are asked for and what they give; the random and heuristic ones.

Their seeds: a keyed one-way function, the same in kernels and outside.
"""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from click.testing import CliRunner

from gangland.agents.base import Agent
from gangland.agents.baseline.heuristic import HeuristicAgent, has_heuristic, values_of
from gangland.agents.baseline.random import RandomAgent
from gangland.agents.decision import Decision, Decisions, require_legal
from gangland.agents.registry import make, traits
from gangland.agents.seeds import decision_seed, decision_seeds, players_key, siphash
from gangland.agents.trained.policy import shipped_bots
from gangland.commands.play import command as play
from gangland.envs import load
from gangland.envs.api.aec import GameEnv
from gangland.envs.core import rng
from gangland.envs.core.errors import IllegalActionError
from gangland.envs.core.view import Detail, ViewBatch
from gangland.serving.bots.registry import Bots
from gangland.serving.doors.engine import Engine
from gangland.serving.doors.mcp import Tables
from tests.games import GAMES, TOY, views_of

# --- what is asked for and given ------------------------------------------------------------------

TRAINED = sorted({bot.partition("/")[0] for bot in shipped_bots()}.intersection(GAMES))
BOTS = ["random", "heuristic", "ismcts:40", *(f"ppo:{name}" for name in TRAINED)]


class First(Agent):
    """The simplest agent there is: one method."""

    def decide(self, view):
        return Decision(view.legal_actions[0])


def _pairs():
    for spec in BOTS:
        for name in [spec.removeprefix("ppo:")] if "ppo" in spec else [TOY, "gangsters"]:
            yield spec, name


PAIRS = list(_pairs())


def test_an_agent_needs_one_method():
    views = views_of(TOY, tables=9)
    found = First().decide_batch(views)
    assert found.actions.tolist() == views.masks.argmax(1).tolist()
    assert found.probabilities is None
    assert found.chances is None
    assert First().within(1.0).decide(views[0]).action == found.actions[0]


@pytest.mark.parametrize(("spec", "name"), PAIRS)
def test_detail_changes_no_action_and_a_batch_gives_what_single_views_give(spec, name):
    game, agent = load(name), make(spec, load(name))
    single = views_of(name, tables=5, plies=4)
    seats = [game.num_seats(single[k].known) for k in range(5)]
    for detail in Detail:
        views = [single[k] for k in range(5)]
        for view in views:
            view.detail = detail
        batch = agent.decide_batch(ViewBatch.of(views))
        plain = agent.decide_batch(views_of(name, tables=5, plies=4))
        assert batch.actions.tolist() == plain.actions.tolist()
        for k, view in enumerate(views):
            alone = agent.decide(view)
            assert alone.action == batch.actions[k]
            same(alone.probabilities, batch[k].probabilities)
            same(alone.chances, batch[k].chances)
            check(alone, view, seats[k], traits(spec, game), detail)


def same(one, other):
    assert (one is None) == (other is None)
    if one is not None:
        assert one == pytest.approx(other, abs=2e-5, nan_ok=True)


def check(decision, view, seats, known, detail):
    """A decision gives what was asked for and what its agent is known to give."""
    if detail >= Detail.OWN:
        assert (decision.probabilities is not None) == known.probabilities
    if decision.probabilities is not None:
        assert decision.probabilities.dtype == np.float64
        assert decision.probabilities.sum() == pytest.approx(1.0)
        assert not decision.probabilities[~view.action_mask].any()
    if decision.chances is not None:
        assert decision.chances.shape == (view.game.max_seats,)
        assert np.isnan(decision.chances[seats:]).all()
        assert 0.0 <= decision.chance(view.seat) <= 1.0
        everybody = decision.chances_of(seats)
        assert (everybody is None) == np.isnan(decision.chances[:seats]).any()
        assert everybody is None or (min(everybody) >= 0.0 and sum(everybody) == pytest.approx(1.0))
    if detail == Detail.ALL and decision.chances is not None:
        assert decision.chances_of(seats) is not None


@pytest.mark.parametrize(("spec", "name"), PAIRS)
def test_an_agent_known_to_take_observations_decides_without_records(spec, name):
    game = load(name)
    agent, known = make(spec, game), traits(spec, game)
    assert known.observations == (not agent.needs_records)
    if known.observations:
        views = views_of(name, tables=20, plies=3)
        bare = views_of(name, tables=20, plies=3, records=False)
        assert (
            agent.decide_batch(bare).actions.tolist() == agent.decide_batch(views).actions.tolist()
        )


def test_what_one_decision_does_not_give_the_batch_does_not_give():
    shares, chances = np.array([1.0, 0.0]), np.array([0.5, np.nan])
    full, empty = Decision(0, shares, chances), Decision(1)
    joined = Decisions.of([full, full])
    assert joined.probabilities.tolist() == [shares.tolist()] * 2
    assert joined.chances.shape == (2, 2)
    assert Decisions.of([full, empty]).probabilities is None
    assert Decisions.of([full, empty]).chances is None
    assert len(joined) == 2
    assert full.chance(0) == 0.5
    assert full.chance(1) is None
    assert full.chances_of(1) == [0.5]
    assert full.chances_of(2) is None
    assert empty.chance(0) is None


def test_a_search_within_a_time_keeps_its_other_settings():
    agent = make("ismcts:5000?rollout=random&exploration=2", load(TOY))
    limited = agent.within(0.01)
    assert (limited.config.budget.seconds, limited.config.exploration) == (0.01, 2.0)
    assert limited.config.rollout == "random"
    assert agent.config.budget.seconds is None
    view = views_of(TOY, tables=1)[0]
    assert view.action_mask[limited.decide(view).action]


# --- random and heuristic: legal, from the seed alone, alike alone and in a batch -----------------

CASES = [
    (name, spec)
    for name in GAMES
    for spec in ("random", "heuristic")
    if spec == "random" or has_heuristic(load(name))
]


@pytest.mark.parametrize(("name", "spec"), [*CASES, (TOY, "heuristic:fickle")])
@pytest.mark.parametrize("plies", [0, 1, 30])
def test_alone_and_in_a_batch_it_decides_the_same(name, spec, plies):
    agent = make(spec, load(name))
    views = views_of(name, tables=25, plies=plies)
    actions = agent.decide_batch(views).actions
    assert actions.dtype == np.int64
    assert views.masks[np.arange(len(views)), actions].all()
    assert actions.tolist() == [agent.decide(views[k]).action for k in range(len(views))]
    assert actions.tolist() == agent.decide_batch(views).actions.tolist()


def test_random_is_uniform_over_the_legal_actions():
    views = views_of(TOY, tables=4000)
    actions = RandomAgent(load(TOY)).decide_batch(views).actions
    for first in (0, 2):
        inside = actions[views.masks[:, first]]
        share = (inside == first).mean()
        assert abs(share - 0.5) < 4 * 0.5 / np.sqrt(len(inside))
    view = views[0]
    agent = RandomAgent(load(TOY))
    assert agent.decide(view).probabilities is None
    view.detail = Detail.OWN
    shares = agent.decide(view).probabilities
    assert shares.sum() == pytest.approx(1)
    assert ((shares > 0) == view.action_mask).all()


def test_random_follows_the_seed_and_leaves_the_views_alone():
    views = views_of(TOY, tables=200)
    seeds = views.seeds.copy()
    first = RandomAgent(load(TOY)).decide_batch(views).actions
    assert (views.seeds == seeds).all()
    views.seeds += np.uint64(1)
    assert (RandomAgent(load(TOY)).decide_batch(views).actions != first).any()


def test_the_heuristic_sees_redacted_records_only():
    """The toy's heuristic plays its own card; rivals' cards are blank in what it is given."""
    views = views_of(TOY, tables=300, plies=0)
    cards = views.known["cards"]
    own = cards[np.arange(300), views.seats]
    assert (own > 0).any()
    cards[np.arange(300), views.seats] = 0
    assert (cards == 0).all()
    expected = np.where(own < 5, 1, 0)
    fresh = views_of(TOY, tables=300, plies=0)
    assert HeuristicAgent(load(TOY)).decide_batch(fresh).actions.tolist() == expected.tolist()


def test_an_illegal_choice_raises_alone_and_in_a_batch():
    cheat = HeuristicAgent(load(TOY), "cheat")
    views = views_of(TOY, tables=60, plies=1)
    asked = np.flatnonzero(views.masks[:, 2])
    assert len(asked) > 0
    with pytest.raises(
        IllegalActionError, match=r"heuristic:cheat chose action 0, legal are \[2, 3"
    ):
        cheat.decide_batch(views)
    with pytest.raises(IllegalActionError, match="heuristic:cheat chose action 0"):
        cheat.decide(views[int(asked[0])])


@pytest.mark.parametrize("wrong", [-1, 4, 2])
def test_require_legal_names_the_first_wrong_row(wrong):
    masks = np.array([[True, False, False, False], [False, True, False, True]])
    require_legal(load(TOY), "x", masks, np.array([0, 3]))
    with pytest.raises(
        IllegalActionError, match=rf"agent x chose action {wrong}, legal are \[1, 3\]"
    ):
        require_legal(load(TOY), "x", masks, np.array([0, wrong]))


def test_require_legal_wants_one_action_a_row():
    masks = np.ones((2, 4), np.bool_)
    with pytest.raises(IllegalActionError, match=r"shape \(3,\), must be \(2,\)"):
        require_legal(load(TOY), "x", masks, np.zeros(3, np.int64))


@pytest.mark.parametrize("name", [name for name in GAMES if values_of(load(name), "")])
def test_the_heuristic_takes_an_action_of_the_highest_value(name):
    agent = HeuristicAgent(load(name))
    for plies in (3, 30):
        views = views_of(name, tables=60, plies=plies)
        values, actions = agent.values(views), agent.decide_batch(views).actions
        assert (np.isneginf(values) == ~views.masks).all()
        assert (values[np.arange(60), actions] == values.max(1)).all()


# --- seeds ----------------------------------------------------------------------------------------


KEY = np.frombuffer(bytes(range(16)), "<u8")
"""Key of all published test vectors: the bytes 00, 01, ... 0f."""

VECTORS = {
    8: "6224939a79f5f593",
    15: "e545be4961ca29a1",
    16: "db9bc2577fcc2a3f",
    63: "724506eb4c328a95",
}
"""Length of the message 00, 01, ... and its hash, byte by byte; 15 is the one of the paper."""


@pytest.mark.parametrize("length", VECTORS)
def test_siphash_gives_the_published_hashes(length):
    message = bytes(range(length))
    whole, rest = message[: length // 8 * 8], message[length // 8 * 8 :]
    words = tuple(np.frombuffer(whole, "<u8"))
    tail = np.uint64(int.from_bytes(rest.ljust(7, b"\0") + bytes([length]), "little"))
    found = int(siphash(KEY[0], KEY[1], words, tail))
    assert found.to_bytes(8, "little").hex() == VECTORS[length]


def test_a_decisions_seed_is_the_hash_of_ply_and_seat():
    """Ply and seat are a message of sixteen bytes, as in the last of the published vectors."""
    ply, seat = (int(word) for word in np.frombuffer(bytes(range(16)), "<u8"))
    assert int(decision_seed(KEY, ply, seat)).to_bytes(8, "little").hex() == VECTORS[16]


def test_every_decision_has_a_seed_of_its_own():
    grid = [(row, ply, seat) for row in range(4) for ply in range(3) for seat in range(5)]
    seeds = np.zeros(len(grid), np.uint64)
    rows, plies, seats = (np.array(column, np.int64) for column in zip(*grid, strict=True))
    keys = np.array([players_key(8, number) for number in range(4)])
    decision_seeds(keys, rows, plies, seats, seeds)
    assert len(set(seeds.tolist())) == len(grid)
    assert seeds.tolist() == [int(decision_seed(keys[r], p, s)) for r, p, s in grid]


def test_the_players_key_is_a_digest_of_seed_and_number():
    """Written out: what a program in another language has to compute."""
    message = (2**64 - 1).to_bytes(8, "little") + (3).to_bytes(8, "little")
    digest = hashlib.blake2b(message, digest_size=16, person=b"gangland players").digest()
    assert players_key(2**64 - 1, 3).astype("<u8").tobytes() == digest
    keys = {bytes(players_key(seed, number)) for seed in range(20) for number in range(20)}
    assert len(keys) == 400
    assert (players_key(4) == players_key(4, 0)).all()


def reset_environment():
    GameEnv(load(TOY)).reset()


def new_game_of_an_engine():
    Engine(load(TOY), "random", lambda line: None).command("newgame")


def table_of_a_language_model():
    Tables(Bots(), [TOY]).open(TOY, 0, ["random"], {}, None)


def game_in_the_terminal():
    done = CliRunner().invoke(play, ["--game", TOY, "--seat", "none", "--bots", "random"])
    assert f"--seed {2**64 - 1}" in done.output


UNSEEDED = [
    reset_environment,
    new_game_of_an_engine,
    table_of_a_language_model,
    game_in_the_terminal,
]


@pytest.mark.parametrize("begin", UNSEEDED, ids=lambda begin: begin.__name__)
def test_where_nobody_gives_a_seed_64_bits_are_drawn(begin, monkeypatch):
    drawn = []
    monkeypatch.setattr(rng.secrets, "randbits", lambda bits: drawn.append(bits) or 2**bits - 1)
    begin()
    assert set(drawn) == {64}


def test_seeds_of_neighbouring_decisions_have_nothing_in_common():
    """About half of the bits differ when ply, seat or one bit of the seed does."""
    base = [int(decision_seed(players_key(5), ply, 0)) for ply in range(400)]
    others = {
        "ply": [int(decision_seed(players_key(5), ply + 1, 0)) for ply in range(400)],
        "seat": [int(decision_seed(players_key(5), ply, 1)) for ply in range(400)],
        "seed": [int(decision_seed(players_key(4), ply, 0)) for ply in range(400)],
    }
    for seeds in others.values():
        flipped = sum((a ^ b).bit_count() for a, b in zip(base, seeds, strict=True))
        # 25,600 fair bits: mean 12,800, standard deviation 80; five of them.
        assert abs(flipped - 12_800) < 400
