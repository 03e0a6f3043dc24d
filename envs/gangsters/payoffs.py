"""What a turn pays: extortion, organised crime, salary (G-10.4, G-11, G-14.4)."""

from __future__ import annotations

from ..core.kernel import kernel
from ..core.state import State
from .common import (
    crime_level,
    drop_public,
    public_value,
)
from .data import (
    EXTORTION_PIP,
    JOINTS,
    PRICE,
    SALARY_BELOW,
    SALARY_STEP,
    STREETS,
)
from .state import (
    E_EXTORTION,
    E_ORGANISED,
    E_SALARY,
    GANGS,
    NONE,
    POLICE,
    S_SHOOTOUT,
)  # fmt: skip


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
