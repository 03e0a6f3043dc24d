"""Declared observations: places, names, bounds, words, use in kernels, and numbers as bytes."""

from __future__ import annotations

import json
from typing import Annotated, NamedTuple

import numpy as np
import pytest

from gangland.envs import load, make_vec
from gangland.envs.core.codes import ObservationCodes, whole_from
from gangland.envs.core.kernel import kernel
from gangland.envs.core.layout import Block, Field, Layout, offsets, row_size
from tests.games import OURS

ROOMS = 3


class Seat(NamedTuple):
    present: Annotated[int, Field("1 for a seat at the table")]
    cash: Annotated[int, Field("cash in tens", low=-2, high=2)]
    colours: Annotated[int, Field("share of each colour", each=("red", "blue"))]
    last: Annotated[int, Field("whether it was the last")]


class Room(NamedTuple):
    lit: Annotated[int, Field("whether it is lit")]
    guests: Annotated[int, Field("guests of each seat", width=2, high=3)]


class Clock(NamedTuple):
    hour: Annotated[int, Field("hour of the day")]
    minute: Annotated[int, Field("minute of the hour")]


class Blocks(NamedTuple):
    phase: Annotated[int, Field("phase of the game", each=("BUY", "SELL", "END"))]
    seats: Annotated[int, Block(Seat, "seats in turn order", rows=2)]
    clock: Annotated[int, Block(Clock, "the time of day")]
    rooms: Annotated[int, Block(Room, "the rooms", rows=ROOMS, planes=True)]
    doors: Annotated[int, Block(Clock, "when they open", each=("front", "back"))]


LAYOUT = Layout(Blocks)
AT = LAYOUT.at
SEAT = offsets(Seat)
SEAT_SIZE = row_size(Seat)
ROOM = offsets(Room, start=AT.rooms, step=ROOMS)


def test_blocks_follow_one_another():
    assert Blocks(phase=0, seats=3, clock=13, rooms=15, doors=24) == AT
    assert LAYOUT.size == 28
    assert [block.name for block in LAYOUT] == ["phase", "seats", "clock", "rooms", "doors"]
    assert LAYOUT["seats"].slice == slice(3, 13)
    shapes = [block.shape for block in LAYOUT]
    assert shapes == [(3,), (2, 5), (2,), (3, ROOMS), (2, 2)]


def test_fields_have_offsets_in_their_row():
    assert Seat(present=0, cash=1, colours=2, last=4) == SEAT
    assert SEAT_SIZE == 5
    assert Room(lit=15, guests=18) == ROOM


def test_numbers_are_found_by_name():
    vector = np.arange(28, dtype=np.float32)
    assert LAYOUT["seats"].of(vector).tolist() == [[3, 4, 5, 6, 7], [8, 9, 10, 11, 12]]
    assert LAYOUT["seats"]["cash"].of(vector).tolist() == [[4], [9]]
    assert LAYOUT["seats"]["colours"].of(vector).tolist() == [[5, 6], [10, 11]]
    assert LAYOUT["clock"]["minute"].of(vector).tolist() == [14]
    assert LAYOUT["rooms"]["guests"].of(vector).tolist() == [[18, 19, 20], [21, 22, 23]]
    batch = np.stack([vector, vector + 100])
    assert LAYOUT["rooms"].of(batch).shape == (2, 3, ROOMS)
    assert LAYOUT["doors"]["hour"].of(batch).tolist() == [[[24], [26]], [[124], [126]]]
    assert np.shares_memory(LAYOUT["seats"].of(batch), batch)


def test_every_number_has_a_name():
    names = LAYOUT.names
    assert len(set(names)) == LAYOUT.size
    assert names[1] == "phase[SELL]"
    assert names[10] == "seats[1].colours[red]"
    assert names[14] == "clock.minute"
    assert names[19] == "rooms[1].guests[0]"
    assert names[27] == "doors[back].minute"


def test_bounds_are_those_of_the_fields():
    assert LAYOUT.low[[0, 4, 9]].tolist() == [0, -2, -2]
    assert LAYOUT.high[[0, 4, 15, 18, 23]].tolist() == [1, 2, 1, 3, 3]
    vector = np.zeros(28, np.float32)
    assert LAYOUT.outside(vector) == []
    vector[[9, 23]] = -2.5, 3
    vector[24] = np.nan
    assert LAYOUT.outside(vector) == [
        "seats[1].cash is -2.5: must be -2 to 2",
        "doors[front].hour is nan: must be 0 to 1",
    ]


@kernel
def fill(out):
    out[AT.phase + 1] = 1.0
    for k in range(2):
        at = AT.seats + k * SEAT_SIZE
        out[at + SEAT.cash] = k
        out[at + SEAT.colours + k] = 0.5
    for room in range(ROOMS):
        out[ROOM.guests + room] = room


def test_kernels_write_by_name():
    out = np.zeros(LAYOUT.size, np.float32)
    fill(out)
    written = {LAYOUT.names[k]: float(out[k]) for k in np.flatnonzero(out)}
    assert written == {
        "phase[SELL]": 1,
        "seats[1].cash": 1,
        "seats[0].colours[red]": 0.5,
        "seats[1].colours[blue]": 0.5,
        "rooms[1].guests[0]": 1,
        "rooms[2].guests[0]": 2,
    }


def test_it_is_described_in_words_and_in_json():
    page = LAYOUT.describe()
    assert "float32 of shape `(28,)`" in page
    assert "| phase | 0 | 3 | 0 to 1 | phase of the game |" in page
    assert "## phase\n\nBUY, SELL, END." in page
    assert "| seats | 3 | 2 × 5 |  | seats in turn order |" in page
    assert "## rooms\n\nOne plane of 3 numbers for each of these:" in page
    assert "| cash | 1 | 1 | -2 to 2 | cash in tens |" in page
    assert "| colours | 2 | 2 | 0 to 1 | share of each colour: red, blue |" in page
    assert "Rows: front, back." in page
    seats = json.loads(json.dumps(LAYOUT.to_dict()))["blocks"][1]
    assert (seats["name"], seats["start"], seats["shape"]) == ("seats", 3, [2, 5])
    assert seats["fields"][1]["low"] == -2


class Unnamed(NamedTuple):
    number: int


class Nested(NamedTuple):
    inner: Annotated[int, Block(Seat, "seats", rows=2)]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Layout(Unnamed), r"Unnamed\.number: must be Annotated"),
        (lambda: offsets(Nested), r"Nested\.inner: a row has fields only"),
    ],
)
def test_what_is_not_declared_is_refused(make, message):
    with pytest.raises(TypeError, match=message):
        make()


@pytest.mark.parametrize("wrong", [{"width": 0}, {"low": 1.0}, {"low": 2.0}])
def test_impossible_fields_are_refused(wrong):
    with pytest.raises(ValueError, match="must have a width above 0, and low below high"):
        Field("numbers", **wrong)


# --- in bytes: exact both ways, small, refused by name where they cannot be coded -----------------


class Trader(NamedTuple):
    present: Annotated[int, Field("1 for a seat at the table")]
    strength: Annotated[int, Field("strength in ninths", high=255 / 9, unit=1 / 9)]
    lead: Annotated[int, Field("lead in tenths", low=-2.0, high=2.0, unit=1 / 10)]
    cash: Annotated[int, Field("cash, a share of all", unit=None)]
    turns: Annotated[int, Field("turns, too many for a byte", high=256.0)]


class Barter(NamedTuple):
    phase: Annotated[int, Field("phase of the game", each=("BUY", "SELL", "END"))]
    seats: Annotated[int, Block(Trader, "seats in turn order", rows=2)]


BARTER = Layout(Barter)
CODES = ObservationCodes("barter", BARTER)


def observations(count=500, seed=4):
    rng = np.random.default_rng(seed)
    seen = np.zeros((count, BARTER.size), np.float32)
    seen[np.arange(count), rng.integers(0, 3, count)] = 1.0
    seats = BARTER["seats"]
    shape = (count, 2, 1)
    seen[:, seats["present"].indices] = rng.integers(0, 2, shape)
    seen[:, seats["strength"].indices] = rng.integers(0, 256, shape) * np.float32(1 / 9)
    seen[:, seats["lead"].indices] = rng.integers(-20, 21, shape) * np.float32(0.1)
    seen[:, seats["cash"].indices] = rng.normal(size=shape)
    seen[:, seats["turns"].indices] = rng.integers(0, 257, shape)
    return seen


def test_every_number_comes_back_to_the_bit():
    seen = observations()
    coded = CODES.encode(seen)
    assert coded.dtype == np.uint8
    assert CODES.decode(coded).tobytes() == seen.tobytes()
    assert CODES.encode(CODES.decode(coded)).tobytes() == coded.tobytes()
    assert CODES.decode(CODES.encode(seen[:0])).shape == (0, BARTER.size)


def test_a_byte_a_number_and_four_more_for_those_kept_in_full():
    assert [BARTER.names[k] for k in CODES.whole] == [
        "seats[0].cash", "seats[0].turns", "seats[1].cash", "seats[1].turns",
    ]  # fmt: skip
    assert whole_from(13) == whole_from(16) == 16
    assert CODES.size == 16 + 4 * 4
    coded = CODES.encode(observations())
    lead = BARTER["seats"]["lead"].indices
    assert coded[:, lead].min() == 0  # the least value, -2, has the code 0
    assert (coded[:, CODES.whole] == 0).all()


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("phase[SELL]", 0.5, "a multiple of 1 from 0 to 1"),
        ("seats[1].strength", 256 / 9, r"a multiple of 0\.111111 from 0 to 28\.3333"),
        ("seats[0].lead", -2.1, r"a multiple of 0\.1 from -2 to 2"),
        ("seats[0].present", np.nan, "a multiple of 1 from 0 to 1"),
    ],
)
def test_what_has_no_code_is_refused_by_name(name, value, allowed):
    seen = observations(3)
    seen[2, BARTER.names.index(name)] = value
    before = seen.copy()
    place = name.replace("[", r"\[").replace("]", r"\]")
    with pytest.raises(ValueError, match=rf"barter: {place} is .*: as uint8 it must be {allowed}"):
        CODES.encode(seen)
    np.testing.assert_array_equal(seen, before)


@pytest.mark.parametrize("unit", [0.0, -1.0])
def test_a_unit_is_above_zero(unit):
    with pytest.raises(ValueError, match="must have a unit above 0, or None"):
        Field("numbers", unit=unit)


@pytest.mark.parametrize("wrong", ["float16", "int8", "", None])
def test_other_names_are_refused(wrong):
    with pytest.raises(ValueError, match="must be 'float32' or 'uint8'"):
        make_vec("highcard", 1, observation_dtype=wrong)


def play(tables, steps):
    for _ in range(steps):
        tables.step(tables.action_masks.argmax(1))


@pytest.mark.parametrize("name", OURS)
def test_our_games_take_half_the_memory_or_less(name):
    codes = load(name).observation_codes
    assert codes.size <= 0.53 * 4 * codes.length


def test_tables_name_a_number_that_the_layout_does_not_allow(monkeypatch):
    game = load("kuhn")
    coded = make_vec("kuhn", 2, observation_dtype="uint8")
    coded.reset()
    tight = ObservationCodes("kuhn", game.observation_layout)
    tight._scales[:2, 0] = 0.5, 2.0  # as if the first number were even
    monkeypatch.setitem(game.__dict__, "observation_codes", tight)
    with pytest.raises(ValueError, match=r"kuhn: own\[.*\] is 1"):
        play(coded, 20)
