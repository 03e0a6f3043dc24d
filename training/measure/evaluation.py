"""Short matches during training: a policy in one seat, a baseline in all the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch as th
from numpy.typing import NDArray

from ...agents.base import Agent, BatchAgent
from ...agents.decision import Decisions
from ...agents.trained.policy import choose_actions
from ...arena import Schedule, play_games
from ...arena.statistics import Share, win_share, win_shares
from ...envs.core.game import Game
from ...envs.core.rng import stream
from ...envs.core.view import ViewBatch

if TYPE_CHECKING:
    from ..learner.ppo import PPO
    from ..selfplay import SelfPlay


@dataclass(frozen=True)
class Match:
    """Result of one policy against a table of baselines.

    Attributes:
        baseline: Spec of the baseline.
        role: Role of the policy's seats; empty if it took seats of every role.
        games: Games played.
        win: Its win share, with the 95 % interval by deals.
        par: What equal players would get: mean of 1 / players.
        seat_shares: Win share by seat; NaN for a seat that was never played.
        score: Mean score of the policy.
    """

    baseline: str
    role: str
    games: int
    win: Share
    par: float
    seat_shares: NDArray[np.float64]
    score: float

    @property
    def name(self) -> str:
        """The baseline, and the policy's role if it was given one."""
        return f"{self.baseline} as {self.role}" if self.role else self.baseline


def worst_of(matches: Iterable[Match]) -> Match:
    """The match with the lowest win share relative to par."""
    return min(matches, key=lambda match: match.win.share / match.par)


def play_match(
    game: Game,
    kinds: Sequence[dict[str, Any]],
    policies: Sequence[Agent],
    baseline: Agent,
    games: int,
    seed: int,
    role: int | None = None,
) -> Match:
    """Play ``games`` games; the policy takes every seat in turn.

    Args:
        game: The game.
        kinds: Options of each kind of table; those that have the role share the games evenly.
        policies: The policy in each of the game's roles.
        baseline: The agent in all other seats.
        games: Number of games.
        seed: Seed of the games and of the agents' own randomness.
        role: The policy takes seats of this role only; ``None`` for all seats.
    """
    shares, scores, pars, seats, deals = [], [], [], [], []
    first_deal = 0
    if role is not None:
        kinds = [each for each in kinds if role in game.seat_roles(game.options.resolve(each))]
    bounds = np.linspace(0, games, len(kinds) + 1).astype(int)
    for kind, options in enumerate(kinds):
        count = int(bounds[kind + 1] - bounds[kind])
        if count == 0:
            continue
        resolved = game.options.resolve(options)
        roles = np.array(game.seat_roles(resolved))
        schedule = _schedule(roles, len(policies), count, role)
        kind_seed = int(stream(np.uint64(seed), np.uint64(kind)))
        played = play_games(game, resolved, [*policies, baseline], schedule, seed=kind_seed)
        own = played.line_ups != len(policies)
        shares.append(win_shares(played.places, played.truncated)[own])
        scores.append(played.scores[own])
        pars.append(np.full(count, 1 / len(roles)))
        seats.append(np.nonzero(own)[1])
        deals.append(first_deal + schedule.deals)
        first_deal = int(deals[-1].max()) + 1
    share, seat = np.concatenate(shares), np.concatenate(seats)
    won = share[:, None]
    return Match(
        baseline=baseline.spec,
        role="" if role is None else game.roles[role],
        games=games,
        win=win_share(won, np.ones_like(won, np.bool_), np.concatenate(deals)),
        par=float(np.concatenate(pars).mean()),
        seat_shares=np.array(
            [
                share[seat == s].mean() if (seat == s).any() else np.nan
                for s in range(game.max_seats)
            ]
        ),
        score=float(np.concatenate(scores).mean()),
    )


def _schedule(roles: NDArray[np.int64], baseline: int, games: int, role: int | None) -> Schedule:
    """A policy in each seat in turn on the same deal, the baseline in all others."""
    numbers = np.arange(games)
    taken = np.arange(len(roles)) if role is None else np.flatnonzero(roles == role)
    seats = taken[numbers % len(taken)]
    line_ups = np.full((games, len(roles)), baseline, np.int64)
    line_ups[numbers, seats] = roles[seats]
    return Schedule(line_ups, numbers // len(taken))


class CurrentPolicy(BatchAgent):
    """A learner's best network, as it is now, and as it will play once it is trained.

    Args:
        learner: The learner of one role.
        temperature: 0 plays the action with the highest logit; above, actions are drawn.
    """

    spec = "learner"
    needs_records = False

    def __init__(self, learner: PPO, temperature: float = 0.0) -> None:
        self._learner = learner
        self._temperature = temperature

    def decide_batch(self, views: ViewBatch) -> Decisions:
        """The network's actions at the temperature."""
        network = self._learner.best_network
        with th.inference_mode():
            inputs = th.from_numpy(views.observations).to(network.device)
            logits = network.logits(inputs).cpu().numpy()
        actions = np.full(len(views), -1, np.int64)
        every = np.arange(len(views))
        choose_actions(logits, views.masks, views.seeds, every, self._temperature, actions)
        return Decisions(actions)


def current_policies(trainer: SelfPlay) -> list[CurrentPolicy]:
    """The best networks of a training, one for each role."""
    return [CurrentPolicy(learner, trainer.config.temperature) for learner in trainer.learners]
