"""Actions on items belong to the very row: their words name what the row stands for."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.agents.trained.items import NO_ACTION, item_blocks
from gangland.envs import load
from gangland.envs.crime_lords.data.tables import CARDS_DATA
from gangland.envs.gangsters.observation.layout import BUILDING_CODES

PIECES = {
    "five_points": {
        "tiles": lambda row: (f"place {row}", f"tile {row}", f"rabble {row}/"),
        "row": lambda row: (f"bid {row}+",),
        "buildings": lambda row: (f"building {row}",),
    },
    "crime_lords": {
        "crooks": lambda row: (f"C{row + 1:02}",),
        "rackets": lambda row: (CARDS_DATA["rackets"][row]["id"],),
    },
    "gangsters": {
        "inside": lambda row: (f"go {BUILDING_CODES[row]}",),
        "joints": lambda row: (f"go J{row + 1:02}",),
        "officers": lambda row: tuple(f"{w} {(*range(1, 10), 'U')[row]}" for w in ("cop", "play")),
        "publics": lambda row: tuple(
            f"{w} {('x1a', 'x1b', 'x2', 'x3')[row]}" for w in ("public", "flip")
        ),
    },
}


@pytest.mark.parametrize("name", PIECES)
def test_words_name_the_row(name):
    game = load(name)
    blocks = item_blocks(game)
    rows = [
        (action, block, row)
        for block in PIECES[name]
        for row, actions in enumerate(blocks[block].actions)
        for action in actions
        if action != NO_ACTION
    ]
    rng, met = np.random.default_rng(0), set()
    for seed in range(4):
        state = game.new_state(seed)
        for _ in range(1500):
            if state.over:
                break
            legal = np.flatnonzero(game.action_mask(state))
            allowed = set(legal.tolist())
            for action, block, row in rows:
                if action not in allowed:
                    continue
                text = game.action_text(state, action)
                text = text.removeprefix("TAKE ").removeprefix("REC ").removeprefix("HIT ")
                assert text.startswith(PIECES[name][block](row)), (text, block, row)
                met.add(block)
            game.compiled.apply(state, int(rng.choice(legal)))
    assert met == set(PIECES[name])


def test_seats_are_counted_from_the_decider():
    """Row k of a block of seats is the seat k places on."""
    game = load("chicago")
    actions = item_blocks(game)["seats"].actions
    state = game.new_state(3)
    rng, met = np.random.default_rng(0), 0
    while not state.over:
        legal = np.flatnonzero(game.action_mask(state))
        for row, (action,) in enumerate(actions):
            if action in legal:
                seat = (int(state.seat) + row) % 5
                assert game.action_text(state, action) == f"hit {seat}"
                met += 1
        game.compiled.apply(state, int(rng.choice(legal)))
    assert met
