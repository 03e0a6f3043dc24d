"""The heuristics: the specification's bot decision by decision, and whole games (G-24.1)."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.agents.registry import make
from gangland.envs.gangsters.heuristics.bot import value_actions
from gangland.envs.gangsters.heuristics.weights import GANG, PUBLIC_PRICE
from gangland.envs.gangsters.state import E_ARRESTS, E_SEDUCED, POLICE, WIN_CASH, WIN_HQ

from ..games import random_positions
from .scenes import GAME, legal, put, run, scene

SCRATCH = {"path", "faces_path", "turn_at", "hops"}


def decides(state, spec="heuristic:specified", seeds=range(20)):
    """Notations that the agent plays in a position, over several seeds."""
    agent = make(spec, GAME)
    seat = int(state.seat)
    return {
        GAME.action_text(state, agent.decide(GAME.view(state, seat, seed)).action) for seed in seeds
    }


@pytest.mark.rule("G-24.1")
def test_first_joints_are_dear_or_one_jump():
    chosen = decides(GAME.new_state(1), seeds=range(60))
    assert len(chosen) > 3
    # 0.5 x price + 180 for one-jump + 0 to 120: no Brown joint without a Subway can be first.
    assert chosen <= {"go J01", "go J02", "go J05", "go J06", "go J10", "go J11", "go J16",
                      "go J17", "go J18", "go J03", "go J04"}  # fmt: skip
    assert {"go J01", "go J02"} & chosen


@pytest.mark.rule("G-24.1")
@pytest.mark.parametrize(("cash", "wish"), [(700, "buy"), (600, "end")])
def test_it_buys_with_three_hundred_to_spare(cash, wish):
    state = run(scene("Red.R 4@J12", f"Red ${cash}", phase="BUY", trade_offers=2))
    assert decides(state) == {wish}


@pytest.mark.rule("G-24.1")
def test_it_stops_an_officer_who_comes_for_it_and_no_other():
    for marker, wish in (("Green", "yes"), ("Yellow", "end")):
        state = scene("cop 4@LP1<xF", "public x3@J17", "joint J17:Green:2c", f"{marker} markers=4",
                      dice="1/1/1/1/3")  # fmt: skip
        state = run(state, "cop 4", "go J17")
        assert set(legal(state)) == {"yes", "end"}
        assert decides(state) == {wish}


@pytest.mark.rule("G-24.1")
def test_it_raids_what_pays_most():
    state = scene("cop 4@LP1<xF", "public x3@J17", "joint J17:Red:2c", dice="1/1/1/1/3")
    assert decides(run(state)) == {"cop 4"}
    assert decides(run(state, "cop 4")) == {"go J17"}


@pytest.mark.rule("G-24.1")
def test_a_racketeer_is_seduced_rather_than_a_thug():
    state = scene("Red.V 1@LP2<LP1", "Brown.R 4@J06", "Brown.T 2@J06", dice="1/1/2/4/6",
                  phase="MOVE")  # fmt: skip
    state = run(state, "move V", "go J06")
    assert decides(state) == {"seduce Brown R"}


@pytest.mark.rule("G-24.1")
def test_trades_that_hand_over_the_game_are_declined():
    state = scene("Red $5000", "Brown.R 4@J05", phase="BUY", trade_offers=2)
    state = run(state, "trade Brown", "end", "go J05", "pay 2000")
    assert decides(state) == {"yes"}
    state = scene("Red $5000", phase="BUY", trade_offers=2)
    for code in ("J07", "J08", "J09", "J06"):
        put(state, "joint", f"{code}:Red:1")
    state = run(state, "trade Brown", "end", "go J05", "pay 2000")
    assert decides(state) == {"end"}


@pytest.mark.parametrize("spec", ["heuristic", "heuristic:specified"])
def test_thinking_leaves_the_record_as_it_was(spec):
    agent = make(spec, GAME)
    for _, _, _, after in random_positions(GAME, 6, every=4):
        if after.over:
            continue
        view = GAME.view(after, int(after.seat), 1)
        before = GAME.clone(view.known)
        agent.decide(view)
        for name in GAME.dtype.names:
            if name not in SCRATCH:
                assert np.array_equal(before[name], view.known[name]), name


def games(specs, count, seed, **options):
    """Final records of games among agents, one for each seat."""
    agents = [make(spec, GAME) for spec in specs]
    finished = []
    for number in range(count):
        state = GAME.new_state(seed + number, **options)
        while not state.over:
            seat = int(state.seat)
            GAME.apply(state, agents[seat].decide(GAME.view(state, seat, int(state.ply))).action)
        finished.append(state)
    return finished


def test_heuristic_games_end_by_victory_and_the_police_have_their_share():
    finished = games(["heuristic"] * 5, 60, 100)
    assert not any(state.capped for state in finished)
    police = sum(state.places[POLICE] == 1 for state in finished)
    assert 2 <= police <= 36
    assert {int(state.win_kind) for state in finished} >= {WIN_CASH}
    assert np.mean([state.events[E_SEDUCED] for state in finished]) > 2
    assert np.mean([state.events[E_ARRESTS] for state in finished]) > 2


def test_the_specified_police_win_by_headquarters():
    kinds = {int(s.win_kind) for s in games(["heuristic:specified"] * 5, 60, 5)}
    assert WIN_HQ in kinds


@pytest.mark.parametrize("gangs", [2, 3])
def test_few_gangs_finish(gangs):
    assert not any(s.capped for s in games(["heuristic"] * gangs, 10, 3, gangs=gangs))


def test_the_arena_counts_what_happens():
    from gangland.arena import play_table

    result = play_table("gangsters", ["heuristic"] * 5, 6, seed=2)
    events = result.stats.events
    kinds = ("a gang's cash", "ten joints", "one colour", "the police")
    assert sum(events[f"won by {kind}"] for kind in kinds) == pytest.approx(1)
    assert events["members seduced"] > 0
    assert events["extortion"] > 1000
    assert 0 < events["crime level, end of turn"] <= 6


SIX = "joint J10:Police:1 J12:Police:1 J13:Police:1 J14:Police:1 G01:Police:1 G02:Police:1"


def test_gangs_attack_a_headquarters_the_sooner_the_more_the_police_have():
    where = ("Red.T 6@RD2<RD1", "Green.R 4@J11")
    for joints, wishes in (("joint J12:Police:1", {"go J34"}), (SIX, {"go J12"})):
        state = run(scene(*where, joints, phase="MOVE", dice="1/2/1/1/1"), "move T")
        assert {"go J12", "go J34"} <= set(legal(state))
        assert decides(state, "heuristic") == wishes
    assert decides(run(state, "go J12"), "heuristic") == {"hit"}


def test_a_public_that_takes_an_action_is_worth_less_by_its_price():
    worth = []
    for costs in (False, True):
        state = run(scene("public x1a@LP2<LP1", phase="MOVE", public_actions=costs))
        mask = np.zeros(GAME.num_actions, np.bool_)
        mask[GAME.legal_actions(state)] = True
        values = np.zeros(GAME.num_actions)
        value_actions(GAME.redact(state, 0), 0, mask, np.uint64(1), values)
        worth.append(values[mask])
        texts = [GAME.action_text(state, action) for action in np.flatnonzero(mask)]
    dearer = {text: a - b for text, a, b in zip(texts, *worth, strict=True) if a != b}
    assert set(dearer) == {"public x1a", "public new"}
    assert np.allclose(list(dearer.values()), GANG[PUBLIC_PRICE])
