"""PettingZoo: our one wrapper does what its two do, and games of turns have its parallel form."""

from __future__ import annotations

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import aec_to_parallel, turn_based_aec_to_parallel

from gangland.adapters.sb3 import SeatVecEnv
from gangland.envs import chicago_v0, load, make_vec
from gangland.envs.api.aec import AgentError, SaveError
from gangland.envs.api.checked import CheckedEnv
from gangland.envs.core.errors import IllegalActionError, NotationError, ResetNeededError

# --- the wrapper ----------------------------------------------------------------------------------


def theirs():
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(chicago_v0.raw_env()))


def outcome(call, env):
    """What a call gives, or how it is refused."""
    try:
        return repr(call(env))
    except Exception as error:
        return type(error), str(error)


def first_legal(env):
    return int(np.flatnonzero(env.last()[0]["action_mask"])[0])


CALLS = {
    "last": lambda env: env.last(),
    "last, not observed": lambda env: env.last(observe=False),
    "observe": lambda env: env.observe(env.possible_agents[0]),
    "state": lambda env: env.state().sum(),
    "render": lambda env: env.render(),
    "agents": lambda env: env.agents,
    "agent_selection": lambda env: env.agent_selection,
    "rewards": lambda env: env.rewards,
    "private": lambda env: env._states,
    "name": str,
    "step": lambda env: env.step(first_legal(env)),
    "step of NumPy": lambda env: env.step(np.int64(first_legal(env))),
    "step of an array": lambda env: env.step(np.array(first_legal(env))),
    "illegal": lambda env: env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])),
    "truth": lambda env: env.step(True),
    "no step in a loop": lambda env: list(env.agent_iter()),
    "one turn": lambda env: [env.step(first_legal(env)) for _ in env.agent_iter(1)],
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("moment", ["before reset", "in the game", "after its end"])
def test_the_same_as_two_wrappers(name, moment):
    outcomes = []
    for env in (chicago_v0.env(), theirs()):
        if moment != "before reset":
            env.reset(seed=4)
        if moment == "after its end":
            env.unwrapped._truncate()
            for _ in env.agent_iter():
                env.step(None)
        outcomes.append(outcome(CALLS[name], env))
    assert outcomes[0] == outcomes[1]


def test_a_whole_game_is_the_same():
    games = []
    for env in (chicago_v0.env(), theirs()):
        env.reset(seed=8)
        seen = []
        for agent in env.agent_iter():
            observation, reward, over, cut, _ = env.last()
            seen.append((agent, observation["observation"].tobytes(), reward, over, cut))
            env.step(None if over or cut else first_legal(env))
        games.append(seen)
    assert games[0] == games[1]
    assert len(games[0]) > 100


def test_more_wrappers_go_over_it():
    env = wrappers.BaseWrapper(chicago_v0.env())
    env.reset(seed=1)
    for _ in env.agent_iter(20):
        env.step(first_legal(env))
    assert isinstance(env.env, wrappers.OrderEnforcingWrapper)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_are_checked_too(copied):
    env = chicago_v0.env()
    env.reset(seed=1)
    env.step(first_legal(env))
    other = copied(env)
    assert isinstance(other, CheckedEnv)
    assert other.save() == env.save()
    with pytest.raises(IllegalActionError, match="action 10000 is not legal"):
        other.step(10_000)
    other.step(first_legal(other))
    assert other.save() != env.save()


@pytest.mark.parametrize(
    "wrong", [10_000, -1, "pass", 1.0, None, np.float32(0), [0], np.array([0])]
)
@pytest.mark.parametrize("make", [chicago_v0.env, chicago_v0.raw_env])
def test_an_action_outside_the_action_space_is_an_illegal_one(make, wrong):
    env = make()
    env.reset(seed=4)
    before = env.unwrapped.save()
    with pytest.raises(
        IllegalActionError, match=r"chicago: (action|player_. is still in the game)"
    ):
        env.step(wrong)
    assert env.unwrapped.save() == before


def first_steps():
    """A first step, without a reset, at every environment."""
    actions = np.zeros(2, np.int64)
    seat = gymnasium.make("gangland/Chicago-v0", opponents="random").unwrapped
    vector = gymnasium.make_vec(
        "gangland/Chicago-v0", 2, vectorization_mode="vector_entry_point", opponents="random"
    )
    return {
        "AEC": lambda: chicago_v0.raw_env().step(0),
        "Gymnasium": lambda: seat.step(0),
        "make_vec": lambda: make_vec("chicago", 2).step(actions),
        "vector": lambda: vector.step(actions),
        "SB3": lambda: SeatVecEnv("chicago", 2, opponents="random").step(actions),
    }


@pytest.mark.parametrize("entrance", ["AEC", "Gymnasium", "make_vec", "vector", "SB3"])
def test_a_step_before_the_first_reset_says_so(entrance):
    with pytest.raises(
        ResetNeededError, match=r"^chicago: no game has begun: call reset\(\) first$"
    ):
        first_steps()[entrance]()


def test_before_the_first_reset_nothing_is_observed():
    env = chicago_v0.raw_env()
    for look in (env.last, lambda: env.observe("player_0"), env.state):
        with pytest.raises(ResetNeededError):
            look()


@pytest.mark.parametrize("agent", ["player_9", "", None, 0, ["player_0"]])
def test_agents_of_other_tables_are_named(agent):
    env = chicago_v0.raw_env()
    env.reset(seed=1)
    for ask in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(AgentError, match=r"^chicago: agent .*: must be one of player_0, "):
            ask(agent)


@pytest.mark.parametrize("saved", ["abc", b"abc", None, 3])
def test_what_is_no_saved_position_is_refused(saved):
    with pytest.raises(SaveError, match=r"a saved position has \d+ bytes"):
        chicago_v0.raw_env().restore(saved)


@pytest.mark.parametrize("data", [None, [], "{}", 3])
def test_what_is_no_dictionary_is_refused(data):
    with pytest.raises(NotationError, match="must be a dictionary"):
        chicago_v0.raw_env().state_from_dict(data)


# --- the parallel form, as far as the library allows it for games of turns ------------------------


def test_turn_based_conversion_plays_the_same_game_and_pays_everybody():
    env = turn_based_aec_to_parallel(chicago_v0.env(players=3))
    observations, _ = env.reset(seed=1)
    rng, paid, actions = np.random.default_rng(0), dict.fromkeys(env.agents, 0.0), []
    while env.agents:
        chosen = {}
        for agent in env.agents:
            legal = np.flatnonzero(observations[agent]["action_mask"])
            # Whoever is not to move gives any action, which is ignored.
            chosen[agent] = int(rng.choice(legal)) if len(legal) else 0
            if len(legal):
                actions.append(chosen[agent])
        observations, rewards, *_ = env.step(chosen)
        for agent, reward in rewards.items():
            paid[agent] += reward
    game = load("chicago")
    state = game.new_state(1, players=3)
    for action in actions:
        game.apply(state, action)
    assert list(paid.values()) == list(game.result(state).rewards)


def test_the_general_conversion_is_refused_as_the_library_wants_it():
    """It is for environments that change once a cycle; games of turns are none."""
    with pytest.raises(AssertionError, match="not generally safe"):
        aec_to_parallel(chicago_v0.env())
