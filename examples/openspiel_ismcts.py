"""OpenSpiel's ISMCTS bot on a game of ours, in seat 0 against random players.

    pip install 'gangland[openspiel]'
    python examples/openspiel_ismcts.py --games 20 --simulations 50

Importing ``gangland.adapters.openspiel`` registers all games. The bot redraws what its seat cannot
know with our own sampler, which agrees with all that the seat knows.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from gangland.adapters import openspiel


def play(game: Any, bot: Any, rng: np.random.Generator) -> list[float]:
    """One game; returns what each player was paid."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, shares = zip(*state.chance_outcomes(), strict=True)
            action = rng.choice(outcomes, p=shares)
        elif state.current_player() == 0:
            action = bot.step(state)
        else:
            action = rng.choice(state.legal_actions())
        state.apply_action(int(action))
    returns: list[float] = state.returns()
    return returns


def main() -> None:
    """Play some games, and say how often the bot won."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="gangland_chicago(players=3,turn_cap=30)")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--simulations", type=int, default=50, help="per decision")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    game = pyspiel.load_game(args.game)
    bot = ismcts.ISMCTSBot(
        game,
        mcts.RandomRolloutEvaluator(1, np.random.RandomState(args.seed)),
        uct_c=1.4,
        max_simulations=args.simulations,
        random_state=np.random.RandomState(args.seed),
    )
    bot.set_resampler(openspiel.resample)
    rng = np.random.default_rng(args.seed)
    wins = sum(play(game, bot, rng)[0] > 0 for _ in range(args.games))
    print(f"{game}: ISMCTS won {wins} of {args.games} games against random players")


if __name__ == "__main__":
    main()
