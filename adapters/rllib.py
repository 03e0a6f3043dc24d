"""RLlib's ``MultiAgentEnv``: every seat is an agent, with action masks, one policy for each role.

Observations are what RLlib's ``ActionMaskingTorchRLModule`` reads: a dictionary of
``observations`` and ``action_mask``, both float32.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ..envs import load
from ..envs.api.aec import GameEnv
from ..envs.core.errors import IllegalActionError, MissingDependencyError

try:
    from ray.rllib.env.multi_agent_env import MultiAgentEnv
except ImportError as error:
    raise MissingDependencyError(
        "gangland.adapters.rllib needs RLlib: pip install 'gangland[rllib]'"
    ) from error

EVERYBODY = "__all__"
Observed = dict[str, dict[str, NDArray[np.float32]]]
Stepped = tuple[Observed, dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]


class RllibEnv(MultiAgentEnv):  # type: ignore[misc]
    """A table of one game; one agent decides at a time.

    Only the deciding agent is observed. At the end everybody is observed and paid, those who did
    not decide last among them.

    Attributes:
        table: The PettingZoo environment.

    Args:
        config: ``game`` (a name), and what else
            :class:`~gangland.envs.api.aec.GameEnv` takes: ``reward``, ``max_cycles`` and the game's
            options.

    Raises:
        OptionError: For an option that the game does not allow.
        ValueError: For an unknown reward or cycle limit.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        arguments = dict(config)
        self.table = GameEnv(load(arguments.pop("game", "chicago")), **arguments)
        self.possible_agents = list(self.table.possible_agents)
        self.agents = list(self.possible_agents)
        game = self.table.game
        low, high = game.observation_range
        space = gymnasium.spaces.Dict(
            {
                "observations": gymnasium.spaces.Box(
                    low, high, (game.observation_size,), np.float32
                ),
                "action_mask": gymnasium.spaces.Box(0.0, 1.0, (game.num_actions,), np.float32),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = dict.fromkeys(
            self.possible_agents, gymnasium.spaces.Discrete(game.num_actions)
        )
        super().__init__()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Start a game; the first agent is observed."""
        self.table.reset(seed=seed)
        return self._seen([self.table.agent_selection]), {}

    def step(self, action_dict: Mapping[str, int]) -> Stepped:
        """Play the deciding agent's action.

        Raises:
            IllegalActionError: If it is illegal, or not the deciding agent's alone.
        """
        table, mover = self.table, self.table.agent_selection
        if set(action_dict) != {mover}:
            raise IllegalActionError(
                f"{table.game.name}: actions of {sorted(action_dict)}, must be of {mover!r} alone"
            )
        table.step(table.game.as_action(action_dict[mover]))
        terminated = any(table.terminations.values())
        truncated = any(table.truncations.values())
        over = terminated or truncated
        agents = self.possible_agents if over else [table.agent_selection]
        paid = {agent: float(table.rewards[agent]) for agent in agents}
        ended = dict.fromkeys(agents, terminated) | {EVERYBODY: terminated}
        cut = dict.fromkeys(agents, truncated) | {EVERYBODY: truncated}
        return self._seen(agents), paid, ended, cut, {}

    def render(self) -> Any:
        """The table, by the render mode of the configuration."""
        return self.table.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self.table.close()

    def _seen(self, agents: list[str]) -> Observed:
        seen = {}
        for agent in agents:
            observed = self.table.observe(agent)
            seen[agent] = {
                "observations": observed["observation"],
                "action_mask": observed["action_mask"].astype(np.float32),
            }
        return seen


def policies(config: Mapping[str, Any]) -> tuple[list[str], Callable[..., str]]:
    """One policy for each role, as ``AlgorithmConfig.multi_agent`` takes them.

    Args:
        config: As for :class:`RllibEnv`.

    Returns:
        Names of the policies, and the function that maps an agent to its own.
    """
    table = RllibEnv(config).table
    roles = table.game.seat_roles(table.options)
    played = {
        agent: table.game.roles[role]
        for agent, role in zip(table.possible_agents, roles, strict=True)
    }

    def policy_of(agent: str, *_: Any, **__: Any) -> str:
        return played[agent]

    return sorted(set(played.values())), policy_of
