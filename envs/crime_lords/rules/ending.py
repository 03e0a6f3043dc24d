"""The end of the game, leaving it, and the spoils of a Mob that is out (sections 17 and 20)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import NO_SEAT, State
from ..actions import CROOK_AT, PASS_ACTION, RACKET_AT, YES
from ..data import PASS_BONUS
from ..state import (
    AGREE,
    BY_RACKETS,
    CENTRE,
    COPIES,
    CROOKS,
    DECISION_CAP,
    DISCARD,
    DOMINATION,
    LAST_STANDING,
    NONE,
    OVER,
    RACKETS,
    ROUND_CAP,
    SPOILS,
    SPOILS_PAY,
    STEP_AGREE,
    STEP_NEXT,
    STEP_SPOILS,
    int64,
)
from .attack.outcome import win_racket
from .attack.stages import spend
from .mob.grid import ask, gain_money, move_racket, power, push, remove_crook


@kernel(leaf=True)
def standing(state: State, seat: int) -> int:
    """Rank of a seat among the living: count or cards, then Power, then money (CL-20.9)."""
    if not state.alive[seat]:
        return -1
    if state.end_mode == BY_RACKETS:
        cards = int64(state.count[seat])
    else:
        cards = int64(state.rackets[seat]) + state.crooks[seat]
    strength = int64(0)
    for c in range(CROOKS):
        if state.crook_loc[c] == seat:
            strength += power(state, c)
    return (cards * 1000 + strength) * 100_000_000 + state.treasury[seat]


@kernel(leaf=True)
def finish(state: State, winners: int) -> None:
    """End the game with this bit set of winners."""
    state.winners = winners
    state.over = 1
    state.phase = OVER
    state.seat = NO_SEAT
    state.stack[:] = 0
    state.stack_size = 0


@kernel(leaf=True)
def pay_out(state: State) -> None:
    """Scores, places and rewards of a finished game (CL-20.11).

    ``places``: 1 for the winners, then by :func:`standing`, the eliminated last. ``rewards``:
    share - (1 - share) / (n - 1), so that an eliminated seat's payoff is final when it goes out;
    the cap on decisions ranks but pays nobody (CL-20.10).
    """
    n = state.num_seats
    winners = state.winners
    number = 0
    for seat in range(n):
        number += winners >> seat & 1
    for seat in range(n):
        state.scores[seat] = state.count[seat]
        if winners >> seat & 1:
            state.places[seat] = 1
        else:
            state.places[seat] = 1 + number
            mine = standing(state, seat)
            for other in range(n):
                if winners >> other & 1 == 0 and standing(state, other) > mine:
                    state.places[seat] += 1
        share = 1.0 / number if winners >> seat & 1 else 0.0
        if state.capped != DECISION_CAP:
            state.rewards[seat] = share - (1.0 - share) / (n - 1)


@kernel(leaf=True)
def finish_by_rank(state: State, why: int) -> None:
    """End the game at a cap: all who tie for the first place share the win (CL-20.9, CL-20.10)."""
    winners, best = 0, int64(-1)
    for seat in range(state.num_seats):
        mine = standing(state, seat)
        if mine > best:
            winners, best = 0, mine
        if mine == best:
            winners |= 1 << seat
    state.capped = why
    finish(state, winners)


@kernel(leaf=True)
def leave(state: State, seat: int) -> None:
    """Cards of a Mob that leaves the game (CL-17.5, CL-17.7)."""
    state.alive[seat] = 0
    for c in range(CROOKS):
        if state.crook_loc[c] == seat:
            remove_crook(state, c, CENTRE)
    for r in range(RACKETS):
        if state.racket_loc[r] == seat:
            move_racket(state, r, CENTRE)
    for s in range(COPIES):
        if state.special_loc[s] == seat:
            state.special_loc[s] = DISCARD
            state.shown[s] = 0
    state.boss[seat] = NONE
    state.hidden[seat] = 0
    state.treasury[seat] = 0
    state.ledger[seat] = 0
    state.funds[seat] = 0
    state.leaving[seat] = 0
    state.dirty |= 1 << seat
    if state.heat == seat:
        state.heat = NONE


@kernel(leaf=True)
def drop_leavers(state: State) -> None:
    """Players who asked to leave are out now; one player left wins (CL-17.6 to CL-17.8)."""
    for seat in range(state.num_seats):
        if state.leaving[seat]:
            leave(state, seat)
    finish_if_alone(state)


@kernel(leaf=True)
def finish_if_alone(state: State) -> None:
    """One player left wins at once (CL-17.6)."""
    living, last = 0, NONE
    for seat in range(state.num_seats):
        if state.alive[seat]:
            living += 1
            last = seat
    if living == 1:
        finish(state, 1 << last)


@kernel(leaf=True)
def end_turn(state: State) -> None:
    """T8: count, agreement of those one short, stalemate cap (CL-20.5, 20.6, 20.8, 20.9)."""
    winners, short, living_short, all_cards = 0, 0, 0, 0
    for seat in range(state.num_seats):
        if not state.alive[seat]:
            continue
        all_cards += state.crooks[seat] + state.rackets[seat]
        if state.count[seat] >= state.required:
            winners |= 1 << seat
        elif state.count[seat] == state.required - 1:
            short |= 1 << seat
            living_short += 1
    if state.end_mode == DOMINATION:
        winners = 0
        for seat in range(state.num_seats):
            if state.alive[seat] and 2 * (state.crooks[seat] + state.rackets[seat]) > all_cards:
                winners |= 1 << seat
    elif state.end_mode == LAST_STANDING:
        winners = 0
    if winners:
        finish(state, winners)
        return
    push(state, STEP_NEXT)
    if state.end_mode == BY_RACKETS and state.agreement and short != state.refused:
        state.refused = 0
        if living_short >= 2:
            state.agreeing = short
            state.agree_at = 0
            push(state, STEP_AGREE)


@kernel(leaf=True)
def ask_agreement(state: State) -> None:
    """Ask the next player who is one short; if all agreed, they win together (CL-20.6)."""
    while state.agree_at < state.num_seats:
        seat = (state.active + state.agree_at) % state.num_seats
        state.agree_at += 1
        if state.agreeing >> seat & 1:
            ask(state, AGREE, seat)
            return
    finish(state, state.agreeing)


@kernel(leaf=True)
def legal_agreement(state: State, mask: NDArray[np.bool_]) -> None:
    """Agree to win together, or not (CL-20.6)."""
    mask[PASS_ACTION] = True
    mask[YES] = True


@kernel(leaf=True)
def decide_agreement(state: State, action: int) -> None:
    """One refusal ends it; else the next Mob is asked (CL-20.6)."""
    if action == PASS_ACTION:
        state.refused = state.agreeing
    else:
        push(state, STEP_AGREE)


@kernel(leaf=True)
def next_turn(state: State) -> bool:
    """The next living seat becomes active, or the stalemate cap ends the game (CL-20.9)."""
    if state.turn >= state.max_rounds * state.num_seats:
        finish_by_rank(state, ROUND_CAP)
        return False
    state.turn += 1
    for k in range(1, state.num_seats):
        seat = (state.active + k) % state.num_seats
        if state.alive[seat]:
            state.active = seat
            return True
    return False


@kernel(leaf=True)
def end_actions(state: State) -> None:
    """Ten G for a turn without any action (CL-4.6)."""
    if not state.acted:
        gain_money(state, state.active, PASS_BONUS)


@kernel(leaf=True)
def ask_spoils(state: State) -> None:
    """Ask for the next Racket of the spoils (CL-17.4)."""
    for r in range(RACKETS):
        if state.racket_loc[r] == state.spoils_of:
            ask(state, SPOILS, state.spoils_by)
            return


@kernel(leaf=True)
def legal_spoils(state: State, mask: NDArray[np.bool_]) -> None:
    """A Racket of the Mob that is out, or a token to pay with (CL-17.3)."""
    seat = state.seat
    if state.phase == SPOILS:
        for r in range(RACKETS):
            mask[RACKET_AT + r] = state.racket_loc[r] == state.spoils_of
        return
    mask[PASS_ACTION] = True
    for r in range(RACKETS):
        mask[RACKET_AT + r] = state.racket_loc[r] == seat and state.racket_token[r] != 0
    for c in range(CROOKS):
        mask[CROOK_AT + c] = state.crook_loc[c] == seat and state.token[c] != 0


@kernel(leaf=True)
def decide_spoils(state: State, phase: int, action: int) -> None:
    """Take a Racket, then pay a token for the next one or stop (CL-17.4)."""
    if phase == SPOILS:
        win_racket(state, action - RACKET_AT, state.spoils_by)
        for r in range(RACKETS):
            if state.racket_loc[r] == state.spoils_of:
                ask(state, SPOILS_PAY, state.spoils_by)
                return
    elif action != PASS_ACTION:
        spend(state, action - CROOK_AT, 0)  # Rackets follow the Crooks in both numberings
        push(state, STEP_SPOILS)


@kernel(leaf=True)
def ruin(state: State) -> None:
    """What is left of a wiped-out Mob; one player left wins at once (CL-17.5, CL-17.6)."""
    leave(state, state.spoils_of)
    finish_if_alone(state)
