"""One PostgreSQL database that several server processes share.

Four things keep them from doing anything twice:

- An entry of a journal has a number. A process may only store the next number after those that it
  has read itself, and the primary key refuses a number that exists: the process that
  comes second has decided on an old position, reads the changes and decides again.
- Storing an entry locks the row of its match, so that entries, expiry and status agree.
- A match has a *lease*: the process that plays its bots' turns and watches its clock. Leases of
  processes that have sent no heartbeat for :data:`SILENCE` seconds are free.
- Every transaction that changes matches names them in a notification (``NOTIFY``), upon which
  other processes read what is new.

Leases save work; if two processes ever believed that they had the same one, the numbers of the
entries would still let only one of them decide.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, insert

from .database import UNFINISHED, Line, OvertakenError, Storage, StorageError, read_entry, reason
from .journal import Entry, Setup
from .tables import leases, matches, servers, shared

CHANNEL = "gangland_matches"
"""The channel of the notifications: the sender's number, then names of matches."""

SILENCE = 5.0
"""Seconds without a heartbeat after which the leases of a process are free."""

NOBODY = 0
"""Stands for no process in ``leases.server``."""

TABLES_LOCK, RATINGS_LOCK = 0x67616E67_00000001, 0x67616E67_00000002
"""Advisory locks, held during a transaction that creates tables or rates players."""

ADDRESS_OPTIONS = {"keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3}
"""libpq's options by which a connection to a dead host is noticed."""

NEWS = sa.text(
    """
    SELECT matches.match, matches.status, journal.entry
    FROM unnest(CAST(:names AS text[]), CAST(:numbers AS integer[])) AS asked (match, n)
    JOIN matches ON matches.match = asked.match
    LEFT JOIN journal ON journal.match = asked.match AND journal.n >= asked.n
    ORDER BY matches.match, journal.n
    """
)
"""As text, since most requests run it and SQLAlchemy would take longer than the database."""


@dataclass(slots=True)
class Changes:
    """What is new about a match.

    Attributes:
        first: Number of the first entry.
        entries: Entries from then on.
        expired: Whether the match has expired.
    """

    first: int
    entries: list[Entry] = field(default_factory=list)
    expired: bool = False


class SharedStorage(Storage):
    """A database that several processes share.

    Args:
        url: SQLAlchemy's URL of the database; the driver must be psycopg 3.

    Attributes:
        server: Number of this process, drawn at random.

    Raises:
        StorageError: If it cannot be opened, or was written by another version.
    """

    def __init__(self, url: str) -> None:
        self.server = secrets.randbits(62) + 1
        super().__init__(url)
        self._lease_old_matches()

    def _open(self, url: sa.URL) -> sa.Engine:
        if url.get_driver_name() not in ("psycopg", "psycopg_async"):
            raise StorageError("PostgreSQL needs the driver psycopg: --db postgresql+psycopg://...")
        options = {key: value for key, value in ADDRESS_OPTIONS.items() if key not in url.query}
        return sa.create_engine(
            url.set(drivername="postgresql+psycopg"),
            connect_args=options,
            isolation_level="READ COMMITTED",
            pool_pre_ping=True,  # the database may have been restarted
        )

    def _create_tables(self, connection: sa.Connection) -> None:
        # Two processes that start at the same time would both find no tables.
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(TABLES_LOCK)))
        super()._create_tables(connection)
        shared.create_all(connection)

    # --- entries ---------------------------------------------------------------------------------

    def _created(self, connection: sa.Connection, setup: Setup, at: float) -> None:
        row = leases.insert().values(
            match=setup.match, server=self.server, since=at, bots=_bots_only(setup.seats)
        )
        connection.execute(row)

    def append(self, lines: Sequence[Line]) -> None:
        """Store entries, see :meth:`Storage.append`, and notify the other processes."""
        try:
            super().append(lines)
        except sa.exc.IntegrityError as error:
            raise OvertakenError("the match has been changed by another process") from error

    def _before(self, connection: sa.Connection, lines: Sequence[Line]) -> None:
        # In the order of their names, so that two processes do not wait for each other.
        names = sorted({line.match for line in lines})
        query = sa.select(matches.c.match, matches.c.status).where(_among(matches.c.match, names))
        query = query.order_by(matches.c.match).with_for_update(key_share=True)
        found = {row.match: row.status for row in connection.execute(query)}
        late = {line.match for line in lines if line.entry.kind == "rematch"}
        if any(
            status not in (("finished",) if match in late else UNFINISHED)
            for match, status in found.items()
        ):
            raise OvertakenError("the match has been closed by another process")
        if any(line.outcomes for line in lines):
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(RATINGS_LOCK)))

    def _after(self, connection: sa.Connection, lines: Sequence[Line]) -> None:
        over = [line.match for line in lines if line.status == "finished"]
        if over:
            connection.execute(leases.delete().where(_among(leases.c.match, over)))
        self._notify(connection, {line.match for line in lines})

    def _select_expiring(self, query: sa.Select[Any]) -> sa.Select[Any]:
        # A match in which somebody decides at this moment is in use.
        return query.with_for_update(skip_locked=True)

    def _expired(self, connection: sa.Connection, names: Sequence[str]) -> None:
        connection.execute(leases.delete().where(_among(leases.c.match, names)))
        for start in range(0, len(names), 256):
            self._notify(connection, names[start : start + 256])

    def _notify(self, connection: sa.Connection, names: Iterable[str]) -> None:
        # A payload has less than 8,000 bytes: 256 names of 16 letters fit.
        payload = " ".join([str(self.server), *names])
        connection.execute(sa.select(sa.func.pg_notify(CHANNEL, payload)))

    def changes(self, asked: Sequence[tuple[str, int]]) -> list[Changes]:
        """What has been stored of matches.

        Args:
            asked: Names of matches, each with the number of the first entry that is wanted.

        Returns:
            What is new, in the order of ``asked``.
        """
        first: dict[str, int] = {}
        for name, n in asked:
            first[name] = min(n, first.get(name, n))
        found = {name: Changes(n) for name, n in first.items()}
        with self._reading() as connection:
            numbers = {"names": list(first), "numbers": list(first.values())}
            for row in connection.execute(NEWS, numbers):
                changes = found[row.match]
                changes.expired = row.status == "expired"
                if row.entry is not None:
                    changes.entries.append(read_entry(row.entry))
        return [
            Changes(n, found[name].entries[n - found[name].first :], found[name].expired)
            for name, n in asked
        ]

    def _reading(self) -> sa.Connection:
        """A connection for single queries, each of which is a transaction."""
        return self.engine.connect().execution_options(isolation_level="AUTOCOMMIT")

    # --- leases ----------------------------------------------------------------------------------

    def beat(self) -> None:
        """Send a heartbeat."""
        row = insert(servers).values(server=self.server, beat=sa.func.now())
        with self.engine.begin() as connection:
            again = row.on_conflict_do_update(
                index_elements=[servers.c.server], set_={"beat": sa.func.now()}
            )
            connection.execute(again)

    def claim(self, wanted: dict[str, bool]) -> set[str]:
        """Take the leases of matches, unless a living process has them.

        Args:
            wanted: Names of the matches, and whether all their seats are bots.

        Returns:
            Names of the matches whose lease this process now has.
        """
        row = {"server": self.server, "since": time.time()}
        new = [{"match": name, "bots": bots, **row} for name, bots in sorted(wanted.items())]
        free = sa.and_(_among(leases.c.match, list(wanted)), self._free_or_own())
        found = leases.update().where(free).values(row).returning(leases.c.match)
        with self.engine.begin() as connection:
            if new:
                connection.execute(insert(leases).values(new).on_conflict_do_nothing())
            return set(connection.scalars(found))

    def adopt(self, most: int) -> list[str]:
        """Take free leases of running matches that go on without requests.

        Args:
            most: Maximum number of matches.

        Returns:
            Their names.
        """
        query = sa.select(leases.c.match).join(matches, matches.c.match == leases.c.match)
        goes_on = sa.or_(leases.c.bots, matches.c.timed)
        query = query.where(matches.c.status == "playing", goes_on, self._free())
        query = query.limit(most).with_for_update(of=leases, skip_locked=True)
        with self.engine.begin() as connection:
            names = list(connection.scalars(query))
            if names:
                found = leases.update().where(_among(leases.c.match, names))
                connection.execute(found.values(server=self.server, since=time.time()))
        return names

    def release(self, names: Iterable[str]) -> None:
        """Give leases back."""
        own = sa.and_(_among(leases.c.match, sorted(names)), leases.c.server == self.server)
        with self.engine.begin() as connection:
            connection.execute(leases.update().where(own).values(server=NOBODY))

    def resign(self) -> None:
        """Give all leases back, and forget processes that have ended long ago."""
        old = servers.c.beat < sa.func.now() - sa.text("interval '1 day'")
        with self.engine.begin() as connection:
            own = leases.c.server == self.server
            connection.execute(leases.update().where(own).values(server=NOBODY))
            gone = sa.or_(servers.c.server == self.server, old)
            connection.execute(servers.delete().where(gone))

    def leased_at(self, match: str) -> float:
        """When the lease of a match was taken, in seconds since 1970; 0 if there is none."""
        query = sa.select(leases.c.since).where(leases.c.match == match)
        with self._reading() as connection:
            return connection.scalar(query) or 0.0

    def bot_matches(self) -> int:
        """Number of unfinished matches between bots only."""
        with self._reading() as connection:
            query = sa.select(sa.func.count()).select_from(leases).where(leases.c.bots)
            return connection.scalar(query) or 0

    def _free(self) -> sa.ColumnElement[bool]:
        recent = servers.c.beat > sa.func.now() - sa.text(f"interval '{SILENCE} seconds'")
        return sa.not_(sa.exists().where(servers.c.server == leases.c.server, recent))

    def _free_or_own(self) -> sa.ColumnElement[bool]:
        return sa.or_(leases.c.server == self.server, self._free())

    def _lease_old_matches(self) -> None:
        """Add free leases for matches that were created before there were any."""
        query = sa.select(matches.c.match, matches.c.setup)
        query = query.outerjoin(leases, leases.c.match == matches.c.match)
        query = query.where(matches.c.status.in_(UNFINISHED), leases.c.match.is_(None))
        with self.engine.begin() as connection:
            rows = [
                {"match": row.match, "server": NOBODY, "since": 0.0, "bots": _all_bots(row.setup)}
                for row in connection.execute(query)
            ]
            if rows:
                connection.execute(insert(leases).on_conflict_do_nothing(), rows)


def open_storage(url: str) -> Storage:
    """The database at a URL.

    Raises:
        StorageError: If it cannot be opened, or was written by another version.
    """
    return SharedStorage(url) if url.startswith("postgresql") else Storage(url)


def _among(column: sa.ColumnElement[str], names: Sequence[str]) -> sa.ColumnElement[bool]:
    """Whether a column is one of these; one parameter, whatever their number."""
    return column == sa.any_(sa.literal(list(names), ARRAY(sa.String)))


def _bots_only(seats: Iterable[Any]) -> bool:
    return all(seat.kind == "bot" for seat in seats)


def _all_bots(setup: str) -> bool:
    try:
        return all(seat["kind"] == "bot" for seat in json.loads(setup)["seats"])
    except (ValueError, TypeError, KeyError):
        return False  # damaged: a request for the match gets the error


log = logging.getLogger(__name__)

PATIENCE = 1.0
"""Seconds after which the thread looks whether it is to end, and between attempts to connect."""


class Listener:
    """A thread with a connection of its own, which waits for notifications.

    Args:
        storage: The database.
        heard: Called in the event loop with the names of matches that another process changed.
        missed: Called in the event loop when it listens again after notifications may have been
            lost, and once at the start.

    Attributes:
        listening: Whether it is connected.
    """

    def __init__(
        self,
        storage: SharedStorage,
        heard: Callable[[list[str]], None],
        missed: Callable[[], None],
    ) -> None:
        self._storage = storage
        self._heard = heard
        self._missed = missed
        self._ending = threading.Event()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)
        self.listening = False
        self._lost = False
        self._thread.start()

    def close(self) -> None:
        """End the thread; it notices within :data:`PATIENCE` seconds."""
        self._ending.set()

    def _run(self) -> None:
        while not self._ending.is_set():
            try:
                self._listen()
            except Exception as error:  # psycopg's and SQLAlchemy's, of many kinds
                if not self._lost and not self._ending.is_set():
                    log.warning("the database cannot be listened to: %s", reason(error))
                    self._lost = True
            self.listening = False
            self._ending.wait(PATIENCE)

    def _listen(self) -> None:
        with contextlib.closing(self._connect()) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            self.listening, self._lost = True, False
            self._tell(self._missed)
            while not self._ending.is_set():
                for note in connection.notifies(timeout=PATIENCE):
                    sender, *names = note.payload.split()
                    if sender != str(self._storage.server):
                        self._tell(self._heard, names)

    def _connect(self) -> Any:
        """psycopg's connection, taken out of SQLAlchemy's pool."""
        taken = self._storage.engine.raw_connection()
        connection: Any = taken.driver_connection
        taken.detach()
        connection.rollback()
        connection.autocommit = True
        return connection

    def _tell(self, what: Callable[..., None], *arguments: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the event loop has ended
            self._loop.call_soon_threadsafe(what, *arguments)
