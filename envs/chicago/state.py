"""The state record of Chicago Underworld."""

from __future__ import annotations

from ..core.state import record_dtype

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
# seat was asked for a choice or had none, so what others are told does not tell (CU-13.4).
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

DTYPE = record_dtype(
    MAX_SEATS,
    [
        # Options (section 15).
        ("bribe_price", "i1"),
        ("hand_limit", "i1"),
        ("deck_end", "i1"),
        ("start_seat", "i1"),
        ("turn_cap", "i4"),
        ("default_cap", "i1"),
        # The table.
        ("turns", "i4"),
        ("current", "i1"),
        ("acted", "i1"),
        ("men", "i1", (MAX_SEATS,)),
        ("hand_size", "i1", (MAX_SEATS,)),
        ("hands", "i1", (MAX_SEATS, CARD_TYPES)),
        ("owner", "i1", (TERRITORIES,)),
        ("discards", "i1", (CARD_TYPES,)),
        ("pile", "i1", (CARD_TYPES,)),
        ("pile_size", "i1"),
        # A payment in progress (section 7) and what it is for.
        ("price", "i1"),
        ("paid", "i1"),
        ("last_paid", "i1"),
        ("payment", "i1", (MONEY_TYPES,)),
        ("flipped", "i1"),
        ("target", "i1"),
        ("joker", "i1"),
        # What the table is told: how many events so far, the last ones (number k stands in row
        # k % LOG_SIZE), dice of the attacker and of the defender in the last battle.
        ("told", "i4"),
        ("log", "i1", (LOG_SIZE, 4)),
        ("dice", "i1", (2, MAX_MEN)),
    ],
)
