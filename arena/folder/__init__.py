"""Tournaments of all bots in a folder, with a report for those who wrote them.

- :mod:`~gangland.arena.folder.entrants`: which bots a folder holds, and which cannot be loaded;
- :mod:`~gangland.arena.folder.play`: plays them, round by round, and continues what was begun;
- :mod:`~gangland.arena.folder.result`: standings with intervals, the cross table, faults;
- :mod:`~gangland.arena.folder.moments`: the decisions after which a winner's prospects rose most;
- :mod:`~gangland.arena.folder.page`: the report, one HTML file.
"""

from .entrants import Field, find_entrants
from .moments import Moment, decisive_moments
from .page import as_html
from .play import play_folder
from .result import FolderResult, Standing, as_tables, standings_table

__all__ = [
    "Field",
    "FolderResult",
    "Moment",
    "Standing",
    "as_html",
    "as_tables",
    "decisive_moments",
    "find_entrants",
    "play_folder",
    "standings_table",
]
