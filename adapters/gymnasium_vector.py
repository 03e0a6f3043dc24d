"""Gymnasium's ``VectorEnv`` over the batched rules.

``gymnasium.make_vec("gangland/Chicago-v0", num_envs=256, vectorization_mode="vector_entry_point")``
makes one; it is also what ``make_vec`` chooses when no mode is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ..agents.seat_env import SeatEnv
from ..envs.core.integers import MAX_SEED, shown, whole_number
from .seat_tables import SeatTables

Floats: TypeAlias = NDArray[np.float32]
Flags: TypeAlias = NDArray[np.bool_]
Steps: TypeAlias = tuple[Floats, NDArray[np.float64], Flags, Flags, dict[str, Any]]

RENDER_MODES = ["ansi", "svg", "rgb_array"]
RESET_MASK = "reset_mask"
"""Gymnasium's reset option: which tables to reset where nothing resets them by itself."""


class SeatVectorEnv(VectorEnv[Floats, NDArray[np.int64], NDArray[Any]]):
    """One seat at each of many tables, all stepped together; bots play the other seats.

    Observations, rewards, ends and infos are, number for number, those of a
    :class:`gymnasium.vector.SyncVectorEnv` over as many
    :class:`~gangland.agents.seat_env.SeatEnv`, for the same seed, arguments and autoreset mode.
    The legal actions are in ``infos["action_mask"]``, int8 ``(num_envs, num_actions)``, and, as
    bool, from :meth:`action_masks`.

    Args:
        game: The game's name.
        num_envs: Number of tables.
        autoreset_mode: What happens at a table whose game is over: ``NextStep`` (its next step
            resets it and ignores the action), ``SameStep`` (it is reset at once; the last
            observation is in ``infos["final_obs"]``) or ``Disabled`` (``reset`` with the option
            ``reset_mask`` resets it).
        render_mode: ``ansi``, ``svg``, ``rgb_array`` or ``None``; tables are shown as the seat
            sees them.
        arguments: ``seat``, ``opponents``, ``reward``, ``max_cycles`` and the game's options, as
            for ``SeatEnv``.

    Raises:
        OptionError: For an option that the game does not allow.
        ValueError: If a number, a mode, the seat or the opponents do not fit.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        **arguments: Any,
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(
                f"render_mode={shown(render_mode)}: must be None or one of {RENDER_MODES}"
            )
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.tables = SeatTables(game, num_envs, **arguments)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.metadata = {
            **SeatEnv.metadata,
            "render_modes": RENDER_MODES,
            "autoreset_mode": self.autoreset_mode,
        }
        rules = self.tables.game
        low, high = rules.observation_range
        self.single_observation_space = gymnasium.spaces.Box(
            low, high, (rules.observation_size,), np.float32
        )
        self.single_action_space = gymnasium.spaces.Discrete(rules.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Floats, dict[str, Any]]:
        """Start a game at every table, or at those of the option ``reset_mask``.

        Args:
            seed: Table ``i`` gets ``seed + i``, or the ``i``-th of a list; ``None`` continues with
                the seeds that follow from the last one.
            options: ``{"reset_mask": bool array of shape (num_envs,)}``, or nothing.

        Raises:
            ValueError: If a seed, the number of seeds or the mask does not fit.
        """
        seeds: list[int | None] | None = None
        if isinstance(seed, list | tuple):
            seeds = list(seed)
        elif seed is not None:
            first = whole_number("seed", seed, 0, MAX_SEED - self.num_envs + 1)
            seeds = [first + i for i in range(self.num_envs)]
        if seeds is not None and len(seeds) != self.num_envs:
            raise ValueError(f"seed: {len(seeds)} given, must be one or {self.num_envs}")
        if options is None or RESET_MASK not in options:
            rows = np.arange(self.num_envs)
        else:
            mask = np.asarray(options[RESET_MASK])
            if mask.dtype != np.bool_ or mask.shape != (self.num_envs,) or not mask.any():
                raise ValueError(
                    f"options[{RESET_MASK!r}]: must be bools of shape {(self.num_envs,)}, one true"
                )
            rows = np.flatnonzero(mask)
        self.tables.reset(rows, seeds)
        return self.tables.observations.copy(), self._infos(rows)

    def step(self, actions: NDArray[np.int64]) -> Steps:
        """Play the seat's action at each table, and the bots up to its next decision.

        Raises:
            GameOverError: In the mode ``Disabled``, if a table's game is over.
            IllegalActionError: Naming the first table whose action is not legal; nothing is played.
        """
        tables = self.tables
        waiting = tables.dones
        if self.autoreset_mode == AutoresetMode.NEXT_STEP and waiting.any():
            tables.step(actions, np.flatnonzero(~waiting))
            tables.reset(np.flatnonzero(waiting))
        else:
            tables.step(actions)
        rewards = tables.rewards.copy()
        terminations, truncations = tables.terminations.copy(), tables.truncations.copy()
        infos: dict[str, Any] = {}
        over = np.flatnonzero(tables.dones)
        if self.autoreset_mode == AutoresetMode.SAME_STEP and len(over):
            infos = self._final_infos(over)
            tables.reset(over)
        infos |= self._infos(np.arange(self.num_envs))
        return tables.observations.copy(), rewards, terminations, truncations, infos

    def action_masks(self) -> Flags:
        """Bool ``(num_envs, num_actions)``: legal actions; none at a table whose game is over."""
        return self.tables.action_masks.copy()

    def render(self) -> tuple[Any, ...] | None:
        """Every table as its seat sees it, by ``render_mode``."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode, given to make_vec()")
            return None
        return tuple(self._picture(i) for i in range(self.num_envs))

    def _picture(self, table: int) -> Any:
        game, seat = self.tables.game, int(self.tables.seats[table])
        view = game.view(self.tables.state(table), seat)
        if self.render_mode == "ansi":
            return view.text()
        if self.render_mode == "svg":
            return view.svg()
        from ..envs.api.raster import rgb_array

        return rgb_array(view.svg())

    def _infos(self, rows: NDArray[np.int64]) -> dict[str, Any]:
        """Masks in Gymnasium's form: an array, and which tables have an entry."""
        present = np.zeros(self.num_envs, np.bool_)
        present[rows] = True
        masks = np.where(present[:, None], self.tables.action_masks, False).astype(np.int8)
        return {"action_mask": masks, "_action_mask": present}

    def _final_infos(self, rows: NDArray[np.int64]) -> dict[str, Any]:
        last = np.full(self.num_envs, None, object)
        for row in rows.tolist():
            last[row] = self.tables.observations[row].copy()
        ended = self._infos(rows)
        mask = ended["_action_mask"]
        return {"final_obs": last, "_final_obs": mask, "final_info": ended, "_final_info": mask}
