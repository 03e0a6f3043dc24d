"""What choices about the police are worth: the cop step, patrols, the Cop Turn."""

from __future__ import annotations

from ...core.kernel import kernel
from ...core.state import State
from .. import actions as act
from ..data import OFFICER_DICE, STREETS, SUBWAYS
from ..rules.common import half
from ..state import (
    APPROACH,
    COMM_DEST,
    COMM_ENTRY,
    COP_DEST,
    COP_ENTRY,
    COP_VIA,
    DOUBLE,
    GANGS,
    INFORMANTS,
    NONE,
    POLICE,
    RAID_OR_ARREST,
    STOP,
)
from .values import (
    MEAN_DICE,
    NO,
    SLIGHT,
    YES,
    Weights,
    arrest_value,
    best_commissioner,
    best_patrol,
    commissioner_value,
    joint_value,
    officer_value,
    raid_value,
)
from .weights import (
    ACT_LEAST,
    BRIBE_PRICE,
    BRIBE_SPARE,
    COMM_ENOUGH,
    COMM_RECRUIT,
    DOUBLE_LEAST,
    FLIP_PIECE_VALUE,
    HERE,
    HIRE_PRICE,
    HIRE_SPARE,
    NEW_COP_VALUE,
    PLAY_LEAST,
    POLICE_BRIBE,
    POLICE_BRIBE_PRICE,
    POLICE_MARKERS,
    RECRUIT_PRICE,
    SHARE_LEAST,
)


@kernel(leaf=True)
def cop_step_value(known: State, w: Weights, seat: int, action: int) -> float:
    """COP_GANG, COP_POLICE, COP_ACTIVE, POLICE_MOVE."""
    price = 100 * known.dice[4]
    if action == act.END:
        return 0.0 if seat != POLICE else float(w[ACT_LEAST])
    if action == act.BRIBE:
        if seat == POLICE:
            held = 0
            for slot in range(9):
                held += known.slot_seat[slot] == POLICE
            if held >= w[POLICE_MARKERS]:
                return NO
            return float(w[POLICE_BRIBE] - w[POLICE_BRIBE_PRICE] * price)
        wanted = price <= w[BRIBE_PRICE] and known.cash[seat] >= price + w[BRIBE_SPARE]
        return SLIGHT if wanted else NO
    if action == act.COMMISSIONER:
        if known.c_at == NONE:
            start = SUBWAYS[known.dice[0] - 1]
            return 500.0 + best_commissioner(known, w, start, NONE, known.dice[0] - 1)
        value = best_commissioner(known, w, known.c_at, known.c_came, known.dice[0])
        return value - w[HERE] * commissioner_value(known, w, known.c_at)
    if action == act.RECRUIT_C:
        wanted = known.c_strength < w[COMM_ENOUGH]
        price = 100 * (known.c_strength + 1) * known.dice[0]
        return float(w[COMM_RECRUIT] - w[RECRUIT_PRICE] * price) if wanted else NO
    if action == act.NEW_COP:
        start = SUBWAYS[known.dice[4] - 1]
        best = best_patrol(known, w, seat, start, NONE, known.dice[4] - 1, MEAN_DICE)
        return w[NEW_COP_VALUE] + best
    officer = action - act.COP if action >= act.COP else action - act.PLAY
    dice = float(OFFICER_DICE[officer])
    if known.cop_at[officer] == NONE:
        start = SUBWAYS[known.dice[4] - 1]
        value = best_patrol(known, w, seat, start, NONE, known.dice[4] - 1, dice)
    else:
        at, came = known.cop_at[officer], known.cop_came[officer]
        value = best_patrol(known, w, seat, at, came, known.dice[4], dice)
    return value if action >= act.COP else value - w[PLAY_LEAST]


@kernel(leaf=True)
def patrol_value(known: State, w: Weights, seat: int, action: int) -> float:
    """Where officers and the Commissioner go, and what is asked about them."""
    phase = known.phase
    if phase in (COP_ENTRY, COMM_ENTRY):
        if phase == COMM_ENTRY:
            return best_commissioner(known, w, action, NONE, max(known.dice[0] - 1, 0))
        dice = float(OFFICER_DICE[known.piece])
        return best_patrol(known, w, seat, action, NONE, known.steps - 1, dice)
    if phase == COMM_DEST:
        return commissioner_value(known, w, action)
    if phase == COP_DEST:
        if action == act.VIA:
            return NO
        return officer_value(known, w, seat, action, float(OFFICER_DICE[known.piece]))
    if phase in (COP_VIA, APPROACH) or action == act.END:
        return 0.0
    if phase == STOP:
        node = known.dest
        hit = node >= STREETS and known.lit[node - STREETS] and known.owner[node - STREETS] == seat
        for piece in range(3):
            if known.criminal[seat, piece] and known.at[seat, piece] == node:
                hit = True
        return YES if hit else NO
    if phase == RAID_OR_ARREST:
        if action == act.RAID:
            return raid_value(known, w, seat, known.dest)
        return arrest_value(known, w, seat, known.dest, float(OFFICER_DICE[known.piece]))
    if phase == DOUBLE:
        return double_value(known, w)
    share = min(half(known.payoff), known.left_to_share)
    return YES if share >= w[SHARE_LEAST] else NO


@kernel(leaf=True)
def double_value(known: State, w: Weights) -> float:
    """DOUBLE: a large payoff, and another marker stays."""
    held = 0
    for slot in range(9):
        held += known.slot_seat[slot] == POLICE
    if known.fight == NONE:
        worth = joint_value(known, known.raid_node)
    else:
        worth = 0.0
        for gang in range(GANGS):
            for piece in range(2):
                if known.criminal[gang, piece] and known.at[gang, piece] == known.fight:
                    worth = max(worth, 100.0 * known.strength[gang, piece])
    return YES if worth >= w[DOUBLE_LEAST] and held >= 2 else NO


@kernel(leaf=True)
def police_value(known: State, w: Weights, action: int) -> float:
    """INFORMANTS and POLICE_PUBLIC."""
    if action == act.END:
        return 0.0
    if known.phase == INFORMANTS:
        if action >= act.FLIP_PIECE:
            return float(w[FLIP_PIECE_VALUE])
        return SLIGHT if action >= act.CHIT else NO
    if action == act.HIRE:
        price = 100 * known.dice[3]
        wanted = price <= w[HIRE_PRICE] and known.cash[POLICE] >= price + w[HIRE_SPARE]
        return YES if wanted else NO
    return NO
