"""Gang turns and Cop Turns as a machine of steps, between decisions (G-4, G-5 to G-7, G-14)."""

from __future__ import annotations

from ..core.kernel import kernel
from ..core.rng import roll_die
from ..core.state import State, settle
from .common import (
    crime_level,
    draw,
    drop_cop,
    drop_public,
    extortable,
    half,
    joints_of,
    officers_out,
    progress,
    public_value,
    take_building,
)
from .data import (
    ALLOWANCE,
    CASH_TO_WIN,
    COLOUR,
    COMMISSIONER_MAX,
    EXTORTION_PIP,
    FIRST_JOINTS,
    GANG_MONEY,
    GRAY,
    HQ_TO_WIN,
    JOINTS,
    JOINTS_TO_WIN,
    MEMBER_COST,
    PRICE,
    SALARY_BELOW,
    SALARY_STEP,
    STREETS,
    STRENGTH_MAX,
    SUBWAYS,
)
from .legal import pick_limit, recruit_price
from .police import begin_raid, may_share, pay_police, place_cop, relieve, resolve_raid
from .shootout import (
    ATTACKERS,
    SHOOTERS,
    SIDES,
    attack_targets,
    attacker,
    begin_fight,
    casualties,
    fires,
    next_fight,
    next_hit,
    return_targets,
    roll,
    side_of,
    size_at,
)
from .state import (
    ALLOC,
    BUY,
    COMM_ENTRY,
    COP_ACTIVE,
    COP_DEST,
    COP_GANG,
    DOUBLE,
    E_ARRESTS,
    E_EXTORTION,
    E_LEVEL,
    E_OFFICERS,
    E_ORGANISED,
    E_PUBLICS,
    E_SALARY,
    E_TURNS,
    GANGS,
    INFORMANTS,
    K_COP,
    MOVE,
    NONE,
    PICK,
    PLACE,
    POLICE,
    POLICE_BUY,
    POLICE_MOVE,
    POLICE_PUBLIC,
    RAID_OR_ARREST,
    RECRUIT_PLACE,
    RETURN,
    S_ALLOC,
    S_ARREST_PAID,
    S_ATTACK,
    S_BUY,
    S_COP_ARRIVE,
    S_COP_DICE,
    S_COP_OVER,
    S_COP_STOP,
    S_DECIDE,
    S_DICE,
    S_DOUBLE,
    S_END,
    S_MOVE,
    S_NEW_COMMISSIONER,
    S_NEXT,
    S_NO_RACKETEER,
    S_PAY,
    S_PAYOFFS,
    S_PICK,
    S_PLACE,
    S_POLICE_BUY,
    S_POLICE_MOVE,
    S_POLICE_PAY,
    S_POLICE_PUBLIC,
    S_RAID,
    S_RAID_PAID,
    S_RETURN,
    S_SET,
    S_SHOOTOUT,
    SELL,
    SET_C,
    SET_R,
    SET_T,
    SHARE,
    STOP,
    TARGET,
    U_COMMISSIONER,
    U_COP,
    U_JOINT,
    WIN_CASH,
    WIN_COLOUR,
    WIN_HQ,
    WIN_JOINTS,
    R,
)  # fmt: skip


@kernel(leaf=True)
def ask(state: State, phase: int, seat: int) -> None:
    """A decision is due."""
    state.phase = phase
    state.seat = seat
    state.step = S_DECIDE


# --- set-up (G-3) -------------------------------------------------------------------------------


@kernel(leaf=True)
def setup_pick(state: State) -> None:
    """The next joint pick, or the gang money when all have three (G-3.3, G-3.4)."""
    gangs = state.gangs
    if state.setup_at == FIRST_JOINTS * gangs:
        for gang in range(gangs):
            spent = 0
            for building in range(JOINTS):
                if state.owner[building] == gang:
                    spent += PRICE[building]
            state.cash[gang] = ALLOWANCE + GANG_MONEY - spent
            state.setup_cash[gang] = state.cash[gang]
        state.setup_at = 0
        state.step = S_SET
        return
    seat = state.order[state.setup_at % gangs]
    limit = pick_limit(state, seat)
    cheapest = NONE
    for building in range(JOINTS):
        if state.owner[building] == NONE:
            if PRICE[building] <= limit:
                ask(state, PICK, seat)
                return
            if cheapest == NONE or PRICE[building] < PRICE[cheapest]:
                cheapest = building
    take_building(state, cheapest, seat)
    state.setup_at += 1


@kernel(leaf=True)
def setup_strength(state: State) -> None:
    """Racketeers and Thugs by gang, then the Commissioner (G-3.5, G-3.6)."""
    if state.setup_at < 2 * state.gangs:
        phase = SET_T if state.setup_at % 2 else SET_R
        ask(state, phase, state.order[state.setup_at // 2])
    elif state.police and state.c_strength == 0:
        ask(state, SET_C, POLICE)
    else:
        state.setup_at = 0
        state.step = S_PLACE


@kernel(leaf=True)
def setup_place(state: State) -> None:
    """Pieces into joints; then all is revealed and the first round begins (G-3.7, G-3.8)."""
    if state.setup_at < 3 * state.gangs:
        ask(state, PLACE, state.order[state.setup_at // 3])
        return
    state.revealed = 1
    if state.police:
        state.c_at = SUBWAYS[roll_die(state) - 1]
    state.round_number = 1
    for gang in range(state.gangs):
        state.pawns[gang] = 1
    state.active = NONE
    state.step = S_NEXT


# --- rounds and turns (G-4) -----------------------------------------------------------------------


@kernel(leaf=True)
def begin_turn(state: State) -> None:
    """Clear what belongs to one player turn."""
    for gang in range(GANGS):
        for piece in range(3):
            state.acted[gang, piece] = 0
            state.moved[gang, piece] = 0
            state.hit[gang, piece] = 0
            state.extort[gang, piece] = 0
            state.recruit[gang, piece] = 0
    for officer in range(10):
        state.cop_mover[officer] = NONE
        state.cop_share[officer] = NONE
        state.cop_done[officer] = 0
    for public in range(4):
        state.public_moved[public] = 0
    for die in range(5):
        state.dice[die] = 0
    state.used = 0
    state.moves = 0
    state.bought = 0
    state.offers = 0
    state.new_public = 0
    state.early = 0
    state.recruit_c = 0
    state.moved_c = 0
    state.no_racketeer = 0
    state.gray_start = 0
    state.num_barred = 0
    state.fight = NONE


@kernel(leaf=True)
def next_turn(state: State) -> None:
    """Draw the next pawn, begin the Cop Turn, or begin the next round (G-4.2, G-15.6)."""
    left = 0
    for gang in range(state.gangs):
        left += state.pawns[gang]
    if left:
        pick = draw(state, left) if state.random_order else 0
        for k in range(state.gangs):
            gang = k if state.random_order else state.order[k]
            if state.pawns[gang]:
                if pick == 0:
                    state.pawns[gang] = 0
                    state.active = gang
                    break
                pick -= 1
        begin_turn(state)
        state.no_racketeer = state.strength[state.active, R] == 0
        state.step = S_BUY
    elif state.police and state.active != POLICE:
        state.active = POLICE
        begin_turn(state)
        state.first_cop = 1
        node = state.c_at
        if node >= STREETS and extortable(state, node) and COLOUR[node - STREETS] == GRAY:
            state.gray_start = 1
        state.step = S_POLICE_BUY
    elif state.round_number >= state.max_rounds:
        cap(state)
    else:
        state.round_number += 1
        state.active = NONE
        for gang in range(state.gangs):
            state.pawns[gang] = 1


@kernel(leaf=True)
def rank_by_progress(state: State, winner: int) -> None:
    """Scores and places by progress; a winner is first whatever the others have (G-15.7)."""
    for seat in range(state.num_seats):
        state.scores[seat] = progress(state, seat)
    for seat in range(state.num_seats):
        place = 1
        if seat != winner:
            for other in range(state.num_seats):
                if other == winner or state.scores[other] > state.scores[seat]:
                    place += 1
        state.places[seat] = place


@kernel(leaf=True)
def cap(state: State) -> None:
    """Truncated without a winner: ranked by progress, but nobody is paid (G-15.6, G-15.7)."""
    rank_by_progress(state, NONE)
    state.capped = 1
    settle(state)
    for seat in range(state.num_seats):
        state.rewards[seat] = 0.0


@kernel(leaf=True)
def win(state: State, winner: int, kind: int) -> None:
    """The winner is first, the others follow by progress (G-15.5, G-15.7)."""
    rank_by_progress(state, winner)
    state.win_kind = kind
    settle(state)


@kernel(leaf=True)
def win_kind(state: State) -> int:
    """By what the active seat has won, 0 if it has not (G-1.3, G-15.2 to G-15.4)."""
    seat = state.active
    if seat == POLICE:
        loyal = False
        for officer in range(9):
            if state.cop_at[officer] != NONE and state.holder[officer] == POLICE:
                loyal = True
        if not loyal or state.c_at == NONE:
            return 0
        if state.cash[POLICE] >= CASH_TO_WIN:
            return WIN_CASH
        return WIN_HQ if joints_of(state, POLICE) >= HQ_TO_WIN else 0
    for piece in range(3):
        if state.strength[seat, piece] == 0:
            return 0
    if state.cash[seat] >= CASH_TO_WIN:
        return WIN_CASH
    if joints_of(state, seat) >= JOINTS_TO_WIN:
        return WIN_JOINTS
    owned = 0
    # Bit set of colours with a building that the gang does not own.
    for building in range(JOINTS):
        if state.owner[building] != seat:
            owned |= 1 << COLOUR[building]
    return WIN_COLOUR if owned != (1 << GRAY) - 1 else 0


@kernel(leaf=True)
def publics_from_crime(state: State) -> None:
    """Publics beside criminal gang pieces go to the cup (G-10.4)."""
    for public in range(4):
        node = state.public_at[public]
        if node == NONE:
            continue
        for gang in range(GANGS):
            for piece in range(3):
                if state.criminal[gang, piece] and state.at[gang, piece] == node:
                    drop_public(state, public)


@kernel(leaf=True)
def end_turn(state: State) -> None:
    """End of every player turn (G-15.1)."""
    publics_from_crime(state)
    for officer in range(10):
        node = state.cop_at[officer]
        if node >= STREETS and state.owner[node - STREETS] != POLICE:
            drop_cop(state, officer)
    publics = 0
    for public in range(4):
        publics += state.public_at[public] != NONE
    for building in range(JOINTS):
        if state.lit[building] and public_value(state, building + STREETS) == 0:
            state.lit[building] = 0
    state.events[E_TURNS] += 1
    state.events[E_LEVEL] += crime_level(state)
    state.events[E_OFFICERS] += officers_out(state)
    state.events[E_PUBLICS] += publics
    kind = win_kind(state)
    if kind:
        win(state, state.active, kind)
    else:
        state.step = S_NEXT


@kernel(leaf=True)
def gang_dice(state: State) -> None:
    """Five dice, then the cop step (G-2.12)."""
    for die in range(5):
        state.dice[die] = roll_die(state)
    ask(state, COP_GANG if state.police else COP_ACTIVE, state.active)


@kernel(leaf=True)
def organised_crime(state: State, gang: int) -> None:
    """Joints with Publics pay their owner and turn criminal (G-11.6, G-11.7)."""
    for building in range(JOINTS):
        if state.owner[building] == gang:
            value = public_value(state, building + STREETS)
            if value:
                paid = PRICE[building] * state.level[building] * value
                state.cash[gang] += paid
                state.lit[building] = 1
                state.events[E_ORGANISED] += paid


@kernel(leaf=True)
def salary(state: State) -> None:
    """The Police Player's salary below crime level four (G-14.4)."""
    level = crime_level(state)
    if state.police and state.first_cop and level < SALARY_BELOW:
        state.cash[POLICE] += SALARY_STEP * (SALARY_BELOW - level)
        state.events[E_SALARY] += SALARY_STEP * (SALARY_BELOW - level)


@kernel(leaf=True)
def payoffs(state: State) -> None:
    """Extortion, organised crime, salary (G-11.9)."""
    gang = state.active
    for piece in range(1, 3):
        if state.extort[gang, piece]:
            state.cash[gang] += EXTORTION_PIP * state.dice[piece]
            state.events[E_EXTORTION] += EXTORTION_PIP * state.dice[piece]
    organised_crime(state, gang)
    if state.salary_every_move:
        salary(state)
    state.step = S_SHOOTOUT


@kernel(leaf=True)
def first_member(state: State, gang: int, piece: int, after: int) -> None:
    """The first member of a piece is put into an own joint or to a Subway (G-7.7, G-7.8)."""
    state.acted[gang, piece] = 1
    state.moved[gang, piece] = 0
    state.came[gang, piece] = NONE
    state.criminal[gang, piece] = 0
    if joints_of(state, gang) == 0:
        state.at[gang, piece] = SUBWAYS[state.dice[piece] - 1]
        state.step = after
        return
    state.place_gang = gang
    state.place_piece = piece
    state.after_place = after
    ask(state, RECRUIT_PLACE, gang)


@kernel(leaf=True)
def pay_recruits(state: State) -> None:
    """Announced recruits in the order R, T, V (G-7.6)."""
    gang = state.active
    for piece in range(3):
        if state.recruit[gang, piece]:
            state.recruit[gang, piece] = 0
            price = recruit_price(state, gang, piece)
            if state.strength[gang, piece] >= STRENGTH_MAX[piece] or state.cash[gang] < price:
                continue
            state.cash[gang] -= price
            state.strength[gang, piece] += 1
            if state.strength[gang, piece] == 1:
                first_member(state, gang, piece, S_PAY)
                return
    state.step = S_PAYOFFS


@kernel(leaf=True)
def no_racketeer(state: State) -> None:
    """A gang without Racketeers takes on one, whatever it has (G-7.9)."""
    gang = state.active
    price = MEMBER_COST * state.dice[R]
    if state.cash[gang] < price and joints_of(state, gang) > 0:
        ask(state, SELL, gang)
        return
    state.cash[gang] -= min(state.cash[gang], price)
    state.strength[gang, R] = 1
    first_member(state, gang, R, S_PAYOFFS)


# --- officers (G-9) -------------------------------------------------------------------------------


@kernel(leaf=True)
def cop_stop(state: State) -> None:
    """Whoever holds the officer's marker may stop him, asked once per move (G-9.12)."""
    officer = state.piece
    holder = state.holder[officer] if officer < 9 else NONE
    seen = state.stop_asked >> officer & 1
    if 0 <= holder < GANGS and holder != state.mover and not seen:
        state.stop_asked |= 1 << officer
        state.asked = officer
        ask(state, STOP, holder)
    else:
        state.step = S_COP_ARRIVE


@kernel(leaf=True)
def cop_arrive(state: State) -> None:
    """The swap or the arrival (G-9.13, G-9.17, G-9.18)."""
    if state.via:
        relieve(state)
        state.dest = state.node
        if state.steps > 0:
            ask(state, COP_DEST, state.mover)
            return
    place_cop(state)
    found = begin_raid(state)
    if found == 2:
        ask(state, RAID_OR_ARREST, state.mover)
    else:
        state.step = S_RAID if found else S_COP_OVER


@kernel(leaf=True)
def raid(state: State) -> None:
    """Ask for the doubling marker, or resolve the raid (G-14.2)."""
    officer = state.piece
    if state.kind == K_COP and officer < 9 and state.police and state.holder[officer] == POLICE:
        state.asked = officer
        ask(state, DOUBLE, POLICE)
        return
    resolve_raid(state)
    state.step = S_RAID_PAID


@kernel(leaf=True)
def raid_paid(state: State) -> None:
    """Ask for the sharing marker (G-14.3)."""
    if state.kind == K_COP and may_share(state, state.piece, state.sharer):
        state.asked = state.piece
        ask(state, SHARE, state.holder[state.piece])
    else:
        state.step = S_COP_OVER


# --- shootouts (G-12) -----------------------------------------------------------------------------


@kernel(leaf=True)
def next_shootout(state: State) -> None:
    """Go on to the next node where shots are due, or to the end of the turn (G-12.1)."""
    node = next_fight(state, state.fight)
    if node != NONE:
        begin_fight(state, node)
        state.step = S_ATTACK
        return
    state.fight = NONE
    if state.active == POLICE:
        publics_from_crime(state)
        salary(state)
        for gang in range(state.gangs):
            organised_crime(state, gang)
    state.step = S_END


@kernel(leaf=True)
def attack(state: State) -> None:
    """Step 1: every attacker names a side (G-12.2)."""
    node = state.fight
    while state.cursor < ATTACKERS:
        unit = attacker(state, state.cursor)
        if fires(state, node, unit):
            sides = attack_targets(state, node, unit)
            if sides & (sides - 1):
                state.asked = unit
                ask(state, TARGET, side_of(state, node, unit))
                return
            side = 0
            while not sides >> side & 1:
                side += 1
            state.target[unit] = side
        state.cursor += 1
    state.cursor = 0
    state.step = S_DOUBLE


@kernel(leaf=True)
def doubles(state: State) -> None:
    """Doubling markers, then the attackers' dice (G-12.5, G-12.6)."""
    while state.cursor < 9 and state.police:
        officer = state.cursor
        if state.target[U_COP + officer] != NONE and state.holder[officer] == POLICE:
            state.asked = officer
            ask(state, DOUBLE, POLICE)
            return
        state.cursor += 1
    for place in range(ATTACKERS):
        unit = attacker(state, place)
        if unit != NONE and state.target[unit] != NONE:
            roll(state, state.fight, unit)
    state.cursor = 0
    state.step = S_RETURN


@kernel(leaf=True)
def return_fire(state: State) -> None:
    """Step 2: sides fired upon choose whom to answer, then roll (G-12.7, G-12.8)."""
    node = state.fight
    while state.cursor < 3 * SIDES:
        seat = state.cursor // 3
        unit = returner(state, state.cursor)
        if unit != NONE and state.target[unit] == NONE:
            sides = return_targets(state, node, unit)
            if sides & (sides - 1):
                state.asked = unit
                ask(state, RETURN, seat)
                return
            if sides:
                side = 0
                while not sides >> side & 1:
                    side += 1
                state.returns[unit] = side
        state.cursor += 1
    for place in range(3 * SIDES):
        unit = returner(state, place)
        if unit != NONE and state.returns[unit] != NONE:
            roll(state, node, unit)
    state.cursor = -1
    state.hits_left = 0
    state.step = S_ALLOC


@kernel(leaf=True)
def returner(state: State, place: int) -> int:
    """Unit at a place in the order of return fire; NONE if it is not there."""
    seat = place // 3
    kind = place % 3
    unit = seat * 3 + kind
    if kind == 2:
        unit = U_JOINT
        if side_of(state, state.fight, unit) != seat:
            return NONE
    elif seat == POLICE:
        return NONE
    return unit if size_at(state, state.fight, unit) > 0 else NONE


@kernel(leaf=True)
def allocation(state: State) -> None:
    """Steps 3 and 4: the owners place the hits (G-12.9 to G-12.13)."""
    if next_hit(state):
        ask(state, ALLOC, state.cursor // SHOOTERS % SIDES)
    else:
        casualties(state)
        state.cursor = 0
        state.step = S_ARREST_PAID


@kernel(leaf=True)
def arrests_paid(state: State) -> None:
    """Payoffs of the arrests at the node; then the cops leave (G-12.17, G-12.18)."""
    while state.cursor < 11:
        unit = U_COP + state.cursor
        officer = state.cursor
        state.cursor += 1
        if state.target[unit] == NONE:
            continue
        state.events[E_ARRESTS] += 1
        if state.arrest[unit] == 0:
            continue
        if unit == U_COMMISSIONER:
            pay_police(state, state.arrest[unit], 0, NONE)
            continue
        sharer = state.cop_share[officer]
        pay_police(state, state.arrest[unit], state.twice[unit], sharer)
        if may_share(state, officer, sharer):
            state.asked = officer
            ask(state, SHARE, state.holder[officer])
            return
    for officer in range(10):
        if state.cop_at[officer] == state.fight:
            drop_cop(state, officer)
    state.step = S_SHOOTOUT


# --- Cop Turn (G-14) ------------------------------------------------------------------------------


@kernel(leaf=True)
def police_dice(state: State) -> None:
    """Green, white and blue; then Informants, or a new Commissioner (G-14.8, G-14.17)."""
    state.dice[0] = roll_die(state)
    state.dice[3] = roll_die(state)
    state.dice[4] = roll_die(state)
    if state.c_strength == 0:
        state.step = S_NEW_COMMISSIONER
    else:
        ask(state, INFORMANTS, POLICE)


@kernel(leaf=True)
def new_commissioner(state: State) -> None:
    """An eliminated Commissioner is replaced, whatever the police have (G-14.17)."""
    price = MEMBER_COST * state.dice[0]
    if state.cash[POLICE] < price and joints_of(state, POLICE) > 0:
        ask(state, SELL, POLICE)
        return
    state.cash[POLICE] -= min(state.cash[POLICE], price)
    ask(state, COMM_ENTRY, POLICE)


@kernel(leaf=True)
def police_pay(state: State) -> None:
    """Step g: the recruit is paid or lapses (G-14.10)."""
    price = MEMBER_COST * (state.c_strength + 1) * state.dice[0]
    if state.recruit_c and state.cash[POLICE] >= price and state.c_strength < COMMISSIONER_MAX:
        state.cash[POLICE] -= price
        state.c_strength += 1
    state.step = S_SHOOTOUT


@kernel(leaf=True)
def sell(state: State, building: int) -> None:
    """A forced sale for half of price x level (G-7.9, G-14.17)."""
    seat = state.owner[building]
    state.cash[seat] += half(PRICE[building] * state.level[building])
    take_building(state, building, NONE)


@kernel
def advance(state: State) -> None:
    """One step of the engine towards the next decision."""
    step = state.step
    if step <= S_PLACE:
        if step == S_PICK:
            setup_pick(state)
        elif step == S_SET:
            setup_strength(state)
        else:
            setup_place(state)
    elif step == S_NEXT:
        next_turn(state)
    elif step == S_BUY:
        ask(state, BUY, state.active)
    elif step == S_DICE:
        gang_dice(state)
    elif step == S_COP_STOP:
        cop_stop(state)
    elif step == S_COP_ARRIVE:
        cop_arrive(state)
    elif step == S_RAID:
        raid(state)
    elif step == S_RAID_PAID:
        raid_paid(state)
    elif step == S_COP_OVER:
        state.step = S_MOVE if state.active < GANGS else S_POLICE_MOVE
    elif step == S_MOVE:
        if state.no_racketeer:
            state.step = S_NO_RACKETEER
        else:
            ask(state, MOVE, state.active)
    elif step == S_NO_RACKETEER:
        no_racketeer(state)
    elif step == S_PAY:
        pay_recruits(state)
    elif step == S_PAYOFFS:
        payoffs(state)
    elif step == S_END:
        end_turn(state)
    elif step >= S_COP_DICE:
        advance_police(state)
    else:
        advance_shootout(state)


@kernel(leaf=True)
def advance_shootout(state: State) -> None:
    """Steps of a shootout."""
    step = state.step
    if step == S_SHOOTOUT:
        next_shootout(state)
    elif step == S_ATTACK:
        attack(state)
    elif step == S_DOUBLE:
        doubles(state)
    elif step == S_RETURN:
        return_fire(state)
    elif step == S_ALLOC:
        allocation(state)
    else:
        arrests_paid(state)


@kernel(leaf=True)
def advance_police(state: State) -> None:
    """Steps of a Cop Turn."""
    step = state.step
    if step == S_POLICE_BUY:
        ask(state, POLICE_BUY, POLICE)
    elif step == S_COP_DICE:
        police_dice(state)
    elif step == S_NEW_COMMISSIONER:
        new_commissioner(state)
    elif step == S_POLICE_MOVE:
        if state.moves > 0:
            ask(state, POLICE_MOVE, POLICE)
        else:
            state.step = S_POLICE_PUBLIC
    elif step == S_POLICE_PUBLIC:
        if state.early:
            state.step = S_POLICE_PAY
        else:
            ask(state, POLICE_PUBLIC, POLICE)
    else:
        police_pay(state)
