"""The state record of Crime Lords (CL-5.7, section 26) and the numbers that its fields hold."""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np

from ..core.record import BITS, FLAG, Field, Record

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


# What fields hold.
COUNT: Final = (0, 127)
SEAT: Final = (NO_BOSS, MAX_SEATS - 1)
AFTER: Final = (NO_BOSS, MAX_SEATS)  # one past the last seat when done
SEATS: Final = (0, 2**MAX_SEATS - 1)
CROOK: Final = (NO_BOSS, CROOKS - 1)
CROOK_SET: Final = (0, 2**CROOKS - 1)
CARD: Final = (NO_BOSS, DECK - 1)
HELD_BY: Final = (REMOVED, MAX_SEATS - 1)
MONEY: Final = (0, 10**8)
FUNDS: Final = (-(10**8), 10**8)
PAST_FUNDS: Final = (-(2**15), 2**15 - 1)
MANY: Final = (0, 2**15 - 1)
EVENTS: Final = (0, 2**31 - 1)

RECORD = Record(
    MAX_SEATS,
    [
        # Options (section 21); ``required`` follows from them (CL-20.4).
        Field("max_decisions", "i4", EVENTS),
        Field("max_rounds", "i2", MANY),
        Field("start_money", "i2", MANY),
        Field("victory", "i1", FLAG),
        Field("victory_target", "i1", (0, RACKETS)),  # 0: none
        Field("required", "i1", COUNT),
        Field("bonus_counts", "i1", FLAG),
        Field("end_mode", "i1", (0, 2)),
        Field("agreement", "i1", FLAG),
        Field("trade", "i1", FLAG),
        Field("offers_per_turn", "i1", COUNT),
        Field("show_specials", "i1", FLAG),
        Field("auction_crooks", "i1", COUNT),
        Field("auction_rackets", "i1", COUNT),
        Field("bid_option", "i1", (0, MOST_BID)),
        Field("retoken", "i1", FLAG),
        Field("max_backouts", "i1", COUNT),
        Field("open_money", "i1", FLAG),
        Field("allow_quit", "i1", FLAG),
        # Crooks.
        Field("crook_loc", "i1", HELD_BY, (CROOKS,), seats=True),
        Field("superior", "i1", CROOK, (CROOKS,)),
        Field("side", "i1", (NONE, SIDES - 1), (CROOKS,)),  # of the superior
        Field("x", "i1", (-CROOKS, CROOKS), (CROOKS,)),
        Field("y", "i1", (-CROOKS, CROOKS), (CROOKS,)),
        Field("placed", "i1", FLAG, (CROOKS,)),  # 0 while lifted off the grid
        Field("counters", "i1", COUNT, (CROOKS,)),
        Field("unhappy", "i1", COUNT, (CROOKS,)),
        Field("token", "i1", FLAG, (CROOKS,)),
        # Rackets, Special copies, deck.
        Field("racket_loc", "i1", HELD_BY, (RACKETS,), seats=True),
        Field("racket_token", "i1", FLAG, (RACKETS,)),
        Field("blocked", "i1", FLAG, (RACKETS,)),
        Field("special_loc", "i1", HELD_BY, (COPIES,), seats=True),
        Field("shown", "i1", FLAG, (COPIES,)),
        Field("deck", "i1", CARD, (DECK,)),  # cards from the top, which is at ``deck_at``
        Field("deck_at", "i1", (0, DECK)),
        Field("deck_size", "i1", (0, DECK)),
        Field("aside", "i1", CARD, (DECK,)),  # set aside in the auction, in order
        Field("num_aside", "i1", (0, DECK)),
        # Seats.
        Field("alive", "i1", FLAG, (MAX_SEATS,), per_seat=True),
        Field("leaving", "i1", FLAG, (MAX_SEATS,), per_seat=True),
        Field("mob", "i1", SEAT, (MAX_SEATS,), per_seat=True),
        Field("boss", "i1", CROOK, (MAX_SEATS,), per_seat=True),
        Field("treasury", "i4", MONEY, (MAX_SEATS,), per_seat=True),
        # Public money events only (CL-19.2)
        Field("ledger", "i4", MONEY, (MAX_SEATS,), per_seat=True),
        Field("private", "i2", MANY, (MAX_SEATS,), per_seat=True),  # number of private money events
        # Private payments in order, from ``payer`` to ``payee`` (negative: the other way). With
        # each, for the two: ``funds`` at that time, and their lowest value since the one before.
        # As the ledger, but not clipped at 0
        Field("funds", "i4", FUNDS, (MAX_SEATS,), per_seat=True),
        # Since the seat's latest private payment
        Field("lowest_funds", "i4", FUNDS, (MAX_SEATS,), per_seat=True),
        Field("payer", "i1", SEAT, (TRANSFERS,), seats=True),
        Field("payee", "i1", SEAT, (TRANSFERS,), seats=True),
        Field("payment_kind", "i1", (NO_BOSS, 127), (TRANSFERS,)),
        Field("payment", "i1", (-128, 127), (TRANSFERS,)),
        Field("payment_funds", "i2", PAST_FUNDS, (TRANSFERS, 2)),
        Field("payment_lowest", "i2", PAST_FUNDS, (TRANSFERS, 2)),
        Field("num_payments", "i1", (0, TRANSFERS)),
        Field("hidden", "i1", COUNT, (MAX_SEATS,), per_seat=True),  # face-down Specials
        # Derived from the cards by ``refresh``; public.
        # Bit set of a Mob's Crooks
        Field("members", "i8", CROOK_SET, (MAX_SEATS,), per_seat=True, scratch=True),
        Field("dirty", "i2", MANY, scratch=True),
        Field("rackets", "i1", COUNT, (MAX_SEATS,), per_seat=True, scratch=True),
        Field("crooks", "i1", COUNT, (MAX_SEATS,), per_seat=True, scratch=True),
        Field("districts", "i1", COUNT, (MAX_SEATS, DISTRICTS), per_seat=True, scratch=True),
        Field("types", "i1", COUNT, (MAX_SEATS, TYPES), per_seat=True, scratch=True),
        # Towards victory (CL-20.1)
        Field("count", "i1", COUNT, (MAX_SEATS,), per_seat=True, scratch=True),
        Field("income", "i1", COUNT, (RACKETS,), scratch=True),
        Field("mob_income", "i2", MANY, (MAX_SEATS,), per_seat=True, scratch=True),
        Field("due", "i2", MANY, (MAX_SEATS,), per_seat=True, scratch=True),
        # Bit set of sides on which a Crook can be placed
        Field("free_sides", "i1", (0, 2**SIDES - 1), (CROOKS,), scratch=True),
        # Power of the Crooks of the Mobs, Boss bonus included
        Field("strength", "i1", COUNT, (CROOKS,), scratch=True),
        Field("subordinates", "i1", COUNT, (CROOKS,), scratch=True),
        Field("depth", "i1", COUNT, (CROOKS,), scratch=True),  # 0 Boss, 1 Lieutenant, ...
        # The turn.
        Field("turn", "i4", EVENTS),
        Field("active", "i1", SEAT, seats=True),
        Field("acted", "i1", FLAG),
        Field("offers", "i1", COUNT),
        Field("backouts", "i1", COUNT),
        Field("bugle", "i1", COUNT),
        Field("heat", "i1", SEAT, seats=True),  # seat that played Heat's On, or NONE
        Field("barred_rec", "i8", BITS),  # bit sets of targets
        Field("barred_take", "i8", BITS),
        Field("window_at", "i1", AFTER),
        Field("refused", "i2", SEATS),  # bit set of seats of the refused agreement
        Field("agreeing", "i2", SEATS),
        Field("agree_at", "i1", AFTER),
        Field("winners", "i2", SEATS),  # bit set of seats, at the end
        Field("stack", "i1", (0, 63), (STACK,)),
        Field("stack_size", "i1", (0, STACK)),
        # Auction.
        Field("lot", "i1", CARD),
        Field("opener", "i1", SEAT, seats=True),
        Field("bid", "i1", COUNT),
        Field("bidder", "i1", SEAT, seats=True),
        Field("bid_at", "i1", SEAT, seats=True),
        Field("in_lot", "i2", SEATS),  # bit set of seats
        Field("bid_money", "i1", COUNT, (MAX_SEATS,), per_seat=True),
        Field("sold_crooks", "i1", COUNT),
        Field("sold_rackets", "i1", COUNT),
        Field("first_opener", "i1", SEAT, seats=True),
        Field("boss_at", "i1", AFTER),
        # Pay.
        Field("paid_how", "i1", (0, 2), (CROOKS,)),
        # Part-paid Crooks in the order they were picked
        Field("paid_order", "i1", CROOK, (CROOKS,)),
        Field("num_part_paid", "i1", COUNT),
        Field("paid_total", "i4", MONEY),
        Field("boss_paid", "i2", MANY),
        Field("pay_who", "i1", CROOK),
        # Attack; kept after its end as the latest one.
        Field("attacking", "i1", FLAG),
        Field("kind", "i1", (0, 3)),
        Field("attacker", "i1", SEAT, seats=True),
        Field("owner", "i1", SEAT, seats=True),
        Field("leader", "i1", CARD),  # a Crook, or CROOKS + Racket
        Field("target", "i1", CARD),
        Field("number", "i2", (-(2**15), 2**15 - 1)),
        Field("protector", "i1", CROOK),
        Field("helper_used", "i1", FLAG),
        # For positive, Against negative
        Field("commitments", "i1", (-128, 127), (MAX_SEATS,), per_seat=True),
        Field("revealed", "i1", FLAG),
        Field("commit_at", "i1", AFTER),
        Field("loop_step", "i1", COUNT),
        Field("loop_at", "i1", AFTER),
        Field("loop_added", "i1", FLAG),
        Field("loop_empty", "i1", COUNT),
        Field("hit_cash", "i1", COUNT),
        Field("rerolled", "i1", FLAG),
        Field("roll", "i1", (0, 12)),  # 0: none
        # Of the latest roll, arson's included; for people, who see dice
        Field("dice", "i1", (0, 6), (2,), scratch=True),
        Field("success", "i1", FLAG),
        # SETTLE (CL-6.9).
        Field("settle_mob", "i1", SEAT, seats=True),
        Field("settle_pay", "i1", FLAG),
        Field("responsible", "i1", SEAT, seats=True),
        Field("heir", "i1", CROOK),
        Field("lieutenants", "i8", CROOK_SET),  # LT0, bit set of Crooks
        Field("arrivals", "i8", CROOK_SET),
        # Placing.
        Field("place_seat", "i1", SEAT, seats=True),
        Field("root", "i1", CROOK),
        Field("under", "i1", CROOK),  # only at or below this Crook; NONE: anywhere
        Field("left_superior", "i1", CROOK),  # where a moving Crook comes from
        Field("left_side", "i1", (NONE, SIDES - 1)),
        Field("level", "i8", CROOK_SET),
        Field("displaced", "i8", CROOK_SET),
        Field("gift", "i1", FLAG),
        # Spoils and Gang War.
        Field("spoils_of", "i1", SEAT, seats=True),
        Field("spoils_by", "i1", SEAT, seats=True),
        Field("war", "i1", FLAG),
        Field("war_in", "i2", SEATS),
        Field("war_at", "i1", SEAT, seats=True),
        Field("war_passes", "i1", COUNT),
        Field("war_start", "i1", FLAG),  # attack that starts a war is being carried out
        Field("war_target", "i1", SEAT, seats=True),  # attacked seat
        # Specials and abilities.
        Field("special", "i1", (NONE, KINDS - 1)),  # kind being played
        Field("special_by", "i1", SEAT, seats=True),
        Field("special_target", "i1", (NO_BOSS, CARDS + COPIES - 1)),
        Field("special_result", "i1", FLAG),  # 1: cancelled
        Field("hush_at", "i1", AFTER),
        Field("ability_by", "i1", (NO_BOSS, CARDS - 1)),
        Field("arson_roll", "i1", (0, 12)),
        Field("retiring", "i1", FLAG),
        # Offer.
        Field("partner", "i1", SEAT, seats=True),
        Field("given", "i1", CARD),
        Field("given_cash", "i1", COUNT),
        Field("asked", "i1", CARD),
        Field("price", "i1", COUNT),
        Field("offer_lieutenants", "i8", CROOK_SET),
        Field("offer_arrivals", "i8", CROOK_SET),
        # Events so far, all public.
        Field("attacks", "i4", EVENTS, scratch=True),  # announced
        Field("deals", "i4", EVENTS, scratch=True),  # exchanges carried out
        Field("short_pays", "i4", EVENTS, scratch=True),
        Field("unrolled", "i4", EVENTS, scratch=True),  # attacks whose number was below 2
        Field("wars", "i4", EVENTS, scratch=True),
    ],
    capped=(0, DECISION_CAP),
)
DTYPE = _gapless(RECORD.dtype)
"""One game of Crime Lords."""
