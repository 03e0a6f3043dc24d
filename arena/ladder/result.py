"""The result of a ladder: the matrix of win shares, and ratings from it and mixed line-ups."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal, TypeAlias

from ...envs.core.options import OptionValue
from ..tournament import ArenaError

FORMAT = "gangland-ladder/1"
OBSERVATION: Final = "observation"
OPEN: Final = "open"
Track: TypeAlias = Literal["observation", "open"]
"""The two tracks: agents that are given observation and mask alone, and those that use more, such
as the position as a record, hand-written knowledge, or the rules to search with.
"""


@dataclass(frozen=True, slots=True)
class Cell:
    """One agent in one seat, another in all the others.

    Attributes:
        one: Spec of the agent in one seat.
        table: Spec of the agent in all other seats.
        role: Role of the seat; empty in games with a single role.
        games: Games played, the seat in every rotation.
        share: Win share of the one.
        low: Lower end of the 95 % interval, by deals.
        high: Upper end.
    """

    one: str
    table: str
    role: str
    games: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Standing:
    """One agent of the pool.

    Attributes:
        spec: The agent.
        rating: Plackett-Luce rating from the mixed line-ups, in points around the pool's mean.
        margin: Half of its 95 % interval.
        share: Win share in mixed line-ups.
        low: Lower end of the 95 % interval, by deals.
        high: Upper end.
        track: What the agent may use, :data:`OBSERVATION` or :data:`OPEN`; empty in older
            files.
    """

    spec: str
    rating: float
    margin: float
    share: float
    low: float
    high: float
    track: str = ""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval.

    Attributes:
        value: The number.
        low: Lower end of the 95 % interval, by deals; ``None`` if the deals are not known.
        high: Upper end, or ``None``.
    """

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class MatrixRating:
    """Ratings of one agent from the matrix; see :mod:`gangland.arena.ladder.matrix`.

    Attributes:
        spec: The agent.
        deviation_one: Deviation rating of one such agent, at most 0, in win share.
        deviation_table: Deviation rating of a table of such agents.
        rank_one: Share of time that a population of ones spends with it, 0 to 1.
        rank_table: Share of time that a population of tables spends with it.
    """

    spec: str
    deviation_one: Estimate
    deviation_table: Estimate
    rank_one: Estimate
    rank_table: Estimate

    @property
    def estimates(self) -> tuple[Estimate, Estimate, Estimate, Estimate]:
        """All ratings in the order of the attributes."""
        return self.deviation_one, self.deviation_table, self.rank_one, self.rank_table


@dataclass(frozen=True, slots=True)
class Ladder:
    """The whole result; equal for equal arguments, whatever the number of workers.

    Attributes:
        game: Name of the game.
        rules_version: Version of its rules.
        options: Resolved options.
        seed: Seed.
        par: Win share of a seat if all players were equally strong.
        mixed_games: Games of mixed line-ups.
        standings: The pool, best rating first.
        cells: The matrix, row by row.
        differences: For each agent but the last, the 95 % interval of its lead in rating over the
            next one: ``(low, high)``.
        matrix_ratings: Ratings from the matrix, of the agents that have met all others; none in
            older files.
        pool: Hashes of each agent's files by its spec (:mod:`gangland.arena.hashes`); of none in
            older files.
    """

    game: str
    rules_version: int
    options: dict[str, OptionValue]
    seed: int
    par: float
    mixed_games: int
    standings: tuple[Standing, ...]
    cells: tuple[Cell, ...]
    differences: tuple[tuple[float, float], ...]
    matrix_ratings: tuple[MatrixRating, ...] = ()
    pool: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def pool_version(self) -> str:
        """Names the pool and the rules: results of different pools do not compare.

        A digest of the rules version, of all specs and of their files, in eight hexadecimal digits;
        it changes whenever an agent joins the pool, leaves it, or is another one.
        """
        specs = sorted(standing.spec for standing in self.standings)
        words = [[spec, *self.pool.get(spec, {}).values()] for spec in specs]
        text = "\n".join([f"{self.game} {self.rules_version}", *map(" ".join, words)])
        return hashlib.sha256(text.encode()).hexdigest()[:8]

    def row(self, spec: str) -> list[Cell]:
        """The cells of one agent against tables of each other agent."""
        return [cell for cell in self.cells if cell.one == spec]

    def invaders(self, spec: str) -> list[Cell]:
        """The cells of each other agent against tables of this one."""
        return [cell for cell in self.cells if cell.table == spec]

    def worst(self, spec: str) -> list[Cell]:
        """The cell with the lowest win share in its row, its main result; one for each role."""
        return worst_of(self.row(spec))

    def worst_invaders(self, spec: str) -> list[Cell]:
        """The cell of the agent that wins most at tables of this one; one for each role."""
        return [max(cells, key=_share) for cells in _by_role(self.invaders(spec))]

    def to_dict(self) -> dict[str, Any]:
        """JSON-able values, shares rounded to four digits and ratings to one."""
        return {
            "format": FORMAT,
            "game": self.game,
            "rules_version": self.rules_version,
            "pool_version": self.pool_version,
            "options": self.options,
            "seed": self.seed,
            "par": round(self.par, 4),
            "mixed_games": self.mixed_games,
            "pool": self.pool,
            "standings": [_rounded(asdict(standing)) for standing in self.standings],
            "differences": [[round(end, 1) for end in ends] for ends in self.differences],
            "matrix_ratings": [_rounded(asdict(rating)) for rating in self.matrix_ratings],
            "cells": [_rounded(asdict(cell)) for cell in self.cells],
        }


def worst_of(row: Sequence[Cell]) -> list[Cell]:
    """The cell with the lowest win share in an agent's row, the first of equals, of each role."""
    return [min(cells, key=_share) for cells in _by_role(row)]


def _share(cell: Cell) -> float:
    return cell.share


def _by_role(cells: Sequence[Cell]) -> list[list[Cell]]:
    roles = dict.fromkeys(cell.role for cell in cells)
    return [[cell for cell in cells if cell.role == role] for role in roles]


def _rounded(values: dict[str, Any]) -> dict[str, Any]:
    """Values with rounded floats, in dictionaries within them, too."""
    found: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, dict):
            found[key] = _rounded(value)
        elif isinstance(value, float):
            # Adding 0 makes 0 of -0.
            found[key] = round(value, 1 if key in ("rating", "margin") else 4) + 0.0
        else:
            found[key] = value
    return found


def read(data: Any) -> Ladder:
    """A ladder from :meth:`Ladder.to_dict`'s values.

    Raises:
        ArenaError: If they are of another format, or something is missing from them.
    """
    written = data.get("format") if isinstance(data, dict) else None
    if written != FORMAT:
        raise ArenaError(f"format={written!r}: must be {FORMAT!r}")
    numbers = ("game", "rules_version", "options", "seed", "par", "mixed_games")
    try:
        return Ladder(
            **{key: data[key] for key in numbers},
            standings=tuple(Standing(**standing) for standing in data["standings"]),
            cells=tuple(Cell(**cell) for cell in data["cells"]),
            pool=dict(data.get("pool", {})),
            differences=tuple((low, high) for low, high in data["differences"]),
            matrix_ratings=tuple(
                MatrixRating(rating.pop("spec"), **{k: Estimate(**v) for k, v in rating.items()})
                for rating in map(dict, data.get("matrix_ratings", ()))
            ),
        )
    except KeyError as error:
        raise ArenaError(f"a ladder without {error}") from None
    except (TypeError, ValueError) as error:
        raise ArenaError(f"a damaged ladder: {error}") from None
