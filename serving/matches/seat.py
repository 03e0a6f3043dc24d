"""A seat of a match, a decision that was made there, and the decisions of a match at a moment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...envs.core.game import Game
from ...envs.core.state import State
from ..storage.journal import By

FAILURES = 3
"""Errors in a row after which a bot loses its seat for good."""

LONGEST_ABSENCE = 32
"""Maximum number of decisions after which a replaced bot is tried again."""


@dataclass(slots=True)
class Seat:
    """The current state of a seat.

    Secret decisions do not count in ``strikes``, ``absent``, ``lates`` and ``failures``, because
    everybody sees what follows from these numbers.

    Attributes:
        player: Name of the person, also of one for whom the seat is kept; empty if there is none.
        bot: Spec of the bot that plays now; empty while a person does.
        token: Hash of the person's token.
        open: Whether the match waits for a person: for anybody, or for the one with the token.
        decisions: Number of decisions that the seat has made, including those taken back.
        strikes: Decisions in a row for which time ran out.
        spent: Seconds of the clock's ``bank`` that are used up, minus increments.
        turn_spent: Seconds used in this turn: consecutive decisions of the seat, with none of
            another seat in between that the person could notice.
        replaced: Spec of the bot that was late or failed and has been replaced by ``bot``; empty
            if there is none.
        absent: Decisions made in its place since it was replaced.
        lates: Times in a row that it was late.
        failures: Times in a row that it failed.
        conceded: Whether the person has given up: a bot plays on, and the person has lost.
        agrees: Whether the person agrees to end the match.
        said: Number of phrases that the person has said.
    """

    player: str
    bot: str
    token: str
    open: bool
    decisions: int = 0
    strikes: int = 0
    spent: float = 0.0
    turn_spent: float = 0.0
    replaced: str = ""
    absent: int = 0
    lates: int = 0
    failures: int = 0
    conceded: bool = False
    agrees: bool = False
    said: int = 0

    @property
    def occupied(self) -> bool:
        """Whether a person sits here and plays."""
        return bool(self.token) and not self.open and not self.bot

    @property
    def returning(self) -> str:
        """The replaced bot, if it is to get its seat back at the next decision; else empty.

        It gets the seat back after one decision; if it is late or fails again, after two, four,
        and so on. After :data:`FAILURES` errors in a row it never does. Secret decisions do not
        count.
        """
        times = self.lates + self.failures
        due = self.absent >= min(2 ** (times - 1), LONGEST_ABSENCE) if times else True
        return self.replaced if due and self.failures < FAILURES else ""


@dataclass(slots=True)
class Played:
    """A decision that has been made and not taken back.

    Attributes:
        seat: Who made it.
        action: The action.
        by: Whether a person, a bot or the clock decided.
        decision: Number of the decision among those of its seat.
    """

    seat: int
    action: int
    by: By
    decision: int


@dataclass(frozen=True, slots=True)
class Past:
    """The decisions of a match as they stood at one moment.

    Attributes:
        game: The game.
        start: The true record before the first decision; it is not changed.
        actions: All decisions that had not been taken back.
    """

    game: Game
    start: State
    actions: tuple[int, ...]

    def position(self, plies: int) -> State:
        """The true record after the first ``plies`` decisions."""
        return next(self.positions([plies]))

    def positions(self, plies: Iterable[int]) -> Iterator[State]:
        """The true records after these numbers of decisions, which ascend; each a copy."""
        state, at = self.game.clone(self.start), 0
        for ply in plies:
            for action in self.actions[at:ply]:
                self.game.apply(state, action)
            at = ply
            yield self.game.clone(state)
