"""A worker's tables, who plays which seat there, and their results."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.api.vec import VecTables
from ...envs.core.game import Game
from ...envs.core.kernel import kernel
from ...envs.core.rng import stream
from ...envs.core.state import blank
from ...envs.core.view import ViewBatch
from ..league import League

CURRENT = 0
ABSENT = -1

SEAT_SHARE = 0.5
"""Probability that a seat at a table of several opponents is given to one of them."""


class TableGroup:
    """Tables of one game, of one or several kinds, that are stepped together.

    All kinds write into the same arrays, so that a network sees them as one batch.

    Attributes:
        observations: Float32 ``(N, observation_size)``, of the seats that decide.
        masks: Bool ``(N, actions)``, of the seats that decide.
        seats: Int64 ``(N,)``: who decides.
        actions: Int64 ``(N,)``: to be filled before :meth:`step`.
        rewards: Float64 ``(N, seats)``: what the last step paid, as the learner sees it.
        dones: Bool ``(N,)``: whether the last step ended a game.
        truncations: Bool ``(N,)``: whether it ended by a cap that pays nobody.
        final_states: Where ``truncations`` is true: the record in which that game stopped.
        controllers: Int64 ``(N, seats)``: 0 for the current policy, a league slot from 1, or
            ``ABSENT``.
        roles: Int64 ``(N, seats)``: the role that each seat plays; ``ABSENT`` for none.

    Args:
        game: The game.
        kinds: Options of each kind of table; kinds share the tables evenly.
        count: Number of tables.
        seed: Seed of the games.
        rewards: ``result``, ``score`` or ``mixed``; see
            :class:`~gangland.training.config.TrainConfig`.
    """

    def __init__(
        self,
        game: Game,
        kinds: list[dict[str, Any]],
        count: int,
        seed: int,
        rewards: str = "result",
    ) -> None:
        self.game = game
        self.count = count
        self._scores_pay, self._both_pay = rewards != "result", rewards == "mixed"
        bounds = np.linspace(0, count, len(kinds) + 1).astype(int)
        self._spans = [slice(a, b) for a, b in pairwise(bounds) if b > a]
        self.kinds = [
            VecTables(game, span.stop - span.start, int(stream(np.uint64(seed), np.uint64(i))), **o)
            for i, (span, o) in enumerate(zip(self._spans, kinds, strict=False))
        ]
        self.states = blank(game.dtype, count)
        self.observations = np.zeros((count, game.observation_size), np.float32)
        self.masks = np.zeros((count, game.num_actions), np.bool_)
        self.seats = np.zeros(count, np.int64)
        self.actions = np.zeros(count, np.int64)
        self.paid = np.zeros((count, game.max_seats), np.float64)
        self.dones = np.zeros(count, np.bool_)
        self.truncations = np.zeros(count, np.bool_)
        self.final_states = blank(game.dtype, count)
        self.scores = np.zeros((count, game.max_seats), np.int32)
        self.places = np.zeros((count, game.max_seats), np.int8)
        self.lengths = np.zeros(count, np.int64)
        self.roles = np.full((count, game.max_seats), ABSENT, np.int64)
        for span, tables in zip(self._spans, self.kinds, strict=True):
            self._share(span, tables)
            self.roles[span, : tables.num_seats] = game.seat_roles(tables.options)
        self.controllers = np.where(self.roles == ABSENT, ABSENT, CURRENT)
        self.sizes = (self.roles != ABSENT).sum(1)
        self.rewards = np.zeros_like(self.paid) if self._scores_pay else self.paid

    def _share(self, span: slice, tables: VecTables) -> None:
        tables.states = self.states[span]
        tables.observations = self.observations[span]
        tables.action_masks = self.masks[span]
        tables.seats = self.seats[span]
        tables.rewards = self.paid[span]
        tables.dones = self.dones[span]
        tables.truncations = self.truncations[span]
        tables.final_states = self.final_states[span]
        tables.scores = self.scores[span]
        tables.places = self.places[span]
        tables.lengths = self.lengths[span]

    def reset(self) -> None:
        """Start a new game at every table."""
        for tables in self.kinds:
            tables.reset()

    def step(self) -> None:
        """Play ``actions``; finished tables start again."""
        for span, tables in zip(self._spans, self.kinds, strict=True):
            tables.step(self.actions[span])
        if self._scores_pay:
            factor = 1.0 / self.game.score_scale
            scored = self.dones & ~self.truncations
            score_rewards(self.scores, scored, self.sizes, factor, self.rewards)
            if self._both_pay:
                self.rewards += self.paid

    def place(self, tables: NDArray[np.int64], states: NDArray[np.uint8]) -> None:
        """Go on from other positions at some tables: see :meth:`VecTables.place`."""
        for span, kind in zip(self._spans, self.kinds, strict=True):
            mine = (tables >= span.start) & (tables < span.stop)
            kind.place(tables[mine] - span.start, states[mine])

    def final_observations(
        self, tables: NDArray[np.int64], seats: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """What seats saw last at tables whose game was truncated: ``(B, observation_size)``."""
        seen = [
            self.game.observe(self.final_states[table], seat)
            for table, seat in zip(tables.tolist(), seats.tolist(), strict=True)
        ]
        return np.stack(seen)

    def snapshot(self) -> dict[str, Any]:
        """Everything that determines how the games continue; see :meth:`restore`."""
        kinds = [tables.snapshot() for tables in self.kinds]
        return {"kinds": kinds, "controllers": self.controllers.copy()}

    def restore(self, snapshot: dict[str, Any]) -> None:
        """Restore the state of :meth:`snapshot`."""
        for tables, kept in zip(self.kinds, snapshot["kinds"], strict=True):
            tables.restore(kept)
        self.controllers[:] = snapshot["controllers"]

    def close(self) -> None:
        """End the threads."""
        for tables in self.kinds:
            tables.close()


@kernel
def score_rewards(scores: Any, scored: Any, sizes: Any, factor: float, rewards: Any) -> None:
    """Reward of a scored game: ``factor * (own score - mean score of the others)``."""
    for row in range(len(scored)):
        rewards[row, :] = 0.0
        if scored[row]:
            total = 0.0
            for seat in range(sizes[row]):
                total += scores[row, seat]
            for seat in range(sizes[row]):
                own = scores[row, seat]
                rewards[row, seat] = factor * (own - (total - own) / (sizes[row] - 1))


def views_of(
    group: TableGroup, rows: NDArray[np.int64], seeds: NDArray[np.uint64], *, records: bool
) -> ViewBatch:
    """Views of the deciding seats at some tables, with seeds for their decisions.

    Args:
        group: The tables.
        rows: Int64 of shape ``(B,)``: tables at which somebody decides.
        seeds: Uint64 of shape ``(B,)``: randomness of each decision.
        records: Whether the views' records will be read.
    """
    return ViewBatch(
        group.game,
        group.states,
        rows,
        group.seats[rows],
        group.observations[rows],
        group.masks[rows],
        seeds,
        roles=group.roles[rows, group.seats[rows]],
        records=records,
    )


def seat_the_league(
    group: TableGroup,
    tables: NDArray[np.int64],
    league: League,
    league_tables: int,
    rng: np.random.Generator,
) -> None:
    """Decide who plays each seat of tables where a game begins.

    Args:
        group: The tables.
        tables: Int64: those where a game begins.
        league: The opponents.
        league_tables: Opponents are seated at this many tables of the group, the first ones of a
            fixed shuffled order; at the others the current policy plays itself.
        rng: Random generator of all draws.
    """
    present = group.roles[tables] != ABSENT
    chosen = np.where(present, CURRENT, ABSENT)
    # Multiplication by a number coprime to any table count spreads the league over all kinds.
    mixed = (tables * 7919) % group.count < league_tables
    here = np.flatnonzero(mixed)
    if len(here):
        given = present[here] & (rng.random(present[here].shape) < SEAT_SHARE)
        # One seat always learns: the one with the highest draw among those present. A role of one
        # seat learns as often as a role of four: draws ** n are the highest with odds of 1 to n.
        draws = rng.random(given.shape) ** same_role(group.roles[tables[here]])
        draws[~present[here]] = -1.0
        single = rng.random(len(here)) < league.config.single_opponent
        role = league.config.learner_role
        if role is not None:
            others = group.roles[tables[here]] != group.game.roles.index(role)
            draws[single[:, None] & others] = -1.0
        given[single] = present[here][single]
        given[np.arange(len(here)), draws.argmax(1)] = False
        slots = np.zeros_like(chosen[here])
        slots[given] = league.draw_slots(int(given.sum()), rng)
        slots[single] = league.draw_slots(int(single.sum()), rng)[:, None]
        rows = chosen[here]
        rows[given] = slots[given]
        chosen[here] = rows
    group.controllers[tables] = chosen


def same_role(roles: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many seats of its table play each seat's role, itself included; of ``roles``' shape."""
    counts: NDArray[np.int64] = (roles[:, :, None] == roles[:, None, :]).sum(2)
    return counts


@kernel
def count_results(
    dones: Any,
    places: Any,
    controllers: Any,
    seat_wins: Any,
    seat_games: Any,
    beaten_by: Any,
    met: Any,
) -> None:
    """Add the results of finished games.

    Args:
        dones: Bool ``(N,)``: tables that count.
        places: Int8 ``(N, seats)``.
        controllers: Int64 ``(N, seats)``.
        seat_wins: Float64 ``(seats,)``: win shares of the current policy at mixed tables.
        seat_games: Float64 ``(seats,)``: its games at mixed tables.
        beaten_by: Float64 ``(slots + 1,)``: how often a slot was placed before a seat of the
            current policy, ties half.
        met: Float64 ``(slots + 1,)``: comparisons behind it.
    """
    for row in range(len(dones)):
        if not dones[row]:
            continue
        mixed = False
        winners = 0
        for seat in range(controllers.shape[1]):
            if controllers[row, seat] > CURRENT:
                mixed = True
            if controllers[row, seat] != ABSENT and places[row, seat] == 1:
                winners += 1
        if not mixed:
            continue
        for seat in range(controllers.shape[1]):
            if controllers[row, seat] == CURRENT:
                seat_games[seat] += 1.0
                if places[row, seat] == 1:
                    seat_wins[seat] += 1.0 / winners
                for other in range(controllers.shape[1]):
                    slot = controllers[row, other]
                    if slot > CURRENT:
                        met[slot] += 1.0
                        if places[row, other] < places[row, seat]:
                            beaten_by[slot] += 1.0
                        elif places[row, other] == places[row, seat]:
                            beaten_by[slot] += 0.5
