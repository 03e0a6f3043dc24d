"""What the fields of a record can hold, for positions of unknown origin."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..core.state import State
from .state import (
    CARDS,
    COPIES,
    CROOKS,
    DECISION_CAP,
    DECK,
    KINDS,
    MAX_SEATS,
    NO_BOSS,
    NONE,
    REMOVED,
    SIDES,
    STACK,
    TRANSFERS,
)

FLAG: Final = (0, 1)
COUNT: Final = (0, 127)
SEAT: Final = (NO_BOSS, MAX_SEATS - 1)
CROOK: Final = (NO_BOSS, CROOKS - 1)
CARD: Final = (NO_BOSS, DECK - 1)
PLACE: Final = (REMOVED, MAX_SEATS - 1)
SEATS: Final = (0, 2**MAX_SEATS - 1)
CROOK_SET: Final = (0, 2**CROOKS - 1)
MONEY: Final = (0, 10**8)

_FLAGS = """victory bonus_counts agreement trade show_specials retoken open_money allow_quit placed
    token racket_token blocked shown alive leaving acted attacking helper_used revealed loop_added
    rerolled success settle_pay gift war war_start special_result retiring"""
_SEATS = """mob active heat opener bidder bid_at first_opener attacker owner settle_mob responsible
    place_seat spoils_of spoils_by war_at war_target special_by partner payer payee"""
_AFTER = "window_at agree_at boss_at commit_at loop_at hush_at"  # one past the last seat when done
_COUNTS = """counters unhappy hidden rackets crooks districts types count income strength
    subordinates depth offers backouts bugle bid bid_money sold_crooks sold_rackets num_part_paid
    loop_step loop_empty hit_cash war_passes given_cash price required"""
_CROOKS = "superior boss paid_order pay_who protector heir root under left_superior"

BOUNDS: Final = {
    **dict.fromkeys(_FLAGS.split(), FLAG),
    **dict.fromkeys(_SEATS.split(), SEAT),
    **dict.fromkeys(_AFTER.split(), (NO_BOSS, MAX_SEATS)),
    **dict.fromkeys(_COUNTS.split(), COUNT),
    **dict.fromkeys(_CROOKS.split(), CROOK),
    **dict.fromkeys(["crook_loc", "racket_loc", "special_loc"], PLACE),
    **dict.fromkeys(["refused", "agreeing", "winners", "in_lot", "war_in"], SEATS),
    **dict.fromkeys(["members", "lieutenants", "arrivals", "level", "displaced"], CROOK_SET),
    **dict.fromkeys(["offer_lieutenants", "offer_arrivals"], CROOK_SET),
    **dict.fromkeys(["deck", "aside", "lot", "given", "asked", "leader", "target"], CARD),
    **dict.fromkeys(["treasury", "paid_total"], MONEY),
    "capped": (0, DECISION_CAP),
    "end_mode": (0, 2),
    "side": (NONE, SIDES - 1),
    "left_side": (NONE, SIDES - 1),
    "free_sides": (0, 2**SIDES - 1),
    "x": (-CROOKS, CROOKS),
    "y": (-CROOKS, CROOKS),
    "deck_at": (0, DECK),
    "deck_size": (0, DECK),
    "num_aside": (0, DECK),
    "stack": (0, 63),
    "stack_size": (0, STACK),
    "num_payments": (0, TRANSFERS),
    "paid_how": (0, 2),
    "kind": (0, 3),
    "special": (NONE, KINDS - 1),
    "special_target": (NO_BOSS, CARDS + COPIES - 1),
    "ability_by": (NO_BOSS, CARDS - 1),
    "roll": (0, 12),
    "dice": (0, 6),
    "arson_roll": (0, 12),
}


def inconsistency(state: State) -> str:
    """What no position can be; see ``Game.inconsistency``."""
    seats = int(state.num_seats)
    if int(state.deck_at) + int(state.deck_size) > DECK:
        return (
            f"deck_size={state.deck_size}: {DECK} cards less those drawn, {state.deck_at}, at most"
        )
    for field in ("crook_loc", "racket_loc", "special_loc"):
        if state[field].max() >= seats:
            return f"{field}: must be seats 0..{seats - 1} or a place on the table"
    # Bosses have no superior: from every Crook the way up must end.
    above = state.superior.astype(np.int64)
    for _ in range(6):  # 2**6 steps up
        above = np.where(above >= 0, above[above], above)
    if (above >= 0).any():
        return "superior: nobody may be above himself"
    return ""
