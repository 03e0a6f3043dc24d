"""Several server processes on one PostgreSQL database, of which one is killed under load.

Starts PostgreSQL in a folder of its own (it waits for the disk at every commit, as it does by
default) and ``gangland serve --workers N``; clients play over WebSockets, two people and three bots
at each table, while workers are killed with ``kill -9``. Afterwards every decision that was
acknowledged is looked up in the journals::

    python -m benchmarks.serving.shared --workers 2 --clients 64 --seconds 60 --kills 1
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from tests.serving import postgres
from tests.serving.servers import Server, serving
from tests.serving.shared.load import Player, alive, check, kill_busiest, two_people

AROUND = 10.0
"""Seconds after a kill whose delays are counted apart from the others."""


async def play(
    server: Server, clients: list[list[Player]], seconds: float, kills: int
) -> list[float]:
    """Let the clients play one match after another; when processes were killed."""
    end = time.monotonic() + seconds
    killed = []

    async def one_after_another(matches: list[Player]) -> None:
        for player in matches:
            await player.play(server.url, end)

    playing = [asyncio.create_task(one_after_another(matches)) for matches in clients]
    for _ in range(kills):
        await asyncio.sleep(seconds / (kills + 1))
        kill_busiest(server.process.pid)
        killed.append(time.monotonic())
    await asyncio.gather(*playing)
    return killed


def percentiles(seconds: Sequence[float]) -> dict[str, float]:
    """Median, 95th and 99th percentile and maximum, in milliseconds."""
    if not seconds:
        return {}
    found = np.percentile(seconds, [50, 95, 99, 100])
    return {
        name: round(1000 * v, 1)
        for name, v in zip(("p50", "p95", "p99", "max"), found, strict=True)
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--kills", type=int, default=1)
    parser.add_argument("--matches", type=int, default=12, help="matches that a client can play")
    chosen = parser.parse_args()
    with postgres.running(durable=True) as found:
        url = found.database()
        options = ["--game", "chicago", "--rate", "0", "--connections-each", "0", "--db", url]
        if chosen.workers > 1:
            options += ["--workers", str(chosen.workers)]
        with serving(*options) as (server, client):
            while alive(url) < chosen.workers:
                time.sleep(0.1)
            count = chosen.clients // 2 * chosen.matches
            with ThreadPoolExecutor(8) as pool:
                made = list(pool.map(lambda k: two_people(client, k), range(count)))
            clients = [
                [made[m][seat] for m in range(table, count, chosen.clients // 2)]
                for table in range(chosen.clients // 2)
                for seat in (0, 1)
            ]
            players = [player for pair in made for player in pair]
            start = time.monotonic()
            killed = asyncio.run(play(server, clients, chosen.seconds, chosen.kills))
            took = time.monotonic() - start
            report = check(url, players)
            status = server.stop()

    def near(at: float) -> bool:
        return any(0 <= at - kill <= AROUND for kill in killed)

    delays = [delay for player in players for delay in player.delays]
    waits = [wait for player in players for wait in player.waits]
    refused = [code for player in players for code in player.refused]
    shown = {
        "workers": chosen.workers,
        "clients": chosen.clients,
        "cores": os.cpu_count(),
        "load_average": round(os.getloadavg()[0], 1),
        "killed": len(killed),
        "exit_status": status,
        "seconds": round(took, 1),
        "decisions_acknowledged": report.acknowledged,
        "decisions_per_second": round(report.acknowledged / took),
        "lost": report.lost,
        "doubled": report.doubled,
        "stored_without_acknowledgement": report.unconfirmed,
        "matches_finished": sum(player.finished for player in players) // 2,
        "reconnections": sum(player.reconnected for player in players),
        "refused": {code: refused.count(code) for code in sorted(set(refused))},
        "acknowledgement_ms": percentiles([d for at, d in delays if not near(at)]),
        "acknowledgement_ms_after_kill": percentiles([d for at, d in delays if near(at)]),
        "wait_for_turn_ms": percentiles([w for at, w in waits if not near(at)]),
        "wait_for_turn_ms_after_kill": percentiles([w for at, w in waits if near(at)]),
    }
    print(json.dumps(shown, indent=1))


if __name__ == "__main__":
    main()
