"""Writes what the page shows: a bot as ONNX, and positions from games that it plays.

python prepare.py [BOT] [--positions N] [--out FOLDER]
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from gangland.agents.baseline.random import RandomAgent
from gangland.agents.trained.policy import PolicyAgent, load_checkpoint
from gangland.envs import load
from gangland.serving.bots.onnx_export import export_onnx


def positions(bot: PolicyAgent, count: int) -> list[dict[str, object]]:
    """Decisions with something to choose, with what the bot does there."""
    game, rng = bot.game, np.random.default_rng(1)
    rest = RandomAgent(game)
    found: list[dict[str, object]] = []
    state, seed = game.new_state(0), 0
    while len(found) < count:
        if game.is_over(state):
            seed += 1
            state = game.new_state(seed)
        view = game.view(state, game.seat_to_act(state), int(rng.integers(2**63)))
        if len(view.legal_actions) > 2 and rng.random() < 0.2:
            roles = game.seat_roles(game.read_options(state))
            found.append(
                {
                    "svg": view.svg(),
                    "seat": game.seat_name(state, view.seat),
                    "role": roles[view.seat],
                    "seats": len(roles),
                    "observation": view.observation.tolist(),
                    "legal": [
                        {"id": a, "notation": view.action_text(a), "sentence": view.describe(a)}
                        for a in view.legal_actions
                    ],
                    "expected": bot.decide(view).action,
                }
            )
        agent = bot if rng.random() < 0.7 else rest
        game.apply(state, agent.decide(view).action)
    return found


def main() -> None:
    """Write ``bot.onnx`` and ``positions.json``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bot", nargs="?", default="chicago", help="checkpoint folder or name")
    parser.add_argument("--positions", type=int, default=40)
    parser.add_argument("--out", type=Path, default=Path("dist"))
    wanted = parser.parse_args()
    wanted.out.mkdir(parents=True, exist_ok=True)
    checkpoint = load_checkpoint(wanted.bot)
    export_onnx(checkpoint, wanted.out / "bot.onnx")
    game = load(checkpoint.model["game"])
    # What the file computes is the likeliest action.
    bot = PolicyAgent(game, checkpoint.folder, temperature=0.0)
    data = {
        "title": game.title,
        "actions": game.num_actions,
        "roles": list(game.roles),
        "positions": positions(bot, wanted.positions),
    }
    (wanted.out / "positions.json").write_text(json.dumps(data), encoding="utf-8")


if __name__ == "__main__":
    main()
