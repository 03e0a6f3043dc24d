"""RLlib's PPO by self-play: every seat learns, one policy for each role, illegal actions masked.

    pip install 'gangland[rllib]'
    python examples/rllib_ppo.py --game chicago --option players=2 --minutes 1

The arena says how often the learned policies win, one seat of each role against random players.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

from gangland.adapters.rllib import RllibEnv, policies
from gangland.agents import BatchAgent, Decisions
from gangland.arena import play_table
from gangland.envs import load


class Learned(BatchAgent):
    """The learned policies as an agent of the arena: it draws its actions."""

    spec = "rllib"
    needs_records = False

    def __init__(self, modules: list[Any]) -> None:
        self.modules = modules

    @torch.no_grad()
    def decide_batch(self, views: Any) -> Decisions:
        actions = np.zeros(len(views), np.int64)
        for role, module in enumerate(self.modules):
            rows = np.flatnonzero(views.roles == role)
            if not len(rows):
                continue
            seen = {
                "observations": torch.from_numpy(views.observations[rows]),
                "action_mask": torch.from_numpy(views.masks[rows].astype(np.float32)),
            }
            logits = module.forward_inference({"obs": seen})["action_dist_inputs"]
            shares = logits.double().softmax(1).numpy().cumsum(1)
            # A decision's seed is all the randomness that an agent may use.
            drawn = (views.seeds[rows] >> np.uint64(11)) * 2.0**-53 * shares[:, -1]
            actions[rows] = (shares > drawn[:, None]).argmax(1)
        return Decisions(actions)


def configuration(settings: dict[str, Any], batch: int) -> PPOConfig:
    """PPO in this process, with a policy for each role."""
    names, policy_of = policies(settings)
    specs = {
        name: RLModuleSpec(
            module_class=ActionMaskingTorchRLModule,
            model_config={"fcnet_hiddens": [128, 128], "fcnet_activation": "tanh"},
        )
        for name in names
    }
    return (
        PPOConfig()
        # RLlib's checker would draw actions without the mask, which the rules refuse.
        .environment(RllibEnv, env_config=settings, disable_env_checking=True)
        .env_runners(num_env_runners=0, num_envs_per_env_runner=16)
        .learners(num_learners=0)
        .multi_agent(policies=set(names), policy_mapping_fn=policy_of)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=specs))
        .training(
            train_batch_size_per_learner=batch,
            minibatch_size=min(512, batch),
            num_epochs=6,
            lr=7e-4,
            gamma=1.0,
            lambda_=0.95,
            entropy_coeff=0.01,
            vf_loss_coeff=0.5,
        )
        .debugging(log_level="ERROR", seed=1)
    )


def win_shares(algorithm: Any, settings: dict[str, Any], games: int) -> dict[str, float]:
    """How often the policy of each role wins a seat against random players."""
    options = {key: value for key, value in settings.items() if key != "game"}
    game = load(settings["game"])
    roles = game.seat_roles(game.options.resolve(options))
    modules = [algorithm.get_module(name) for name in game.roles]
    shares = {}
    for role in sorted(set(roles)):
        players: list[Any] = ["random"] * len(roles)
        players[roles.index(role)] = Learned(modules)
        result = play_table(game, players, games, seed=1, **options)
        shares[game.roles[role]] = result.of("rllib").win.share
    return shares


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="chicago")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--batch", type=int, default=4000, help="decisions between two updates")
    parser.add_argument("--games", type=int, default=300, help="games of each evaluation")
    args = parser.parse_args()

    settings: dict[str, Any] = {"game": args.game}
    for name, _, value in (text.partition("=") for text in args.option):
        settings[name] = int(value) if value.isdecimal() else value
    # "local": not a cluster that runs, or once ran, on this machine.
    ray.init("local", include_dashboard=False, num_cpus=1, log_to_driver=False)
    algorithm = configuration(settings, args.batch).build_algo()
    print(f"before: {win_shares(algorithm, settings, args.games)}")
    started = time.perf_counter()
    while (passed := time.perf_counter() - started) < 60.0 * args.minutes:
        result = algorithm.train()
        decisions = result["env_runners"]["num_env_steps_sampled_lifetime"]
        print(f"{passed:5.0f} s, {decisions:9,.0f} decisions", flush=True)
    print(f"after: {win_shares(algorithm, settings, args.games)}")
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
