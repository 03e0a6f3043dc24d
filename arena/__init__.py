"""The arena: agents play each other on the same deals and are compared with confidence intervals.

:func:`play_table` plays one line-up in all its rotations, and :func:`play_pool` plays line-ups
drawn evenly from a pool. Both return an :class:`ArenaResult`. Their parts can be used separately:

- :mod:`~gangland.arena.schedule`: who sits where on which deal;
- :mod:`~gangland.arena.play`: plays a schedule, by any number of workers with the same result;
- :mod:`~gangland.arena.workers`: threads, or the processors of a Ray cluster;
- :mod:`~gangland.arena.statistics`: win shares and means with intervals by deals, cross-play;
- :mod:`~gangland.arena.ratings`: Plackett-Luce ratings, deviation ratings, alpha-rank;
- :mod:`~gangland.arena.report`: tables, JSON, CSV, plots.

Ratings and plots need the extra ``gangland[arena]``. Nothing here needs torch.
"""

from .games import Games
from .play import Progress, play_games
from .ratings.equilibrium import deviation_ratings
from .ratings.evolution import alpha_rank
from .ratings.online import Rating, rate, rate_game
from .report import as_csv, as_json, as_tables, save_plot
from .result import AgentResult, ArenaResult, Timing
from .schedule import Schedule, pool_schedule, rotations, table_schedule
from .statistics import GameStats, Intervals, Mean, Share
from .tournament import ArenaError, play_pool, play_table

__all__ = [
    "AgentResult",
    "ArenaError",
    "ArenaResult",
    "GameStats",
    "Games",
    "Intervals",
    "Mean",
    "Progress",
    "Rating",
    "Schedule",
    "Share",
    "Timing",
    "alpha_rank",
    "as_csv",
    "as_json",
    "as_tables",
    "deviation_ratings",
    "play_games",
    "play_pool",
    "play_table",
    "pool_schedule",
    "rate",
    "rate_game",
    "rotations",
    "save_plot",
    "table_schedule",
]
