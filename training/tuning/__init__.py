"""Searches for good hyper-parameters: many trainings side by side, the poor ones ended early.

:mod:`~gangland.training.tuning.space` says what is tried, :mod:`~gangland.training.tuning.search`
runs the trainings by Ray Tune with ASHA (Li et al., "A system for massively parallel
hyperparameter tuning", 2020), :mod:`~gangland.training.tuning.report` shows what came of them.
"""

from .report import as_json, as_table, save_plot
from .search import Objective, Point, Trial, Tuning, tune
from .space import Dimension, Space, SpaceError, read_space

__all__ = [
    "Dimension",
    "Objective",
    "Point",
    "Space",
    "SpaceError",
    "Trial",
    "Tuning",
    "as_json",
    "as_table",
    "read_space",
    "save_plot",
    "tune",
]
