"""What an agent answers: the action, and what it tells about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Decision:
    """An agent's answer to one view.

    Only the action is always there. An agent tells the rest if it can and, where that costs time,
    if the view's :class:`~gangland.envs.core.view.Detail` asks for it.

    **Unit of values.** A value is an expected result as the game pays it (``reward="result"``):
    winners share 1, all others share -1. Where only one seat can win, a seat of ``n`` that wins
    with probability ``p`` is worth ``(n * p - 1) / (n - 1)``, so 0 is an equal chance. A search
    gives exactly this; a trained policy gives the rewards that it was trained on, to which
    ``rewards: mixed`` and ``score`` of its configuration add score differences.

    Attributes:
        action: A legal action.
        probabilities: Float64 of shape ``(num_actions,)``, 0 for illegal actions and with the sum
            1: how much the agent prefers each action, by a policy's probabilities or a search's
            shares of visits. ``None`` if it does not tell. An agent may be set to play the
            likeliest action instead of drawing one.
        values: Float64 of shape ``(max_seats,)``: what each seat is worth in the agent's eyes;
            NaN for seats that it does not judge or that are not at the table. ``None`` if it
            does not tell.
    """

    action: int
    probabilities: NDArray[np.float64] | None = None
    values: NDArray[np.float64] | None = None

    def value(self, seat: int) -> float | None:
        """Value of one seat; ``None`` if the agent does not tell."""
        if self.values is None or np.isnan(self.values[seat]):
            return None
        return float(self.values[seat])

    def values_of(self, seats: int) -> list[float] | None:
        """Values of all seats of a table; ``None`` if the agent does not tell them all.

        Args:
            seats: Number of seats at the table.
        """
        if self.values is None or np.isnan(self.values[:seats]).any():
            return None
        return [float(value) for value in self.values[:seats]]


@dataclass(frozen=True, slots=True)
class Decisions:
    """An agent's answers to a batch of views; see :class:`Decision`.

    Attributes:
        actions: Int64 of shape ``(B,)``.
        probabilities: Float64 of shape ``(B, num_actions)``, or ``None``.
        values: Float64 of shape ``(B, max_seats)``, or ``None``.
    """

    actions: NDArray[np.int64]
    probabilities: NDArray[np.float64] | None = None
    values: NDArray[np.float64] | None = None

    @classmethod
    def of(cls, decisions: Sequence[Decision]) -> Decisions:
        """Join single decisions; what one of them does not tell, the batch does not tell."""
        shares = [d.probabilities for d in decisions if d.probabilities is not None]
        values = [d.values for d in decisions if d.values is not None]
        count = len(decisions)
        return cls(
            np.array([decision.action for decision in decisions]),
            np.stack(shares) if shares and len(shares) == count else None,
            np.stack(values) if values and len(values) == count else None,
        )

    def __len__(self) -> int:
        return len(self.actions)

    def __getitem__(self, k: int) -> Decision:
        """The decision of row ``k``."""
        return Decision(
            int(self.actions[k]),
            None if self.probabilities is None else self.probabilities[k],
            None if self.values is None else self.values[k],
        )
