"""What one viewer of a match knows and has been told, and nothing else.

Positions are redacted before anything is made of them, so pictures, sentences and counts cannot
tell more than the viewer knows. Even how often others have decided can be a secret (a payment made
in private): versions, events and frames count what this viewer noticed.
"""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field
from typing import Literal

from ..envs.core.game import Game
from ..envs.core.state import NO_SEAT, State

EventKind = Literal["game", "seat", "clock", "undo", "end"]


def known_to(game: Game, state: State, viewer: int) -> State:
    """A copy of a record without what the viewer may not know.

    Args:
        game: The game.
        state: The record.
        viewer: A seat; ``NO_SEAT`` for a spectator, who knows what every seat knows.
    """
    known = game.clone(state)
    for seat in range(game.num_seats(state)) if viewer == NO_SEAT else (viewer,):
        game.compiled.redact(known, seat)
    return known


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence for the viewer."""

    kind: EventKind
    text: str


@dataclass(frozen=True, slots=True)
class Noticed:
    """A position that looked different to the viewer.

    Attributes:
        ply: Decisions that stood on the board.
        events: Events that the viewer had been told by then.
    """

    ply: int
    events: int


@dataclass(slots=True)
class Watch:
    """One viewer's side of a match.

    Attributes:
        game: The game.
        viewer: Seat, or ``NO_SEAT`` for a spectator.
        state: The record at the start.
        known: The position as the viewer knows it.
        version: Grows with every change that the viewer notices.
        events: All that the viewer has been told.
        frames: Positions for the replay viewer while the match runs.
    """

    game: Game
    viewer: int
    state: InitVar[State]
    known: State = field(init=False)
    version: int = 0
    events: list[Told] = field(default_factory=list)
    frames: list[Noticed] = field(init=False)
    _picture: tuple[int, str] = (-1, "")

    def __post_init__(self, state: State) -> None:
        self.known = known_to(self.game, state, self.viewer)
        self.frames = [Noticed(0, 0)]

    def tell(self, kind: EventKind, text: str) -> None:
        """Add a sentence."""
        self.events.append(Told(kind, text))
        self.version += 1

    def see(self, actor: int, action: int, state: State, ply: int) -> None:
        """A decision has been played.

        Args:
            actor: Who played it.
            action: The action.
            state: The true record after it.
            ply: Decisions that stand on the board now.
        """
        after = known_to(self.game, state, self.viewer)
        lines = self.game.narrate(self.known, action, after, self.viewer)
        same = after.tobytes() == self.known.tobytes()
        self.known = after
        if same and not lines and actor != self.viewer:
            return
        self.events += [Told("game", line) for line in lines]
        self.frames.append(Noticed(ply, len(self.events)))
        self.version += 1

    def go_back(self, state: State, ply: int) -> None:
        """Decisions have been taken back, down to ``ply``."""
        self.known = known_to(self.game, state, self.viewer)
        self.frames = [frame for frame in self.frames if frame.ply <= ply]
        self.version += 1

    def legal_actions(self) -> list[int]:
        """Legal actions if the viewer is the seat to decide, else none."""
        if self.viewer == NO_SEAT or int(self.known.seat) != self.viewer:
            return []
        return self.game.legal_actions(self.known)

    def picture(self, asked: bool) -> str:
        """The table as SVG; legal actions are marked if the viewer is asked."""
        key = 2 * self.version + asked
        if self._picture[0] != key:
            legal = self.legal_actions() if asked else []
            last = next((told.text for told in reversed(self.events) if told.kind == "game"), "")
            self._picture = key, self.game.svg(self.known, self.viewer, legal, last)
        return self._picture[1]

    def forget_picture(self) -> None:
        """Free the picture, which takes more memory than all the rest; it can be made again."""
        self._picture = (-1, "")
