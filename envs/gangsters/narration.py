"""Sentences about actions and events."""

from __future__ import annotations

import re
from typing import Final

from ..core.state import State
from .actions import text_of
from .data import BOARD, BUILDING_NAMES, NODE, OFFICER_IDS, SIDES
from .state import COP_DEST, DEST, DOUBLE, NONE, PHASES, PIECES, SHARE, STOP

PIECE_NAMES: Final = {"R": "racketeer", "T": "thug", "V": "vamp", "C": "commissioner"}
SPACE_NAMES: Final = (*(entry["name"] for entry in BOARD["spaces"].values()), *BUILDING_NAMES)
WORDS: Final = {
    "end": "done", "buy": "buy the building", "up": "improve the joint", "bribe": "buy a bribe",
    "public new": "bring in a new public", "cop new": "bring in a new officer",
    "via": "change duty on the way", "commissioner": "move the commissioner",
    "hire": "hire an informant", "hit": "declare a hit", "extort": "extort",
    "raid": "raid the joint", "arrest": "make an arrest", "own die": "move by the own die",
    "all dice": "move by all dice", "cash 0": "no cash changes hands",
}  # fmt: skip


def describe(state: State, action: int) -> str:
    """What an action does, for the seat that decides."""
    text = text_of(state, action)
    verb, _, rest = text.partition(" ")
    if verb == "go":
        what = "to"
        if state.phase == DEST:
            what = f"{list(PIECE_NAMES.values())[state.piece]} to"
        elif state.phase == COP_DEST:
            what = f"officer {OFFICER_IDS[state.piece]} to"
        return f"{what} {SPACE_NAMES[NODE[rest]]}"
    if state.phase in (STOP, DOUBLE, SHARE):
        what = PHASES[state.phase].lower()
        officer = f"officer {OFFICER_IDS[state.asked]}"
        return f"bribe: {what} {officer}" if verb == "yes" else f"do not {what} {officer}"
    if verb in ("move", "recruit", "stay") and rest in PIECE_NAMES:
        act = {"move": "move the", "recruit": "recruit for the", "stay": "extort with the"}[verb]
        return f"{act} {PIECE_NAMES[rest]}"
    if verb in ("play", "cop") and rest in OFFICER_IDS:
        return f"{'bribe: ' * (verb == 'play')}move officer {rest}"
    return WORDS.get(text, re.sub(r"\b([RTV])$", lambda m: PIECE_NAMES[m[1]], text))


def narrate(before: State, action: int, after: State, viewer: int | None) -> list[str]:
    """What all may see of one decision and its consequences.

    Cash is told to nobody but by public payments; set-up choices only to those who made them.
    """
    seat = int(before.seat)
    hidden = not before.revealed and PHASES[before.phase] != "PICK"
    said = "makes a secret choice" if hidden and viewer not in (None, seat) else None
    lines = [f"{SIDES[seat]}: {said or describe(before, action)}."]
    if after.revealed and (after.dice != before.dice).any() and after.dice.any():
        who = SIDES[after.active]
        lines.append(f"{who} rolls {'/'.join(str(d) for d in after.dice if d)}.")
    if before.revealed:
        lines += _losses(before, after)
    for building in range(len(after.owner)):
        old, new = int(before.owner[building]), int(after.owner[building])
        name = BUILDING_NAMES[building]
        if old != new:
            lines.append(
                f"{name} is {SIDES[new]}'s." if new != NONE else f"{name} has no owner any more."
            )
        elif after.level[building] != before.level[building]:
            lines.append(f"{name} is at level {after.level[building]}.")
    if after.over:
        winners = [SIDES[s] for s in range(after.num_seats) if after.places[s] == 1]
        lines.append("The game is drawn." if after.capped else f"{winners[0]} wins.")
    return lines


def _losses(before: State, after: State) -> list[str]:
    lines = []
    names = list(PIECE_NAMES.values())
    for gang in range(before.gangs):
        for piece in range(PIECES[1]):
            old, new = int(before.strength[gang, piece]), int(after.strength[gang, piece])
            if old != new:
                lines.append(f"{SIDES[gang]}'s {names[piece]} goes from {old} to {new}.")
    if before.c_strength != after.c_strength:
        lines.append(f"The commissioner goes from {before.c_strength} to {after.c_strength}.")
    return lines
