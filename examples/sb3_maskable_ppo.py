"""sb3-contrib's MaskablePPO on one seat of a game, with bots in the others.

    pip install 'gangland[train]'
    python examples/sb3_maskable_ppo.py --steps 200000

``SeatVecEnv`` steps all tables together; MaskablePPO finds the legal actions by itself. The reward
is the seat's result at the end of a game: 1 for a win, -0.25 for each of four losers.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.vec_env import VecMonitor

from gangland.adapters.sb3 import SeatVecEnv


def win_share(model: Any, env: Any, games: int) -> float:
    """Share of games that the model wins."""
    won: list[bool] = []
    observations = env.reset()
    while len(won) < games:
        actions, _ = model.predict(observations, action_masks=get_action_masks(env))
        observations, rewards, dones, _ = env.step(actions)
        won += (rewards[dones] > 0).tolist()
    return float(np.mean(won[:games]))


def main() -> None:
    """Train, and say how often the seat wins before and after."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="chicago")
    parser.add_argument("--opponents", default="random", help="an agent spec for the other seats")
    parser.add_argument("--tables", type=int, default=32)
    parser.add_argument("--steps", type=int, default=200_000)
    parser.add_argument("--games", type=int, default=400, help="games of each evaluation")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    # The seat is drawn anew for every game, so that the policy learns all of them.
    env = SeatVecEnv(args.game, args.tables, seat=None, opponents=args.opponents)
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
    judge = SeatVecEnv(args.game, 32, seat=None, opponents=args.opponents)
    before = win_share(model, judge, args.games)
    model.learn(args.steps)
    after = win_share(model, judge, args.games)
    print(f"{args.game}, one seat against {args.opponents}: {before:.1%} before, {after:.1%} after")


if __name__ == "__main__":
    main()
