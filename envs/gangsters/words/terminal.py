"""The table as text for a terminal."""

from __future__ import annotations

from typing import Final

from ...core.game import Game
from ...core.state import State
from ..data import OFFICER_IDS, PUBLIC_IDS, PUBLIC_VALUE, SIDES
from ..data.checks import STREETS
from ..rules.common import crime_level, joints_of
from ..state import NONE, POLICE
from . import street_map
from .narration import SPACE_NAMES, short_prompt

PIECES: Final = ("Racketeer", "Thug", "Vamp")
EQUIPMENT: Final = (("has_heaters", "Heaters"), ("has_wheels", "Wheels"), ("has_dress", "Dress"))
LEGEND: Final = (
    "Map: + crossing, o space, 1 to 6 Subway. Rr, Rt, Rv: Red's Racketeers, Thugs, Vamp (G, Y, B",
    "likewise); C: Commissioner, c4: officer 4, p2: Public worth 2, *: more there, or somebody in",
    "a building. R2: Red's joint of level 2; P: a precinct headquarters; !: on its criminal side.",
)


def text(game: Game, state: State, viewer: int | None) -> str:
    """The table, as ``viewer`` sees it; ``None`` for all open. Four blocks: what goes on, the
    sides, the others on the board, and the map."""
    sides = [line for seat in range(state.num_seats) for line in _side(state, seat, viewer)]
    map_lines = street_map.draw(_on_streets(state, viewer), _at_buildings(state, viewer))
    blocks = [[_head(state, viewer)], sides, _others(state), [*map_lines, *LEGEND]]
    return "\n\n".join("\n".join(block) for block in blocks)


def _head(state: State, viewer: int | None) -> str:
    if state.over:
        return "The game is over."
    words = f"Round {state.round_number}"
    if state.seat >= 0:
        words += f": {SIDES[state.seat]}, {short_prompt(state, viewer)}"
    words += f"  Crime level {crime_level(state)}."
    if state.dice.any():
        words += "  Dice " + ", ".join(str(d) if d else "-" for d in state.dice) + "."
    return words


def _side(state: State, seat: int, viewer: int | None) -> list[str]:
    """A side's money (if the viewer may know it), markers, pieces and buildings."""
    own = viewer is None or viewer == seat
    cash = f"${state.cash[seat]:,}" if own or (state.open_cash and state.revealed) else "$?"
    held = int((state.slot_seat == seat).sum())
    names = [OFFICER_IDS[o] for o in range(9) if state.holder[o] == seat]
    bribes = (" for " + ", ".join(names) if names else " none") if own else f" {held}"
    words = f"{'>' if state.seat == seat else ' '} {SIDES[seat]:7} {cash:>6}  bribes{bribes}"
    if seat == POLICE:
        chits = [str(c + 1) for c in range(3) if state.chit_slot[c] != NONE]
        words += "  chits "
        words += (", ".join(chits) or "none") if own else str(int(state.chit_full.sum()))
    lines = [words, f"{'':10}{_pieces(state, seat) if own or state.revealed else 'pieces: secret'}"]
    owned = [b for b in range(len(state.owner)) if state.owner[b] == seat]
    if owned:
        what = "precincts" if seat == POLICE else "joints"
        names = [
            SPACE_NAMES[STREETS + b] + (f" (level {state.level[b]})" if seat != POLICE else "")
            for b in owned
        ]
        count = int(joints_of(state, seat))
        lines += _folded(f"{count} {what[: -1 if count == 1 else None]}: {', '.join(names)}")
    return lines


def _folded(words: str) -> list[str]:
    """A long text in lines, below a side's name."""
    lines = [""]
    for part in words.split(" "):
        if len(lines[-1]) + len(part) + 11 > street_map.WIDTH:
            lines.append("")
        lines[-1] += f" {part}" if lines[-1] else part
    return [f"{'':10}{line}" for line in lines]


def _pieces(state: State, seat: int) -> str:
    if seat == POLICE:
        if state.c_at == NONE:
            return f"Commissioner of strength {state.c_strength}, not on the board"
        return f"Commissioner of strength {state.c_strength} at {SPACE_NAMES[state.c_at]}"
    parts = []
    for p, name in enumerate(PIECES):
        if state.at[seat, p] == NONE:
            continue
        count = int(state.strength[seat, p])
        words = name if name == "Vamp" else f"{count} {name}{'s' if count != 1 else ''}"
        gear = [what for field, what in EQUIPMENT if state[field][seat, p]]
        words += f" with {' and '.join(gear)}" if gear else ""
        words += " (criminal)" if state.criminal[seat, p] else ""
        parts.append(f"{words} at {SPACE_NAMES[state.at[seat, p]]}")
    return "; ".join(parts) or "no piece on the board"


def _others(state: State) -> list[str]:
    """Officers and Publics on the board."""
    officers = [
        f"officer {OFFICER_IDS[o]} at {SPACE_NAMES[state.cop_at[o]]}"
        for o in range(10)
        if state.cop_at[o] >= 0
    ]
    publics = [
        f"{'Informant' if state.informant[p] else 'Public'} worth {PUBLIC_VALUE[p]} "
        f"at {SPACE_NAMES[state.public_at[p]]}"
        for p in range(4)
        if state.public_at[p] != NONE
    ]
    return [
        "Officers: " + ("; ".join(officers) or "none on the board"),
        "Publics:  " + ("; ".join(publics) or "none on the board"),
    ]


def _standing(state: State, viewer: int | None) -> dict[int, list[str]]:
    """Marks of the pieces at each node."""
    found: dict[int, list[str]] = {}
    for gang in range(state.gangs):
        if state.revealed or viewer in (None, gang):
            for p, letter in enumerate("rtv"):
                if state.at[gang, p] != NONE:
                    found.setdefault(int(state.at[gang, p]), []).append(SIDES[gang][0] + letter)
    if state.c_at != NONE and (state.revealed or viewer in (None, POLICE)):
        found.setdefault(int(state.c_at), []).append("C")
    for o, name in enumerate(OFFICER_IDS):
        if state.cop_at[o] >= 0:
            found.setdefault(int(state.cop_at[o]), []).append(f"c{name}")
    for p in range(len(PUBLIC_IDS)):
        if state.public_at[p] != NONE:
            found.setdefault(int(state.public_at[p]), []).append(f"p{PUBLIC_VALUE[p]}")
    return found


def _on_streets(state: State, viewer: int | None) -> dict[int, str]:
    return {
        node: marks[0] + "*" * (len(marks) > 1)
        for node, marks in _standing(state, viewer).items()
        if node < STREETS
    }


def _at_buildings(state: State, viewer: int | None) -> dict[int, str]:
    """Owner, level and whether somebody is in it."""
    there = _standing(state, viewer)
    found = {}
    for b in range(len(state.owner)):
        mark = ""
        if state.owner[b] != NONE:
            level = "" if state.owner[b] == POLICE else str(int(state.level[b]))
            mark = SIDES[state.owner[b]][0] + level + "!" * int(state.lit[b])
        mark += "*" * (STREETS + b in there)
        if mark:
            found[b] = mark
    return found
