"""Trainings that come one after the other and use what those before have left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ..agents.trained.policy import read_checkpoint
from ..envs import load
from .config import STAGE, ConfigError, TrainConfig
from .config_files import load_config
from .folder_lock import RunError
from .mean import write_mean
from .run import CHECKPOINTS, Outcome, last_checkpoint

MEAN = "start"
"""Folder of a run with the mean of the networks that it starts from."""

Stage = tuple[str, TrainConfig]
"""Name of a configuration, and the configuration."""


def stages_of(name: str, config: TrainConfig) -> list[Stage]:
    """A configuration and all that have to be trained before it, in the order of training.

    Args:
        name: Path of the configuration's file, or its name.
        config: The configuration, which may be changed from what is in the file.

    Raises:
        ConfigError: If one that comes first cannot be read, is of another game, or comes after
            itself, or if one starts from or meets a stage that does not come before it.
    """
    stages = [(Path(name).stem, config)]
    seen = [name]
    while (before := stages[0][1].after) is not None:
        if before in seen:
            raise ConfigError(f"after={before!r}: must not come after itself")
        seen.append(before)
        earlier = load_config(before)
        if earlier.game != config.game:
            raise ConfigError(f"after={before!r}: is of {earlier.game}, must be of {config.game}")
        stages.insert(0, (Path(before).stem, earlier))
    _check_names(stages)
    return stages


def _check_names(stages: Sequence[Stage]) -> None:
    """Refuse the name of a stage that does not come before the one that uses it."""
    names = [name for name, _ in stages]
    for at, (name, config) in enumerate(stages):
        for key, used in config.stages_used():
            if used not in names[:at]:
                raise ConfigError(
                    f"{key}: {STAGE}{used}: must be among the stages before {name}: "
                    f"{', '.join(names[:at])}"
                )


def train_stages(
    stages: Sequence[Stage],
    out: Path,
    train_one: Callable[[str, TrainConfig, Path, bool], Outcome],
    *,
    resume: bool = False,
) -> Outcome:
    """Train all stages; each starts from the last checkpoint of the one before, or its own.

    Args:
        stages: Of :func:`stages_of`.
        out: Folder of the last stage; each other one has a folder of its name in it.
        train_one: Trains a stage: its name, its configuration, its folder, and whether to resume
            from the checkpoint there.
        resume: Continue; stages that have ended are not trained again.

    Returns:
        How the last stage ended, or the one that was interrupted.

    Raises:
        RunError: If there is a run in ``out`` already and ``resume`` is off.
        ConfigError: If a stage starts from the mean of networks with different layers.
        CheckpointError: From the training, if there is none to resume; or if a network whose mean
            a stage starts from cannot be read or is of another game.
    """
    folders = [*(out / name for name, _ in stages[:-1]), out]
    begun = [(folder / CHECKPOINTS).is_dir() for folder in folders]
    if any(begun) and not resume:
        raise RunError(f"{out} holds a training run: --resume continues it, --out takes another")
    # With nothing to resume from, the training itself says so.
    nothing = resume and not any(begun)
    left: dict[str, str] = {}
    for (name, config), folder, here in zip(stages[:-1], folders, begun, strict=False):
        if (ended := _ended(config, folder)) is not None:
            left[name] = str(ended)
            continue
        outcome = train_one(name, _going_on(left, config, folder), folder, here or nothing)
        if not outcome.finished:
            return outcome
        left[name] = str(outcome.folder)
    name, config = stages[-1]
    return train_one(name, _going_on(left, config, out), out, begun[-1] or nothing)


def _going_on(left: dict[str, str], config: TrainConfig, folder: Path) -> TrainConfig:
    """The configuration, from its own start or else from what the last one in ``left`` has left.

    Where it starts from the mean of several networks, that is written into the run's folder.

    Raises:
        CheckpointError: If one of these networks cannot be read or is of another game.
        ConfigError: If one of them has other layers than the first.
    """
    if not left and not isinstance(config.start_from, list):
        return config
    start = config.start_from or list(left.values())[-1]
    if isinstance(start, list):
        known = {f"{STAGE}{name}": at for name, at in left.items()}
        write_mean([known.get(name, name) for name in start], load(config.game), folder / MEAN)
        start = str(folder / MEAN)
    return config.starting_from(start, left)


def _ended(config: TrainConfig, out: Path) -> Path | None:
    """The last checkpoint of a training that has reached its end; ``None`` if it has not."""
    last = last_checkpoint(out)
    if last is None:
        return None
    model = read_checkpoint(last).model
    lengths = (("steps", config.steps), ("minutes", config.minutes))
    ended = any(limit is not None and model[key] >= limit for key, limit in lengths)
    return last if ended else None
