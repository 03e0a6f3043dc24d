"""A record that is declared once: what follows from the declaration, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs import load
from gangland.envs.core.record import BITS, FLAG, Field, Record

GAMES = ("chicago", "crime_lords", "five_points", "gangsters")

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


@pytest.mark.parametrize("name", GAMES)
def test_each_field_of_each_game_has_a_range(name: str) -> None:
    game = load(name)
    assert game.record is not None
    header = set(Record(game.max_seats, []).dtype.names or ())
    named = {field for field in game.record.dtype.names or () if not field.startswith("gap_")}
    assert named - header == set(game.bounds) - {"capped"}
    assert named <= set(game.dtype.names or ())
