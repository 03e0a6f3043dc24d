"""Make the golden replays: ``python -m tests.golden.make [GAME ...]``.

Run it after a wanted change of rules or record, together with a higher ``rules_version``; the
differences then show in review.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from gangland.envs import load
from gangland.envs.core.replay import Recorder
from tests.games import OURS, option_values

FOLDER = Path(__file__).parent


def random_replay(game, seed, **options):
    """A game of random decisions."""
    recorder = Recorder(game, seed, **options)
    rng = np.random.default_rng(seed)
    while not game.is_over(recorder.state):
        recorder.apply(int(rng.choice(game.legal_actions(recorder.state))))
    return recorder.replay()


def make(name):
    """Three default games, then one for every number of players."""
    game = load(name)
    first = game.options.options[0]
    replays = [random_replay(game, seed) for seed in range(3)]
    for value in option_values(first):
        options = {first.name: value}
        if game.options.resolve(options) != game.options.resolve({}):
            replays.append(random_replay(game, 10, **options))
    text = "".join(replay.write() + "\n" for replay in replays)
    (FOLDER / f"{name}.jsonl").write_text(text)


if __name__ == "__main__":
    for chosen in sys.argv[1:] or OURS:
        make(chosen)
