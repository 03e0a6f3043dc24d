"""What a search loses by not knowing what is hidden.

``python -m benchmarks.hidden_information chicago`` seats one search over a game's bot among raw
bots, twice on the same deals: with what it cannot know drawn again for each rollout, as it plays,
and with the true position, of which it redraws chance alone. Prints both win shares with
95 % intervals by deals.
"""

from __future__ import annotations

import click
import numpy as np
from numpy.typing import NDArray

from gangland.agents.search.policy_search import TOGETHER, PolicySearchAgent
from gangland.agents.search.rollouts import Rollouts
from gangland.agents.seeds import decision_seeds, players_key
from gangland.agents.table import deal
from gangland.agents.trained.policy import PolicyAgent
from gangland.arena.statistics import win_share
from gangland.envs import load
from gangland.envs.core.game import Game
from gangland.envs.core.rng import stream
from gangland.envs.core.state import States
from gangland.envs.core.view import ViewBatch


class Omniscient(PolicySearchAgent):
    """Searches from true positions.

    Attributes:
        truth: Records ``(B,)`` of the decisions that are asked for next.
    """

    truth: States

    def rollouts(self, views: ViewBatch) -> Rollouts:
        """Rollouts from :attr:`truth`."""
        return self.rollouts_from(self.truth, views, whole=True)


def play(
    game: Game, search: PolicySearchAgent, bot: PolicyAgent, games: int, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Play games with one search and raw bots, the search in each seat of a deal in turn.

    Returns:
        Int64, int64 and float64 ``(games,)``: the deal, the index of the search's role, and its
        share of the win.
    """
    options = game.options.resolve({})
    players = game.num_players(options)
    deals = np.arange(games) // players
    deal_seeds = [stream(np.uint64(seed), np.uint64(k)) for k in deals.tolist()]
    states = deal(game, options, np.array(deal_seeds, np.uint64))
    own = np.arange(games) % players
    keys = np.stack([players_key(seed, k) for k in range(games)])
    while (running := np.flatnonzero(states["over"] == 0)).size:
        seats = states["seat"][running].astype(np.int64)
        seeds = np.zeros(len(running), np.uint64)
        plies = states["ply"][running].astype(np.int64)
        decision_seeds(keys, running, plies, seats, seeds)
        views = [
            game.view(states[row], seat, int(number))
            for row, seat, number in zip(running, seats.tolist(), seeds, strict=True)
        ]
        actions = bot.decide_batch(ViewBatch.of(views)).actions
        several = np.array([len(view.legal_actions) > 1 for view in views])
        mine = np.flatnonzero((seats == own[running]) & several)
        for first in range(0, len(mine), TOGETHER):
            some = mine[first : first + TOGETHER]
            if isinstance(search, Omniscient):
                search.truth = states[running[some]].copy()
            found = search.search_batch(ViewBatch.of([views[k] for k in some.tolist()]))
            actions[some] = [result.action for result in found]
        for row, action in zip(running.tolist(), actions.tolist(), strict=True):
            game.compiled.apply(states[row], action)
    roles = np.array(game.seat_roles(options))[own]
    results = [game.result(states[k]).win_shares[own[k]] for k in range(games)]
    return deals, roles, np.array(results)


@click.command()
@click.argument("name", default="chicago")
@click.option("--budget", default="1000", show_default=True, help="Of a decision's search.")
@click.option("--games", default=200, show_default=True)
@click.option("--seed", default=0, show_default=True)
def main(name: str, budget: str, games: int, seed: int) -> None:
    """Measure one game."""
    game = load(name)
    bot = PolicyAgent(game, f"{name}/bot")
    for label, kind in (("redrawn", PolicySearchAgent), ("known", Omniscient)):
        deals, roles, shares = play(game, kind(game, f"{name}/bot?{budget}"), bot, games, seed)
        for k, role in enumerate(game.roles):
            mine = roles == k
            if mine.any():
                won = win_share(shares[:, None], mine[:, None], deals)
                click.echo(f"{name} {role}, hidden information {label}: {won.share:.1%} "
                           f"({won.low:.1%} to {won.high:.1%}), {mine.sum()} games")  # fmt: skip


if __name__ == "__main__":
    main()
