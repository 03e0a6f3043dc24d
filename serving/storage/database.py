"""Matches on disk, through SQLAlchemy: SQLite by default, another database by its URL.

``postgres.py`` adds what several processes need that share a PostgreSQL database. One transaction
writes entries of many matches. Set-ups and journals are stored as JSON; nothing is ever unpickled.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sa

from ...envs.core.errors import GanglandError
from ..protocol import Clock, Status
from .journal import Entry, SeatSetup, Setup
from .ratings import Outcome, leaderboard, rate
from .tables import SCHEMA, journal, matches, metadata, migrate, tune_sqlite

UNFINISHED = ("waiting", "playing")

log = logging.getLogger(__name__)


class StorageError(GanglandError):
    """The database cannot be used, or its contents are damaged."""


class OvertakenError(StorageError):
    """An entry was not stored, since another process has changed the match meanwhile."""


@dataclass(frozen=True, slots=True)
class Line:
    """An entry to be stored.

    Attributes:
        match: The match.
        n: Number of the entry in the journal; the database refuses a number that exists.
        entry: The entry.
        status: Status of the match after the entry.
        game: Name of the game, for the leaderboard.
        outcomes: Results by seat, if the entry ends a rated match.
        begins: Whether it is a person's first decision in the match.
    """

    match: str
    n: int
    entry: Entry
    status: Status
    game: str
    outcomes: tuple[Outcome, ...] = ()
    begins: bool = False


class Storage:
    """The database. Its methods block; the server calls them in a thread of their own.

    Args:
        url: SQLAlchemy's URL of the database.

    Raises:
        StorageError: If it cannot be opened, was written by another version, or is a SQLite file
            that another server uses.
    """

    def __init__(self, url: str) -> None:
        self._alone: sqlite3.Connection | None = None
        try:
            self.engine = self._open(sa.make_url(url))
            with self.engine.begin() as connection:
                self._create_tables(connection)
                found = migrate(connection)
        except (sa.exc.SQLAlchemyError, ImportError) as error:
            raise StorageError(f"the database cannot be opened: {reason(error)}") from error
        if found != str(SCHEMA):
            raise StorageError(f"the database has schema {found}, this version reads {SCHEMA}")

    def _open(self, url: sa.URL) -> sa.Engine:
        engine = sa.create_engine(url)
        if url.get_backend_name() == "sqlite":
            sa.event.listen(engine, "connect", tune_sqlite)
            if url.database not in (None, "", ":memory:"):
                self._alone = _claim(f"{url.database}-server")
        return engine

    def _create_tables(self, connection: sa.Connection) -> None:
        metadata.create_all(connection)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
        if self._alone is not None:
            self._alone.close()

    def ping(self) -> None:
        """Ask the database for an answer.

        Raises:
            Exception: Of any kind, if there is none.
        """
        with self.engine.connect() as connection:
            connection.execute(sa.select(1))

    # --- matches ---------------------------------------------------------------------------------

    def create(self, setup: Setup, status: Status, info: str, at: float = 0.0) -> None:
        """Store a new match.

        Args:
            setup: The match's set-up.
            status: Its status.
            info: Its entry in the list of matches, as JSON.
            at: Time of creation, in seconds since 1970.
        """
        with self.engine.begin() as connection:
            connection.execute(
                matches.insert().values(
                    match=setup.match,
                    number=_next_number(),
                    game=setup.game,
                    status=status,
                    listed=setup.listed,
                    timed=setup.clock is not None,
                    setup=_write_setup(setup),
                    info=info,
                    touched=at,
                    begun=False,
                )
            )
            self._created(connection, setup, at)

    def _created(self, connection: sa.Connection, setup: Setup, at: float) -> None:
        """Add what belongs to the transaction that creates a match."""

    def summarise(self, match: str, info: str) -> None:
        """Replace a match's entry in the list of matches."""
        with self.engine.begin() as connection:
            connection.execute(matches.update().where(matches.c.match == match).values(info=info))

    def append(self, lines: Sequence[Line]) -> None:
        """Store entries of any matches in one transaction, and update the leaderboard.

        Raises:
            OvertakenError: If another process has changed one of the matches.
        """
        changed = {line.match: line.status for line in lines if _changes_status(line)}
        with self.engine.begin() as connection:
            self._before(connection, lines)
            connection.execute(
                journal.insert(),
                [
                    {"match": line.match, "n": line.n, "entry": _write_entry(line.entry)}
                    for line in lines
                ],
            )
            for match, status in changed.items():
                found = matches.update().where(matches.c.match == match)
                connection.execute(found.values(status=status))
            begun = {line.match for line in lines if line.begins}
            if begun:
                found = matches.update().where(matches.c.match.in_(begun))
                connection.execute(found.values(begun=True))
            for line in lines:
                if line.outcomes:
                    rate(connection, line.game, line.outcomes)
            self._after(connection, lines)

    def _before(self, connection: sa.Connection, lines: Sequence[Line]) -> None:
        """Begin the transaction that stores entries."""

    def _after(self, connection: sa.Connection, lines: Sequence[Line]) -> None:
        """End the transaction that stores entries."""

    def read(self, match: str) -> tuple[Setup, list[Entry]] | None:
        """Read a match with its journal; ``None`` if there is no such match.

        Raises:
            StorageError: If an entry is missing.
            Exception: Of any kind, if a row is damaged.
        """
        with self.engine.connect() as connection:
            setup = connection.scalar(sa.select(matches.c.setup).where(matches.c.match == match))
            if setup is None:
                return None
            rows = connection.execute(
                sa.select(journal.c.n, journal.c.entry)
                .where(journal.c.match == match)
                .order_by(journal.c.n)
            ).all()
        if [row.n for row in rows] != list(range(len(rows))):
            raise StorageError(f"the journal of match {match} has gaps")
        return _read_setup(setup), [read_entry(row.entry) for row in rows]

    def has_expired(self, match: str) -> bool:
        """Whether a match is marked as expired."""
        with self.engine.connect() as connection:
            query = sa.select(matches.c.status).where(matches.c.match == match)
            return connection.scalar(query) == "expired"

    def listed(
        self, game: str | None, status: Status | None, limit: int
    ) -> list[tuple[str, Status, str]]:
        """Name, status and list entry of listed matches, newest first.

        Expired matches are included only if ``status`` asks for them.
        """
        query = sa.select(matches.c.match, matches.c.status, matches.c.info)
        query = query.where(matches.c.listed)
        if game is not None:
            query = query.where(matches.c.game == game)
        if status is None:
            query = query.where(matches.c.status != "expired")
        else:
            query = query.where(matches.c.status == status)
        with self.engine.connect() as connection:
            rows = connection.execute(query.order_by(matches.c.number.desc()).limit(limit)).all()
        return [(row.match, row.status, row.info) for row in rows]

    def unattended(self) -> list[str]:
        """Running matches that go on without requests: with clocks, or between bots only."""
        with self.engine.connect() as connection:
            query = sa.select(matches.c.match, matches.c.timed, matches.c.setup)
            rows = connection.execute(query.where(matches.c.status == "playing")).all()
        found = []
        for row in rows:
            try:
                seats = json.loads(row.setup)["seats"]
                if row.timed or all(seat["kind"] == "bot" for seat in seats):
                    found.append(row.match)
            except (ValueError, TypeError, KeyError) as error:
                log.warning("match %s cannot go on: its set-up is damaged: %r", row.match, error)
        return found

    # --- age -------------------------------------------------------------------------------------

    def touch(self, names: Iterable[str], at: float) -> None:
        """Note that these matches were used.

        Args:
            names: The matches.
            at: When, in seconds since 1970.
        """
        # Sorted, so that two processes lock rows in the same order.
        rows = [{"name": name, "at": at} for name in sorted(names)]
        if rows:
            found = matches.update().where(matches.c.match == sa.bindparam("name"))
            with self.engine.begin() as connection:
                connection.execute(found.values(touched=sa.bindparam("at")), rows)

    def expire(self, unbegun: float | None, unfinished: float | None) -> list[str]:
        """Mark matches as expired that have not been used since a given time.

        Args:
            unbegun: That time (seconds since 1970) for matches that wait for people or in which
                no person has decided yet; ``None`` if they do not expire.
            unfinished: The same for all other unfinished matches.

        Returns:
            Their names.
        """
        begun = sa.and_(matches.c.begun, matches.c.status != "waiting")
        old = [
            sa.and_(kind, matches.c.touched < before)
            for kind, before in ((sa.not_(begun), unbegun), (begun, unfinished))
            if before is not None
        ]
        return self._mark(sa.or_(sa.false(), *old))

    def give_way(self, before: float, most: int) -> list[str]:
        """Mark as expired the least recently used matches in which no person has ever decided.

        Args:
            before: Seconds since 1970; matches used later stay.
            most: Maximum number of matches.

        Returns:
            Their names.
        """
        return self._mark(sa.and_(sa.not_(matches.c.begun), matches.c.touched < before), most)

    def _mark(self, which: sa.ColumnElement[bool], most: int | None = None) -> list[str]:
        query = sa.select(matches.c.match).where(matches.c.status.in_(UNFINISHED), which)
        with self.engine.begin() as connection:
            query = self._select_expiring(query.order_by(matches.c.touched).limit(most))
            names: list[str] = list(connection.scalars(query))
            found = matches.update().where(matches.c.match == sa.bindparam("name"))
            if names:
                rows = [{"name": name} for name in names]
                connection.execute(found.values(status="expired"), rows)
                self._expired(connection, names)
        return names

    def _select_expiring(self, query: sa.Select[Any]) -> sa.Select[Any]:
        """The query for matches that expire, with the locks that it needs."""
        return query

    def _expired(self, connection: sa.Connection, names: Sequence[str]) -> None:
        """Add what belongs to the transaction that marks matches as expired."""

    def count(self, status: Status) -> int:
        """Number of matches with this status."""
        with self.engine.connect() as connection:
            query = sa.select(sa.func.count()).select_from(matches)
            return connection.scalar(query.where(matches.c.status == status)) or 0

    def leaderboard(self, game: str, limit: int) -> list[dict[str, Any]]:
        """Players of a game by rating, as rows of the table ``players`` with ``rating``."""
        with self.engine.connect() as connection:
            return leaderboard(connection, game, limit)


def _claim(path: str) -> sqlite3.Connection | None:
    """Lock a file beside the database.

    Two servers would let bots decide and clocks run out twice, and lose each other's decisions. The
    system frees the lock when the process ends, however it does.

    Returns:
        What holds the lock; ``None`` if no file can be written there.

    Raises:
        StorageError: If another server holds it.
    """
    try:
        lock = sqlite3.connect(path, timeout=0.0, isolation_level=None, check_same_thread=False)
    except sqlite3.Error:
        return None  # opening the database itself says why
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        if "locked" in str(error):
            raise StorageError(
                "another server uses this SQLite file; servers that share their matches need "
                "PostgreSQL"
            ) from None
        return None
    return lock


def _next_number() -> sa.ScalarSelect[int]:
    # In SQLite a damaged row may hold a text, which is greater than any number.
    top = sa.select(sa.func.max(matches.c.number)).where(matches.c.number < 2**62)
    return sa.select(sa.func.coalesce(top.scalar_subquery(), 0) + 1).scalar_subquery()


def _changes_status(line: Line) -> bool:
    return line.entry.kind in ("join", "begin", "leave") or line.status == "finished"


def _write_setup(setup: Setup) -> str:
    data = asdict(setup)
    data["clock"] = setup.clock.model_dump() if setup.clock else None
    return json.dumps(data)


def _read_setup(text: str) -> Setup:
    data = json.loads(text)
    data["seats"] = tuple(SeatSetup(**seat) for seat in data["seats"])
    data["clock"] = Clock.model_validate(data["clock"]) if data["clock"] else None
    return Setup(**data)


def read_entry(text: str) -> Entry:
    """An entry from the JSON that is stored."""
    return Entry(**json.loads(text))


def _write_entry(entry: Entry) -> str:
    data = {name: getattr(entry, name) for name in Entry.__dataclass_fields__}
    defaults = {name: f.default for name, f in Entry.__dataclass_fields__.items()}
    return json.dumps({key: value for key, value in data.items() if value != defaults[key]})


def reason(error: Exception) -> str:
    """The first line of an error's message; SQLAlchemy adds statements and addresses."""
    return str(error).splitlines()[0]
