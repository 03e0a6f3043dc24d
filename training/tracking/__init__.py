"""What a run logs to TensorBoard, Weights & Biases and MLflow besides its metrics.

:class:`~gangland.training.tracking.summary.SummaryCallback` records hyper-parameters, texts and
pictures with the run's logger. :func:`trackers` makes callbacks of stable-baselines3 that send all
that is logged to other services.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from stable_baselines3.common.callbacks import BaseCallback

from ..config import TrainConfig
from .services import MlflowCallback, ServiceCallback, WandbCallback
from .summary import SummaryCallback

SERVICES: dict[str, type[ServiceCallback]] = {"wandb": WandbCallback, "mlflow": MlflowCallback}
"""Callbacks by the names that ``gangland train --track`` takes."""

__all__ = ["SERVICES", "SummaryCallback", "trackers"]


def trackers(names: Sequence[str], config: TrainConfig, out: Path) -> list[BaseCallback]:
    """A callback for each service.

    Args:
        names: Keys of :data:`SERVICES`.
        config: The training configuration.
        out: Folder of the run, whose name is the run's name there.

    Raises:
        MissingDependencyError: If the library of one is not installed.
    """
    return [SERVICES[name](config, out) for name in dict.fromkeys(names)]
