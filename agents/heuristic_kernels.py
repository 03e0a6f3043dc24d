"""Kernels that ask a heuristic at many tables: apart from the agent, so few edits reach them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..envs.core.kernel import kernel


@kernel
def choose_batch(choose: Any, known: Any, seats: Any, masks: Any, seeds: Any, actions: Any) -> None:
    """Decisions of many tables: ``choose`` on each redacted record."""
    for k in range(len(known)):
        actions[k] = choose(known[k], seats[k], masks[k], seeds[k])


@kernel
def advise_one(
    value: Any, known: Any, seat: Any, mask: Any, seed: Any, scale: float, advice: Any
) -> None:
    """Advice about one decision: ``1 - loss / scale`` where that is positive."""
    values = np.empty(len(mask))
    value(known, seat, mask, seed, values)
    best = -np.inf
    for action in range(len(mask)):
        if mask[action]:
            best = max(best, values[action])
    for action in range(len(mask)):
        advice[action] = max(0.0, 1.0 - (best - values[action]) / scale) if mask[action] else 0.0


@kernel
def advise_batch(
    value: Any, known: Any, seats: Any, masks: Any, seeds: Any, scale: float, advice: Any
) -> None:
    """Advice about the decisions of many tables."""
    for k in range(len(known)):
        advise_one(value, known[k], seats[k], masks[k], seeds[k], scale, advice[k])
