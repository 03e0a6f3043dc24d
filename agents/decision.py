"""What an agent returns: an action and, optionally, probabilities and chances of winning.

An illegal answer is an error, never replaced by another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..envs.core.errors import IllegalActionError
from ..envs.core.game import Game


@dataclass(frozen=True, slots=True)
class Decision:
    """An agent's answer to one view.

    Only the action is always present. An agent gives the rest if it can and, where that costs time,
    only if the view's :class:`~gangland.envs.core.view.Detail` asks for it.

    **Chances** are probabilities of winning, from 0 to 1. A shared win counts in shares: each of
    two winners has won one half. Where the chances of all seats of a table are given, they add up
    to 1. What a trained policy gives depends on its network; see
    :class:`gangland.agents.trained.policy.PolicyAgent`.

    Attributes:
        action: A legal action.
        probabilities: Float64 of shape ``(num_actions,)``, summing to 1, 0 for illegal actions: a
            policy's probabilities or a search's shares of visits. ``None`` if not given. An agent
            may be set to play the likeliest action instead of drawing one.
        chances: Float64 of shape ``(max_seats,)``: the agent's estimate of each seat's probability
            of winning, 0 to 1; NaN for seats that it does not judge or that are not at the table.
            ``None`` if not given.
    """

    action: int
    probabilities: NDArray[np.float64] | None = None
    chances: NDArray[np.float64] | None = None

    def chance(self, seat: int) -> float | None:
        """One seat's chance of winning; ``None`` if the agent does not give it."""
        if self.chances is None or np.isnan(self.chances[seat]):
            return None
        return float(self.chances[seat])

    def chances_of(self, seats: int) -> list[float] | None:
        """Chances of all seats of a table, which sum to 1; ``None`` unless all are given.

        Args:
            seats: Number of seats at the table.
        """
        if self.chances is None or np.isnan(self.chances[:seats]).any():
            return None
        return [float(chance) for chance in self.chances[:seats]]


@dataclass(frozen=True, slots=True)
class Decisions:
    """An agent's answers to a batch of views; see :class:`Decision`.

    Attributes:
        actions: Int64 of shape ``(B,)``.
        probabilities: Float64 of shape ``(B, num_actions)``, or ``None``.
        chances: Float64 of shape ``(B, max_seats)``, or ``None``.
    """

    actions: NDArray[np.int64]
    probabilities: NDArray[np.float64] | None = None
    chances: NDArray[np.float64] | None = None

    @classmethod
    def of(cls, decisions: Sequence[Decision]) -> Decisions:
        """Join single decisions; what one of them does not give, the batch does not give."""
        shares = [d.probabilities for d in decisions if d.probabilities is not None]
        chances = [d.chances for d in decisions if d.chances is not None]
        count = len(decisions)
        return cls(
            np.array([decision.action for decision in decisions]),
            np.stack(shares) if shares and len(shares) == count else None,
            np.stack(chances) if chances and len(chances) == count else None,
        )

    def __len__(self) -> int:
        return len(self.actions)

    def __getitem__(self, k: int) -> Decision:
        """The decision of row ``k``."""
        return Decision(
            int(self.actions[k]),
            None if self.probabilities is None else self.probabilities[k],
            None if self.chances is None else self.chances[k],
        )


def require_legal(
    game: Game, spec: str, masks: NDArray[np.bool_], actions: NDArray[np.int64]
) -> None:
    """Make sure that an agent's answers are legal.

    Args:
        game: The game.
        spec: The agent, for the message.
        masks: Bool of shape ``(B, num_actions)``.
        actions: Integers of shape ``(B,)``.

    Raises:
        IllegalActionError: Naming the agent, its first illegal action and the legal ones.
    """
    if actions.shape != (len(masks),):
        raise IllegalActionError(
            f"{game.name}: agent {spec} gave actions of shape {actions.shape}, "
            f"must be {(len(masks),)}"
        )
    if actions.dtype.kind not in "iu":
        raise IllegalActionError(
            f"{game.name}: agent {spec} gave actions of type {actions.dtype}, must be integers"
        )
    inside = (actions >= 0) & (actions < masks.shape[1])
    legal = inside & masks[np.arange(len(masks)), np.where(inside, actions, 0)]
    if not legal.all():
        k = int(np.argmin(legal))
        allowed = np.flatnonzero(masks[k]).tolist()
        raise IllegalActionError(
            f"{game.name}: agent {spec} chose action {int(actions[k])}, legal are {allowed}"
        )
