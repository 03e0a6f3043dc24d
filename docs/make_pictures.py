"""Draws the pictures of the documentation: ``python -m docs.make_pictures [game ...]``.

Needs the ``render`` extra. Each game has a function of its own that picks a telling position out
of a game among heuristic players and returns the picture for the seat to move.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from gangland.agents.baseline.heuristic import HeuristicAgent
from gangland.agents.baseline.random import RandomAgent
from gangland.envs import load
from gangland.envs.api.raster import rgb_array
from gangland.envs.core.game import Game

IMAGES = Path(__file__).resolve().parent / "images"
ERRORS = 0.3


def positions(game: Game, seed: int, **options: Any) -> Iterator[tuple[Any, str]]:
    """The positions of a game, with what the mover saw last.

    Heuristic players who err at times: who always play a card at once hold none to show.
    """
    agents = (HeuristicAgent(game), RandomAgent(game))
    errors = np.random.default_rng(seed)
    state = game.new_state(seed, **options)
    while not game.is_over(state):
        before = game.clone(state)
        view = game.view(state, game.seat_to_act(state), int(state.ply))
        action = agents[int(errors.random() < ERRORS)].decide(view).action
        game.apply(state, action)
        if not game.is_over(state):
            lines = game.narrate(before, action, state, game.seat_to_act(state))
            yield game.clone(state), " ".join(lines)


def chicago() -> str:
    """Chicago Underworld: a seat that may battle or play a joker, most of the city taken."""
    game = load("chicago")
    for seed in range(100):
        for state, lines in positions(game, seed, players=5):
            legal = game.legal_actions(state)
            words = {game.action_text(state, action).split()[0] for action in legal}
            owned = sum(owner >= 0 for owner in state.owner)
            aims = "battle" in words and words & {"raid", "mob"}
            if aims and owned >= 8 and state.discards.sum() >= 5 and min(state.men[:5]) < 4:
                return game.svg(state, game.seat_to_act(state), legal, lines)
    raise LookupError("no such position in a hundred games")


def _late(name: str, word: str, after: float, **options: Any) -> str:
    """The first position past a part of a game at which a decision with a word is to be made."""
    game = load(name)
    for seed in range(100):
        story = list(positions(game, seed, **options))
        for state, lines in story[int(after * len(story)) :]:
            legal = game.legal_actions(state)
            if any(word in game.action_text(state, action).split() for action in legal):
                return game.svg(state, game.seat_to_act(state), legal, lines)
    raise LookupError("no such position in a hundred games")


def five_points() -> str:
    """Five Points: late, rabble to be placed and markers to be bid for."""
    return _late("five_points", "bid", 0.6)


def gangsters() -> str:
    """Gangsters: the police and four gangs, late, a racketeer on the move."""
    return _late("gangsters", "go", 0.6)


def crime_lords() -> str:
    """Crime Lords: late, mobs grown, an attack to be paid for."""
    return _late("crime_lords", "FOR", 0.6)


PICTURES: dict[str, Callable[[], str]] = {
    "crime_lords": crime_lords,
    "chicago": chicago,
    "five_points": five_points,
    "gangsters": gangsters,
}


def main(names: list[str]) -> None:
    """Write ``docs/images/<game>.png`` of the named games, of all without names."""
    IMAGES.mkdir(exist_ok=True)
    for name in names or PICTURES:
        if name not in PICTURES:
            raise SystemExit(f"{name}: must be one of {', '.join(PICTURES)}")
        path = IMAGES / f"{name}.png"
        Image.fromarray(rgb_array(PICTURES[name]())).save(path, optimize=True)
        print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
