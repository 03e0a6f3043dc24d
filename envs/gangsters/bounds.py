"""What the fields of a record can hold, for positions of unknown origin."""

from __future__ import annotations

from typing import Final

from ..core.state import State
from .data.tables import NODES, OFFER_CASH
from .state import GANGS, MAX_SEATS, NONE, NUM_ACTIONS, PHASES, UNITS

FLAG: Final = (0, 1)
COUNT: Final = (0, 127)
SEAT: Final = (NONE, MAX_SEATS - 1)
GANG: Final = (NONE, GANGS - 1)
NODE: Final = (NONE, NODES - 1)
MONEY: Final = (0, 10**8)

_FLAGS = """police heaters wheels dress random_order salary_every_move open_cash revealed pawns
    bought new_public early recruit_c moved_c no_racketeer gray_start criminal acted moved hit
    extort recruit has_heaters has_wheels has_dress c_heaters c_wheels chit_full lit cop_done
    informant public_moved entering swapped transferred via twice legal hops capped
    public_actions"""
_NODES = "at came c_at c_came cop_at cop_came public_at public_came node facing dest barred path"
_NODES += " faces_path fight raid_node"

BOUNDS: Final = {
    **dict.fromkeys(_FLAGS.split(), FLAG),
    **dict.fromkeys(_NODES.split(), NODE),
    **dict.fromkeys(["cash", "setup_cash", "payoff", "left_to_share", "arrest"], MONEY),
    **dict.fromkeys(["active", "holder", "slot_seat", "cop_mover", "mover", "returns"], SEAT),
    **dict.fromkeys(["order", "sharer", "cop_share", "place_gang"], GANG),
    **dict.fromkeys(["strength", "c_strength", "hits", "loss", "used", "moves", "steps"], COUNT),
    "gangs": (2, GANGS),
    "criminals_per_level": (1, 12),
    "offers": COUNT,
    "dice": (0, 6),
    "step": (0, 30),
    "setup_at": COUNT,
    "slot_of": (NONE, 8),
    "chit_slot": (NONE, 2),
    "owner": SEAT,
    "level": (0, 9),
    "kind": (0, 3),
    "piece": (NONE, 9),
    "num_barred": (0, 24),
    "partner": SEAT,
    "offer_give": (NONE, NUM_ACTIONS - 1),
    "offer_take": (NONE, NUM_ACTIONS - 1),
    "cash_step": (0, len(OFFER_CASH) - 1),
    "place_piece": (NONE, 2),
    "after_place": (0, len(PHASES) - 1),
    "asked": (NONE, UNITS - 1),
    "hits_left": COUNT,
    "target": (NONE, UNITS - 1),
    "turn_at": (0, 31),
}


def inconsistency(state: State) -> str:
    """What no position can be; see ``Game.inconsistency``."""
    gangs, seats = int(state.gangs), int(state.num_seats)
    if seats != gangs + int(state.police):
        return f"num_seats={seats}: must be the gangs and the police"
    if sorted(state.order[:gangs]) != list(range(gangs)):
        return f"order: must hold the gangs 0..{gangs - 1} once each"
    if PHASES[state.phase] == "UNUSED":
        return f"phase={state.phase}: no decision has this number"
    if not state.legal.any():
        return "legal: the decision that is due must allow something"
    return ""
