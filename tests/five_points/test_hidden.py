"""What is blanked, and that the mask is filled in full (sections 4 and 13)."""

from __future__ import annotations

import numpy as np
import pytest

from .scenes import GAME, at_turn, legal, phase


@pytest.mark.rule("FP-13.1", "FP-13.2")
def test_buildings_are_blanked_until_they_are_revealed():
    unseen = GAME.new_state(3, players=4)
    assert phase(unseen) == "SETUP"
    assert (unseen.building >= 0).all()
    assert GAME.redact(unseen, 2).building.tolist() == [-1, -1]
    assert unseen.rng != 0
    assert GAME.redact(unseen, 2).rng == 0
    seen = at_turn(buildings="ZC@3,SW@16")
    assert GAME.redact(seen, 2).building.tolist() == seen.building.tolist()


@pytest.mark.rule("FP-4.2")
def test_every_entry_of_the_mask_is_written():
    state = at_turn()
    mask = np.ones(GAME.num_actions, np.bool_)
    GAME.compiled.legal_actions(state, mask)
    assert [GAME.action_text(state, a) for a in np.flatnonzero(mask)] == legal(state)
    assert mask.sum() < GAME.num_actions
