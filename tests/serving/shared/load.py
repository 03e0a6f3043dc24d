"""Clients that play many matches over WebSockets, and note what was acknowledged.

When a connection breaks they connect again, look at the match and go on. Afterwards the journals in
the database show whether anything that was acknowledged is missing, and whether any decision was
made twice.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path

import sqlalchemy as sa
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from gangland.serving.storage.postgres import open_storage
from tests.serving.client import BOT, Client, human

SOCKET = {"compression": None, "open_timeout": 10, "close_timeout": 1}
BROKEN = (OSError, WebSocketException, TimeoutError)


@dataclass
class Player:
    """A person at one seat of one match.

    Attributes:
        sent: Actions sent for each decision; several if the answer did not arrive.
        acknowledged: The action of each decision that the server has confirmed.
        delays: When each confirmation came (``time.monotonic``), and how long it took, in seconds.
        waits: When the seat was to decide again, and how many seconds after its last decision.
        refused: Codes of the errors that the server answered.
        reconnected: Times that the connection broke.
        finished: Whether the match is over.
    """

    match: str
    seat: int
    token: str
    random: random.Random
    sent: dict[int, set[int]] = field(default_factory=dict)
    acknowledged: dict[int, int] = field(default_factory=dict)
    delays: list[tuple[float, float]] = field(default_factory=list)
    waits: list[tuple[float, float]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    reconnected: int = 0
    finished: bool = False
    idle_since: float = 0.0

    async def play(self, url: str, until: float) -> None:
        """Play until the match is over or the time has come (``time.monotonic``)."""
        # Not all at once: one process would accept most of the connections.
        await asyncio.sleep(self.random.random())
        self.idle_since = time.monotonic()
        path = f"{url.replace('http', 'ws')}/api/v1/matches/{self.match}/ws"
        while not self.finished and time.monotonic() < until:
            try:
                async with asyncio.timeout(60):
                    async with connect(path, **SOCKET) as socket:
                        await self._play(socket, until)
            except BROKEN:
                self.reconnected += 1
                await asyncio.sleep(0.05)

    async def _play(self, socket: ClientConnection, until: float) -> None:
        await socket.send(json.dumps({"type": "hello", "token": self.token, "svg": False}))
        pending: tuple[int, int, int] | None = None
        refs, asked = itertools.count(1), 0.0
        while time.monotonic() < until:
            try:
                async with asyncio.timeout(min(20.0, until - time.monotonic() + 0.01)):
                    view = json.loads(await socket.recv())
            except TimeoutError:
                continue
            now = time.monotonic()
            if view["type"] == "error":
                self.refused.append(view["code"])
                pending = None
                await socket.send(json.dumps({"type": "hello", "token": self.token, "svg": False}))
                continue
            if pending is not None and view["ref"] == pending[0]:
                self.acknowledged[pending[1]] = pending[2]
                self.delays.append((now, now - asked))
                pending, self.idle_since = None, now
            if view["status"] == "finished":
                self.finished = True
                return
            if view["decision"] is None or pending is not None:
                continue
            self.waits.append((now, now - self.idle_since))
            chosen = self.random.choice(view["legal"])["id"]
            pending, asked = (next(refs), view["decision"], chosen), now
            self.sent.setdefault(view["decision"], set()).add(chosen)
            act = {"type": "act", "decision": view["decision"], "action": chosen}
            await socket.send(json.dumps({**act, "ref": pending[0]}))


@dataclass
class Report:
    """What became of the decisions.

    Attributes:
        acknowledged: Decisions that were confirmed.
        lost: Those that are not in the database, or differently.
        doubled: Decisions in the database that nobody sent, or sent once and stored twice.
        unconfirmed: Decisions that were stored, but whose confirmation did not arrive.
    """

    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    unconfirmed: int = 0


def check(database: str, players: list[Player]) -> Report:
    """Compare what was confirmed with the journals."""
    storage, report = open_storage(database), Report()
    for player in players:
        found = storage.read(player.match)
        journal = found[1] if found else []
        stored = [
            e.action for e in journal if (e.seat, e.by, e.kind) == (player.seat, "human", "play")
        ]
        report.acknowledged += len(player.acknowledged)
        for decision, chosen in player.acknowledged.items():
            report.lost += stored[decision : decision + 1] != [chosen]
        for decision, chosen in enumerate(stored):
            report.doubled += chosen not in player.sent.get(decision, ())
            report.unconfirmed += decision not in player.acknowledged
    storage.close()
    return report


def two_people(client: Client, seed: int) -> list[Player]:
    """A match between two people and three bots."""
    match, tokens = client.create("chicago", [human(f"A{seed}"), human(f"B{seed}"), *[BOT] * 3])
    return [Player(match, seat, tokens[seat], random.Random(2 * seed + seat)) for seat in tokens]


def alive(database: str) -> int:
    """Number of server processes that use a database."""
    engine = sa.create_engine(database)
    query = sa.text("SELECT count(*) FROM servers WHERE beat > now() - interval '3 seconds'")
    with engine.connect() as connection:
        found: int = connection.scalar(query)
    engine.dispose()
    return found


def workers(parent: int) -> list[int]:
    """Processes that serve, of ``gangland serve --workers``."""
    found = []
    for name in Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
        command = Path(f"/proc/{name}/cmdline").read_bytes()
        if b"spawn_main" in command:
            found.append(int(name))
    return found


def kill_busiest(parent: int) -> int:
    """End the worker with most connections as ``kill -9`` does; its number."""

    def connections(worker: int) -> int:
        opened = Path(f"/proc/{worker}/fd").iterdir()
        return sum("socket:" in str(name.readlink()) for name in opened)

    victim = max(workers(parent), key=connections)
    os.kill(victim, signal.SIGKILL)
    return victim
