"""Seeds for agents; states of NumPy's generators as text, for files without arbitrary objects."""

from __future__ import annotations

import json

import numpy as np
from numpy.typing import NDArray

from ..agents.seeds import decision_seeds


def rng_state(rng: np.random.Generator) -> str:
    """State of a generator as JSON."""
    return json.dumps(rng.bit_generator.state)


def set_rng_state(rng: np.random.Generator, text: str) -> None:
    """Set the state from :func:`rng_state`'s text."""
    rng.bit_generator.state = json.loads(text)


def draw_seeds(rng: np.random.Generator, key: NDArray[np.uint64], count: int) -> NDArray[np.uint64]:
    """Seeds of decisions, uint64 of shape ``(count,)``.

    Agents never get a generator's own numbers, since its next ones could be computed from them.

    Args:
        rng: Draws a number for each decision, in place of ply and seat.
        key: Uint64 of shape ``(2,)``, from :func:`gangland.agents.seeds.players_key`.
        count: How many.
    """
    drawn = rng.integers(0, 2**64, count, np.uint64, endpoint=False).view(np.int64)
    nothing, seeds = np.zeros(count, np.int64), np.zeros(count, np.uint64)
    decision_seeds(key[None], nothing, drawn, nothing, seeds)
    return seeds
