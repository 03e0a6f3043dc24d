"""Matches on disk, through SQLAlchemy: SQLite by default, another database by its URL.

All writing is done by one thread, many matches to a transaction. Setup and journal are stored as
JSON; nothing is ever unpickled.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sa

from ..arena.ratings import MU, SIGMA, rate_game
from ..envs.core.errors import GanglandError
from .match import Entry, SeatSetup, Setup
from .protocol import Clock, Status

SCHEMA = 2
"""Raised whenever the tables change; :func:`_migrate` brings older ones up to it."""

UNFINISHED = ("waiting", "playing")

log = logging.getLogger(__name__)

metadata = sa.MetaData()

about = sa.Table(
    "about",
    metadata,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("value", sa.String(64), nullable=False),
)
matches = sa.Table(
    "matches",
    metadata,
    sa.Column("match", sa.String(32), primary_key=True),
    sa.Column("number", sa.BigInteger, nullable=False, index=True),
    sa.Column("game", sa.String(64), nullable=False, index=True),
    sa.Column("status", sa.String(16), nullable=False, index=True),
    sa.Column("listed", sa.Boolean, nullable=False),
    sa.Column("timed", sa.Boolean, nullable=False),
    sa.Column("setup", sa.Text, nullable=False),
    sa.Column("info", sa.Text, nullable=False),
    # When somebody last dealt with it (seconds since 1970), and whether a person ever decided.
    sa.Column("touched", sa.Float, nullable=False),
    sa.Column("begun", sa.Boolean, nullable=False),
)
journal = sa.Table(
    "journal",
    metadata,
    sa.Column("match", sa.String(32), primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True),
    sa.Column("entry", sa.Text, nullable=False),
)
players = sa.Table(
    "players",
    metadata,
    sa.Column("game", sa.String(64), primary_key=True),
    sa.Column("player", sa.String(200), primary_key=True),
    sa.Column("bot", sa.Boolean, primary_key=True),
    sa.Column("matches", sa.Integer, nullable=False),
    sa.Column("wins", sa.Float, nullable=False),
    sa.Column("par", sa.Float, nullable=False),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
)


DRIFT = MU / 300
"""Deviation by which a skill may change from match to match: people learn, and a bot may be
replaced by a newer one of the same name."""


class StorageError(GanglandError):
    """The database cannot be used, or its contents are not what they should be."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A seat's part in a rated match.

    Attributes:
        player: Name of the person, or spec of the bot.
        bot: Which of the two.
        place: Place from 1; ties share one.
        win_share: Its share of the win.
    """

    player: str
    bot: bool
    place: int
    win_share: float


@dataclass(frozen=True, slots=True)
class Line:
    """An entry to be stored.

    Attributes:
        match: The match.
        n: Number of the entry in its journal; the database refuses a number that is taken.
        entry: The entry.
        status: Status of the match after it.
        game: The game, for the leaderboard.
        outcomes: By seat, if this ends a rated match.
        begins: Whether a person decides for the first time.
    """

    match: str
    n: int
    entry: Entry
    status: Status
    game: str
    outcomes: tuple[Outcome, ...] = ()
    begins: bool = False


class Storage:
    """The database. Its methods block; the server calls them in one thread of its own.

    Args:
        url: SQLAlchemy's URL of the database.

    Raises:
        StorageError: If it cannot be opened, or was written by another version.
    """

    def __init__(self, url: str) -> None:
        try:
            parsed = sa.make_url(url)
            self.engine = sa.create_engine(parsed)
            if parsed.get_backend_name() == "sqlite":
                sa.event.listen(self.engine, "connect", _tune_sqlite)
            metadata.create_all(self.engine)
            with self.engine.begin() as connection:
                found = _migrate(connection)
                # In SQLite a damaged row may hold a text, which is greater than any number.
                numbers = matches.c.number < 2**62
                top = connection.scalar(sa.select(sa.func.max(matches.c.number)).where(numbers))
        except (sa.exc.SQLAlchemyError, ImportError) as error:
            raise StorageError(f"the database cannot be opened: {_reason(error)}") from error
        if found != str(SCHEMA):
            raise StorageError(f"the database has schema {found}, this version reads {SCHEMA}")
        self._number = (top or 0) + 1

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    # --- matches ---------------------------------------------------------------------------------

    def create(self, setup: Setup, status: Status, info: str, at: float = 0.0) -> None:
        """Store a new match, with what the list of matches shows of it.

        Args:
            setup: All that is fixed.
            status: Its status.
            info: What the list shows.
            at: Seconds since 1970.
        """
        with self.engine.begin() as connection:
            connection.execute(
                matches.insert().values(
                    match=setup.match,
                    number=self._number,
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
        self._number += 1

    def summarise(self, match: str, info: str) -> None:
        """Change what the list of matches shows of a match."""
        with self.engine.begin() as connection:
            connection.execute(matches.update().where(matches.c.match == match).values(info=info))

    def append(self, lines: Sequence[Line]) -> None:
        """Store entries of any matches in one transaction, leaderboard included."""
        changed = {line.match: line.status for line in lines if _changes_status(line)}
        with self.engine.begin() as connection:
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
                    _rate(connection, line.game, line.outcomes)

    def read(self, match: str) -> tuple[Setup, list[Entry]] | None:
        """A match with its journal; ``None`` if there is none of that name.

        Raises:
            StorageError: If an entry is missing.
            Exception: Of any kind, if a row does not hold what it should.
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
        return _read_setup(setup), [Entry(**json.loads(row.entry)) for row in rows]

    def has_expired(self, match: str) -> bool:
        """Whether a match is marked so."""
        with self.engine.connect() as connection:
            query = sa.select(matches.c.status).where(matches.c.match == match)
            return connection.scalar(query) == "expired"

    def listed(
        self, game: str | None, status: Status | None, limit: int
    ) -> list[tuple[str, Status, str]]:
        """Name, status and what the list shows of listed matches, the newest first.

        Expired ones only if they are asked for.
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
        """Running matches that go on though nobody may call: with clocks, or without people."""
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
        """Somebody has dealt with these matches.

        Args:
            names: The matches.
            at: Seconds since 1970.
        """
        rows = [{"name": name, "at": at} for name in names]
        if rows:
            found = matches.update().where(matches.c.match == sa.bindparam("name"))
            with self.engine.begin() as connection:
                connection.execute(found.values(touched=sa.bindparam("at")), rows)

    def expire(self, unbegun: float | None, unfinished: float | None) -> list[str]:
        """Mark matches with which nobody has dealt since.

        Args:
            unbegun: Seconds since 1970, for matches that wait for people or in which no person
                has decided yet; ``None`` if they do not expire.
            unfinished: The same for the others.

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
        """Mark the longest untouched matches in which no person has ever decided.

        Args:
            before: Seconds since 1970; what was touched later stays.
            most: How many, at the most.

        Returns:
            Their names.
        """
        return self._mark(sa.and_(sa.not_(matches.c.begun), matches.c.touched < before), most)

    def _mark(self, which: sa.ColumnElement[bool], most: int | None = None) -> list[str]:
        query = sa.select(matches.c.match).where(matches.c.status.in_(UNFINISHED), which)
        with self.engine.begin() as connection:
            names = list(connection.scalars(query.order_by(matches.c.touched).limit(most)))
            found = matches.update().where(matches.c.match == sa.bindparam("name"))
            if names:
                rows = [{"name": name} for name in names]
                connection.execute(found.values(status="expired"), rows)
        return names

    def count(self, status: Status) -> int:
        """Number of matches with this status."""
        with self.engine.connect() as connection:
            query = sa.select(sa.func.count()).select_from(matches)
            return connection.scalar(query.where(matches.c.status == status)) or 0

    # --- leaderboard -----------------------------------------------------------------------------

    def leaderboard(self, game: str, limit: int) -> list[dict[str, Any]]:
        """Players of a game by rating, as rows of the table ``players`` with ``rating``."""
        rating = (players.c.mu - 3 * players.c.sigma).label("rating")
        query = sa.select(players, rating).where(players.c.game == game)
        with self.engine.connect() as connection:
            rows = connection.execute(query.order_by(rating.desc()).limit(limit)).mappings()
            return [dict(row) for row in rows]


def _changes_status(line: Line) -> bool:
    return line.entry.kind == "join" or line.status == "finished"


def _rate(connection: sa.Connection, game: str, outcomes: Iterable[Outcome]) -> None:
    """Add a match to its players' ratings, by the arena's rule; see ``gangland.arena.ratings``."""
    seats = list(outcomes)
    keys = list(dict.fromkeys((o.player, o.bot) for o in seats))
    line_up = [keys.index((o.player, o.bot)) for o in seats]
    rows = [_player(connection, game, *key) for key in keys]
    skills = [(row["mu"], row["sigma"]) for row in rows]
    # A match without a winner was cut off by a cap that pays nobody: a draw, as in the arena.
    won = any(o.win_share for o in seats)
    rate_game(skills, line_up, [o.place if won else 1 for o in seats], drift=DRIFT)
    for index, (row, skill) in enumerate(zip(rows, skills, strict=True)):
        own = [o for o, player in zip(seats, line_up, strict=True) if player == index]
        row["mu"], row["sigma"] = skill
        row["matches"] += 1
        row["wins"] += sum(o.win_share for o in own)
        row["par"] += len(own) / len(seats)
        found = sa.and_(*(players.c[name] == row[name] for name in ("game", "player", "bot")))
        connection.execute(players.delete().where(found))
        connection.execute(players.insert().values(**row))


def _player(connection: sa.Connection, game: str, player: str, bot: bool) -> dict[str, Any]:
    query = sa.select(players).where(
        players.c.game == game, players.c.player == player, players.c.bot == bot
    )
    row = connection.execute(query).mappings().first()
    if row is not None:
        return dict(row)
    return {
        "game": game,
        "player": player,
        "bot": bot,
        "matches": 0,
        "wins": 0.0,
        "par": 0.0,
        "mu": MU,
        "sigma": SIGMA,
    }


def _migrate(connection: sa.Connection) -> str:
    """Bring the tables of an earlier version up to date; the schema that is found then."""
    version = about.c.name == "schema"
    found = connection.scalar(sa.select(about.c.value).where(version))
    if found is None:
        connection.execute(about.insert().values(name="schema", value=str(SCHEMA)))
        return str(SCHEMA)
    if found == "1":
        connection.execute(sa.text("ALTER TABLE matches ADD COLUMN touched FLOAT"))
        connection.execute(sa.text("ALTER TABLE matches ADD COLUMN begun BOOLEAN"))
        # What was played before is kept as long as anything that was begun.
        connection.execute(matches.update().values(touched=time.time(), begun=True))
        connection.execute(about.update().where(version).values(value="2"))
        return "2"
    return str(found)


def _write_setup(setup: Setup) -> str:
    data = asdict(setup)
    data["clock"] = setup.clock.model_dump() if setup.clock else None
    return json.dumps(data)


def _read_setup(text: str) -> Setup:
    data = json.loads(text)
    data["seats"] = tuple(SeatSetup(**seat) for seat in data["seats"])
    data["clock"] = Clock.model_validate(data["clock"]) if data["clock"] else None
    return Setup(**data)


def _write_entry(entry: Entry) -> str:
    data = {name: getattr(entry, name) for name in Entry.__dataclass_fields__}
    defaults = {name: f.default for name, f in Entry.__dataclass_fields__.items()}
    return json.dumps({key: value for key, value in data.items() if value != defaults[key]})


def _tune_sqlite(connection: Any, _: Any) -> None:
    """A write-ahead log: what was committed outlives the process, readers never wait."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA busy_timeout=5000")
    cursor.close()


def _reason(error: Exception) -> str:
    return str(error).splitlines()[0]
