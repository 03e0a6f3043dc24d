"""Measurements of the newest bot of a game: its network, and what a search over it looks at."""

from __future__ import annotations

import time
from typing import Any

from .agents.registry import shipped
from .agents.search.policy_search import PolicySearchAgent
from .agents.trained.policy import PolicyAgent
from .bench import median_rate
from .envs import load
from .envs.core.game import Game
from .envs.core.view import View

DECISIONS = 60
"""Decisions that are measured."""
APART = 7
"""Of so many decisions of a game one is measured, so that all parts of games are."""
BUDGET = 2000
"""Positions that a search looks at for one of them."""


def decisions_of(game: Game, bot: PolicyAgent, count: int) -> list[View]:
    """Decisions with a choice in games among ``bot``."""
    views: list[View] = []
    deal = 0
    while len(views) < count:
        state, met = game.new_state(deal), 0
        while not state.over and len(views) < count:
            view = game.view(state, int(state.seat), seed=met)
            if met % APART == 0 and view.action_mask.sum() > 1:
                views.append(view)
            game.apply(state, bot.decide(view).action)
            met += 1
        deal += 1
    return views


def measure(name: str) -> dict[str, Any]:
    """Microseconds of a forward pass, and positions a second of a search, both on one core.

    Nothing for a game without a trained bot.
    """
    game, bots = load(name), shipped(name)
    if not bots:
        return {}
    path = bots[-1]
    bot = PolicyAgent(game, path)
    search = PolicySearchAgent(game, f"{path}?{BUDGET}")
    views = decisions_of(game, bot, DECISIONS)
    inputs = [(view.role, view.observation[None], view.action_mask[None]) for view in views]

    def forward() -> int:
        for role, observation, mask in inputs:
            bot.networks[role].logits_and_values(observation, mask)
        return len(inputs)

    forward()
    search.search(views[0])
    positions, began = 0, time.perf_counter()
    for view in views:
        positions += search.search(view).positions
    return {
        "forward_us": 1e6 / median_rate(forward),
        "search_positions_per_s": positions / (time.perf_counter() - began),
    }
