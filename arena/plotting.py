"""What all plots of results have in common."""

from __future__ import annotations

from typing import Any

from ..envs.core.errors import MissingDependencyError


def new_figure(width: float, height: float) -> Any:
    """An empty matplotlib figure that is not bound to a screen.

    Args:
        width: In inches.
        height: In inches.

    Raises:
        MissingDependencyError: If matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingDependencyError(
            "plots need matplotlib: pip install 'gangland[arena]'"
        ) from error
    return Figure(figsize=(width, height), layout="constrained")
