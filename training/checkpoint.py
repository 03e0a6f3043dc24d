"""Checkpoint folders: written atomically, read without unpickling objects.

A folder holds ``policy.safetensors`` and ``model.json`` for playing, and ``trainer.pt`` for
resuming the training: optimisers, league, random generators, tables in the middle of their games.
"""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch as th

from ..agents.trained.items import described, item_blocks
from ..agents.trained.model_file import (
    FORMAT_VERSION,
    MODEL_FILE,
    WEIGHTS_FILE,
    CheckpointError,
    write_model,
)
from ..agents.trained.policy import identity, read_checkpoint
from ..agents.trained.weights import packed
from ..agents.trained.whole import whole_file, whole_folder
from .config import NetworkConfig, TrainConfig, in_yaml
from .randomness import rng_state, set_rng_state
from .selfplay import SelfPlay
from .state_check import check_trainer_state, own_tables

TRAINER_FILE = "trainer.pt"
KEPT = 2
"""Checkpoints that stay in a training folder; older ones are removed."""


class DivergedError(CheckpointError):
    """A training whose numbers are no longer finite, which is not saved."""


def require_finite(trainer: SelfPlay) -> None:
    """Make sure that all weights of a training are finite.

    Raises:
        DivergedError: Naming the first tensor that is not.
    """
    _require_finite(trainer, [learner.network.state_dict() for learner in trainer.learners])


def _require_finite(trainer: SelfPlay, learners: Sequence[Any]) -> None:
    for role, state in zip(trainer.game.roles, learners, strict=True):
        where = _not_finite(state)
        if where:
            raise DivergedError(
                f"the training has diverged: after {trainer.num_timesteps:,} decisions {where} of "
                f"role {role} is not finite. Try a lower ppo.learning_rate"
            )


def _not_finite(tree: Any, at: str = "") -> str:
    """Where numbers first are not finite, in nested mappings and lists; empty if all are."""
    if isinstance(tree, th.Tensor):
        return "" if bool(th.isfinite(tree).all()) else at.strip(".")
    if isinstance(tree, float):
        return "" if math.isfinite(tree) else at.strip(".")
    inner: Iterable[tuple[Any, Any]] = ()
    if isinstance(tree, Mapping):
        inner = tree.items()
    elif isinstance(tree, list | tuple):
        inner = enumerate(tree)
    return next(filter(None, (_not_finite(part, f"{at}.{key}") for key, part in inner)), "")


def save_checkpoint(
    root: Path,
    trainer: SelfPlay,
    seconds: float,
    kept: int = KEPT,
    tables: Sequence[Any] | None = None,
) -> Path:
    """Write a checkpoint ``step-N`` under ``root`` and remove old ones.

    It is written under a temporary name and renamed once it is complete and on disk, so that the
    newest folder with a final name can always be loaded, whenever the process is killed.

    Args:
        root: Folder of the checkpoints.
        trainer: The training.
        seconds: Time trained so far, for resuming.
        kept: Number of checkpoints that stay in the folder, including this one.
        tables: What :func:`tables_state` gave in each process, by rank; of the only one by default.
            Without those of all processes, a resumed training begins new games.

    Returns:
        The new folder.

    Raises:
        DivergedError: If its numbers are not finite; earlier checkpoints stay then.
        CheckpointError: If it cannot be written, as on a full disk; earlier ones stay then.
    """
    folder = root / f"step-{trainer.num_timesteps:012d}"
    if folder.exists():
        return folder  # A checkpoint of the same training at the same step holds the same state.
    try:
        with whole_folder(folder) as draft:
            _write(draft, trainer, seconds, tables)
    # Torch reports a write that failed as a RuntimeError of its own.
    except (OSError, RuntimeError) as error:
        raise CheckpointError(f"{folder} cannot be written: {error}") from error
    remove_old(root, folder, kept)
    return folder


def _write(draft: Path, trainer: SelfPlay, seconds: float, tables: Sequence[Any] | None) -> None:
    """All files of a checkpoint."""
    state = trainer_state(trainer, seconds, tables)
    kept = ("network", "average", "optimizer")
    _require_finite(trainer, [{key: one[key] for key in kept} for one in state["learners"]])
    (draft / WEIGHTS_FILE).write_bytes(packed(trainer.weights()))
    write_model(draft / MODEL_FILE, describe(trainer, seconds))
    th.save(_pack(state), draft / TRAINER_FILE)


def add_results(folder: Path, **results: Any) -> None:
    """Note results of matches, its ``ratings`` or ``levels``, in a checkpoint's ``model.json``."""
    path = folder / MODEL_FILE
    model = json.loads(path.read_text(encoding="utf-8"))
    model.update(results)
    with whole_file(path) as draft:
        write_model(draft, model)


def describe(trainer: SelfPlay, seconds: float) -> dict[str, Any]:
    """Contents of ``model.json``."""
    from gangland import __version__

    return {
        "format_version": FORMAT_VERSION,
        **identity(trainer.game),
        "options": trainer.config.distinct_options(),
        "temperature": trainer.config.temperature,
        "network": trainer.config.network.model_dump(),
        "item_blocks": {
            name: block
            for name, block in described(item_blocks(trainer.game)).items()
            if name in trainer.config.network.items
        },
        "steps": trainer.num_timesteps,
        "lineage": trainer.lineage,
        "iterations": trainer.iteration,
        "minutes": round(seconds / 60, 2),
        "code_version": __version__,
        "config": trainer.config.model_dump(),
        "ratings": [],
    }


def tables_state(trainer: SelfPlay) -> dict[str, Any]:
    """What is one process's own: tables, open decisions and randomness."""
    return {
        "workers": trainer.collector.tables(),
        "buffers": [
            {"open": learner.buffer.snapshot(), "rng": rng_state(learner.buffer.rng)}
            for learner in trainer.learners
        ],
    }


def trainer_state(
    trainer: SelfPlay, seconds: float, tables: Sequence[Any] | None = None
) -> dict[str, Any]:
    """Everything that determines how the training continues; see :func:`save_checkpoint`."""
    if tables is None:
        tables = [tables_state(trainer)] if trainer.collector.processes.size == 1 else []
    return {
        "steps": trainer.num_timesteps,
        "iteration": trainer.iteration,
        "seconds": seconds,
        "progress": trainer.progress,
        "magnet_at": trainer.magnet_at,
        "tables": list(tables),
        "collector": trainer.collector.state_dict(),
        "learners": [
            {
                "network": learner.network.state_dict(),
                "average": None if learner.average is None else learner.average.state_dict(),
                "magnet": None if learner.magnet is None else learner.magnet.state_dict(),
                "optimizer": learner.optimizer.state_dict(),
                "updates": learner.updates,
            }
            for learner in trainer.learners
        ],
    }


def load_trainer_state(trainer: SelfPlay, state: Mapping[str, Any]) -> float:
    """Restore the state of :func:`trainer_state`; returns the seconds trained so far.

    With another number of processes than before, new games begin.
    """
    trainer.num_timesteps = state["steps"]
    trainer.iteration = state["iteration"]
    trainer.progress = state["progress"]
    trainer.magnet_at = state["magnet_at"]
    for learner, kept in zip(trainer.learners, state["learners"], strict=True):
        learner.network.load_state_dict(kept["network"])
        if learner.average is not None:
            # Averaging may be new in this run: then it begins with these weights.
            if kept.get("average") is None:
                learner.average.module.load_state_dict(kept["network"])
            else:
                learner.average.load_state_dict(kept["average"])
        if kept["magnet"] is not None:
            learner.move_magnet()
            if learner.magnet is not None:
                learner.magnet.load_state_dict(kept["magnet"])
        learner.optimizer.load_state_dict(kept["optimizer"])
        learner.updates = kept["updates"]
    trainer.collector.load_state_dict(state["collector"])
    tables = own_tables(trainer, state)
    if tables is None:
        trainer.collector.begin_new_games(trainer.iteration)
    else:
        trainer.collector.load_tables(tables["workers"])
        for learner, kept in zip(trainer.learners, tables["buffers"], strict=True):
            learner.buffer.restore(kept["open"])
            set_rng_state(learner.buffer.rng, kept["rng"])
    return float(state["seconds"])


def resume(folder: Path, trainer: SelfPlay) -> float:
    """Resume from a checkpoint folder.

    Returns:
        Seconds trained so far.

    Raises:
        CheckpointError: If the folder cannot be resumed from, is damaged, or was made for another
            game, network or kind of tables; naming what differs.
    """
    checkpoint = read_checkpoint(folder)
    checkpoint.fitted(trainer.game)
    _ = checkpoint.weights  # A damaged checkpoint is refused even if the state is intact.
    try:
        differs = _differences(checkpoint.model["config"], trainer.config)
    except (KeyError, TypeError, AttributeError) as error:
        raise CheckpointError(f"{folder}: config of {MODEL_FILE} is damaged: {error!r}") from error
    if differs:
        raise CheckpointError(f"{folder} cannot be resumed with this configuration: {differs}")
    path = folder / TRAINER_FILE
    try:
        state = th.load(path, map_location=trainer.learners[0].network.device, weights_only=True)
    except FileNotFoundError as error:
        raise CheckpointError(f"{folder} has no {TRAINER_FILE}: it can only be played") from error
    except Exception as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error
    try:
        unpacked = _unpack(state)
        check_trainer_state(unpacked, trainer)
        return load_trainer_state(trainer, unpacked)
    except CheckpointError as error:
        raise CheckpointError(f"{path}: {error}") from error
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        RuntimeError,
        TypeError,
        ValueError,
    ) as error:
        raise CheckpointError(f"{path} cannot be gone on from: {error!r}") from error


def _differences(old: Mapping[str, Any], config: TrainConfig) -> str:
    """What differs but must be equal to resume; rates, schedules and lengths may change."""
    new = config.model_dump()

    def fixed(values: Mapping[str, Any]) -> dict[str, Any]:
        network = NetworkConfig.model_fields
        return {
            **{key: values[key] for key in ("game", "options", "rewards", "threads")},
            # Keys that are missing in older files have their defaults.
            **{
                f"network.{key}": values["network"].get(key, field.default)
                for key, field in network.items()
            },
            "ppo.tables": values["ppo"]["tables"],
        }

    before, after = fixed(old), fixed(new)
    return "; ".join(
        f"{key} was {_given(before[key])}, now {_given(after[key])}"
        for key in after
        if before[key] != after[key]
    )


def _given(value: Any) -> str:
    """A value as a configuration gives it; one kind of options needs no list."""
    single = isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict)
    return in_yaml(value[0] if single else value)


def _pack(tree: Any) -> Any:
    """NumPy arrays as tensors, which ``torch.load`` reads without unpickling objects."""
    if isinstance(tree, np.ndarray):
        # Not every torch version knows unsigned 64-bit integers.
        if tree.dtype == np.uint64:
            return {"uint64": th.from_numpy(tree.view(np.int64).copy())}
        return {"array": th.from_numpy(tree.copy())}
    if isinstance(tree, Mapping):
        return {key: _pack(value) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [_pack(value) for value in tree]
    return tree.item() if isinstance(tree, np.generic) else tree


def _unpack(tree: Any) -> Any:
    if isinstance(tree, dict):
        if set(tree) == {"array"}:
            return tree["array"].cpu().numpy()
        if set(tree) == {"uint64"}:
            return tree["uint64"].cpu().numpy().view(np.uint64)
        return {key: _unpack(value) for key, value in tree.items()}
    return [_unpack(value) for value in tree] if isinstance(tree, list) else tree


def remove_old(root: Path, newest: Path, count: int) -> None:
    """Remove all but the ``count`` newest checkpoints of a folder, and incomplete ones."""
    kept = sorted((p for p in root.glob("step-*") if p.is_dir()), reverse=True)[:count]
    for path in root.iterdir():
        if path.is_dir() and path not in kept and path != newest:
            shutil.rmtree(path, ignore_errors=True)
