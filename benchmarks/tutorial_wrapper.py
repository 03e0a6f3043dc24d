"""sb3-contrib's MaskablePPO on a PettingZoo game, in the manner of PettingZoo's tutorial.

The tutorial shows one learner a rolling agent: ``reset`` and ``step`` return the observation of
whoever moves next. It is the usual way to train on AEC games, so it is what we measure against;
that it loses the losers' rewards is another matter (see docs/training.md).
"""

from __future__ import annotations

import time
from typing import Any

import gymnasium
import numpy as np

STEPS = 4096


class RollingAgentEnv(gymnasium.Env[Any, Any]):
    """The environment as the seat that moves sees it."""

    def __init__(self, env: Any) -> None:
        self.env = env
        env.reset(seed=0)
        agent = env.possible_agents[0]
        self.observation_space = env.observation_space(agent)["observation"]
        self.action_space = env.action_space(agent)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.env.reset(seed=seed)
        return self.env.last()[0]["observation"], {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        mover = self.env.agent_selection
        self.env.step(int(action))
        observation, _, terminated, truncated, _ = self.env.last()
        reward = float(self.env.rewards[mover])
        return observation["observation"], reward, terminated, truncated, {}

    def action_masks(self) -> Any:
        return self.env.last()[0]["action_mask"].astype(np.bool_)


def maskable_ppo_rate(env: Any, steps: int = STEPS) -> float:
    """Decisions a second of ``learn``, the second time around, default hyper-parameters."""
    from sb3_contrib import MaskablePPO

    model = MaskablePPO("MlpPolicy", RollingAgentEnv(env), device="cpu")
    model.learn(2048)
    started = time.perf_counter()
    model.learn(steps, reset_num_timesteps=True)
    return steps / (time.perf_counter() - started)


def measure_training() -> list[dict[str, object]]:
    """Training rows: the tutorial's way and ours, on the same game."""
    from gangland import bench_training
    from gangland.envs import chicago_v0

    tutorial = maskable_ppo_rate(chicago_v0.env())
    ours = bench_training.measure("chicago", 20.0)
    return [
        {
            "name": "MaskablePPO, PettingZoo tutorial wrapper, gangland chicago (2 cores)",
            "decisions_per_s": tutorial,
        },
        {
            "name": "gangland self-play PPO, gangland chicago (2 cores)",
            "decisions_per_s": ours["train_per_s"],
        },
    ]
