"""Legal actions of the decision that is due, phase by phase (G-4, the table of decision points)."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from ..core.kernel import kernel
from ..core.state import State
from . import actions as act
from .common import (
    cup_markers,
    extortable,
    is_entry,
    joints_of,
    level_permits,
    of_colour,
    officers_to_draw,
    owner_at,
)
from .data import (
    ACTIONS_MIN,
    ALLOWANCE,
    BRIBE_PIP,
    CHEAPEST_JOINT,
    COLOUR,
    COMMISSIONER_MAX,
    DRESS_COST,
    FIRST_JOINTS,
    GRAY,
    HEATERS_COST,
    HIRE_PIP,
    JOINTS,
    LADDER,
    LEVEL_MAX,
    MEMBER_COST,
    PRICE,
    PUBLIC_CHIT,
    RACKETEERS_PER_ACTION,
    SETUP_MAX,
    STREETS,
    STRENGTH_MAX,
    VAMP_COST,
    WHEELS_COST,
)
from .movement import APPROACHES, DESTINATIONS, SWAPS, clear_legal, walk
from .shootout import allocation_legal, attack_targets, return_targets
from .state import (
    ALLOC,
    APPROACH,
    BUY,
    COMM_DEST,
    COMM_ENTRY,
    COP_ACTIVE,
    COP_DEST,
    COP_ENTRY,
    COP_GANG,
    COP_VIA,
    COUNT,
    CRIME,
    DEST,
    DOUBLE,
    GANGS,
    INFORMANTS,
    MOVE,
    NONE,
    PICK,
    PLACE,
    POLICE,
    POLICE_BUY,
    POLICE_MOVE,
    POLICE_PUBLIC,
    PUBLIC_DEST,
    RAID_OR_ARREST,
    RECRUIT_PLACE,
    SELL,
    SET_C,
    SET_R,
    SET_T,
    SHARE,
    STOP,
    TARGET,
    TRADE_ANSWER,
    TRADE_CASH,
    TRADE_GIVE,
    TRADE_TAKE,
    R,
    V,
)  # fmt: skip


@kernel
def legal_actions(state: State, mask: NDArray[Any]) -> None:
    """The mask of the decision that is due, as :func:`fill` left it."""
    for action in range(len(mask)):
        mask[action] = state.legal[action] != 0


@kernel(leaf=True)
def strength_cost(strength: int) -> int:
    """Cost of buying a strength from nothing (G-2.10)."""
    return MEMBER_COST * strength * (strength + 1) // 2


@kernel(leaf=True)
def allowance_left(state: State, gang: int) -> int:
    """What is left of the joint allowance while joints are picked (G-3.3)."""
    spent = 0
    for building in range(JOINTS):
        if state.owner[building] == gang:
            spent += PRICE[building]
    return max(ALLOWANCE - spent, 0)


@kernel(leaf=True)
def pick_limit(state: State, gang: int) -> int:
    """The dearest joint the gang may pick now (G-3.3)."""
    return allowance_left(state, gang) - CHEAPEST_JOINT * (
        FIRST_JOINTS - 1 - joints_of(state, gang)
    )


@kernel(leaf=True)
def recruit_price(state: State, gang: int, piece: int) -> int:
    """Present price of one more member (G-7.4)."""
    if piece == V:
        return VAMP_COST * state.dice[V]
    return MEMBER_COST * (state.strength[gang, piece] + 1) * state.dice[piece]


@kernel(leaf=True)
def actions_left(state: State) -> int:
    """Actions of the active gang not used yet (G-7.1)."""
    return max(ACTIONS_MIN, state.strength[state.active, R] // RACKETEERS_PER_ACTION) - state.used


@kernel(leaf=True)
def fill_setup(state: State) -> None:
    """Choices of the set-up (G-3)."""
    seat = state.seat
    phase = state.phase
    legal = state.legal
    if phase == PICK:
        limit = pick_limit(state, seat)
        for building in range(JOINTS):
            if state.owner[building] == NONE and PRICE[building] <= limit:
                legal[act.GO + STREETS + building] = 1
    elif phase == PLACE:
        for building in range(JOINTS):
            if state.owner[building] == seat:
                legal[act.GO + STREETS + building] = 1
    else:
        keep = VAMP_COST if phase == SET_T else VAMP_COST + MEMBER_COST if phase == SET_R else 0
        top = COMMISSIONER_MAX if phase == SET_C else SETUP_MAX
        for strength in range(1, top + 1):
            if strength_cost(strength) + keep <= state.cash[seat]:
                legal[act.STRENGTH + strength - 1] = 1


@kernel(leaf=True)
def fill_buy(state: State) -> None:
    """Purchase, equipment and offers of a gang (G-5, G-16)."""
    seat = state.seat
    legal = state.legal
    legal[act.END] = 1
    cash = state.cash[seat]
    if not state.bought and state.strength[seat, R] > 0 and state.at[seat, R] >= STREETS:
        building = state.at[seat, R] - STREETS
        owner = state.owner[building]
        if owner == NONE and COLOUR[building] != GRAY and cash >= PRICE[building]:
            legal[act.BUY_BUILDING] = 1
        if (
            owner == seat
            and cash >= PRICE[building]
            and state.level[building] < LEVEL_MAX
            and state.level[building] < of_colour(state, seat, COLOUR[building])
        ):
            legal[act.IMPROVE] = 1
    for piece in range(3):
        node = state.at[seat, piece]
        if node >= STREETS and extortable(state, node) and COLOUR[node - STREETS] == GRAY:
            if state.heaters and piece < V and not state.has_heaters[seat, piece]:
                legal[act.EQUIPMENT + 2 * piece] = cash >= HEATERS_COST
            if state.wheels and not state.has_wheels[seat, piece]:
                legal[act.EQUIPMENT + min(2 * piece + 1, 4)] = cash >= WHEELS_COST
            if state.dress and piece == V and not state.has_dress[seat, V]:
                legal[act.EQUIPMENT + 5] = cash >= DRESS_COST
    if state.offers < state.trade_offers:
        own = joints_of(state, seat)
        for r in range(1, state.num_seats):
            partner = (seat + r) % state.num_seats
            if partner != POLICE and (own > 0 or (cash >= 100 and joints_of(state, partner) > 0)):
                legal[act.TRADE + r - 1] = 1


@kernel(leaf=True)
def fill_trade(state: State) -> None:
    """Steps of an offer (G-5.9, G-5.10)."""
    phase = state.phase
    legal = state.legal
    active = state.active
    if phase == TRADE_GIVE:
        for building in range(JOINTS):
            if state.owner[building] == active:
                legal[act.GO + STREETS + building] = 1
        if state.cash[active] >= 100 and joints_of(state, state.partner) > 0:
            legal[act.END] = 1
    elif phase == TRADE_TAKE:
        for building in range(JOINTS):
            if state.owner[building] == state.partner:
                legal[act.GO + STREETS + building] = 1
        if state.offer_give != NONE:
            legal[act.END] = 1
    elif phase == TRADE_CASH:
        if NONE not in (state.offer_give, state.offer_take):
            legal[act.CASH_ZERO] = 1
        for step in range(len(LADDER)):
            if state.offer_take != NONE and LADDER[step] <= state.cash[active]:
                legal[act.PAY + step] = 1
            if state.offer_give != NONE:
                legal[act.GET + step] = 1
    else:
        legal[act.END] = 1
        asked = LADDER[state.cash_step - 17] if state.cash_step > 16 else 0
        if state.cash[state.partner] >= asked:
            legal[act.YES] = 1


@kernel(leaf=True)
def fill_cop_step(state: State) -> None:
    """The cop step of a gang turn (G-9.1 to G-9.4)."""
    legal = state.legal
    seat = state.seat
    legal[act.END] = 1
    if state.cash[seat] >= BRIBE_PIP * state.dice[4] and cup_markers(state) > 0:
        legal[act.BRIBE] = 1
    permits = level_permits(state)
    if state.phase == COP_GANG:
        for officer in range(9):
            if state.holder[officer] == seat and (state.cop_at[officer] != NONE or permits):
                legal[act.PLAY + officer] = 1
    else:
        for officer in range(10):
            if state.cop_at[officer] != NONE:
                legal[act.COP + officer] = 1
        if permits:
            legal[act.NEW_COP] = 1


@kernel(leaf=True)
def fill_move(state: State) -> None:
    """Gang actions and Publics (G-7.2, G-10.1)."""
    legal = state.legal
    seat = state.seat
    legal[act.END] = 1
    if actions_left(state) > 0:
        promised = 0
        for piece in range(3):
            if state.recruit[seat, piece]:
                promised += recruit_price(state, seat, piece)
        for piece in range(3):
            if state.acted[seat, piece]:
                continue
            strength = state.strength[seat, piece]
            if strength > 0:
                legal[act.MOVE_PIECE + piece] = 1
                if piece != R and extortable(state, state.at[seat, piece]):
                    legal[act.STAY + piece - 1] = 1
            price = recruit_price(state, seat, piece)
            if strength < STRENGTH_MAX[piece] and state.cash[seat] >= price + promised:
                legal[act.RECRUIT + piece] = 1
    cup = 0
    for public in range(4):
        if state.public_at[public] == NONE:
            cup += 1
        elif not state.public_moved[public]:
            legal[act.PUBLIC + public] = 1
    if cup and not state.new_public:
        legal[act.NEW_PUBLIC] = 1


@kernel(leaf=True)
def hit_possible(state: State, gang: int, piece: int) -> bool:
    """Whether a hit by this piece would have a target now (G-11.4)."""
    return attack_targets(state, state.at[gang, piece], gang * 3 + piece) != 0


@kernel(leaf=True)
def fill_crime(state: State) -> None:
    """Crimes after a move (G-11.4, G-13.1)."""
    legal = state.legal
    seat = state.seat
    piece = state.piece
    node = state.at[seat, piece]
    legal[act.END] = 1
    if piece != V and hit_possible(state, seat, piece):
        legal[act.HIT] = 1
    if piece != R and extortable(state, node):
        legal[act.EXTORT] = 1
    if piece == V:
        for r in range(1, state.num_seats):
            rival = (seat + r) % state.num_seats
            if rival < GANGS:
                for kind in range(2):
                    if state.strength[rival, kind] > 0 and state.at[rival, kind] == node:
                        legal[act.SEDUCE + 2 * (r - 1) + kind] = 1


@kernel(leaf=True)
def fill_police_buy(state: State) -> None:
    """Headquarters and equipment of the police (G-14.7, G-14.13, G-16.1)."""
    legal = state.legal
    legal[act.END] = 1
    cash = state.cash[POLICE]
    node = state.c_at
    if node >= STREETS and not state.bought and extortable(state, node):
        clean = True
        for gang in range(GANGS):
            for piece in range(3):
                if state.criminal[gang, piece] and state.at[gang, piece] == node:
                    clean = False
        if clean and cash >= PRICE[node - STREETS]:
            legal[act.BUY_BUILDING] = 1
    if state.gray_start:
        if state.heaters and not state.c_heaters:
            legal[act.EQUIPMENT + 6] = cash >= HEATERS_COST
        if state.wheels and not state.c_wheels:
            legal[act.EQUIPMENT + 7] = cash >= WHEELS_COST


@kernel(leaf=True)
def fill_informants(state: State) -> None:
    """Step c of the Cop Turn (G-10.7 to G-10.12)."""
    legal = state.legal
    legal[act.END] = 1
    for public in range(4):
        node = state.public_at[public]
        if node == NONE:
            continue
        if not state.informant[public]:
            if state.chit_slot[PUBLIC_CHIT[public]] != NONE:
                legal[act.CHIT + PUBLIC_CHIT[public]] = 1
            continue
        if not state.public_moved[public]:
            legal[act.PUBLIC + public] = 1
        lowest = True
        for other in range(public):
            if state.informant[other] and state.public_at[other] == node:
                lowest = False
        owner = owner_at(state, node)
        if lowest and owner not in (NONE, POLICE) and not state.lit[node - STREETS]:
            legal[act.FLIP_JOINT + public] = 1
        for gang in range(GANGS):
            for piece in range(3):
                if state.at[gang, piece] == node and not state.criminal[gang, piece]:
                    r = (gang - POLICE) % state.num_seats
                    legal[act.FLIP_PIECE + 3 * (r - 1) + piece] = 1


@kernel(leaf=True)
def fill_police_move(state: State) -> None:
    """Step d of the Cop Turn (G-14.9, G-14.18)."""
    legal = state.legal
    outside = state.c_at == NONE and state.c_strength > 0
    if outside and state.moves == 1:
        legal[act.COMMISSIONER] = 1
        return
    if not outside:
        legal[act.END] = 1
    for officer in range(10):
        if state.cop_at[officer] != NONE and not state.cop_done[officer]:
            legal[act.COP + officer] = 1
    if level_permits(state):
        legal[act.NEW_COP] = 1
    if not state.moved_c and not state.recruit_c:
        legal[act.COMMISSIONER] = 1
        price = MEMBER_COST * (state.c_strength + 1) * state.dice[0]
        if not outside and state.c_strength < COMMISSIONER_MAX and state.cash[POLICE] >= price:
            legal[act.RECRUIT_C] = 1


@kernel(leaf=True)
def fill_police_public(state: State) -> None:
    """Step e of the Cop Turn (G-10.2, G-10.6)."""
    legal = state.legal
    legal[act.END] = 1
    moved = False
    for public in range(4):
        if state.public_at[public] != NONE:
            if state.public_moved[public]:
                moved = True
            else:
                legal[act.PUBLIC + public] = 1
    chits = 3
    for slot in range(3):
        chits -= state.chit_full[slot]
    if not moved and chits > 0 and state.cash[POLICE] >= HIRE_PIP * state.dice[3]:
        legal[act.HIRE] = 1


@kernel(leaf=True)
def fill_entry(state: State, number: int) -> None:
    """Subway or headquarters by which a cop or the Commissioner enters (G-14.14)."""
    for node in range(STREETS + len(state.owner)):
        if is_entry(state, node, number):
            state.legal[act.GO + node] = 1


@kernel(leaf=True)
def fill_small(state: State) -> None:
    """Questions with few answers."""
    legal = state.legal
    phase = state.phase
    if phase in (STOP, DOUBLE, SHARE):
        legal[act.END] = 1
        legal[act.YES] = 1
    elif phase == RAID_OR_ARREST:
        legal[act.RAID] = 1
        legal[act.ARREST] = 1
    elif phase in (RECRUIT_PLACE, SELL):
        for building in range(len(state.owner)):
            if state.owner[building] == state.seat:
                legal[act.GO + STREETS + building] = 1
    elif phase == ALLOC:
        allocation_legal(state)
    else:
        sides = (
            attack_targets(state, state.fight, state.asked)
            if phase == TARGET
            else return_targets(state, state.fight, state.asked)
        )
        for r in range(1, state.num_seats):
            if sides >> ((state.seat + r) % state.num_seats) & 1:
                legal[act.TARGET_SIDE + r - 1] = 1


@kernel(leaf=True)
def fill_walks(state: State) -> None:
    """Destinations, approaches, swaps and the die to move by (G-6, G-9.14, G-16.2)."""
    phase = state.phase
    legal = state.legal
    if phase == COUNT:
        own = state.steps
        state.steps = own + state.dice[3] + state.dice[4]
        legal[act.ALL_DICE] = 1 if walk(state, DESTINATIONS, 0, act.GO) > 0 else 0
        state.steps = own
        for node in range(act.END):
            legal[node] = 0
        legal[act.OWN_DIE] = 1
        return
    if phase == APPROACH:
        walk(state, APPROACHES, state.dest, act.GO)
        return
    if phase == COP_VIA:
        walk(state, SWAPS, 0, act.GO)
        return
    relief = phase == COP_DEST and state.steps > 0 and officers_to_draw(state, state.piece) > 0
    if relief and walk(state, SWAPS, 0, act.GO) > 0:
        for node in range(act.END):
            legal[node] = 0
        legal[act.VIA] = 1
    walk(state, DESTINATIONS, 0, act.GO)


@kernel
def fill(state: State) -> int:
    """Fill ``state.legal`` for the decision that is due; returns the number of legal actions."""
    clear_legal(state)
    phase = state.phase
    if phase <= PLACE:
        fill_setup(state)
    elif phase == BUY:
        fill_buy(state)
    elif phase <= TRADE_ANSWER:
        fill_trade(state)
    elif phase <= COP_ACTIVE:
        fill_cop_step(state)
    elif phase == MOVE:
        fill_move(state)
    elif phase == CRIME:
        fill_crime(state)
    elif phase in (COP_DEST, COP_VIA, APPROACH, COUNT, DEST, PUBLIC_DEST, COMM_DEST):
        fill_walks(state)
    elif phase == COP_ENTRY:
        fill_entry(state, state.dice[4])
    elif phase == COMM_ENTRY:
        fill_entry(state, state.dice[0])
    elif phase == POLICE_BUY:
        fill_police_buy(state)
    elif phase == INFORMANTS:
        fill_informants(state)
    elif phase == POLICE_MOVE:
        fill_police_move(state)
    elif phase == POLICE_PUBLIC:
        fill_police_public(state)
    else:
        fill_small(state)
    count = 0
    for action in range(len(state.legal)):
        count += state.legal[action]
    return count
