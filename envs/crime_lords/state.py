"""The state record of Crime Lords (CL-5.7, section 26) and the numbers that its fields hold."""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np

from ..core.state import record_dtype

int64: Any = np.int64
"""``np.int64``, of type Any as the fields of a record are."""

MAX_SEATS: Final = 8
CROOKS: Final = 36
RACKETS: Final = 52
CARDS: Final = CROOKS + RACKETS
"""Crooks and Rackets; a Special copy s is card ``CARDS + s``."""
COPIES: Final = 16
KINDS: Final = 12
DECK: Final = CARDS + COPIES
DISTRICTS: Final = 5
MOST_BID: Final = 25
"""Bidding money at the most, in G (CL-3.3)."""
MONEY_STEPS: Final = 23
"""Steps of the ladder that amounts of money are taken from, 0 G included."""
TYPES: Final = 10
SIDES: Final = 4

# Locations of a card; a seat number if a player has it.
IN_DECK: Final = -1
CENTRE: Final = -2
DISCARD: Final = -3
ASIDE: Final = -4
REMOVED: Final = -5
"""Not part of this game (position texts with a ``deck`` field)."""

NONE: Final = -1
NO_BOSS: Final = -2
"""Superior of the Lieutenants of a vanished Boss."""

# Phases: the decision points of CL-4.10, in its order.
PHASES: Final = (
    "AUC_OPEN", "AUC_BID", "BOSS_PICK", "WINDOW", "SP_TARGET", "HUSH", "PAY_WHO", "PAY_HOW",
    "MAIN", "LEADER", "PROTECT", "COMMIT_A", "COMMIT_D", "COMMIT_T", "HIT_CASH", "ASSIST",
    "JOIN_FOR", "DEFEND", "JOIN_AGAINST", "REROLL", "PLACE", "REASSIGN", "DISPLACE", "CLASH",
    "NEW_BOSS", "REORG", "SPOILS", "SPOILS_PAY", "WAR", "MOVE_WHO", "MOVE_TO", "DROP_WHO",
    "VISIT_WHO", "ABIL_WHO", "ABIL_TARGET", "HEIR", "BUGLE_WHO", "SHOW_WHICH", "OFFER_TO",
    "OFFER_GIVE", "OFFER_CASH", "OFFER_ASK", "OFFER_PRICE", "OFFER_REPLY", "GIFT_PLACE", "AGREE",
    "OVER",
)  # fmt: skip
(
    AUC_OPEN, AUC_BID, BOSS_PICK, WINDOW, SP_TARGET, HUSH, PAY_WHO, PAY_HOW,
    MAIN, LEADER, PROTECT, COMMIT_A, COMMIT_D, COMMIT_T, HIT_CASH, ASSIST,
    JOIN_FOR, DEFEND, JOIN_AGAINST, REROLL, PLACE, REASSIGN, DISPLACE, CLASH,
    NEW_BOSS, REORG, SPOILS, SPOILS_PAY, WAR, MOVE_WHO, MOVE_TO, DROP_WHO,
    VISIT_WHO, ABIL_WHO, ABIL_TARGET, HEIR, BUGLE_WHO, SHOW_WHICH, OFFER_TO,
    OFFER_GIVE, OFFER_CASH, OFFER_ASK, OFFER_PRICE, OFFER_REPLY, GIFT_PLACE, AGREE,
    OVER,
) = range(len(PHASES))  # fmt: skip
RUNNING: Final = -1
"""Phase while the engine works through its steps: nobody decides."""

OFFERING: Final = (OFFER_GIVE, OFFER_CASH, OFFER_ASK, OFFER_PRICE, OFFER_REPLY)
"""Phases of an offer whose partner is known."""

# Steps that the engine works through; those still to come lie on ``stack``. As their numbers stand
# in records, numbers of steps that are gone stay free.
(
    STEP_LOT, STEP_BID, STEP_BOSSES, STEP_START, STEP_T0, STEP_WINDOW, STEP_T2, STEP_INCOME,
    STEP_PAY, STEP_DRAW, STEP_MAIN, STEP_RETOKEN, STEP_CHECK, STEP_AGREE, STEP_NEXT,
) = range(15)  # fmt: skip
(
    STEP_SHOWDOWN, STEP_COMMIT, STEP_REVEAL, STEP_LOOP, STEP_ROLL, STEP_RESULT, STEP_DONE,
    STEP_SUB_NEXT, STEP_SUB_SIDE, STEP_REASSIGN, STEP_SETTLE,
) = range(17, 28)  # fmt: skip
STEP_STATUS, STEP_SPOILS, STEP_RUIN = range(29, 32)
(
    STEP_WAR_TURN, STEP_WAR_AFTER, STEP_HUSH, STEP_EFFECT, STEP_DEAL, STEP_GIFT_BACK,
) = range(33, 39)  # fmt: skip

# Kinds of attack.
NO_ATTACK: Final = 0
REC: Final = 1
HIT: Final = 2
TAKE: Final = 3

# End modes and victory.
SHORT: Final = 0
LONG: Final = 1
BY_RACKETS: Final = 0
DOMINATION: Final = 1
LAST_STANDING: Final = 2
AT_END: Final = 0
AT_START: Final = 1

# Why a game ended, beside a count (``capped``): CL-20.9, CL-20.10.
ROUND_CAP: Final = 1
DECISION_CAP: Final = 2

# How a Crook stands in the pay step (``paid_how``).
UNPAID: Final = 0
PAID_FULL: Final = 1
PAID_ONE: Final = 2

STACK: Final = 24
TRANSFERS: Final = 32
"""Private payments kept; of more than these the oldest are forgotten."""


def _gapless(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The same layout with every gap named: NumPy copies records field by field."""
    fields: dict[str, tuple[Any, int]] = {}
    known: Any = dtype.fields
    end = 0
    for name in dtype.names or ():
        kind, at = known[name][:2]
        if at > end:
            fields[f"gap_{len(fields)}"] = (np.dtype(("u1", (at - end,))), end)
        fields[name] = (kind, at)
        end = at + kind.itemsize
    if dtype.itemsize > end:
        fields[f"gap_{len(fields)}"] = (np.dtype(("u1", (dtype.itemsize - end,))), end)
    layout = {
        "names": list(fields),
        "formats": [field[0] for field in fields.values()],
        "offsets": [field[1] for field in fields.values()],
        "itemsize": dtype.itemsize,
    }
    return np.dtype((np.record, np.dtype(cast("Any", layout), align=True)))


_ALIGNED = record_dtype(
    MAX_SEATS,
    [
        # Options (section 21); ``required`` follows from them (CL-20.4).
        ("max_decisions", "i4"),
        ("max_rounds", "i2"),
        ("start_money", "i2"),
        ("victory", "i1"),
        ("victory_target", "i1"),  # 0: none
        ("required", "i1"),
        ("bonus_counts", "i1"),
        ("end_mode", "i1"),
        ("agreement", "i1"),
        ("trade", "i1"),
        ("offers_per_turn", "i1"),
        ("show_specials", "i1"),
        ("auction_crooks", "i1"),
        ("auction_rackets", "i1"),
        ("bid_option", "i1"),
        ("retoken", "i1"),
        ("max_backouts", "i1"),
        ("open_money", "i1"),
        ("allow_quit", "i1"),
        # Crooks.
        ("crook_loc", "i1", (CROOKS,)),
        ("superior", "i1", (CROOKS,)),
        ("side", "i1", (CROOKS,)),  # of the superior
        ("x", "i1", (CROOKS,)),
        ("y", "i1", (CROOKS,)),
        ("placed", "i1", (CROOKS,)),  # 0 while lifted off the grid
        ("counters", "i1", (CROOKS,)),
        ("unhappy", "i1", (CROOKS,)),
        ("token", "i1", (CROOKS,)),
        # Rackets, Special copies, deck.
        ("racket_loc", "i1", (RACKETS,)),
        ("racket_token", "i1", (RACKETS,)),
        ("blocked", "i1", (RACKETS,)),
        ("special_loc", "i1", (COPIES,)),
        ("shown", "i1", (COPIES,)),
        ("deck", "i1", (DECK,)),  # cards from the top, which is at ``deck_at``
        ("deck_at", "i1"),
        ("deck_size", "i1"),
        ("aside", "i1", (DECK,)),  # set aside in the auction, in order
        ("num_aside", "i1"),
        # Seats.
        ("alive", "i1", (MAX_SEATS,)),
        ("leaving", "i1", (MAX_SEATS,)),
        ("mob", "i1", (MAX_SEATS,)),
        ("boss", "i1", (MAX_SEATS,)),
        ("treasury", "i4", (MAX_SEATS,)),
        ("ledger", "i4", (MAX_SEATS,)),  # public money events only (CL-19.2)
        ("private", "i2", (MAX_SEATS,)),  # number of private money events
        # Private payments in order, from ``payer`` to ``payee`` (negative: the other way). With
        # each, for the two: ``funds`` at that time, and their lowest value since the one before.
        ("funds", "i4", (MAX_SEATS,)),  # as the ledger, but not clipped at 0
        ("lowest_funds", "i4", (MAX_SEATS,)),  # since the seat's latest private payment
        ("payer", "i1", (TRANSFERS,)),
        ("payee", "i1", (TRANSFERS,)),
        ("payment_kind", "i1", (TRANSFERS,)),
        ("payment", "i1", (TRANSFERS,)),
        ("payment_funds", "i2", (TRANSFERS, 2)),
        ("payment_lowest", "i2", (TRANSFERS, 2)),
        ("num_payments", "i1"),
        ("hidden", "i1", (MAX_SEATS,)),  # face-down Specials
        # Derived from the cards by ``refresh``; public.
        ("members", "i8", (MAX_SEATS,)),  # bit set of a Mob's Crooks
        ("dirty", "i2"),
        ("rackets", "i1", (MAX_SEATS,)),
        ("crooks", "i1", (MAX_SEATS,)),
        ("districts", "i1", (MAX_SEATS, DISTRICTS)),
        ("types", "i1", (MAX_SEATS, TYPES)),
        ("count", "i1", (MAX_SEATS,)),  # towards victory (CL-20.1)
        ("income", "i1", (RACKETS,)),
        ("mob_income", "i2", (MAX_SEATS,)),
        ("due", "i2", (MAX_SEATS,)),
        ("free_sides", "i1", (CROOKS,)),  # bit set of sides on which a Crook can be placed
        ("strength", "i1", (CROOKS,)),  # Power of the Crooks of the Mobs, Boss bonus included
        ("subordinates", "i1", (CROOKS,)),
        ("depth", "i1", (CROOKS,)),  # 0 Boss, 1 Lieutenant, ...
        # The turn.
        ("turn", "i4"),
        ("active", "i1"),
        ("acted", "i1"),
        ("offers", "i1"),
        ("backouts", "i1"),
        ("bugle", "i1"),
        ("heat", "i1"),  # seat that played Heat's On, or NONE
        ("barred_rec", "i8"),  # bit sets of targets
        ("barred_take", "i8"),
        ("window_at", "i1"),
        ("refused", "i2"),  # bit set of seats of the refused agreement
        ("agreeing", "i2"),
        ("agree_at", "i1"),
        ("winners", "i2"),  # bit set of seats, at the end
        ("stack", "i1", (STACK,)),
        ("stack_size", "i1"),
        # Auction.
        ("lot", "i1"),
        ("opener", "i1"),
        ("bid", "i1"),
        ("bidder", "i1"),
        ("bid_at", "i1"),
        ("in_lot", "i2"),  # bit set of seats
        ("bid_money", "i1", (MAX_SEATS,)),
        ("sold_crooks", "i1"),
        ("sold_rackets", "i1"),
        ("first_opener", "i1"),
        ("boss_at", "i1"),
        # Pay.
        ("paid_how", "i1", (CROOKS,)),
        ("paid_order", "i1", (CROOKS,)),  # part-paid Crooks in the order they were picked
        ("num_part_paid", "i1"),
        ("paid_total", "i4"),
        ("boss_paid", "i2"),
        ("pay_who", "i1"),
        # Attack; kept after its end as the latest one.
        ("attacking", "i1"),
        ("kind", "i1"),
        ("attacker", "i1"),
        ("owner", "i1"),
        ("leader", "i1"),  # a Crook, or CROOKS + Racket
        ("target", "i1"),
        ("number", "i2"),
        ("protector", "i1"),
        ("helper_used", "i1"),
        ("commitments", "i1", (MAX_SEATS,)),  # For positive, Against negative
        ("revealed", "i1"),
        ("commit_at", "i1"),
        ("loop_step", "i1"),
        ("loop_at", "i1"),
        ("loop_added", "i1"),
        ("loop_empty", "i1"),
        ("hit_cash", "i1"),
        ("rerolled", "i1"),
        ("roll", "i1"),  # 0: none
        ("dice", "i1", (2,)),  # of the latest roll, arson's included; for people, who see dice
        ("success", "i1"),
        # SETTLE (CL-6.9).
        ("settle_mob", "i1"),
        ("settle_pay", "i1"),
        ("responsible", "i1"),
        ("heir", "i1"),
        ("lieutenants", "i8"),  # LT0, bit set of Crooks
        ("arrivals", "i8"),
        # Placing.
        ("place_seat", "i1"),
        ("root", "i1"),
        ("under", "i1"),  # only at or below this Crook; NONE: anywhere
        ("left_superior", "i1"),  # where a moving Crook comes from
        ("left_side", "i1"),
        ("level", "i8"),
        ("displaced", "i8"),
        ("gift", "i1"),
        # Spoils and Gang War.
        ("spoils_of", "i1"),
        ("spoils_by", "i1"),
        ("war", "i1"),
        ("war_in", "i2"),
        ("war_at", "i1"),
        ("war_passes", "i1"),
        ("war_start", "i1"),  # attack that starts a war is being carried out
        ("war_target", "i1"),  # attacked seat
        # Specials and abilities.
        ("special", "i1"),  # kind being played
        ("special_by", "i1"),
        ("special_target", "i1"),
        ("special_result", "i1"),  # 1: cancelled
        ("hush_at", "i1"),
        ("ability_by", "i1"),
        ("arson_roll", "i1"),
        ("retiring", "i1"),
        # Offer.
        ("partner", "i1"),
        ("given", "i1"),
        ("given_cash", "i1"),
        ("asked", "i1"),
        ("price", "i1"),
        ("offer_lieutenants", "i8"),
        ("offer_arrivals", "i8"),
        # Events so far, all public.
        ("attacks", "i4"),  # announced
        ("deals", "i4"),  # exchanges carried out
        ("short_pays", "i4"),
        ("unrolled", "i4"),  # attacks whose number was below 2
        ("wars", "i4"),
    ],
)
DTYPE = _gapless(_ALIGNED)
"""One game of Crime Lords."""
