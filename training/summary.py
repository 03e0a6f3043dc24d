"""Hyper-parameters, configuration, results in words and a played table, in a run's log."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import yaml
from numpy.typing import NDArray
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import HParam, Image

from ..agents.seeds import players_key
from ..agents.table import decisions
from ..envs.api.raster import rgb_array
from ..envs.core.errors import MissingDependencyError
from ..envs.core.rng import stream
from .config import TrainConfig
from .measure.evaluation import current_policies

if TYPE_CHECKING:
    from .run import Status
    from .selfplay import SelfPlay

METRICS = ("eval/worst_row", "time/fps", "rollout/ep_len_mean")
"""Metrics by which TensorBoard's table of hyper-parameters compares runs."""
WIDTH = 960
"""Width of pictures in pixels."""


class SummaryCallback(BaseCallback):
    """Records ``hparams`` and ``text/config`` once, ``text/card`` and ``table`` after evaluations.

    The picture needs the extra ``render``; without it there is none.

    Args:
        config: The training configuration.
        status: Returns the run's status.
    """

    model: SelfPlay  # type: ignore[assignment]

    def __init__(self, config: TrainConfig, status: Callable[[], Status]) -> None:
        super().__init__()
        self.config = config
        self._status = status
        self._recorded: object = None

    def _on_training_start(self) -> None:
        self.logger.record("hparams", HParam(flat(self.config), dict.fromkeys(METRICS, 0.0)))
        text = yaml.safe_dump(self.config.model_dump(mode="json"), sort_keys=False)
        self.logger.record("text/config", f"```yaml\n{text}```")

    def _on_step(self) -> bool:
        self.record()
        return True

    def record(self) -> None:
        """Record results and a table, if there has been an evaluation since the last time."""
        status = self._status()
        if not status.matches or status.matches is self._recorded:
            return
        self._recorded = status.matches
        self.logger.record("text/card", card(self.config, status))
        picture = final_table(self.model)
        if picture is not None:
            self.logger.record("table", Image(picture, "HWC"))


def flat(config: TrainConfig) -> dict[str, bool | str | float]:
    """Every key of a configuration by its dotted name; what is no plain value, as JSON."""
    found: dict[str, bool | str | float] = {}

    def add(name: str, value: Any) -> None:
        if isinstance(value, dict) and value:
            for key, inner in value.items():
                add(f"{name}.{key}" if name else str(key), inner)
        elif isinstance(value, (bool, int, float, str)):
            found[name] = value
        else:
            found[name] = json.dumps(value)

    add("", config.model_dump(mode="json"))
    return found


def card(config: TrainConfig, status: Status) -> str:
    """The policy's results as a table in Markdown."""
    lines = [
        f"{config.game}: {status.steps:,} decisions in {status.seconds / 60:.1f} minutes",
        "",
        "| against | win share | 95 % | par | games |",
        "|---|---|---|---|---|",
    ]
    for match in status.matches.values():
        win = match.win
        shares = f"{win.share:.1%} | {win.low:.1%} to {win.high:.1%} | {match.par:.1%}"
        lines.append(f"| {match.name} | {shares} | {match.games} |")
    return "\n".join(lines)


def final_table(trainer: SelfPlay) -> NDArray[np.uint8] | None:
    """The last position of a match that the current policies play among themselves.

    Returns:
        A picture, uint8 of shape ``(height, width, 3)``; ``None`` without the extra ``render``.
    """
    game, config = trainer.game, trainer.config
    options = config.options[0]
    seed = int(stream(np.uint64(config.seed), np.uint64(5000 + trainer.iteration)))
    roles, policies = game.seat_roles(game.options.resolve(options)), current_policies(trainer)
    state = game.new_state(seed, **options)
    players = [policies[role] for role in roles]
    for _, action in decisions(game, state, players, players_key(seed)):
        game.apply(state, action)
    try:
        return rgb_array(game.svg(state, None), WIDTH)
    except MissingDependencyError:
        return None
