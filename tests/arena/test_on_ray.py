"""The arena and the ladder on Ray: the same to the digit, also when workers are killed."""

from __future__ import annotations

import json
import logging
import os
import signal

import numpy as np
import pytest

from gangland.arena import play_pool, play_table
from gangland.arena.ladder import play_ladder
from gangland.arena.workers.on_ray import ClusterError, RayWorkers, ray_workers
from gangland.envs.core.errors import IllegalActionError
from tests.cli.runner import assert_refused, run
from tests.games import TOY
from tests.training.ray_cluster import patient, processes_titled

ray = pytest.importorskip("ray", reason="needs gangland[ray]")

pytestmark = pytest.mark.slow

BOT = "ppo:chicago/bot"


@pytest.fixture(scope="module")
def workers():
    """Three processors of a cluster on this machine, whatever it has."""
    patient()
    ray.init(
        address="local",
        num_cpus=3,
        object_store_memory=100_000_000,
        include_dashboard=False,
        log_to_driver=False,
        logging_level=logging.ERROR,
    )
    yield RayWorkers(ray)
    ray.shutdown()


def test_the_arena_is_the_same_by_any_number_of_processes(workers):
    here = play_pool("chicago", ["random", "heuristic", BOT], 600, seed=5, replays=True)
    for most in (1, None):
        there = play_pool(
            "chicago",
            ["random", "heuristic", BOT],
            600,
            seed=5,
            replays=True,
            workers=RayWorkers(ray, most),
        )
        assert there == here
        for field in ("line_ups", "deals", "places", "scores", "lengths", "decisions"):
            np.testing.assert_array_equal(
                getattr(there.records, field), getattr(here.records, field), err_msg=field
            )
        assert there.records.replays == here.records.replays
        assert there.timing.workers == (most or 3)


def test_killed_processes_change_nothing(workers):
    agents, games = ["ismcts:150", "random", "heuristic"], 1500
    here = play_table(TOY, agents, games, seed=2)
    killed, reported = [], []

    def kill(ended, total):
        reported.append(ended)
        if len(reported) <= 2:
            for victim in processes_titled("ray::_task"):
                os.kill(victim, signal.SIGKILL)
                killed.append(victim)

    there = play_table(TOY, agents, games, seed=2, workers=workers, progress=kill)
    assert killed
    assert there == here
    assert sum(reported) == here.games  # each game once, however often it was begun


def test_the_ladder_is_the_same_and_keeps_the_same_cells(workers, tmp_path):
    pool = ["random", "heuristic", "ismcts:20"]
    numbers = {"games": 300, "search_games": 12, "mixed_games": 600, "seed": 3}
    here = play_ladder(TOY, pool, **numbers, kept=tmp_path / "here")
    there = play_ladder(TOY, pool, **numbers, kept=tmp_path / "there", workers=workers)
    assert there == here
    names = [{path.name for path in (tmp_path / where).iterdir()} for where in ("here", "there")]
    assert names[0] == names[1]


def test_what_a_process_raises_is_raised_here(workers):
    with pytest.raises(IllegalActionError, match="agent heuristic:cheat chose action 0"):
        play_table(TOY, ["heuristic:cheat"] * 3, 600, workers=workers)


def dies(shared, piece, watch):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_piece_that_kills_every_process_is_given_up(workers, monkeypatch):
    monkeypatch.setattr("gangland.arena.workers.on_ray.RETRIES", 1)
    with pytest.raises(ClusterError, match="a task on Ray has failed"):
        list(workers.results(dies, None, [1]))


def test_numbers_and_addresses_are_checked():
    with pytest.raises(ClusterError, match="workers=0"), ray_workers(most=0):
        pass


def test_the_commands(capsys, monkeypatch, workers):
    words = ["arena", "--game", TOY, "--agents", "random,heuristic", "--games", 600, "--json", "-"]
    found = [json.loads(run(capsys, monkeypatch, *words, *more, "--quiet").out)
             for more in ((), ("--ray",), ("--ray", "auto", "--workers", 2))]  # fmt: skip
    for one in found:
        one.pop("timing")
    assert found[0] == found[1] == found[2]
    words = ["ladder", TOY, "--pool", "random,heuristic", "--games", 12, "--mixed-games", 12]
    outs = [run(capsys, monkeypatch, *words, *more, "--quiet", "--json", "-")
            for more in ((), ("--ray",))]  # fmt: skip
    assert outs[0].out == outs[1].out != ""
    assert_refused(run(capsys, monkeypatch, *words, "--ray", "--workers", 0), "workers=0")
