"""Legal actions of every decision point (CL-4.10, CL-4.11)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..core.kernel import kernel
from ..core.state import State
from .actions import (
    AGAINST_AT,
    AMOUNT_AT,
    BACKOUT,
    BID_AT,
    BSWING,
    CROOK_AT,
    FOR_AT,
    FULL,
    HIT_AT,
    KEEP,
    ONE,
    PASS_ACTION,
    PLACE_AT,
    PLAYER_AT,
    RACKET_AT,
    REBUILD,
    SPECIAL_AT,
    SWING,
    YES,
)
from .assistance import boss_swing, eligible, muscle, swinger
from .data import (
    ANY_TIME,
    CROOK_N,
    HIT_MONEY_MAX,
    INSIDE_MAN,
    KIND_OF_COPY,
    LEAD_TAKE,
    MONEY,
    POLICE_RAID,
    RACKET_KIND,
    RACKET_N,
    RACKET_TYPE,
    SHAKEDOWN,
    T_ARSON,
    T_NEEDLE,
    T_STEAL,
    THIRD_PARTY_MAX,
    TIMING,
    TIP_OFF,
    TURN_ABILITY,
    WEAKNESS,
)
from .legal_main import cheering, main_choices, main_targets
from .mob import (
    below,
    can_move,
    cell_free,
    due_of,
    has_place,
    has_room,
    lowest,
    own_power,
    power,
    subtree,
)
from .offers import throws
from .specials import ability_target, needled, special_crook, special_target
from .state import (
    ABIL_TARGET,
    ABIL_WHO,
    AGREE,
    ASSIST,
    AUC_BID,
    AUC_OPEN,
    BOSS_PICK,
    BUGLE_WHO,
    CARDS,
    CLASH,
    COMMIT_A,
    COMMIT_D,
    COMMIT_T,
    COPIES,
    CROOKS,
    DEFEND,
    DISPLACE,
    DROP_WHO,
    GIFT_PLACE,
    HEIR,
    HIT,
    HIT_CASH,
    HUSH,
    JOIN_AGAINST,
    JOIN_FOR,
    LEADER,
    MAIN,
    MOVE_TO,
    MOVE_WHO,
    NEW_BOSS,
    NONE,
    OFFER_ASK,
    OFFER_CASH,
    OFFER_GIVE,
    OFFER_PRICE,
    OFFER_REPLY,
    OFFER_TO,
    PAY_HOW,
    PAY_WHO,
    PLACE,
    PROTECT,
    RACKETS,
    REASSIGN,
    REC,
    REORG,
    REROLL,
    SHOW_WHICH,
    SIDES,
    SP_TARGET,
    SPOILS,
    SPOILS_PAY,
    TAKE,
    UNPAID,
    VISIT_WHO,
    WAR,
    WINDOW,
    int64,
)
from .turn import purse

Mask = NDArray[np.bool_]


@kernel
def legal_actions(state: State, mask: Mask) -> None:
    """Fill the mask of the deciding seat: bool of shape ``(NUM_ACTIONS,)`` (CL-4.4)."""
    mask[:] = False
    phase = state.phase
    if phase == MAIN:
        main_choices(state, mask)
        main_targets(state, mask)
    elif phase in (COMMIT_A, COMMIT_D, COMMIT_T, HIT_CASH, PROTECT, LEADER, REROLL):
        attack_choices(state, mask)
    elif phase in (ASSIST, JOIN_FOR, DEFEND, JOIN_AGAINST):
        loop_choices(state, mask)
    elif phase in (PLACE, REASSIGN, MOVE_TO, GIFT_PLACE, DISPLACE, CLASH):
        place_choices(state, mask)
    elif phase in (AUC_OPEN, AUC_BID, BOSS_PICK, PAY_WHO, PAY_HOW, NEW_BOSS, REORG):
        mob_choices(state, mask)
    elif phase in (OFFER_TO, OFFER_GIVE, OFFER_CASH, OFFER_ASK, OFFER_PRICE, OFFER_REPLY):
        offer_choices(state, mask)
    elif phase in (WINDOW, HUSH, SP_TARGET, ABIL_TARGET):
        special_choices(state, mask)
    else:
        other_choices(state, mask)


@kernel(leaf=True)
def special_choices(state: State, mask: Mask) -> None:
    """Windows, targets of Specials and of abilities, Hush Money (CL-15.4 to CL-15.6)."""
    seat = state.seat
    if state.phase == HUSH:
        mask[PASS_ACTION] = True
        mask[YES] = True
    elif state.phase == WINDOW:
        mask[PASS_ACTION] = True
        for s in range(COPIES):
            if state.special_loc[s] == seat and TIMING[KIND_OF_COPY[s]] == ANY_TIME:
                kind = KIND_OF_COPY[s]
                mask[SPECIAL_AT + kind] = special_target(state, seat, kind)
    else:
        kind = state.special if state.phase == SP_TARGET else NONE
        code = TURN_ABILITY[state.ability_by] if state.phase == ABIL_TARGET else NONE
        if kind == SHAKEDOWN or code == T_STEAL:
            for j in range(1, state.num_seats):
                mask[PLAYER_AT + j] = state.alive[(seat + j) % state.num_seats] != 0
        elif kind == POLICE_RAID or code == T_ARSON:
            for r in range(RACKETS):
                rival = state.racket_loc[r] >= 0 and state.racket_loc[r] != seat
                mask[RACKET_AT + r] = rival and not state.blocked[r]
        else:
            for c in range(CROOKS):
                if code == T_NEEDLE:
                    limit = CROOK_N[T_NEEDLE, state.ability_by]
                    mask[CROOK_AT + c] = needled(state, seat, c, limit)
                else:
                    mask[CROOK_AT + c] = special_crook(state, seat, kind, c)


@kernel(leaf=True)
def attack_choices(state: State, mask: Mask) -> None:
    """Leader, protector, showdown, Hit money, reroll (CL-9.3, 9.15, 9.20 to 9.24, 12.6)."""
    seat = state.seat
    phase = state.phase
    money = state.treasury[seat]
    if phase == LEADER:
        for c in range(CROOKS):
            if state.crook_loc[c] == seat and state.token[c]:
                fits = True
                if state.kind == REC:
                    fits = power(state, c) > power(state, state.target)
                elif state.kind == HIT:
                    fits = c != state.target
                mask[CROOK_AT + c] = fits
        if state.kind == TAKE:
            for r in range(RACKETS):
                if state.racket_loc[r] == seat and state.racket_token[r] and RACKET_N[LEAD_TAKE, r]:
                    same = RACKET_TYPE[LEAD_TAKE, r] == RACKET_KIND[state.target]
                    mask[RACKET_AT + r] = same
    elif phase == PROTECT:
        mask[PASS_ACTION] = True
        for c in range(CROOKS):
            mask[CROOK_AT + c] = state.crook_loc[c] == seat and state.token[c] != 0
    elif phase == HIT_CASH:
        for i in range(HIT_MONEY_MAX + 1):
            mask[AMOUNT_AT + i] = i <= money
    else:
        mask[PASS_ACTION] = True
        if phase == REROLL:
            mask[YES] = True
            return
        if phase == COMMIT_T:
            money = min(money, THIRD_PARTY_MAX)
        if phase == COMMIT_A:
            mask[BACKOUT] = state.backouts < state.max_backouts
        for i in range(1, len(MONEY)):
            if MONEY[i] > money:
                break
            mask[FOR_AT + i] = phase != COMMIT_D
            mask[AGAINST_AT + i] = phase != COMMIT_A


@kernel(leaf=True)
def loop_choices(state: State, mask: Mask) -> None:
    """What the asked player may add in assistance and defence (CL-9.30 to 9.32, 10.7 to 12.8)."""
    seat = state.seat
    phase = state.phase
    mask[PASS_ACTION] = True
    mask[SWING] = swinger(state, seat) >= 0
    mask[BSWING] = boss_swing(state, seat) > 0
    if phase not in (ASSIST, DEFEND):
        return
    wanted = INSIDE_MAN if phase == ASSIST else TIP_OFF
    for s in range(COPIES):
        if state.special_loc[s] == seat and KIND_OF_COPY[s] == wanted:
            mask[SPECIAL_AT + wanted] = True
    for c in range(CROOKS):
        if state.crook_loc[c] == seat and state.token[c]:
            mask[CROOK_AT + c] = eligible(state, c, phase == ASSIST)
    if state.kind == TAKE:
        for r in range(RACKETS):
            if state.racket_loc[r] == seat and state.racket_token[r]:
                mask[RACKET_AT + r] = muscle(state, seat, r)


@kernel(leaf=True)
def place_choices(state: State, mask: Mask) -> None:
    """Places of a Crook, sides of a displaced one, cards to lose in a clash (CL-5.10 to 5.13)."""
    seat = state.place_seat
    if state.phase == DISPLACE:
        crook = lowest(state.displaced)
        superior = state.superior[crook]
        for side in range(SIDES):
            free = cell_free(state, seat, superior, side, 0)
            mask[PLACE_AT + SIDES * superior + side] = free
    elif state.phase == CLASH:
        crook = lowest(state.displaced)
        superior = state.superior[crook]
        mask[CROOK_AT + crook] = True
        for c in range(CROOKS):
            if state.crook_loc[c] == seat and state.placed[c] and state.arrivals >> c & 1 == 0:
                near = abs(state.x[c] - state.x[superior]) + abs(state.y[c] - state.y[superior])
                # On or next to one of the four cells around the superior.
                if near <= 2 and c not in (state.boss[seat], superior):
                    mask[CROOK_AT + c] = not below(state, superior, c)
    else:
        root = state.root
        mine = own_power(state, root)
        for p in range(CROOKS):
            if state.crook_loc[p] != seat or not state.placed[p] or state.free_sides[p] == 0:
                continue
            if state.under >= 0 and p != state.under and not below(state, p, state.under):
                continue
            if state.strength[p] > mine:
                for side in range(SIDES):
                    if state.free_sides[p] >> side & 1:
                        left = state.left_superior == p and state.left_side == side
                        mask[PLACE_AT + SIDES * p + side] = not left


@kernel(leaf=True)
def mob_choices(state: State, mask: Mask) -> None:
    """Auction, pay and new Bosses (sections 3 and 7, CL-5.14)."""
    seat = state.seat
    phase = state.phase
    if phase in (AUC_OPEN, AUC_BID):
        mask[PASS_ACTION] = phase == AUC_BID
        lowest_bid = 0 if phase == AUC_OPEN else state.bid + 1
        for bid in range(lowest_bid, state.bid_money[seat] + 1):
            mask[BID_AT + bid] = True
    elif phase == REORG:
        mask[KEEP] = True
        mask[REBUILD] = True
    elif phase == PAY_HOW:
        due = due_of(state, state.pay_who)
        mask[FULL] = due <= purse(state)
        mask[ONE] = due >= 2
    else:
        for c in range(CROOKS):
            if state.crook_loc[c] == seat:
                payable = state.boss[seat] != c and state.paid_how[c] == UNPAID
                if phase == PAY_WHO:
                    mask[CROOK_AT + c] = payable and due_of(state, c) > 0
                else:
                    mask[CROOK_AT + c] = True


@kernel(leaf=True)
def offer_choices(state: State, mask: Mask) -> None:
    """Gifts and trades (CL-16.4 to CL-16.11)."""
    seat = state.seat
    phase = state.phase
    if phase == OFFER_TO:
        mask[BACKOUT] = True
        for j in range(1, state.num_seats):
            mask[PLAYER_AT + j] = state.alive[(seat + j) % state.num_seats] != 0
    elif phase == OFFER_REPLY:
        mask[PASS_ACTION] = True
        mask[YES] = state.treasury[seat] >= MONEY[state.price]
    elif phase == OFFER_PRICE:
        mask[AMOUNT_AT : AMOUNT_AT + len(MONEY)] = True
    elif phase == OFFER_CASH:
        for i in range(len(MONEY)):
            mask[AMOUNT_AT + i] = MONEY[i] <= state.treasury[seat]
    else:
        asking = phase == OFFER_ASK
        holder = state.partner if asking else seat
        receiver = seat if asking else state.partner
        lifted = int64(0)
        if asking and 0 <= state.given < CROOKS:
            lifted = subtree(state, state.given)
        mask[PASS_ACTION] = not asking or not throws(state, NONE)
        mask[BACKOUT] = asking
        for c in range(CROOKS):
            if state.crook_loc[c] == holder and state.token[c] and state.boss[holder] != c:
                if lifted == 0:
                    fits = has_room(state, receiver, c)
                else:
                    fits = has_place(state, receiver, c, NONE, lifted)
                mask[CROOK_AT + c] = fits and not (asking and throws(state, c))
        for r in range(RACKETS):
            if state.racket_loc[r] == holder:
                mask[RACKET_AT + r] = not (asking and throws(state, CROOKS + r))
        for s in range(COPIES):
            if state.special_loc[s] == holder and (not asking or state.shown[s]):
                fits = not (asking and throws(state, CARDS + s))
                mask[SPECIAL_AT + KIND_OF_COPY[s]] = fits


@kernel(leaf=True)
def other_choices(state: State, mask: Mask) -> None:
    """Spoils, war turns, moves, drops, visits, heirs, Bugle, shown Specials, agreements."""
    seat = state.seat
    phase = state.phase
    mask[PASS_ACTION] = phase in (SPOILS_PAY, WAR, AGREE)
    mask[YES] = phase == AGREE
    if phase in (SPOILS, SPOILS_PAY):
        for r in range(RACKETS):
            if phase == SPOILS:
                mask[RACKET_AT + r] = state.racket_loc[r] == state.spoils_of
            else:
                mask[RACKET_AT + r] = state.racket_loc[r] == seat and state.racket_token[r] != 0
    if phase == SHOW_WHICH:
        for s in range(COPIES):
            if state.special_loc[s] == seat and not state.shown[s]:
                mask[SPECIAL_AT + KIND_OF_COPY[s]] = True
        return
    cheered = int64(0)
    if phase == VISIT_WHO:
        cheered = cheering(state, seat)
    for c in range(CROOKS):
        loc = state.crook_loc[c]
        if phase == WAR:
            mask[HIT_AT + c] = loc >= 0 and loc != seat
        if loc != seat:
            continue
        is_boss = state.boss[seat] == c
        token = state.token[c] != 0
        if phase == SPOILS_PAY:
            mask[CROOK_AT + c] = token
        elif phase == MOVE_WHO:
            mask[CROOK_AT + c] = token and not is_boss and can_move(state, c)
        elif phase == DROP_WHO:
            mask[CROOK_AT + c] = not is_boss
        elif phase == VISIT_WHO:
            mask[CROOK_AT + c] = token and state.unhappy[c] > 0 and WEAKNESS[c] & cheered != 0
        elif phase == ABIL_WHO:
            has = token and TURN_ABILITY[c] >= 0
            mask[CROOK_AT + c] = has and ability_target(state, seat, c)
        elif phase == HEIR:
            mask[CROOK_AT + c] = token and state.superior[c] == state.boss[seat]
        elif phase == BUGLE_WHO:
            mask[CROOK_AT + c] = state.unhappy[c] > 0
