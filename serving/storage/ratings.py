"""The leaderboard: ratings of people and bots."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from .tables import players


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
    """Update the ratings of a match's players; one with several seats gets the mean of them."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    seats = list(outcomes)
    rows = {key: _player(connection, game, *key) for key in {(o.player, o.bot) for o in seats}}
    teams = [
        [model.rating(mu=rows[o.player, o.bot]["mu"], sigma=rows[o.player, o.bot]["sigma"])]
        for o in seats
    ]
    if len(rows) > 1:
        rated = model.rate(teams, ranks=[float(o.place) for o in seats])
    else:
        rated = teams  # A player that only met itself has proved nothing.
    for key, row in rows.items():
        own = [k for k, o in enumerate(seats) if (o.player, o.bot) == key]
        row["mu"] = sum(rated[k][0].mu for k in own) / len(own)
        row["sigma"] = sum(rated[k][0].sigma for k in own) / len(own)
        row["matches"] += 1
        row["wins"] += sum(seats[k].win_share for k in own)
        row["par"] += len(own) / len(seats)
        found = sa.and_(*(players.c[name] == row[name] for name in ("game", "player", "bot")))
        connection.execute(players.delete().where(found))
        connection.execute(players.insert().values(**row))


def _player(connection: sa.Connection, game: str, player: str, bot: bool) -> dict[str, Any]:
    from openskill.models import PlackettLuce

    query = sa.select(players).where(
        players.c.game == game, players.c.player == player, players.c.bot == bot
    )
    row = connection.execute(query).mappings().first()
    if row is not None:
        return dict(row)
    new = PlackettLuce().rating()
    return {
        "game": game,
        "player": player,
        "bot": bot,
        "matches": 0,
        "wins": 0.0,
        "par": 0.0,
        "mu": new.mu,
        "sigma": new.sigma,
    }
