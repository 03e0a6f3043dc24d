"""sb3-contrib's MaskablePPO by self-play: its earlier selves sit in the other seats.

    pip install 'gangland[train]'
    python examples/sb3_maskable_ppo.py --steps 200000
    python examples/sb3_maskable_ppo.py --steps 200000 --opponents heuristic

``SeatVecEnv`` steps all tables together; MaskablePPO finds the legal actions by itself. The reward
is the seat's result at the end of a game: 1 for a win, -0.25 for each of four losers.
"""

from __future__ import annotations

import argparse
from copy import deepcopy
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecMonitor

from gangland.adapters.sb3 import SeatVecEnv
from gangland.agents import BatchAgent, Decisions
from gangland.arena import play_table
from gangland.envs import load


class Learned(BatchAgent):
    """The policy of a model as an agent: it draws its actions."""

    spec = "learned"
    needs_records = False

    def __init__(self, policy: Any = None) -> None:
        self.policy = policy

    @torch.no_grad()
    def decide_batch(self, views: Any) -> Decisions:
        seen = torch.from_numpy(views.observations)
        policy = self.policy.get_distribution(seen, action_masks=views.masks)
        shares = policy.distribution.probs.double().numpy().cumsum(1)
        # A decision's seed is all the randomness that an agent may use.
        drawn = (views.seeds >> np.uint64(11)) * 2.0**-53 * shares[:, -1]
        return Decisions((shares > drawn[:, None]).argmax(1))


class SelfPlay(BaseCallback):
    """Gives the oldest of the opponents the policy as it is now, every few rollouts."""

    def __init__(self, model: MaskablePPO, opponents: list[Learned], every: int) -> None:
        super().__init__()
        self.opponents, self.every, self.rollouts = opponents, every, 0
        for opponent in opponents:
            opponent.policy = deepcopy(model.policy)

    def _on_rollout_end(self) -> None:
        self.rollouts += 1
        if self.rollouts % self.every == 0:
            oldest = self.opponents[self.rollouts // self.every % len(self.opponents)]
            oldest.policy.load_state_dict(self.model.policy.state_dict())

    def _on_step(self) -> bool:
        return True


def main() -> None:
    """Train, and say how often one seat wins before and after."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="chicago")
    parser.add_argument("--opponents", help="an agent spec in place of earlier selves")
    parser.add_argument("--rivals", default="heuristic", help="of the evaluations, likewise")
    parser.add_argument("--tables", type=int, default=32)
    parser.add_argument("--steps", type=int, default=200_000)
    parser.add_argument("--every", type=int, default=4, help="rollouts between two earlier selves")
    parser.add_argument("--games", type=int, default=400, help="games of each evaluation")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    game = load(args.game)
    others = game.num_players(game.options.resolve({})) - 1
    selves = [Learned() for _ in range(others)]
    # The seat is drawn again for every game, so that the policy learns all of them.
    env = SeatVecEnv(args.game, args.tables, seat=None, opponents=args.opponents or selves)
    env.seed(args.seed)
    model = MaskablePPO(
        "MlpPolicy",
        VecMonitor(env),
        n_steps=128,
        batch_size=1024,
        n_epochs=4,
        gamma=1.0,
        ent_coef=0.01,
        seed=args.seed,
        device="cpu",
        verbose=1,
    )

    def win_share() -> float:
        table: list[Any] = [Learned(model.policy), *[args.rivals] * others]
        return play_table(game, table, args.games).of("learned").win.share

    before = win_share()
    model.learn(args.steps, None if args.opponents else SelfPlay(model, selves, args.every))
    print(
        f"{args.game}, one seat against {args.rivals}: {before:.1%} before, {win_share():.1%} after"
    )


if __name__ == "__main__":
    main()
