"""Values that are constant or change linearly over a training."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from ...agents.trained.model_file import Number


class Strict(BaseModel):
    """A section of a configuration; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", validate_assignment=True, allow_inf_nan=False)


class Linear(Strict):
    """A value that changes linearly from ``start`` to ``end`` over the training.

    Attributes:
        start: Value at the beginning.
        end: Value from the fraction ``until`` of the training on.
        until: Fraction of the training, in (0, 1], at which ``end`` is reached.
    """

    start: Number
    end: Number
    until: Annotated[Number, Field(gt=0.0, le=1.0)] = 1.0

    def __call__(self, progress: float) -> float:
        """Value at a progress from 0 to 1."""
        return self.start + (self.end - self.start) * min(1.0, max(0.0, progress) / self.until)


def _kind_of_schedule(value: Any) -> str:
    return "linear" if isinstance(value, (Mapping, Linear)) else "constant"


Schedule = Annotated[
    Annotated[Number, Tag("constant")] | Annotated[Linear, Tag("linear")],
    Discriminator(_kind_of_schedule),
]
"""A constant or a linear schedule."""

SCHEDULES = "a finite number, or a linear schedule such as {start: 0.01, end: 0.001}"


def check_schedule(name: str, schedule: float | Linear, *, above_zero: bool) -> None:
    """Make sure that a schedule is nowhere negative, nor zero where that would be no value.

    Raises:
        ValueError: Naming the schedule and what is allowed.
    """
    linear = isinstance(schedule, Linear)
    ends = (schedule.start, schedule.end) if isinstance(schedule, Linear) else (schedule,)
    if min(ends) < 0.0 or (above_zero and min(ends) == 0.0):
        shown = f"{{start: {ends[0]}, end: {ends[-1]}}}" if linear else f"{schedule}"
        wanted = "above 0" if above_zero else "at least 0"
        raise ValueError(f"{name}={shown}: must be {wanted}")


def value_at(schedule: float | Linear, progress: float) -> float:
    """Value of a constant or a linear schedule at a progress from 0 to 1, the end of training."""
    return schedule(progress) if isinstance(schedule, Linear) else float(schedule)
