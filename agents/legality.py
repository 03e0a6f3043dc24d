"""Answers of agents must be legal: an illegal one is an error, never replaced by another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..envs.core.errors import IllegalActionError
from ..envs.core.game import Game


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
