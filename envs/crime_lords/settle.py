"""SETTLE, re-placing of Crooks, elimination and spoils (CL-5.11 to 5.16, 6.9, section 17)."""

from __future__ import annotations

from ..core.kernel import kernel
from ..core.state import State
from .actions import CROOK_AT, PASS_ACTION, PLACE_AT, RACKET_AT, REBUILD
from .attack import spend
from .data import QUIT_AT
from .ending import finish, leave
from .mob import (
    ask,
    cell_free,
    depart,
    has_place,
    lieutenants,
    lift,
    lowest,
    make_boss,
    own_power,
    push,
    set_place,
    subtree,
    subtree_to_centre,
    touch,
)
from .outcome import win_racket
from .state import (
    CENTRE,
    CLASH,
    CROOKS,
    DISCARD,
    DISPLACE,
    MOVE_TO,
    MOVE_WHO,
    NEW_BOSS,
    NONE,
    RACKETS,
    REASSIGN,
    REORG,
    S_REASSIGN,
    S_RUIN,
    S_SETTLE,
    S_SPOILS,
    S_STATUS,
    S_SUB_NEXT,
    S_SUB_SIDE,
    SIDES,
    SPOILS,
    SPOILS_PAY,
    int64,
)


@kernel(leaf=True)
def settle_mob(state: State) -> None:
    """Steps 1 to 3 of SETTLE: third markers leave, elimination, new Boss (CL-6.9)."""
    seat = state.settle_mob
    to = CENTRE if state.settle_pay else DISCARD
    leaving = int64(0)
    for c in range(CROOKS):
        if state.crook_loc[c] == seat and state.unhappy[c] >= QUIT_AT:
            leaving |= int64(1) << c
    left = 0
    for c in range(CROOKS):
        if leaving >> c & 1:
            depart(state, c, to)
        left += state.crook_loc[c] == seat
    if left == 0:
        eliminate(state, seat)
        return
    push(state, S_STATUS)
    push(state, S_REASSIGN)
    state.place_seat = seat
    if state.boss[seat] < 0:
        if state.heir >= 0 and state.crook_loc[state.heir] == seat:
            make_boss(state, seat, state.heir, False)
        else:
            ask(state, NEW_BOSS, seat)


@kernel(leaf=True)
def decide_boss(state: State, phase: int, action: int) -> None:
    """The owner picks a new Boss, then how the Mob stands under him (CL-5.14)."""
    seat = state.settle_mob
    if phase == NEW_BOSS:
        state.heir = action - CROOK_AT
        others = False
        for c in range(CROOKS):
            others |= state.crook_loc[c] == seat and c != state.heir
        if others:
            ask(state, REORG, seat)
            return
    make_boss(state, seat, state.heir, action == REBUILD)


@kernel(leaf=True)
def reassign(state: State) -> None:
    """Place the orphans, strongest first; who fits nowhere goes to the centre (CL-5.12)."""
    seat = state.place_seat
    while True:
        root = NONE
        for c in range(CROOKS):
            if (
                state.crook_loc[c] == seat
                and state.superior[c] == NONE
                and state.boss[seat] != c
                and (root < 0 or own_power(state, c) > own_power(state, root))
            ):
                root = c
        if root < 0:
            return
        if has_place(state, seat, root, NONE, 0):
            push(state, S_REASSIGN)
            state.root = root
            state.under = NONE
            state.left_superior = NONE
            state.gift = 0
            ask(state, REASSIGN, seat)
            return
        subtree_to_centre(state, root)


@kernel(leaf=True)
def decide_place(state: State, phase: int, action: int) -> None:
    """A Crook goes to a place, a displaced one to a side, or a card is lost in a clash."""
    seat = state.place_seat
    if phase == CLASH:
        crook = action - CROOK_AT
        if crook == lowest(state.displaced):
            state.displaced &= state.displaced - 1
        subtree_to_centre(state, crook)
        push(state, S_SUB_SIDE)
        return
    superior, side = divmod(action - PLACE_AT, SIDES)
    touch(state, seat)
    if phase == DISPLACE:
        set_place(state, lowest(state.displaced), superior, side)
        state.displaced &= state.displaced - 1
        push(state, S_SUB_SIDE)
    else:
        set_place(state, state.root, superior, side)
        state.level = int64(1) << state.root
        push(state, S_SUB_NEXT)


@kernel(leaf=True)
def place_level(state: State) -> None:
    """Pass 1 of SUBTREE for the next level: who can, keeps his side (CL-5.11)."""
    seat = state.place_seat
    level = int64(0)
    state.displaced = 0
    for c in range(CROOKS):
        superior = state.superior[c]
        if state.crook_loc[c] == seat and superior >= 0 and state.level >> superior & 1:
            level |= int64(1) << c
            if cell_free(state, seat, superior, state.side[c], 0):
                set_place(state, c, superior, state.side[c])
            else:
                state.displaced |= int64(1) << c
    state.level = level
    touch(state, seat)
    if level != 0:
        push(state, S_SUB_SIDE)


@kernel(leaf=True)
def place_displaced(state: State) -> None:
    """Pass 2 of SUBTREE: the next displaced Crook, or the next level (CL-5.11, CL-5.13)."""
    seat = state.place_seat
    while state.displaced != 0:
        crook = lowest(state.displaced)
        for side in range(SIDES):
            if cell_free(state, seat, state.superior[crook], side, 0):
                ask(state, DISPLACE, seat)
                return
        if state.gift:
            ask(state, CLASH, seat)
            return
        state.displaced &= state.displaced - 1
        subtree_to_centre(state, crook)
    push(state, S_SUB_NEXT)


@kernel(leaf=True)
def settle_status(state: State) -> None:
    """Steps 5 and 6 of SETTLE: promoted and demoted Lieutenants, then again (CL-5.16, CL-6.9)."""
    seat = state.settle_mob
    now = lieutenants(state, seat)
    again = False
    for c in range(CROOKS):
        if state.crook_loc[c] != seat:
            continue
        bit = int64(1) << c
        if now & bit and not state.lieutenants & bit:
            state.unhappy[c] = max(0, state.unhappy[c] - 1)
        elif (
            state.lieutenants & bit
            and not now & bit
            and not state.arrivals & bit
            and state.boss[seat] != c
        ):
            state.unhappy[c] += 1
        again |= state.unhappy[c] >= QUIT_AT
    if again:
        state.settle_pay = 0
        state.lieutenants = now
        state.arrivals = 0
        state.heir = NONE
        push(state, S_SETTLE)


@kernel(leaf=True)
def eliminate(state: State, seat: int) -> None:
    """A player without a Crook is out; spoils go to who wiped him out (CL-17.1 to 17.6)."""
    state.alive[seat] = 0
    state.spoils_of = seat
    state.spoils_by = state.responsible
    living = 0
    for other in range(state.num_seats):
        living += state.alive[other]
    push(state, S_RUIN)
    if living > 1 and state.responsible >= 0:
        push(state, S_SPOILS)


@kernel(leaf=True)
def ask_spoils(state: State) -> None:
    """Ask for the next Racket of the spoils (CL-17.4)."""
    for r in range(RACKETS):
        if state.racket_loc[r] == state.spoils_of:
            ask(state, SPOILS, state.spoils_by)
            return


@kernel(leaf=True)
def decide_spoils(state: State, phase: int, action: int) -> None:
    """Take a Racket, then pay a token for the next one or stop (CL-17.4)."""
    if phase == SPOILS:
        win_racket(state, action - RACKET_AT, state.spoils_by)
        for r in range(RACKETS):
            if state.racket_loc[r] == state.spoils_of:
                ask(state, SPOILS_PAY, state.spoils_by)
                return
    elif action != PASS_ACTION:
        spend(state, action - CROOK_AT, 0)  # Rackets follow the Crooks in both numberings
        push(state, S_SPOILS)


@kernel(leaf=True)
def ruin(state: State) -> None:
    """What is left of a wiped-out Mob; one player left wins at once (CL-17.5, CL-17.6)."""
    leave(state, state.spoils_of)
    living, last = 0, NONE
    for seat in range(state.num_seats):
        if state.alive[seat]:
            living += 1
            last = seat
    if living == 1:
        finish(state, 1 << last)


@kernel(leaf=True)
def decide_move(state: State, phase: int, action: int) -> None:
    """Move a Crook with his subtree, or drop them (CL-14.1 to CL-14.4)."""
    crook = action - CROOK_AT
    seat = state.seat
    state.acted = 1
    if phase == MOVE_WHO:
        state.token[crook] = 0
        state.settle_mob = seat
        state.lieutenants = lieutenants(state, seat)
        state.arrivals = 0
        state.settle_pay = 0
        state.responsible = NONE
        state.heir = NONE
        push(state, S_SETTLE)
        state.left_superior = state.superior[crook]
        state.left_side = state.side[crook]
        lift(state, subtree(state, crook))
        state.superior[crook] = NONE
        state.place_seat = seat
        state.root = crook
        state.under = NONE
        state.gift = 0
        touch(state, seat)
        ask(state, MOVE_TO, seat)
    else:
        subtree_to_centre(state, crook)
