"""What replays record: the rules' own fields, however the record is laid out."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs import load
from gangland.envs.core.serial.rules_fields import RulesFields
from gangland.envs.core.state import blank, record_dtype
from tests.games import OURS

PLAIN = record_dtype(2, [("cash", "i2", (2,)), ("hand", "i1", (2, 3)), ("events", "i4")])
MOVED = record_dtype(
    2,
    [("stack", "i1", (7,)), ("hand", "i8", (2, 3)), ("count", "i1"), ("cash", "i4", (2,))],
)


def filled(dtype):
    state = blank(dtype)[0]
    state.rng = np.uint64(2**64 - 5)
    state.rewards = [1.0, -1.0]
    state.cash = [-300, 7]
    state.hand = [[1, 2, 3], [-4, 5, 6]]
    return state


def test_the_layout_and_other_fields_do_not_matter():
    first = RulesFields(PLAIN, ["events"])
    second = RulesFields(MOVED, ["stack", "count"])
    state = filled(MOVED)
    state.stack[:] = 3
    assert first.names == second.names
    assert first.write(filled(PLAIN)) == second.write(state)


def test_numbers_are_written_in_eight_bytes_in_the_order_of_names():
    fields = RulesFields(PLAIN, [name for name in PLAIN.names if name not in ("rng", "cash")])
    numbers = [-300, 7, -5]  # rng as signed
    assert fields.write(filled(PLAIN)) == np.array(numbers, "<i8").tobytes()
    fields = RulesFields(PLAIN, [name for name in PLAIN.names if name != "rewards"])
    assert fields.write(filled(PLAIN)) == np.array([1.0, -1.0], "<f8").tobytes()


def test_scratch_has_to_name_fields():
    with pytest.raises(ValueError, match="no field of the record: evnts"):
        RulesFields(PLAIN, ["evnts"])


@pytest.mark.parametrize("name", OURS)
def test_every_number_of_the_rules_counts_and_no_other(name):
    game = load(name)
    state = game.new_state(3)
    before = game.rules_bytes(state)
    for field in game.dtype.names:
        for index in np.ndindex(game.dtype[field].shape):
            changed = game.clone(state)
            if index:
                changed[field][index] += 1
            else:
                changed[field] += 1
            assert (game.rules_bytes(changed) == before) == (field in game.scratch), field
