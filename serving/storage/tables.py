"""The database's tables, and their migration from earlier versions.

``servers`` and ``leases`` exist only where several processes share a database.
"""

from __future__ import annotations

import time
from typing import Any

import sqlalchemy as sa

SCHEMA = 2
"""Version of the tables; :func:`migrate` updates those of older versions."""

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
    # When it was last used (seconds since 1970), and whether a person has ever decided in it.
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

shared = sa.MetaData()

servers = sa.Table(
    "servers",
    shared,
    sa.Column("server", sa.BigInteger, primary_key=True),
    # When it last sent a heartbeat, by the database's clock.
    sa.Column("beat", sa.DateTime(timezone=True), nullable=False),
)
leases = sa.Table(
    "leases",
    shared,
    sa.Column("match", sa.String(32), primary_key=True),
    # The process that plays the bots' turns and watches the clock; 0 for none.
    sa.Column("server", sa.BigInteger, nullable=False, index=True),
    # Since when (seconds since 1970), and whether all seats of the match are bots.
    sa.Column("since", sa.Float, nullable=False),
    sa.Column("bots", sa.Boolean, nullable=False),
)


def migrate(connection: sa.Connection) -> str:
    """Update the tables of an earlier version; returns the version that they have now."""
    version = about.c.name == "schema"
    found = connection.scalar(sa.select(about.c.value).where(version))
    if found is None:
        connection.execute(about.insert().values(name="schema", value=str(SCHEMA)))
        return str(SCHEMA)
    if found == "1":
        connection.execute(sa.text("ALTER TABLE matches ADD COLUMN touched FLOAT"))
        connection.execute(sa.text("ALTER TABLE matches ADD COLUMN begun BOOLEAN"))
        # Older matches are kept as long as any match that has begun.
        connection.execute(matches.update().values(touched=time.time(), begun=True))
        connection.execute(about.update().where(version).values(value="2"))
        return "2"
    return str(found)


def tune_sqlite(connection: Any, _: Any) -> None:
    """Use a write-ahead log: commits survive a killed process, and readers never wait."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA busy_timeout=5000")
    cursor.close()
