"""What the operator of a server decides."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on what clients may ask for.

    Attributes:
        body: Bytes of a request.
        message: Bytes of a WebSocket message.
        rate: Requests a second from one address, and messages a second over one WebSocket;
            0 for no bound.
        burst: Requests that an idle address may send at once.
        matches: Matches in memory; idle ones give way, as they are on the disk.
        unfinished: Unfinished matches in the database; then no new ones are created.
        sockets: WebSockets in all.
        sockets_each: WebSockets of one address.
        wait: Seconds that a request may wait for news.
        hello: Seconds within which a WebSocket must say hello.
        bot: Seconds within which a bot must decide.
    """

    body: int = 512 * 1024
    message: int = 16 * 1024
    rate: float = 100.0
    burst: int = 300
    matches: int = 5_000
    unfinished: int = 100_000
    sockets: int = 5_000
    sockets_each: int = 200
    wait: float = 30.0
    hello: float = 10.0
    bot: float = 20.0


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a server.

    Attributes:
        database: SQLAlchemy's URL.
        games: Names of the games that are served; all if empty.
        checkpoints: A folder of checkpoints offered beside the package's bots.
        bots: Further agent specs that are offered, as (game, spec).
        origins: Web origins that may use the server from their pages; none but itself by default.
        limits: Bounds on what clients may ask for.
    """

    database: str
    games: tuple[str, ...] = ()
    checkpoints: Path | None = None
    bots: tuple[tuple[str, str], ...] = ()
    origins: tuple[str, ...] = ()
    limits: Limits = Limits()
