"""One seat of a game as a Gymnasium environment, against agents in the other seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ..envs import load
from ..envs.api.aec import GameEnv
from ..envs.core.errors import GameOverError
from ..envs.core.game import Game
from .base import Agent
from .baseline.heuristic import has_heuristic
from .registry import make
from .seeds import players_key
from .table import decisions


def opponent_specs(game: Game, seats: int, opponents: Sequence[str] | str | None) -> list[str]:
    """The spec of the agent in each of the other seats, in order.

    Args:
        game: The game.
        seats: Seats at the table.
        opponents: One spec for every other seat, or one for all of them; ``None`` for the game's
            heuristic, or ``random`` if it has none.

    Raises:
        ValueError: If their number does not fit the table.
    """
    if opponents is None:
        opponents = "heuristic" if has_heuristic(game) else "random"
    specs = [opponents] * (seats - 1) if isinstance(opponents, str) else list(opponents)
    if len(specs) != seats - 1:
        raise ValueError(f"opponents: {len(specs)} given, must be 1 or {seats - 1}")
    return specs


class SeatEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """A seat's own decisions; the others are played by bots between them.

    The observation is the seat's vector, float32 of shape ``(observation_size,)``; the mask is in
    ``info["action_mask"]`` and from :meth:`action_masks`, as sb3-contrib's MaskablePPO asks for it.
    The reward is the sum of all rewards since the seat's last decision, so the rewards of a game
    sum to the seat's result, even when a rival ends it. A cap that pays nobody truncates; at any
    other end the game terminates. An illegal action raises.

    Args:
        game: The game's name.
        seat: The seat to be played; ``None`` draws one at every reset.
        opponents: Agent specs, one for every other seat in order, or one for all of them; ``None``
            for the game's heuristic, or ``random`` if it has none.
        render_mode: As for the PettingZoo environment; shows what the seat may know.
        reward: ``result`` or ``score``.
        max_cycles: As for the PettingZoo environment: its own limit, which truncates.
        options: The game's options.

    Raises:
        OptionError: For an option that the game does not allow.
        ValueError: If the seat or the number of opponents does not fit the table.
    """

    metadata: dict[str, Any] = GameEnv.metadata

    def __init__(
        self,
        game: str,
        *,
        seat: int | None = 0,
        opponents: Sequence[str] | str | None = None,
        render_mode: str | None = None,
        reward: str = "result",
        max_cycles: int | None = None,
        **options: Any,
    ) -> None:
        self.game = load(game)
        n = self.game.num_players(self.game.options.resolve(options))
        if seat is not None and seat not in range(n):
            raise ValueError(f"seat={seat!r}: must be None or 0..{n - 1}")
        self._env = GameEnv(
            self.game,
            render_mode=render_mode,
            render_seat=seat,
            reward=reward,
            max_cycles=max_cycles,
            **options,
        )
        self.render_mode = render_mode
        self._chosen_seat = seat
        self.seat = 0 if seat is None else seat
        specs = opponent_specs(self.game, n, opponents)
        self._bots: list[Agent] = [make(spec, self.game) for spec in specs]
        self._players_key = players_key(0)
        agent = self._env.possible_agents[0]
        self.observation_space = self._env.observation_space(agent)["observation"]
        self.action_space = self._env.action_space(agent)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start a game and play the bots up to the seat's first decision."""
        super().reset(seed=seed)
        if self._chosen_seat is None:
            self.seat = int(self.np_random.integers(len(self._env.possible_agents)))
            self._env.render_seat = self.seat
        while True:
            # A game can end before the seat ever decides: then the next one is played.
            # The bots' key and the game's chance come from separate draws: neither follows from
            # the other.
            self._players_key = players_key(self._draw_seed())
            self._env.reset(seed=self._draw_seed())
            self._play_bots()
            if not self._ended:
                return self._observation(), self._info()

    def step(
        self, action: np.int64 | int
    ) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play the seat's action and the bots up to its next decision or the end.

        Raises:
            GameOverError: If the game has ended: ``reset`` starts the next one.
            IllegalActionError: If the action is not an integer, or is illegal; the message names
                the legal ones. Nothing is played.
        """
        if self._ended:
            raise GameOverError(f"{self.game.name}: the game is over, reset() starts the next one")
        self._env.step(self.game.as_action(action))
        self._play_bots()
        terminated = self._env.terminations[self._name]
        truncated = self._env.truncations[self._name]
        reward = self._env.rewards[self._name] if terminated else 0.0
        return self._observation(), reward, terminated, truncated, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Bool of shape ``(num_actions,)``: the seat's legal actions."""
        mask: NDArray[np.bool_] = self._env.observe(self._name)["action_mask"].astype(np.bool_)
        return mask

    def render(self) -> Any:
        """The table as the seat sees it."""
        return self._env.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self._env.close()

    @property
    def _name(self) -> str:
        return self._env.possible_agents[self.seat]

    @property
    def _ended(self) -> bool:
        return self._env.terminations[self._name] or self._env.truncations[self._name]

    def _observation(self) -> NDArray[np.float32]:
        return self._env.observe(self._name)["observation"]

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._env.observe(self._name)["action_mask"]}

    def _draw_seed(self) -> int:
        return int(self.np_random.integers(2**64, dtype=np.uint64))

    def _play_bots(self) -> None:
        # The environment may have a limit of its own, at which the game itself is not over.
        if self._ended:
            return
        agents: list[Agent | None] = [*self._bots]
        agents.insert(self.seat, None)
        for _, action in decisions(self.game, self._env.record, agents, self._players_key):
            self._env.step(action)
            if self._ended:
                return
