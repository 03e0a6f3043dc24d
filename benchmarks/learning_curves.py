"""Learning curves of training runs, from their TensorBoard logs.

``python benchmarks/learning_curves.py chicago-v2 "the recipe=runs/chicago"`` reads what the run's
evaluations measured (one of it against four of each agent of its pool, all seat counts of the
configuration together) and writes ``docs/ladder/learning/chicago-v2.json`` and a picture. Several
runs can be compared: each is a ``TITLE=FOLDER`` and a panel of the picture. Without runs, the
picture is drawn anew from the file.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

OUT = Path(__file__).resolve().parent.parent / "docs" / "ladder" / "learning"
TAG = "eval/win_share_vs_"

Curves = dict[str, list[tuple[int, float]]]
"""By opponent: decisions learnt from, and win share."""


def read_curves(run: Path) -> Curves:
    """The curves of one run; parts of an interrupted run follow each other."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    found: dict[str, dict[int, float]] = {}
    files = sorted((run / "tensorboard").glob("events.*"))
    if not files:
        raise click.ClickException(f"{run} holds no TensorBoard log")
    for file in files:
        log = EventAccumulator(str(file))
        log.Reload()
        for tag in log.Tags()["scalars"]:
            if tag.startswith(TAG):
                curve = found.setdefault(tag.removeprefix(TAG), {})
                curve |= {event.step: round(event.value, 4) for event in log.Scalars(tag)}
    return {name: sorted(curve.items()) for name, curve in sorted(found.items())}


def save_plot(runs: dict[str, Curves], path: Path) -> None:
    """A panel for each run."""
    from gangland.arena.plotting import new_figure

    figure = new_figure(5.6 * len(runs), 4.0)
    panels: Any = figure.subplots(1, len(runs), squeeze=False, sharey=True)[0]
    for axes, (title, curves) in zip(panels, runs.items(), strict=True):
        for name, curve in curves.items():
            axes.plot(
                [at / 1e6 for at, _ in curve], [100 * share for _, share in curve], label=name
            )
        axes.set_title(title)
        axes.set_xlabel("million decisions")
        axes.set_ylim(0, 100)
        axes.grid(alpha=0.3)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncol=2, fontsize="small")
    panels[0].set_ylabel("win share against four of a kind, %")
    figure.savefig(path, dpi=80)


@click.command()
@click.argument("name")
@click.argument("runs", nargs=-1, metavar="[TITLE=FOLDER...]")
def main(name: str, runs: tuple[str, ...]) -> None:
    """Write the curves of RUNS to docs/ladder/learning/NAME.json and .png."""
    OUT.mkdir(parents=True, exist_ok=True)
    file = OUT / f"{name}.json"
    if runs:
        titled = (run.partition("=") for run in runs)
        curves = {title: read_curves(Path(folder)) for title, _, folder in titled}
        file.write_text(json.dumps(curves) + "\n", encoding="utf-8")
    elif not file.is_file():
        raise click.UsageError(f"there is no {file.name}; name runs, TITLE=FOLDER")
    else:
        curves = json.loads(file.read_text(encoding="utf-8"))
    save_plot(curves, OUT / f"{name}.png")
    for title, found in curves.items():
        for opponent, curve in found.items():
            click.echo(f"{title}: {opponent}: {curve[-1][1]:.1%} after {curve[-1][0]:,}")


if __name__ == "__main__":
    main()
