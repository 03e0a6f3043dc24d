"""Golden replays: recorded games that every later version must play the same way."""

from __future__ import annotations

from pathlib import Path

import pytest

from gangland.envs import load
from gangland.envs.core.replay import read_replays
from tests.games import OURS

FOLDER = Path(__file__).parent


def test_every_registered_game_has_golden_replays():
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(OURS)


@pytest.mark.parametrize("name", OURS)
def test_golden_replays_still_play_the_same(name):
    game = load(name)
    replays = read_replays(FOLDER / f"{name}.jsonl")
    assert len(replays) >= 3
    for replay in replays:
        result = replay.verify(game)
        assert len(result.places) == game.num_players(replay.options)
