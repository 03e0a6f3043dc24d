"""Runs inside an environment that has nothing but the wheel and what it requires.

Plays a match of each game with arbitrary actions, lets its trained bots play another one where
rules are compiled, and prints what happened as JSON. ``try_wheel.py`` starts it.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import json
import os
import sys
from typing import Any


def play(name: str) -> list[int]:
    """Places of a game through PettingZoo, by legal actions."""
    from gangland.envs import load
    from gangland.envs.registration import module_name

    env: Any = importlib.import_module(module_name(name)).env()
    env.reset(seed=1)
    for number, _ in enumerate(env.agent_iter()):
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
        else:
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[number * 7919 % len(legal)]))
    return [int(place) for place in load(name).result(env.unwrapped.record).places]


def play_trained(name: str) -> str:
    """The trained bot that played a whole match in every seat."""
    from gangland.agents.registry import make
    from gangland.agents.seeds import players_key
    from gangland.agents.table import decisions
    from gangland.envs import load

    game = load(name)
    bot = make(f"ppo:{name}", game)
    state = game.new_state(seed=2)
    players = [bot] * game.max_seats
    for _, action in decisions(game, state, players, players_key(2)):
        game.apply(state, action)
    assert game.is_over(state)
    return f"ppo:{name}"


def main(names: list[str]) -> None:
    """Play the games named on the command line."""
    assert importlib.util.find_spec("torch") is None, "torch is not needed to play"
    report: dict[str, Any] = {"python": sys.version.split()[0]}
    for library in ("numpy", "numba", "gymnasium", "pettingzoo", "pydantic", "safetensors"):
        report[library] = importlib.metadata.version(library)
    for name in names:
        report[name] = {"places": play(name)}
        if "NUMBA_DISABLE_JIT" not in os.environ:
            report[name]["trained"] = play_trained(name)
    if importlib.util.find_spec("fastapi") is not None:
        from gangland.serving.doors.http.app import create_app
        from gangland.serving.settings import Settings

        report["serves"] = len(create_app(Settings("sqlite://", games=tuple(names))).routes) > 0
    print(json.dumps(report))


if __name__ == "__main__":
    main(sys.argv[1:])
