"""Collecting rollouts: tables stepped in two halves, one while the networks think for the other."""

from __future__ import annotations

import importlib
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import torch as th
from numpy.typing import NDArray

from ..envs import load
from ..envs.core.game import Game
from ..envs.core.rng import stream
from .buffer import DecisionBuffer
from .config import ConfigError, TrainConfig, value_at
from .evaluation import views_of
from .league import League, Member
from .network import FrozenNetwork, MaskedPolicy
from .randomness import rng_state, set_rng_state
from .tables import CURRENT, TableGroup, count_results, seat_the_league
from .trajectories import (
    compile_potential,
    gather_rows,
    log_probs_of,
    pay_rewards,
    sample_actions,
)

if TYPE_CHECKING:
    from ..agents.base import Agent

HALVES = 2
CLOCKS = ("env", "inference", "opponents", "learning", "rollout")
SHARE_DECAY = 0.9


class Learner(Protocol):
    """What the collector needs of each role's learner."""

    policy: MaskedPolicy
    rollout_buffer: DecisionBuffer
    device: th.device


class Collector:
    """All tables of a training run: steps them, asks who plays, and fills the learners' buffers.

    Attributes:
        game: The game.
        groups: The two halves of the tables.
        league: The frozen opponents.
        inputs: Numbers that a network sees: the observation, and the advice if there is any.
        teaching: Whether the teacher plays the learning seats.
        times: Seconds spent since the last :meth:`take_times`, by kind: waiting for the tables,
            networks that learn, opponents, updates, and the rest of the rollout.

    Args:
        config: The training configuration.
    """

    def __init__(self, config: TrainConfig) -> None:
        self.config = config
        self.game: Game = load(config.game)
        seed = np.uint64(config.seed)
        score_scale = None if config.rewards == "result" else config.score_scale
        kinds = config.table_options()
        bounds = np.linspace(0, config.ppo.tables, HALVES + 1).astype(int).tolist()
        self._firsts = bounds[:-1]
        self.groups = [
            TableGroup(
                self.game,
                kinds,
                last - first,
                int(stream(seed, np.uint64(half))),
                score_scale,
                config.rewards == "mixed",
            )
            for half, (first, last) in enumerate(pairwise(bounds))
        ]
        self.league = League(config.league, int(stream(seed, np.uint64(10))))
        self.rng = np.random.default_rng(int(stream(seed, np.uint64(11))))
        self.learners: Sequence[Learner] = ()
        self.hinter: Agent | None = None
        if config.network.hint is not None:
            from ..agents.registry import make

            self.hinter = make(config.network.hint, self.game)
        self.inputs = config.network.inputs(self.game.observation_size, self.game.num_actions)
        self.teaching = False
        self._teacher: Agent | None = None
        self.times = dict.fromkeys(CLOCKS, 0.0)
        self.seat_wins = np.zeros(self.game.max_seats)
        self.seat_games = np.zeros(self.game.max_seats)
        self.finished_games = 0
        self.mean_length = 0.0
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="tables")
        self._nets: list[list[FrozenNetwork]] = [[] for _ in range(config.league.active + 1)]
        self._bots: list[Agent | None] = [None] * (config.league.active + 1)
        self._potential = self._load_potential()
        size = max(group.count for group in self.groups)
        self._observations = np.zeros((size, self.inputs), np.float32)
        self._masks = np.zeros((size, self.game.num_actions), np.bool_)
        self._chosen = np.zeros(size, np.int64)
        self._log_probs = np.zeros(size, np.float32)
        self._began = False

    def _load_potential(self) -> Any:
        if self.config.shaping is None:
            return None
        module, name = self.config.shaping.potential.split(":")
        try:
            kernel = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError) as error:
            raise ConfigError(
                f"shaping.potential={self.config.shaping.potential!r}: {error}"
            ) from error
        return compile_potential(kernel, self.game.dtype)

    # --- collecting ---------------------------------------------------------------------------

    def collect(self, progress: float) -> int:
        """Play ``steps`` decisions at every table.

        Args:
            progress: How much of the training is done, 0 to 1; for the shaping's weight, and for
                the end of the teaching.

        Returns:
            New decisions of learning seats, all roles together.
        """
        started = time.perf_counter()
        accounted = self._accounted()
        buffers = [learner.rollout_buffer for learner in self.learners]
        for buffer in buffers:
            buffer.reset()
        carried = sum(buffer.count for buffer in buffers)
        self._begin()
        self._refresh_league()
        self._choose_teacher(progress)
        futures: list[Future[None] | None] = [None] * HALVES
        for _ in range(self.config.ppo.steps):
            for half in range(HALVES):
                self._settle(half, futures[half])
                self._think(half)
                futures[half] = self._worker.submit(self.groups[half].step)
        for half in range(HALVES):
            self._settle(half, futures[half])
        shaping = self.config.shaping
        weight = value_at(shaping.weight, progress) if shaping is not None else 0.0
        for buffer in buffers:
            buffer.finish(weight)
        spent = time.perf_counter() - started
        self.times["rollout"] += spent - (self._accounted() - accounted)
        return sum(buffer.count for buffer in buffers) - carried

    def _choose_teacher(self, progress: float) -> None:
        imitation = self.config.imitation
        self.teaching = imitation is not None and progress < imitation.until
        if imitation is None or not self.teaching:
            self._teacher = None
        elif self._teacher is None:
            from ..agents.registry import make

            self._teacher = make(imitation.teacher, self.game)

    def _accounted(self) -> float:
        return sum(self.times[clock] for clock in ("env", "inference", "opponents"))

    def _begin(self) -> None:
        if self._began:
            return
        self._began = True
        self.league.refresh(np.zeros(self.config.league.active + 1, np.int64))
        self._load_slots(range(1, self.config.league.active + 1))
        for group in self.groups:
            group.reset()
            self._seat(group, np.arange(group.count))

    def _seat(self, group: TableGroup, tables: NDArray[np.int64]) -> None:
        seat_the_league(group, tables, self.league, round(self.config.league.share * group.count))

    def _settle(self, half: int, future: Future[None] | None) -> None:
        """Wait for a half's step and hand out what it paid."""
        if future is None:
            return
        started = time.perf_counter()
        future.result()
        self.times["env"] += time.perf_counter() - started
        group = self.groups[half]
        first = self._firsts[half]
        for learner in self.learners:
            buffer = learner.rollout_buffer
            last = buffer.last[first : first + group.count]
            pay_rewards(group.rewards, group.dones, last, buffer.links, buffer.rewards)
        ended = np.flatnonzero(group.dones)
        if len(ended):
            self._count(group, ended)
            self._seat(group, ended)

    def _think(self, half: int) -> None:
        """Choose an action at every table of a half: one call for each network."""
        group = self.groups[half]
        every = np.arange(group.count)
        controllers = group.controllers[every, group.seats]
        roles = group.roles[every, group.seats]
        for role in range(len(self.learners)):
            rows = np.flatnonzero((controllers == CURRENT) & (roles == role))
            if len(rows):
                self._learn_from(half, role, rows)
        started = time.perf_counter()
        for slot in range(1, len(self._bots)):
            rows = np.flatnonzero(controllers == slot)
            if len(rows):
                self._oppose(group, slot, rows, roles[rows])
        self.times["opponents"] += time.perf_counter() - started

    def _learn_from(self, half: int, role: int, rows: NDArray[np.int64]) -> None:
        started = time.perf_counter()
        group, learner = self.groups[half], self.learners[role]
        buffer = learner.rollout_buffer
        at = buffer.add(rows, group.seats, group.observations, group.masks, self._firsts[half])
        if self.hinter is not None:
            buffer.observations[at, self.game.observation_size :] = self._advice(group, rows)
        if self._potential is not None:
            self._potential(group.states, rows, buffer.potentials[at])
        with th.inference_mode():
            observations = th.from_numpy(buffer.observations[at]).to(learner.device)
            logits, values = learner.policy.logits_and_values(observations)
            buffer.estimates[at] = values.cpu().numpy()
            scores = logits.cpu().numpy()
        self._sample(
            group, rows, scores, buffer.masks[at], buffer.actions[at], buffer.log_probs[at]
        )
        if self._teacher is not None:
            taught = self._teacher.act_batch(views_of(group, rows, self.rng))
            group.actions[rows] = buffer.actions[at] = taught
            buffer.log_probs[at] = log_probs_of(scores, buffer.masks[at], taught)
        self.times["inference"] += time.perf_counter() - started

    def _advice(self, group: TableGroup, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        assert self.hinter is not None
        views = views_of(group, rows, self.rng)
        return self.hinter.advise_batch(views, self.config.network.hint_scale)

    def _sample(
        self,
        group: TableGroup,
        rows: NDArray[np.int64],
        logits: NDArray[np.float32],
        masks: NDArray[np.bool_],
        chosen: NDArray[np.int64],
        log_probs: NDArray[np.float32],
    ) -> None:
        uniforms = self.rng.random(len(rows))
        bad = sample_actions(logits, masks, uniforms, rows, group.actions, chosen, log_probs)
        if bad >= 0:
            what = "no legal action" if not masks[bad].any() else f"logits {logits[bad]}"
            raise RuntimeError(f"{self.game.name}: table {rows[bad]}: {what}")

    def _oppose(
        self,
        group: TableGroup,
        slot: int,
        rows: NDArray[np.int64],
        roles: NDArray[np.int64],
    ) -> None:
        bot = self._bots[slot]
        if bot is not None:
            group.actions[rows] = bot.act_batch(views_of(group, rows, self.rng))
            return
        for role, net in enumerate(self._nets[slot]):
            mine = rows[roles == role]
            if len(mine) == 0:
                continue
            n = len(mine)
            gather_rows(mine, group.observations, group.masks, self._observations, self._masks, 0)
            if self.hinter is not None:
                advice = self._advice(group, mine)
                self._observations[:n, self.game.observation_size :] = advice
            with th.inference_mode():
                observations = th.from_numpy(self._observations[:n]).to(net.device)
                logits = net.logits(observations).cpu().numpy()
            self._sample(
                group, mine, logits, self._masks[:n], self._chosen[:n], self._log_probs[:n]
            )

    # --- the league ---------------------------------------------------------------------------

    def _refresh_league(self) -> None:
        held = np.zeros(self.config.league.active + 1, np.int64)
        for group in self.groups:
            playing = group.controllers[group.controllers >= 0]
            held += np.bincount(playing, minlength=len(held))
        self._load_slots(self.league.refresh(held))

    def _load_slots(self, slots: Any) -> None:
        for slot in slots:
            member = self.league.slots[slot - 1]
            if member is not None:
                self._load_slot(slot, member)

    def _load_slot(self, slot: int, member: Member) -> None:
        self._bots[slot], self._nets[slot] = None, []
        if member.weights is None:
            from ..agents.registry import make

            self._bots[slot] = make(member.name, self.game)
            return
        for role, learner in zip(self.game.roles, self.learners, strict=True):
            net = FrozenNetwork(member.weights[role], self.config.network, learner.device)
            self._nets[slot].append(net)

    def _count(self, group: TableGroup, ended: NDArray[np.int64]) -> None:
        slots = self.config.league.active + 1
        beaten_by, met = np.zeros(slots), np.zeros(slots)
        wins, games = np.zeros(self.game.max_seats), np.zeros(self.game.max_seats)
        count_results(group.dones, group.places, group.controllers, wins, games, beaten_by, met)
        self.league.record(beaten_by, met)
        self.seat_wins += wins
        self.seat_games += games
        self.finished_games += len(ended)
        length = float(group.lengths[ended].mean())
        self.mean_length += 0.1 * (length - self.mean_length) if self.mean_length else length

    # --- reports and resuming -----------------------------------------------------------------

    def take_times(self) -> dict[str, float]:
        """Seconds by kind since the last call."""
        times, self.times = self.times, dict.fromkeys(CLOCKS, 0.0)
        return times

    def take_win_shares(self) -> NDArray[np.float64]:
        """Recent win share of the current policy by seat at mixed tables; NaN where unknown."""
        with np.errstate(invalid="ignore"):
            shares: NDArray[np.float64] = self.seat_wins / self.seat_games
        self.seat_wins *= SHARE_DECAY
        self.seat_games *= SHARE_DECAY
        return shares

    def state_dict(self) -> dict[str, Any]:
        """Everything that decides what comes next, in plain values and arrays."""
        self._begin()
        return {
            "groups": [group.snapshot() for group in self.groups],
            "league": self.league.state_dict(),
            "rng": rng_state(self.rng),
            "league_rng": rng_state(self.league.rng),
            "seat_wins": self.seat_wins.copy(),
            "seat_games": self.seat_games.copy(),
            "finished_games": self.finished_games,
            "mean_length": self.mean_length,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on where :meth:`state_dict` was taken."""
        self._began = True
        for group, kept in zip(self.groups, state["groups"], strict=True):
            group.restore(kept)
        self.league.load_state_dict(state["league"])
        set_rng_state(self.rng, state["rng"])
        set_rng_state(self.league.rng, state["league_rng"])
        self.seat_wins[:] = state["seat_wins"]
        self.seat_games[:] = state["seat_games"]
        self.finished_games = state["finished_games"]
        self.mean_length = state["mean_length"]
        self._load_slots(range(1, self.config.league.active + 1))

    def close(self) -> None:
        """End the threads."""
        self._worker.shutdown()
        for group in self.groups:
            group.close()
