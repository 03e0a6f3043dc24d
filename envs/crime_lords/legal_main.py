"""Legal actions of MAIN (CL-4.11)."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.kernel import kernel
from ..core.state import State
from .actions import (
    ABIL,
    BUGLE,
    DOUBLE,
    DROP,
    END,
    HIT_AT,
    MOVE,
    OFFER,
    QUIT,
    REC_AT,
    RETIRE,
    SHOW,
    SPECIAL_AT,
    TAKE_AT,
    VISIT,
)
from .data import (
    ALIAS_WEAKNESS,
    ANY_TIME,
    CHEER_BUY,
    CROOK_N,
    KIND_OF_COPY,
    LEAD_TAKE,
    LOYAL_SELF,
    MATCHES,
    OWN_TURN,
    RACKET_KIND,
    RACKET_N,
    RACKET_TYPE,
    REGULAR_TYPES,
    TIMING,
    TURN_ABILITY,
    WEAKNESS,
)
from .mob import can_move, lowest, own_power
from .specials import ability_target, special_target
from .state import CENTRE, COPIES, CROOKS, NONE, RACKETS, int64

Mask = NDArray[np.bool_]


CHEERERS: Final = np.flatnonzero(RACKET_N[CHEER_BUY])
ALIASES: Final = np.flatnonzero(RACKET_N[ALIAS_WEAKNESS])


@kernel(leaf=True)
def cheering(state: State, seat: int) -> int:
    """Bit set of the types that a seat's Rackets match (CL-6.3, ``ALIAS_WEAKNESS``)."""
    bits = int64(0)
    for kind in range(REGULAR_TYPES):
        if state.types[seat, kind] > 0:
            bits |= int64(1) << kind
    for r in ALIASES:
        if state.racket_loc[r] == seat:
            bits |= MATCHES[r]
    return bits


@kernel(leaf=True)
def main_choices(state: State, mask: Mask) -> None:
    """Choices of MAIN that name no target (CL-4.11)."""
    seat = state.seat
    boss = state.boss[seat]
    mask[END] = True
    bugle = False
    cheered = cheering(state, seat)
    for r in CHEERERS:
        if state.racket_loc[r] == seat and not state.bugle:
            bugle |= state.treasury[seat] >= RACKET_N[CHEER_BUY, r]
    rest = state.members[seat]
    while rest:
        c = lowest(rest)
        rest &= rest - 1
        if c != boss:
            mask[DROP] = True
        if state.unhappy[c] > 0 and bugle:
            mask[BUGLE] = True
        if not state.token[c]:
            continue
        if state.unhappy[c] > 0 and WEAKNESS[c] & cheered:
            mask[VISIT] = True
        if c != boss:
            if state.superior[c] == boss:
                mask[DOUBLE] = True
            if not mask[MOVE] and can_move(state, c):
                mask[MOVE] = True
        if TURN_ABILITY[c] >= 0 and not mask[ABIL] and ability_target(state, seat, c):
            mask[ABIL] = True
    if mask[DOUBLE] and state.treasury[seat] >= 2 * state.strength[boss]:
        mask[RETIRE] = True
    if state.trade and state.offers < state.offers_per_turn and state.heat < 0:
        mask[OFFER] = True
    if state.allow_quit:
        mask[QUIT] = True
    for s in range(COPIES):
        if state.special_loc[s] == seat:
            kind = KIND_OF_COPY[s]
            if state.show_specials and not state.shown[s]:
                mask[SHOW] = True
            if TIMING[kind] in (ANY_TIME, OWN_TURN):
                mask[SPECIAL_AT + kind] = special_target(state, seat, kind)


@kernel(leaf=True)
def main_targets(state: State, mask: Mask) -> None:
    """Attacks that can be announced in MAIN (CL-4.11, 10.1, 11.1, 12.1)."""
    seat = state.seat
    strongest = int64(-1)
    tokens = 0
    holder = NONE
    rest = state.members[seat]
    while rest:
        c = lowest(rest)
        rest &= rest - 1
        if state.token[c]:
            strongest = max(strongest, int64(state.strength[c]))
            tokens += 1
            holder = c
    if tokens > 0:
        for c in range(CROOKS):
            loc = state.crook_loc[c]
            if loc < 0 and loc != CENTRE:
                continue
            is_boss = loc >= 0 and state.boss[loc] == c
            if loc == seat:
                mask[HIT_AT + c] = not is_boss and (tokens > 1 or holder != c)
                continue
            mask[HIT_AT + c] = True
            if not is_boss and own_power(state, c) < strongest:
                loyal = loc >= 0 and CROOK_N[LOYAL_SELF, c] != 0
                mask[REC_AT + c] = not loyal and state.barred_rec >> c & 1 == 0
    for r in range(RACKETS):
        loc = state.racket_loc[r]
        if (loc == CENTRE or loc >= 0) and loc != seat and state.barred_take >> r & 1 == 0:
            mask[TAKE_AT + r] = tokens > 0 or racket_leader(state, seat, r)


@kernel(leaf=True)
def racket_leader(state: State, seat: int, target: int) -> bool:
    """Whether a Racket of the seat can lead a takeover of the target (CL-11.2)."""
    for r in range(RACKETS):
        if (
            state.racket_loc[r] == seat
            and state.racket_token[r]
            and RACKET_N[LEAD_TAKE, r]
            and RACKET_TYPE[LEAD_TAKE, r] == RACKET_KIND[target]
        ):
            return True
    return False
