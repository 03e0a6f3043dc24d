"""Plays a ladder: its pool, the cells of the matrix, mixed line-ups, and the final result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import permutations, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...agents.base import Agent
from ...agents.baseline.heuristic import specs_of
from ...agents.registry import make, policy_spec, shipped
from ...envs import load
from ...envs.core.game import Game
from ...envs.core.integers import MAX_GAMES, whole_number
from ...envs.core.options import OptionValue
from ...envs.core.rng import stream
from ..hashes import hashes_of
from ..kept import Kept
from ..play import Progress, play_schedules
from ..schedule import Schedule, pool_schedule, table_schedule
from ..statistics import win_share, win_shares
from ..tournament import ArenaError
from ..workers import Players, Workers
from .matrix import rate_matrix, role_seats
from .mixed import Outcomes, rate_mixed
from .result import OBSERVATION, OPEN, Cell, Ladder, Track

SEARCH = "ismcts:1000"
"""The search agent of every pool: a fixed number of positions, so that machines do not matter."""


def small_pool(game: Game) -> list[str]:
    """The fixed pool for evaluation during training: neither the search, which takes too long, nor
    the exploiters, which no training shall choose by.
    """
    return ["random", *specs_of(game), *map(policy_spec, shipped(game.name))]


def pool_of(game: Game) -> list[str]:
    """The fixed pool of a game: random, all heuristics, every bot that ships, and a search."""
    return [*small_pool(game), SEARCH]


def track_of(agent: Agent) -> Track:
    """:data:`OBSERVATION` for an agent of observation and mask alone, else :data:`OPEN`."""
    return OPEN if agent.needs_records else OBSERVATION


def play_ladder(
    game: Game | str,
    pool: Sequence[str] | None = None,
    add: Sequence[str] = (),
    *,
    games: int = 1000,
    search_games: int = 100,
    mixed_games: int = 5000,
    search_meets: Sequence[str] | None = None,
    seed: int = 0,
    workers: int | Workers = 1,
    progress: Progress | None = None,
    kept: Path | None = None,
    known: Ladder | None = None,
    **options: Any,
) -> Ladder:
    """Play the whole ladder.

    Args:
        game: The game or its name.
        pool: Specs; :func:`pool_of` by default.
        add: Further specs, such as opponents that none of the pool trained on.
        games: Games of each cell of the matrix; rounded up to full rotations.
        search_games: Games of a cell, and of mixed line-ups, in which an agent searches; each on a
            deal of its own (:meth:`gangland.arena.schedule.Schedule.spread`).
        mixed_games: Games of mixed line-ups among the agents that do not search.
        search_meets: Specs of the pool whose cells with agents that search are played; all by
            default. Other such cells are missing from the matrix.
        seed: Seed of line-ups, deals and players.
        workers: Threads, or other workers; the result is the same for any number.
        progress: Called with the number of games that have ended; see
            :data:`gangland.arena.play.Progress`.
        kept: Folder in which each finished cell is kept. After an interruption, or with a larger
            pool, a call with the same arguments continues from there. See
            :class:`gangland.arena.kept.Kept`.
        known: An earlier ladder, whose cells are taken over and not played again where both agents
            are what they were, by the hashes of their files: the same games would come out. Mixed
            line-ups are of the whole pool and are always played.
        **options: The game's options.

    Raises:
        ArenaError: If there are fewer than two different agents, ``search_meets``
            names an agent that is not in the pool or leaves one without a cell, or ``known`` is of
            another game, other rules, options or seed, or has a cell of another number of games.
        IntegerError: For a number of games that is out of range.
        GanglandError: For an unknown game, agent or option, or an illegal action.
    """
    game = load(game) if isinstance(game, str) else game
    resolved = game.options.resolve(options)
    specs = list(dict.fromkeys([*(pool_of(game) if pool is None else pool), *add]))
    if len(specs) < 2:
        raise ArenaError("a ladder needs at least two different agents")
    for name, number in (
        ("games", games),
        ("search games", search_games),
        ("mixed games", mixed_games),
    ):
        whole_number(name, number, 1, MAX_GAMES)
    strange = [spec for spec in search_meets or () if spec not in specs]
    if strange:
        raise ArenaError(f"search meets {', '.join(strange)}: must be of {', '.join(specs)}")
    agents = [make(spec, game) for spec in specs]
    store = Kept(kept, game, resolved, agents)
    met = {k for k, spec in enumerate(specs) if search_meets is None or spec in search_meets}
    files = {spec: hashes_of(agent) for spec, agent in zip(specs, agents, strict=True)}
    cells = [] if known is None else _cells_of(known, files, game, resolved, seed)
    play = _Player(game, resolved, agents, specs, seed, workers, progress, store, cells)
    result = play.ladder(*play.play(play.meetings(met), games, search_games, mixed_games))
    return replace(result, pool=files)


def play_rows(
    game: Game,
    ones: Sequence[Agent],
    tables: Sequence[Agent],
    *,
    games: int = 1000,
    search_games: int = 100,
    seed: int = 0,
    workers: int | Workers = 1,
    progress: Progress | None = None,
    kept: Path | None = None,
    **options: Any,
) -> tuple[Cell, ...]:
    """Rows of the matrix alone: each agent against a table of each opponent.

    Their cells are those of a ladder with the same seed and numbers of games.

    Args:
        game: The game.
        ones: The agents whose rows are played.
        tables: The opponents. Agents with the same spec do not meet.
        games: Games of each cell; see :func:`play_ladder` for this and the others.
        search_games: Games of a cell in which an agent searches.
        seed: Seed of deals and players.
        workers: Threads, or other workers; the result is the same for any number.
        progress: Called with the number of games that have ended.
        kept: Folder in which each finished cell is kept.
        **options: The game's options.

    Returns:
        All cells, row by row, opponents in the given order, then roles.

    Raises:
        IntegerError: For a number of games that is out of range.
        GanglandError: For an unknown option, or an illegal action.
    """
    for name, number in (("games", games), ("search games", search_games)):
        whole_number(name, number, 1, MAX_GAMES)
    resolved = game.options.resolve(options)
    agents = [*ones, *tables]
    specs = [agent.spec for agent in agents]
    store = Kept(kept, game, resolved, agents)
    play = _Player(game, resolved, agents, specs, seed, workers, progress, store, ())
    meetings = product(range(len(ones)), range(len(ones), len(agents)))
    strangers = [(one, table) for one, table in meetings if specs[one] != specs[table]]
    return play.rows(strangers, games, search_games)


def _cells_of(
    known: Ladder,
    files: dict[str, dict[str, str]],
    game: Game,
    options: dict[str, OptionValue],
    seed: int,
) -> list[Cell]:
    """Cells of an earlier ladder whose games would be the same today."""
    asked = (game.name, game.rules_version, options, seed)
    found = (known.game, known.rules_version, known.options, known.seed)
    names = ("game", "rules version", "options", "seed")
    for name, there, here in zip(names, found, asked, strict=True):
        if there != here:
            raise ArenaError(f"the known ladder's {name}={there!r}: must be {here!r}")
    same = {spec for spec, hashes in files.items() if hashes == known.pool.get(spec, {})}
    return [cell for cell in known.cells if {cell.one, cell.table} <= same]


class _Part(NamedTuple):
    """Games that are played, and kept, together.

    Attributes:
        schedule: Who plays where.
        seed: Seed of deals and players.
        searching: Seats that search, in all games.
    """

    schedule: Schedule
    seed: int
    searching: int


class _Player:
    """Plays the parts of a ladder and reports progress."""

    def __init__(
        self,
        game: Game,
        options: dict[str, OptionValue],
        agents: list[Agent],
        specs: list[str],
        seed: int,
        workers: int | Workers,
        progress: Progress | None,
        kept: Kept,
        known: Sequence[Cell],
    ) -> None:
        self.game = game
        self.options = options
        self.agents = agents
        self.specs = specs
        self.seed = seed
        self.workers = workers
        self.roles = game.seat_roles(options)
        self.quick = [k for k, agent in enumerate(agents) if not agent.deliberate]
        self._progress = progress
        self._kept = kept
        self._known = {(cell.one, cell.table, cell.role): cell for cell in known}
        self._total = 0

    def meetings(self, met: set[int]) -> list[tuple[int, int]]:
        """Every two agents, both ways; those that search meet each other and ``met``.

        Raises:
            ArenaError: If an agent would meet nobody.
        """
        found = []
        for one, table in permutations(range(len(self.agents)), 2):
            searching = {one, table} - set(self.quick)
            if not searching or {one, table} <= searching | met:
                found.append((one, table))
        seated = {one for one, _ in found}
        alone = [spec for k, spec in enumerate(self.specs) if k not in seated]
        if alone:
            raise ArenaError(f"search meets nobody: {', '.join(alone)} would have no cell")
        return found

    def rows(
        self, meetings: Iterable[tuple[int, int]], games: int, search_games: int
    ) -> tuple[Cell, ...]:
        """The cells of these meetings."""
        pairs = self._pairs(meetings, games, search_games)
        outcomes = self._play_all([self._part(schedule, 1) for *_, schedule in pairs])
        return tuple(
            self._cell(*pair[:3], won)[0] for pair, won in zip(pairs, outcomes, strict=True)
        )

    def play(
        self,
        meetings: Iterable[tuple[int, int]],
        games: int,
        search_games: int,
        mixed_games: int,
    ) -> tuple[list[Cell], list[NDArray[np.float64] | None], list[Outcomes]]:
        """The cells of the matrix, with what each one won by deals, and mixed line-ups."""
        pairs = self._pairs(meetings, games, search_games)
        cells = [self._known_cell(*pair) for pair in pairs]
        to_play = [pair for pair, cell in zip(pairs, cells, strict=True) if cell is None]
        mixed = self._mixed(mixed_games, search_games)
        parts = [self._part(schedule, 1) for *_, schedule in to_play]
        parts += [self._part(schedule, number) for number, schedule in mixed.items()]
        outcomes = self._play_all(parts)
        played = (self._cell(*pair[:3], won) for pair, won in zip(to_play, outcomes, strict=False))
        found = [next(played) if cell is None else (cell, None) for cell in cells]
        return [cell for cell, _ in found], [won for _, won in found], outcomes[len(to_play) :]

    def _known_cell(self, one: int, table: int, role: int, schedule: Schedule) -> Cell | None:
        cell = self._known.get((self.specs[one], self.specs[table], self._role_name(role)))
        if cell is not None and cell.games != len(schedule):
            raise ArenaError(
                f"the known ladder's cell of {cell.one} and {cell.table} is of {cell.games} games: "
                f"must be {len(schedule)}"
            )
        return cell

    def _part(self, schedule: Schedule, number: int) -> _Part:
        searching = len(schedule.line_ups.flat) - int(np.isin(schedule.line_ups, self.quick).sum())
        return _Part(schedule, int(stream(np.uint64(self.seed), np.uint64(number))), searching)

    def _play_all(self, parts: list[_Part]) -> list[Outcomes]:
        """Outcomes of all parts, those that take longest begun first."""
        self._total = sum(len(part.schedule) for part in parts)
        found = {}
        order = []
        for k in sorted(range(len(parts)), key=lambda k: -parts[k].searching):
            kept = Outcomes.find(self._kept, parts[k].schedule, parts[k].seed)
            if kept is None:
                order.append(k)
            else:
                found[k] = kept
                self._report(len(kept.deals), 0)
        with closing(
            play_schedules(
                Players(self.game, self.options, self.agents),
                [(parts[k].schedule, parts[k].seed) for k in order],
                workers=self.workers,
                progress=self._report,
            )
        ) as played:
            for place, games in played:
                schedule, seed, _ = parts[order[place]]
                found[order[place]] = outcomes = Outcomes.of(games)
                outcomes.keep(self._kept, schedule, seed)
        return [found[k] for k in range(len(parts))]

    def _pairs(
        self, meetings: Iterable[tuple[int, int]], games: int, search_games: int
    ) -> list[tuple[int, int, int, Schedule]]:
        """One agent in one seat of every role, against a table of the other."""
        found = []
        for one, table in meetings:
            for role in sorted(set(self.roles)):
                line_up = [table] * len(self.roles)
                line_up[self.roles.index(role)] = one
                if {one, table} <= set(self.quick):
                    schedule = table_schedule(line_up, self.roles, games)
                else:
                    schedule = table_schedule(line_up, self.roles, search_games).spread()
                found.append((one, table, role, schedule))
        return found

    def _mixed(self, games: int, search_games: int) -> dict[int, Schedule]:
        """Line-ups of the pool, by the part of the seed; agents that search are in fewer."""
        groups = {}
        if len(self.quick) > 1:
            groups[2] = self.quick, games
        if len(self.quick) < len(self.agents):
            groups[3] = list(range(len(self.agents))), search_games
        found = {}
        for part, (group, count) in groups.items():
            schedule = pool_schedule(len(group), self.roles, count, self.seed + part)
            if not set(group) <= set(self.quick):
                schedule = schedule.spread()
            found[part] = Schedule(np.array(group)[schedule.line_ups], schedule.deals)
        return found

    def _cell(
        self, one: int, table: int, role: int, played: Outcomes
    ) -> tuple[Cell, NDArray[np.float64]]:
        """A cell, and its one's mean win share on each deal."""
        won = win_shares(played.places, played.truncated)
        mine = played.line_ups == one
        share = win_share(won, mine, played.deals)
        names = self.specs[one], self.specs[table], self._role_name(role)
        cell = Cell(*names, len(won), share.share, share.low, share.high)
        by_deal = np.bincount(played.deals, (won * mine).sum(axis=1)) / np.bincount(played.deals)
        return cell, by_deal

    def _role_name(self, role: int) -> str:
        return self.game.roles[role] if len(self.game.roles) > 1 else ""

    def _report(self, ended: int, of_part: int) -> None:
        if self._progress is not None:
            self._progress(ended, self._total)

    def ladder(
        self, cells: list[Cell], won: list[NDArray[np.float64] | None], mixed: list[Outcomes]
    ) -> Ladder:
        """The result from all games."""
        tracks = [track_of(agent) for agent in self.agents]
        standings, differences = rate_mixed(mixed, self.specs, tracks)
        return Ladder(
            self.game.name,
            self.game.rules_version,
            self.options,
            self.seed,
            1 / len(self.roles),
            sum(len(part.deals) for part in mixed),
            standings,
            tuple(cells),
            differences,
            rate_matrix(cells, role_seats(self.game, self.options), won, seed=self.seed),
        )
