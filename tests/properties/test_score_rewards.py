"""The unit of ``reward="score"`` is what the documentation says, game by game."""

from __future__ import annotations

import pytest

from gangland.envs import load
from tests.games import GAMES, TOY

SCALES = {"chicago": 180, "crime_lords": 16, "five_points": 60, "gangsters": 12600, TOY: 36}

"""What ``docs/environments.md`` says; the conformance suite measures the unit of every game."""


@pytest.mark.parametrize("name", [name for name in GAMES if name in SCALES])
def test_the_unit_is_as_documented(name):
    assert load(name).score_scale == SCALES[name]
