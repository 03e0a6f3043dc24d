"""The ladder: a fixed pool of agents, each against tables of every other, and in mixed line-ups.

A win share against one opponent says how well an agent is fitted to that opponent. The ladder shows
the whole matrix: one X against a table of Y, for all X and Y. An agent is judged by its worst row,
and by how much a single rival wins at a table full of it. All cells are played on the same deals,
so that rows can be compared; mixed line-ups of the pool give ratings.

- :mod:`~gangland.arena.ladder.play`: the pool, and all games of the ladder;
- :mod:`~gangland.arena.ladder.mixed`: what is kept of games, so that a ladder can continue, and
  ratings from the mixed line-ups;
- :mod:`~gangland.arena.ladder.matrix`: deviation ratings and alpha-rank from the matrix;
- :mod:`~gangland.arena.ladder.result`: the matrix and the standings;
- :mod:`~gangland.arena.ladder.report`: tables, JSON, a page, a picture.
"""

from .matrix import rate_matrix, role_seats
from .play import SEARCH, play_ladder, play_rows, pool_of, small_pool, track_of
from .report import as_json, as_page, as_tables, save_plot
from .result import Cell, Estimate, Ladder, MatrixRating, Standing, Track, read, worst_of

__all__ = [
    "SEARCH",
    "Cell",
    "Estimate",
    "Ladder",
    "MatrixRating",
    "Standing",
    "Track",
    "as_json",
    "as_page",
    "as_tables",
    "play_ladder",
    "play_rows",
    "pool_of",
    "rate_matrix",
    "read",
    "role_seats",
    "save_plot",
    "small_pool",
    "track_of",
    "worst_of",
]
