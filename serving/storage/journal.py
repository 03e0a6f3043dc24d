"""What a match is a function of: its set-up, and a journal of entries."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

from ...envs.core.options import OptionValue
from ..protocol import Clock

By = Literal["human", "bot", "clock"]
Kind = Literal["play", "undo", "join", "leave", "return"]


def token_hash(token: str) -> str:
    """What is kept of a seat's token."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class SeatSetup:
    """A seat when the match is created.

    Attributes:
        kind: ``human``, ``open`` or ``bot``.
        player: Name of the person; empty for open seats and bots.
        bot: Spec of the bot; empty for people.
        token: Hash of the token; empty without a person.
    """

    kind: Literal["human", "open", "bot"]
    player: str = ""
    bot: str = ""
    token: str = ""


@dataclass(frozen=True, slots=True)
class Setup:
    """All that is fixed when a match is created.

    Attributes:
        match: Identifier.
        game: Name of the game.
        rules_version: Version of its rules.
        options: Resolved options.
        seed: Secret of the match while it runs: the chance and the bots' randomness follow from
            it.
        seats: The seats.
        clock: Time limits.
        substitute: Bot that takes over leaving seats.
        listed: Whether the match stands in the list of matches.
        rated: Whether it may count for the leaderboard.
        created: ISO 8601, UTC.
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
    """One line of a match's journal.

    Attributes:
        kind: What happened: a decision, one taken back, a seat taken, left or taken back.
        seat: Whose.
        action: The action of a decision.
        by: Who decided. Of a bot that leaves: ``clock`` if it was late, ``bot`` if it failed.
        spent: Seconds that the decision took from a person's clock.
        text: Name of who joins, spec of the bot that takes over or is back.
        token: Hash of the token of who joins.
    """

    kind: Kind
    seat: int
    action: int = -1
    by: By = "human"
    spent: float = 0.0
    text: str = ""
    token: str = ""
