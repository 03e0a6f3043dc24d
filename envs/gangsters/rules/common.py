"""Small questions and changes that many rules share."""

from __future__ import annotations

from typing import Final

from ...core.kernel import kernel
from ...core.rng import randint
from ...core.state import State
from ..data import COLOUR, CRIME_LEVEL_MAX, PUBLIC_VALUE, STREETS
from ..state import GANGS, NONE, POLICE, STEP_DECIDE

PUBLICS: Final = 4
OFFICERS: Final = 10


@kernel(leaf=True)
def ask(state: State, phase: int, seat: int) -> None:
    """A decision is due."""
    state.phase = phase
    state.seat = seat
    state.step = STEP_DECIDE


@kernel
def crime_level(state: State) -> int:
    """Criminal gang pieces on the board for each level, rounded up, at most 6 (G-2.19)."""
    count = 0
    for gang in range(GANGS):
        for piece in range(3):
            count += state.criminal[gang, piece]
    per = state.criminals_per_level
    return min((count + per - 1) // per, CRIME_LEVEL_MAX)


@kernel(leaf=True)
def criminal_rival(state: State, node: int, side: int) -> bool:
    """Whether a criminal gang piece of another side than ``side`` stands at a node."""
    for gang in range(GANGS):
        if gang != side:
            for piece in range(3):
                if state.criminal[gang, piece] and state.at[gang, piece] == node:
                    return True
    return False


@kernel(leaf=True)
def officers_out(state: State) -> int:
    """Officers on the board."""
    count = 0
    for officer in range(OFFICERS):
        count += state.cop_at[officer] != NONE
    return count


@kernel(leaf=True)
def may_be_drawn(state: State, officer: int) -> bool:
    """Whether an officer may come out of the cup.

    One who has moved in this Cop Turn is shown and put back when he is drawn (G-9.20). All know
    the cup, so the draw is made among the others.
    """
    moved = state.active == POLICE and state.cop_done[officer] != 0
    return state.cop_at[officer] == NONE and not moved


@kernel(leaf=True)
def officers_to_draw(state: State, but: int) -> int:
    """Officers of the cup, other than ``but``, who may come (G-9.13, G-9.20, G-20.4)."""
    count = 0
    for officer in range(OFFICERS):
        count += officer != but and may_be_drawn(state, officer)
    return count


@kernel(leaf=True)
def level_permits(state: State) -> bool:
    """Whether a new officer may come (G-9.4)."""
    return officers_to_draw(state, NONE) > 0 and officers_out(state) <= crime_level(state)


@kernel(leaf=True)
def owner_at(state: State, node: int) -> int:
    """Owner of the building at a node; NONE for streets and unowned buildings."""
    return state.owner[node - STREETS] if node >= STREETS else NONE


@kernel
def joints_of(state: State, side: int) -> int:
    """Buildings that a side owns."""
    count = 0
    for building in range(len(state.owner)):
        count += state.owner[building] == side
    return count


@kernel(leaf=True)
def of_colour(state: State, side: int, colour: int) -> int:
    """Joints of a colour that a side owns."""
    count = 0
    for building in range(len(state.owner)):
        count += state.owner[building] == side and COLOUR[building] == colour
    return count


@kernel(leaf=True)
def extortable(state: State, node: int) -> bool:
    """An unowned coloured or gray building (G-11.2)."""
    return node >= STREETS and state.owner[node - STREETS] == NONE


@kernel(leaf=True)
def public_value(state: State, node: int) -> int:
    """Sum of the values of the Publics at a node (G-11.6)."""
    total = 0
    for public in range(PUBLICS):
        if state.public_at[public] == node:
            total += PUBLIC_VALUE[public]
    return total


@kernel(leaf=True)
def drop_public(state: State, public: int) -> None:
    """A Public goes to the cup; an Informant becomes ordinary again (G-10.8)."""
    state.public_at[public] = NONE
    state.public_came[public] = NONE
    state.informant[public] = 0
    state.public_moved[public] = 0


@kernel(leaf=True)
def drop_cop(state: State, officer: int) -> None:
    """An officer goes to the cop cup."""
    state.cop_at[officer] = NONE
    state.cop_came[officer] = NONE
    state.cop_mover[officer] = NONE
    state.cop_share[officer] = NONE


@kernel(leaf=True)
def remove_piece(state: State, gang: int, piece: int) -> None:
    """A piece at strength 0 leaves the board and loses its equipment (G-16.6)."""
    state.strength[gang, piece] = 0
    state.at[gang, piece] = NONE
    state.came[gang, piece] = NONE
    state.criminal[gang, piece] = 0
    state.hit[gang, piece] = 0
    state.extort[gang, piece] = 0
    state.has_heaters[gang, piece] = 0
    state.has_wheels[gang, piece] = 0
    state.has_dress[gang, piece] = 0


@kernel(leaf=True)
def take_building(state: State, building: int, side: int) -> None:
    """A building gets an owner at level 1, or none."""
    state.owner[building] = side
    state.level[building] = 1 if side != NONE else 0
    state.lit[building] = 0


@kernel(leaf=True)
def return_marker(state: State, officer: int) -> None:
    """A marker that is played goes back to the bribe cup, seen by all (G-9.7)."""
    slot = state.slot_of[officer]
    if slot >= 0:
        state.slot_seat[slot] = NONE
        state.slot_time[slot] = 0
    state.holder[officer] = NONE
    state.slot_of[officer] = NONE
    state.clock += 1
    state.returned[officer] = state.clock


@kernel(leaf=True)
def cup_markers(state: State) -> int:
    """Officer markers in the bribe cup: public, as every place that holds one is seen."""
    count = 9
    for slot in range(9):
        count -= state.slot_seat[slot] != NONE
    return count


@kernel(leaf=True)
def draw(state: State, count: int) -> int:
    """A uniform draw from ``count`` items; from one item it is no chance event (G-17.1)."""
    return randint(state, count) if count > 1 else 0


@kernel(leaf=True)
def half(amount: int) -> int:
    """Half of an amount, rounded up to the next $100 (G-1.6)."""
    return (amount // 100 + 1) // 2 * 100
