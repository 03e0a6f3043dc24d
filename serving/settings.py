"""Settings of a server, chosen by its operator."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on what clients may do.

    Attributes:
        body: Maximum size of a request's body, in bytes.
        message: Maximum size of a WebSocket message, in bytes.
        rate: Requests per second from one address, and messages per second over one WebSocket;
            0 for no limit.
        burst: Requests that an idle address may send at once.
        matches: Matches kept in memory; idle ones are dropped, since they are on disk.
        unfinished: Unfinished matches in the database. Above it, matches in which nobody has
            decided expire early; if there are none, no new matches are created.
        waiting_age: Seconds after which a match that waits for people, or in which no person has
            decided yet, expires if nobody plays or looks at it; 0 for never.
        unfinished_age: The same for a match that has begun.
        bot_matches: Matches between bots only that run at a time.
        sockets: Open WebSockets in total.
        sockets_each: Open WebSockets per address.
        wait: Seconds that a request may wait for changes.
        hello: Seconds within which a WebSocket client must send its hello.
        bot: Seconds that a bot may take for a decision, not counting loading and queueing.
        connections: Open connections, WebSockets included; fewer if the system allows fewer.
        connections_each: Open connections per address; 0 for no limit.
        head: Seconds within which a request's headers must arrive.
        head_size: Maximum size of a request's headers, in bytes.
        upload: Seconds within which a request's body must arrive.
        taking: Seconds within which a client must read what it is sent.
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
        checkpoints: A folder of checkpoints that are offered besides the package's bots.
        bots: Further agent specs that are offered, as (game, spec).
        origins: Web origins whose pages may call the server; by default only its own.
        hosts: Host names that the server answers to, besides IP addresses and this machine's own
            names; ``*.example.org`` for all subdomains, ``*`` for every name.
        proxies: Addresses of proxies whose ``X-Forwarded-For`` is trusted; none by default.
        workers: Number of server processes on this machine that share the address and the database.
        metrics_token: Token that opens ``/metrics``; empty if nobody may see them.
        limits: Limits on what clients may do, in each process.
    """

    database: str
    games: tuple[str, ...] = ()
    checkpoints: Path | None = None
    bots: tuple[tuple[str, str], ...] = ()
    origins: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    workers: int = 1
    metrics_token: str = ""
    limits: Limits = Limits()
