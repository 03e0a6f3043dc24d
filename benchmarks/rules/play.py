"""Games of which a compiled function keeps statistics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gangland.envs import load


def play_each(
    name: str,
    play_game: Callable[..., None],
    num_stats: int,
    options: dict[str, Any],
    games: int,
    bots: Sequence[int],
    seed: int,
) -> NDArray[np.float64]:
    """Play games, game ``i`` with the bots ``bots[i % len(bots)]``.

    Args:
        name: Name of the game.
        play_game: ``play_game(state, seed, bots, masks, actions, seeds, stats)``, which plays one
            game and fills in its statistics. ``bots`` is the bit set of the seats that the bot
            plays, the next three are scratch for :func:`gangland.envs.core.batch.sample_legal`.
        num_stats: Number of statistics.
        options: Options of the game.
        games: Number of games.
        bots: Bit sets.
        seed: Seed of all games.

    Returns:
        Float64 of shape ``(games, num_stats)``.
    """
    game = load(name)
    template = game.template(**options)
    masks = np.zeros((1, game.num_actions), np.bool_)
    stats = np.zeros((games, num_stats))
    for i in range(games):
        state = game.clone(template[0])
        chance = np.uint64((seed << 32) + i)
        seeds, actions = np.zeros(1, np.uint64), np.zeros(1, np.int64)
        play_game(state, chance, bots[i % len(bots)], masks, actions, seeds, stats[i])
    return stats
