"""What a search believes of hidden hands, beside what is true.

``python benchmarks/search_beliefs.py`` stops games of five of each newest bot at a random decision
and plays them to the end by the bot's own policy: from positions drawn as a search draws them, all
that the seat cannot know anew, and from the position itself. Were drawn positions like real ones,
the seat would win as often from both. Writes ``docs/ladder/beliefs.json``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from gangland.agents.registry import make
from gangland.agents.search.policy_search import PolicySearchAgent
from gangland.agents.search.rollouts import Rollouts
from gangland.envs import load
from gangland.envs.core.game import Game
from gangland.envs.core.state import State, States
from gangland.envs.core.view import Detail, View

OUT = Path(__file__).resolve().parent.parent / "docs" / "ladder" / "beliefs.json"
BOTS = {
    "gangsters": "gangsters/v6",
    "five_points": "five_points/v3",
    "crime_lords": "crime_lords/v5",
    "chicago": "chicago/v2",
}
BATCH = 256
"""Rollouts that advance in step."""
ENDLESS = 1_000_000
"""Decisions that no game reaches."""


def stopped(game: Game, bot: PolicySearchAgent, rng: np.random.Generator) -> tuple[Any, View]:
    """A position of a game of the bot's policy with itself, and the view of who decides there."""
    while True:
        state = game.new_state(int(rng.integers(2**31)))
        decisions = 0
        for place in range(2):  # Once to see how long the game is, once up to a place in it.
            last = rng.integers(decisions) if place else ENDLESS
            copy, at = game.clone(state), 0
            while not game.is_over(copy):
                view = game.view(copy, game.seat_to_act(copy), at, Detail.OWN)
                if at >= last and view.action_mask.sum() > 1:
                    return copy, view
                game.apply(copy, bot.policy.decide(view).action)
                at += 1
            decisions = at


def alone(record: State) -> States:
    """An array of one record."""
    records = np.zeros(1, record.dtype)
    records[0] = record
    return records


def shares(rollouts: Rollouts, actions: list[int], seat: int, count: int) -> NDArray[np.float64]:
    """What the seat wins after each of some actions, over ``count`` rollouts to the end."""
    total = np.zeros(len(actions))
    for first in range(0, count, BATCH):
        samples = np.tile(np.arange(first, first + BATCH), len(actions))
        chances, _ = rollouts.run(np.zeros_like(samples), np.repeat(actions, BATCH), samples)
        total += chances[:, seat].reshape(len(actions), BATCH).sum(1)
    found: NDArray[np.float64] = total / count
    return found


def measure(name: str, path: str, positions: int, rollouts: int, seed: int) -> dict[str, Any]:
    """Means over positions, and half the width of their 95 % intervals."""
    game = load(name)
    bot = make(f"search:{path}?1000", game)
    assert isinstance(bot, PolicySearchAgent)
    rng = np.random.default_rng(seed)
    rows: list[dict[str, float]] = []
    while len(rows) < positions:
        state, view = stopped(game, bot, rng)
        decision = bot.policy.decide(view)
        assert decision.chances is not None
        actions = [bot.search(view).action, decision.action]
        seats, seeds = np.array([view.seat]), np.array([9], np.uint64)
        how: dict[str, Any] = {"depth": ENDLESS, "longest": ENDLESS}
        how["temperature"] = bot.policy.temperature
        drawn, real = (
            shares(
                Rollouts(game, bot.policy.networks, alone(known), seats, seeds, whole=whole, **how),
                actions,
                view.seat,
                rollouts,
            )
            for known, whole in ((view.known, False), (state, True))
        )
        rows.append(
            {
                "stated": float(decision.chances[view.seat]),
                "drawn": drawn[1],
                "real": real[1],
                "drawn_less_real": drawn[1] - real[1],
                "gain_drawn": drawn[0] - drawn[1],
                "gain_real": real[0] - real[1],
            }
        )
    found: dict[str, Any] = {"bot": f"ppo:{path}", "positions": positions, "rollouts": rollouts}
    for key in rows[0]:
        values = np.array([row[key] for row in rows])
        margin = 1.96 * values.std(ddof=1) / np.sqrt(positions)
        found[key] = [round(float(values.mean()), 4), round(float(margin), 4)]
    return found


@click.command()
@click.option("--positions", default=60, show_default=True, help="Positions of each game.")
@click.option("--rollouts", default=512, show_default=True, help="Rollouts of each action.")
@click.option("--seed", default=0, show_default=True, help="Seed of all randomness.")
@click.argument("games", nargs=-1)
def main(positions: int, rollouts: int, seed: int, games: tuple[str, ...]) -> None:
    """Measure GAMES, by default all, and keep the other games' figures."""
    found = json.loads(OUT.read_text()) if OUT.is_file() else {}
    for game in games or BOTS:
        found[game] = measure(game, BOTS[game], positions, rollouts, seed)
        click.echo(f"{game}: {found[game]}")
        OUT.write_text(json.dumps({g: found[g] for g in BOTS if g in found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
