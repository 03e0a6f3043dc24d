"""Shootouts in words: why they began, who hit whom, and who fell."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from ...core.presentation.sentences import is_plural, listed
from ...core.state import State
from ..data import BUILDING_NAMES, OFFICER_IDS, SIDES, STREETS
from ..state import (
    ALLOC,
    E_ARRESTS,
    E_SHOT,
    NONE,
    POLICE,
    SHARE,
    U_COMMISSIONER,
    U_COP,
    U_JOINT,
    UNITS,
)
from .narration import SPACE_NAMES

TIMES: Final = ("", " once", " twice")


class Fight(NamedTuple):
    """A shootout that is over.

    Attributes:
        node: Where it was.
        sheet: A position that holds its shots and hits.
    """

    node: int
    sheet: State


def finished_fight(before: State, after: State) -> Fight | None:
    """The last shootout that ended between two decisions, if its sheet is still there."""
    resumed = before.fight != NONE and before.phase != SHARE
    over = after.fight == NONE or after.phase == SHARE
    if resumed and before.phase == ALLOC and (over or after.fight != before.fight):
        return Fight(int(before.fight), before)
    shots = after.events[E_SHOT] + after.events[E_ARRESTS]
    changed = any((before[name] != after[name]).any() for name in ("target", "hits", "loss"))
    if not over or not (changed or shots != before.events[E_SHOT] + before.events[E_ARRESTS]):
        return None
    if after.fight != NONE:
        return Fight(int(after.fight), after) if before.fight != after.fight or resumed else None
    units = [
        unit
        for unit in range(UNITS)
        if after.target[unit] != NONE or after.returns[unit] != NONE or after.loss[unit]
    ]
    nodes = {_node(before, after, unit) for unit in units} - {NONE}
    return Fight(nodes.pop(), after) if len(nodes) == 1 else None


def _node(before: State, after: State, unit: int) -> int:
    """Where a unit fought: it may have come or gone with the same decision."""
    if unit == U_JOINT:
        return NONE
    if unit < U_JOINT:
        gang, piece = divmod(unit, 3)
        at = int(after.at[gang, piece])
        return at if at != NONE else int(before.at[gang, piece])
    if unit == U_COMMISSIONER:
        return int(after.c_at if after.c_at != NONE else before.c_at)
    return int(before.cop_at[unit - U_COP])


def shots(
    before: State,
    after: State,
    fight: Fight | None,
    lured: tuple[int, int] | None,
    lost: Collection[int],
) -> list[str]:
    """A line for each place at which somebody was hit, or that saw shots.

    Args:
        before: The position before the decision.
        after: The position after all that followed.
        fight: The shootout whose sheet is known.
        lured: The piece that lost members to a Vamp instead.
        lost: Buildings that lost a level, or their owner, by something else.
    """
    fallen = _fallen(before, after, fight, lured, lost)
    lines = []
    if fight is not None:
        course = [*_course(before, after, fight), *(fallen.pop(fight.node, ["nobody falls"]))]
        why = f" ({_reasons(fight.sheet)})"
        lines.append(f"shots at {SPACE_NAMES[fight.node]}{why}: {'; '.join(course)}")
    for node, words in fallen.items():
        lines.append(f"shots at {SPACE_NAMES[node]}: {'; '.join(words)}")
    return lines


def _reasons(sheet: State) -> str:
    """Why a shootout began."""
    fired = [unit for unit in range(UNITS) if sheet.target[unit] != NONE]
    found = [
        word
        for word, some in (
            ("hit", any(unit < U_JOINT for unit in fired)),
            ("arrest", any(unit >= U_COP for unit in fired)),
            ("guards", U_JOINT in fired),
        )
        if some
    ]
    return listed(found)


def _course(before: State, after: State, fight: Fight) -> list[str]:
    """Who hit whom, those who opened fire first."""
    found = []
    for aims in (fight.sheet.target, fight.sheet.returns):
        for unit in range(UNITS):
            side = int(aims[unit])
            if side == NONE:
                continue
            who, hits = _unit(unit), int(fight.sheet.hits[unit])
            whom = "the police" if side == POLICE else SIDES[side]
            many = is_plural(who) or unit == U_JOINT
            verb = ("hit" if many else "hits") if hits else ("miss" if many else "misses")
            times = TIMES[hits] if hits < len(TIMES) else f" {hits} times"
            found.append(f"{who} {verb} {whom}{times}")
    return found


def _unit(unit: int) -> str:
    """A unit of a shootout that fires."""
    if unit < U_JOINT:
        return f"{SIDES[unit // 3]}'s {('Racketeer', 'Thug')[unit % 3]}"
    if unit == U_JOINT:
        return "the guards"
    if unit == U_COMMISSIONER:
        return "the Commissioner"
    name = OFFICER_IDS[unit - U_COP]
    return f"officer {name}" if name.isdecimal() else "the Untouchables"


def _fallen(
    before: State,
    after: State,
    fight: Fight | None,
    lured: tuple[int, int] | None,
    lost: Collection[int],
) -> dict[int, list[str]]:
    """Who and what fell, by the place where it was."""
    found: dict[int, list[str]] = {}
    for gang in range(before.gangs):
        for piece in range(3):
            old, new = int(before.strength[gang, piece]), int(after.strength[gang, piece])
            node = int(before.at[gang, piece])
            fell = 0 if (gang, piece) == lured else old - new
            if fight is not None and fight.sheet is after and after.loss[gang * 3 + piece]:
                node, fell = fight.node, int(after.loss[gang * 3 + piece])
            if fell > 0 and node != NONE:
                what = _lost(fell, piece, last=new == 0)
                found.setdefault(node, []).append(f"{SIDES[gang]} loses {what}")
    for building, name in enumerate(BUILDING_NAMES):
        level, node = int(after.level[building]), building + STREETS
        if level < before.level[building] and building not in lost:
            ending = f"is at level {level} now" if level else "closes"
            found.setdefault(node, []).append(f"{name} {ending}")
    if after.c_strength < before.c_strength:
        left = f"has strength {after.c_strength} left" if after.c_strength else "falls"
        found.setdefault(int(before.c_at), []).append(f"the Commissioner {left}")
    return found


def _lost(count: int, piece: int, *, last: bool) -> str:
    """Members of a piece, or what was left of it."""
    name = ("Racketeer", "Thug", "Vamp")[piece]
    if name == "Vamp":
        return "its Vamp"
    if count == 1:
        return f"its last {name}" if last else f"1 {name}"
    return f"its last {count} {name}s" if last else f"{count} {name}s"
