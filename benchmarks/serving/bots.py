"""Decisions per second of ``gangland serve-bots``, without Ray and with replicas on Ray Serve.

Clients ask a trained bot about observations from random games, each as soon as it has been
answered; they share the machine with the server::

    python -m benchmarks.serving.bots --game chicago --replicas 1 2
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
from typing import Any

import numpy as np

from gangland.bench_serving import POSITIONS, Connection, questions, run_clients
from tests.serving.bots.test_ray_serve import bots


def measure(game: str, clients: int, seconds: float, *arguments: str) -> dict[str, Any]:
    """Requests per second and latencies of one server."""
    with bots("--game", game, *arguments) as client:
        info = client.get(f"/games/{game}")
        bot = [found["spec"] for found in info["bots"] if found["takes_observations"]][-1]
        asked = questions(game, bot, observations=True)
        url = str(client.http.base_url).rstrip("/")

        async def ask(connection: Connection, k: int) -> Any:
            path = f"/api/v1/bots/{game}"
            return await connection.call("POST", path, asked[k % POSITIONS])

        asyncio.run(run_clients(url, clients, 3.0, ask))
        rate, times = asyncio.run(run_clients(url, clients, seconds, ask))
    p50, p99 = np.percentile(times, [50, 99]) * 1000
    return {"bot": bot, "per_s": round(rate), "p50_ms": round(p50, 1), "p99_ms": round(p99, 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="chicago")
    parser.add_argument("--replicas", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--cpus", default="1", help="CPUs that Ray reserves for a replica")
    chosen = parser.parse_args()
    rows = {"without Ray": measure(chosen.game, chosen.clients, chosen.seconds)}
    for count in chosen.replicas:
        more = ("--ray", "--replicas", str(count), "--cpus", chosen.cpus)
        rows[f"Ray, replicas: {count}"] = measure(
            chosen.game, chosen.clients, chosen.seconds, *more
        )
    load = round(os.getloadavg()[0], 1)
    print(json.dumps({"cores": os.cpu_count(), "load_average": load, **rows}, indent=1))


if __name__ == "__main__":
    main()
