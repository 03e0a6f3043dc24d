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
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from .envs import load
from .serving.protocol.games import coded

POSITIONS = 64
"""Positions that the clients ask about."""

LATENCY_CLIENTS, RATE_CLIENTS = 16, 64
LIVE_MATCHES, LIVE_CLIENTS = 1000, 40
LIVE_TURNS = 3
"""Decisions of the person in each live match, however fast the machine is."""


class Connection:
    """A keep-alive HTTP connection that does no more than the measurement needs.

    Clients share the machine with the server, so the cost of a general client would be measured
    with it.
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


def questions(name: str, bot: str, *, observations: bool, numbers: bool = False) -> list[bytes]:
    """Requests to the stateless bot endpoint, from random games.

    Args:
        name: The game.
        bot: The bot that is asked.
        observations: Whether it takes observations; else it is sent states.
        numbers: Send observations as numbers, not in base64.
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
            asked["observation"] = (
                [round(float(x), 6) for x in view.observation]
                if numbers
                else coded(view.observation)
            )
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


async def do_all(
    url: str, clients: int, todo: Iterable[Any], work: Callable[[Connection, Any], Awaitable[None]]
) -> None:
    """Clients that share a list of things to do, each taking the next when it is ready."""
    left = iter(list(todo))

    async def client(connection: Connection) -> None:
        for item in left:
            await work(connection, item)

    async with connections(url, clients) as opened:
        await asyncio.gather(*(client(connection) for connection in opened))


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
        if not self.view or self.view["decision"] is None:
            path = f"{self.path}/view?svg=false&wait=20"
            self.view = await connection.call("GET", path, token=self.token)
        if self.view["decision"] is None:
            return
        body = {"decision": self.view["decision"], "action": self.view["legal"][0]["id"]}
        query = f"svg=false&wait=20&since={self.view['next_event']}"
        self.view = await connection.call(
            "POST", f"{self.path}/actions?{query}", json.dumps(body).encode(), self.token
        )


async def _bot_endpoint(name: str, url: str, seconds: float) -> dict[str, float]:
    """How fast the stateless endpoint answers."""
    path = f"/api/v1/bots/{name}"
    async with connections(url, 1) as (one,):
        info = await one.call("GET", f"/api/v1/games/{name}")
    policies = [bot["spec"] for bot in info["bots"] if bot["takes_observations"]]
    bot = policies[-1] if policies else info["default_bot"]
    found: dict[str, float] = {}
    for ending, numbers in (("", False), ("_numbers", True)):
        asked = questions(name, bot, observations=bool(policies), numbers=numbers)

        async def ask(connection: Connection, k: int, asked: list[bytes] = asked) -> Any:
            return await connection.call("POST", path, asked[k % POSITIONS])

        await run_clients(url, 4, 1.0, ask)
        _, times = await run_clients(url, LATENCY_CLIENTS, seconds, ask)
        rate, _ = await run_clients(url, RATE_CLIENTS, seconds, ask)
        found |= {
            f"serve_p50_ms{ending}": 1e3 * statistics.median(times),
            f"serve_p99_ms{ending}": 1e3 * float(np.quantile(times, 0.99)),
            f"serve_per_s{ending}": rate,
        }
    return found


async def _live_matches(name: str, url: str, pid: int) -> dict[str, float]:
    """Memory and speed of many matches of one person each, after :data:`LIVE_TURNS` turns."""
    game = load(name)
    players = game.num_players(game.options.resolve({}))
    seats = [{"kind": "human", "name": "Bench"}] + [{"kind": "bot"}] * (players - 1)
    body = json.dumps({"game": name, "seats": seats}).encode()
    tables: list[Table] = []

    async def create(connection: Connection, _: int) -> None:
        made = await connection.call("POST", "/api/v1/matches", body)
        tables.append(Table(made["match"], made["tokens"][0]["token"]))

    async def play(connection: Connection, table: Table) -> None:
        for _ in range(LIVE_TURNS):
            await table.decide(connection)

    async def look(connection: Connection, table: Table) -> None:
        for token in (table.token, ""):
            await connection.call("GET", f"{table.path}/view", token=token)

    # One match is played first: what the server loads for the first one belongs to no match.
    async with connections(url, 1) as (one,):
        await create(one, 0)
        await play(one, tables.pop())
    before = memory(pid)
    await do_all(url, RATE_CLIENTS, range(LIVE_MATCHES), create)
    started = time.perf_counter()
    await do_all(url, LIVE_CLIENTS, tables, play)
    row = {
        "match_kb": max(0, memory(pid) - before) / len(tables) / 1024,
        "live_turns_per_s": LIVE_TURNS * len(tables) / (time.perf_counter() - started),
    }
    await do_all(url, RATE_CLIENTS, tables, look)
    row["match_page_kb"] = max(0, memory(pid) - before) / len(tables) / 1024
    return row


def measure(name: str, seconds: float = 8.0) -> dict[str, float]:
    """The server's speed and memory for a game, with a trained policy where it has one.

    Args:
        name: The game.
        seconds: Seconds of each measurement.
    """
    with server(name) as (url, pid):
        row = asyncio.run(_bot_endpoint(name, url, seconds))
        return row | asyncio.run(_live_matches(name, url, pid))


def measure_matches(name: str) -> dict[str, float]:
    """The part of :func:`measure` about live matches, on a server of its own."""
    with server(name) as (url, pid):
        return asyncio.run(_live_matches(name, url, pid))
