"""The actor between the workers of a training and its driver."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..files import Files
from ..run import Status


@dataclass
class Report:
    """What the workers have reported since the last time.

    Attributes:
        status: How far the training is; ``None`` for nothing new.
        logs: Metrics to log, each with the step.
        checkpoints: New checkpoints by name, from Ray's storage.
        best: Files of the checkpoint with the best worst row; ``None`` for nothing new.
        error: Why the training cannot go on; empty if it can.
        troubles: Errors with which workers have ended; other workers take their place.
        pids: Processes of the workers, by rank.
    """

    status: Status | None = None
    logs: list[tuple[dict[str, Any], dict[str, Any], int]] = field(default_factory=list)
    checkpoints: list[tuple[str, Any]] = field(default_factory=list)
    best: Files | None = None
    error: str = ""
    troubles: list[str] = field(default_factory=list)
    pids: dict[int, int] = field(default_factory=dict)


class Board:
    """The actor between the workers and the driver."""

    def __init__(self) -> None:
        self._report = Report()
        self._stopped = self._failed = False

    def post(self, **fields: Any) -> bool:
        """Add to the report by field, extending lists; returns whether the training is to stop."""
        self._failed |= "error" in fields
        for name, value in fields.items():
            old = getattr(self._report, name)
            if isinstance(old, list):
                old.append(value)
            elif isinstance(old, dict):
                old.update(value)
            else:
                setattr(self._report, name, value)
        return self._stopped

    def take(self) -> Report:
        """What has been reported since the last time."""
        report, self._report = self._report, Report()
        return report

    def stop(self) -> None:
        """Ask the training to stop."""
        self._stopped = True

    def failed(self) -> bool:
        """Whether the training cannot go on."""
        return self._failed
