"""Records as dictionaries: exact both ways, and every bad value named."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gangland.envs.core.errors import NotationError
from gangland.envs.core.serial.fields import Fields
from gangland.envs.core.state import blank

DTYPE = np.dtype(
    [
        ("rng", np.uint64),
        ("small", np.int8),
        ("wide", np.uint64),
        ("row", np.int16, (3,)),
        ("one", np.uint8, (1,)),
        ("grid", np.int32, (2, 2)),
        ("open", np.bool_),
        ("marks", np.bool_, (2,)),
        ("rate", np.float64),
    ],
    align=True,
)
GOOD = {
    "rng": "0x00000000000000ff",
    "small": -128,
    "wide": 7,
    "row": [1, -2, 3],
    "one": [255],
    "grid": [[1, 2], [3, -4]],
    "open": True,
    "marks": [False, True],
    "rate": 0.25,
}


def test_both_ways():
    fields = Fields(DTYPE)
    state = fields.from_dict(GOOD)
    assert state["small"] == -128
    assert state["grid"].tolist() == [[1, 2], [3, -4]]
    assert state["rng"] == 255
    assert fields.to_dict(state) == GOOD
    assert json.loads(json.dumps(fields.to_dict(state))) == GOOD
    assert type(fields.to_dict(state)["open"]) is bool


@given(st.data())
def test_every_record_comes_back(data):
    raw = data.draw(st.binary(min_size=DTYPE.itemsize, max_size=DTYPE.itemsize))
    state = blank(DTYPE)
    for name in DTYPE.names:
        base, shape = DTYPE.fields[name][0].base, DTYPE.fields[name][0].shape
        size = int(np.prod(shape)) * base.itemsize
        part = np.frombuffer(raw[:size].ljust(size, b"\1"), base if base.kind != "b" else np.int8)
        value = part.reshape(shape) if base.kind != "b" else part.reshape(shape) % 2 == 1
        state[name][0] = np.nan_to_num(value) if base.kind == "f" else value
    fields = Fields(DTYPE)
    again = fields.from_dict(json.loads(json.dumps(fields.to_dict(state[0]))))
    assert again.tobytes() == state.tobytes()


def test_the_largest_whole_number():
    state = Fields(DTYPE).from_dict({**GOOD, "wide": 2**64 - 1})
    assert int(state["wide"]) == 2**64 - 1
    assert Fields(DTYPE).to_dict(state)["wide"] == 2**64 - 1


@pytest.mark.parametrize(
    "bad",
    [
        {"small": 128},
        {"small": 1.5},
        {"small": "1"},
        {"small": None},
        {"small": [1]},
        {"small": 10**30},
        {"wide": -1},
        {"row": [1, 2]},
        {"row": 1},
        {"row": "123"},
        {"row": [1, 2, [3]]},
        {"row": [1, 2, 40_000]},
        {"row": {"1": 1, "2": 2, "3": 3}},
        {"one": 5},
        {"grid": [1, 2, 3, 4]},
        {"grid": [[1, 2], [3]]},
        {"open": 2},
        {"rate": "fast"},
        {"rng": 255},
        {"rng": "0xzz"},
    ],
    ids=str,
)
def test_bad_values_are_named(bad):
    (name,) = bad
    with pytest.raises(NotationError, match=name):
        Fields(DTYPE).from_dict({**GOOD, **bad})


def test_missing_and_unknown_fields_are_named():
    with pytest.raises(NotationError, match=r"missing \['row'\], unknown \['column'\]"):
        Fields(DTYPE).from_dict({("column" if k == "row" else k): v for k, v in GOOD.items()})
