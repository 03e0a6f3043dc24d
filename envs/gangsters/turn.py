"""Gang turns and Cop Turns as a machine of steps, between decisions (G-4, G-5 to G-7, G-14)."""

from __future__ import annotations

from ..core.kernel import kernel
from ..core.rng import roll_die
from ..core.state import State, settle
from .common import (
    ask,
    crime_level,
    draw,
    drop_cop,
    extortable,
    half,
    joints_of,
    officers_out,
    progress,
    public_value,
    take_building,
)
from .data import (
    CASH_TO_WIN,
    COLOUR,
    GRAY,
    HQ_TO_WIN,
    JOINTS,
    JOINTS_TO_WIN,
    MEMBER_COST,
    PRICE,
    STREETS,
    STRENGTH_MAX,
    SUBWAYS,
)
from .fight import advance_shootout
from .legal import recruit_price
from .patrol import advance_police, cop_arrive, cop_stop, raid, raid_paid
from .payoffs import payoffs, publics_from_crime
from .setup import setup_pick, setup_place, setup_strength
from .state import (
    BUY,
    COP_ACTIVE,
    COP_GANG,
    E_LEVEL,
    E_OFFICERS,
    E_PUBLICS,
    E_TURNS,
    GANGS,
    MOVE,
    NO_WINNER,
    NONE,
    POLICE,
    RECRUIT_PLACE,
    S_BUY,
    S_COP_ARRIVE,
    S_COP_DICE,
    S_COP_OVER,
    S_COP_STOP,
    S_DICE,
    S_END,
    S_MOVE,
    S_NEXT,
    S_NO_RACKETEER,
    S_PAY,
    S_PAYOFFS,
    S_PICK,
    S_PLACE,
    S_POLICE_BUY,
    S_POLICE_MOVE,
    S_RAID,
    S_RAID_PAID,
    S_SET,
    SELL,
    WIN_CASH,
    WIN_COLOUR,
    WIN_HQ,
    WIN_JOINTS,
    R,
)  # fmt: skip


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
    state.capped = NO_WINNER
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
