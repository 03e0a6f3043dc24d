"""A potential for the toy game, as a configuration would name it."""

from __future__ import annotations

from gangland.envs.core.kernel import kernel


@kernel
def own_card(state, seat):
    return state.cards[seat] / 10.0
