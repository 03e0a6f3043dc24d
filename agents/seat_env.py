"""One seat of a game as a Gymnasium environment, against agents in the other seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ..envs import load
from ..envs.api.aec import GameEnv, check_seat
from ..envs.core.errors import GameOverError, ResetNeededError
from ..envs.core.game import Game
from ..envs.core.integers import as_seed
from ..envs.core.view import View
from .base import Agent
from .baseline.heuristic import has_heuristic
from .registry import make_all
from .seeds import players_key
from .table import Memories, decisions

Opponents: TypeAlias = "Sequence[Agent | str] | Agent | str | None"
"""Agents or their specs, one for every other seat in order, or one for all of them; ``None`` for
the game's heuristic, or ``random`` if it has none."""

ILLEGAL = ("raise", "random", "lose")
"""What an illegal action does; see :class:`SeatEnv`."""


def opponent_agents(game: Game, seats: int, opponents: Opponents) -> list[Agent]:
    """The agent in each of the other seats, in order; one for all seats with the same spec.

    Args:
        game: The game.
        seats: Seats at the table.
        opponents: See :data:`Opponents`.

    Raises:
        TypeError: For what is neither an agent nor a spec.
        ValueError: If their number does not fit the table.
        GanglandError: If an agent does not fit the game or cannot be made.
    """
    if opponents is None:
        opponents = "heuristic" if has_heuristic(game) else "random"
    alone = isinstance(opponents, Agent | str)
    given: Any = [opponents] * (seats - 1) if alone else opponents
    if not isinstance(given, Sequence):
        raise TypeError(
            f"opponents={opponents!r} ({type(opponents).__name__}): must be an Agent, a spec, or "
            "a list of these"
        )
    if len(given) != seats - 1:
        raise ValueError(f"opponents: {len(given)} given, must be 1 or {seats - 1}")
    return make_all(given, game)


class SeatEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """A seat's own decisions; the others are played by bots between them.

    The observation is the seat's vector, float32 of shape ``(observation_size,)``; the mask is in
    ``info["action_mask"]`` and from :meth:`action_masks`, as sb3-contrib's MaskablePPO asks for it.
    The reward is the sum of all rewards since the seat's last decision, so the rewards of a game
    sum to the seat's result, even when a rival ends it. A cap that pays nobody truncates; at any
    other end the game terminates.

    Args:
        game: The game's name.
        seat: The seat to be played; ``None`` draws one at every reset.
        opponents: Agents or their specs, one for every other seat in order, or one for all of them;
            ``None`` for the game's heuristic, or ``random`` if it has none.
        illegal: What an illegal action does: ``raise`` an error, be replaced by a ``random`` legal
            one, or ``lose``, which terminates the episode with the reward -1. For code that
            samples without the mask, the environment checkers of Gymnasium and
            Stable-Baselines3 among it, choose ``random``.
        render_mode: As for the PettingZoo environment; shows what the seat may know.
        reward: ``result`` or ``score``.
        max_cycles: As for the PettingZoo environment: its own limit, which truncates.
        history: Whether :meth:`view` holds what the seat has noticed of the game so far, which
            costs time at every decision.
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
        opponents: Opponents = None,
        illegal: str = "raise",
        render_mode: str | None = None,
        reward: str = "result",
        max_cycles: int | None = None,
        history: bool = False,
        **options: Any,
    ) -> None:
        self.game = load(game)
        n = self.game.num_players(self.game.options.resolve(options))
        seat = check_seat("seat", seat, n)
        if illegal not in ILLEGAL:
            raise ValueError(f"illegal={illegal!r}: must be one of {', '.join(ILLEGAL)}")
        self._env = GameEnv(
            self.game,
            render_mode=render_mode,
            render_seat=seat,
            reward=reward,
            max_cycles=max_cycles,
            history=history,
            **options,
        )
        self.render_mode = render_mode
        self._chosen_seat = seat
        self.seat = 0 if seat is None else seat
        self._illegal = illegal
        self._history = history
        self._forfeited = False
        self._bots = opponent_agents(self.game, n, opponents)
        self._players_key = players_key(0)
        self._memories = Memories(self.game, [], self._env.record)
        agent = self._env.possible_agents[0]
        self.observation_space = self._env.observation_space(agent)["observation"]
        self.action_space = self._env.action_space(agent)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start a game and play the bots up to the seat's first decision.

        Args:
            seed: Seed of the episodes from here on; ``None`` goes on with those that follow.
            options: Ignored; the game's options belong to the environment.

        Raises:
            IntegerError: If the seed is no integer 0 to 2**64 - 1.
        """
        super().reset(seed=None if seed is None else as_seed(seed))
        self._forfeited = False
        if self._chosen_seat is None:
            self.seat = int(self.np_random.integers(len(self._env.possible_agents)))
            self._env.render_seat = self.seat
        while True:
            # A game can end before the seat ever decides: then the next one is played.
            # The bots' key and the game's chance come from separate draws: neither follows from
            # the other.
            self._players_key = players_key(self._draw_seed())
            self._env.reset(seed=self._draw_seed())
            self._memories = Memories(self.game, self._agents, self._env.record)
            self._play_bots()
            if not self._ended:
                return self._observation(), self._info()

    def step(
        self, action: np.int64 | int
    ) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play the seat's action and the bots up to its next decision or the end.

        Raises:
            ResetNeededError: Before the first ``reset``.
            GameOverError: If the game has ended: ``reset`` starts the next one.
            IllegalActionError: If the action is not an integer, or is illegal and this environment
                raises; the message names the legal ones. Nothing is played.
        """
        if not self._env.agent_selection:
            raise ResetNeededError(self.game.name)
        if self._ended:
            raise GameOverError(f"{self.game.name}: the game is over, reset() starts the next one")
        chosen = self.game.as_action(action)
        if self._illegal != "raise":
            mask = self.action_masks()
            if not (0 <= chosen < len(mask) and mask[chosen]):
                if self._illegal == "lose":
                    self._forfeited = True
                    return self._observation(), -1.0, True, False, self._info()
                chosen = int(self.np_random.choice(np.flatnonzero(mask)))
        self._play(self.seat, chosen)
        self._play_bots()
        terminated = self._env.terminations[self._name]
        truncated = self._env.truncations[self._name]
        reward = self._env.rewards[self._name] if terminated else 0.0
        return self._observation(), reward, terminated, truncated, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Bool of shape ``(num_actions,)``: the seat's legal actions; none at the end."""
        if self._forfeited:
            return np.zeros(self.game.num_actions, np.bool_)
        mask: NDArray[np.bool_] = self._env.observe(self._name)["action_mask"].astype(np.bool_)
        return mask

    def view(self) -> View:
        """What the seat may know of the position, as agents are shown it.

        Raises:
            ResetNeededError: Before the first ``reset``.
        """
        if not self._env.agent_selection:
            raise ResetNeededError(self.game.name)
        history = self._env.history(self._name) if self._history else None
        return self.game.view(self._env.record, self.seat, history=history)

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
        over = self._env.terminations[self._name] or self._env.truncations[self._name]
        return self._forfeited or over

    def _observation(self) -> NDArray[np.float32]:
        return self._env.observe(self._name)["observation"]

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().view(np.int8)}

    @property
    def _agents(self) -> list[Agent | None]:
        """The agent of each seat, none at the seat to be played."""
        return [*self._bots[: self.seat], None, *self._bots[self.seat :]]

    def _draw_seed(self) -> int:
        return int(self.np_random.integers(2**64, dtype=np.uint64))

    def _play(self, seat: int, action: int) -> None:
        self._env.step(action)
        self._memories.see(seat, action, self._env.record)

    def _play_bots(self) -> None:
        # The environment may have a limit of its own, at which the game itself is not over.
        if self._ended:
            return
        record, key = self._env.record, self._players_key
        for seat, action in decisions(self.game, record, self._agents, key, self._memories):
            self._play(seat, action)
            if self._ended:
                return
