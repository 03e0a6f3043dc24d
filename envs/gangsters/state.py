"""The state record of Gangsters, its phases and the engine's own steps (G-4)."""

from __future__ import annotations

from typing import Final

from ..core.state import record_dtype
from .data.tables import BUILDINGS

MAX_SEATS: Final = 5
GANGS: Final = 4
POLICE: Final = 4
NONE: Final = -1
R: Final = 0
T: Final = 1
V: Final = 2

PHASES: Final = (
    "PICK", "SET_R", "SET_T", "SET_C", "PLACE", "BUY", "UNUSED", "TRADE_GIVE", "TRADE_TAKE",
    "TRADE_CASH", "TRADE_ANSWER", "COP_GANG", "COP_POLICE", "COP_ACTIVE", "COP_ENTRY", "COP_DEST",
    "COP_VIA", "APPROACH", "STOP", "RAID_OR_ARREST", "DOUBLE", "SHARE", "MOVE", "COUNT", "DEST",
    "CRIME", "PUBLIC_DEST", "RECRUIT_PLACE", "SELL", "TARGET", "RETURN", "ALLOC", "POLICE_BUY",
    "INFORMANTS", "POLICE_MOVE", "COMM_ENTRY", "COMM_DEST", "POLICE_PUBLIC",
)  # fmt: skip
"""Names of the phases, by number. The numbers stand in saved records and in observations, so that
of a phase that is no more is not used again."""
(
    PICK, SET_R, SET_T, SET_C, PLACE, BUY, _, TRADE_GIVE, TRADE_TAKE, TRADE_CASH,
    TRADE_ANSWER, COP_GANG, COP_POLICE, COP_ACTIVE, COP_ENTRY, COP_DEST, COP_VIA, APPROACH, STOP,
    RAID_OR_ARREST, DOUBLE, SHARE, MOVE, COUNT, DEST, CRIME, PUBLIC_DEST, RECRUIT_PLACE, SELL,
    TARGET, RETURN, ALLOC, POLICE_BUY, INFORMANTS, POLICE_MOVE, COMM_ENTRY, COMM_DEST,
    POLICE_PUBLIC,
) = range(len(PHASES))  # fmt: skip

SETUP: Final = (PICK, SET_R, SET_T, SET_C, PLACE)
TRADE: Final = (TRADE_GIVE, TRADE_TAKE, TRADE_CASH, TRADE_ANSWER)

# Steps: what the engine does next, ``STEP_DECIDE`` where a decision is due. The numbers stand in
# saved records, so they are given one by one and none is used again: 7 and 20 were steps once.
STEP_DECIDE: Final = 0
STEP_PICK: Final = 1
STEP_SET: Final = 2
STEP_PLACE: Final = 3
STEP_NEXT: Final = 4
STEP_DICE: Final = 5
STEP_COP_OVER: Final = 6
STEP_COP_STOP: Final = 8
STEP_COP_ARRIVE: Final = 9
STEP_RAID: Final = 10
STEP_RAID_PAID: Final = 11
STEP_NO_RACKETEER: Final = 12
STEP_PAY: Final = 13
STEP_PAYOFFS: Final = 14
STEP_SHOOTOUT: Final = 15
STEP_ATTACK: Final = 16
STEP_DOUBLE: Final = 17
STEP_RETURN: Final = 18
STEP_ALLOC: Final = 19
STEP_ARREST_PAID: Final = 21
STEP_END: Final = 22
STEP_COP_DICE: Final = 23
STEP_POLICE_MOVE: Final = 24
STEP_POLICE_PUBLIC: Final = 25
STEP_POLICE_PAY: Final = 26
STEP_NEW_COMMISSIONER: Final = 27
STEP_MOVE: Final = 28
STEP_BUY: Final = 29
STEP_POLICE_BUY: Final = 30

# Kinds of piece in a half-made move.
K_GANG: Final = 0
K_PUBLIC: Final = 1
K_COP: Final = 2
K_COMMISSIONER: Final = 3

# Units of a shootout: gang x 3 + piece, then these.
U_JOINT: Final = 12
U_COP: Final = 13
U_COMMISSIONER: Final = 23
UNITS: Final = 24
NUM_ACTIONS: Final = 291

NO_WINNER: Final = 1
"""``capped`` of a game that was stopped without a winner (G-15.6, G-20.11)."""

PIECES: Final = (GANGS, 3)
DTYPE: Final = record_dtype(
    MAX_SEATS,
    [
        # options
        ("gangs", "i1"), ("police", "i1"), ("heaters", "i1"), ("wheels", "i1"), ("dress", "i1"),
        ("random_order", "i1"), ("salary_every_move", "i1"), ("vamp_success_min", "i1"),
        ("trade_offers", "i1"), ("open_cash", "i1"), ("max_rounds", "i2"),
        ("criminals_per_level", "i1"), ("public_actions", "i1"),
        # round and turn
        ("round_number", "i2"), ("active", "i1"), ("revealed", "i1"), ("first_cop", "i1"),
        ("order", "i1", (GANGS,)), ("pawns", "i1", (GANGS,)), ("dice", "i1", (5,)),
        ("used", "i1"), ("moves", "i1"), ("bought", "i1"), ("offers", "i1"),
        ("new_public", "i1"), ("early", "i1"), ("recruit_c", "i1"), ("moved_c", "i1"),
        ("no_racketeer", "i1"), ("gray_start", "i1"), ("win_kind", "i1"),
        ("step", "i1"), ("setup_at", "i1"), ("setup_cash", "i4", (GANGS,)),
        # seats
        ("cash", "i4", (MAX_SEATS,)),
        ("strength", "i1", PIECES), ("at", "i2", PIECES), ("came", "i2", PIECES),
        ("criminal", "i1", PIECES), ("acted", "i1", PIECES), ("moved", "i1", PIECES),
        ("hit", "i1", PIECES), ("extort", "i1", PIECES), ("recruit", "i1", PIECES),
        ("has_heaters", "i1", PIECES), ("has_wheels", "i1", PIECES), ("has_dress", "i1", PIECES),
        ("c_strength", "i1"), ("c_at", "i2"), ("c_came", "i2"),
        ("c_heaters", "i1"), ("c_wheels", "i1"),
        # bribe markers: who holds each, in which place; places with their owner and age are public
        ("holder", "i1", (9,)), ("slot_of", "i1", (9,)), ("slot_seat", "i1", (9,)),
        ("slot_time", "i4", (9,)), ("returned", "i4", (9,)),
        ("chit_slot", "i1", (3,)), ("chit_full", "i1", (3,)), ("chit_time", "i4", (3,)),
        ("chit_returned", "i4", (3,)), ("clock", "i4"),
        # board
        ("owner", "i1", (BUILDINGS,)), ("level", "i1", (BUILDINGS,)),
        ("lit", "i1", (BUILDINGS,)),
        ("cop_at", "i2", (10,)), ("cop_came", "i2", (10,)), ("cop_mover", "i1", (10,)),
        ("cop_share", "i1", (10,)), ("cop_done", "i1", (10,)),
        ("public_at", "i2", (4,)), ("public_came", "i2", (4,)),
        ("informant", "i1", (4,)), ("public_moved", "i1", (4,)),
        # a half-made move
        ("kind", "i1"), ("piece", "i1"), ("mover", "i1"), ("steps", "i1"), ("node", "i2"),
        ("facing", "i2"), ("dest", "i2"), ("entering", "i1"), ("swapped", "i1"),
        ("transferred", "i1"), ("sharer", "i1"), ("via", "i1"), ("barred", "i2", (24,)),
        ("num_barred", "i1"), ("stop_asked", "i2"),
        # a half-made offer, payment or raid
        ("partner", "i1"), ("offer_give", "i2"), ("offer_take", "i2"), ("cash_step", "i1"),
        ("place_gang", "i1"), ("place_piece", "i1"), ("after_place", "i1"),
        ("asked", "i1"), ("payoff", "i4"), ("left_to_share", "i4"), ("doubled", "i1"),
        ("raid_node", "i2"),
        # a shootout
        ("fight", "i2"), ("cursor", "i2"), ("hits_left", "i1"),
        ("target", "i1", (UNITS,)), ("returns", "i1", (UNITS,)), ("hits", "i1", (UNITS,)),
        ("loss", "i1", (UNITS,)), ("arrest", "i4", (UNITS,)), ("twice", "i1", (UNITS,)),
        # counts of events since the start, for statistics
        ("events", "i4", (24,)),
        # scratch of walks and the mask of the decision that is due
        ("path", "i2", (32,)),
        ("faces_path", "i2", (32,)),
        ("turn_at", "i1", (32,)),
        ("hops", "i1", (32,)),
        ("legal", "i1", (NUM_ACTIONS,)),
    ],
)  # fmt: skip

(
    E_SEDUCED, E_SHOT, E_ARRESTS, E_RAIDS, E_HQ_BOUGHT, E_HQ_LOST, E_BRIBES, E_STOPS, E_DOUBLES,
    E_PLAYED, E_SALARY, E_PAYOFFS, E_EXTORTION, E_ORGANISED, E_TURNS, E_LEVEL, E_OFFICERS,
    E_PUBLICS, E_TRADES,
) = range(19)  # fmt: skip
(WIN_CASH, WIN_JOINTS, WIN_COLOUR, WIN_HQ) = range(1, 5)
