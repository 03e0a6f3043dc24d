"""The state record of Gangsters, its phases and the engine's own steps (G-4)."""

from __future__ import annotations

from typing import Final

from ..core.record import FLAG, Field, Record
from .data import BUILDINGS, NODES, OFFER_CASH

MAX_SEATS: Final = 5
GANGS: Final = 4
POLICE: Final = 4
NONE: Final = -1
R: Final = 0
T: Final = 1
V: Final = 2

PHASES: Final = (
    "PICK", "SET_R", "SET_T", "SET_C", "PLACE", "BUY", "TRADE_GIVE", "TRADE_TAKE",
    "TRADE_CASH", "TRADE_ANSWER", "COP_GANG", "COP_POLICE", "COP_ACTIVE", "COP_ENTRY", "COP_DEST",
    "COP_VIA", "APPROACH", "STOP", "RAID_OR_ARREST", "DOUBLE", "SHARE", "MOVE", "COUNT", "DEST",
    "CRIME", "PUBLIC_DEST", "RECRUIT_PLACE", "SELL", "TARGET", "RETURN", "ALLOC", "POLICE_BUY",
    "INFORMANTS", "POLICE_MOVE", "COMM_ENTRY", "COMM_DEST", "POLICE_PUBLIC",
)  # fmt: skip
"""Names of the phases, by number; the numbers stand in saved records and in observations."""
(
    PICK, SET_R, SET_T, SET_C, PLACE, BUY, TRADE_GIVE, TRADE_TAKE, TRADE_CASH,
    TRADE_ANSWER, COP_GANG, COP_POLICE, COP_ACTIVE, COP_ENTRY, COP_DEST, COP_VIA, APPROACH, STOP,
    RAID_OR_ARREST, DOUBLE, SHARE, MOVE, COUNT, DEST, CRIME, PUBLIC_DEST, RECRUIT_PLACE, SELL,
    TARGET, RETURN, ALLOC, POLICE_BUY, INFORMANTS, POLICE_MOVE, COMM_ENTRY, COMM_DEST,
    POLICE_PUBLIC,
) = range(len(PHASES))  # fmt: skip

SETUP: Final = (PICK, SET_R, SET_T, SET_C, PLACE)
TRADE: Final = (TRADE_GIVE, TRADE_TAKE, TRADE_CASH, TRADE_ANSWER)

# Steps: what the engine does next, ``STEP_DECIDE`` where a decision is due. The numbers stand in
# saved records.
(
    STEP_DECIDE, STEP_PICK, STEP_SET, STEP_PLACE, STEP_NEXT, STEP_DICE, STEP_COP_OVER,
    STEP_COP_STOP, STEP_COP_ARRIVE, STEP_RAID, STEP_RAID_PAID, STEP_NO_RACKETEER, STEP_PAY,
    STEP_PAYOFFS, STEP_SHOOTOUT, STEP_ATTACK, STEP_DOUBLE, STEP_RETURN, STEP_ALLOC,
    STEP_ARREST_PAID, STEP_END, STEP_COP_DICE, STEP_POLICE_MOVE, STEP_POLICE_PUBLIC,
    STEP_POLICE_PAY, STEP_NEW_COMMISSIONER, STEP_MOVE, STEP_BUY, STEP_POLICE_BUY,
) = range(29)  # fmt: skip

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
# What fields hold.
SMALL: Final = (0, 127)
SEAT: Final = (NONE, MAX_SEATS - 1)
GANG: Final = (NONE, GANGS - 1)
NODE: Final = (NONE, NODES - 1)
UNIT: Final = (NONE, UNITS - 1)
OFFERED: Final = (NONE, NUM_ACTIONS - 1)
MONEY: Final = (0, 10**8)
ROUND: Final = (0, 2**15 - 1)
TIME: Final = (0, 2**31 - 1)

RECORD: Final = Record(
    MAX_SEATS,
    [
        # options
        Field("gangs", "i1", (2, GANGS)),
        Field("police", "i1", FLAG),
        Field("heaters", "i1", FLAG),
        Field("wheels", "i1", FLAG),
        Field("dress", "i1", FLAG),
        Field("random_order", "i1", FLAG),
        Field("salary_every_move", "i1", FLAG),
        Field("vamp_success_min", "i1", (1, 6)),
        Field("trade_offers", "i1", (0, 5)),
        Field("open_cash", "i1", FLAG),
        Field("max_rounds", "i2", ROUND),
        Field("criminals_per_level", "i1", (1, 12)),
        Field("public_actions", "i1", FLAG),
        # round and turn
        Field("round_number", "i2", ROUND),
        Field("active", "i1", SEAT, seats=True),
        Field("revealed", "i1", FLAG),
        Field("first_cop", "i1", FLAG),
        Field("order", "i1", GANG, (GANGS,), seats=True),
        Field("pawns", "i1", FLAG, (GANGS,), per_seat=True),
        Field("dice", "i1", (0, 6), (5,)),
        Field("used", "i1", SMALL),
        Field("moves", "i1", SMALL),
        Field("bought", "i1", FLAG),
        Field("offers", "i1", SMALL),
        Field("new_public", "i1", FLAG),
        Field("early", "i1", FLAG),
        Field("recruit_c", "i1", FLAG),
        Field("moved_c", "i1", FLAG),
        Field("no_racketeer", "i1", FLAG),
        Field("gray_start", "i1", FLAG),
        Field("win_kind", "i1", (0, 4)),
        Field("step", "i1", (0, 30)),
        Field("setup_at", "i1", SMALL),
        Field("setup_cash", "i4", MONEY, (GANGS,), per_seat=True),
        # seats
        Field("cash", "i4", MONEY, (MAX_SEATS,), per_seat=True),
        Field("strength", "i1", SMALL, PIECES, per_seat=True),
        Field("at", "i2", NODE, PIECES, per_seat=True),
        Field("came", "i2", NODE, PIECES, per_seat=True),
        Field("criminal", "i1", FLAG, PIECES, per_seat=True),
        Field("acted", "i1", FLAG, PIECES, per_seat=True),
        Field("moved", "i1", FLAG, PIECES, per_seat=True),
        Field("hit", "i1", FLAG, PIECES, per_seat=True),
        Field("extort", "i1", FLAG, PIECES, per_seat=True),
        Field("recruit", "i1", FLAG, PIECES, per_seat=True),
        Field("has_heaters", "i1", FLAG, PIECES, per_seat=True),
        Field("has_wheels", "i1", FLAG, PIECES, per_seat=True),
        Field("has_dress", "i1", FLAG, PIECES, per_seat=True),
        Field("c_strength", "i1", SMALL),
        Field("c_at", "i2", NODE),
        Field("c_came", "i2", NODE),
        Field("c_heaters", "i1", FLAG),
        Field("c_wheels", "i1", FLAG),
        # bribe markers: who holds each, in which place; places with their owner and age are public
        Field("holder", "i1", SEAT, (9,), seats=True),
        Field("slot_of", "i1", (NONE, 8), (9,)),
        Field("slot_seat", "i1", SEAT, (9,), seats=True),
        Field("slot_time", "i4", TIME, (9,)),
        Field("returned", "i4", TIME, (9,)),
        Field("chit_slot", "i1", (NONE, 2), (3,)),
        Field("chit_full", "i1", FLAG, (3,)),
        Field("chit_time", "i4", TIME, (3,)),
        Field("chit_returned", "i4", TIME, (3,)),
        Field("clock", "i4", TIME),
        # board
        Field("owner", "i1", SEAT, (BUILDINGS,), seats=True),
        Field("level", "i1", (0, 9), (BUILDINGS,)),
        Field("lit", "i1", FLAG, (BUILDINGS,)),
        Field("cop_at", "i2", NODE, (10,)),
        Field("cop_came", "i2", NODE, (10,)),
        Field("cop_mover", "i1", SEAT, (10,), seats=True),
        Field("cop_share", "i1", GANG, (10,), seats=True),
        Field("cop_done", "i1", FLAG, (10,)),
        Field("public_at", "i2", NODE, (4,)),
        Field("public_came", "i2", NODE, (4,)),
        Field("informant", "i1", FLAG, (4,)),
        Field("public_moved", "i1", FLAG, (4,)),
        # a half-made move
        Field("kind", "i1", (0, 3)),
        Field("piece", "i1", (NONE, 9)),
        Field("mover", "i1", SEAT, seats=True),
        Field("steps", "i1", SMALL),
        Field("node", "i2", NODE),
        Field("facing", "i2", NODE),
        Field("dest", "i2", NODE),
        Field("entering", "i1", FLAG),
        Field("swapped", "i1", FLAG),
        Field("transferred", "i1", FLAG),
        Field("sharer", "i1", GANG, seats=True),
        Field("via", "i1", FLAG),
        Field("barred", "i2", NODE, (24,)),
        Field("num_barred", "i1", (0, 24)),
        Field("stop_asked", "i2", (0, 2**10 - 1)),
        # a half-made offer, payment or raid
        Field("partner", "i1", SEAT, seats=True),
        Field("offer_give", "i2", OFFERED),
        Field("offer_take", "i2", OFFERED),
        Field("cash_step", "i1", (0, len(OFFER_CASH) - 1)),
        Field("place_gang", "i1", GANG, seats=True),
        Field("place_piece", "i1", (NONE, 2)),
        Field("after_place", "i1", (0, len(PHASES) - 1)),
        Field("asked", "i1", UNIT),
        Field("payoff", "i4", MONEY),
        Field("left_to_share", "i4", MONEY),
        Field("doubled", "i1", FLAG),
        Field("raid_node", "i2", NODE),
        # a shootout
        Field("fight", "i2", NODE),
        Field("cursor", "i2", (NONE, 2**15 - 1)),
        Field("hits_left", "i1", SMALL),
        Field("target", "i1", UNIT, (UNITS,), seats=True),
        Field("returns", "i1", SEAT, (UNITS,), seats=True),
        Field("hits", "i1", SMALL, (UNITS,)),
        Field("loss", "i1", SMALL, (UNITS,)),
        Field("arrest", "i4", MONEY, (UNITS,)),
        Field("twice", "i1", FLAG, (UNITS,)),
        # counts of events since the start, for statistics
        Field("events", "i4", TIME, (24,), scratch=True),
        # scratch of walks and the mask of the decision that is due
        Field("path", "i2", NODE, (32,), scratch=True),
        Field("faces_path", "i2", NODE, (32,), scratch=True),
        Field("turn_at", "i1", (0, 31), (32,), scratch=True),
        Field("hops", "i1", FLAG, (32,), scratch=True),
        Field("legal", "i1", FLAG, (NUM_ACTIONS,), scratch=True),
    ],
)

(
    E_SEDUCED, E_SHOT, E_ARRESTS, E_RAIDS, E_HQ_BOUGHT, E_HQ_LOST, E_BRIBES, E_STOPS, E_DOUBLES,
    E_PLAYED, E_SALARY, E_PAYOFFS, E_EXTORTION, E_ORGANISED, E_TURNS, E_LEVEL, E_OFFICERS,
    E_PUBLICS, E_TRADES,
) = range(19)  # fmt: skip
(WIN_CASH, WIN_JOINTS, WIN_COLOUR, WIN_HQ) = range(1, 5)
