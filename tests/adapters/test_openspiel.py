"""Our games in OpenSpiel: its own tests, its bots, and our replays."""

from __future__ import annotations

import random

import numpy as np
import pytest

from gangland.envs import load
from gangland.envs.core.replay import Recorder
from tests.games import OURS

pyspiel = pytest.importorskip("pyspiel", reason="needs gangland[openspiel]")
from open_spiel.python.algorithms import external_sampling_mccfr, ismcts, mcts  # noqa: E402

from gangland.adapters import openspiel  # noqa: E402

SMALL = {
    "chicago": "players=3,turn_cap=9",
    "five_points": "players=3,max_rounds=3",
    "crime_lords": "players=3,max_rounds=2",
    "gangsters": "gangs=2,police=False,max_rounds=2",
}
"""Options of short games, where the default ones are long."""


def load_small(name, **extra):
    options = ",".join(
        [*SMALL.get(name, "").split(), *(f"{key}={value}" for key, value in extra.items())]
    )
    return pyspiel.load_game(f"gangland_{name}({options})")


def play(state, rng, steps=None):
    """Play at random, so many decisions and chance nodes, or to the end."""
    count = 0
    while not state.is_terminal() and count != steps:
        if state.is_chance_node():
            actions = [outcome for outcome, _ in state.chance_outcomes()]
        else:
            actions = state.legal_actions()
        state.apply_action(rng.choice(actions))
        count += 1
    return state


def deal(game, seed):
    """A state at the first decision."""
    state, rng = game.new_initial_state(), random.Random(seed)
    while state.is_chance_node():
        state.apply_action(rng.randrange(openspiel.OUTCOMES))
    return state


def seat_counts(name):
    """The options that give each number of seats that a game can have."""
    if name == "gangsters":
        return [{"gangs": gangs, "police": False} for gangs in (2, 3, 4)] + [{}]
    first = load(name).options.options[0]
    return [{"players": n} for n in range(first.low, load(name).max_seats + 1)]


@pytest.mark.parametrize(
    ("name", "seats"),
    [(name, seats) for name in OURS for seats in seat_counts(name)],
    ids=lambda value: value if isinstance(value, str) else "-".join(map(str, value.values())),
)
def test_openspiels_own_random_simulation(name, seats):
    """It wants returns that sum to zero in double precision, whatever winners and losers share."""
    assert f"gangland_{name}" in pyspiel.registered_names()
    short = dict(option.split("=") for option in SMALL[name].split(","))
    if seats == {}:
        short = {"max_rounds": 2}
    options = ",".join(f"{key}={value}" for key, value in {**short, **seats}.items())
    game = pyspiel.load_game(f"gangland_{name}({options})")
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("name", OURS)
def test_a_playthrough_is_our_replay(name):
    """The same seed and decisions: every position, what seats see and the result are ours."""
    spiel, game = load_small(name, seed=77), load(name)
    state, rng = spiel.new_initial_state(), random.Random(1)
    options = {k: v for k, v in spiel.get_parameters().items() if k != "seed"}
    recorder = Recorder(game, seed=77, **options)
    while not state.is_terminal():
        assert state.current_player() == game.seat_to_act(recorder.state)
        assert state.legal_actions() == game.legal_actions(recorder.state)
        for player in range(state.num_players()):
            tensor = np.array(state.observation_tensor(player), np.float32)
            assert (
                tensor[: state.num_players()].tolist()
                == np.eye(state.num_players())[player].tolist()
            )
            np.testing.assert_array_equal(
                tensor[state.num_players() :], game.observe(recorder.state, player)
            )
            assert tensor.tolist() == state.information_state_tensor(player)
        action = rng.choice(state.legal_actions())
        assert state.action_to_string(action) == game.action_text(recorder.state, action)
        state.apply_action(action)
        recorder.apply(action)
    replay = recorder.replay()
    assert list(replay.actions) == state.history()
    result = replay.verify(game)
    expected = [0.0] * state.num_players() if game.is_truncated(recorder.state) else result.rewards
    assert state.returns() == pytest.approx(list(expected))


@pytest.mark.parametrize("name", OURS)
def test_chance_is_in_the_history(name):
    """States differ by their history alone, and copies do not reveal what is drawn."""
    game = load_small(name)
    state = play(deal(game, 3), random.Random(3), steps=4)
    while not state.is_chance_node() and not state.is_terminal():
        play(state, random.Random(4), steps=1)
    assert state.is_chance_node()
    again = game.new_initial_state()
    for action in state.history():
        again.apply_action(action)
    outcomes = set()
    for number in range(30):
        one, other = state.clone(), again.clone()
        for node in (one, other):
            while node.is_chance_node():
                node.apply_action(number)
        assert str(one) == str(other)
        assert one.record.tobytes() == other.record.tobytes()
        outcomes.add(one.record.tobytes())
    assert len(outcomes) == 30  # all from generators of their own


@pytest.mark.parametrize("name", OURS)
def test_samples_are_the_same_to_the_player(name):
    game = load_small(name)
    differs = 0
    for seed in range(6):
        state = play(deal(game, seed), random.Random(seed), steps=15 + seed)
        while state.is_chance_node():
            state.apply_action(5)
        if state.is_terminal():
            continue
        player = state.current_player()
        sample = openspiel.resample(state, player)
        assert sample.information_state_string(player) == state.information_state_string(player)
        assert sample.observation_string(player) == state.observation_string(player)
        assert sample.legal_actions() == state.legal_actions()
        assert sample.history() == state.history()
        differs += sample.record.rng != state.record.rng
        play(sample, random.Random(seed))
    assert differs > 0


def test_information_states_remember_and_observations_do_not():
    """Two ways to the same view: distinct by memory alone."""
    game = pyspiel.load_game("gangland_chicago(players=2,seed=4)")
    state = game.new_initial_state()
    seen = {}
    rng = random.Random(0)
    while not state.is_terminal():
        for player in (0, 1):
            seen.setdefault(state.information_state_string(player), set()).add(
                state.observation_string(player)
            )
        state.apply_action(rng.choice(state.legal_actions()))
    assert all(len(views) == 1 for views in seen.values())
    one, other = game.new_initial_state(), game.new_initial_state()
    mover = one.current_player()
    one._knowledge = one._knowledge.acted(mover, 1)
    assert one.observation_string(mover) == other.observation_string(mover)
    assert one.information_state_string(mover) != other.information_state_string(mover)


def test_what_a_player_does_not_see_adds_nothing_to_its_information_state():
    """A decision that leaves the view of others as it was is none that they could count."""
    game, rules = pyspiel.load_game("gangland_chicago(players=3,seed=4)"), load("chicago")
    state = game.new_initial_state()
    mover = state.current_player()
    before = [state.information_state_string(player) for player in range(3)]
    state._knowledge = state._knowledge.acted(mover, 1).seen(rules, state.record, mover)
    for player in range(3):
        same = state.information_state_string(player) == before[player]
        assert same == (player != mover)


def test_its_ismcts_bot_plays_chicago():
    game = pyspiel.load_game("gangland_chicago(players=2,turn_cap=8)")
    bot = ismcts.ISMCTSBot(
        game,
        mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        uct_c=1.4,
        max_simulations=12,
        random_state=np.random.RandomState(2),
    )
    bot.set_resampler(openspiel.resample)
    state, rng, decided = deal(game, 5), random.Random(5), 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(rng.randrange(openspiel.OUTCOMES))
        elif state.current_player() == 0:
            action = bot.step(state)
            assert action in state.legal_actions()
            decided += 1
            state.apply_action(action)
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    assert decided >= 3
    assert sum(state.returns()) == pytest.approx(0.0)


def test_its_counterfactual_regret_minimisation_runs():
    game = pyspiel.load_game("gangland_chicago(players=2,turn_cap=2)")
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    solver.iteration()
    state = deal(game, 0)
    policy = solver.average_policy().action_probabilities(state)
    assert set(policy) == set(state.legal_actions())


def test_options_and_bad_input():
    game = pyspiel.load_game("gangland_chicago(players=4,bribe=50)")
    assert game.num_players() == 4
    assert deal(game, 0).record.num_seats == 4
    assert pyspiel.load_game(str(game)).num_players() == 4
    with pytest.raises(Exception, match="players=99"):
        pyspiel.load_game("gangland_chicago(players=99)")
    public = pyspiel.IIGObservationType(
        public_info=True, perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
    )
    with pytest.raises(ValueError, match="one player"):
        game.make_py_observer(public)
    with pytest.raises(ValueError, match="chance node"):
        game.new_initial_state().sample(0, 1)
    assert openspiel.register_games(["chicago"]) == ["gangland_chicago"]
