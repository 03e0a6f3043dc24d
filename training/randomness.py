"""Seeds for agents; states of NumPy's generators as text, for files without arbitrary objects."""

from __future__ import annotations

import json

import numpy as np
from numpy.typing import NDArray


def rng_state(rng: np.random.Generator) -> str:
    """State of a generator as JSON."""
    return json.dumps(rng.bit_generator.state)


def set_rng_state(rng: np.random.Generator, text: str) -> None:
    """Set the state from :func:`rng_state`'s text."""
    rng.bit_generator.state = json.loads(text)


def draw_seeds(rng: np.random.Generator, count: int) -> NDArray[np.uint64]:
    """Seeds of decisions, uint64 of shape ``(count,)``."""
    return rng.integers(0, 2**64, count, np.uint64, endpoint=False)
