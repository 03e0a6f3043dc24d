"""Progress, victory and the end of the game (G-15)."""

from __future__ import annotations

from ...core.kernel import kernel
from ...core.state import State, settle
from ..data import CASH_TO_WIN, COLOUR, COLOUR_COUNT, GRAY, HQ_TO_WIN, JOINTS, JOINTS_TO_WIN
from ..state import NO_WINNER, NONE, POLICE, WIN_CASH, WIN_COLOUR, WIN_HQ, WIN_JOINTS
from .common import joints_of, of_colour


@kernel(leaf=True)
def progress(state: State, seat: int) -> int:
    """How near a seat is to victory, in 12600ths, the common multiple of the parts (G-15.7)."""
    best = state.cash[seat] * 12600 // CASH_TO_WIN
    if seat == POLICE:
        best = max(best, joints_of(state, POLICE) * 12600 // HQ_TO_WIN)
    else:
        best = max(best, joints_of(state, seat) * 12600 // JOINTS_TO_WIN)
        for colour in range(GRAY):
            best = max(best, of_colour(state, seat, colour) * 12600 // COLOUR_COUNT[colour])
    return min(best, 12600)


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
def has_loyal_officer(state: State) -> bool:
    """Whether the Police Player holds the marker of an officer on the board (G-15.4)."""
    for officer in range(9):
        if state.cop_at[officer] != NONE and state.holder[officer] == POLICE:
            return True
    return False


@kernel(leaf=True)
def win_kind(state: State) -> int:
    """By what the active seat has won, 0 if it has not (G-1.3, G-15.2 to G-15.4)."""
    seat = state.active
    if seat == POLICE:
        if not has_loyal_officer(state) or state.c_at == NONE:
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
