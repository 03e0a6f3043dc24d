"""Steps a second of the vector environments, beside Gymnasium vectorising the single one.

A step is one decision of the learner, with all decisions of the bots before its next one::

    python benchmarks/vector_envs.py --tables 256 --seconds 3

The learner draws legal actions at random; infos with masks are made on both sides.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import gymnasium
import numpy as np

from gangland.envs.registration import gymnasium_id  # registers the environments


def legal(masks: Any, rng: np.random.Generator) -> Any:
    """A legal action for each table, at random; 0 at a table whose game is over."""
    return (rng.random(masks.shape) * masks).argmax(1)


def rate(envs: Any, seconds: float) -> float:
    """Decisions of the learner a second."""
    rng = np.random.default_rng(0)
    _, infos = envs.reset(seed=0)
    for _ in range(3):  # compiles what is not compiled yet
        _, _, _, _, infos = envs.step(legal(infos["action_mask"], rng))
    played, started = 0, time.perf_counter()
    while (passed := time.perf_counter() - started) < seconds:
        _, _, _, _, infos = envs.step(legal(infos["action_mask"], rng))
        played += envs.num_envs
    return played / passed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=256)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--games", default="chicago,five_points,crime_lords,gangsters")
    arguments = parser.parse_args()
    print(f"{arguments.tables} tables, steps/s")
    print(f"{'game':12} {'opponents':10} {'batched':>10} {'sync':>10} {'ratio':>7}")
    for name in arguments.games.split(","):
        for opponents in ("random", "heuristic"):
            rates = [
                rate(
                    gymnasium.make_vec(
                        gymnasium_id(name),
                        num_envs=arguments.tables,
                        vectorization_mode=mode,
                        opponents=opponents,
                    ),
                    arguments.seconds,
                )
                for mode in ("vector_entry_point", "sync")
            ]
            print(
                f"{name:12} {opponents:10} {rates[0]:10,.0f} {rates[1]:10,.0f} "
                f"{rates[0] / rates[1]:7.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
