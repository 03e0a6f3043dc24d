"""Speed of training compared with its upper bound and with sb3-contrib's trainer, in one run."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from itertools import pairwise
from typing import Any

from .agents.registry import shipped
from .agents.trained.policy import load_checkpoint
from .training.config import NetworkConfig, TrainConfig, load_config
from .training.measure.ceiling import selfplay_speed, torch_ceiling

ROUNDS = 3
MASKABLE_TABLES = 8


def maskable_policy_kwargs(network: NetworkConfig) -> dict[str, Any]:
    """Arguments of sb3-contrib's policy that give it the layers of one of our networks.

    Args:
        network: The network, without layer normalisation.
    """
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
    from torch import nn

    class SharedLayers(BaseFeaturesExtractor):
        """Hidden layers that policy and value share."""

        def __init__(self, observation_space: Any) -> None:
            sizes = [observation_space.shape[0], *network.shared]
            super().__init__(observation_space, sizes[-1])
            steps = [(nn.Linear(a, b), nn.ReLU()) for a, b in pairwise(sizes)]
            self.layers = nn.Sequential(*(module for step in steps for module in step))

        def forward(self, observations: Any) -> Any:
            return self.layers(observations)

    return {
        "features_extractor_class": SharedLayers,
        "net_arch": {"pi": list(network.policy), "vf": list(network.value)},
        "activation_fn": nn.ReLU,
        "normalize_images": False,
    }


def maskable_ppo_rate(config: TrainConfig) -> float:
    """Decisions a second of sb3-contrib's MaskablePPO through the single-seat environment.

    The same network, epochs and minibatches; heuristics in the other seats; one rollout of one
    minibatch for each learning step, the second one timed.
    """
    import gymnasium
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import DummyVecEnv

    from .envs.registration import gymnasium_id

    size = config.ppo.batch_size
    tables = DummyVecEnv(
        [
            lambda: gymnasium.make(gymnasium_id(config.game), disable_env_checker=True)
            for _ in range(MASKABLE_TABLES)
        ]
    )
    model = MaskablePPO(
        "MlpPolicy",
        tables,
        n_steps=size // MASKABLE_TABLES,
        batch_size=size,
        n_epochs=config.ppo.epochs,
        policy_kwargs=maskable_policy_kwargs(config.network),
        device="auto",
    )
    model.learn(size)
    started = time.perf_counter()
    model.learn(size)
    return model.num_timesteps / (time.perf_counter() - started)


CEILING = """
import sys
import torch  # before our package, which makes torch's waiting threads sleep
from gangland.training.measure.ceiling import torch_ceiling
from gangland.training.config import TrainConfig
print(torch_ceiling(TrainConfig.model_validate_json(sys.stdin.read()), float(sys.argv[1])))
"""


def spinning_ceiling(config: TrainConfig, seconds: float) -> float:
    """Decisions a second of torch alone in a process of its own, where its threads spin.

    That is faster than threads that sleep while they wait, as long as nothing else wants a core.
    """
    done = subprocess.run(
        [sys.executable, "-c", CEILING, str(seconds)],
        env={key: value for key, value in os.environ.items() if key != "OMP_WAIT_POLICY"},
        input=config.model_dump_json(),
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def pure_selfplay(config: TrainConfig) -> TrainConfig:
    """The configuration with the current policy in every seat: no opponents, no teacher.

    What they cost is the heuristics' time, not the trainer's; the configuration with them is
    measured as well.
    """
    return config.model_copy(
        update={
            "start_from": None,
            "league": config.league.model_copy(update={"share": 0.0, "baselines": []}),
            "imitation": None,
        }
    )


def with_network_of_bot(name: str) -> TrainConfig:
    """The game's recipe, with the network of its bot."""
    model = load_checkpoint(shipped(name)[-1]).model
    return load_config(name).model_copy(update={"network": NetworkConfig(**model["network"])})


def share_of(rates: list[float], ceilings: list[float]) -> float:
    """Median of the shares of pairs."""
    return statistics.median(rate / ceiling for rate, ceiling in zip(rates, ceilings, strict=True))


def measure(name: str, seconds: float = 20.0) -> dict[str, Any]:
    """Training speed of a game with its recipe, and with nothing but self-play.

    Self-play is measured with the network of that recipe and with that of the newest bot.
    Ceilings and self-play are measured in turns, as the machine's speed drifts; the share of a
    ceiling is the median of the pairs. Both ceilings have all of torch's threads: the first one
    with this project's settings, where threads sleep while they wait.
    """
    recipe = load_config(name)
    with_others = selfplay_speed(recipe, seconds / ROUNDS)
    config = pure_selfplay(recipe)
    ceilings, spinning, speeds = [], [], []
    for _ in range(ROUNDS):
        ceilings.append(torch_ceiling(config, seconds / 2 / ROUNDS))
        spinning.append(spinning_ceiling(config, seconds / 2 / ROUNDS))
        speeds.append(selfplay_speed(config, seconds / ROUNDS))
    newest = selfplay_speed(pure_selfplay(with_network_of_bot(name)), seconds)
    rates = [speed.decisions_per_second for speed in speeds]
    row: dict[str, Any] = {
        "recipe_train_per_s": with_others.decisions_per_second,
        "train_per_s": statistics.median(rates),
        "newest_train_per_s": newest.decisions_per_second,
        "ceiling_per_s": statistics.median(ceilings),
        "ceiling_share": share_of(rates, ceilings),
        "spinning_per_s": statistics.median(spinning),
        "spinning_share": share_of(rates, spinning),
        "train_time": speeds[-1].shares,
    }
    row["maskable_ppo_per_s"] = maskable_ppo_rate(config)
    row["maskable_ppo_ratio"] = row["train_per_s"] / row["maskable_ppo_per_s"]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    row["peak_mb"] = peak / (2**20 if sys.platform == "darwin" else 2**10)
    return row
