"""Names, meanings, ranges and factors of the numbers of an observation (section 25)."""

from __future__ import annotations

from typing import Annotated, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.layout import Block, Field, Layout, offsets, row_size
from ...core.state import State
from ..data import (
    CROOK_IDS,
    DISTRICT_CODES,
    MOB_IDS,
    RACKET_IDS,
    RACKET_POWER,
    SPECIAL_IDS,
    TYPE_CODES,
)
from ..data.codes import REGULAR_TYPES
from ..state import DECK, MAX_SEATS, PHASES

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

    turn_share: Annotated[int, Field("turns played, as a share of the most", unit=None)]
    deck: Annotated[int, Field("cards in the deck, as a share of all", unit=1 / DECK)]
    required: Annotated[int, Field("Rackets that win, in tenths", high=5.2, unit=1 / 10)]
    war: Annotated[int, Field("1 during a Gang War")]
    acted: Annotated[int, Field("1 once the active Mob has acted")]
    offers: Annotated[int, Field("offers one has made in one's turn", high=6.0)]
    backouts: Annotated[int, Field("attacks taken back in this turn", high=8.0)]
    war_passes: Annotated[int, Field("Mobs in a row that have passed in a Gang War", high=8.0)]
    seats: Annotated[int, Field("seats at the table, in eighths", unit=1 / 8)]
    end_mode: Annotated[int, Field("what ends the game: 0 Rackets, 1 domination, 2 last", high=2.0)]
    agreement: Annotated[int, Field("1 if Mobs may agree to win together")]
    trade: Annotated[int, Field("1 with gifts and trades")]
    bonus_counts: Annotated[int, Field("1 with bonuses for types and districts")]
    retoken: Annotated[int, Field("1 if tokens come back at the start of a turn")]
    open_money: Annotated[int, Field("1 if treasuries are open")]
    turn: Annotated[int, Field("turns played, in hundredths", high=40.0, unit=1 / 100)]
    bugle: Annotated[int, Field("1 if a Boss may swing attacks")]
    offers_per_turn: Annotated[int, Field("offers allowed in a turn, in sixths", unit=1 / 6)]
    max_backouts: Annotated[
        int, Field("attacks that may be taken back in a turn, in tenths", unit=1 / 10)
    ]
    show_specials: Annotated[int, Field("1 if hidden Specials may be turned up")]
    heat: Annotated[int, Field("1 for the seat that forbids deals, oneself first", width=MAX_SEATS)]


class Seat(NamedTuple):
    """A Mob."""

    alive: Annotated[int, Field("1 for a Mob in the game; one that is out is 0 throughout")]
    active: Annotated[int, Field("1 if it is its turn")]
    tally: Annotated[int, Field("count towards victory, in tenths", high=8.0, unit=1 / 10)]
    rackets: Annotated[int, Field("Rackets, in tenths", high=5.2, unit=1 / 10)]
    crooks: Annotated[int, Field("Crooks, in tenths", high=3.6, unit=1 / 10)]
    treasury: Annotated[
        int, Field("treasury, if one may know it, in fifties of G", high=4.0, unit=1 / 50)
    ]
    ledger: Annotated[int, Field("public money events, in fifties of G", high=4.0, unit=1 / 50)]
    private: Annotated[int, Field("private money events, in tenths", high=4.0, unit=1 / 10)]
    hidden: Annotated[int, Field("hidden Specials, in thirds", high=6.0, unit=1 / 3)]
    boss_bonus: Annotated[int, Field("bonus of its Boss, in thirds", high=2.0, unit=1 / 3)]
    war: Annotated[int, Field("1 if it is in the Gang War")]
    missing: Annotated[
        int, Field("Rackets short of victory, in tenths", low=-8.0, high=8.0, unit=1 / 10)
    ]
    income: Annotated[int, Field("income of a turn, in twentieths of G", high=8.0, unit=1 / 20)]
    due: Annotated[int, Field("pay due in a turn, in twentieths of G", high=8.0, unit=1 / 20)]
    refused: Annotated[int, Field("1 if it was in the agreement that was refused")]
    agreeing: Annotated[int, Field("1 if it is in the agreement that is asked for")]
    mob: Annotated[int, Field("1 for its Mob card", each=MOB_IDS)]
    specials: Annotated[int, Field("Specials that it shows, by kind", each=SPECIAL_IDS, high=4.0)]
    types: Annotated[
        int,
        Field(
            "Rackets of each type, in thirds", each=TYPE_CODES[:REGULAR_TYPES], high=3.0, unit=1 / 3
        ),
    ]
    districts: Annotated[
        int,
        Field("Rackets in each district, in quarters", each=DISTRICT_CODES, high=4.0, unit=1 / 4),
    ]


class Crook(NamedTuple):
    """A Crook card."""

    holder: Annotated[int, Field("1 for the Mob that it is in, oneself first", width=MAX_SEATS)]
    centre: Annotated[int, Field("1 if it lies in the centre")]
    discarded: Annotated[int, Field("1 if it is discarded")]
    power: Annotated[int, Field("Power, in sixths", low=-1.0, high=4.0, unit=1 / 6)]
    unhappy: Annotated[int, Field("unhappy counters, in thirds", high=2.0, unit=1 / 3)]
    token: Annotated[int, Field("1 with its token")]
    boss: Annotated[int, Field("1 for a Boss")]
    lieutenant: Annotated[int, Field("1 if its superior is the Boss")]
    depth: Annotated[
        int,
        Field("steps below the Boss, in thirds; -1 off the grid", low=-1.0, high=8.0, unit=1 / 3),
    ]
    x: Annotated[int, Field("column on the grid, in eighths", low=-4.5, high=4.5, unit=1 / 8)]
    y: Annotated[int, Field("row on the grid, in eighths", low=-4.5, high=4.5, unit=1 / 8)]
    subordinates: Annotated[int, Field("subordinates, in quarters", unit=1 / 4)]
    above: Annotated[int, Field("Power of its superior, in sixths", low=-1.0, high=4.0, unit=1 / 6)]


class Racket(NamedTuple):
    """A Racket card."""

    holder: Annotated[int, Field("1 for the Mob that owns it, oneself first", width=MAX_SEATS)]
    centre: Annotated[int, Field("1 if it lies in the centre")]
    income: Annotated[
        int, Field("income in tenths of G; 0 while it is blocked", high=4.0, unit=1 / 10)
    ]


class Auction(NamedTuple):
    """The auction."""

    bid: Annotated[int, Field("highest bid, in 25ths of G", unit=1 / 25)]
    crooks: Annotated[int, Field("Crooks still to be sold, in 15ths", high=8.0, unit=1 / 15)]
    rackets: Annotated[int, Field("Rackets still to be sold, in tenths", high=8.0, unit=1 / 10)]
    bidder: Annotated[int, Field("1 for the highest bidder, oneself first", width=MAX_SEATS)]
    money: Annotated[
        int, Field("bidding money of each seat, in 25ths of G", width=MAX_SEATS, unit=1 / 25)
    ]


class Attack(NamedTuple):
    """The attack in progress."""

    kind: Annotated[int, Field("1 for its kind", each=ATTACKS)]
    attacker: Annotated[int, Field("1 for the attacker, oneself first", width=MAX_SEATS)]
    owner: Annotated[int, Field("1 for the owner of the target, oneself first", width=MAX_SEATS)]
    unowned: Annotated[int, Field("1 if the target has no owner")]
    number: Annotated[int, Field("number to roll, in twelfths", low=-4.0, high=4.0, unit=1 / 12)]
    helper: Annotated[int, Field("1 once a helper has been used")]
    roll: Annotated[int, Field("roll of the dice, in twelfths", unit=1 / 12)]
    revealed: Annotated[int, Field("1 once commitments are revealed")]
    cash: Annotated[int, Field("money added to a hit, in fifths", high=8.0, unit=1 / 5)]
    added: Annotated[int, Field("1 if something was added in this round, when one is asked")]
    commitments: Annotated[
        int,
        Field(
            "commitment of each seat, in twentieths",
            width=MAX_SEATS,
            low=-8.0,
            high=8.0,
            unit=1 / 20,
        ),
    ]


class Offer(NamedTuple):
    """The offer that one is asked about."""

    partner: Annotated[int, Field("1 for the other side, oneself first", width=MAX_SEATS)]
    given: Annotated[int, Field("money given, in fiftieths of G", high=4.0, unit=1 / 50)]
    price: Annotated[int, Field("money asked for, in fiftieths of G", high=4.0, unit=1 / 50)]


class Third(NamedTuple):
    """The third card that a decision is about."""

    crook: Annotated[
        int, Field("1 for the protector, or the Crook to place, pay or use", each=CROOK_IDS)
    ]
    special: Annotated[int, Field("1 for the kind of the Special that is played", each=SPECIAL_IDS)]


MISSING = Field(
    "Rackets that a rival's Mob is short of victory, in tenths", low=-8.0, high=8.0, unit=1 / 10
)


class Target(NamedTuple):
    """A Crook as somebody whom one may attack, or who may lead an attack."""

    own: Annotated[int, Field("1 in one's own Mob")]
    rival: Annotated[int, Field("1 in another Mob")]
    centre: Annotated[int, Field("1 in the centre")]
    power: Annotated[int, Field("Power, in sixths", low=-1.0, high=4.0, unit=1 / 6)]
    boss: Annotated[int, Field("1 for a Boss")]
    token: Annotated[int, Field("1 with its token")]
    missing: Annotated[int, MISSING]
    recruit: Annotated[
        int,
        Field(
            "in one's turn, number to roll to recruit it, in twelfths",
            low=-4.0,
            high=4.0,
            unit=1 / 12,
        ),
    ]
    hit: Annotated[int, Field("the same for a Hit", low=-4.0, high=4.0, unit=1 / 12)]
    lead: Annotated[
        int,
        Field(
            "number to roll if it leads the attack, in twelfths", low=-4.0, high=4.0, unit=1 / 12
        ),
    ]


class Prize(NamedTuple):
    """A Racket as something that one may take over, or that may lead a takeover."""

    own: Annotated[int, Field("1 if one owns it")]
    rival: Annotated[int, Field("1 if another Mob does")]
    centre: Annotated[int, Field("1 if it lies in the centre")]
    income: Annotated[
        int, Field("income in tenths of G; 0 while it is blocked", high=4.0, unit=1 / 10)
    ]
    missing: Annotated[int, MISSING]
    gain: Annotated[int, Field("by how much it would raise one's count, in quarters", unit=1 / 4)]
    wins: Annotated[int, Field("1 if that is enough for victory")]
    take: Annotated[
        int,
        Field(
            "in one's turn, number to roll to take it over, in twelfths",
            low=-4.0,
            high=4.0,
            unit=1 / 12,
        ),
    ]
    lead: Annotated[
        int,
        Field(
            "number to roll if it leads the takeover, in twelfths", low=-4.0, high=4.0, unit=1 / 12
        ),
    ]


class Blocks(NamedTuple):
    """The whole observation.

    ``first_card`` to ``third_card`` hold the cards that the auction, the attack and the offer are
    about: no two of these ever stand together.
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
    targets: Annotated[
        int, Block(Target, "every Crook, and the odds of attacks on it", each=CROOK_IDS)
    ]
    prizes: Annotated[
        int, Block(Prize, "every Racket, and the odds of taking it over", each=RACKET_IDS)
    ]


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
TARGET: Final = offsets(Target)
TARGET_SIZE: Final = row_size(Target)
PRIZE: Final = offsets(Prize)
PRIZE_SIZE: Final = row_size(Prize)


Vector = NDArray[np.float32]

ONE: Final = np.float32(1.0)
PER_MONEY: Final = np.float32(1 / 50)
PER_CARD: Final = np.float32(1 / 10)
PER_POWER: Final = np.float32(1 / 6)
PER_NUMBER: Final = np.float32(1 / 12)
PER_THREE: Final = np.float32(1 / 3)
PER_CELL: Final = np.float32(1 / 8)
QUARTER: Final = np.float32(1 / 4)
MOST: Final = np.float32(4.0)


@kernel(leaf=True)
def in_range(number: int) -> np.float32:
    """A number to roll, in twelfths."""
    return min(MOST, max(-MOST, np.float32(number) * PER_NUMBER))


@kernel(leaf=True)
def missing(state: State, seat: int) -> np.float32:
    """Rackets that a Mob is short of victory, in tenths."""
    return (np.float32(state.required) - np.float32(state.count[seat])) * PER_CARD
