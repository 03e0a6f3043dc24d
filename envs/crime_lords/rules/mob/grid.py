"""The Mob on its grid (section 5): Power, places, leaving cards, and what follows from them."""

from __future__ import annotations

from typing import Final

import numpy as np

from ....core.kernel import kernel
from ....core.state import State
from ...data import (
    CROOK_N,
    CROOK_POWER,
    CROOK_TYPE,
    HOLDERS,
    MOB_BONUS,
    MOB_N,
    MOB_TYPE,
    POWER_CAP,
    RACKET_INCOME,
    RACKET_KIND,
    RACKET_POWER,
)
from ...data.codes import NO_PAY, TYPE_POWER
from ...state import CENTRE, CROOKS, DISCARD, NO_BOSS, NONE, RACKETS, SIDES, int64

DX: Final = np.array([0, 1, 0, -1], np.int8)
DY: Final = np.array([1, 0, -1, 0], np.int8)

DE_BRUIJN: Final = np.uint64(0x03F79D71B4CB0A89)
"""Its products with powers of two all differ in the upper six bits."""
LOWEST: Final = np.zeros(64, np.int64)
for _k in range(64):
    LOWEST[((int(DE_BRUIJN) << _k) & (2**64 - 1)) >> 58] = _k
_S58: Final = np.uint64(58)


@kernel(leaf=True)
def push(state: State, step: int) -> None:
    """Put a step on top of those still to come."""
    state.stack[state.stack_size] = step
    state.stack_size += 1


@kernel(leaf=True)
def ask(state: State, phase: int, seat: int) -> None:
    """Stop at a decision point (CL-4.10)."""
    state.phase = phase
    state.seat = seat


@kernel(leaf=True)
def touch(state: State, seat: int) -> None:
    """Note that what is derived from a seat's cards must be computed again."""
    if seat >= 0:
        state.dirty |= 1 << seat


@kernel(leaf=True)
def own_power(state: State, crook: int) -> int:
    """Printed Power and counters, at most 6 (CL-5.1)."""
    return min(POWER_CAP, CROOK_POWER[crook] + state.counters[crook])


@kernel(leaf=True)
def power(state: State, crook: int) -> int:
    """Own Power, plus the Boss bonus of a Boss (CL-5.1)."""
    total = min(POWER_CAP, CROOK_POWER[crook] + state.counters[crook])
    seat = state.crook_loc[crook]
    if seat >= 0 and state.boss[seat] == crook:
        total += MOB_BONUS[state.mob[seat]]
    return total


@kernel(leaf=True)
def strongest(state: State, seat: int) -> int:
    """The seat's strongest Crook with a token, the first of equals, or NONE."""
    found = NONE
    for c in range(CROOKS):
        if (
            state.crook_loc[c] == seat
            and state.token[c]
            and (found < 0 or power(state, c) > power(state, found))
        ):
            found = c
    return found


@kernel(leaf=True)
def racket_power(state: State, racket: int) -> int:
    """Power of a Racket: printed and ``TYPE_POWER`` of its controller (CL-5.1)."""
    total = int64(RACKET_POWER[racket])
    seat = state.racket_loc[racket]
    if seat >= 0:
        kind = RACKET_KIND[racket]
        if MOB_TYPE[TYPE_POWER, state.mob[seat]] == kind:
            total += MOB_N[TYPE_POWER, state.mob[seat]]
        for c in HOLDERS[TYPE_POWER]:
            if c >= 0 and CROOK_TYPE[TYPE_POWER, c] == kind and state.crook_loc[c] == seat:
                total += CROOK_N[TYPE_POWER, c]
    return total


@kernel(leaf=True)
def due_of(state: State, crook: int) -> int:
    """What a Crook is due in the pay step (CL-7.6)."""
    if CROOK_N[NO_PAY, crook] != 0:
        return 0
    return power(state, crook)


@kernel(leaf=True)
def below(state: State, crook: int, top: int) -> bool:
    """Whether a Crook stands below another one (CL-1.5)."""
    k = state.superior[crook]
    while k >= 0:
        if k == top:
            return True
        k = state.superior[k]
    return False


@kernel(leaf=True)
def subtree(state: State, top: int) -> int:
    """Bit set of a Crook and all below him; of one outside a Mob, himself."""
    bits = int64(1) << top
    seat = state.crook_loc[top]
    if seat >= 0:
        for c in range(CROOKS):
            if state.crook_loc[c] == seat and below(state, c, top):
                bits |= int64(1) << c
    return bits


@kernel(leaf=True)
def lowest(bits: int) -> int:
    """The lowest member of a bit set that is not empty."""
    return LOWEST[(np.uint64(bits & -bits) * DE_BRUIJN) >> _S58]


@kernel(leaf=True)
def lieutenants(state: State, seat: int) -> int:
    """Bit set of the Lieutenants of a Mob that has a Boss."""
    bits = int64(0)
    for c in range(CROOKS):
        if state.crook_loc[c] == seat and state.superior[c] == state.boss[seat]:
            bits |= int64(1) << c
    return bits


@kernel(leaf=True)
def cell_free(state: State, seat: int, superior: int, side: int, lifted: int) -> bool:
    """Cell test of CL-5.10: empty and touching no Crook of the grid but the superior (CL-5.4).

    Args:
        state: The record.
        seat: The Mob.
        superior: Crook on the grid.
        side: Side of his.
        lifted: Bit set of Crooks that count as off the grid.
    """
    x = state.x[superior] + DX[side]
    y = state.y[superior] + DY[side]
    for c in range(CROOKS):
        if (
            state.crook_loc[c] == seat
            and state.placed[c]
            and c != superior
            and abs(state.x[c] - x) + abs(state.y[c] - y) <= 1
            and lifted >> c & 1 == 0
        ):
            return False
    return True


@kernel(leaf=True)
def has_place(state: State, seat: int, crook: int, under: int, lifted: int) -> bool:
    """Whether a Crook off the grid has a legal place (CL-5.10), at or below ``under`` if given.

    ``lifted``: bit set of Crooks that count as off the grid.
    """
    for p in range(CROOKS):
        if state.crook_loc[p] != seat or not state.placed[p] or p == crook or lifted >> p & 1:
            continue
        if under >= 0 and p != under and not below(state, p, under):
            continue
        if power(state, p) > own_power(state, crook):
            for side in range(SIDES):
                if cell_free(state, seat, p, side, lifted):
                    return True
    return False


@kernel(leaf=True)
def can_move(state: State, crook: int) -> bool:
    """Whether a Crook on the grid has another legal place (CL-14.2)."""
    seat = state.crook_loc[crook]
    mine = own_power(state, crook)
    stronger = int64(0)
    rest = state.members[seat]
    while rest:
        p = lowest(rest)
        rest &= rest - 1
        if state.strength[p] > mine and p != crook and not below(state, p, crook):
            if state.free_sides[p]:
                return True
            stronger |= int64(1) << p
    if stronger == 0:
        return False
    # Lifting his subtree may free a side that is closed as the Mob stands.
    lifted = subtree(state, crook)
    while stronger:
        p = lowest(stronger)
        stronger &= stronger - 1
        for side in range(SIDES):
            here = state.superior[crook] == p and state.side[crook] == side
            if not here and cell_free(state, seat, p, side, lifted):
                return True
    return False


@kernel(leaf=True)
def has_room(state: State, seat: int, crook: int) -> bool:
    """Whether a Mob as it stands has a legal place for a Crook of another one (CL-5.10)."""
    mine = own_power(state, crook)
    rest = state.members[seat]
    while rest:
        p = lowest(rest)
        rest &= rest - 1
        if state.strength[p] > mine and state.free_sides[p]:
            return True
    return False


@kernel(leaf=True)
def set_place(state: State, crook: int, superior: int, side: int) -> None:
    """Put a Crook on a side of his superior (CL-5.2, CL-5.3)."""
    state.superior[crook] = superior
    state.side[crook] = side
    state.x[crook] = state.x[superior] + DX[side]
    state.y[crook] = state.y[superior] + DY[side]
    state.placed[crook] = 1


@kernel(leaf=True)
def lift(state: State, bits: int) -> None:
    """Take Crooks off the grid; who reports to whom stays."""
    for c in range(CROOKS):
        if bits >> c & 1:
            state.placed[c] = 0


@kernel(leaf=True)
def remove_crook(state: State, crook: int, to: int) -> None:
    """Put one Crook into the centre or the discard: no markers, no token (CL-5.9, 6.4, 6.6)."""
    touch(state, state.crook_loc[crook])
    state.crook_loc[crook] = to
    state.superior[crook] = NONE
    state.side[crook] = 0
    state.x[crook] = 0
    state.y[crook] = 0
    state.placed[crook] = 0
    state.unhappy[crook] = 0
    state.token[crook] = 0
    state.free_sides[crook] = 0
    state.strength[crook] = 0
    state.subordinates[crook] = 0
    state.depth[crook] = 0
    if to == DISCARD:
        state.counters[crook] = 0


@kernel(leaf=True)
def subtree_to_centre(state: State, crook: int) -> None:
    """A Crook and all below him go to the centre."""
    bits = subtree(state, crook)
    for c in range(CROOKS):
        if bits >> c & 1:
            remove_crook(state, c, CENTRE)


@kernel(leaf=True)
def depart(state: State, crook: int, to: int) -> None:
    """One Crook leaves his Mob; his direct subordinates become orphans (CL-6.5).

    Those of a Boss stay on the grid as Lieutenants of a vanished Boss until there is a new one.
    """
    seat = state.crook_loc[crook]
    was_boss = state.boss[seat] == crook
    for c in range(CROOKS):
        if state.crook_loc[c] == seat and state.superior[c] == crook:
            if was_boss:
                state.superior[c] = NO_BOSS
            else:
                state.superior[c] = NONE
                lift(state, subtree(state, c))
    if was_boss:
        state.boss[seat] = NONE
    remove_crook(state, crook, to)


@kernel(leaf=True)
def make_boss(state: State, seat: int, boss: int, rebuild: bool) -> None:
    """A remaining Crook becomes Boss: KEEP or REBUILD of CL-5.14."""
    state.unhappy[boss] = 0
    for c in range(CROOKS):
        if state.crook_loc[c] == seat and c != boss:
            if rebuild:
                state.superior[c] = NONE
                state.placed[c] = 0
            elif state.superior[c] == boss:
                state.superior[c] = NONE
                lift(state, subtree(state, c))
    state.boss[seat] = boss
    state.superior[boss] = NONE
    state.side[boss] = 0
    state.x[boss] = 0
    state.y[boss] = 0
    state.placed[boss] = 1
    strength = power(state, boss)
    for c in range(CROOKS):
        if state.crook_loc[c] == seat and state.superior[c] == NO_BOSS:
            if own_power(state, c) < strength:
                state.superior[c] = boss
            else:
                state.superior[c] = NONE
                lift(state, subtree(state, c))
    touch(state, seat)


@kernel(leaf=True)
def join(state: State, bits: int, seat: int, root: int) -> None:
    """A lifted subtree joins a Mob; who comes from another one loses a marker (CL-6.2, 10.10)."""
    for c in range(CROOKS):
        if bits >> c & 1:
            old = state.crook_loc[c]
            touch(state, old)
            if old >= 0 and state.unhappy[c] > 0:
                state.unhappy[c] -= 1
            state.crook_loc[c] = seat
            state.placed[c] = 0
    state.superior[root] = NONE
    touch(state, seat)


@kernel(leaf=True)
def move_racket(state: State, racket: int, to: int) -> None:
    """A Racket changes hands; in the centre it loses token and block (CL-5.9, CL-7.5)."""
    touch(state, state.racket_loc[racket])
    touch(state, to)
    state.racket_loc[racket] = to
    if to < 0:
        state.income[racket] = RACKET_INCOME[racket]
        state.racket_token[racket] = 0
        state.blocked[racket] = 0


@kernel(leaf=True)
def gain_money(state: State, seat: int, amount: int) -> None:
    """Money of a public event: treasury and ledger move alike, neither below 0 (CL-7.1, 19.2)."""
    state.treasury[seat] = max(0, state.treasury[seat] + amount)
    state.ledger[seat] = max(0, state.ledger[seat] + amount)
    state.funds[seat] += amount
    state.lowest_funds[seat] = min(state.lowest_funds[seat], state.funds[seat])


@kernel(leaf=True)
def give_tokens(state: State, seat: int, rackets: bool) -> None:
    """Every Crook, and every Racket with Power if asked for, has a token (T7, CL-13.3)."""
    for c in range(CROOKS):
        if state.crook_loc[c] == seat:
            state.token[c] = 1
    if rackets:
        for r in range(RACKETS):
            if state.racket_loc[r] == seat and RACKET_POWER[r] > 0:
                state.racket_token[r] = 1
