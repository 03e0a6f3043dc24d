"""A server: its games, bots and matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from ..serving.protocol import (
    BotReply,
    BotRequest,
    BotSeat,
    Clock,
    GameInfo,
    GameList,
    GameTexts,
    HumanSeat,
    Join,
    Leaderboard,
    MatchCreated,
    MatchInfo,
    MatchList,
    NewMatch,
    ReplayFile,
    Rulebook,
    SeatToken,
    Status,
    Table,
    TableRequest,
)
from ..serving.protocol.games import coded
from ..serving.protocol.matches import OpenSeat
from .connection import PAUSES, Connection
from .seat import Seat, SeatTokens

OPEN = OpenSeat(kind="open")
"""A seat of a new match that anybody may join."""


def human(name: str = "Player") -> HumanSeat:
    """A seat of a new match for a person."""
    return HumanSeat(kind="human", name=name)


def bot(spec: str | None = None) -> BotSeat:
    """A seat of a new match for a bot, by default the game's strongest."""
    return BotSeat(kind="bot", bot=spec)


class Client:
    """A Gangland server, over HTTP; as a context manager it closes its connections.

    Args:
        server: Address, such as ``http://127.0.0.1:8000``.
        tokens: File in which the tokens of one's seats are kept; in memory by default.
        timeout: Seconds to wait for an answer.
        retries: How often a request that only reads is repeated if the server is busy.

    Raises:
        MissingDependencyError: Without httpx.
    """

    def __init__(
        self,
        server: str,
        *,
        tokens: str | Path | SeatTokens | None = None,
        timeout: float = 60.0,
        retries: int = len(PAUSES),
    ) -> None:
        self.tokens = tokens if isinstance(tokens, SeatTokens) else SeatTokens(tokens)
        self.connection = Connection(server, timeout, retries)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self.connection.close()

    # --- games and bots ---------------------------------------------------------------------

    def games(self) -> GameList:
        """All games with their options and bots."""
        return self.connection.call(GameList, "GET", "/games")

    def game(self, game: str) -> GameInfo:
        """One game with its options and bots."""
        return self.connection.call(GameInfo, "GET", f"/games/{quote(game)}")

    def rules(self, game: str, language: str | None = None) -> Rulebook:
        """A game's rules in words, by default in English."""
        query = {"language": language}
        return self.connection.call(Rulebook, "GET", f"/games/{quote(game)}/rules", query=query)

    def texts(self, game: str, language: str) -> GameTexts:
        """What a game says, in one of its languages."""
        path = f"/games/{quote(game)}/texts/{quote(language)}"
        return self.connection.call(GameTexts, "GET", path)

    def table(self, game: str, options: Mapping[str, bool | int | str] | None = None) -> Table:
        """Seats and resolved options of a table before it is created."""
        body = TableRequest(options=dict(options or {}))
        return self.connection.call(Table, "POST", f"/games/{quote(game)}/table", body=body)

    def ask(self, game: str, **position: Any) -> BotReply:
        """A bot's decision for a position; the server stores nothing.

        Args:
            game: The game.
            **position: Fields of ``BotRequest``: ``state`` (what ``View.to_dict`` writes), or
                ``observation`` and ``legal``; ``bot``, ``role``, ``seed``, ``explain``. An
                observation may be an array, which is sent in base64.
        """
        seen = position.get("observation")
        if isinstance(seen, np.ndarray):
            position["observation"] = coded(seen)
        body = BotRequest(**position)
        return self.connection.call(BotReply, "POST", f"/bots/{quote(game)}", body=body)

    def leaderboard(self, game: str, limit: int | None = None) -> Leaderboard:
        """A game's players by rating."""
        query = {"game": game, "limit": limit}
        return self.connection.call(Leaderboard, "GET", "/leaderboard", query=query)

    # --- matches ----------------------------------------------------------------------------

    def matches(
        self, game: str | None = None, status: Status | None = None, limit: int | None = None
    ) -> MatchList:
        """Listed matches, newest first."""
        query = {"game": game, "status": status, "limit": limit}
        return self.connection.call(MatchList, "GET", "/matches", query=query)

    def match(self, match: str) -> MatchInfo:
        """The public information about a match."""
        return self.connection.call(MatchInfo, "GET", f"/matches/{quote(match)}")

    def create(
        self,
        game: str,
        seats: Sequence[HumanSeat | OpenSeat | BotSeat],
        *,
        options: Mapping[str, bool | int | str] | None = None,
        clock: Clock | None = None,
        **more: Any,
    ) -> list[Seat]:
        """Create a match; the tokens of its human seats are kept.

        Args:
            game: The game.
            seats: One entry for each seat: :func:`human`, :func:`bot`, or :data:`OPEN`.
            options: Options of the game.
            clock: Time limits.
            **more: Other fields of ``NewMatch``: ``seed``, ``substitute``, ``listed``.

        Returns:
            The human seats in order; a spectator's place if there are none.
        """
        if clock is not None:
            more["clock"] = clock
        body = NewMatch(game=game, seats=list(seats), options=dict(options or {}), **more)
        made = self.connection.call(MatchCreated, "POST", "/matches", body=body)
        for token in made.tokens:
            self.tokens.keep(token)
        found = [
            Seat(self.connection, made.match, one.token, one.seat, self.tokens)
            for one in made.tokens
        ]
        return found or [Seat(self.connection, made.match)]

    def join(self, match: str, name: str = "Player", seat: int | None = None) -> Seat:
        """Take an open seat, by default the first one; its token is kept."""
        body = Join(name=name, seat=seat)
        path = f"/matches/{quote(match)}/join"
        taken = self.connection.call(SeatToken, "POST", path, body=body)
        self.tokens.keep(taken)
        return Seat(self.connection, match, taken.token, taken.seat, self.tokens)

    def seat(self, match: str, seat: int | None = None) -> Seat:
        """One's seat in a match, found by its token; a spectator's place without a token.

        Args:
            match: The match.
            seat: Number of the seat; by default one's first.
        """
        kept = self.tokens.find(match, seat)
        if kept is None:
            return Seat(self.connection, match)
        return Seat(self.connection, match, kept.token, kept.seat, self.tokens)

    def replay(self, match: str) -> ReplayFile:
        """A finished match for ``gangland replay``."""
        return self.connection.call(ReplayFile, "GET", f"/matches/{quote(match)}/replay")
