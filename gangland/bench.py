"""Measurements of speed and memory, all in one run so that they can be compared.

The machines are noisy: every rate is the median of several short repetitions.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from .arena.benchmark.play import processor
from .envs import load, make_vec
from .envs.core.batch import sample_legal
from .envs.core.game import Game
from .envs.registration import entry_points

REPETITIONS = 5


@dataclass(frozen=True, slots=True)
class GameFigures:
    """One game's row.

    Attributes:
        game: Name of the game.
        compile_s: Seconds to compile everything into an empty cache, in a process of its own.
        load_s: Seconds to load it from the cache, in a process of its own.
        rollout_per_s: Random legal decisions a second on one core: rules and masks only.
        batched_per_s: The same with observation and mask of every decision, 256 tables.
        batched_1024_per_s: The same with 1,024 tables, which do not fit into a core's cache.
        coded_1024_per_s: The same with 1,024 tables and observations in bytes; ``None`` for a game
            that does not say what its observations hold.
        code_share: Bytes of such an observation, as a share of those in float32; likewise.
        aec_per_s: Steps a second of the PettingZoo ``env()`` with all its wrappers, random legal
            actions chosen in Python.
        clone_us: Microseconds to clone a position.
        save_us: Microseconds to save and restore an environment's position.
        frame_ms: Milliseconds for a frame of ``rgb_array``, the game in progress.
        state_bytes: Size of a position.
        length: Mean decisions in a random game.
        branching: Mean legal actions of a decision in a random game.
    """

    game: str
    compile_s: float
    load_s: float
    rollout_per_s: float
    batched_per_s: float
    batched_1024_per_s: float
    coded_1024_per_s: float | None
    code_share: float | None
    aec_per_s: float
    clone_us: float
    save_us: float
    frame_ms: float
    state_bytes: int
    length: float
    branching: float


def machine() -> dict[str, Any]:
    """What the numbers were measured on."""
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "system": platform.system(),
        "date": time.strftime("%Y-%m-%d"),
    }


def median_rate(work: Callable[[], int], repetitions: int = REPETITIONS) -> float:
    """Median of units a second over repetitions of ``work``, which returns its units."""
    rates = []
    for _ in range(repetitions):
        started = time.perf_counter()
        units = work()
        rates.append(units / (time.perf_counter() - started))
    return statistics.median(rates)


def compile_and_load(name: str) -> tuple[float, float]:
    """Seconds to compile a game into an empty cache, then to load it in a fresh process."""
    code = (
        f"import time; from gangland.envs import load; game = load({name!r});"
        "started = time.perf_counter(); game.compiled; print(time.perf_counter() - started)"
    )
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        seconds = [
            float(
                subprocess.run(
                    [sys.executable, "-c", code],
                    env=environment,
                    capture_output=True,
                    text=True,
                    check=True,
                ).stdout
            )
            for _ in range(2)
        ]
    return seconds[0], seconds[1]


def rollout_rate(game: Game, games: int) -> float:
    """Random legal decisions a second, rules and masks only, one core, one game after another."""
    batch, pointers = game.compiled.batch, game.compiled.pointers
    template, states = game.template(), np.zeros(games, game.dtype)
    mask = np.zeros(game.num_actions, np.bool_)
    seeds, episodes = np.arange(games, dtype=np.uint64), np.zeros(games, np.uint64)

    def work() -> int:
        batch["reset_batch"](pointers.reset, template, states, seeds, episodes, 0, games)
        return sum(
            batch["random_rollout"](
                pointers.apply, pointers.legal_actions, state, mask, seed, 10**9
            )
            for state, seed in zip(states, seeds + episodes, strict=True)
        )

    work()
    return median_rate(work)


def batched_rate(
    game: Game, tables: int = 256, steps: int = 400, observation_dtype: str = "float32"
) -> float:
    """Random legal decisions a second with observation and mask, batched, one core.

    As many tables as a thread of the training has: they stay in a core's cache.
    """
    vec = make_vec(game.name, tables, observation_dtype=observation_dtype)
    vec.reset()
    seeds = np.arange(tables, dtype=np.uint64)
    actions = np.zeros(tables, np.int64)

    def work() -> int:
        for _ in range(steps):
            sample_legal(vec.action_masks, seeds, actions, 0, tables)
            vec.step(actions)
        return tables * steps

    work()
    return median_rate(work)


def aec_rate(game: Game, steps: int = 5000) -> float:
    """Steps a second of ``env()`` with all wrappers, random legal actions chosen in Python."""
    env: Any = entry_points(game.name)[0]()
    rng = np.random.default_rng(0)

    def work() -> int:
        done = 0
        while done < steps:
            env.reset(seed=done)
            for _ in env.agent_iter():
                observation, _, termination, truncation, _ = env.last()
                if termination or truncation:
                    env.step(None)
                else:
                    legal = observation["action_mask"].nonzero()[0]
                    env.step(int(legal[int(rng.random() * len(legal))]))
                done += 1
        return done

    work()
    return median_rate(work)


def copies_us(game: Game, times: int = 20_000) -> tuple[float, float]:
    """Microseconds to clone a position, and to save and restore an environment's."""
    state = game.new_state(1)
    env = entry_points(game.name)[1]()
    env.reset(seed=1)

    def clones() -> int:
        for _ in range(times):
            game.clone(state)
        return times

    def saves() -> int:
        for _ in range(times // 20):
            env.restore(env.save())
        return times // 20

    return 1e6 / median_rate(clones), 1e6 / median_rate(saves)


def frame_ms(game: Game, frames: int = 20) -> float:
    """Milliseconds for a frame of ``rgb_array``, one after each of so many random decisions."""
    env: Any = entry_points(game.name)[0](render_mode="rgb_array")
    rng = np.random.default_rng(0)

    def work() -> int:
        env.reset(seed=1)
        for _ in range(frames):
            legal = env.last()[0]["action_mask"].nonzero()[0]
            env.step(int(legal[int(rng.random() * len(legal))]))
            env.render()
        return frames

    work()
    return 1e3 / median_rate(work)


def length_and_branching(game: Game, games: int = 30) -> tuple[float, float]:
    """Mean decisions and mean legal actions of random games."""
    rng = np.random.default_rng(0)
    plies = choices = 0
    for seed in range(games):
        state = game.new_state(seed)
        while not state.over:
            legal = np.flatnonzero(game.action_mask(state))
            choices += len(legal)
            plies += 1
            game.compiled.apply(state, int(legal[rng.integers(len(legal))]))
    return plies / games, choices / plies


def measure(name: str) -> GameFigures:
    """All measurements of a game."""
    game = load(name)
    compile_s, load_s = compile_and_load(name)
    clone_us, save_us = copies_us(game)
    length, branching = length_and_branching(game)
    coded_per_s = code_share = None
    if game.observation_layout is not None:
        coded_per_s = batched_rate(game, 1024, 100, "uint8")
        code_share = game.observation_codes.size / (4 * game.observation_size)
    return GameFigures(
        game=name,
        compile_s=compile_s,
        load_s=load_s,
        rollout_per_s=rollout_rate(game, max(2, int(100_000 / length))),
        batched_per_s=batched_rate(game),
        batched_1024_per_s=batched_rate(game, 1024, 100),
        coded_1024_per_s=coded_per_s,
        code_share=code_share,
        aec_per_s=aec_rate(game),
        clone_us=clone_us,
        save_us=save_us,
        frame_ms=frame_ms(game),
        state_bytes=game.dtype.itemsize,
        length=length,
        branching=branching,
    )


def as_dict(measured: GameFigures) -> dict[str, Any]:
    """The row as JSON-able values, without what the game does not have."""
    return {key: value for key, value in asdict(measured).items() if value is not None}
