from __future__ import annotations

from typing import Any

import pytest

from gangland.envs.registry import ENTRIES, Entry
from gangland.training.config import TrainConfig, parse
from tests import games  # noqa: F401  (registers the toy game)
from tests.toy.game import HighCard


def toy_config(**changes: Any) -> TrainConfig:
    """A run on the toy game that takes a second or two."""
    data: dict[str, Any] = {
        "game": "highcard",
        "steps": 6000,
        "checkpoint_minutes": 60,
        "threads": 2,
        "network": {"shared": [24], "policy": [16], "value": [16], "items": {}, "chances": 0},
        "ppo": {
            "tables": 32,
            "steps": 8,
            "epochs": 4,
            "batch_size": 128,
            "entropy": {"start": 0.02, "end": 0.002},
            "clip_range": 0.2,
            "averaging": 0.0,
            "magnet": 0.0,
            "lookahead": 0.03,
        },
        "imitation": None,
        "league": {
            "single_opponent": 0.25,
            "baselines": ["random"],
            "snapshot_every": 2,
            "size": 4,
        },
        "evaluation": {"every": 0, "baselines": ["random"], "games": 200, "final_games": 0},
    }
    for key, value in changes.items():
        if isinstance(value, dict) and isinstance(data.get(key), dict):
            data[key] = {**data[key], **value}
        else:
            data[key] = value
    return parse(data)


class TwoRoles(HighCard):
    """High card with a part of its own for the dealer, seat 0."""

    name = "highcard_roles"
    roles = ("dealer", "guest")

    def seat_roles(self, options):
        return (0, *(1,) * (options["players"] - 1))


@pytest.fixture
def two_roles(monkeypatch):
    """Registers the game with two roles for one test."""
    entry = Entry(TwoRoles.name, "tests.training.toy:TwoRoles")
    monkeypatch.setitem(ENTRIES, TwoRoles.name, entry)
    return TwoRoles.name
