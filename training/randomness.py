"""States of NumPy's generators as text, for files that must not hold arbitrary objects."""

from __future__ import annotations

import json

import numpy as np


def rng_state(rng: np.random.Generator) -> str:
    """State of a generator as JSON."""
    return json.dumps(rng.bit_generator.state)


def set_rng_state(rng: np.random.Generator, text: str) -> None:
    """Set the state from :func:`rng_state`'s text."""
    rng.bit_generator.state = json.loads(text)
