"""Environments, tables and agents in other processes: pickled for them, and beside forked ones."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import shlex
import subprocess
import sys
import textwrap

import cloudpickle
import gymnasium
import numpy as np
import pytest

from gangland.adapters.sb3 import SeatVecEnv
from gangland.agents.registry import make
from gangland.envs import load, make_vec
from gangland.envs.registration import entry_points, gymnasium_id
from tests.games import GAMES, OURS

# --- what people hand to other processes can be pickled -------------------------------------------

PICKLES = {"pickle": pickle, "cloudpickle": cloudpickle}
by_all = pytest.mark.parametrize("pickler", PICKLES)
GAME = "chicago"


def play(env, steps=6):
    """What an environment shows over so many decisions; the first legal action is taken."""
    seen = []
    for _ in range(steps):
        masks = env.unwrapped.action_masks()
        # The last legal action: the first one may be to pass for the rest of the round.
        last = masks.shape[-1] - 1 - masks[..., ::-1].argmax(axis=-1)
        observation, reward, *_ = env.step(last)
        seen.append((np.asarray(observation).tobytes(), np.asarray(reward).tobytes()))
    return seen


def begin(name, **arguments):
    env = gymnasium.make(gymnasium_id(name), **arguments)
    env.reset(seed=5)
    play(env, 2)
    return env


@by_all
@pytest.mark.parametrize("name", GAMES)
def test_a_gymnasium_environment_goes_on(name, pickler):
    """With the default opponents, in the middle of a game."""
    env = gymnasium.make(gymnasium_id(name))
    env.reset(seed=5)
    module = PICKLES[pickler]
    other = module.loads(module.dumps(env))
    steps = 4 if name in OURS else 1
    assert play(other, steps) == play(env, steps)


@by_all
@pytest.mark.parametrize("name", OURS)
def test_vector_environments_go_on(name, pickler):
    module = PICKLES[pickler]
    env = gymnasium.make_vec(
        gymnasium_id(name), 3, vectorization_mode="vector_entry_point", autoreset_mode="SameStep"
    )
    env.reset(seed=5)
    other = module.loads(module.dumps(env))
    assert play(other) == play(env)
    tables = SeatVecEnv(name, 3)
    tables.seed(5)
    tables.reset()
    others = module.loads(module.dumps(tables))
    for _ in range(6):
        actions = tables.action_masks().argmax(axis=1)
        np.testing.assert_array_equal(others.step(actions)[0], tables.step(actions)[0])


@by_all
@pytest.mark.parametrize("name", OURS)
def test_tables_and_pettingzoo_go_on(name, pickler):
    module = PICKLES[pickler]
    tables = make_vec(name, 3, seed=4)
    tables.reset()
    other = module.loads(module.dumps(tables))
    tables.step(tables.action_masks.argmax(axis=1))
    other.step(other.action_masks.argmax(axis=1))
    np.testing.assert_array_equal(tables.observations, other.observations)
    env = entry_points(name)[0]()
    env.reset(seed=4)
    again = module.loads(module.dumps(env))
    assert again.save() == env.save()


ENGINE = f"cmd:{shlex.quote(sys.executable)} -m gangland engine --game {GAME} --bot heuristic"
AGENTS = ["random", "heuristic", "ismcts:20", f"ppo:{GAME}", f"search:{GAME}?20", ENGINE]


@by_all
@pytest.mark.parametrize("spec", AGENTS)
def test_agents_decide_the_same(spec, pickler):
    game = load(GAME)
    agent, module = make(spec, game), PICKLES[pickler]
    again = module.loads(module.dumps(agent))
    assert again.spec == agent.spec
    limited = module.loads(module.dumps(agent.within(0.01)))
    for seed in range(5):
        state = game.new_state(seed)
        view = game.view(state, game.seat_to_act(state), seed)
        assert again.decide(view).action == agent.decide(view).action
        limited.decide(view)


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_other_processes_play_on(method):
    """As vector environments, trainers and clusters start them."""
    env = begin(GAME)
    context = multiprocessing.get_context(method)
    with context.Pool(1) as pool:
        there = pool.apply(play, (env,))
    assert there == play(env)


# --- forks beside busy threads, as data loaders and vector environments do it ---------------------

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system forks no processes")

FOREVER = 300
"""Seconds after which a process hangs."""


def run(script):
    """Run a script in a process of its own, in which nothing of the tests is held."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        check=False,
        capture_output=True,
        text=True,
        timeout=FOREVER,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@forks
def test_a_picture_can_be_drawn_while_others_are():
    codes = run(
        """
        import os, threading, time
        from gangland.envs import load
        from gangland.envs.api.raster import rgb_array

        svg = load("chicago").svg(load("chicago").new_state(1), None)
        own = rgb_array(svg).tobytes()

        def draw():
            while True:
                rgb_array(svg)

        threading.Thread(target=draw, daemon=True).start()
        children = []
        for _ in range(12):
            time.sleep(0.01)
            if not (child := os.fork()):
                os._exit(0 if rgb_array(svg).tobytes() == own else 1)
            children.append(child)
        print([os.waitpid(child, 0)[1] for child in children])
        """
    )
    assert codes.strip() == str([0] * 12)


@forks
def test_an_engine_answers_to_the_process_that_started_it():
    said = run(
        """
        import os, sys
        from gangland.agents.registry import make
        from gangland.envs import load

        game = load("chicago")
        command = f"{sys.executable} -m gangland engine --game chicago --bot random"
        agent = make(f"cmd:{command}", game)
        view = game.view(game.new_state(1), game.seat_to_act(game.new_state(1)), 5)
        own = agent.decide(view).action
        if not (child := os.fork()):
            try:
                agent.decide(view)
            except Exception as error:
                print(error, flush=True)
            os._exit(0)
        os.waitpid(child, 0)
        print(agent.decide(view).action == own)
        """
    )
    refusal, same = said.strip().splitlines()
    assert "was started by process" in refusal
    assert same == "True"
