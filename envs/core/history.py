"""What a seat has noticed of a game so far, for those who remember.

Positions are redacted before anything is made of them, and a decision that is nobody's business
leaves no trace: several of them show as one change, when the position is settled.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .state import NO_SEAT, SOMEBODY, State

if TYPE_CHECKING:
    from .game import Game


def known_to(game: Game, state: State, viewer: int) -> State:
    """A redacted copy of a record.

    Args:
        game: The game.
        state: The true record.
        viewer: A seat, or ``NO_SEAT`` for a spectator, who knows only what every seat knows.
    """
    known = game.clone(state)
    seats = range(game.num_seats(state))
    # Twice for a spectator: redacting for a later seat can hide what an earlier one was shown.
    for seat in (*seats, *seats) if viewer == NO_SEAT else (viewer,):
        game.compiled.redact(known, seat)
    return known


class Noticing:
    """Turns decisions into what one viewer notices of them.

    Attributes:
        game: The game.
        viewer: A seat, or ``NO_SEAT`` for a spectator.
        known: The redacted position.
        began: The redacted position at the start of the round; see :meth:`Words.recap`.
        settled: The redacted position after the last decision that the viewer may know about.
        secret: Whether a decision is pending that the viewer may not know about.

    Args:
        game: The game.
        viewer: A seat, or ``NO_SEAT``.
        state: The true record.
    """

    def __init__(self, game: Game, viewer: int, state: State) -> None:
        self.game = game
        self.viewer = viewer
        self.restart(state, state, state)

    def restart(self, began: State, settled: State, state: State) -> None:
        """Go on from true records: the round's start, the last settled position, the present."""
        self.began = known_to(self.game, began, self.viewer)
        self.settled = known_to(self.game, settled, self.viewer)
        self._action: int | None = None
        self._own = False
        self._take(state)

    def _take(self, state: State) -> None:
        self.known = known_to(self.game, state, self.viewer)
        asked = int(self.known.seat) == SOMEBODY
        self.secret = asked or self.game.hides_decision(state, self.viewer)

    def see(self, actor: int, action: int, state: State) -> bool:
        """Take note of a decision.

        Args:
            actor: The seat that made it.
            action: The action.
            state: The true record after it.

        Returns:
            Whether the viewer has made a decision or sees another position than before it.
        """
        # Of several decisions between settled positions only the first can be the viewer's own.
        if self._action is None:
            self._action, self._own = action, actor == self.viewer
        before = self.known
        self._take(state)
        return self._own or self.known.tobytes() != before.tobytes()

    @property
    def changed(self) -> bool:
        """Whether the viewer has noticed anything since the last settled position."""
        return self._own or self.known.tobytes() != self.settled.tobytes()

    @property
    def own(self) -> int | None:
        """The viewer's own action since the last settled position, if it has made one."""
        return self._action if self._own else None

    def settle(self) -> list[str]:
        """Take the position as settled; sentences on what has happened since the last one."""
        action = -1 if self._action is None else self._action
        lines = self.game.narrate(self.settled, action, self.known, self.viewer)
        if recap := self.game.recap(self.began, self.known, self.viewer):
            lines += recap
            self.began = self.known
        self.settled, self._action, self._own = self.known, None, False
        return lines


@dataclass(frozen=True, slots=True)
class History:
    """A game so far, as one seat has noticed it.

    Attributes:
        game: The game.
        seat: The seat.
        known: Redacted records of the positions that it noticed, from the first one to the present.
        actions: What led from each position to the next, one fewer: the seat's own action, or
            ``None`` where others have decided. Their actions can be secret; what may be known of
            them is told.
        sentences: What happened between each position and the next, one fewer.
    """

    game: Game
    seat: int
    known: tuple[State, ...]
    actions: tuple[int | None, ...]
    sentences: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, game: Game, seat: int, start: State, actions: Iterable[int]) -> History:
        """The history of a game that is given by its decisions.

        Args:
            game: The game.
            seat: The seat.
            start: The true record before the first decision; it is not changed.
            actions: The actions of all seats.
        """
        state = game.clone(start)
        memory = Memory(game, seat, state)
        for action in actions:
            actor = game.seat_to_act(state)
            game.apply(state, action)
            memory.see(actor, action, state)
        return memory.history

    def __len__(self) -> int:
        """Number of positions."""
        return len(self.known)

    def observations(self, first: int = 0) -> NDArray[np.float32]:
        """What the seat observed in the positions from ``first`` on.

        Returns:
            Float32 of shape ``(positions, observation_size)``.
        """
        seen = [self.game.observe(known, self.seat) for known in self.known[first:]]
        empty = np.zeros((0, self.game.observation_size), np.float32)
        return np.stack(seen) if seen else empty

    def since_own(self) -> list[str]:
        """Sentences from the seat's last decision on, or from the start."""
        own = [k for k, action in enumerate(self.actions) if action is not None]
        return [line for lines in self.sentences[own[-1] if own else 0 :] for line in lines]


class Memory:
    """Takes note of a game for one seat.

    Args:
        game: The game.
        seat: The seat.
        state: The true record of the first position.
    """

    def __init__(self, game: Game, seat: int, state: State) -> None:
        self._noticing = Noticing(game, seat, state)
        self._known = [self._noticing.settled]
        self._actions: list[int | None] = []
        self._sentences: list[tuple[str, ...]] = []

    def see(self, actor: int, action: int, state: State) -> None:
        """Take note of a decision: the seat that made it, its action, the true record after it."""
        noticing = self._noticing
        noticing.see(actor, action, state)
        if noticing.secret:
            return
        changed, own = noticing.changed, noticing.own
        lines = noticing.settle()
        if changed or lines:
            self._known.append(noticing.settled)
            self._actions.append(own)
            self._sentences.append(tuple(lines))

    def copy(self) -> Memory:
        """A memory that goes on independently."""
        other = copy.copy(self)
        other._noticing = copy.copy(self._noticing)
        other._known = [*self._known]
        other._actions, other._sentences = [*self._actions], [*self._sentences]
        return other

    @property
    def history(self) -> History:
        """The history so far, which does not change when the game goes on."""
        seat, game = self._noticing.viewer, self._noticing.game
        told = tuple(self._known), tuple(self._actions), tuple(self._sentences)
        return History(game, seat, *told)
