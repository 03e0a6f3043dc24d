"""Collecting rollouts: the players, and the workers that play the tables side by side."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...agents.baseline.heuristic import HeuristicAgent
from ...envs import load
from ...envs.core.game import Game
from ...envs.core.rng import stream
from ..config import ConfigError, TrainConfig
from ..league import League, Member, Weights
from ..learner.network import PolicyNetwork
from ..processes import ALONE, Processes
from ..randomness import rng_state, set_rng_state
from .buffer import shard_bounds
from .lockstep import Lockstep
from .table_worker import CLOCKS, TableWorker
from .tables import TableGroup
from .thread_pool import ThreadPool

if TYPE_CHECKING:
    from ...agents.base import Agent
    from ..learner.ppo import PPO

SHARE_DECAY = 0.9


class Collector:
    """All tables of a training run: lets the players decide, and fills the learners' buffers.

    Attributes:
        game: The game.
        pool: The threads.
        workers: The tables, a share for each thread.
        league: The frozen opponents.
        learners: The learner of each role.
        bots: The league's agents by slot; ``None`` for snapshots.
        nets: The league's snapshots by slot, a network a role; none for agents.
        teacher: The heuristic that the learning seats imitate; ``None`` after that.
        trust: Share of the decisions that the policy makes itself meanwhile (DAgger: Ross, Gordon
            and Bagnell, "A reduction of imitation learning and structured prediction to no-regret
            online learning", 2011).
        lockstep: Plays all tables together, where networks are on an accelerator; ``None`` where
            each worker asks them for itself.
        looked: Of the last rollout: decisions at which it was looked ahead, at how many of them
            another action than the most probable one came out best, and the sum over them of what
            the best action wins over the policy.
        times: Seconds since the last :meth:`take_times`, by activity: tables, networks that learn,
            opponents, updates, and the rest of the rollout.

    Args:
        config: The training configuration.
        processes: Those of the training: each has its share of the tables.
    """

    def __init__(self, config: TrainConfig, processes: Processes = ALONE) -> None:
        self.config = config
        self.processes = processes
        self.game: Game = load(config.game)
        role = config.league.learner_role
        if role is not None and role not in self.game.roles:
            known = ", ".join(self.game.roles)
            raise ConfigError(f"league.learner_role={role!r}: must be null or one of {known}")
        for options in config.distinct_options() if role is not None else ():
            present = self.game.seat_roles(self.game.options.resolve(options))
            if self.game.roles.index(role) not in present:
                raise ConfigError(f"league.learner_role={role!r}: nobody plays it with {options}")
        self.pool = ThreadPool(config.threads)
        league = config.league.model_copy(update={"baselines": config.opponents()})
        self.league = League(league, config.seed)
        self.learners: Sequence[PPO] = ()
        self.teacher: HeuristicAgent | None = None
        self.trust = 0.0
        self.nets: dict[int, list[PolicyNetwork]] = {}
        self.bots: dict[int, Agent | None] = {}
        self.workers = [
            self._make_worker(index, last - first)
            for index, (first, last) in enumerate(pairwise(shard_bounds(config, processes)))
        ]
        self.times = dict.fromkeys((*CLOCKS, "learning", "rollout"), 0.0)
        self.seat_wins = np.zeros(self.game.max_seats)
        self.seat_games = np.zeros(self.game.max_seats)
        self.finished_games = 0
        self.mean_length = 0.0
        self.looked = 0.0, 0.0, 0.0
        self.lockstep: Lockstep | None = None
        self._began = False

    def network(self, slot: int, role: int) -> PolicyNetwork:
        """The network that plays a role: of the learner for slot 0, else of that opponent."""
        return self.nets[slot][role] if slot else self.learners[role].network

    def _make_worker(self, index: int, tables: int, iteration: int = 0) -> TableWorker:
        config, seed = self.config, np.uint64(self.config.seed)
        if iteration:
            seed = stream(seed, np.uint64(iteration))
        # As if all shards were in one process.
        number = self.processes.rank * config.threads + index
        group = TableGroup(
            self.game,
            config.options,
            tables,
            int(stream(seed, np.uint64(1000 + number))),
            config.rewards,
        )
        return TableWorker(self, index, group, int(stream(seed, np.uint64(2000 + number))))

    # --- collecting ---------------------------------------------------------------------------

    @property
    def teaching(self) -> bool:
        """Whether a teacher plays the learning seats."""
        return self.teacher is not None

    def collect(self, progress: float, decisions: int = 0) -> int:
        """Play ``steps`` decisions at every table.

        Args:
            progress: Share of the training that is over, 0 to 1, for the end of the imitation.
            decisions: Decisions that were learnt from, likewise.

        Returns:
            New decisions of learning seats, of all roles and processes together.
        """
        started = time.perf_counter()
        accounted = self._accounted()
        buffers = [learner.buffer for learner in self.learners]
        for buffer in buffers:
            buffer.reset()
        carried = sum(buffer.count for buffer in buffers)
        self._begin()
        self._choose_teacher(progress, decisions)
        steps = self.config.ppo.steps
        if self.lockstep is None:
            self.pool.run(lambda k: self.workers[k].play(steps), len(self.workers))
        else:
            self.lockstep.play(steps)
        self._count()
        for buffer in buffers:
            buffer.finish()
        spent = time.perf_counter() - started
        self.times["rollout"] += spent - (self._accounted() - accounted)
        new = sum(buffer.count for buffer in buffers) - carried
        return int(self.processes.total(np.array(new)))

    def _choose_teacher(self, progress: float, decisions: int) -> None:
        imitation = self.config.imitation
        if imitation is not None:
            self.trust = max(progress / imitation.until, decisions / imitation.decisions)
        if imitation is None or self.trust >= 1.0:
            self.teacher = None
            return
        if self.teacher is None:
            self.teacher = HeuristicAgent(self.game)

    def _accounted(self) -> float:
        """Seconds by the workers' own clocks, which run side by side."""
        return sum(sum(worker.times.values()) for worker in self.workers) / len(self.workers)

    def _begin(self) -> None:
        if self._began:
            return
        self._began = True
        self._load_slots()
        for worker in self.workers:
            worker.begin()

    def _count(self) -> None:
        """Add up the games that the workers have finished."""
        tallies = [worker.tally for worker in self.workers]
        results = "beaten_by", "met", "seat_wins", "seat_games", "games", "decisions"
        looks = "looks", "differed", "gained"
        parts = [
            np.sum([getattr(tally, name) for tally in tallies], 0) for name in (*results, *looks)
        ]
        ends = np.cumsum([np.size(part) for part in parts])[:-1]
        added = self.processes.total(np.concatenate([np.atleast_1d(part) for part in parts]))
        beaten_by, met, seat_wins, seat_games, games, decisions, *looked = np.split(added, ends)
        self.league.record(beaten_by, met)
        self.seat_wins += seat_wins
        self.seat_games += seat_games
        count, differed, gained = (float(part[0]) for part in looked)
        self.looked = count, differed, gained
        if games[0]:
            self.finished_games += int(games[0])
            length = float(decisions[0] / games[0])
            self.mean_length += 0.3 * (length - self.mean_length) if self.mean_length else length

    # --- the league ---------------------------------------------------------------------------

    def add_snapshot(self, iteration: int, weights: Weights) -> None:
        """Let a frozen copy of the current policy play in the league."""
        if slot := self.league.add_snapshot(iteration, weights):
            self._load_slot(slot, self.league.members[slot - 1])

    def _load_slots(self) -> None:
        for slot, member in enumerate(self.league.members, 1):
            self._load_slot(slot, member)

    def _load_slot(self, slot: int, member: Member) -> None:
        self.bots[slot], self.nets[slot] = None, []
        if member.weights is None:
            self.bots[slot] = self._agent_of(member)
            return
        for role, learner in zip(self.game.roles, self.learners, strict=True):
            net = PolicyNetwork(learner.network.architecture, member.weights[role])
            self.nets[slot].append(net.requires_grad_(False).to(learner.network.device))

    def _agent_of(self, member: Member) -> Agent:
        """The agent of a baseline.

        One of a resumed league comes from a file: names that are not of the configuration stand
        for agents that are part of Gangland.
        """
        from ...agents.registry import make, make_built_in

        ours = member.name in self.config.opponents()
        return (make if ours else make_built_in)(member.name, self.game)

    # --- reports and resuming -----------------------------------------------------------------

    def take_times(self) -> dict[str, float]:
        """Seconds by kind since the last call; those of the workers are their means."""
        times, self.times = self.times, dict.fromkeys(self.times, 0.0)
        for worker in self.workers:
            for clock, seconds in worker.times.items():
                times[clock] += seconds / len(self.workers)
            worker.times = dict.fromkeys(CLOCKS, 0.0)
        return times

    def take_win_shares(self) -> NDArray[np.float64]:
        """Recent win share of the current policy by seat at mixed tables; NaN where unknown."""
        with np.errstate(invalid="ignore"):
            shares: NDArray[np.float64] = self.seat_wins / self.seat_games
        self.seat_wins *= SHARE_DECAY
        self.seat_games *= SHARE_DECAY
        return shares

    def tables(self) -> list[dict[str, Any]]:
        """The positions at the tables, and each worker's randomness, as plain values and arrays."""
        self._begin()
        return [
            {"group": worker.group.snapshot(), "rng": rng_state(worker.rng)}
            for worker in self.workers
        ]

    def state_dict(self) -> dict[str, Any]:
        """All else that determines how it continues, likewise."""
        return {
            "league": self.league.state_dict(),
            "seat_wins": self.seat_wins.copy(),
            "seat_games": self.seat_games.copy(),
            "finished_games": self.finished_games,
            "mean_length": self.mean_length,
        }

    def load_tables(self, tables: Sequence[Mapping[str, Any]]) -> None:
        """Restore what :meth:`tables` gave."""
        self._began = True
        for worker, kept in zip(self.workers, tables, strict=True):
            worker.group.restore(kept["group"])
            set_rng_state(worker.rng, kept["rng"])

    def begin_new_games(self, iteration: int) -> None:
        """Begin other games than the training began with.

        Args:
            iteration: Rollouts so far, from which the seeds of the new games are made.
        """
        self.workers = [
            self._make_worker(index, worker.group.count, iteration)
            for index, worker in enumerate(self.workers)
        ]
        self._began = True
        for worker in self.workers:
            worker.begin()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the state of :meth:`state_dict`, of any number of processes."""
        self.league.load_state_dict(state["league"])
        self.seat_wins[:] = state["seat_wins"]
        self.seat_games[:] = state["seat_games"]
        self.finished_games = state["finished_games"]
        self.mean_length = state["mean_length"]
        self._load_slots()

    def close(self) -> None:
        """End the threads."""
        self.pool.close()
        for worker in self.workers:
            worker.group.close()
