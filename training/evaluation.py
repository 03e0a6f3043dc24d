"""Short matches during training: the current policy in one seat, a baseline in all the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch as th
from numpy.typing import NDArray

from ..agents.base import Agent
from ..agents.seeds import players_key
from ..envs.core.game import Game
from ..envs.core.rng import stream
from ..envs.core.view import ViewBatch
from .randomness import draw_seeds
from .tables import ABSENT, TableGroup

if TYPE_CHECKING:
    from .selfplay import SelfPlay


@dataclass(frozen=True)
class Chooser:
    """A policy that plays a match.

    Attributes:
        choose: Views and roles of some deciding seats to actions.
        needs_records: Whether it looks at the views' records; see
            :attr:`gangland.agents.base.Agent.needs_records`.
    """

    choose: Callable[[ViewBatch, NDArray[np.int64]], NDArray[np.int64]]
    needs_records: bool


@dataclass(frozen=True)
class Match:
    """Result of one policy against a table of baselines.

    Attributes:
        baseline: Spec of the baseline.
        games: Games played.
        win_share: Mean share of the win.
        par: What equal players would get: mean of 1 / players.
        seat_shares: The same by seat; NaN for a seat never played.
        score: Mean score of the policy.
    """

    baseline: str
    games: int
    win_share: float
    par: float
    seat_shares: NDArray[np.float64]
    score: float


def play_match(
    game: Game,
    kinds: list[dict[str, Any]],
    chooser: Chooser,
    baseline: Agent,
    games: int,
    seed: int,
) -> Match:
    """Play ``games`` games side by side, seats rotated.

    Args:
        game: The game.
        kinds: Options of each kind of table; they share the games evenly.
        chooser: The policy.
        baseline: The agent in all other seats.
        games: How many games.
        seed: Of the games and of the baseline's own chance.
    """
    group = TableGroup(game, kinds, games, seed)
    every = np.arange(games)
    hero = every % group.sizes
    rng = np.random.default_rng(int(stream(np.uint64(seed), np.uint64(1))))
    key = players_key(seed)
    running = np.ones(games, np.bool_)
    places, scores = np.zeros_like(group.places), np.zeros_like(group.scores)
    group.reset()
    while running.any():
        # Tables whose one game is over play on, with the first legal action, until all are.
        group.actions[:] = group.masks.argmax(1)
        own = np.flatnonzero(running & (group.seats == hero))
        if len(own):
            seeds = draw_seeds(rng, key, len(own))
            views = views_of(group, own, seeds, records=chooser.needs_records)
            group.actions[own] = chooser.choose(views, group.roles[own, hero[own]])
        rest = np.flatnonzero(running & (group.seats != hero))
        if len(rest):
            seeds = draw_seeds(rng, key, len(rest))
            views = views_of(group, rest, seeds, records=baseline.needs_records)
            group.actions[rest] = baseline.act_batch(views)
        group.step()
        ended = running & group.dones
        places[ended], scores[ended] = group.places[ended], group.scores[ended]
        running &= ~group.dones
    present = group.roles != ABSENT
    winners = ((places == 1) & present).sum(1)
    shares = np.where(places[every, hero] == 1, 1.0 / winners, 0.0)
    seat_shares = np.array(
        [
            shares[hero == seat].mean() if (hero == seat).any() else np.nan
            for seat in range(game.max_seats)
        ]
    )
    score = float(scores[every, hero].mean())
    par = float((1.0 / group.sizes).mean())
    return Match(baseline.spec, games, float(shares.mean()), par, seat_shares, score)


def views_of(
    group: TableGroup, rows: NDArray[np.int64], seeds: NDArray[np.uint64], *, records: bool
) -> ViewBatch:
    """Views of the deciding seats at some tables, with seeds for their decisions."""
    return ViewBatch(
        group.game,
        group.states,
        rows,
        group.seats[rows],
        group.observations[rows],
        group.masks[rows],
        seeds,
        records=records,
    )


def greedy(trainer: SelfPlay) -> Chooser:
    """The likeliest action of the best network of each role."""
    networks = [learner.best_network for learner in trainer.learners]
    makes = trainer.collector.inputs

    def choose(views: ViewBatch, roles: NDArray[np.int64]) -> NDArray[np.int64]:
        actions = np.zeros(len(views), np.int64)
        inputs = makes.of(views)
        for role, network in enumerate(networks):
            rows = np.flatnonzero(roles == role)
            if len(rows) == 0:
                continue
            with th.inference_mode():
                logits = network.logits(th.from_numpy(inputs[rows]).to(network.device))
            actions[rows] = np.where(views.masks[rows], logits.cpu().numpy(), -np.inf).argmax(1)
        return actions

    return Chooser(choose, makes.needs_records)


def agent_chooser(agent: Agent) -> Chooser:
    """An agent's own choice."""
    return Chooser(lambda views, roles: agent.act_batch(views), agent.needs_records)
