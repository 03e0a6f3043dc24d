"""The mean of several networks' weights, as a checkpoint that a training can start from.

Trainings that begin with the same network and end with different ones stay close enough for the
mean of their weights to be a network that plays, often better than each of them: a "model soup"
(Wortsman et al., 2022). What one of them has forgotten, another still knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..agents.trained.model_file import MODEL_FILE, WEIGHTS_FILE, write_model
from ..agents.trained.network import Weights
from ..agents.trained.policy import load_checkpoint
from ..agents.trained.weights import packed
from ..agents.trained.whole import whole_folder
from ..envs.core.game import Game
from .config import ConfigError
from .lineage import merged


def write_mean(names: Sequence[str], game: Game, folder: Path) -> None:
    """Write a checkpoint whose weights are the mean of others', to play and to start from.

    Args:
        names: Of the checkpoints, as :func:`gangland.agents.trained.policy.find_checkpoint` takes
            them.
        game: What they play.
        folder: Where it is written, whole; takes the place of an earlier one.

    Raises:
        CheckpointError: If one of them cannot be read or is of another game.
        ConfigError: If one of them has other layers than the first.
    """
    found = [load_checkpoint(name).fitted(game) for name in names]
    first = found[0].model
    for name, checkpoint in zip(names[1:], found[1:], strict=True):
        theirs = checkpoint.model["network"]
        differs = [key for key, value in first["network"].items() if theirs[key] != value]
        if differs:
            raise ConfigError(
                f"start_from: {name}: its network must be that of {names[0]}, and differs in "
                f"{', '.join(differs)}"
            )
    lineage = merged(checkpoint.lineage for checkpoint in found)
    trained: dict[str, Any] = {"steps": 0, "lineage": lineage, "iterations": 0, "minutes": 0.0}
    reset: dict[str, Any] = {"config": {}, "ratings": [], "search": None}
    model = {**first, **trained, **reset}
    with whole_folder(folder) as draft:
        weights = _mean([checkpoint.weights for checkpoint in found])
        (draft / WEIGHTS_FILE).write_bytes(packed(weights))
        write_model(draft / MODEL_FILE, model)


def _mean(networks: Sequence[dict[str, Weights]]) -> dict[str, Weights]:
    """Each role's mean weights, float32."""
    return {
        role: {
            layer: np.stack([weights[role][layer] for weights in networks]).mean(axis=0)
            for layer in layers
        }
        for role, layers in networks[0].items()
    }
