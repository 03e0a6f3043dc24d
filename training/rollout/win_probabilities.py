"""Each seat's win probability: what a network estimates, and the targets of the estimates.

Seats are in the order in which the deciding one counts them: itself first, then the others in the
order of play. At a table with fewer seats than the game allows, the rest is 0. Of ``n`` seats, one
that wins with probability ``p`` expects a result of ``(n * p - 1) / (n - 1)``.

Mates of a seat are those whose results it is paid for as well, each times the ``team_share``; bit
``k`` stands for the seat that is ``k`` places after it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.kernel import kernel
from .trajectories import OPEN


@kernel(leaf=True)
def expected_result(win_probabilities: Any, size: int, mates: int, team_share: float) -> float:
    """What a seat expects of a game's result, with its share of its mates'."""
    expected = (size * win_probabilities[0] - 1.0) / (size - 1.0)
    for k in range(1, size):
        if (mates >> k) & 1:
            expected += team_share * (size * win_probabilities[k] - 1.0) / (size - 1.0)
    return expected


@kernel
def read_outputs(
    outputs: Any,
    sizes: Any,
    results: bool,
    mates: Any,
    team_share: float,
    win_probabilities: Any,
    values: Any,
) -> None:
    """Win probabilities and values from the outputs of a network's value part.

    Args:
        outputs: Float32 ``(B, 1 + seats)``: rewards besides the result, and a logit a seat.
        sizes: Int64 ``(B,)``: seats of each table.
        results: Whether results are paid.
        mates: Int64 ``(B,)``: see the module.
        team_share: Weight of their results.
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
            values[k] += expected_result(win_probabilities[k], sizes[k], mates[k], team_share)


@kernel(leaf=True)
def strangers_at(controllers: Any, size: int) -> int:
    """How many seats of a table, int64 ``(seats,)`` of controllers, the league plays."""
    strangers = 0
    for seat in range(size):
        if controllers[seat] > 0:
            strangers += 1
    return strangers


@kernel
def find_mates(rows: Any, seats: Any, controllers: Any, sizes: Any, mates: Any) -> None:
    """Mates of seats of the current policy: its other seats at tables with a single stranger.

    Args:
        rows: Int64 ``(B,)``: a table each.
        seats: Int64 ``(B,)``: a seat of the current policy each.
        controllers: Int64 ``(N, seats)``: 0 for the current policy, above 0 for a stranger.
        sizes: Int64 ``(N,)``: seats of each table.
        mates: Int64 ``(B,)``, filled; see the module.
    """
    for i in range(len(rows)):
        table, size, bits = controllers[rows[i]], sizes[rows[i]], 0
        if strangers_at(table, size) == 1:
            for k in range(1, size):
                if table[(seats[i] + k) % size] == 0:
                    bits |= 1 << k
        mates[i] = bits


@kernel
def share_results(
    paid: Any, dones: Any, controllers: Any, sizes: Any, team_share: float, shared: Any
) -> None:
    """What a step pays to each seat if the current policy's share results against one stranger.

    Args:
        paid: Float32 ``(N, seats)``: what the step paid.
        dones: Bool ``(N,)``: whether it ended the game; nothing is paid before.
        controllers: Int64 ``(N, seats)``: 0 for the current policy, above 0 for a stranger.
        sizes: Int64 ``(N,)``: seats of each table.
        team_share: Weight of the mates' results.
        shared: Float32 ``(N, seats)``, filled.
    """
    for row in range(len(dones)):
        shared[row] = paid[row]
        if not dones[row] or strangers_at(controllers[row], sizes[row]) != 1:
            continue
        together = 0.0
        for seat in range(sizes[row]):
            if controllers[row, seat] == 0:
                together += paid[row, seat]
        for seat in range(sizes[row]):
            if controllers[row, seat] == 0:
                shared[row, seat] += team_share * (together - paid[row, seat])


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
def results_of(win_probabilities: Any, sizes: Any, mates: Any, team_share: float) -> Any:
    """Expected results of the deciding seats, float32 ``(B,)``; 0 where a table has no size.

    Args:
        win_probabilities: Float32 ``(B, seats)``.
        sizes: Int64 ``(B,)``: seats of each table.
        mates: Int64 ``(B,)``: see the module.
        team_share: Weight of their results.
    """
    results = np.zeros(len(sizes), np.float32)
    for k in range(len(sizes)):
        if sizes[k] > 1:
            results[k] = expected_result(win_probabilities[k], sizes[k], mates[k], team_share)
    return results
