"""The leaderboard: ratings of people and bots."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from ...arena.ratings.online import MU, SIGMA, rate_game
from .tables import players

DRIFT = MU / 300
"""Deviation by which a skill may change from match to match: people learn, and a bot may be
replaced by a newer one of the same name."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one seat in a rated match.

    Attributes:
        player: Name of the person, or spec of the bot.
        bot: Whether it is a bot.
        place: Place, from 1; tied seats have the same place.
        win_share: Its share of the win.
    """

    player: str
    bot: bool
    place: int
    win_share: float


def leaderboard(connection: sa.Connection, game: str, limit: int) -> list[dict[str, Any]]:
    """Players of a game by rating, as rows of the table ``players`` with ``rating``."""
    rating = (players.c.mu - 3 * players.c.sigma).label("rating")
    query = sa.select(players, rating).where(players.c.game == game)
    rows = connection.execute(query.order_by(rating.desc()).limit(limit)).mappings()
    return [dict(row) for row in rows]


def rate(connection: sa.Connection, game: str, outcomes: Iterable[Outcome]) -> None:
    """Add a match to its players' ratings, by the rule of ``gangland.arena.ratings.online``."""
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
