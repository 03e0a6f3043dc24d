"""Stable-Baselines3's ``VecEnv`` over the batched rules, with masks for sb3-contrib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ..agents.seat_env import SeatEnv
from ..envs.core.errors import MissingDependencyError
from ..envs.core.integers import MAX_SEED, shown, whole_number
from .seat_tables import SeatTables

try:
    from stable_baselines3.common.vec_env import VecEnv
    from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn
except ImportError as error:
    raise MissingDependencyError(
        "gangland.adapters.sb3 needs Stable-Baselines3: pip install 'gangland[train]'"
    ) from error


class SeatVecEnv(VecEnv):
    """One seat at each of many tables, all stepped together; bots play the other seats.

    Observations, rewards, dones and infos are, number for number, those of a ``DummyVecEnv`` over
    as many :class:`~gangland.agents.seat_env.SeatEnv`, for the same seed and arguments. Finished
    tables start again at once; ``terminal_observation`` and ``TimeLimit.truncated`` are in their
    infos. MaskablePPO finds the masks by itself.

    Args:
        game: The game's name.
        num_envs: Number of tables.
        render_mode: ``rgb_array`` or ``None``; tables are shown as the seat sees them.
        arguments: ``seat``, ``opponents``, ``reward``, ``max_cycles`` and the game's options, as
            for ``SeatEnv``.

    Raises:
        OptionError: For an option that the game does not allow.
        ValueError: If a number, the seat or the opponents do not fit.
    """

    def __init__(
        self, game: str, num_envs: int, *, render_mode: str | None = None, **arguments: Any
    ) -> None:
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode={shown(render_mode)}: must be None or rgb_array")
        self.tables = SeatTables(game, num_envs, **arguments)
        self.render_mode = render_mode
        rules = self.tables.game
        low, high = rules.observation_range
        super().__init__(
            num_envs,
            gymnasium.spaces.Box(low, high, (rules.observation_size,), np.float32),
            gymnasium.spaces.Discrete(rules.num_actions),
        )
        self.metadata = SeatEnv.metadata
        self._actions = np.zeros(num_envs, np.int64)

    def reset(self) -> NDArray[np.float32]:
        """Start a game at every table, with the seeds of :meth:`seed` where there are any."""
        self.tables.reset(seeds=self._seeds)
        self.reset_infos = self._infos()
        self._reset_seeds()
        self._reset_options()
        return self.tables.observations.copy()

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seeds for the next ``reset``: table ``i`` gets ``seed + i``.

        Raises:
            IntegerError: If it is no integer of which all these are 0 to 2**64 - 1.
        """
        most = MAX_SEED - self.num_envs + 1
        return super().seed(None if seed is None else whole_number("seed", seed, 0, most))

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Keep the actions for :meth:`step_wait`."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Play them, and the bots up to the seat's next decision.

        Raises:
            IllegalActionError: Naming the first table whose action is not legal; nothing is played.
        """
        tables = self.tables
        tables.step(self._actions)
        rewards, dones = tables.rewards.astype(np.float32), tables.dones
        infos = self._infos()
        for row, info in enumerate(infos):
            info["TimeLimit.truncated"] = bool(tables.truncations[row])
        over = np.flatnonzero(dones)
        if len(over):
            for row in over.tolist():
                infos[row]["terminal_observation"] = tables.observations[row].copy()
            tables.reset(over)
            begun = self._infos()
            for row in over.tolist():
                self.reset_infos[row] = begun[row]
        return tables.observations.copy(), rewards, dones, infos

    def close(self) -> None:
        """Nothing is left to close."""

    def action_masks(self) -> NDArray[np.bool_]:
        """Bool ``(num_envs, num_actions)``: legal actions."""
        return self.tables.action_masks.copy()

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """Every table as its seat sees it: uint8 ``(height, width, 3)`` each."""
        from ..envs.api.raster import rgb_array

        game, tables = self.tables.game, self.tables
        seats = tables.seats.tolist()
        return [rgb_array(game.view(tables.state(i), s).svg()) for i, s in enumerate(seats)]

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """An attribute, the same for all tables; ``action_masks`` as a function of each.

        Raises:
            AttributeError: If there is none of this name.
        """
        rows = list(self._get_indices(indices))
        if attr_name == "action_masks":
            return [lambda row=row: self.tables.action_masks[row].copy() for row in rows]
        return [getattr(self, attr_name)] * len(rows)

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Tables have no attributes of their own.

        Raises:
            AttributeError: Always.
        """
        raise AttributeError(f"{attr_name}: tables of a SeatVecEnv have no attributes of their own")

    def env_method(
        self,
        method_name: str,
        *method_args: Any,
        indices: VecEnvIndices = None,
        **method_kwargs: Any,
    ) -> list[Any]:
        """Call a method for each table: ``action_masks``, or one of this object's.

        Raises:
            AttributeError: If there is none of this name.
        """
        methods = self.get_attr(method_name, indices)
        return [method(*method_args, **method_kwargs) for method in methods]

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: Any = None
    ) -> list[bool]:
        """No table is wrapped."""
        return [False for _ in self._get_indices(indices)]

    def _infos(self) -> list[dict[str, Any]]:
        masks = self.tables.action_masks.astype(np.int8)
        return [{"action_mask": masks[row]} for row in range(self.num_envs)]
