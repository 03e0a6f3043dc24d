"""The search agent: exact where the game can be worked out, legal and repeatable everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from math import comb

import numpy as np
import pytest

from gangland.agents.baseline.heuristic import NoHeuristicError, has_heuristic
from gangland.agents.registry import make
from gangland.agents.search.ismcts import SLICE, SearchSpecError, TreeSearchAgent, parse_search
from gangland.agents.search.tree import add_win
from gangland.envs import load
from gangland.envs.core.view import Detail
from tests.games import GAMES, TOY, views_of
from tests.toy.game import KEEP, SWAP, TURN

GAME = load(TOY)


def last_turn(card, players=2):
    """The last seat is to keep its card or to swap it; nobody has swapped."""
    state = GAME.new_state(1, players=players)
    for _ in range(players - 1):
        GAME.apply(state, KEEP)
    assert state.phase == TURN
    state.cards[players - 1] = card
    return state


@pytest.mark.parametrize("card", [0, 3, 6, 9])
def test_value_of_a_decision_is_its_mean_over_what_the_seat_cannot_know(card):
    view = GAME.view(last_turn(card), 1, seed=5)
    result = make("ismcts:20000?rollout=random&exploration=40", GAME).search(view)
    # Keeping wins against every lower card and loses against every higher one, ties pay nothing.
    kept = int(result.visits[KEEP])
    rewards = np.array([np.sign(card - other) for other in range(10)])
    error = rewards.std() / np.sqrt(kept)
    assert kept > 1000
    assert abs(result.values[KEEP, 1] - rewards.mean()) < 4.5 * error + 1e-12
    assert result.action == (KEEP if card > 5 else SWAP)


def test_values_are_vectors_that_sum_to_nothing_in_a_constant_sum_game():
    view = GAME.view(GAME.new_state(3, players=4), 0, seed=1)
    result = make("ismcts:600?rollout=random", GAME).search(view)
    assert result.visits.sum() == result.iterations == 600
    tried = result.visits > 0
    assert (tried == view.action_mask).all()
    assert np.allclose(result.values[tried].sum(1), 0.0, atol=1e-6)
    assert (np.abs(result.values) <= 1.0).all()
    assert (result.values[~tried] == 0.0).all()
    assert result.chances[tried].sum(1) == pytest.approx(1.0)
    assert (result.chances[~tried] == 0.0).all()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_chances_are_shares_of_wins_which_add_up_to_one(players):
    """The last seat holds a 9 and keeps it, so that it wins, alone or with others who hold one."""
    state = last_turn(9, players)
    agent = make("ismcts:20000?rollout=random&exploration=40", GAME)
    decision = agent.decide(GAME.view(state, players - 1, seed=4, detail=Detail.OWN))
    chances = decision.chances_of(players)
    assert decision.action == KEEP
    assert sum(chances) == pytest.approx(1.0)
    others = players - 1
    own = sum(
        comb(others, ties) * 0.1**ties * 0.9 ** (others - ties) / (1 + ties)
        for ties in range(others + 1)
    )
    assert chances == pytest.approx([(1 - own) / others] * others + [own], abs=0.01)
    assert np.isnan(decision.chances[players:]).all()


@pytest.mark.parametrize(
    ("rewards", "places", "shares"),
    [
        ([-0.5, 1.0, -0.5, 0.0], [2, 1, 3, 0], [0.0, 1.0, 0.0, 0.0]),
        ([0.5, -1.0, 0.5, 0.0], [1, 3, 1, 0], [0.5, 0.0, 0.5, 0.0]),
        ([0.0, 0.0, 0.0, 0.0], [1, 1, 1, 0], [1 / 3, 1 / 3, 1 / 3, 0.0]),
        ([0.0, 0.0, 0.0, 0.0], [1, 2, 3, 0], [1 / 3, 1 / 3, 1 / 3, 0.0]),  # a cap pays nobody
        ([0.0, 0.0, 0.0, 0.0], [0, 0, 0, 0], [1 / 3, 1 / 3, 1 / 3, 0.0]),  # not played to its end
    ],
)
def test_what_a_play_out_adds_to_the_chances(rewards, places, shares):
    state = GAME.new_state(1, players=3)
    state.rewards[:], state.places[:] = rewards, places
    wins = np.zeros(4)
    add_win(state, wins)
    assert wins == pytest.approx(shares)


def test_movers_maximise_their_own_value():
    """Seat 0 swaps; a challenge costs seat 1 a point and helps it only against a high card.

    Were seat 0's reward the one that all maximise, seat 1 would never be expected to challenge.
    """
    state = GAME.new_state(2, players=2)
    state.cards[0] = 0
    GAME.apply(state, SWAP)
    state.cards[1] = 9
    result = make("ismcts:4000?rollout=random", GAME).search(GAME.view(state, 1, seed=2))
    assert result.values[result.action, 1] > 0.5
    assert result.values[result.action, 0] < -0.5


def test_the_search_reads_the_view_only():
    one, two = last_turn(4, players=3), last_turn(4, players=3)
    one.cards[:2], two.cards[:2] = (0, 0), (9, 9)
    two.rng = np.uint64(99)
    agent = make("ismcts:300", GAME)
    results = [agent.search(GAME.view(state, 2, seed=7)) for state in (one, two)]
    assert (results[0].visits == results[1].visits).all()
    assert (results[0].values == results[1].values).all()


def test_probabilities_are_the_shares_of_the_visits():
    view = GAME.view(last_turn(5), 1, seed=8, detail=Detail.OWN)
    agent = make("ismcts:100", GAME)
    decision, found = agent.decide(view), agent.search(view)
    assert decision.action == found.action
    assert decision.probabilities.sum() == pytest.approx(1.0)
    assert (decision.probabilities * 100 == found.visits).all()
    assert decision.chances_of(2) == found.chances[found.action, :2].tolist()
    assert np.isnan(decision.chances[2:]).all()


@pytest.mark.parametrize("name", GAMES)
def test_an_action_alone_is_found_sooner_and_is_the_same(name, monkeypatch):
    game = load(name)
    agent = make("ismcts:300", game)
    grown = []
    grow = agent._grow

    def counted(view, *, until_decided):
        found = grow(view, until_decided=until_decided)
        grown.append(found.iterations)
        return found

    monkeypatch.setattr(agent, "_grow", counted)
    views = [view for view in views_of(name, 40, plies=30) if len(view.legal_actions) > 1]
    for view in views:
        assert agent.decide(view).action == agent.search(view).action
    sooner, whole = grown[::2], grown[1::2]
    assert set(whole) == {300}
    assert min(sooner) < 250
    assert all(count % SLICE == 0 or count == 300 for count in sooner)


def test_a_time_ends_the_search():
    view = GAME.view(last_turn(5), 1, seed=8)
    result = make("ismcts:30ms", GAME).search(view)
    assert result.iterations > 0
    assert result.iterations % SLICE == 0
    assert result.visits.sum() == result.iterations


def test_more_iterations_than_the_tree_had_room_for():
    view = GAME.view(GAME.new_state(3, players=4), 0, seed=1)
    agent = TreeSearchAgent(GAME, "300ms?rollout=random")
    result = agent.search(view)
    assert result.iterations > 4096
    assert result.visits.sum() == result.iterations


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("rollout", ["random", "heuristic"])
def test_it_decides_legally_and_repeatably_in_every_game(name, rollout):
    game = load(name)
    if rollout == "heuristic" and not has_heuristic(game):
        pytest.skip(f"{name} has no heuristic")
    agent = make(f"ismcts:12?rollout={rollout}", game)
    views = views_of(name, tables=6, plies=12)
    actions = agent.decide_batch(views).actions
    assert views.masks[np.arange(len(views)), actions].all()
    assert actions.tolist() == agent.decide_batch(views).actions.tolist()


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("0", ["'0'", "1 to 1,000,000"]),
        ("soon", ["'soon'", "500ms"]),
        ("-5", ["'-5'"]),
        ("2.5", ["2.5 iterations", "whole"]),
        ("0ms", ["'0ms'"]),
        ("10?rollout=dice", ["'rollout=dice'", "heuristic[:NAME]"]),
        ("10?exploration=much", ["'exploration=much'", "a number"]),
        ("10?depth=3", ["'depth=3'"]),
    ],
)
def test_bad_specs_are_refused_with_what_is_allowed(argument, words):
    with pytest.raises(SearchSpecError) as caught:
        make(f"ismcts:{argument}", GAME)
    for word in words:
        assert word in str(caught.value)


def test_rollouts_by_a_heuristic_that_is_not_there():
    with pytest.raises(NoHeuristicError, match="brilliant"):
        make("ismcts:10?rollout=heuristic:brilliant", GAME)


def test_specs_in_full():
    config = parse_search("2s?rollout=heuristic:reckless&exploration=1.5", GAME)
    assert (config.budget.seconds, config.rollout, config.exploration) == (
        2.0,
        "heuristic:reckless",
        1.5,
    )
    assert parse_search("", GAME).budget.count == 500


@pytest.mark.slow
def test_searching_beats_the_heuristic_that_plays_its_positions_out():
    """One against one, where fewer games show it than among five."""
    from gangland.arena import play_table

    spec = "ismcts:150"
    arena = play_table(load("chicago"), [spec, "heuristic"], 240, seed=3, players=2)
    assert arena.of(spec).win.low > arena.par


def found(name, spec):
    """What a search from a first position finds, to the bit."""
    game = load(name)
    result = make(spec, game).search(game.view(game.new_state(1), 0, seed=1))
    return (result.visits.tobytes() + result.values.tobytes() + result.chances.tobytes()).hex()


PLAIN = [(TOY, "ismcts:60"), (TOY, "ismcts:60?rollout=random"), ("chicago", "ismcts:2")]
"""Searches of which plain Python is capable: in a game of few decisions, or of few positions."""


def test_plain_python_searches_as_machine_code_does():
    program = (
        f"from tests.agents.test_search import found; [print(found(*one)) for one in {PLAIN!r}]"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [found(*one) for one in PLAIN]
