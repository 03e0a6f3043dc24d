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
        unfinished: Unfinished matches in the database; then those give way in which nobody has
            decided, and if there are none, no new ones are created.
        waiting_age: Seconds after which a match expires that waits for people or in which no
            person has decided yet, if nobody deals with it or looks at it; 0 for never.
        unfinished_age: The same for a match that has begun.
        bot_matches: Matches of bots alone that run at a time.
        sockets: WebSockets in all.
        sockets_each: WebSockets of one address.
        wait: Seconds that a request may wait for news.
        hello: Seconds within which a WebSocket must say hello.
        bot: Seconds that a bot may take for a decision, without loading and waiting for its turn.
        connections: Open connections, WebSockets included; fewer where the system allows fewer.
        connections_each: Those of one address; 0 for no bound.
        head: Seconds within which the head of a request must come.
        head_size: Bytes of the head of a request.
        upload: Seconds within which the body of a request must come.
        taking: Seconds within which a client must take what it is sent.
    """

    body: int = 512 * 1024
    message: int = 16 * 1024
    rate: float = 100.0
    burst: int = 300
    matches: int = 5_000
    unfinished: int = 100_000
    waiting_age: float = 24 * 3600.0
    unfinished_age: float = 30 * 24 * 3600.0
    bot_matches: int = 100
    sockets: int = 5_000
    sockets_each: int = 200
    wait: float = 30.0
    hello: float = 10.0
    bot: float = 20.0
    connections: int = 10_000
    connections_each: int = 256
    head: float = 10.0
    head_size: int = 32 * 1024
    upload: float = 30.0
    taking: float = 30.0


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a server.

    Attributes:
        database: SQLAlchemy's URL.
        games: Names of the games that are served; all if empty.
        checkpoints: A folder of checkpoints offered beside the package's bots.
        bots: Further agent specs that are offered, as (game, spec).
        origins: Web origins that may use the server from their pages; none but itself by default.
        hosts: Names under which the server is called, beside this machine's own and any address;
            ``*.example.org`` for all names below, ``*`` for every name.
        proxies: Addresses of proxies whose ``X-Forwarded-For`` is believed; none by default.
        limits: Bounds on what clients may ask for.
    """

    database: str
    games: tuple[str, ...] = ()
    checkpoints: Path | None = None
    bots: tuple[tuple[str, str], ...] = ()
    origins: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    limits: Limits = Limits()
