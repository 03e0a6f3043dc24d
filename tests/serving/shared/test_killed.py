"""Server processes that are killed while clients play."""

from __future__ import annotations

import asyncio
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.serving.servers import serving
from tests.serving.shared.load import alive, check, kill_busiest, two_people, workers
from tests.serving.shared.test_two_servers import until

OPTIONS = ["--game", "chicago", "--rate", "0", "--connections-each", "0"]


LONGEST = 600.0
"""Seconds after which players stop, on a machine however slow."""


async def play(url, players, killing, enough):
    """Let the players play while ``killing`` runs in a thread, and then until it is enough."""
    end = time.monotonic() + LONGEST
    playing = [asyncio.create_task(player.play(url, end)) for player in players]
    await asyncio.to_thread(killing)
    while not enough() and any(not task.done() for task in playing):
        await asyncio.sleep(0.1)
    for task in playing:
        task.cancel()
    for ended in await asyncio.gather(*playing, return_exceptions=True):
        if isinstance(ended, Exception):
            raise ended


def under_load(database, clients, kills, finished):
    """Kill a worker each time that the clients have made five more decisions each.

    They go on until they have made five more and ``finished`` of them have played to the end.
    """
    with serving(*OPTIONS, "--workers", "2", "--db", database) as (server, client):
        until(lambda: alive(database) == 2, 90)
        with ThreadPoolExecutor(4) as pool:
            made = pool.map(lambda k: two_people(client, k), range(clients // 2))
            players = [player for pair in made for player in pair]

        def acknowledged():
            return sum(len(player.acknowledged) for player in players)

        def killing():
            for times in range(1, kills + 1):
                until(lambda times=times: acknowledged() > 5 * times * clients, 300)
                kill_busiest(server.process.pid)
                until(lambda: len(workers(server.process.pid)) == 2, 90)

        def enough():
            far = acknowledged() > 5 * (kills + 1) * clients
            return far and sum(player.finished for player in players) >= finished

        asyncio.run(play(server.url, players, killing, enough))
        report = check(database, players)
        assert enough()
        assert server.process.poll() is None
        assert sum(player.reconnected for player in players) > 0
        # Those that were left in the middle go on.
        for player in players[:4]:
            view = client.view(player.match, player.token)
            assert view["decision"] is None or view["decision"] >= len(player.acknowledged)
        assert server.stop() == 0
        assert not any("Traceback" in line for line in server.errors), server.errors
    return players, report


@pytest.mark.slow
def test_a_worker_is_killed_while_clients_play(url):
    players, report = under_load(url, clients=8, kills=1, finished=0)
    assert (report.lost, report.doubled) == (0, 0)
    assert report.acknowledged > 50
    assert set().union(*(player.refused for player in players)) <= {"stale_decision", "unavailable"}


@pytest.mark.slow
def test_workers_are_killed_again_and_again_under_64_clients(url):
    _, report = under_load(url, clients=64, kills=4, finished=2)
    assert (report.lost, report.doubled) == (0, 0)
    assert report.acknowledged > 500


@pytest.mark.slow
def test_workers_end_with_their_parent(url):
    with serving(*OPTIONS, "--workers", "2", "--db", url) as (server, _):
        until(lambda: len(workers(server.process.pid)) == 2)
        known = workers(server.process.pid)
        server.process.send_signal(signal.SIGKILL)
        server.process.wait()
        until(lambda: not any(running(number) for number in known))


def running(number):
    try:
        status = Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return False
    return status.rsplit(")", 1)[1].split()[0] != "Z"
