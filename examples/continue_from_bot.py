"""Continue the training of a shipped bot, and see whether the result wins among copies of it.

    pip install 'gangland[train]'
    python examples/continue_from_bot.py --game chicago --steps 2000000 --set ppo.clip_range=0.1

``gangland train GAME --set start_from=BOT`` is the same from the command line.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from gangland.agents.registry import shipped
from gangland.arena import play_table
from gangland.envs import load
from gangland.training.config import load_config
from gangland.training.run import Status, train


def main() -> None:
    """Train, with a line of progress, and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="chicago")
    parser.add_argument("--steps", type=int, default=2_000_000, help="decisions to learn from")
    parser.add_argument(
        "--set", action="append", default=[], help="any key of configs/selfplay.yaml"
    )
    parser.add_argument("--games", type=int, default=1000, help="games of the comparison")
    parser.add_argument("--out", type=Path, default=Path("runs/continued"))
    args = parser.parse_args()

    bot = shipped(args.game)[-1]
    # Self-play begins at once: with weights to start from, nobody is imitated.
    config = load_config(args.game, [f"start_from={bot}", f"steps={args.steps}", *args.set])

    def report(status: Status) -> None:
        print(f"\r{status.progress:4.0%} {status.steps:,} decisions", end="", flush=True)

    outcome = train(config, args.out, report=report)
    game = load(args.game)
    others = game.num_players(game.options.resolve({})) - 1
    new = f"ppo:{outcome.folder}"
    win = play_table(game, [new, *[f"ppo:{bot}"] * others], args.games).of(new).win
    print(f"\n{new} wins {win.share:.1%} ({win.low:.1%} to {win.high:.1%}) with {others} of {bot}")


if __name__ == "__main__":
    main()
