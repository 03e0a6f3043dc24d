"""Records: declared once, found by kernels, exact as dictionaries, hashed without their layout."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gangland.envs import load
from gangland.envs.core.compiling.interpreted import INTERPRETED
from gangland.envs.core.compiling.numba_private import _pointer_is_where_it_is_looked_for
from gangland.envs.core.errors import NotationError
from gangland.envs.core.record import BITS, FLAG, Field, Record
from gangland.envs.core.serial import Fields, RulesFields
from gangland.envs.core.state import blank, copy_states, record_dtype
from tests.games import GAMES, OURS

# --- what follows from the declaration, and what is refused ---------------------------------------

DECLARED = ("chicago", "crime_lords", "five_points", "gangsters")

SMALL = [
    Field("gold", "i2", (0, 999), (4,), per_seat=True),
    Field("leader", "i1", (-1, 3), seats=True),
    Field("hidden", "i1", FLAG),
    Field("seen", "i8", BITS, scratch=True),
]


def test_everything_follows_from_the_declaration() -> None:
    record = Record(4, SMALL, capped=(0, 2))
    assert record.dtype.names is not None
    assert record.dtype.names[-4:] == ("gold", "leader", "hidden", "seen")
    assert record.dtype["gold"] == np.dtype(("<i2", (4,)))
    assert record.bounds == {
        "capped": (0, 2), "gold": (0, 999), "leader": (-1, 3), "hidden": (0, 1),
        "seen": (-(2**63), 2**63 - 1),
    }  # fmt: skip
    assert (record.seat_arrays, record.seat_indices) == (("gold",), ("leader",))
    assert record.scratch == ("seen",)


@pytest.mark.parametrize(
    ("field", "words"),
    [
        (Field("gold", "i1", FLAG), "declared twice: gold"),
        (Field("silver", "i1", (0, 128)), "silver: 0..128 does not fit i1"),
        (Field("silver", "u1", (-1, 5)), "silver: -1..5 does not fit u1"),
        (Field("silver", "i1", (3, 2)), "silver: 3..2 does not fit i1"),
        (Field("phase", "i1", FLAG), "declared twice: phase"),
        (Field("silver", "i1", FLAG, per_seat=True), "silver: one per seat, and no shape"),
    ],
)
def test_a_declaration_that_cannot_be_is_refused_by_name(field: Field, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Record(4, [*SMALL, field])


@pytest.mark.parametrize("name", DECLARED)
def test_each_field_of_each_game_has_a_range(name: str) -> None:
    game = load(name)
    assert game.record is not None
    header = set(Record(game.max_seats, []).dtype.names or ())
    named = {field for field in game.record.dtype.names or () if not field.startswith("gap_")}
    assert named - header == set(game.bounds) - {"capped"}
    assert named <= set(game.dtype.names or ())


# --- Python's calls of kernels find the memory of a record, and only of a record ------------------

compiled = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")


@pytest.fixture(params=GAMES)
def game(request):
    return load(request.param)


def mask_of(game, state):
    mask = np.zeros(game.num_actions, np.bool_)
    game.compiled.legal_actions(state, mask)
    return mask.tolist()


def test_numpy_keeps_the_pointer_where_it_is_looked_for():
    assert _pointer_is_where_it_is_looked_for()


def test_records_of_an_array_are_played_in_place(game):
    states = np.repeat(game.template(), 3)
    for seed, state in enumerate(states):
        game.compiled.reset(state, np.uint64(seed))
    before = copy_states(states)
    game.apply(states[1], game.legal_actions(states[1])[0])
    changed = [now.tobytes() != then.tobytes() for now, then in zip(states, before, strict=True)]
    assert changed == [False, True, False]


@compiled
def test_what_is_no_record_but_has_its_memory_goes_the_long_way(game):
    state = game.new_state(5)
    plain = np.frombuffer(state.tobytes(), np.dtype([("bytes", "u1", len(state.tobytes()))]))[0]
    assert type(plain) is np.void
    assert mask_of(game, plain) == mask_of(game, state)


@compiled
@pytest.mark.parametrize("nonsense", [None, 7, "state", object()])
def test_anything_else_is_an_error_and_no_crash(game, nonsense):
    with pytest.raises((TypeError, AttributeError)):
        mask_of(game, nonsense)


# --- as dictionaries: exact both ways, and every bad value named ----------------------------------

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


# --- what replays record: the rules' own fields, however the record is laid out -------------------

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
