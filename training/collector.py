"""Collecting rollouts: who plays, and the lanes of tables that are played side by side."""

from __future__ import annotations

import importlib
import time
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import torch as th
from numpy.typing import NDArray

from ..envs import load
from ..envs.core.game import Game
from ..envs.core.rng import stream
from .buffer import DecisionBuffer, lane_bounds
from .config import ConfigError, TrainConfig, value_at
from .crew import Crew
from .lane import CLOCKS, Lane
from .league import League, Member
from .network import FrozenNetwork, MaskedPolicy
from .randomness import rng_state, set_rng_state
from .tables import TableGroup
from .trajectories import compile_potential

if TYPE_CHECKING:
    from ..agents.base import Agent

SHARE_DECAY = 0.9


class Learner(Protocol):
    """What the collector needs of each role's learner."""

    policy: MaskedPolicy
    rollout_buffer: DecisionBuffer
    device: th.device


class Collector:
    """All tables of a training run: asks who plays, and fills the learners' buffers.

    Attributes:
        game: The game.
        crew: Threads among which tables and batches are split.
        lanes: The tables, a part for each thread.
        league: The frozen opponents.
        learners: The learner of each role.
        bots: The league's agents by slot; ``None`` for snapshots and empty slots.
        nets: The league's snapshots by slot, a network a role.
        hinter: Whose advice the networks are given, if they are.
        teacher: Who plays the learning seats, while that is taught.
        potential: Fills the shaping potentials, if there is shaping.
        inputs: Numbers that a network sees: the observation, and the advice if there is any.
        times: Seconds spent since the last :meth:`take_times`, by kind: tables, networks that
            learn, opponents, updates, and the rest of the rollout.

    Args:
        config: The training configuration.
    """

    def __init__(self, config: TrainConfig) -> None:
        self.config = config
        self.game: Game = load(config.game)
        self.crew = Crew(config.threads)
        seed = np.uint64(config.seed)
        self.league = League(config.league, int(stream(seed, np.uint64(10))))
        self.learners: Sequence[Learner] = ()
        self.hinter: Agent | None = None
        if config.network.hint is not None:
            # As whoever plays the trained bot will make it.
            from ..agents.registry import make_built_in

            self.hinter = make_built_in(config.network.hint, self.game)
        self.inputs = config.network.inputs(self.game.observation_size, self.game.num_actions)
        self.teacher: Agent | None = None
        self.nets: list[list[FrozenNetwork]] = [[] for _ in range(config.league.active + 1)]
        self.bots: list[Agent | None] = [None] * (config.league.active + 1)
        self.potential = self._load_potential()
        self.lanes = [
            self._make_lane(index, last - first)
            for index, (first, last) in enumerate(pairwise(lane_bounds(config)))
        ]
        self.times = dict.fromkeys((*CLOCKS, "learning", "rollout"), 0.0)
        self.seat_wins = np.zeros(self.game.max_seats)
        self.seat_games = np.zeros(self.game.max_seats)
        self.finished_games = 0
        self.mean_length = 0.0
        self._began = False

    def _make_lane(self, index: int, tables: int) -> Lane:
        config, seed = self.config, np.uint64(self.config.seed)
        group = TableGroup(
            self.game,
            config.table_options(),
            tables,
            int(stream(seed, np.uint64(1000 + index))),
            None if config.rewards == "result" else config.score_weight,
            config.rewards == "mixed",
        )
        return Lane(self, index, group, int(stream(seed, np.uint64(2000 + index))))

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

    @property
    def teaching(self) -> bool:
        """Whether the teacher plays the learning seats."""
        return self.teacher is not None

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
        self.crew.run(lambda k: self.lanes[k].play(self.config.ppo.steps), len(self.lanes))
        self._count()
        shaping = self.config.shaping
        weight = value_at(shaping.weight, progress) if shaping is not None else 0.0
        for buffer in buffers:
            buffer.finish(weight)
        spent = time.perf_counter() - started
        self.times["rollout"] += spent - (self._accounted() - accounted)
        return sum(buffer.count for buffer in buffers) - carried

    def _choose_teacher(self, progress: float) -> None:
        imitation = self.config.imitation
        if imitation is None or progress >= imitation.until:
            self.teacher = None
        elif self.teacher is None:
            from ..agents.registry import make

            self.teacher = make(imitation.teacher, self.game)

    def _accounted(self) -> float:
        """Seconds of the lanes' own clocks, which run side by side."""
        return sum(sum(lane.times.values()) for lane in self.lanes) / len(self.lanes)

    def _begin(self) -> None:
        if self._began:
            return
        self._began = True
        self.league.refresh(np.zeros(self.config.league.active + 1, np.int64))
        self._load_slots(range(1, self.config.league.active + 1))
        for lane in self.lanes:
            lane.begin()

    def _count(self) -> None:
        """Add up what the lanes have finished."""
        tallies = [lane.tally for lane in self.lanes]
        self.league.record(
            np.sum([tally.beaten_by for tally in tallies], 0),
            np.sum([tally.met for tally in tallies], 0),
        )
        for tally in tallies:
            self.seat_wins += tally.seat_wins
            self.seat_games += tally.seat_games
        games = sum(tally.games for tally in tallies)
        if games:
            self.finished_games += games
            length = sum(tally.decisions for tally in tallies) / games
            self.mean_length += 0.3 * (length - self.mean_length) if self.mean_length else length

    # --- the league ---------------------------------------------------------------------------

    def _refresh_league(self) -> None:
        held = np.zeros(self.config.league.active + 1, np.int64)
        for lane in self.lanes:
            playing = lane.group.controllers[lane.group.controllers >= 0]
            held += np.bincount(playing, minlength=len(held))
        self._load_slots(self.league.refresh(held))

    def _load_slots(self, slots: Any) -> None:
        for slot in slots:
            member = self.league.slots[slot - 1]
            if member is not None:
                self._load_slot(slot, member)

    def _load_slot(self, slot: int, member: Member) -> None:
        self.bots[slot], self.nets[slot] = None, []
        if member.weights is None:
            from ..agents.registry import make, make_built_in

            # Members of a resumed league come from a file.
            own = member.name in self.config.league.baselines
            self.bots[slot] = (make if own else make_built_in)(member.name, self.game)
            return
        for role, learner in zip(self.game.roles, self.learners, strict=True):
            net = FrozenNetwork(member.weights[role], self.config.network, learner.device)
            self.nets[slot].append(net)

    # --- reports and resuming -----------------------------------------------------------------

    def take_times(self) -> dict[str, float]:
        """Seconds by kind since the last call; those of the lanes are their means."""
        times, self.times = self.times, dict.fromkeys(self.times, 0.0)
        for lane in self.lanes:
            for clock, seconds in lane.times.items():
                times[clock] += seconds / len(self.lanes)
            lane.times = dict.fromkeys(CLOCKS, 0.0)
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
            "lanes": [
                {"group": lane.group.snapshot(), "rng": rng_state(lane.rng)} for lane in self.lanes
            ],
            "league": self.league.state_dict(),
            "league_rng": rng_state(self.league.rng),
            "seat_wins": self.seat_wins.copy(),
            "seat_games": self.seat_games.copy(),
            "finished_games": self.finished_games,
            "mean_length": self.mean_length,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on where :meth:`state_dict` was taken."""
        self._began = True
        for lane, kept in zip(self.lanes, state["lanes"], strict=True):
            lane.group.restore(kept["group"])
            set_rng_state(lane.rng, kept["rng"])
        self.league.load_state_dict(state["league"])
        set_rng_state(self.league.rng, state["league_rng"])
        self.seat_wins[:] = state["seat_wins"]
        self.seat_games[:] = state["seat_games"]
        self.finished_games = state["finished_games"]
        self.mean_length = state["mean_length"]
        self._load_slots(range(1, self.config.league.active + 1))

    def close(self) -> None:
        """End the threads."""
        self.crew.close()
        for lane in self.lanes:
            lane.group.close()
