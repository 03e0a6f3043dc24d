"""What a game says: notations, sentences, tables, pictures, and what people ask about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from ..errors import NotationError
from ..integers import shown
from ..state import State
from . import plain
from .guide import About, Choice, Piece, Turn

if TYPE_CHECKING:
    from ..game import Game


class Words:
    """The part of :class:`~.game.Game` that people read; everything has a default.

    A game with much to say assigns functions of its own modules, all of which take the game first:

    >>> class Chicago(Game):
    ...     narrate = narration.narrate

    Attributes:
        about: The game for somebody who chooses one; ``None`` if it has no description.
        score_unit: What a score counts, for people; see :meth:`score_text`.
        score_step: What a score of 1 counts in that unit.
    """

    about: ClassVar[About | None] = None
    score_unit: ClassVar[str] = "points"
    score_step: ClassVar[float] = 1.0

    def action_text(self, state: State, action: int) -> str:
        """Short notation of an action in this position (seats absolute); its number by default."""
        return str(action)

    def describe(self, state: State, action: int) -> str:
        """A sentence for people that says what the action does; its notation by default.

        Only the deciding seat is shown it, so it may say all that this seat knows.
        """
        return f"{self.action_text(state, action).capitalize()}."

    def narrate(self, before: State, action: int, after: State, viewer: int | None) -> list[str]:
        """What happened, in sentences, from the decision to the next one.

        As it stands, it says who played what. A game in which that is secret says less.

        Args:
            before: The position in which the action was played.
            action: The action.
            after: The position to which it led.
            viewer: The seat that reads; ``None`` for the open table. Sentences for a seat hold
                nothing that it may not know: they are the same when made from redacted records.
        """
        who = self.seat_name(before, int(before.seat))
        return [f"{who} plays {self.action_text(before, action)}."]

    def recap(self, start: State, now: State, viewer: int | None) -> list[str]:
        """What a round came to, in sentences, once it is over; none by default.

        Args:
            start: The position in which the round began: the first one of the game, and then each
                one for which this method said something.
            now: The present position.
            viewer: The seat that reads, as for :meth:`narrate`.
        """
        return []

    def recap_after(
        self, earlier: Iterable[State], before: State, now: State, viewer: int | None
    ) -> list[str]:
        """The same, where the start of the round is not at hand.

        Args:
            earlier: The game's positions from its first to ``before``; read only if a round is
                over.
            before: The position before ``now``.
            now: The present position.
            viewer: As above.
        """
        if not self.recap(before, now, viewer):
            return []
        start = None
        for state in earlier:
            if start is None or self.recap(start, state, viewer):
                start = state
        return [] if start is None else self.recap(start, now, viewer)

    def position_text(self, state: State) -> str:
        """A position on one line, without the chance to come; by default a dump of the fields."""
        return plain.position_text(self._game, state)

    def parse_position(self, text: str) -> State:
        """A record from the notation of :meth:`position_text`.

        Raises:
            NotationError: Naming the field that is wrong and what is allowed.
        """
        return plain.parse_position(self._game, text)

    def text(self, state: State, viewer: int | None) -> str:
        """The table as text for a terminal, as ``viewer`` sees it (``None``: all open)."""
        return "\n".join(plain.table(self._game, state, viewer))

    def svg(
        self, state: State, viewer: int | None, legal: Sequence[int] = (), last: str = ""
    ) -> str:
        """The table as an SVG picture, as ``viewer`` sees it (``None``: all open).

        Args:
            state: The position.
            viewer: The seat whose knowledge is shown.
            legal: Actions to mark; elements that stand for one carry ``data-action="N"``.
            last: A sentence to show as the latest event.
        """
        return plain.svg(self._game, state, viewer, legal, last)

    def seat_name(self, state: State, seat: int) -> str:
        """Name of a seat for people."""
        return f"Player {seat}"

    def score_text(self, score: int) -> str:
        """A score in words for people."""
        return f"{score * self.score_step:g} {self.score_unit}"

    def parse_action(self, state: State, text: str) -> int:
        """The legal action with this notation in this position.

        Raises:
            NotationError: Naming the text and the legal notations.
        """
        wanted = " ".join(text.split())
        legal = {self.action_text(state, a): a for a in self._game.legal_actions(state)}
        if wanted in legal:
            return legal[wanted]
        folded = [a for t, a in legal.items() if t.casefold() == wanted.casefold()]
        if len(folded) == 1:
            return folded[0]
        known = ", ".join(legal) or "none, the game is over"
        raise NotationError(f"{self._game.name}: {shown(text)} is not legal here; legal: {known}")

    def pieces(self) -> Mapping[str, Piece]:
        """What is on the table, by the names that pictures give in ``data-piece``."""
        return {}

    def question(self, state: State) -> str:
        """What the deciding seat is asked, in its own words; empty if there are none.

        It is shown to that seat alone, and made from what it may know.
        """
        return ""

    def choice(self, state: State, action: int) -> Choice:
        """How a legal action stands to the others, for the deciding seat."""
        return Choice()

    def reason(self, state: State, action: int) -> str:
        """Reasons for or against a legal action by the game's rules of thumb; may be empty.

        A sentence or two for the deciding seat, made from what it may know.
        """
        return ""

    def turn(self, state: State) -> Turn:
        """The part of the game that a position belongs to.

        Made from redacted records, as everything that a seat is shown.
        """
        return Turn()

    @property
    def _game(self) -> Game:
        return cast("Game", self)
