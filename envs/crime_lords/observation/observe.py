"""The kernels that fill in an observation, with the odds of attacks on every card."""

from __future__ import annotations

import numpy as np

from ...core.kernel import kernel
from ...core.state import State, relative
from ..data import KIND_OF_COPY, MOB_BONUS, MONEY
from ..data.codes import REGULAR_TYPES
from ..rules.attack.numbers import hit_number, recruit_number, take_number
from ..rules.mob.derived import count_gain
from ..rules.mob.grid import lowest, own_power, strongest
from ..state import (
    ABIL_TARGET,
    CARDS,
    CENTRE,
    CLASH,
    COPIES,
    CROOKS,
    DECK,
    DISCARD,
    DISPLACE,
    DISTRICTS,
    GIFT_PLACE,
    LEADER,
    MAIN,
    MAX_SEATS,
    MOVE_TO,
    NONE,
    OFFERING,
    PAY_HOW,
    PLACE,
    RACKETS,
    REASSIGN,
    REC,
    REORG,
    TAKE,
)
from .layout import (
    ARMED,
    AT,
    ATTACK,
    AUCTION,
    CROOK,
    CROOK_SIZE,
    DECISION,
    MOST,
    OFFER,
    ONE,
    PER_CARD,
    PER_CELL,
    PER_MONEY,
    PER_NUMBER,
    PER_POWER,
    PER_THREE,
    PRIZE,
    PRIZE_SIZE,
    QUARTER,
    RACKET,
    RACKET_SIZE,
    SEAT,
    SEAT_SIZE,
    TABLE,
    TARGET,
    TARGET_SIZE,
    THIRD,
    Vector,
    in_range,
    missing,
)


@kernel
def observe(state: State, seat: int, out: Vector) -> None:
    """Fill the observation of a seat: float32 of the shape in ``LAYOUT``.

    The layout is the same for every number of players. Barred targets stand in the mask alone.
    """
    out[:] = 0.0
    observe_table(state, seat, out)
    observe_seats(state, seat, out)
    observe_crooks(state, seat, out)
    observe_rackets(state, seat, out)
    observe_prospects(state, seat, out)
    if state.lot >= 0 or state.sold_crooks < state.num_seats * state.auction_crooks:
        observe_auction(state, seat, out)
    if state.attacking:
        observe_attack(state, seat, out)
    if state.seat == seat:
        observe_choice(state, seat, out)


@kernel(leaf=True)
def observe_table(state: State, seat: int, out: Vector) -> None:
    """Own phase, turn, piles, options that rules depend on."""
    if state.seat == seat:
        out[DECISION.phase + state.phase] = ONE
        out[DECISION.due] = ONE
    most = np.float32(state.max_rounds) * np.float32(state.num_seats)
    out[TABLE.turn_share] = np.float32(state.turn) / most
    out[TABLE.deck] = np.float32(state.deck_size) * np.float32(1 / DECK)
    out[TABLE.required] = np.float32(state.required) * PER_CARD
    out[TABLE.war] = state.war
    out[TABLE.acted] = state.acted
    if state.active == seat:
        out[TABLE.offers] = state.offers
    out[TABLE.backouts] = state.backouts
    out[TABLE.war_passes] = state.war_passes
    out[TABLE.seats] = np.float32(state.num_seats) * np.float32(1 / MAX_SEATS)
    out[TABLE.end_mode] = state.end_mode
    out[TABLE.agreement] = state.agreement
    out[TABLE.trade] = state.trade
    out[TABLE.bonus_counts] = state.bonus_counts
    out[TABLE.retoken] = state.retoken
    out[TABLE.open_money] = state.open_money
    out[TABLE.turn] = np.float32(state.turn) * np.float32(0.01)
    out[TABLE.bugle] = state.bugle
    out[TABLE.offers_per_turn] = np.float32(state.offers_per_turn) * PER_POWER
    out[TABLE.max_backouts] = np.float32(state.max_backouts) * PER_CARD
    out[TABLE.show_specials] = state.show_specials
    if state.heat >= 0:
        out[TABLE.heat + relative(state, seat, state.heat)] = ONE


@kernel(leaf=True)
def observe_seats(state: State, seat: int, out: Vector) -> None:
    """Every seat, itself first; own hand by kind."""
    for k in range(state.num_seats):
        other = seat + k if seat + k < state.num_seats else seat + k - state.num_seats
        at = AT.seats + SEAT_SIZE * k
        out[at + SEAT.alive] = state.alive[other]
        if not state.alive[other]:
            continue
        count = np.float32(state.count[other])
        out[at + SEAT.active] = state.active == other
        out[at + SEAT.tally] = count * PER_CARD
        out[at + SEAT.rackets] = np.float32(state.rackets[other]) * PER_CARD
        out[at + SEAT.crooks] = np.float32(state.crooks[other]) * PER_CARD
        if k == 0 or state.open_money:
            out[at + SEAT.treasury] = min(MOST, np.float32(state.treasury[other]) * PER_MONEY)
        out[at + SEAT.ledger] = min(MOST, np.float32(state.ledger[other]) * PER_MONEY)
        out[at + SEAT.private] = min(MOST, np.float32(state.private[other]) * PER_CARD)
        out[at + SEAT.hidden] = np.float32(state.hidden[other]) * PER_THREE
        out[at + SEAT.boss_bonus] = np.float32(MOB_BONUS[state.mob[other]]) * PER_THREE
        out[at + SEAT.war] = state.war_in >> other & 1
        out[at + SEAT.missing] = missing(state, other)
        out[at + SEAT.income] = np.float32(state.mob_income[other]) * np.float32(1 / 20)
        out[at + SEAT.due] = np.float32(state.due[other]) * np.float32(1 / 20)
        out[at + SEAT.refused] = state.refused >> other & 1
        out[at + SEAT.agreeing] = state.agreeing >> other & 1
        out[at + SEAT.mob + state.mob[other]] = ONE
        for kind in range(REGULAR_TYPES):
            out[at + SEAT.types + kind] = np.float32(state.types[other, kind]) * PER_THREE
        for district in range(DISTRICTS):
            out[at + SEAT.districts + district] = (
                np.float32(state.districts[other, district]) * QUARTER
            )
    for s in range(COPIES):
        holder = state.special_loc[s]
        if holder >= 0:
            kind = KIND_OF_COPY[s]
            if state.shown[s]:
                at = AT.seats + SEAT_SIZE * relative(state, seat, holder)
                out[at + SEAT.specials + kind] += ONE
            if holder == seat:
                out[AT.hand + kind] += ONE


@kernel(leaf=True)
def observe_crooks(state: State, seat: int, out: Vector) -> None:
    """Every Crook: where he is and how he stands."""
    for c in range(CROOKS):
        at = AT.crooks + CROOK_SIZE * c
        loc = state.crook_loc[c]
        if loc < 0:
            if loc == CENTRE:
                out[at + CROOK.centre] = ONE
                out[at + CROOK.power] = np.float32(own_power(state, c)) * PER_POWER
            elif loc == DISCARD:
                out[at + CROOK.discarded] = ONE
            continue
        out[at + CROOK.holder + relative(state, seat, loc)] = ONE
        out[at + CROOK.power] = np.float32(state.strength[c]) * PER_POWER
        out[at + CROOK.unhappy] = np.float32(state.unhappy[c]) * PER_THREE
        out[at + CROOK.token] = state.token[c]
        superior = state.superior[c]
        if superior >= 0:
            out[at + CROOK.lieutenant] = superior == state.boss[loc]
            out[at + CROOK.above] = np.float32(state.strength[superior]) * PER_POWER
        elif state.boss[loc] == c:
            out[at + CROOK.boss] = ONE
        depth = np.float32(state.depth[c]) * PER_THREE
        out[at + CROOK.depth] = depth if state.placed[c] else -ONE
        out[at + CROOK.x] = np.float32(state.x[c]) * PER_CELL
        out[at + CROOK.y] = np.float32(state.y[c]) * PER_CELL
        out[at + CROOK.subordinates] = np.float32(state.subordinates[c]) * QUARTER


@kernel(leaf=True)
def observe_rackets(state: State, seat: int, out: Vector) -> None:
    """Every Racket: where it is and what it brings; tokens of those that have a space."""
    for r in range(RACKETS):
        loc = state.racket_loc[r]
        at = AT.rackets + RACKET_SIZE * r
        if loc >= 0:
            out[at + RACKET.holder + relative(state, seat, loc)] = ONE
        elif loc == CENTRE:
            out[at + RACKET.centre] = ONE
        else:
            continue
        out[at + RACKET.income] = np.float32(state.income[r]) * PER_CARD
    for k in range(len(ARMED)):
        out[AT.tokens + k] = state.racket_token[ARMED[k]]


@kernel(leaf=True)
def card_index(card: int) -> int:
    """Index of a card in a one-hot of Crooks, Rackets and Special kinds."""
    return card if card < CARDS else CARDS + KIND_OF_COPY[card - CARDS]


@kernel(leaf=True)
def observe_auction(state: State, seat: int, out: Vector) -> None:
    """The lot and the bids (CL-3.5 to CL-3.8)."""
    if state.lot >= 0:
        out[AT.first_card + card_index(state.lot)] = ONE
    n = state.num_seats
    out[AUCTION.bid] = np.float32(state.bid) * np.float32(1 / 25)
    out[AUCTION.crooks] = np.float32(n * state.auction_crooks - state.sold_crooks) * np.float32(
        1 / 15
    )
    out[AUCTION.rackets] = np.float32(n * state.auction_rackets - state.sold_rackets) * PER_CARD
    if state.bidder >= 0:
        out[AUCTION.bidder + relative(state, seat, state.bidder)] = ONE
    for k in range(n):
        other = seat + k if seat + k < n else seat + k - n
        out[AUCTION.money + k] = np.float32(state.bid_money[other]) * np.float32(1 / 25)


@kernel(leaf=True)
def observe_attack(state: State, seat: int, out: Vector) -> None:
    """The attack in progress; commitments once they are revealed (CL-9.20)."""
    out[ATTACK.kind + state.kind - 1] = ONE
    out[ATTACK.attacker + relative(state, seat, state.attacker)] = ONE
    if state.owner >= 0:
        out[ATTACK.owner + relative(state, seat, state.owner)] = ONE
    else:
        out[ATTACK.unowned] = ONE
    out[ATTACK.number] = in_range(state.number)
    out[ATTACK.helper] = state.helper_used
    out[ATTACK.roll] = np.float32(state.roll) * PER_NUMBER
    out[ATTACK.revealed] = state.revealed
    out[ATTACK.cash] = np.float32(state.hit_cash) * np.float32(0.2)
    # Of what goes on between decisions of others a seat only knows what it is asked.
    if state.seat == seat:
        out[ATTACK.added] = state.loop_added
    if state.revealed:
        for k in range(state.num_seats):
            other = seat + k if seat + k < state.num_seats else seat + k - state.num_seats
            out[ATTACK.commitments + k] = (
                np.float32(state.commitments[other]) * PER_CARD * np.float32(0.5)
            )
    if state.leader >= 0:
        out[AT.second_card + state.leader] = ONE
    if state.protector >= 0:
        out[THIRD.crook + state.protector] = ONE
    out[AT.first_card + state.target + (CROOKS if state.kind == TAKE else 0)] = ONE


@kernel(leaf=True)
def observe_choice(state: State, seat: int, out: Vector) -> None:
    """What the own choice is about: a Crook to place or pay, a Special played, an offer."""
    if state.phase in OFFERING:
        other = state.active if state.partner == seat else state.partner
        if other >= 0:
            out[OFFER.partner + relative(state, seat, other)] = ONE
        if state.given >= 0:
            out[AT.first_card + card_index(state.given)] = ONE
        if state.asked >= 0:
            out[AT.second_card + card_index(state.asked)] = ONE
        out[OFFER.given] = np.float32(MONEY[state.given_cash]) * PER_MONEY
        out[OFFER.price] = np.float32(MONEY[state.price]) * PER_MONEY
    crook = subject(state)
    if crook >= 0:
        out[THIRD.crook + crook] = ONE
    if state.special >= 0:
        out[THIRD.special + state.special] = ONE


@kernel(leaf=True)
def subject(state: State) -> int:
    """The Crook whom the decision in progress is about, or NONE."""
    phase = state.phase
    if phase in (PLACE, REASSIGN, MOVE_TO, GIFT_PLACE):
        return state.root
    if phase in (DISPLACE, CLASH):
        return lowest(state.displaced)
    if phase == PAY_HOW:
        return state.pay_who
    if phase == ABIL_TARGET:
        return state.ability_by
    if phase == REORG:
        return state.heir
    return NONE


@kernel(leaf=True)
def observe_prospects(state: State, seat: int, out: Vector) -> None:
    """Every card; in one's main phase the numbers of attacks that one's strongest Crook leads."""
    main = state.seat == seat and state.phase == MAIN
    best = strongest(state, seat) if main else NONE
    observe_targets(state, seat, best, out)
    observe_prizes(state, seat, best, out)


@kernel(leaf=True)
def observe_targets(state: State, seat: int, best: int, out: Vector) -> None:
    """Every Crook; the numbers of attacks that ``best`` leads, if there is one."""
    leading = state.seat == seat and state.phase == LEADER
    for c in range(CROOKS):
        at = AT.targets + TARGET_SIZE * c
        loc = state.crook_loc[c]
        if loc == CENTRE:
            out[at + TARGET.centre] = ONE
            out[at + TARGET.power] = np.float32(own_power(state, c)) * PER_POWER
        elif loc >= 0:
            out[at + TARGET.power] = np.float32(state.strength[c]) * PER_POWER
            out[at + TARGET.boss] = state.boss[loc] == c
            out[at + TARGET.token] = state.token[c]
            if loc == seat:
                out[at + TARGET.own] = ONE
                if leading and state.token[c]:
                    out[at + TARGET.lead] = in_range(led_by(state, seat, c))
                continue
            out[at + TARGET.rival] = ONE
            out[at + TARGET.missing] = missing(state, loc)
        else:
            continue
        if best >= 0:
            out[at + TARGET.recruit] = in_range(recruit_number(state, seat, best, c))
            out[at + TARGET.hit] = in_range(hit_number(state, seat, best, c))


@kernel(leaf=True)
def led_by(state: State, seat: int, crook: int) -> int:
    """The number of the announced attack if this Crook leads it."""
    if state.kind == TAKE:
        return take_number(state, seat, crook, state.target)
    if crook == state.target:
        return 0
    if state.kind == REC:
        return recruit_number(state, seat, crook, state.target)
    return hit_number(state, seat, crook, state.target)


@kernel(leaf=True)
def observe_prizes(state: State, seat: int, best: int, out: Vector) -> None:
    """Every Racket; in one's main phase what it would bring, and need if ``best`` leads."""
    deciding = state.seat == seat
    main = deciding and state.phase == MAIN
    leading = deciding and state.phase == LEADER and state.kind == TAKE
    for r in range(RACKETS):
        at = AT.prizes + PRIZE_SIZE * r
        loc = state.racket_loc[r]
        if loc == CENTRE:
            out[at + PRIZE.centre] = ONE
        elif loc == seat:
            out[at + PRIZE.own] = ONE
        elif loc >= 0:
            out[at + PRIZE.rival] = ONE
            out[at + PRIZE.missing] = missing(state, loc)
        else:
            continue
        out[at + PRIZE.income] = np.float32(state.income[r]) * PER_CARD
        if loc == seat:
            if leading and state.racket_token[r]:
                out[at + PRIZE.lead] = in_range(take_number(state, seat, CROOKS + r, state.target))
        elif main:
            gain = count_gain(state, seat, r)
            out[at + PRIZE.gain] = np.float32(gain) * QUARTER
            out[at + PRIZE.wins] = state.count[seat] + gain >= state.required
            if best >= 0:
                out[at + PRIZE.take] = in_range(take_number(state, seat, best, r))
