"""Weights of the greedy bot: money values in dollars, and what they multiply."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

NAMES: Final = (
    # set-up
    "pick_price", "pick_one_jump", "pick_colour", "start_r", "start_t", "start_c",
    # Buy Phase
    "buy_spare", "up_spare", "save",
    "answer_price", "answer_joint", "answer_colour", "answer_least",
    # cop step
    "play_least", "bribe_price", "bribe_spare", "raid", "arrest_top", "arrest_any", "new_cop",
    "police_bribe", "police_bribe_price", "police_markers",
    # Commissioner
    "comm_building", "comm_price", "comm_raid", "comm_arrest", "comm_recruit", "comm_enough",
    "comm_danger",
    # questions
    "double_least", "share_least",
    # gang actions
    "new_public", "stay", "recruit_gone", "recruit", "recruit_price", "enough_r", "enough_t",
    "guard_risk", "r_building", "r_colour", "r_own", "public_in", "public_out", "act_least",
    "extort", "seduce_r", "seduce_t", "hit_joint", "hit_member", "hit_return", "police_danger",
    "here", "leader", "public_price", "hit_hq",
    # Cop Turn
    "hire_price", "hire_spare", "flip_piece",
)  # fmt: skip
(
    PICK_PRICE, PICK_ONE_JUMP, PICK_COLOUR, START_R, START_T, START_C,
    BUY_SPARE, UP_SPARE, SAVE,
    ANSWER_PRICE, ANSWER_JOINT, ANSWER_COLOUR, ANSWER_LEAST,
    PLAY_LEAST, BRIBE_PRICE, BRIBE_SPARE, RAID_VALUE, ARREST_TOP, ARREST_ANY, NEW_COP_VALUE,
    POLICE_BRIBE, POLICE_BRIBE_PRICE, POLICE_MARKERS,
    COMM_BUILDING, COMM_PRICE, COMM_RAID, COMM_ARREST, COMM_RECRUIT, COMM_ENOUGH, COMM_DANGER,
    DOUBLE_LEAST, SHARE_LEAST,
    NEW_PUBLIC_VALUE, STAY_VALUE, RECRUIT_GONE, RECRUIT_VALUE, RECRUIT_PRICE, ENOUGH_R, ENOUGH_T,
    GUARD_RISK, R_BUILDING, R_COLOUR, R_OWN, PUBLIC_IN, PUBLIC_OUT, ACT_LEAST,
    EXTORT_VALUE, SEDUCE_R, SEDUCE_T, HIT_JOINT, HIT_MEMBER, HIT_RETURN, POLICE_DANGER,
    HERE, LEADER, PUBLIC_PRICE, HIT_HQ,
    HIRE_PRICE, HIRE_SPARE, FLIP_PIECE_VALUE,
) = range(len(NAMES))  # fmt: skip

_SPECIFIED: Final[dict[str, float]] = {
    "pick_price": 0.5, "pick_one_jump": 180, "pick_colour": 150,
    "start_r": 0, "start_t": 0, "start_c": 4,
    "buy_spare": 300, "up_spare": 0, "save": 1e6,
    "answer_price": 1.5, "answer_joint": 200, "answer_colour": 150, "answer_least": 100,
    "play_least": 150, "bribe_price": 200, "bribe_spare": 800,
    "raid": 1.5, "arrest_top": 1.0, "arrest_any": 125, "new_cop": 120,
    "police_bribe": 300, "police_bribe_price": 0.6, "police_markers": 2,
    "comm_building": 420, "comm_price": 0.3, "comm_raid": 1.0, "comm_arrest": 0,
    "comm_recruit": 0, "comm_enough": 0, "comm_danger": 0,
    "double_least": 400, "share_least": 300,
    "new_public": 500, "stay": 100, "recruit_gone": 380, "recruit": 230, "recruit_price": 0.35,
    "enough_r": 5, "enough_t": 2, "guard_risk": 187, "r_building": 170, "r_colour": 60,
    "r_own": 0, "public_in": 50, "public_out": 0.5, "act_least": 40,
    "extort": 100, "seduce_r": 500, "seduce_t": 350, "hit_joint": 0.9, "hit_member": 150,
    "hit_return": 375, "police_danger": 0, "here": 0, "leader": 0, "public_price": 0,
    "hit_hq": 0,
    "hire_price": 200, "hire_spare": 1500, "flip_piece": 0,
}  # fmt: skip

_GANG: Final[dict[str, float]] = {
    "pick_price": 0.024, "pick_one_jump": 350, "pick_colour": 110, "start_r": 6, "start_t": 1,
    "buy_spare": 52, "answer_price": 1.4, "answer_joint": 280, "answer_colour": 145,
    "answer_least": 41, "play_least": 115, "bribe_price": 56, "bribe_spare": 555, "raid": 1.4,
    "arrest_top": 1.1, "arrest_any": 145, "new_cop": 265, "share_least": 215, "new_public": 265,
    "stay": 65, "recruit_gone": 810, "recruit": 96, "recruit_price": 0.42, "enough_r": 4.4,
    "enough_t": 3, "guard_risk": 310, "r_building": 710, "r_colour": 170, "r_own": -0.08,
    "public_in": 65, "public_out": 0.34, "act_least": 19, "extort": 73, "seduce_r": 2010,
    "seduce_t": 120, "hit_joint": 1.2, "hit_member": 28, "hit_return": 245,
    "police_danger": 0.56, "here": 1, "leader": 0.2, "public_price": 105,
    "hit_hq": 120,
}  # fmt: skip

_POLICE: Final[dict[str, float]] = {
    "start_c": 5, "police_bribe": 345, "police_bribe_price": 0.68, "police_markers": 3.2,
    "comm_building": 625, "comm_price": 0.23, "comm_raid": 1.2, "comm_arrest": 0.28,
    "comm_recruit": 175, "comm_enough": 0.22, "comm_danger": 65, "double_least": 335,
    "hire_price": 230, "hire_spare": 1900, "flip_piece": 25, "raid": 1.4, "arrest_top": 0.9,
    "arrest_any": 145, "new_cop": 130, "act_least": 40,
}  # fmt: skip


def table(*layers: dict[str, float]) -> NDArray[np.float64]:
    """Weights by index; later layers win."""
    found: dict[str, float] = {}
    for layer in layers:
        found |= layer
    return np.array([found[name] for name in NAMES], np.float64)


SPECIFIED: Final = table(_SPECIFIED)
"""As the specification's table says (G-24.1); what it leaves open is 0 or plain."""
GANG: Final = table(_SPECIFIED, _GANG)
"""A gang's, found by play under rules version 3: every seat with weights of its own, drawn around
the last ones, which then move towards those of the winners."""
POLICE_PLAYER: Final = table(_SPECIFIED, _POLICE)
"""The Police Player's, found likewise."""
