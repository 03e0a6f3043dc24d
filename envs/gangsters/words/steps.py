"""A decision and what followed, and the words for who did it."""

from __future__ import annotations

from typing import Final, NamedTuple

from ...core.presentation.sentences import agree
from ...core.state import State
from .. import actions as act
from ..data import (
    OFFICER_IDS,
    SIDES,
)
from ..state import (
    CRIME,
    POLICE,
)

NAMES: Final = ("Racketeer", "Thug", "Vamp")


class Step(NamedTuple):
    """A decision, with the positions before it and after all that followed from it."""

    before: State
    action: int
    after: State

    def counted(self, event: int) -> int:
        """How often an event happened, or what it paid."""
        return int(self.after.events[event] - self.before.events[event])

    @property
    def same_turn(self) -> bool:
        """Whether the player turn goes on."""
        return (self.before.active, self.before.round_number) == (
            self.after.active,
            self.after.round_number,
        )


def doing(seat: int, deed: str) -> str:
    """What a side does, by a verb in its base form."""
    return f"the police {deed}" if seat == POLICE else agree(SIDES[seat], deed)


def side_name(seat: int) -> str:
    """A side inside of a sentence."""
    return "the police" if seat == POLICE else SIDES[seat]


def members(count: int, piece: int) -> str:
    """``2 Thugs``."""
    return f"{count} {NAMES[piece]}{'s' * int(count != 1)}"


def officer_name(k: int) -> str:
    """An officer; the Untouchables are many."""
    return f"officer {OFFICER_IDS[k]}" if OFFICER_IDS[k].isdecimal() else "the Untouchables"


def half(amount: int) -> int:
    """Half of an amount, rounded up to the next $100 (G-1.6)."""
    return -(-amount // 200) * 100


def courted(before: State, action: int) -> tuple[int, int]:
    """The rival whose piece is lured, and which one."""
    r, kind = divmod(action - act.SEDUCE, 2)
    return (int(before.seat) + r + 1) % int(before.num_seats), kind


def lured(step: Step) -> tuple[int, int] | None:
    """The piece that loses members to a Vamp by this decision."""
    before, action, after = step
    if before.phase != CRIME or not act.SEDUCE <= action < act.TARGET_SIDE:
        return None
    rival, kind = courted(before, action)
    lost = after.strength[rival, kind] < before.strength[rival, kind]
    return (rival, kind) if lost else None


def them(officer: int) -> str:
    """An officer who has been named."""
    return "him" if OFFICER_IDS[officer].isdecimal() else "them"
