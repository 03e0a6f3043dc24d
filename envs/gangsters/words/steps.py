"""A decision and what followed: the words for who did it, and who went where."""

from __future__ import annotations

from typing import Final, NamedTuple

from ...core.presentation.sentences import agree, is_plural, listed
from ...core.state import State
from .. import actions as act
from ..data import (
    OFFICER_IDS,
    PUBLIC_IDS,
    SIDES,
    STREETS,
    STRENGTH_MAX,
)
from ..state import (
    CRIME,
    DOUBLE,
    E_RAIDS,
    K_COP,
    NONE,
    POLICE,
    STOP,
    V,
)
from .narration import SPACE_NAMES, public_name

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


def walks(step: Step) -> list[str]:
    """Who has gone where: gang pieces, officers, Publics, the Commissioner."""
    return [*_gang_walks(step), *_officer_walks(step), *_public_walks(step), *_chief_walk(step)]


def _gang_walks(step: Step) -> list[str]:
    before, _, after = step
    lines = []
    for gang in range(before.gangs):
        for piece in range(3):
            start, goal = int(before.at[gang, piece]), int(after.at[gang, piece])
            mine = (gang, piece) == (before.seat, before.piece)
            if before.phase == CRIME and mine:
                start, goal = int(before.node), int(before.at[gang, piece])
            pending = after.phase == CRIME and (gang, piece) == (after.seat, after.piece)
            if goal in (start, NONE) or (pending and not after.over):
                continue
            who = f"{SIDES[gang]}'s {NAMES[piece]}"
            if start == NONE:
                lines.append(f"{SIDES[gang]}'s new {NAMES[piece]} starts at {SPACE_NAMES[goal]}")
            else:
                way = f"from {SPACE_NAMES[start]} to {SPACE_NAMES[goal]}"
                lines.append(f"{who} goes {way}{_crime(step) if mine else ''}")
    return lines


def _crime(step: Step) -> str:
    """The crime with which a move ends."""
    before, action, _ = step
    if before.phase != CRIME or action == act.END:
        return ""
    if action == act.HIT:
        return " and declares a hit"
    if action == act.EXTORT:
        return " and extorts protection money"
    rival, kind = courted(before, action)
    left = int(before.strength[rival, kind])
    most = 2 if before.has_dress[before.seat, V] else 1
    taken = min(left, most) if lured(step) else 0
    if not taken:
        return f" and tries in vain to lure {SIDES[rival]}'s {NAMES[kind]} away"
    own = min(int(before.strength[before.seat, kind]) + taken, int(STRENGTH_MAX[kind]))
    what = members(taken, kind)
    return (
        f" and lures {what} away from {SIDES[rival]}: "
        f"{SIDES[before.seat]} has {own} now, {SIDES[rival]} {left - taken}"
    )


def _wanted(state: State, node: int, sender: int) -> str:
    """Criminals whom an officer finds where he goes."""
    found = [
        f"{SIDES[gang]}'s {NAMES[piece]}"
        for gang in range(state.gangs)
        for piece in range(3)
        if gang != sender and state.criminal[gang, piece] and state.at[gang, piece] == node
    ]
    return f" after {listed(found)}" if found else ""


def _officer_walks(step: Step) -> list[str]:
    before, action, after = step
    sender = int(before.mover if before.phase in (STOP, DOUBLE) else before.seat)
    raiding = bool(step.counted(E_RAIDS)) and after.kind == K_COP
    walking = before.kind == K_COP and not _sent(action)
    bribed = before.sharer != NONE if walking else act.PLAY <= action < act.COP
    relieved = is_relieved(step)
    lines = []
    for k in range(len(OFFICER_IDS)):
        start, goal = int(before.cop_at[k]), int(after.cop_at[k])
        going_on = walking and before.swapped and k == before.piece
        if raiding and k == after.piece and goal == NONE:
            goal = int(after.raid_node)
        if relieved and goal == NONE and start != NONE:
            place, new = SPACE_NAMES[after.node], officer_name(after.piece)
            does = "relieve" if is_plural(new) else "relieves"
            deed = f"send {officer_name(k)} from {SPACE_NAMES[start]} to {place}"
            lines.append(doing(sender, f"{deed}, where {new} {does} {them(k)}"))
        elif goal not in (start, NONE) and not (relieved and goal == after.node):
            lit = goal >= STREETS and before.lit[goal - STREETS]
            fetched = "from the cup" if not (relieved or going_on) else "on"
            way = f"from {SPACE_NAMES[start]}" if start != NONE else fetched
            how = " for a raid" if raiding or lit else _wanted(before, goal, sender)
            how += " with a bribe marker" * int(bribed)
            lines.append(doing(sender, f"send {officer_name(k)} {way} to {SPACE_NAMES[goal]}{how}"))
    return lines


def _sent(action: int) -> bool:
    """Whether an action sends an officer on his way."""
    return act.PLAY <= action <= act.NEW_COP


def is_relieved(step: Step) -> bool:
    """Whether an officer has been relieved by another since the decision."""
    before, action, after = step
    already = before.kind == K_COP and before.swapped and not _sent(action)
    return bool(after.kind == K_COP and after.swapped and not already)


def _public_walks(step: Step) -> list[str]:
    before, _, after = step
    lines = []
    for k, name in enumerate(PUBLIC_IDS):
        start, goal = int(before.public_at[k]), int(after.public_at[k])
        if goal not in (start, NONE):
            way = f"from {SPACE_NAMES[start]}" if start != NONE else "from the cup"
            deed = f"move {public_name(name)} {way} to {SPACE_NAMES[goal]}"
            lines.append(doing(int(before.seat), deed))
    return lines


def _chief_walk(step: Step) -> list[str]:
    before, _, after = step
    start, goal = int(before.c_at), int(after.c_at)
    if goal in (start, NONE):
        return []
    if before.c_strength == 0:
        return [f"a new Commissioner starts at {SPACE_NAMES[goal]}"]
    way = f"from {SPACE_NAMES[start]} to" if start != NONE else "back to work at"
    return [f"the Commissioner goes {way} {SPACE_NAMES[goal]}{_wanted(before, goal, POLICE)}"]
