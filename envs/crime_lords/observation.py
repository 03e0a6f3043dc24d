"""What a seat sees: names for every number, and the kernels that fill them in (section 25)."""

from __future__ import annotations

from typing import Annotated, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.kernel import kernel
from ..core.layout import Block, Field, Layout, offsets, row_size
from ..core.seats import relative
from ..core.state import State
from .data.codes import REGULAR_TYPES
from .data.tables import (
    CROOK_IDS,
    DISTRICT_CODES,
    KIND_OF_COPY,
    MOB_BONUS,
    MOB_IDS,
    MONEY,
    RACKET_IDS,
    RACKET_POWER,
    SPECIAL_IDS,
    TYPE_CODES,
)
from .rules.mob.grid import lowest, own_power
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
    MAX_SEATS,
    MOVE_TO,
    NONE,
    OFFERING,
    PAY_HOW,
    PHASES,
    PLACE,
    RACKETS,
    REASSIGN,
    REORG,
    TAKE,
)

Vector = NDArray[np.float32]

ARMED: Final = np.flatnonzero(RACKET_POWER)
"""The Rackets with a token space."""
ARMED_IDS: Final = tuple(RACKET_IDS[r] for r in ARMED)
SUBJECTS: Final = (*CROOK_IDS, *RACKET_IDS, *SPECIAL_IDS)
"""What an offer or a lot can be: a Crook, a Racket, a kind of Special."""
ATTACKS: Final = ("recruit", "hit", "take")


class Phase(NamedTuple):
    """One's own decision."""

    phase: Annotated[int, Field("1 for its phase", each=PHASES)]
    due: Annotated[int, Field("1 if one has to decide")]


class Table(NamedTuple):
    """The turn, the piles, and the options that rules depend on."""

    turn_share: Annotated[int, Field("turns played, as a share of the most")]
    deck: Annotated[int, Field("cards in the deck, as a share of all")]
    required: Annotated[int, Field("Rackets that win, in tenths", high=5.2)]
    war: Annotated[int, Field("1 during a Gang War")]
    acted: Annotated[int, Field("1 once the active Mob has acted")]
    offers: Annotated[int, Field("offers one has made in one's turn", high=6.0)]
    backouts: Annotated[int, Field("attacks taken back in this turn", high=8.0)]
    war_passes: Annotated[int, Field("Mobs in a row that have passed in a Gang War", high=8.0)]
    seats: Annotated[int, Field("seats at the table, in eighths")]
    end_mode: Annotated[int, Field("what ends the game: 0 Rackets, 1 domination, 2 last", high=2.0)]
    agreement: Annotated[int, Field("1 if Mobs may agree to win together")]
    trade: Annotated[int, Field("1 with gifts and trades")]
    bonus_counts: Annotated[int, Field("1 with bonuses for types and districts")]
    retoken: Annotated[int, Field("1 if tokens come back at the start of a turn")]
    open_money: Annotated[int, Field("1 if treasuries are open")]
    turn: Annotated[int, Field("turns played, in hundredths", high=40.0)]
    bugle: Annotated[int, Field("1 if a Boss may swing attacks")]
    offers_per_turn: Annotated[int, Field("offers allowed in a turn, in sixths")]
    max_backouts: Annotated[int, Field("attacks that may be taken back in a turn, in tenths")]
    show_specials: Annotated[int, Field("1 if hidden Specials may be turned up")]
    heat: Annotated[int, Field("1 for the seat that forbids deals, oneself first", width=MAX_SEATS)]


class Seat(NamedTuple):
    """A Mob."""

    alive: Annotated[int, Field("1 for a Mob in the game; one that is out is 0 throughout")]
    active: Annotated[int, Field("1 if it is its turn")]
    tally: Annotated[int, Field("count towards victory, in tenths", high=8.0)]
    rackets: Annotated[int, Field("Rackets, in tenths", high=5.2)]
    crooks: Annotated[int, Field("Crooks, in tenths", high=3.6)]
    treasury: Annotated[int, Field("treasury, if one may know it, in fifties of G", high=4.0)]
    ledger: Annotated[int, Field("public money events, in fifties of G", high=4.0)]
    private: Annotated[int, Field("private money events, in tenths", high=4.0)]
    hidden: Annotated[int, Field("hidden Specials, in thirds", high=6.0)]
    boss_bonus: Annotated[int, Field("bonus of its Boss, in thirds", high=2.0)]
    war: Annotated[int, Field("1 if it is in the Gang War")]
    missing: Annotated[int, Field("Rackets short of victory, in tenths", low=-8.0, high=8.0)]
    income: Annotated[int, Field("income of a turn, in twentieths of G", high=8.0)]
    due: Annotated[int, Field("pay due in a turn, in twentieths of G", high=8.0)]
    refused: Annotated[int, Field("1 if it was in the agreement that was refused")]
    agreeing: Annotated[int, Field("1 if it is in the agreement that is asked for")]
    mob: Annotated[int, Field("1 for its Mob card", each=MOB_IDS)]
    specials: Annotated[int, Field("Specials that it shows, by kind", each=SPECIAL_IDS, high=4.0)]
    types: Annotated[
        int, Field("Rackets of each type, in thirds", each=TYPE_CODES[:REGULAR_TYPES], high=3.0)
    ]
    districts: Annotated[
        int, Field("Rackets in each district, in quarters", each=DISTRICT_CODES, high=4.0)
    ]


class Crook(NamedTuple):
    """A Crook card."""

    holder: Annotated[int, Field("1 for the Mob that it is in, oneself first", width=MAX_SEATS)]
    centre: Annotated[int, Field("1 if it lies in the centre")]
    discarded: Annotated[int, Field("1 if it is discarded")]
    power: Annotated[int, Field("Power, in sixths", low=-1.0, high=4.0)]
    unhappy: Annotated[int, Field("unhappy counters, in thirds", high=2.0)]
    token: Annotated[int, Field("1 with its token")]
    boss: Annotated[int, Field("1 for a Boss")]
    lieutenant: Annotated[int, Field("1 if its superior is the Boss")]
    depth: Annotated[
        int, Field("steps below the Boss, in thirds; -1 off the grid", low=-1.0, high=8.0)
    ]
    x: Annotated[int, Field("column on the grid, in eighths", low=-4.5, high=4.5)]
    y: Annotated[int, Field("row on the grid, in eighths", low=-4.5, high=4.5)]
    subordinates: Annotated[int, Field("subordinates, in quarters")]
    above: Annotated[int, Field("Power of its superior, in sixths", low=-1.0, high=4.0)]


class Racket(NamedTuple):
    """A Racket card."""

    holder: Annotated[int, Field("1 for the Mob that owns it, oneself first", width=MAX_SEATS)]
    centre: Annotated[int, Field("1 if it lies in the centre")]
    income: Annotated[int, Field("income in tenths of G; 0 while it is blocked", high=4.0)]


class Auction(NamedTuple):
    """The auction."""

    bid: Annotated[int, Field("highest bid, in 25ths of G")]
    crooks: Annotated[int, Field("Crooks still to be sold, in 15ths", high=8.0)]
    rackets: Annotated[int, Field("Rackets still to be sold, in tenths", high=8.0)]
    bidder: Annotated[int, Field("1 for the highest bidder, oneself first", width=MAX_SEATS)]
    money: Annotated[int, Field("bidding money of each seat, in 25ths of G", width=MAX_SEATS)]


class Attack(NamedTuple):
    """The attack in progress."""

    kind: Annotated[int, Field("1 for its kind", each=ATTACKS)]
    attacker: Annotated[int, Field("1 for the attacker, oneself first", width=MAX_SEATS)]
    owner: Annotated[int, Field("1 for the owner of the target, oneself first", width=MAX_SEATS)]
    unowned: Annotated[int, Field("1 if the target has no owner")]
    number: Annotated[int, Field("number to roll, in twelfths", low=-4.0, high=4.0)]
    helper: Annotated[int, Field("1 once a helper has been used")]
    roll: Annotated[int, Field("roll of the dice, in twelfths")]
    revealed: Annotated[int, Field("1 once commitments are revealed")]
    cash: Annotated[int, Field("money added to a hit, in fifths", high=8.0)]
    added: Annotated[int, Field("1 if something was added in this round, when one is asked")]
    commitments: Annotated[
        int, Field("commitment of each seat, in twentieths", width=MAX_SEATS, low=-8.0, high=8.0)
    ]


class Offer(NamedTuple):
    """The offer that one is asked about."""

    partner: Annotated[int, Field("1 for the other side, oneself first", width=MAX_SEATS)]
    given: Annotated[int, Field("money given, in fiftieths of G", high=4.0)]
    price: Annotated[int, Field("money asked for, in fiftieths of G", high=4.0)]


class Third(NamedTuple):
    """The third card that a decision is about."""

    crook: Annotated[
        int, Field("1 for the protector, or the Crook to place, pay or use", each=CROOK_IDS)
    ]
    special: Annotated[int, Field("1 for the kind of the Special that is played", each=SPECIAL_IDS)]


class Blocks(NamedTuple):
    """The whole observation.

    The last three blocks hold the cards that the auction, the attack and the offer are about: no
    two of these ever stand together.
    """

    decision: Annotated[int, Block(Phase, "one's own decision")]
    table: Annotated[int, Block(Table, "the turn, the piles, options that rules depend on")]
    seats: Annotated[
        int, Block(Seat, "the Mobs to the right, oneself first; absent ones are 0", rows=MAX_SEATS)
    ]
    hand: Annotated[int, Field("one's own Specials, by kind", each=SPECIAL_IDS, high=4.0)]
    crooks: Annotated[int, Block(Crook, "where every Crook is and how it stands", each=CROOK_IDS)]
    rackets: Annotated[
        int, Block(Racket, "where every Racket is and what it brings", each=RACKET_IDS)
    ]
    tokens: Annotated[int, Field("1 for each Racket with its token", each=ARMED_IDS)]
    auction: Annotated[int, Block(Auction, "the auction")]
    attack: Annotated[int, Block(Attack, "the attack in progress")]
    offer: Annotated[int, Block(Offer, "the offer that one decides about")]
    first_card: Annotated[
        int, Field("1 for the lot, the target of the attack, or the card given", each=SUBJECTS)
    ]
    second_card: Annotated[
        int, Field("1 for the leader of the attack, or the card asked for", each=SUBJECTS)
    ]
    third_card: Annotated[int, Block(Third, "a third card that the decision is about")]


LAYOUT: Final = Layout(Blocks)
AT: Final = LAYOUT.at
DECISION: Final = offsets(Phase, start=AT.decision)
TABLE: Final = offsets(Table, start=AT.table)
SEAT: Final = offsets(Seat)
SEAT_SIZE: Final = row_size(Seat)
CROOK: Final = offsets(Crook)
CROOK_SIZE: Final = row_size(Crook)
RACKET: Final = offsets(Racket)
RACKET_SIZE: Final = row_size(Racket)
AUCTION: Final = offsets(Auction, start=AT.auction)
ATTACK: Final = offsets(Attack, start=AT.attack)
OFFER: Final = offsets(Offer, start=AT.offer)
THIRD: Final = offsets(Third, start=AT.third_card)

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
    """Fill the observation of a seat: float32 of the shape in ``LAYOUT``.

    The layout is the same for every number of players. Barred targets stand in the mask alone.
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
def observe_table(state: State, seat: int, out: Vector) -> None:
    """Own phase, turn, piles, options that rules depend on."""
    if state.seat == seat:
        out[DECISION.phase + state.phase] = _ONE
        out[DECISION.due] = _ONE
    most = np.float32(state.max_rounds) * np.float32(state.num_seats)
    out[TABLE.turn_share] = np.float32(state.turn) / most
    out[TABLE.deck] = np.float32(state.deck_size) * np.float32(1 / DECK)
    out[TABLE.required] = np.float32(state.required) * _PER_CARD
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
    out[TABLE.offers_per_turn] = np.float32(state.offers_per_turn) * _PER_POWER
    out[TABLE.max_backouts] = np.float32(state.max_backouts) * _PER_CARD
    out[TABLE.show_specials] = state.show_specials
    if state.heat >= 0:
        out[TABLE.heat + relative(state, seat, state.heat)] = _ONE


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
        out[at + SEAT.tally] = count * _PER_CARD
        out[at + SEAT.rackets] = np.float32(state.rackets[other]) * _PER_CARD
        out[at + SEAT.crooks] = np.float32(state.crooks[other]) * _PER_CARD
        if k == 0 or state.open_money:
            out[at + SEAT.treasury] = min(_MOST, np.float32(state.treasury[other]) * _PER_MONEY)
        out[at + SEAT.ledger] = min(_MOST, np.float32(state.ledger[other]) * _PER_MONEY)
        out[at + SEAT.private] = min(_MOST, np.float32(state.private[other]) * _PER_CARD)
        out[at + SEAT.hidden] = np.float32(state.hidden[other]) * _PER_THREE
        out[at + SEAT.boss_bonus] = np.float32(MOB_BONUS[state.mob[other]]) * _PER_THREE
        out[at + SEAT.war] = state.war_in >> other & 1
        out[at + SEAT.missing] = (np.float32(state.required) - count) * _PER_CARD
        out[at + SEAT.income] = np.float32(state.mob_income[other]) * np.float32(1 / 20)
        out[at + SEAT.due] = np.float32(state.due[other]) * np.float32(1 / 20)
        out[at + SEAT.refused] = state.refused >> other & 1
        out[at + SEAT.agreeing] = state.agreeing >> other & 1
        out[at + SEAT.mob + state.mob[other]] = _ONE
        for kind in range(REGULAR_TYPES):
            out[at + SEAT.types + kind] = np.float32(state.types[other, kind]) * _PER_THREE
        for district in range(DISTRICTS):
            out[at + SEAT.districts + district] = (
                np.float32(state.districts[other, district]) * _QUARTER
            )
    for s in range(COPIES):
        holder = state.special_loc[s]
        if holder >= 0:
            kind = KIND_OF_COPY[s]
            if state.shown[s]:
                at = AT.seats + SEAT_SIZE * relative(state, seat, holder)
                out[at + SEAT.specials + kind] += _ONE
            if holder == seat:
                out[AT.hand + kind] += _ONE


@kernel(leaf=True)
def observe_crooks(state: State, seat: int, out: Vector) -> None:
    """Every Crook: where he is and how he stands."""
    for c in range(CROOKS):
        at = AT.crooks + CROOK_SIZE * c
        loc = state.crook_loc[c]
        if loc < 0:
            if loc == CENTRE:
                out[at + CROOK.centre] = _ONE
                out[at + CROOK.power] = np.float32(own_power(state, c)) * _PER_POWER
            elif loc == DISCARD:
                out[at + CROOK.discarded] = _ONE
            continue
        out[at + CROOK.holder + relative(state, seat, loc)] = _ONE
        out[at + CROOK.power] = np.float32(state.strength[c]) * _PER_POWER
        out[at + CROOK.unhappy] = np.float32(state.unhappy[c]) * _PER_THREE
        out[at + CROOK.token] = state.token[c]
        superior = state.superior[c]
        if superior >= 0:
            out[at + CROOK.lieutenant] = superior == state.boss[loc]
            out[at + CROOK.above] = np.float32(state.strength[superior]) * _PER_POWER
        elif state.boss[loc] == c:
            out[at + CROOK.boss] = _ONE
        depth = np.float32(state.depth[c]) * _PER_THREE
        out[at + CROOK.depth] = depth if state.placed[c] else -_ONE
        out[at + CROOK.x] = np.float32(state.x[c]) * _PER_CELL
        out[at + CROOK.y] = np.float32(state.y[c]) * _PER_CELL
        out[at + CROOK.subordinates] = np.float32(state.subordinates[c]) * _QUARTER


@kernel(leaf=True)
def observe_rackets(state: State, seat: int, out: Vector) -> None:
    """Every Racket: where it is and what it brings; tokens of those that have a space."""
    for r in range(RACKETS):
        loc = state.racket_loc[r]
        at = AT.rackets + RACKET_SIZE * r
        if loc >= 0:
            out[at + RACKET.holder + relative(state, seat, loc)] = _ONE
        elif loc == CENTRE:
            out[at + RACKET.centre] = _ONE
        else:
            continue
        out[at + RACKET.income] = np.float32(state.income[r]) * _PER_CARD
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
        out[AT.first_card + card_index(state.lot)] = _ONE
    n = state.num_seats
    out[AUCTION.bid] = np.float32(state.bid) * np.float32(1 / 25)
    out[AUCTION.crooks] = np.float32(n * state.auction_crooks - state.sold_crooks) * np.float32(
        1 / 15
    )
    out[AUCTION.rackets] = np.float32(n * state.auction_rackets - state.sold_rackets) * _PER_CARD
    if state.bidder >= 0:
        out[AUCTION.bidder + relative(state, seat, state.bidder)] = _ONE
    for k in range(n):
        other = seat + k if seat + k < n else seat + k - n
        out[AUCTION.money + k] = np.float32(state.bid_money[other]) * np.float32(1 / 25)


@kernel(leaf=True)
def observe_attack(state: State, seat: int, out: Vector) -> None:
    """The attack in progress; commitments once they are revealed (CL-9.20)."""
    out[ATTACK.kind + state.kind - 1] = _ONE
    out[ATTACK.attacker + relative(state, seat, state.attacker)] = _ONE
    if state.owner >= 0:
        out[ATTACK.owner + relative(state, seat, state.owner)] = _ONE
    else:
        out[ATTACK.unowned] = _ONE
    out[ATTACK.number] = min(_MOST, max(-_MOST, np.float32(state.number) * _PER_NUMBER))
    out[ATTACK.helper] = state.helper_used
    out[ATTACK.roll] = np.float32(state.roll) * _PER_NUMBER
    out[ATTACK.revealed] = state.revealed
    out[ATTACK.cash] = np.float32(state.hit_cash) * np.float32(0.2)
    # Of what goes on between decisions of others a seat can only tell what it is asked.
    if state.seat == seat:
        out[ATTACK.added] = state.loop_added
    if state.revealed:
        for k in range(state.num_seats):
            other = seat + k if seat + k < state.num_seats else seat + k - state.num_seats
            out[ATTACK.commitments + k] = (
                np.float32(state.commitments[other]) * _PER_CARD * np.float32(0.5)
            )
    if state.leader >= 0:
        out[AT.second_card + state.leader] = _ONE
    if state.protector >= 0:
        out[THIRD.crook + state.protector] = _ONE
    out[AT.first_card + state.target + (CROOKS if state.kind == TAKE else 0)] = _ONE


@kernel(leaf=True)
def observe_choice(state: State, seat: int, out: Vector) -> None:
    """What the own choice is about: a Crook to place or pay, a Special played, an offer."""
    if state.phase in OFFERING:
        other = state.active if state.partner == seat else state.partner
        if other >= 0:
            out[OFFER.partner + relative(state, seat, other)] = _ONE
        if state.given >= 0:
            out[AT.first_card + card_index(state.given)] = _ONE
        if state.asked >= 0:
            out[AT.second_card + card_index(state.asked)] = _ONE
        out[OFFER.given] = np.float32(MONEY[state.given_cash]) * _PER_MONEY
        out[OFFER.price] = np.float32(MONEY[state.price]) * _PER_MONEY
    crook = subject(state)
    if crook >= 0:
        out[THIRD.crook + crook] = _ONE
    if state.special >= 0:
        out[THIRD.special + state.special] = _ONE


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
