"""The table as text for a terminal."""

from __future__ import annotations

from ...core.state import State
from ..data.tables import NODE_NAMES, OFFICER_IDS, PUBLIC_IDS, SIDES, STREETS
from ..rules.common import crime_level, joints_of
from ..state import GANGS, NONE, PHASES, POLICE


def place(node: int) -> str:
    """Short id of a node, ``-`` off the board."""
    return NODE_NAMES[node] if node != NONE else "-"


def seat_line(state: State, seat: int, viewer: int | None) -> str:
    """A seat's cash (if the viewer may know it), pieces and markers."""
    own = viewer is None or viewer == seat
    cash = f"${state.cash[seat]}" if own or (state.open_cash and state.revealed) else "$?"
    held = int((state.slot_seat == seat).sum())
    known = ",".join(OFFICER_IDS[o] for o in range(9) if state.holder[o] == seat)
    markers = (known or "none") if own else str(held)
    if not state.revealed and not own:
        pieces = "secret"
    elif seat == POLICE:
        pieces = f"C{state.c_strength}@{place(state.c_at)}"
        chits = ",".join(f"x{c + 1}" for c in range(3) if state.chit_slot[c] != NONE)
        markers += f", chits {(chits or 'none') if own else int(state.chit_full.sum())}"
    else:
        pieces = " ".join(
            f"{'RTV'[p]}{state.strength[seat, p]}@{place(state.at[seat, p])}"
            + "!" * int(state.criminal[seat, p])
            for p in range(3)
        )
    turn = ">" if state.seat == seat else " "
    owned = int(joints_of(state, seat))
    return f"{turn} {SIDES[seat]:7} {cash:>7}  {pieces}  joints {owned}  markers {markers}"


def text(state: State, viewer: int | None) -> str:
    """The table, as ``viewer`` sees it; ``None`` for all open."""
    head = f"Round {state.round_number}, {PHASES[state.phase]}, crime level {crime_level(state)}"
    if state.dice.any():
        head += ", dice " + "/".join(str(d) if d else "-" for d in state.dice)
    lines = [head if not state.over else "The game is over."]
    lines += [seat_line(state, seat, viewer) for seat in range(state.num_seats)]
    cops = [f"{OFFICER_IDS[o]}@{place(state.cop_at[o])}" for o in range(10) if state.cop_at[o] >= 0]
    publics = [
        f"{PUBLIC_IDS[p]}@{place(state.public_at[p])}" + "i" * int(state.informant[p])
        for p in range(4)
        if state.public_at[p] != NONE
    ]
    lines += ["cops: " + (" ".join(cops) or "none"), "publics: " + (" ".join(publics) or "none")]
    for side in range(GANGS + 1):
        owned = [
            f"{NODE_NAMES[STREETS + b]}:{state.level[b]}" + "!" * int(state.lit[b])
            for b in range(len(state.owner))
            if state.owner[b] == side
        ]
        if owned:
            lines.append(f"{SIDES[side]}: {' '.join(owned)}")
    return "\n".join(lines)
