"""What a seat observes (section 25)."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.kernel import kernel
from ..core.state import State
from .data import (
    KIND_OF_COPY,
    MOB_BONUS,
    MOBS,
    MONEY,
    RACKET_POWER,
    REGULAR_TYPES,
)
from .mob import lowest, own_power
from .state import (
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
    KINDS,
    MAX_SEATS,
    MOVE_TO,
    NONE,
    OFFER_REPLY,
    OFFER_TO,
    PAY_HOW,
    PHASES,
    PLACE,
    RACKETS,
    REASSIGN,
    REORG,
    TAKE,
    TYPES,
)

Vector = NDArray[np.float32]

SEAT_SIZE: Final = 16 + MOBS + KINDS + TYPES - 1 + DISTRICTS
CROOK_LOCATIONS: Final = MAX_SEATS + 2
CROOK_SIZE: Final = CROOK_LOCATIONS + 10
RACKET_SIZE: Final = MAX_SEATS + 2
ARMED: Final = np.flatnonzero(RACKET_POWER)
"""The Rackets with a token space."""
LOT: Final = CROOKS + RACKETS + KINDS

PHASE_AT: Final = 0
TABLE_AT: Final = PHASE_AT + len(PHASES) + 1
SEATS_AT: Final = TABLE_AT + 20 + MAX_SEATS
HAND_AT: Final = SEATS_AT + SEAT_SIZE * MAX_SEATS
CROOKS_AT: Final = HAND_AT + KINDS
RACKETS_AT: Final = CROOKS_AT + CROOK_SIZE * CROOKS
TOKENS_AT: Final = RACKETS_AT + RACKET_SIZE * RACKETS
AUCTION_AT: Final = TOKENS_AT + len(ARMED)
ATTACK_AT: Final = AUCTION_AT + 3 + 2 * MAX_SEATS
OFFER_AT: Final = ATTACK_AT + 3 + 2 * MAX_SEATS + 1 + 6 + MAX_SEATS
# One-hots of cards by part: lot, target or card given; leader or card asked; the protector or the
# Crook to place, pay or use; the Special played. No two of a row ever stand together.
OBJECT_AT: Final = OFFER_AT + MAX_SEATS + 2
SUBJECT_AT: Final = OBJECT_AT + LOT
THIRD_AT: Final = SUBJECT_AT + LOT
OBSERVATION_SIZE: Final = THIRD_AT + CROOKS + KINDS

_ONE: Final = np.float32(1.0)
_PER_MONEY: Final = np.float32(1 / 50)
_PER_CARD: Final = np.float32(1 / 10)
_PER_POWER: Final = np.float32(1 / 6)
_PER_NUMBER: Final = np.float32(1 / 12)
_PER_THREE: Final = np.float32(1 / 3)
_PER_CELL: Final = np.float32(1 / 8)
_QUARTER: Final = np.float32(1 / 4)
_MOST: Final = np.float32(4.0)


@kernel
def observe(state: State, seat: int, out: Vector) -> None:
    """Fill the observation of a seat: float32 of shape ``(OBSERVATION_SIZE,)``.

    Blocks, in order: phase (of one's own decision), table, seats, own hand, Crooks, Rackets,
    tokens of Rackets, auction, attack, offer, the cards that all this is about. Seats are relative
    to ``seat``, itself first; absent seats are zero. The same layout for every number of players.
    A blocked Racket has income 0; a Crook off the grid has depth -1; barred targets stand in the
    mask alone.
    """
    out[:] = 0.0
    observe_table(state, seat, out)
    observe_seats(state, seat, out)
    observe_crooks(state, seat, out)
    observe_rackets(state, seat, out)
    if state.lot >= 0 or state.sold_crooks < state.num_seats * state.auction_crooks:
        observe_auction(state, seat, out)
    if state.attacking:
        observe_attack(state, seat, out)
    if state.seat == seat:
        observe_choice(state, seat, out)


@kernel(leaf=True)
def relative(state: State, seat: int, other: int) -> int:
    """Seats from ``seat`` on to ``other``, to the right."""
    return other - seat if other >= seat else other - seat + state.num_seats


@kernel(leaf=True)
def observe_table(state: State, seat: int, out: Vector) -> None:
    """Own phase, turn, piles, options that rules depend on."""
    if state.seat == seat:
        out[PHASE_AT + state.phase] = _ONE
        out[PHASE_AT + len(PHASES)] = _ONE
    at = TABLE_AT
    most = np.float32(state.max_rounds) * np.float32(state.num_seats)
    out[at] = np.float32(state.turn) / most
    out[at + 1] = np.float32(state.deck_size) * np.float32(1 / DECK)
    out[at + 2] = np.float32(state.required) * _PER_CARD
    out[at + 3] = state.war
    out[at + 4] = state.acted
    if state.active == seat:
        out[at + 5] = state.offers
    out[at + 6] = state.backouts
    out[at + 7] = state.war_passes
    out[at + 8] = np.float32(state.num_seats) * np.float32(1 / MAX_SEATS)
    out[at + 9] = state.end_mode
    out[at + 10] = state.agreement
    out[at + 11] = state.trade
    out[at + 12] = state.bonus_counts
    out[at + 13] = state.retoken
    out[at + 14] = state.open_money
    out[at + 15] = np.float32(state.turn) * np.float32(0.01)
    out[at + 16] = state.bugle
    out[at + 17] = np.float32(state.offers_per_turn) * _PER_POWER
    out[at + 18] = np.float32(state.max_backouts) * _PER_CARD
    out[at + 19] = state.show_specials
    if state.heat >= 0:
        out[at + 20 + relative(state, seat, state.heat)] = _ONE


@kernel(leaf=True)
def observe_seats(state: State, seat: int, out: Vector) -> None:
    """Every seat, itself first; own hand by kind."""
    for k in range(state.num_seats):
        other = seat + k if seat + k < state.num_seats else seat + k - state.num_seats
        at = SEATS_AT + SEAT_SIZE * k
        out[at] = state.alive[other]
        if not state.alive[other]:
            continue
        count = np.float32(state.count[other])
        out[at + 1] = state.active == other
        out[at + 2] = count * _PER_CARD
        out[at + 3] = np.float32(state.rackets[other]) * _PER_CARD
        out[at + 4] = np.float32(state.crooks[other]) * _PER_CARD
        if k == 0 or state.open_money:
            out[at + 5] = min(_MOST, np.float32(state.treasury[other]) * _PER_MONEY)
        out[at + 6] = min(_MOST, np.float32(state.ledger[other]) * _PER_MONEY)
        out[at + 7] = min(_MOST, np.float32(state.private[other]) * _PER_CARD)
        out[at + 8] = np.float32(state.hidden[other]) * _PER_THREE
        out[at + 9] = np.float32(MOB_BONUS[state.mob[other]]) * _PER_THREE
        out[at + 10] = state.war_in >> other & 1
        out[at + 11] = (np.float32(state.required) - count) * _PER_CARD
        out[at + 12] = np.float32(state.mob_income[other]) * np.float32(1 / 20)
        out[at + 13] = np.float32(state.due[other]) * np.float32(1 / 20)
        out[at + 14] = state.refused >> other & 1
        out[at + 15] = state.agreeing >> other & 1
        out[at + 16 + state.mob[other]] = _ONE
        at += 16 + MOBS + KINDS
        for kind in range(REGULAR_TYPES):
            out[at + kind] = np.float32(state.types[other, kind]) * _PER_THREE
        at += REGULAR_TYPES
        for district in range(DISTRICTS):
            out[at + district] = np.float32(state.districts[other, district]) * _QUARTER
    for s in range(COPIES):
        holder = state.special_loc[s]
        if holder >= 0:
            kind = KIND_OF_COPY[s]
            if state.shown[s]:
                at = SEATS_AT + SEAT_SIZE * relative(state, seat, holder) + 16 + MOBS
                out[at + kind] += _ONE
            if holder == seat:
                out[HAND_AT + kind] += _ONE


@kernel(leaf=True)
def observe_crooks(state: State, seat: int, out: Vector) -> None:
    """Every Crook: where he is and how he stands."""
    for c in range(CROOKS):
        at = CROOKS_AT + CROOK_SIZE * c
        loc = state.crook_loc[c]
        if loc < 0:
            if loc == CENTRE:
                out[at + MAX_SEATS] = _ONE
                out[at + CROOK_LOCATIONS] = np.float32(own_power(state, c)) * _PER_POWER
            elif loc == DISCARD:
                out[at + MAX_SEATS + 1] = _ONE
            continue
        out[at + relative(state, seat, loc)] = _ONE
        at += CROOK_LOCATIONS
        out[at] = np.float32(state.strength[c]) * _PER_POWER
        out[at + 1] = np.float32(state.unhappy[c]) * _PER_THREE
        out[at + 2] = state.token[c]
        superior = state.superior[c]
        if superior >= 0:
            out[at + 4] = superior == state.boss[loc]
            out[at + 9] = np.float32(state.strength[superior]) * _PER_POWER
        elif state.boss[loc] == c:
            out[at + 3] = _ONE
        depth = np.float32(state.depth[c]) * _PER_THREE
        out[at + 5] = depth if state.placed[c] else -_ONE
        out[at + 6] = np.float32(state.x[c]) * _PER_CELL
        out[at + 7] = np.float32(state.y[c]) * _PER_CELL
        out[at + 8] = np.float32(state.subordinates[c]) * _QUARTER


@kernel(leaf=True)
def observe_rackets(state: State, seat: int, out: Vector) -> None:
    """Every Racket: where it is and what it brings; tokens of those that have a space."""
    for r in range(RACKETS):
        loc = state.racket_loc[r]
        at = RACKETS_AT + RACKET_SIZE * r
        if loc >= 0:
            out[at + relative(state, seat, loc)] = _ONE
        elif loc == CENTRE:
            out[at + MAX_SEATS] = _ONE
        else:
            continue
        out[at + MAX_SEATS + 1] = np.float32(state.income[r]) * _PER_CARD
    for k in range(len(ARMED)):
        out[TOKENS_AT + k] = state.racket_token[ARMED[k]]


@kernel(leaf=True)
def card_index(card: int) -> int:
    """Index of a card in a one-hot of Crooks, Rackets and Special kinds."""
    return card if card < CARDS else CARDS + KIND_OF_COPY[card - CARDS]


@kernel(leaf=True)
def observe_auction(state: State, seat: int, out: Vector) -> None:
    """The lot and the bids (CL-3.5 to CL-3.8)."""
    if state.lot >= 0:
        out[OBJECT_AT + card_index(state.lot)] = _ONE
    at = AUCTION_AT
    n = state.num_seats
    out[at] = np.float32(state.bid) * np.float32(1 / 25)
    out[at + 1] = np.float32(n * state.auction_crooks - state.sold_crooks) * np.float32(1 / 15)
    out[at + 2] = np.float32(n * state.auction_rackets - state.sold_rackets) * _PER_CARD
    if state.bidder >= 0:
        out[at + 3 + relative(state, seat, state.bidder)] = _ONE
    for k in range(n):
        other = seat + k if seat + k < n else seat + k - n
        out[at + 3 + MAX_SEATS + k] = np.float32(state.bid_money[other]) * np.float32(1 / 25)


@kernel(leaf=True)
def observe_attack(state: State, seat: int, out: Vector) -> None:
    """The attack in progress; commitments once they are revealed (CL-9.20)."""
    at = ATTACK_AT
    out[at + state.kind - 1] = _ONE
    at += 3
    out[at + relative(state, seat, state.attacker)] = _ONE
    at += MAX_SEATS
    if state.owner >= 0:
        out[at + relative(state, seat, state.owner)] = _ONE
    else:
        out[at + MAX_SEATS] = _ONE
    at += MAX_SEATS + 1
    out[at] = min(_MOST, max(-_MOST, np.float32(state.number) * _PER_NUMBER))
    out[at + 1] = state.helper_used
    out[at + 2] = np.float32(state.roll) * _PER_NUMBER
    out[at + 3] = state.revealed
    out[at + 4] = np.float32(state.hit_cash) * np.float32(0.2)
    # Of what goes on between decisions of others a seat can only tell what it is asked.
    if state.seat == seat:
        out[at + 5] = state.loop_added
    if state.revealed:
        for k in range(state.num_seats):
            other = seat + k if seat + k < state.num_seats else seat + k - state.num_seats
            out[at + 6 + k] = np.float32(state.commitments[other]) * _PER_CARD * np.float32(0.5)
    if state.leader >= 0:
        out[SUBJECT_AT + state.leader] = _ONE
    if state.protector >= 0:
        out[THIRD_AT + state.protector] = _ONE
    out[OBJECT_AT + state.target + (CROOKS if state.kind == TAKE else 0)] = _ONE


@kernel(leaf=True)
def observe_choice(state: State, seat: int, out: Vector) -> None:
    """What the own choice is about: a Crook to place or pay, a Special played, an offer."""
    if OFFER_TO < state.phase <= OFFER_REPLY:
        other = state.active if state.partner == seat else state.partner
        if other >= 0:
            out[OFFER_AT + relative(state, seat, other)] = _ONE
        if state.given >= 0:
            out[OBJECT_AT + card_index(state.given)] = _ONE
        if state.asked >= 0:
            out[SUBJECT_AT + card_index(state.asked)] = _ONE
        out[OFFER_AT + MAX_SEATS] = np.float32(MONEY[state.given_cash]) * _PER_MONEY
        out[OFFER_AT + MAX_SEATS + 1] = np.float32(MONEY[state.price]) * _PER_MONEY
    crook = subject(state)
    if crook >= 0:
        out[THIRD_AT + crook] = _ONE
    if state.special >= 0:
        out[THIRD_AT + CROOKS + state.special] = _ONE


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
