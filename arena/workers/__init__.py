"""Where independent pieces of work are done: in threads of this process, or on a Ray cluster.

What a piece gives depends on nothing but the piece and what all pieces share, so that results are
the same wherever and in whatever order they are made.
"""

from .base import Threads, Watch, Work, Workers, workers_of
from .players import Players

__all__ = ["Players", "Threads", "Watch", "Work", "Workers", "workers_of"]
