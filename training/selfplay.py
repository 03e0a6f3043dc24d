"""Self-play: rollouts from tables at which every seat learns, and an update of every role."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch as th
from stable_baselines3.common.callbacks import BaseCallback, CallbackList
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.utils import get_device

from ..agents.trained.items import item_blocks
from ..agents.trained.network import Architecture, Weights, build
from ..agents.trained.policy import load_checkpoint
from ..envs.core.game import Game
from ..envs.core.rng import stream
from .config import ConfigError, TrainConfig
from .learner.imitation import imitate
from .learner.ppo import PPO
from .processes import ALONE, Processes
from .rollout.buffer import DecisionBuffer, shard_bounds
from .rollout.collector import Collector
from .rollout.lockstep import Lockstep

MAGNET_DECISIONS = 5_000_000
"""Decisions after which the magnet becomes the policy as it is then."""


class SelfPlay:
    """Trains one network for each role of a game; all play at the same tables.

    It has what callbacks of stable-baselines3 use: ``num_timesteps``, ``logger`` and
    :meth:`get_env`. They are called once for each rollout, before it begins.

    Attributes:
        config: The training configuration.
        collector: The tables.
        learners: The learner of each role.
        logger: Where metrics are recorded, those of one role under its name if there are several.
        num_timesteps: Decisions that were learnt from.
        iteration: Number of rollouts that were learnt from.
        progress: Share of the training that was over when the last rollout ended, 0 to 1.
        magnet_at: Decisions that were learnt from when the magnet was last moved; 0 for never.
        time_used: Returns which share of the training's time is over; 0 without a time limit.

    Args:
        config: The training configuration.
        collector: The tables.
        learners: The learner of each role.
    """

    def __init__(self, config: TrainConfig, collector: Collector, learners: Sequence[PPO]) -> None:
        self.config = config
        self.collector = collector
        self.learners = learners
        self.logger = Logger(None, [])
        self.lineage: list[dict[str, Any]] = []
        self.num_timesteps = 0
        self.iteration = 0
        self.progress = 0.0
        self.magnet_at = 0
        self.time_used: Callable[[], float] = lambda: 0.0
        self._logged_timesteps = 0

    @property
    def game(self) -> Game:
        """The game that is trained."""
        return self.collector.game

    def get_env(self) -> None:
        """No environment: :attr:`collector` plays the tables."""

    def set_logger(self, logger: Logger) -> None:
        """Make all roles record their metrics with one logger."""
        self.logger = logger
        roles = self.game.roles
        for role, learner in zip(roles, self.learners, strict=True):
            learner.logger = logger if len(roles) == 1 else RoleLogger(logger, role)

    def learn(
        self, total_timesteps: int, callback: BaseCallback | Sequence[BaseCallback] = ()
    ) -> None:
        """Collect rollouts and learn from them.

        Args:
            total_timesteps: Decisions, those of a resumed training included, at which it ends.
            callback: Callbacks of stable-baselines3; one that returns False ends the training.
        """
        callbacks = callback if isinstance(callback, BaseCallback) else CallbackList(list(callback))
        callbacks.init_callback(self)  # type: ignore[arg-type]
        callbacks.on_training_start(locals(), globals())
        self._logged_timesteps = self.num_timesteps
        while self.num_timesteps < total_timesteps:
            callbacks.on_rollout_start()
            callbacks.update_locals(locals())
            if not callbacks.on_step():
                break
            self.num_timesteps += self.collector.collect(self.progress, self.num_timesteps)
            callbacks.on_rollout_end()
            by_steps = self.num_timesteps / total_timesteps
            self.progress = min(1.0, max(by_steps, self.time_used()))
            self.dump_logs()
            self.train()
        callbacks.on_training_end()

    def train(self) -> None:
        """Update every role's network from its own rollout; freeze a snapshot if it is time."""
        started = time.perf_counter()
        busiest = max(learner.decisions for learner in self.learners)
        if self._magnet_is_due():
            self.magnet_at = self.num_timesteps
            for learner in self.learners:
                learner.move_magnet()
        for learner in self.learners:
            learner.busiest = busiest
            # A standard deviation needs two decisions; the league may have played the role.
            if learner.decisions > 1:
                imitation = self.config.imitation
                if imitation is not None and self.collector.teaching:
                    imitate(learner, self.progress)
                else:
                    learner.train(self.progress)
                learner.update_average()
        self.iteration += 1
        if self.iteration % self.config.league.snapshot_every == 0:
            self.collector.add_snapshot(self.iteration, self.weights())
        self.collector.times["learning"] += time.perf_counter() - started

    def _magnet_is_due(self) -> bool:
        """Whether the imitation is over, and the magnet has stood for its time."""
        if self.config.imitation is None or self.collector.teaching:
            return False
        since = self.num_timesteps - self.magnet_at
        return self.learners[0].magnet is None or since >= MAGNET_DECISIONS

    def weights(self) -> dict[str, Weights]:
        """Weights of every role's best network, by role."""
        networks = [learner.best_network for learner in self.learners]
        return {
            role: network.weights() for role, network in zip(self.game.roles, networks, strict=True)
        }

    def dump_logs(self) -> None:
        """Write the log of a rollout: speed, time split, win share by seat, league."""
        collector = self.collector
        times = collector.take_times()
        total = sum(times.values()) or sys.float_info.epsilon
        for clock, seconds in times.items():
            self.logger.record(f"time/{clock}_share", seconds / total)
        new = self.num_timesteps - self._logged_timesteps
        self._logged_timesteps = self.num_timesteps
        self.logger.record("time/fps", new / total)
        self.logger.record("rollout/games", collector.finished_games)
        self.logger.record("rollout/ep_len_mean", collector.mean_length)
        shares = collector.take_win_shares()
        for seat in np.flatnonzero(~np.isnan(shares)):
            self.logger.record(f"league/win_share_seat_{seat}", float(shares[seat]))
        for member in collector.league.members:
            if member.weights is None:
                self.logger.record(f"league/beaten_by_{member.name}", member.strength)
        looks, differed, gained = collector.looked
        if looks:
            self.logger.record("lookahead/differs", differed / looks)
            self.logger.record("lookahead/gain", gained / looks)
        self.logger.record("league/members", len(collector.league.members))
        self.logger.record("time/iterations", self.iteration, exclude="tensorboard")
        self.logger.record("time/total_timesteps", self.num_timesteps, exclude="tensorboard")
        self.logger.dump(self.num_timesteps)


class RoleLogger(Logger):
    """Adds a role's name to the tags of one learner, where a game has several roles."""

    def __init__(self, logger: Logger, role: str) -> None:
        super().__init__(logger.dir, [])
        self._logger = logger
        self._role = role

    def record(self, key: str, value: Any, exclude: Any = None) -> None:
        """Hand the value over under the role's tag."""
        self._logger.record(f"{key}/{self._role}", value, exclude)


def make_trainer(
    config: TrainConfig, device: th.device | str = "auto", processes: Processes = ALONE
) -> SelfPlay:
    """A training run's tables and learners.

    Args:
        config: The training configuration.
        device: Where networks learn and play, as for torch, or ``auto``.
        processes: Those of the training; ``ppo.tables`` counts the tables of all of them.

    Raises:
        ConfigError: For an unknown role, observations that cannot be kept as configured, or a
            checkpoint to start from that has other layers.
        CheckpointError: If there is no such checkpoint, or it is another game's.
        OptionError: For an option that the game does not allow.
        UnknownGameError: If there is no such game.
    """
    collector = Collector(config, processes)
    game, ppo = collector.game, config.ppo
    architecture = architecture_for(config, game)
    if config.network.chances not in (0, game.max_seats):
        raise ConfigError(
            f"network.chances={config.network.chances}: must be 0 or {game.max_seats}, the most "
            f"seats of {game.name}"
        )
    start = _weights_to_start_from(config, game)
    bounds = shard_bounds(config, processes)
    where = th.device(get_device(device))
    if where.type != "cpu":
        collector.lockstep = Lockstep(collector, where)
    learners = []
    for role, name in enumerate(game.roles):
        seed = int(stream(np.uint64(config.seed), np.uint64(100 + role))) % 2**31
        buffer = DecisionBuffer(
            ppo.steps,
            architecture.observation_size,
            game.num_actions,
            tables=bounds[-1],
            seats=game.max_seats,
            bounds=bounds,
            gae_lambda=ppo.gae_lambda,
            win_probabilities=config.network.chances,
            results=config.rewards != "score",
            seed=seed + processes.rank,
        )
        learners.append(
            PPO(
                ppo,
                architecture,
                buffer,
                collector.pool,
                seed,
                where,
                start.get(name),
                processes=processes,
            )
        )
    collector.learners = learners
    trainer = SelfPlay(config, collector, learners)
    if config.start_from is not None:
        trainer.lineage = load_checkpoint(config.start_from).lineage
    return trainer


def architecture_for(config: TrainConfig, game: Game) -> Architecture:
    """The layers of one role's network.

    Raises:
        ConfigError: If ``network.items`` names a block that the game's observation does not have.
    """
    blocks = item_blocks(game)
    unknown = [name for name in config.network.items if name not in blocks]
    if unknown:
        raise ConfigError(
            f"network.items: {', '.join(unknown)}: must be among {game.name}'s blocks of several "
            f"rows: {', '.join(blocks) or 'none'}"
        )
    network = config.network.model_dump()
    return build(network, game.observation_size, game.num_actions, blocks)


def _weights_to_start_from(config: TrainConfig, game: Game) -> dict[str, Weights]:
    """Each role's weights in ``start_from``; none without it.

    Raises:
        CheckpointError: If there is no such checkpoint, or it is another game's.
        ConfigError: If it has other layers.
    """
    start = config.start_from
    if start is None:
        return {}
    found = load_checkpoint(start).fitted(game)
    theirs, ours = found.model["network"], config.network.model_dump()
    differs = [key for key in ours if ours[key] != theirs[key]]
    if differs:
        has = ", ".join(f"{key}={theirs[key]}" for key in differs)
        here = ", ".join(f"{key}={ours[key]}" for key in differs)
        keys = {f"network.{key}": theirs[key] for key in differs}
        words = [f"{key}={json.dumps(value)}" for key, value in keys.items()]
        remedy = " ".join(f"--set {shlex.quote(word)}" for word in words)
        raise ConfigError(
            f"start_from={start!r}: its network has {has}, this configuration's {here}. "
            f"Take its network: {remedy}"
        )
    return found.weights
