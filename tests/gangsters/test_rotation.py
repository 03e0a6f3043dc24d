"""The table with every gang one or more places further on: each sees what it saw (G-21.1)."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.gangsters.data.tables import GANG_NAMES
from gangland.envs.gangsters.observation.layout import AT, LAYOUT
from gangland.envs.gangsters.state import GANGS, POLICE

from ..games import random_positions
from .scenes import GAME


def turned_name(text, shift):
    """A notation with the gangs' names moved on."""
    for place, name in enumerate(GANG_NAMES):
        if f" {name}" in text:
            return text.replace(name, GANG_NAMES[(place + shift) % GANGS])
    return text


@pytest.mark.rule("G-21.1", "G-23.1")
@pytest.mark.parametrize("seed", [3, 4])
def test_gangs_change_places_beside_the_police(seed):
    asked = set()
    for _, _, _, after in random_positions(GAME, seed, every=3):
        for shift in range(1, GANGS):
            turned = GAME.rotate(after, shift)
            for gang in range(GANGS):
                before = GAME.observe(after, gang)
                now = GAME.observe(turned, (gang + shift) % GANGS)
                assert (before[: AT.rivals] == now[: AT.rivals]).all()
                # The last block counts the police: the rows are those of other seats.
                rows = LAYOUT["rivals"].of(before)
                others = [(gang + r) % 5 for r in range(1, 5)]
                moved = [POLICE if s == POLICE else (s + shift) % GANGS for s in others]
                there = [(s - (gang + shift) % GANGS) % 5 - 1 for s in moved]
                assert (rows == LAYOUT["rivals"].of(now)[there]).all()
            if after.over:
                continue
            texts = {GAME.action_text(after, a) for a in GAME.legal_actions(after)}
            again = {GAME.action_text(turned, a) for a in GAME.legal_actions(turned)}
            assert again == {turned_name(text, shift) for text in texts}
            asked.add(int(after.phase))
    assert len(asked) > 15


def test_what_a_seat_knows_of_the_bribe_cup():
    """A marker that was played after the last purchase lies in the cup (G-18.7)."""

    state = GAME.new_state(3)
    state.revealed = 1
    state.slot_seat[0], state.slot_time[0], state.slot_of[4], state.holder[4] = 1, 7, 0, 1
    state.returned[2] = 9
    state.returned[3] = 5
    known = LAYOUT["markers"]["in_cup"].of(GAME.observe(state, 0))
    assert np.flatnonzero(known).tolist() == [2]
    own = GAME.observe(state, 1)
    assert np.flatnonzero(LAYOUT["markers"]["own"].of(own)).tolist() == [4]
    assert np.flatnonzero(LAYOUT["markers"]["in_cup"].of(own)).tolist() == [
        0, 1, 2, 3, 5, 6, 7, 8,
    ]  # fmt: skip
