"""Processes that are forked beside busy threads, as data loaders and vector environments do it."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system forks no processes")

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
