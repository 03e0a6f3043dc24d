"""Observations in bytes: exact both ways, small, and refused by name where they cannot be coded."""

from typing import Annotated, NamedTuple

import numpy as np
import pytest

from gangland.envs import load, make_vec
from gangland.envs.core.codes import ObservationCodes, whole_from
from gangland.envs.core.layout import Block, Field, Layout
from tests.games import OURS


class Seat(NamedTuple):
    present: Annotated[int, Field("1 for a seat at the table")]
    strength: Annotated[int, Field("strength in ninths", high=255 / 9, unit=1 / 9)]
    lead: Annotated[int, Field("lead in tenths", low=-2.0, high=2.0, unit=1 / 10)]
    cash: Annotated[int, Field("cash, a share of all", unit=None)]
    turns: Annotated[int, Field("turns, too many for a byte", high=256.0)]


class Blocks(NamedTuple):
    phase: Annotated[int, Field("phase of the game", each=("BUY", "SELL", "END"))]
    seats: Annotated[int, Block(Seat, "seats in turn order", rows=2)]


LAYOUT = Layout(Blocks)
CODES = ObservationCodes("barter", LAYOUT)


def observations(count=500, seed=4):
    rng = np.random.default_rng(seed)
    seen = np.zeros((count, LAYOUT.size), np.float32)
    seen[np.arange(count), rng.integers(0, 3, count)] = 1.0
    seats = LAYOUT["seats"]
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
    assert CODES.decode(CODES.encode(seen[:0])).shape == (0, LAYOUT.size)


def test_a_byte_a_number_and_four_more_for_those_kept_in_full():
    assert [LAYOUT.names[k] for k in CODES.whole] == [
        "seats[0].cash", "seats[0].turns", "seats[1].cash", "seats[1].turns",
    ]  # fmt: skip
    assert whole_from(13) == whole_from(16) == 16
    assert CODES.size == 16 + 4 * 4
    coded = CODES.encode(observations())
    lead = LAYOUT["seats"]["lead"].indices
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
    seen[2, LAYOUT.names.index(name)] = value
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
