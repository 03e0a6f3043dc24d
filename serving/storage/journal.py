"""What is stored of a match: its set-up and a journal of entries."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

from ...envs.core.options import OptionValue
from ..protocol import Clock

By = Literal["human", "bot", "clock"]
Kind = Literal[
    "play",
    "undo",
    "join",
    "begin",
    "leave",
    "return",
    "concede",
    "agree",
    "withdraw",
    "rematch",
    "say",
]
ASKING: frozenset[Kind] = frozenset({"play", "undo", "join", "begin"})
"""Entries after which somebody is asked for a decision, whose time then begins."""


def token_hash(token: str) -> str:
    """The hash under which a seat's token is kept."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class SeatSetup:
    """A seat when the match is created.

    Attributes:
        kind: ``human``, ``open`` or ``bot``.
        player: Name of the person, also of one for whom an open seat of a rematch is kept; else
            empty.
        bot: Spec of the bot; empty for people and open seats.
        token: Hash of that person's token; else empty.
    """

    kind: Literal["human", "open", "bot"]
    player: str = ""
    bot: str = ""
    token: str = ""


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything that is fixed when a match is created.

    Attributes:
        match: Identifier of the match.
        game: Name of the game.
        rules_version: Version of its rules.
        options: Resolved options.
        seed: Seed of the game's chance and of the bots' randomness; secret until the match ends.
        seats: The seats.
        clock: Time limits; ``None`` for none.
        substitute: Spec of the bot that takes over the seats of people who leave.
        listed: Whether the match appears in the list of matches.
        rated: Whether it may count for the leaderboard.
        created: When it was created: ISO 8601, UTC.
    """

    match: str
    game: str
    rules_version: int
    options: dict[str, OptionValue]
    seed: int
    seats: tuple[SeatSetup, ...]
    clock: Clock | None
    substitute: str
    listed: bool
    rated: bool
    created: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a match's journal.

    Attributes:
        kind: What happened: a decision, an undo, a seat joined, left, returned to or conceded; a
            rematch begun without those who had not come; the end of the match agreed to, or no
            longer; a rematch asked for; a phrase said.
        seat: The seat concerned.
        action: The action, if this is a decision.
        by: Who decided. If a bot leaves: ``clock`` if it was late, ``bot`` if it failed.
        spent: Seconds that a person took for the decision.
        text: Name of the person who joins, spec of the bot that takes over or returns, name of the
            rematch, or the phrase.
        token: Hash of the token of the person who joins.
        at: When it was made, in seconds since 1970, if several processes share the database;
            else 0.
    """

    kind: Kind
    seat: int
    action: int = -1
    by: By = "human"
    spent: float = 0.0
    text: str = ""
    token: str = ""
    at: float = 0.0
