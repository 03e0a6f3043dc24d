"""Self-play PPO: sb3-contrib's MaskablePPO, fed by all seats of the same tables."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
import torch as th
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import VecEnv
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from ..envs.core.game import Game
from ..envs.core.rng import stream
from .buffer import DecisionBuffer, lane_bounds
from .collector import Collector
from .config import TrainConfig, value_at
from .imitation import imitate
from .network import MaskedPolicy, export_weights, policy_kwargs
from .update import update


class TableSpaces(VecEnv):
    """Shows SB3 the spaces and the number of tables. The collector does the stepping."""

    def __init__(self, game: Game, tables: int, inputs: int) -> None:
        low, high = game.observation_range
        super().__init__(
            tables,
            spaces.Box(low, high, (inputs,), np.float32),
            spaces.Discrete(game.num_actions),
        )

    def reset(self) -> NDArray[np.float32]:
        """Nothing to see here: zeros."""
        shape = self.observation_space.shape
        assert shape is not None
        return np.zeros((self.num_envs, *shape), np.float32)

    def step_async(self, actions: NDArray[Any]) -> None:
        """Not for stepping.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError("tables are stepped by gangland.training.collector.Collector")

    def step_wait(self) -> Any:
        """Not for stepping.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError("tables are stepped by gangland.training.collector.Collector")

    def close(self) -> None:
        """Nothing to close."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """One value for each table."""
        value = getattr(self, attr_name) if attr_name != "render_mode" else None
        return [value] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of this object."""
        setattr(self, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """No methods."""
        raise AttributeError(f"tables have no method {method_name!r}")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Never wrapped."""
        return [False] * self.num_envs


class SelfPlayPPO(MaskablePPO):  # type: ignore[misc]
    """MaskablePPO that learns from every seat that the current policy plays.

    Policy, optimiser, logger and callbacks are sb3-contrib's. The collection of rollouts is
    replaced, and without an accelerator the update takes the loss's gradient in one compiled pass
    (:mod:`gangland.training.update`). One learner per role of the game; the first one leads: it
    collects for all of them and trains them one after the other. Callbacks are asked once a
    rollout, before it begins.

    Attributes:
        collector: The tables.
        learners: The learners of all roles, this one first if it leads.
        average: Moving average of the policy's weights; ``None`` without averaging.
        iteration: Rollouts learnt from.
        progress: How much of the training is done, 0 to 1, besides the count of steps.

    Args:
        config: The training configuration.
        collector: The tables, shared by all roles.
        role: Index of the role that this learner plays.
        device: As for torch, or ``auto``.
    """

    rollout_buffer: DecisionBuffer  # type: ignore[assignment]
    policy: MaskedPolicy

    def __init__(
        self,
        config: TrainConfig,
        collector: Collector,
        role: int = 0,
        device: th.device | str = "auto",
    ) -> None:
        ppo = config.ppo
        seed = int(stream(np.uint64(config.seed), np.uint64(100 + role))) % 2**31
        super().__init__(
            MaskedPolicy,
            TableSpaces(collector.game, ppo.tables, collector.inputs),
            learning_rate=lambda remaining: value_at(ppo.learning_rate, 1.0 - remaining),
            clip_range=lambda remaining: value_at(ppo.clip_range, 1.0 - remaining),
            n_steps=ppo.steps,
            batch_size=ppo.batch_size,
            n_epochs=ppo.epochs,
            gamma=ppo.gamma,
            gae_lambda=ppo.gae_lambda,
            ent_coef=value_at(ppo.entropy, 0.0),
            vf_coef=ppo.value_coefficient,
            max_grad_norm=ppo.max_grad_norm,
            target_kl=ppo.target_kl,
            rollout_buffer_class=DecisionBuffer,  # type: ignore[arg-type]
            rollout_buffer_kwargs={
                "seats": collector.game.max_seats,
                "bounds": lane_bounds(config),
                "seed": seed,
            },
            policy_kwargs=policy_kwargs(config.network),
            seed=seed,
            device=device,
        )
        self.config = config
        self.collector = collector
        self.role = role
        self.learners: Sequence[SelfPlayPPO] = (self,)
        self.average: AveragedModel | None = None
        if ppo.averaging:
            follow = get_ema_multi_avg_fn(ppo.averaging)  # type: ignore[no-untyped-call]
            self.average = AveragedModel(self.policy, multi_avg_fn=follow)
        self.iteration = 0
        self.progress: Callable[[], float] = lambda: 0.0

    @property
    def best_policy(self) -> MaskedPolicy:
        """The policy that is evaluated, frozen and saved: the averaged one, if there is one."""
        return self.policy if self.average is None else cast(MaskedPolicy, self.average.module)

    def collect_rollouts(  # type: ignore[override]
        self,
        env: VecEnv,
        callback: BaseCallback,
        rollout_buffer: DecisionBuffer,
        n_rollout_steps: int,
        use_masking: bool = True,
    ) -> bool:
        """Play ``n_rollout_steps`` decisions at every table; False if a callback says to stop."""
        callback.on_rollout_start()
        callback.update_locals(locals())
        if not callback.on_step():
            return False
        for learner in self.learners:
            learner.policy.set_training_mode(False)
        self.num_timesteps += self.collector.collect(1.0 - self._current_progress_remaining)
        callback.on_rollout_end()
        return True

    def train(self) -> None:
        """Update every role's policy from its own rollout, then freeze a snapshot if it is time."""
        started = time.perf_counter()
        progress = 1.0 - self._current_progress_remaining
        for learner in self.learners:
            learner._current_progress_remaining = self._current_progress_remaining
            learner.ent_coef = value_at(self.config.ppo.entropy, progress)
            learner.logger.record("train/entropy_coefficient", learner.ent_coef)
            # A standard deviation needs two decisions; a role may have been played by the league.
            if learner.rollout_buffer.size > 1:
                if self.collector.teaching:
                    imitate(learner)
                elif learner.device.type == "cpu":
                    update(learner)
                else:
                    MaskablePPO.train(learner)
                if learner.average is not None:
                    learner.average.update_parameters(learner.policy)
        self.iteration += 1
        if self.iteration % self.config.league.snapshot_every == 0:
            self.collector.league.add_snapshot(self.iteration, self.weights())
        self.collector.times["learning"] += time.perf_counter() - started

    def weights(self) -> dict[str, dict[str, NDArray[np.float32]]]:
        """Layers of every role's best policy, by role."""
        roles = self.collector.game.roles
        return {
            roles[learner.role]: export_weights(learner.best_policy) for learner in self.learners
        }

    def dump_logs(self, iteration: int = 0) -> None:
        """Write the log of a rollout: speed, time split, win share by seat, league."""
        collector = self.collector
        times = collector.take_times()
        total = sum(times.values()) or sys.float_info.epsilon
        for clock, seconds in times.items():
            self.logger.record(f"time/{clock}_share", seconds / total)
        new = self.num_timesteps - getattr(self, "_dumped_timesteps", self._num_timesteps_at_start)
        self._dumped_timesteps = self.num_timesteps
        self.logger.record("charts/decisions_per_second", new / total)
        self.logger.record("charts/games", collector.finished_games)
        self.logger.record("charts/game_length", collector.mean_length)
        shares = collector.take_win_shares()
        for seat in np.flatnonzero(~np.isnan(shares)):
            self.logger.record(f"league/win_share_seat_{seat}", float(shares[seat]))
        for member in collector.league.slots:
            if member is not None and member.weights is None:
                self.logger.record(f"league/beaten_by_{member.name}", member.strength)
        self.logger.record("league/members", len(collector.league.members))
        super().dump_logs(iteration)

    def _update_current_progress_remaining(self, num_timesteps: int, total_timesteps: int) -> None:
        by_steps = num_timesteps / total_timesteps
        self._current_progress_remaining = 1.0 - min(1.0, max(by_steps, self.progress()))

    def _excluded_save_params(self) -> list[str]:
        return [*super()._excluded_save_params(), "average", "collector", "learners", "progress"]


class RoleLogger(Logger):
    """Adds a role's name to the tags of one learner, where a game has several roles."""

    def __init__(self, logger: Logger, role: str) -> None:
        super().__init__(logger.dir, [])
        self._logger = logger
        self._role = role

    def record(self, key: str, value: Any, exclude: Any = None) -> None:
        """Hand the value over under the role's tag."""
        self._logger.record(f"{key}/{self._role}", value, exclude)


def make_learner(config: TrainConfig, device: th.device | str = "auto") -> SelfPlayPPO:
    """The leading learner of a training run, with its tables and the other roles' learners.

    Raises:
        ConfigError: For a shaping potential that cannot be imported.
        OptionError: For an option that the game does not allow.
        UnknownGameError: If there is no such game.
    """
    collector = Collector(config)
    roles = range(len(collector.game.roles))
    learners = [SelfPlayPPO(config, collector, role, device) for role in roles]
    for learner in learners:
        learner.learners = (learner,)
    leader = learners[0]
    leader.learners = learners
    collector.learners = learners
    return leader


def set_logger(leader: SelfPlayPPO, logger: Logger) -> None:
    """Make all roles write to one logger."""
    leader.set_logger(logger)
    roles = leader.collector.game.roles
    if len(roles) > 1:
        for learner in leader.learners:
            if learner is not leader:
                learner.set_logger(RoleLogger(logger, roles[learner.role]))
