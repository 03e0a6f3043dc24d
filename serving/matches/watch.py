"""What one viewer of a match knows and has been shown, and nothing else.

Positions are redacted first, so that pictures, sentences and counts made from them cannot reveal
more than the viewer knows. Even the number of decisions that others have made can be a secret (a
private payment, for example): versions, events and frames count what this viewer noticed.

Whether somebody was asked at all can be a secret, too. While a person decides in secret
(``SOMEBODY``, or ``Game.hides_decision``), which everybody notices by the time it takes, the viewer
sees the table as it stands, but no events, and the current frame is replaced by the next one. While
a bot does, which takes no time, nothing is shown at all; see :meth:`Match.is_held`. Once the
position is settled, everything looks as if nobody had been asked. Messages of the server are held
back as well, because their place among the events would reveal the decision.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import InitVar, dataclass, field, replace
from typing import Any, Literal

from ...agents.decision import Decision
from ...agents.seeds import decision_seed
from ...envs.core.game import Game
from ...envs.core.history import History, Noticing
from ...envs.core.presentation.guide import Turn
from ...envs.core.state import NO_SEAT, State
from ...envs.core.view import Detail, View

NO_TURN = Turn()
EventKind = Literal["game", "seat", "say", "clock", "undo", "end"]


def advised_view(
    game: Game,
    state: State,
    seat: int,
    decision: int,
    key: Any,
    detail: Detail,
    history: History | None = None,
) -> View:
    """The view from which a bot advises a person; its seed counts the person's own decisions.

    The seed of a bot's own decision counts the decisions of all seats. Advice that followed from
    it would reveal how many of them there were.

    Args:
        game: The game.
        state: The record, true or redacted.
        seat: The person's seat.
        decision: Number of the decision among those of the seat.
        key: The players' key, uint64 of shape ``(2,)``.
        detail: What the bot is asked to give besides the action.
        history: What the seat has noticed so far, if the bot needs that.
    """
    return game.view(state, seat, int(decision_seed(key, decision, seat)), detail, history)


def advised_actions(view: View, decision: Decision) -> list[tuple[int, float | None]]:
    """Legal actions and the bot's probability of each, the most probable first.

    Of actions that are equally probable its own choice comes first, then the lower number.
    """
    shares = decision.probabilities
    found = [(a, None if shares is None else float(shares[a])) for a in view.legal_actions]
    return sorted(found, key=lambda one: (-(one[1] or 0.0), one[0] != decision.action, one[0]))


@dataclass(frozen=True, slots=True)
class SeenEvent:
    """An event: a sentence for the viewer.

    Attributes:
        kind: What sort of event it is.
        text: The sentence.
        turn: The part of the game to which it belongs.
        step: Number of positions that the viewer had noticed before.
        undone_from: Number of the first event that this one takes back, if it does so.
    """

    kind: EventKind
    text: str
    turn: Turn = NO_TURN
    step: int = 0
    undone_from: int | None = None


@dataclass(frozen=True, slots=True)
class Noticed:
    """A position that looked different to the viewer than the one before.

    Attributes:
        ply: Number of decisions made before it.
        events: Number of events that the viewer had been shown by then.
        seat: The seat to decide, as far as the viewer may know.
        began: Number of decisions made before its round began.
    """

    ply: int
    events: int
    seat: int
    began: int = 0


@dataclass(slots=True)
class Watch:
    """A match as one viewer sees it.

    Attributes:
        game: The game.
        viewer: A seat, or ``NO_SEAT`` for a spectator.
        state: The true record at the start.
        version: Grows with every settled position that the viewer notices, every decision of its
            own and every message of the server.
        changes: Grows whenever something changes for the viewer, secret decisions included. It is
            never shown; it only says when there is something to send.
        events: Everything that has been reported to the viewer.
        frames: Positions for the replay viewer while the match runs.
    """

    game: Game
    viewer: int
    state: InitVar[State]
    version: int = 0
    changes: int = 0
    events: list[SeenEvent] = field(default_factory=list)
    frames: list[Noticed] = field(init=False)
    _noticing: Noticing = field(init=False)
    _began: int = 0
    _held: list[SeenEvent] = field(default_factory=list)
    _passing: bool = False
    _turn: Turn = NO_TURN
    _back: int = 0
    _picture: tuple[int, str] = (-1, "")

    def __post_init__(self, state: State) -> None:
        self._noticing = Noticing(self.game, self.viewer, state)
        self.frames = [self._frame(0)]
        self._turn = self.game.turn(self.known)

    @property
    def known(self) -> State:
        """The redacted position."""
        return self._noticing.known

    @property
    def secret(self) -> bool:
        """Whether a decision is pending that the viewer may not know about."""
        return self._noticing.secret

    @property
    def same_turn(self) -> bool:
        """Whether it is the viewer's turn, and was before the last change that it noticed."""
        return [noticed.seat for noticed in self.frames[-2:]] == [self.viewer] * 2

    @property
    def turn(self) -> Turn:
        """The part of the game to which the last settled position belongs."""
        return self._turn

    def frame_at(self, ply: int) -> int:
        """Number of the frame that the viewer had before it when ``ply`` decisions were made."""
        return bisect_right(self.frames, ply, key=lambda noticed: noticed.ply) - 1

    def announce(self, kind: EventKind, text: str) -> None:
        """Add a message of the server; it is held back while somebody decides in secret."""
        back = self._back if kind == "undo" else None
        self._held.append(SeenEvent(kind, text, undone_from=back))
        self.changes += 1
        if not self.secret:
            self._release()

    def _release(self) -> None:
        """Add the messages that were held back."""
        step = len(self.frames)
        self.events += [replace(event, turn=self._turn, step=step) for event in self._held]
        self.version += len(self._held)
        self._held = []

    def close(self) -> None:
        """Show the messages that were held back: nobody decides any more."""
        self._noticing.secret = False
        self._release()

    def see(
        self, actor: int, action: int, state: State, ply: int, *, bot_next: bool = False
    ) -> None:
        """Take note of a decision.

        Args:
            actor: The seat that made it.
            action: The action.
            state: The true record after it.
            ply: Number of decisions made so far.
            bot_next: Whether a bot makes the next one.
        """
        first = self._noticing.own is None
        self.changes += self._noticing.see(actor, action, state)
        self.version += first and self._noticing.own is not None
        self._show(ply, shown=not bot_next)

    def _frame(self, ply: int) -> Noticed:
        return Noticed(ply, len(self.events), int(self.known.seat), self._began)

    def _show(self, ply: int, *, shown: bool = True) -> None:
        """Add events for what happened and a frame, if the position is settled.

        Args:
            ply: Number of decisions made so far.
            shown: Whether to add a passing frame for a position that is not.
        """
        if self._passing:
            self.frames.pop()
            self._passing = False
        changed = self._noticing.changed
        if self.secret:
            if changed and shown:
                self.frames.append(self._frame(ply))
                self._passing = True
            return
        lines = self._noticing.settle()
        if self._noticing.began is self.known:
            self._began = ply
        turn = self._turn
        self._turn = self.game.turn(self.known)
        if changed or lines:
            step = len(self.frames)
            self.events += [SeenEvent("game", line, turn, step) for line in lines]
            self.frames.append(self._frame(ply))
            self.version += 1
            self.changes += 1
        self._release()

    def go_back(self, position: Callable[[int], State], ply: int) -> None:
        """Go back to an earlier position.

        Args:
            position: Returns the true record after a number of decisions.
            ply: Number of decisions that remain.
        """
        if self._passing:
            self.frames.pop()
            self._passing = False
        self.frames = [frame for frame in self.frames if frame.ply <= ply]
        self._began = self.frames[-1].began
        self._noticing.restart(position(self._began), position(self.frames[-1].ply), position(ply))
        self._turn = self.game.turn(self._noticing.settled)
        self._back = self.frames[-1].events
        self.version += 1
        self.changes += 1
        self._release()
        if self.secret:
            self._show(ply)

    def legal_actions(self) -> list[int]:
        """Legal actions if the viewer is to decide, else none."""
        if self.viewer == NO_SEAT or int(self.known.seat) != self.viewer:
            return []
        return self.game.legal_actions(self.known)

    def picture(self, asked: bool) -> str:
        """The table as SVG; if the viewer is asked, legal actions are marked."""
        key = 2 * self.changes + asked
        if self._picture[0] != key:
            legal = self.legal_actions() if asked else []
            last = next((one.text for one in reversed(self.events) if one.kind == "game"), "")
            self._picture = key, self.game.svg(self.known, self.viewer, legal, last)
        return self._picture[1]

    def forget_picture(self) -> None:
        """Free the picture, which takes more memory than everything else; it can be redrawn."""
        self._picture = (-1, "")
