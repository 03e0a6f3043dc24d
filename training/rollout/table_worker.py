"""A worker: a thread's share of the tables, played for a whole rollout."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import torch as th
from numpy.typing import NDArray

from ...agents.seeds import players_key
from ..learner.imitation import preferences
from ..learner.sparse import inputs_for
from ..randomness import draw_seeds
from .lookahead import Lookahead
from .tables import CURRENT, TableGroup, count_results, seat_the_league, views_of
from .trajectories import gather_rows, log_probs_of, pay_rewards, sample_actions
from .win_probabilities import note_outcomes, read_outputs

if TYPE_CHECKING:
    from ...agents.base import Agent
    from ...envs.core.view import ViewBatch
    from .collector import Collector

NO_OUTPUTS = th.zeros(0, 0)

SHARPEST = 1e30
"""In place of an infinite inverse of the temperature: the likeliest action is played."""

CLOCKS = ("env", "inference", "opponents", "lookahead")

Answer: TypeAlias = Callable[[NDArray[np.float32], NDArray[np.float32]], None]
"""What to do with unmasked logits ``(B, actions)`` and outputs ``(B, outputs)`` of a network."""


@dataclass(frozen=True, slots=True)
class Question:
    """Decisions that a network is to make at some tables of one worker.

    Attributes:
        slot: The opponent whose network it is; 0 for the learner's own.
        role: The role that decides.
        inputs: Float32 ``(B, inputs)``; unchanged until the answer.
        masks: Bool ``(B, actions)``, likewise: legal actions.
        answer: Takes the network's outputs, those of the value part only for the learner.
    """

    slot: int
    role: int
    inputs: NDArray[np.float32]
    masks: NDArray[np.bool_]
    answer: Answer


class Tally:
    """Results of a rollout's finished games at tables where the league plays too.

    Attributes:
        seat_wins: Float64 ``(seats,)``: win shares of the current policy.
        seat_games: Float64 ``(seats,)``: its games.
        beaten_by: Float64 ``(slots + 1,)``: see
            :func:`gangland.training.rollout.tables.count_results`.
        met: Float64 ``(slots + 1,)``: comparisons behind it.
        games: Finished games at all tables.
        decisions: Their decisions.
        looks: Decisions at which it was looked ahead.
        differed: Those at which another action than the most probable one came out best.
        gained: Sum over all of what the best action wins over the policy.

    Args:
        seats: The most seats of a table.
        slots: Opponents.
    """

    def __init__(self, seats: int, slots: int) -> None:
        self.seat_wins, self.seat_games = np.zeros(seats), np.zeros(seats)
        self.beaten_by, self.met = np.zeros(slots + 1), np.zeros(slots + 1)
        self.games = 0
        self.decisions = 0
        self.looks = self.differed = 0
        self.gained = 0.0


class TableWorker:
    """Plays its tables for a whole rollout.

    Workers share only the players. Each has its own random generator and its own shard of every
    buffer, so results do not depend on which of them is faster.

    Attributes:
        group: The tables.
        rng: Randomness of decisions, of agents, and of who is seated.
        tally: Results of the last rollout.
        lookahead: What other actions would have led to, at some of its decisions.
        times: Seconds spent on the tables, on networks that learn, and on opponents.

    Args:
        collector: The collector whose players decide.
        index: Number of the worker, and of its shard of the buffers.
        group: The tables.
        seed: Seed of ``rng`` and of the seeds that agents are given.
    """

    def __init__(self, collector: Collector, index: int, group: TableGroup, seed: int) -> None:
        self.collector = collector
        self.game = collector.game
        self.index = index
        self.group = group
        self.rng = np.random.default_rng(seed)
        self._players_key = players_key(seed)
        self.times = dict.fromkeys(CLOCKS, 0.0)
        self.tally = self._new_tally()
        count = group.count
        self._inputs = np.zeros((count, collector.game.observation_size), np.float32)
        self._masks = np.zeros((count, self.game.num_actions), np.bool_)
        self._chosen = np.zeros(count, np.int64)
        self._log_probs = np.zeros(count, np.float32)
        self._asked = 0
        self.lookahead = Lookahead(self)

    def begin(self) -> None:
        """Start a game at every table."""
        self.group.reset()
        self.seat(np.arange(self.group.count))

    def seat(self, tables: NDArray[np.int64]) -> None:
        """Decide who plays at tables where a game begins."""
        league = self.collector.league
        mixed = round(league.config.share * self.group.count)
        seat_the_league(self.group, tables, league, mixed, self.rng)

    def play(self, steps: int) -> None:
        """Play this many decisions at every table."""
        self.start_rollout()
        for _ in range(steps):
            self.decide()
            self.step()
        self.look_ahead()

    def start_rollout(self) -> None:
        """Forget the results of the last rollout."""
        self.tally = self._new_tally()

    def look_ahead(self) -> None:
        """Look ahead at some decisions of the rollout, which has been played."""
        started = time.perf_counter()
        self.lookahead.look(self.tally)
        self.times["lookahead"] += time.perf_counter() - started

    def step(self) -> None:
        """Play what has been decided at every table."""
        started = time.perf_counter()
        self.group.step()
        self._settle()
        self.times["env"] += time.perf_counter() - started

    def _new_tally(self) -> Tally:
        return Tally(self.game.max_seats, len(self.collector.league.members))

    def _settle(self) -> None:
        """Credit the rewards of a step, and seat players where it ended a game."""
        group, tally, collector = self.group, self.tally, self.collector
        if group.truncations.any():
            self._bootstrap()
        scored = group.dones & ~group.truncations
        for learner in collector.learners:
            buffer = learner.buffer
            last = buffer.last_of(self.index)
            if buffer.win_probabilities.shape[1]:
                note_outcomes(scored, group.places, group.sizes, last, buffer.targets)
            pay_rewards(group.rewards, group.dones, last, buffer.links, buffer.rewards)
        ended = np.flatnonzero(group.dones)
        if len(ended):
            count_results(
                group.dones,
                group.places,
                group.controllers,
                tally.seat_wins,
                tally.seat_games,
                tally.beaten_by,
                tally.met,
            )
            tally.games += len(ended)
            tally.decisions += int(group.lengths[ended].sum())
            self.seat(ended)

    def _bootstrap(self) -> None:
        """Estimate what every learning seat's last position was worth where a game was cut off."""
        group, collector = self.group, self.collector
        cut = np.flatnonzero(group.truncations)
        for learner in collector.learners:
            buffer = learner.buffer
            last = buffer.last_of(self.index)
            at, seats = np.nonzero(last[cut] >= 0)
            if len(at) == 0:
                continue
            tables, seats = cut[at], np.ascontiguousarray(seats)  # as kernels want it
            observations = group.final_observations(tables, seats)
            with th.inference_mode():
                network = learner.network
                seen = inputs_for(observations, network.device)
                outputs = network.logits_and_values(seen)[1].cpu().numpy()
            decisions = last[tables, seats]
            values, win_probabilities = self.values(outputs, tables)
            buffer.targets[decisions] = win_probabilities
            buffer.truncate(decisions, values, self.index)

    def decide(self) -> None:
        """Choose an action at every table: one call for each network."""
        started = time.perf_counter()
        seated = self._seated()
        self._answer_all(self._asked_of_learners(*seated))
        learnt = time.perf_counter()
        self._answer_all(self._asked_of_opponents(*seated))
        self.times["inference"] += learnt - started
        self.times["opponents"] += time.perf_counter() - learnt

    def questions(self) -> list[Question]:
        """What networks are to decide, for whoever asks them; what needs none is decided.

        Random numbers are drawn here and in the order of :meth:`decide`, so that the same games
        are played whenever the answers come.
        """
        seated = self._seated()
        return [*self._asked_of_learners(*seated), *self._asked_of_opponents(*seated)]

    def _answer_all(self, questions: Iterator[Question]) -> None:
        """Answer each question before the next one is put."""
        for question in questions:
            network = self.collector.network(question.slot, question.role)
            with th.inference_mode():
                inputs = inputs_for(question.inputs, network.device, asked=question.masks)
                if question.slot:
                    logits, outputs = network.logits(inputs), NO_OUTPUTS
                else:
                    logits, outputs = network.logits_and_values(inputs)
                question.answer(logits.cpu().numpy(), outputs.cpu().numpy())

    def _seated(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Who decides at each table, and in which role."""
        group = self.group
        every = np.arange(group.count)
        return group.controllers[every, group.seats], group.roles[every, group.seats]

    def _asked_of_learners(
        self, controllers: NDArray[np.int64], roles: NDArray[np.int64]
    ) -> Iterator[Question]:
        for role in range(len(self.collector.learners)):
            rows = np.flatnonzero((controllers == CURRENT) & (roles == role))
            if len(rows):
                yield self._asked_of_learner(role, rows)

    def _asked_of_opponents(
        self, controllers: NDArray[np.int64], roles: NDArray[np.int64]
    ) -> Iterator[Question]:
        self._asked = 0
        for slot in range(1, len(self.collector.league.members) + 1):
            rows = np.flatnonzero(controllers == slot)
            bot = self.collector.bots[slot]
            if len(rows) == 0:
                continue
            if bot is not None:
                self.group.actions[rows] = bot.decide_batch(self._views(rows, bot)).actions
                continue
            for role in range(len(self.collector.nets[slot])):
                mine = rows[roles[rows] == role]
                if len(mine):
                    yield self._asked_of_snapshot(slot, role, mine)

    def _asked_of_learner(self, role: int, rows: NDArray[np.int64]) -> Question:
        group, collector = self.group, self.collector
        buffer = collector.learners[role].buffer
        at = buffer.add(rows, group.seats, group.observations, group.masks, self.index)
        buffer.sizes[at] = group.sizes[rows]
        uniforms = self.rng.random(len(rows))
        lesson = None
        if collector.teacher is not None:
            taught = self._taught(rows, buffer.taught[at])
            lesson = taught, self.rng.random(len(rows)) >= collector.trust
        else:
            buffer.taught[at] = 0.0
            ahead = self._looked_at(rows)

        def answer(logits: NDArray[np.float32], outputs: NDArray[np.float32]) -> None:
            buffer.estimates[at], buffer.win_probabilities[at] = self.values(outputs, rows)
            masks, actions, log_probs = buffer.masks[at], buffer.actions[at], buffer.log_probs[at]
            self._sample(rows, logits, masks, 1.0, uniforms, actions, log_probs)
            if lesson is None:
                self.lookahead.note(role, at.start, rows, logits, masks, ahead)
            else:
                # The policy decides more and more itself: it must learn what to do where it errs.
                taught, theirs = lesson
                actions[theirs] = taught[theirs]
                group.actions[rows] = actions
                buffer.log_probs[at] = log_probs_of(logits, masks, actions)

        return Question(0, role, buffer.inputs[at], buffer.masks[at], answer)

    def _looked_at(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """At which decisions to look ahead: some of those at tables of the current policy alone."""
        ahead = np.zeros(len(rows), np.bool_)
        alone = np.flatnonzero((self.group.controllers[rows] <= CURRENT).all(1))
        share = self.collector.config.ppo.lookahead
        if share > 0.0:
            ahead[alone] = self.rng.random(len(alone)) < share
        return ahead

    def _asked_of_snapshot(self, slot: int, role: int, rows: NDArray[np.int64]) -> Question:
        group, first = self.group, self._asked
        # Frozen opponents play as the bot will.
        temperature = self.collector.config.temperature
        sharpness = min(1.0 / temperature, SHARPEST) if temperature else SHARPEST
        self._asked += len(rows)
        at = slice(first, self._asked)
        gather_rows(rows, group.observations, group.masks, self._inputs, self._masks, first)
        uniforms = self.rng.random(len(rows))

        def answer(logits: NDArray[np.float32], outputs: NDArray[np.float32]) -> None:
            chosen, log_probs = self._chosen[at], self._log_probs[at]
            self._sample(rows, logits, self._masks[at], sharpness, uniforms, chosen, log_probs)

        return Question(slot, role, self._inputs[at], self._masks[at], answer)

    def values(
        self, outputs: NDArray[np.float32], tables: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Values ``(B,)`` and win probabilities ``(B, seats)`` from outputs ``(B, outputs)``."""
        win_probabilities = np.zeros((len(outputs), outputs.shape[1] - 1), np.float32)
        values = np.ascontiguousarray(outputs[:, 0])
        if outputs.shape[1] > 1:
            config = self.collector.config
            read_outputs(
                outputs,
                self.group.sizes[tables],
                config.rewards != "score",
                win_probabilities,
                values,
            )
        return values, win_probabilities

    def _taught(self, rows: NDArray[np.int64], given: NDArray[np.float32]) -> NDArray[np.int64]:
        """What the teacher plays at some tables; fills in how likely it would take each action."""
        teacher = self.collector.teacher
        assert teacher is not None
        views = self._views(rows, teacher)
        if teacher.values_actions:
            values = teacher.values(views)
            given[:] = preferences(values)
            return values.argmax(1)
        actions = teacher.decide_batch(views).actions
        given[:] = 0.0
        given[np.arange(len(rows)), actions] = 1.0
        return actions

    def _views(self, rows: NDArray[np.int64], agent: Agent) -> ViewBatch:
        seeds = draw_seeds(self.rng, self._players_key, len(rows))
        return views_of(self.group, rows, seeds, records=agent.needs_records)

    def _sample(
        self,
        rows: NDArray[np.int64],
        logits: NDArray[np.float32],
        masks: NDArray[np.bool_],
        sharpness: float,
        uniforms: NDArray[np.float64],
        chosen: NDArray[np.int64],
        log_probs: NDArray[np.float32],
    ) -> None:
        actions = self.group.actions
        bad = sample_actions(logits, masks, sharpness, uniforms, rows, actions, chosen, log_probs)
        if bad >= 0:
            what = "no legal action" if not masks[bad].any() else f"logits {logits[bad]}"
            raise RuntimeError(f"{self.game.name}: worker {self.index}, table {rows[bad]}: {what}")
