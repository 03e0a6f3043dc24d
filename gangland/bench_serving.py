"""Speed and memory of the server: real processes, real HTTP over the loopback."""

from __future__ import annotations

import asyncio
import contextlib
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from .envs import load

POSITIONS = 64
"""Positions that the clients ask about."""

LATENCY_CLIENTS, RATE_CLIENTS = 16, 64
LIVE_MATCHES = 1000


class Connection:
    """A keep-alive HTTP connection that does no more than the measurement needs.

    Clients share the machine with the server: a general client would measure itself.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def call(self, method: str, path: str, body: bytes = b"", token: str = "") -> Any:
        """Send a request; the answer's JSON.

        Raises:
            RuntimeError: If the server does not answer with success.
        """
        more = f"authorization: Bearer {token}\r\n" if token else ""
        head = (
            f"{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
            f"{more}content-length: {len(body)}\r\n\r\n"
        )
        self._writer.write(head.encode() + body)
        answer = await self._reader.readuntil(b"\r\n\r\n")
        lines = answer.lower().split(b"\r\n")
        length = next(int(line[15:]) for line in lines if line.startswith(b"content-length:"))
        content = await self._reader.readexactly(length)
        if lines[0].split()[1] not in (b"200", b"201"):
            raise RuntimeError(content.decode())
        return json.loads(content)


@contextlib.asynccontextmanager
async def connections(url: str, count: int) -> AsyncIterator[list[Connection]]:
    """Open connections to a server."""
    parts = urlsplit(url)
    pairs = [await asyncio.open_connection(parts.hostname, parts.port) for _ in range(count)]
    try:
        yield [Connection(reader, writer) for reader, writer in pairs]
    finally:
        for _, writer in pairs:
            writer.close()


@contextlib.contextmanager
def server(game: str) -> Iterator[tuple[str, int]]:
    """``gangland serve`` for one game; gives its address and process."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["--game", game, "--port", "0", "--rate", "0", "--db", f"{folder}/m.db"]
        process = subprocess.Popen(
            [sys.executable, "-m", "gangland.cli", "serve", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[-1].rstrip("/"), process.pid
        finally:
            process.terminate()
            process.wait()


def questions(name: str, bot: str, *, observations: bool) -> list[bytes]:
    """Requests to the stateless bot endpoint, from random games.

    Args:
        name: The game.
        bot: The bot that is asked.
        observations: Whether it takes observations; else it is sent states.
    """
    game = load(name)
    rng = np.random.default_rng(0)
    state = game.new_state(0)
    found: list[bytes] = []
    while len(found) < POSITIONS:
        if game.is_over(state):
            state = game.new_state(len(found))
        view = game.view(state, game.seat_to_act(state))
        asked: dict[str, Any] = {"bot": bot, "explain": False}
        if observations:
            asked["observation"] = [round(float(x), 6) for x in view.observation]
            asked["legal"] = view.legal_actions
        else:
            asked["state"] = view.to_dict()
        if observations and len(game.roles) > 1:
            roles = game.seat_roles(game.read_options(state))
            asked["role"] = game.roles[roles[view.seat]]
        found.append(json.dumps(asked).encode())
        game.apply(state, int(rng.choice(view.legal_actions)))
    return found


async def run_clients(
    url: str, clients: int, seconds: float, work: Callable[[Connection, int], Awaitable[Any]]
) -> tuple[float, list[float]]:
    """Clients that each ask again as soon as they are answered.

    Returns:
        Answers a second, and seconds of each answer.
    """
    times: list[float] = []

    async def client(connection: Connection, k: int) -> None:
        while time.perf_counter() < end:
            started = time.perf_counter()
            await work(connection, k)
            times.append(time.perf_counter() - started)
            k += clients

    async with connections(url, clients) as opened:
        started = time.perf_counter()
        end = started + seconds
        await asyncio.gather(*(client(c, k) for k, c in enumerate(opened)))
        return len(times) / (time.perf_counter() - started), times


def memory(pid: int) -> int:
    """Resident bytes of a process; 0 where there is no ``/proc``."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return 0
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if "VmRSS" in line)


class Table:
    """A match with one person, for the measurement of many."""

    def __init__(self, match: str, token: str) -> None:
        self.path = f"/api/v1/matches/{match}"
        self.token = token
        self.view: dict[str, Any] = {}

    async def decide(self, connection: Connection) -> None:
        """Play a decision and wait until the bots have answered."""
        if not self.view:
            path = f"{self.path}/view?svg=false&after=0&wait=0.2"
            self.view = await connection.call("GET", path, token=self.token)
        if self.view["decision"] is None:
            return
        body = {"decision": self.view["decision"], "action": self.view["legal"][0]["id"]}
        query = f"svg=false&wait=20&since={self.view['next_event']}"
        self.view = await connection.call(
            "POST", f"{self.path}/actions?{query}", json.dumps(body).encode(), self.token
        )


async def _measure(name: str, url: str, pid: int, seconds: float) -> dict[str, float]:
    path = f"/api/v1/bots/{name}"
    async with connections(url, 1) as (one,):
        info = await one.call("GET", f"/api/v1/games/{name}")
    policies = [bot["spec"] for bot in info["bots"] if bot["takes_observations"]]
    bot = policies[-1] if policies else info["default_bot"]
    asked = questions(name, bot, observations=bool(policies))

    async def ask(connection: Connection, k: int) -> Any:
        return await connection.call("POST", path, asked[k % POSITIONS])

    await run_clients(url, 4, 1.0, ask)
    _, times = await run_clients(url, LATENCY_CLIENTS, seconds, ask)
    rate, _ = await run_clients(url, RATE_CLIENTS, seconds, ask)
    row = {
        "serve_p50_ms": 1e3 * statistics.median(times),
        "serve_p99_ms": 1e3 * float(np.quantile(times, 0.99)),
        "serve_per_s": rate,
    }
    game = load(name)
    players = game.num_players(game.options.resolve({}))
    seats = [{"kind": "human", "name": "Bench"}] + [{"kind": "bot"}] * (players - 1)
    body = json.dumps({"game": name, "seats": seats}).encode()
    before = memory(pid)
    tables: list[Table] = []
    async with connections(url, RATE_CLIENTS) as opened:

        async def create(connection: Connection) -> None:
            while len(tables) < LIVE_MATCHES:
                made = await connection.call("POST", "/api/v1/matches", body)
                tables.append(Table(made["match"], made["tokens"][0]["token"]))

        await asyncio.gather(*(create(connection) for connection in opened))

    async def decide(connection: Connection, k: int) -> None:
        await tables[k % LIVE_MATCHES].decide(connection)

    # Each client walks through its own share of the matches, so no match is asked twice at once.
    clients = LIVE_MATCHES // 25
    rate, _ = await run_clients(url, clients, seconds, decide)
    row["match_kb"] = max(0, memory(pid) - before) / len(tables) / 1024
    row["live_turns_per_s"] = rate

    async def look(connection: Connection) -> None:
        while unseen:
            table = unseen.pop()
            for token in (table.token, ""):
                await connection.call("GET", f"{table.path}/view", token=token)

    unseen = list(tables)
    async with connections(url, RATE_CLIENTS) as opened:
        await asyncio.gather(*(look(connection) for connection in opened))
    row["match_page_kb"] = max(0, memory(pid) - before) / len(tables) / 1024
    return row


def measure(name: str, seconds: float = 8.0) -> dict[str, float]:
    """The server's figures for a game, with a trained policy where it has one.

    Args:
        name: The game.
        seconds: Seconds of each measurement.
    """
    with server(name) as (url, pid):
        return asyncio.run(_measure(name, url, pid, seconds))
