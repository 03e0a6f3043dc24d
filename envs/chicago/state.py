"""The state record of Chicago Underworld."""

from __future__ import annotations

from ..core.record import FLAG, Field, Record

MAX_SEATS = 6
CARD_TYPES = 12
TERRITORIES = 12
DECK = 54
MAX_MEN = 5

# Phases (CU-4.3).
MAIN, PAY_HIRE, PAY_TERR, BRIBE, CARDS, DISCARD, OVER = range(7)
PHASES = ("MAIN", "PAY_HIRE", "PAY_TERR", "BRIBE", "CARDS", "DISCARD", "OVER")

# Card types in canonical order (CU-2.2): money of 2 to 10 dollars, Ace, jokers.
ACE, RED_JOKER, BLACK_JOKER = 9, 10, 11
MONEY_TYPES = 9
NONE = -1

# Values of the option deck_end (CU-15.2).
FIRST_EMPTY, RESHUFFLE = 0, 1

# What has happened, in order: (kind, seat, detail, detail) each. The series is the same whether a
# seat was asked for a choice or had none, so what others see does not reveal it (CU-13.4).
(
    ROLLED,  # seat, die
    HIRED,  # seat
    NOT_HIRED,  # seat: refused or without money, which look the same (CU-13.3)
    DREW,  # seat, card type (NONE for those who may not know it)
    FLIPPED,  # seat, territory
    BOUGHT,  # seat, territory
    PUT_BACK,  # seat, territory
    FOUGHT,  # seat, territory, former owner; the dice stand in `dice`
    GRABBED,  # seat, territory, former owner
    HIT_MAN,  # seat, victim
    AIMED,  # seat, territory, joker
    RAIDED,  # seat, territory, former owner
    MOBBED,  # seat, territory, former owner
    BRIBED,  # payer, territory, number of cards
    PAID,  # payer, card type, receiver of a bribe or NONE; one entry a card
    DROPPED,  # seat, card type
    NEXT_TURN,  # seat
) = range(17)
LOG_SIZE = 32

COPIES = 4
"""The most cards of a type."""

# What fields hold.
SEAT, TERRITORY = (NONE, MAX_SEATS - 1), (NONE, TERRITORIES - 1)
MONEY, COUNT = (0, 127), (0, 2**31 - 1)

RECORD = Record(
    MAX_SEATS,
    [
        # Options (section 15).
        Field("bribe_price", "i1", MONEY),
        Field("hand_limit", "i1", (0, DECK)),
        Field("deck_end", "i1", FLAG),
        Field("start_seat", "i1", SEAT),
        Field("turn_cap", "i4", COUNT),
        Field("default_cap", "i1", FLAG),
        # The table.
        Field("turns", "i4", COUNT),
        Field("current", "i1", SEAT, seats=True),
        Field("acted", "i1", FLAG),
        Field("men", "i1", (0, MAX_MEN), (MAX_SEATS,), per_seat=True),
        Field("hand_size", "i1", (0, DECK), (MAX_SEATS,), per_seat=True),
        Field("hands", "i1", (0, COPIES), (MAX_SEATS, CARD_TYPES), per_seat=True),
        Field("owner", "i1", SEAT, (TERRITORIES,), seats=True),
        Field("discards", "i1", (0, COPIES), (CARD_TYPES,)),
        Field("pile", "i1", (0, COPIES), (CARD_TYPES,)),
        Field("pile_size", "i1", (0, DECK + TERRITORIES)),
        # A payment in progress (section 7) and what it is for.
        Field("price", "i1", MONEY),
        Field("paid", "i1", MONEY),
        Field("last_paid", "i1", MONEY),
        Field("payment", "i1", (0, COPIES), (MONEY_TYPES,)),
        Field("flipped", "i1", TERRITORY),
        Field("target", "i1", TERRITORY),
        Field("joker", "i1", (NONE, CARD_TYPES - 1)),
        # The table's log: how many events so far, the last ones (number k stands in row
        # k % LOG_SIZE), dice of the attacker and of the defender in the last battle.
        Field("told", "i4", COUNT, scratch=True),
        Field("log", "i1", (NONE, max(NEXT_TURN, DECK)), (LOG_SIZE, 4), scratch=True),
        Field("dice", "i1", (0, 6), (2, MAX_MEN), scratch=True),
    ],
)
