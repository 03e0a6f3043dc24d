"""Batches of views along random play, for tests of agents."""

from __future__ import annotations

import numpy as np

from gangland.envs import load, make_vec
from gangland.envs.core.view import ViewBatch


def views_of(name, tables=40, plies=1, seed=3, records=True, **options):
    """A batch of the views of all deciding seats after some random decisions."""
    game = load(name)
    vec = make_vec(name, tables, seed, **options)
    vec.reset()
    rng = np.random.default_rng(seed)
    for _ in range(plies):
        vec.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in vec.action_masks]))
    rows = np.arange(tables)
    seeds = rng.integers(2**63, size=tables).astype(np.uint64)
    return ViewBatch(
        game,
        vec.states,
        rows,
        vec.seats.copy(),
        vec.observations,
        vec.action_masks,
        seeds,
        records=records,
    )
