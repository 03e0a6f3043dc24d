"""Checks ``trainer.pt`` against the run to be resumed: names, shapes, types and ranges.

Compiled code reads the arrays without looking at bounds, and the league's members are made by
name. The positions of the tables are checked in what all games share, not in what is a game's own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch as th
from numpy.typing import NDArray

from ..agents.trained.model_file import CheckpointError
from ..envs.api.vec import VecTables
from .rollout.buffer import DecisionBuffer
from .rollout.tables import ABSENT
from .rollout.trajectories import OPEN

if TYPE_CHECKING:
    from .learner.ppo import PPO
    from .rollout.collector import Collector
    from .selfplay import SelfPlay


def own_tables(trainer: SelfPlay, state: Mapping[str, Any]) -> Any:
    """This process's tables in a state; ``None`` if another number of processes wrote it."""
    processes = trainer.collector.processes
    tables = state["tables"]
    return tables[processes.rank] if len(tables) == processes.size else None


def check_trainer_state(state: Any, trainer: SelfPlay) -> None:
    """Make sure that a state can be loaded into a run.

    Args:
        state: What :func:`~gangland.training.checkpoint.trainer_state` wrote.
        trainer: The training to be resumed.

    Raises:
        CheckpointError: Naming the first thing that is wrong, and what it must be.
    """
    like = {
        "steps": 0,
        "iteration": 0,
        "seconds": 0.0,
        "progress": 0.0,
        "magnet_at": 0,
        "tables": ...,
        "collector": ...,
        "learners": [...] * len(trainer.learners),
    }
    _same(state, like, "")
    _require(state["steps"] >= 0 and state["iteration"] >= 0, "steps, iteration", "at least 0")
    for index, learner in enumerate(trainer.learners):
        _check_learner(state["learners"][index], learner, f"learners.{index}")
    _check_collector(state["collector"], trainer.collector, "collector")
    _require(isinstance(state["tables"], list), "tables", "a list")
    tables = own_tables(trainer, state)
    if tables is not None:
        slots = len(state["collector"]["league"]["members"])
        where = f"tables.{trainer.collector.processes.rank}"
        buffers = [{"open": ..., "rng": ""}] * len(trainer.learners)
        _same(tables, {"workers": ..., "buffers": buffers}, where)
        _check_workers(tables["workers"], trainer.collector, slots, f"{where}.workers")
        for index, learner in enumerate(trainer.learners):
            kept = tables["buffers"][index]["open"]
            _check_buffer(kept, learner.buffer, f"{where}.buffers.{index}.open")


def _check_learner(kept: Any, learner: PPO, where: str) -> None:
    parts = ["network", "magnet", "optimizer", "updates"]
    _require(
        isinstance(kept, Mapping) and kept.keys() >= set(parts), where, f"a part each: {parts}"
    )
    _same(kept["network"], learner.network.state_dict(), f"{where}.network")
    if kept["magnet"] is not None:
        _same(kept["magnet"], learner.network.state_dict(), f"{where}.magnet")
    if learner.average is not None and kept.get("average") is not None:
        _same(kept["average"], learner.average.state_dict(), f"{where}.average")
    _same(kept["updates"], 0, f"{where}.updates")
    _check_optimizer(kept["optimizer"], learner, f"{where}.optimizer")


def _check_optimizer(kept: Any, learner: PPO, where: str) -> None:
    optimizer = learner.optimizer
    _same(kept, {"state": ..., "param_groups": [...]}, where)
    group, like = kept["param_groups"][0], optimizer.state_dict()["param_groups"][0]
    _require(isinstance(group, Mapping) and "params" in group, f"{where}.param_groups", "a mapping")
    for key in like.keys() & group.keys():  # Versions of torch differ in what they keep.
        _same(group[key], like[key], f"{where}.param_groups.0.{key}")
    _require(list(group["params"]) == like["params"], f"{where}.params", f"{like['params']}")
    parameters = optimizer.param_groups[0]["params"]
    _require(isinstance(kept["state"], Mapping), f"{where}.state", "a mapping")
    for index, values in kept["state"].items():
        known = isinstance(index, int) and 0 <= index < len(parameters)
        _require(known, f"{where}.state.{index!r}", f"a parameter 0..{len(parameters) - 1}")
        moment = parameters[index].detach()
        wanted = {"step": th.zeros(()), "exp_avg": moment, "exp_avg_sq": moment}
        _same(values, wanted, f"{where}.state.{index}")


def _check_buffer(kept: Any, buffer: DecisionBuffer, where: str) -> None:
    _same(kept, {**dict.fromkeys(buffer.per_decision, ...), "last": buffer.last}, where)
    last: NDArray[np.int64] = kept["last"]
    open_ones = np.sort(last[last >= 0])
    rows = len(open_ones)
    allowed = f"{OPEN} or the rows of the open decisions, each once"
    in_range = (last >= OPEN).all() and np.array_equal(open_ones, np.arange(rows))
    _require(bool(in_range), f"{where}.last", allowed)
    for name, array in buffer.per_decision.items():
        _same(kept[name], np.zeros((rows, *array.shape[1:]), array.dtype), f"{where}.{name}")
    actions = kept["actions"]
    most = buffer.masks.shape[1] - 1
    in_range = (actions >= 0).all() and (actions <= most).all()
    _require(bool(in_range), f"{where}.actions", f"0..{most}")


def _check_collector(kept: Any, collector: Collector, where: str) -> None:
    like = {
        "league": ...,
        "seat_wins": collector.seat_wins,
        "seat_games": collector.seat_games,
        "finished_games": 0,
        "mean_length": 0.0,
    }
    _same(kept, like, where)
    _check_league(kept["league"], collector, f"{where}.league")


def _check_workers(kept: Any, collector: Collector, slots: int, where: str) -> None:
    _same(kept, [{"group": ..., "rng": ""}] * len(collector.workers), where)
    for index, worker in enumerate(collector.workers):
        group, at = kept[index]["group"], f"{where}.{index}"
        controllers = worker.group.controllers
        _same(group, {"kinds": [...] * len(worker.group.kinds), "controllers": controllers}, at)
        given = group["controllers"]
        seated = worker.group.roles != ABSENT
        in_range = (given[seated] >= 0).all() and (given <= slots).all()
        allowed = f"0..{slots} at seats that are taken, {ABSENT} at others"
        _require(in_range and (given[~seated] == ABSENT).all(), f"{at}.controllers", allowed)
        for number, tables in enumerate(worker.group.kinds):
            _check_tables(group["kinds"][number], tables, f"{at}.kinds.{number}")


def _check_tables(kept: Any, tables: VecTables, where: str) -> None:
    _same(kept, tables.snapshot(), where)
    game = tables.game
    states = np.frombuffer(kept["states"].tobytes(), game.dtype)
    sound = (
        (states["over"] == 0)
        & (states["num_seats"] == tables.num_seats)
        & (states["seat"] >= 0)
        & (states["seat"] < tables.num_seats)
        & (states["phase"] >= 0)
        & (states["phase"] < len(game.phases))
    )
    options = all(game.read_options(state) == tables.options for state in states)
    _require(bool(sound.all()) and options, f"{where}.states", "games with the run's own options")


def _check_league(kept: Any, collector: Collector, where: str) -> None:
    _same(kept, {"members": ..., "seated": 0}, where)
    members = kept["members"]
    _require(isinstance(members, list), f"{where}.members", "a list")
    for index, member in enumerate(members):
        _check_member(member, collector, f"{where}.members.{index}")
    slots = [at for at, member in enumerate(members, 1) if member["weights"] is not None] or [0]
    fits = kept["seated"] in slots
    _require(fits, f"{where}.seated", f"one of {', '.join(map(str, slots))}")


def _check_member(kept: Any, collector: Collector, where: str) -> None:
    from ..agents.baseline.heuristic import specs_of

    like = {"name": "", "weights": ..., "wins": 0.0, "games": 0.0}
    _same(kept, like, where)
    _require(kept["games"] > 0.0, f"{where}.games", "more than 0")
    if kept["weights"] is None:
        own = collector.config.opponents()
        known = list(dict.fromkeys(["random", *specs_of(collector.game), *own]))
        _require(kept["name"] in known, f"{where}.name", f"one of {', '.join(known)}")
        return
    shapes = collector.learners[0].network.architecture.shapes
    like = {
        role: {name: np.broadcast_to(np.float32(0.0), shape) for name, shape in shapes.items()}
        for role in collector.game.roles
    }
    _same(kept["weights"], like, f"{where}.weights")


def _same(kept: Any, like: Any, where: str) -> None:
    """Refuse a value whose structure differs from ``like``; ``...`` in it stands for anything."""
    if like is ...:
        return
    if isinstance(like, (np.ndarray, th.Tensor)):
        _same_array(kept, like, where)
    elif isinstance(like, Mapping):
        fits = isinstance(kept, Mapping) and kept.keys() == like.keys()
        _require(fits, where, f"a mapping with the keys {', '.join(map(str, like))}")
        for key, value in like.items():
            _same(kept[key], value, f"{where}.{key}".lstrip("."))
    elif isinstance(like, Sequence) and not isinstance(like, str):
        fits = isinstance(kept, Sequence) and len(kept) == len(like)
        _require(fits, where, f"a list of {len(like)}")
        for index, value in enumerate(like):
            _same(kept[index], value, f"{where}.{index}")
    elif isinstance(like, float):
        fits = isinstance(kept, (int, float)) and not isinstance(kept, bool)
        _require(fits and math.isfinite(kept), where, "a finite number")
    else:
        _require(type(kept) is type(like), where, f"of type {type(like).__name__}")


def _same_array(kept: Any, like: Any, where: str) -> None:
    wanted = f"{like.dtype} of shape {tuple(like.shape)}"
    fits = isinstance(kept, th.Tensor if isinstance(like, th.Tensor) else np.ndarray)
    fits = fits and kept.dtype == like.dtype and tuple(kept.shape) == tuple(like.shape)
    _require(fits, where, wanted)
    numbers = th.isfinite(kept) if isinstance(kept, th.Tensor) else np.isfinite(kept)
    _require(bool(numbers.all()), where, f"{wanted}, all of it finite")


def _require(fits: bool, where: str, allowed: str) -> None:
    if not fits:
        raise CheckpointError(f"{where or 'trainer state'} is damaged: must be {allowed}")
