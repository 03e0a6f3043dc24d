"""Each seat's win probability: what a network estimates, and the targets of the estimates.

Seats are in the order in which the deciding one counts them: itself first, then the others in the
order of play. At a table with fewer seats than the game allows, the rest is 0. Of ``n`` seats, one
that wins with probability ``p`` expects a result of ``(n * p - 1) / (n - 1)``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.kernel import kernel
from .trajectories import OPEN


@kernel(leaf=True)
def expected_result(win_probabilities: Any, size: int) -> float:
    """What the deciding seat expects of a game's result."""
    return (size * win_probabilities[0] - 1.0) / (size - 1.0)


@kernel
def read_outputs(
    outputs: Any,
    sizes: Any,
    results: bool,
    win_probabilities: Any,
    values: Any,
) -> None:
    """Win probabilities and values from the outputs of a network's value part.

    Args:
        outputs: Float32 ``(B, 1 + seats)``: rewards besides the result, and a logit a seat.
        sizes: Int64 ``(B,)``: seats of each table.
        results: Whether results are paid.
        win_probabilities: Float32 ``(B, seats)``, filled.
        values: Float32 ``(B,)``, filled with the expected rewards, all kinds together.
    """
    for k in range(len(outputs)):
        highest = -np.inf
        for seat in range(win_probabilities.shape[1]):
            highest = max(highest, outputs[k, 1 + seat])
        total = 0.0
        for seat in range(win_probabilities.shape[1]):
            total += np.exp(outputs[k, 1 + seat] - highest)
        for seat in range(win_probabilities.shape[1]):
            win_probabilities[k, seat] = np.exp(outputs[k, 1 + seat] - highest) / total
        values[k] = outputs[k, 0]
        if results:
            values[k] += expected_result(win_probabilities[k], sizes[k])


@kernel
def note_outcomes(dones: Any, places: Any, sizes: Any, last: Any, targets: Any) -> None:
    """Write who won into the open decisions of finished games.

    Args:
        dones: Bool ``(N,)``: tables whose game ended by its rules.
        places: Int8 ``(N, seats)``: the winners' is 1.
        sizes: Int64 ``(N,)``: seats of each table.
        last: Int64 ``(N, seats)``: each seat's open decision; negative for none.
        targets: Float32 ``(capacity, seats)``: filled with each seat's share of the win.
    """
    for row in range(len(dones)):
        if not dones[row]:
            continue
        size = sizes[row]
        winners = 0
        for seat in range(size):
            winners += 1 if places[row, seat] == 1 else 0
        for seat in range(size):
            decision = last[row, seat]
            if decision < 0:
                continue
            targets[decision] = 0.0
            for k in range(size):
                if places[row, (seat + k) % size] == 1:
                    targets[decision, k] = 1.0 / winners


@kernel
def lambda_targets(
    links: Any, win_probabilities: Any, gae_lambda: float, targets: Any, first: int, end: int
) -> None:
    """Lambda returns of the win probabilities along each seat's decisions; open ones get none.

    Args:
        links: Int64 ``(capacity,)``: see :mod:`gangland.training.rollout.trajectories`.
        win_probabilities: Float32 ``(capacity, seats)``: the network's estimates.
        gae_lambda: Weight of longer estimates.
        targets: Float32 ``(capacity, seats)``: holds the outcome where a game ended, and is filled
            elsewhere.
        first: The first of the decisions, whose links lead no further than ``end``.
        end: Index after the last one.
    """
    for i in range(end - 1, first - 1, -1):
        following = links[i]
        if following < 0:  # The game ended, or the decision is open.
            continue
        weight = 0.0 if links[following] == OPEN else gae_lambda
        for seat in range(win_probabilities.shape[1]):
            estimate = (1.0 - weight) * win_probabilities[following, seat]
            targets[i, seat] = estimate + weight * targets[following, seat]


@kernel
def results_of(win_probabilities: Any, sizes: Any) -> Any:
    """Expected results of the deciding seats, float32 ``(B,)``; 0 where a table has no size.

    Args:
        win_probabilities: Float32 ``(B, seats)``.
        sizes: Int64 ``(B,)``: seats of each table.
    """
    results = np.zeros(len(sizes), np.float32)
    for k in range(len(sizes)):
        if sizes[k] > 1:
            results[k] = expected_result(win_probabilities[k], sizes[k])
    return results
