"""Positions that look to a seat like the true one, drawn at random (CL-19.1 to CL-19.3)."""

from __future__ import annotations

from typing import Final

import numpy as np

from ...core.kernel import kernel
from ...core.rng import randint, shuffle
from ...core.state import SOMEBODY, State
from ..data import KIND_OF_COPY, MOB_N, MONEY, RACKET_N, THIRD_PARTY_MAX, TIMING
from ..data.codes import ANY_TIME, CHEER_BUY, HUSH_MONEY, INSIDE_MAN, PAY_CREDIT, TIP_OFF
from ..rules.attack.assistance import adds_openly
from ..rules.mob.grid import due_of, power
from ..rules.specials import copy_to_use, special_target
from ..state import (
    ASSIST,
    BUGLE_WHO,
    CARDS,
    COMMIT_A,
    COMMIT_D,
    COMMIT_T,
    COPIES,
    CROOKS,
    DECK,
    DEFEND,
    HEIR,
    HIT,
    HIT_CASH,
    HUSH,
    IN_DECK,
    NONE,
    OFFER_REPLY,
    PAY_WHO,
    RACKETS,
    WINDOW,
    int64,
)
from .redact import hide_hands, redact
from .treasuries import draw_treasuries

TRIES: Final = 256
"""Draws of money and hands before the least change is made that fits."""


@kernel
def resample_hidden(state: State, seat: int, seed: np.uint64) -> None:
    """Redraw all that a seat cannot know: chance, deck, hands, money, bids, who decides in secret.

    Hidden Specials and the deck are uniform over what is unseen, money follows
    :mod:`.payments`. What is drawn is given up until it fits the decision in progress: who is
    asked has what he would not be asked without. Among several who may be asked one is drawn.
    """
    redact(state, seat)
    state.rng = seed
    if seat != state.active and state.trade:
        state.offers = randint(state, state.offers_per_turn + 1)
    done = False
    for _ in range(TRIES):
        fits = True
        if not state.open_money:
            fits = draw_treasuries(state, seat)
        deal_hands(state, seat)
        if fits and draw_decision(state, seat):
            done = True
            break
    if not done:
        make_possible(state, seat)
    draw_bids(state, seat)
    stack_deck(state)


@kernel(leaf=True)
def deal_hands(state: State, seat: int) -> None:
    """Hidden Specials of the others, uniform over the unseen ones."""
    hide_hands(state, seat)
    size = 0
    for s in range(COPIES):
        if state.special_loc[s] == IN_DECK:
            state.deck[size] = s
            size += 1
    for other in range(state.num_seats):
        missing = int64(state.hidden[other])
        for s in range(COPIES):
            missing -= state.special_loc[s] == other and not state.shown[s]
        for _ in range(missing if other != seat else 0):
            pick = randint(state, size)
            size -= 1
            state.special_loc[state.deck[pick]] = other
            state.deck[pick] = state.deck[size]


@kernel(leaf=True)
def stack_deck(state: State) -> None:
    """The deck: all that is nowhere else, in random order."""
    size = 0
    for c in range(CROOKS):
        if state.crook_loc[c] == IN_DECK:
            state.deck[size] = c
            size += 1
    for r in range(RACKETS):
        if state.racket_loc[r] == IN_DECK:
            state.deck[size] = CROOKS + r
            size += 1
    for s in range(COPIES):
        if state.special_loc[s] == IN_DECK:
            state.deck[size] = CARDS + s
            size += 1
    shuffle(state, state.deck[:size])
    first = state.deck_at
    for k in range(size - 1, -1, -1):
        state.deck[first + k] = state.deck[k]
    for k in range(DECK):
        if k < first or k >= first + size:
            state.deck[k] = NONE


@kernel(leaf=True)
def draw_decision(state: State, seat: int) -> bool:
    """Draw who decides in secret; false if what was drawn does not fit the decision."""
    phase = state.phase
    if state.seat != SOMEBODY:
        return covers(state, seat)
    if phase == COMMIT_A:
        return draw_bidder(state, seat)
    if phase == ASSIST:
        return draw_reaction(state, seat)
    if phase == HUSH:
        return draw_hush(state, seat)
    if phase == WINDOW:
        return draw_window(state, seat)
    if phase == OFFER_REPLY:
        if state.treasury[state.partner] < MONEY[state.price]:
            return False
        state.seat = state.partner
        return True
    if phase == PAY_WHO:
        return begin_pay(state)
    state.seat = state.active
    return True


@kernel(leaf=True)
def covers(state: State, seat: int) -> bool:
    """Whether the active player has the money of what he is openly about to do."""
    active = state.active
    return active < 0 or state.treasury[active] >= money_shown(state, seat)


@kernel(leaf=True)
def money_shown(state: State, seat: int) -> int:
    """Money that the active player must have, as the decision in progress shows."""
    if state.phase == HEIR and state.retiring:
        return 2 * power(state, state.boss[state.active])
    if state.phase == OFFER_REPLY and state.partner == seat:
        return int64(MONEY[state.given_cash])
    if state.phase == BUGLE_WHO:
        for r in range(RACKETS):
            if state.racket_loc[r] == state.active and RACKET_N[CHEER_BUY, r]:
                return int64(RACKET_N[CHEER_BUY, r])
    return 0


@kernel(leaf=True)
def place_in_showdown(state: State, seat: int) -> int:
    """When a seat is asked: the attacker (-1), the owner (0), then in seat order (CL-9.20)."""
    if seat == state.attacker:
        return -1
    if seat == state.owner:
        return 0
    return (seat - state.attacker) % state.num_seats


@kernel(leaf=True)
def draw_bidder(state: State, seat: int) -> bool:
    """Whose commitment is awaited: anybody with money, after the seat if it has committed."""
    count = 0
    for other in range(state.num_seats):
        place = place_in_showdown(state, other)
        able = state.treasury[other] > 0
        if place < 0 and state.backouts < state.max_backouts:
            able = True
        if other == seat or not state.alive[other] or not able:
            continue
        if state.commitments[seat] != 0 and place < place_in_showdown(state, seat):
            continue
        count += 1
        if randint(state, count) == 0:
            state.seat = other
    if count == 0:
        return False
    place = place_in_showdown(state, state.seat)
    state.commit_at = place + 1
    if place >= 0:
        state.phase = COMMIT_D if place == 0 else COMMIT_T
    return True


@kernel(leaf=True)
def draw_reaction(state: State, seat: int) -> bool:
    """Hit money, or a hidden Special that nothing else would keep the step open for."""
    count = 0
    attacker, owner = state.attacker, state.owner
    if attacker != seat:
        fresh = state.kind == HIT and state.hit_cash == 0 and not state.helper_used
        if fresh and state.treasury[attacker] > 0:
            count += 1
            state.phase = HIT_CASH
            state.seat = attacker
        holds = copy_to_use(state, attacker, INSIDE_MAN) >= 0
        if holds and not adds_openly(state, attacker, True):
            count += 1
            if randint(state, count) == 0:
                state.phase = ASSIST
                state.seat = attacker
    if owner >= 0 and owner != seat:
        holds = copy_to_use(state, owner, TIP_OFF) >= 0
        if holds and not adds_openly(state, owner, False):
            count += 1
            if randint(state, count) == 0:
                state.phase = DEFEND
                state.seat = owner
                state.loop_step = 2
    return count > 0


@kernel(leaf=True)
def draw_hush(state: State, seat: int) -> bool:
    """A holder of Hush Money other than who played the Special (CL-15.5)."""
    count = 0
    for k in range(1, state.num_seats):
        other = (state.special_by + k) % state.num_seats
        if other != seat and state.alive[other] and copy_to_use(state, other, HUSH_MONEY) >= 0:
            count += 1
            if randint(state, count) == 0:
                state.seat = other
                state.hush_at = k
    return count > 0


@kernel(leaf=True)
def draw_window(state: State, seat: int) -> bool:
    """A holder of a Special that can be played at any time (CL-15.4)."""
    count = 0
    for k in range(state.num_seats):
        other = (state.active + k) % state.num_seats
        if other == seat or not state.alive[other]:
            continue
        playable = False
        for s in range(COPIES):
            kind = KIND_OF_COPY[s]
            if state.special_loc[s] == other and TIMING[kind] == ANY_TIME:
                playable |= special_target(state, other, kind)
        if playable:
            count += 1
            if randint(state, count) == 0:
                state.seat = other
                state.window_at = k
    return count > 0


@kernel(leaf=True)
def begin_pay(state: State) -> bool:
    """Whom to pay first: the purse is short, and something is left after the Boss (CL-7.8)."""
    active = state.active
    first = int64(due_of(state, state.boss[active]))
    purse = int64(state.treasury[active]) + MOB_N[PAY_CREDIT, state.mob[active]]
    if not first < purse < state.due[active]:
        return False
    state.boss_paid = first
    state.paid_total = first
    state.seat = active
    return True


@kernel(leaf=True)
def make_possible(state: State, seat: int) -> None:
    """What was drawn last does not fit: the least money or the one card more that does."""
    if not state.open_money:
        add_money(state, seat)
    draw_decision(state, seat)
    for other in range(state.num_seats):
        for s in range(COPIES):
            asked = state.seat == SOMEBODY and other != seat
            if asked and explains(state, other, KIND_OF_COPY[s]):
                exchange(state, other, s, seat)
                draw_decision(state, seat)


@kernel(leaf=True)
def explains(state: State, seat: int, kind: int) -> bool:
    """Whether a seat with a hidden Special of this kind could be the one who decides in secret."""
    if state.phase == WINDOW:
        return TIMING[kind] == ANY_TIME
    if state.phase == HUSH:
        return kind == HUSH_MONEY and seat != state.special_by
    return kind == (INSIDE_MAN if seat == state.attacker else TIP_OFF)


@kernel(leaf=True)
def add_money(state: State, seat: int) -> None:
    """The least money with which the decision in progress is asked."""
    active = state.active
    money = state.treasury
    if state.seat != SOMEBODY:
        money[active] = max(int64(money[active]), money_shown(state, seat))
    elif state.phase in (COMMIT_A, ASSIST):
        for other in range(state.num_seats):
            if other != seat and state.alive[other]:
                money[other] = max(int64(1), int64(money[other]))
    elif state.phase == OFFER_REPLY:
        money[state.partner] = max(int64(money[state.partner]), int64(MONEY[state.price]))
    elif state.phase == PAY_WHO:
        first = int64(due_of(state, state.boss[active])) + 1
        money[active] = max(int64(0), first - MOB_N[PAY_CREDIT, state.mob[active]])


@kernel(leaf=True)
def exchange(state: State, other: int, copy: int, seat: int) -> None:
    """Give a seat an unseen Special for a hidden one of its own, if it has one."""
    holder = state.special_loc[copy]
    unseen = holder == IN_DECK or (holder >= 0 and holder != seat and not state.shown[copy])
    for s in range(COPIES):
        if unseen and state.special_loc[s] == other and not state.shown[s]:
            state.special_loc[s] = holder
            state.special_loc[copy] = other
            return


@kernel(leaf=True)
def draw_bids(state: State, seat: int) -> None:
    """Commitments of those who have answered; half of them are nothing."""
    if state.phase not in (COMMIT_D, COMMIT_T):
        return
    now = place_in_showdown(state, state.seat)
    for other in range(state.num_seats):
        place = place_in_showdown(state, other)
        answered = place < now and state.alive[other] and other != seat
        if not answered or randint(state, 2) == 0:
            continue
        limit = int64(state.treasury[other])
        if place > 0:
            limit = min(limit, int64(THIRD_PARTY_MAX))
        top = 0
        while top + 1 < len(MONEY) and MONEY[top + 1] <= limit:
            top += 1
        amount = int64(MONEY[randint(state, top + 1)])
        against = place == 0 or (place > 0 and randint(state, 2) == 1)
        state.commitments[other] = -amount if against else amount
