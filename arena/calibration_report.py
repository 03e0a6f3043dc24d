"""A picture of an agent's calibration."""

from __future__ import annotations

from pathlib import Path

from .calibration import Calibration
from .plotting import new_figure


def save_plot(found: Calibration, path: Path) -> None:
    """Write the reliability diagram: results against estimates, with a histogram of the estimates.

    Args:
        found: The calibration.
        path: The file; its ending chooses the format (``.png``, ``.svg``, ``.pdf``).

    Raises:
        MissingDependencyError: If matplotlib is not installed.
    """
    figure = new_figure(5.2, 5.6)
    above, below = figure.subplots(2, 1, height_ratios=[3, 1], sharex=True)
    above.plot([0, 1], [0, 1], color="0.6", linestyle="--", linewidth=1)
    said = [one.said for one in found.bins]
    came = [one.came for one in found.bins]
    ends = [
        (
            one.came if one.came_low is None else one.came_low,
            one.came if one.came_high is None else one.came_high,
        )
        for one in found.bins
    ]
    low = [max(0.0, one.came - end) for one, (end, _) in zip(found.bins, ends, strict=True)]
    high = [max(0.0, end - one.came) for one, (_, end) in zip(found.bins, ends, strict=True)]
    above.errorbar(said, came, yerr=[low, high], marker="o", color="#1d4ed8", capsize=3)
    above.set_ylabel("came, 95 % by deals")
    above.set_xlim(0, 1)
    above.set_ylim(0, 1)
    above.set_title(
        f"{found.game}: chances of {found.bot}\n"
        f"Brier {found.brier:.4f}, of par {found.brier_of_par:.4f}, skill {found.skill:.1%}",
        fontsize=10,
    )
    below.bar(
        [one.low for one in found.bins],
        [one.decisions / found.decisions for one in found.bins],
        width=[one.high - one.low for one in found.bins],
        align="edge",
        color="#93c5fd",
        edgecolor="white",
    )
    below.set_xlabel("said")
    below.set_ylabel("decisions")
    figure.savefig(path, dpi=150)
