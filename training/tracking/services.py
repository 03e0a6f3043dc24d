"""Weights & Biases and MLflow as outputs of a run's logger."""

from __future__ import annotations

import json
import os
import re
import time
from abc import abstractmethod
from pathlib import Path
from typing import Any

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Image, KVWriter

from ...agents.trained.whole import whole_file
from ...envs.core.errors import MissingDependencyError
from ..config import TrainConfig
from .summary import flat

RUNS = "tracking.json"
"""File in the run's folder with its id at each service, by which a resumed run continues there."""


class ServiceCallback(BaseCallback, KVWriter):
    """Sends what is logged to a service; the run's end closes it.

    Args:
        config: The training configuration.
        out: Folder of the run.
    """

    name: str

    def __init__(self, config: TrainConfig, out: Path) -> None:
        super().__init__()
        self.config = config
        self.out = out
        self.project = f"gangland-{config.game}"

    @abstractmethod
    def begin(self, known: str | None) -> str:
        """Begin a run at the service, or continue a known one; returns its id."""

    @abstractmethod
    def send(
        self,
        numbers: dict[str, float],
        texts: dict[str, str],
        pictures: dict[str, np.ndarray],
        step: int,
    ) -> None:
        """Send what was logged at a step; pictures are uint8 of shape ``(height, width, 3)``."""

    def _on_training_start(self) -> None:
        path = self.out / RUNS
        ids = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        ids[self.name] = self.begin(ids.get(self.name))
        with whole_file(path) as draft:
            draft.write_text(json.dumps(ids) + "\n", encoding="utf-8")
        self.logger.output_formats.append(self)

    def _on_step(self) -> bool:
        return True

    def write(
        self,
        key_values: dict[str, Any],
        key_excluded: dict[str, tuple[str, ...]],
        step: int = 0,
    ) -> None:
        """Send what TensorBoard would log."""
        numbers: dict[str, float] = {}
        texts: dict[str, str] = {}
        pictures: dict[str, np.ndarray] = {}
        for key, value in key_values.items():
            if "tensorboard" in (key_excluded.get(key) or ()):
                continue
            if isinstance(value, str):
                texts[key] = value
            elif isinstance(value, Image):
                pictures[key] = np.asarray(value.image)
            elif isinstance(value, (int, float, np.number)):
                numbers[key] = float(value)
        self.send(numbers, texts, pictures, step)


class WandbCallback(ServiceCallback):
    """Weights & Biases; its own environment variables apply, such as ``WANDB_MODE=offline``."""

    name = "wandb"

    def __init__(self, config: TrainConfig, out: Path) -> None:
        super().__init__(config, out)
        try:
            import wandb
        except ImportError as error:
            raise MissingDependencyError(
                "tracking with Weights & Biases needs wandb: pip install 'gangland[wandb]'"
            ) from error
        self._wandb: Any = wandb
        self._run: Any = None

    def begin(self, known: str | None) -> str:
        """Begin or continue a run, named as its folder."""
        self._run = self._wandb.init(
            project=os.environ.get("WANDB_PROJECT", self.project),
            name=self.out.name,
            config=flat(self.config),
            dir=str(self.out),
            id=known,
            resume="allow" if known else None,
        )
        return str(self._run.id)

    def send(
        self,
        numbers: dict[str, float],
        texts: dict[str, str],
        pictures: dict[str, np.ndarray],
        step: int,
    ) -> None:
        """Log metrics and pictures; texts are part of the run's summary."""
        shown = {key: self._wandb.Image(array) for key, array in pictures.items()}
        self._run.log({**numbers, **shown}, step=step)
        for key, text in texts.items():
            self._run.summary[key] = text

    def close(self) -> None:
        """End the run."""
        if self._run is not None:
            self._run.finish()


class MlflowCallback(ServiceCallback):
    """MLflow, at ``MLFLOW_TRACKING_URI``, by default in the folder ``mlruns`` beside the run's."""

    name = "mlflow"

    def __init__(self, config: TrainConfig, out: Path) -> None:
        super().__init__(config, out)
        try:
            from mlflow.entities import Metric, Param
            from mlflow.tracking import MlflowClient
        except ImportError as error:
            raise MissingDependencyError(
                "tracking with MLflow needs mlflow-skinny: pip install 'gangland[mlflow]'"
            ) from error
        self._metric, self._param = Metric, Param
        if "MLFLOW_TRACKING_URI" not in os.environ:
            # Folders serve one machine well enough; MLflow 3 asks for this confirmation.
            os.environ.setdefault("MLFLOW_ALLOW_FILE_STORE", "true")
        beside = (out.parent / "mlruns").absolute().as_uri()
        self._client: Any = MlflowClient(os.environ.get("MLFLOW_TRACKING_URI", beside))
        self._run = ""

    def begin(self, known: str | None) -> str:
        """Begin or continue a run, named as its folder."""
        client, project = self._client, os.environ.get("MLFLOW_EXPERIMENT_NAME", self.project)
        if known is not None:
            client.update_run(known, status="RUNNING")
            self._run = known
            return known
        found = client.get_experiment_by_name(project)
        experiment = client.create_experiment(project) if found is None else found.experiment_id
        self._run = client.create_run(experiment, run_name=self.out.name).info.run_id
        params = [self._param(key, str(value)) for key, value in flat(self.config).items()]
        for first in range(0, len(params), 100):
            client.log_batch(self._run, params=params[first : first + 100])
        return self._run

    def send(
        self,
        numbers: dict[str, float],
        texts: dict[str, str],
        pictures: dict[str, np.ndarray],
        step: int,
    ) -> None:
        """Log metrics; texts and pictures are files of the run."""
        now = int(time.time() * 1000)
        metrics = [self._metric(_tag(k), value, now, step) for k, value in numbers.items()]
        self._client.log_batch(self._run, metrics=metrics)
        for key, text in texts.items():
            self._client.log_text(self._run, text, f"{_tag(key)}.md")
        for key, array in pictures.items():
            self._client.log_image(self._run, array, f"{_tag(key)}/{step:012d}.png")

    def close(self) -> None:
        """End the run."""
        if self._run:
            self._client.set_terminated(self._run)


def _tag(key: str) -> str:
    """A key with the characters that MLflow allows."""
    return re.sub(r"[^\w\-. :/]", "_", key)
