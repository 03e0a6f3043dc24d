"""What each choice of the training is worth: the same budget with and without it.

``python benchmarks/ablation.py chicago`` trains every variant with three seeds for the same number
of decisions, and measures each network as it plays when it draws its actions: one of it against
four of each opponent, one opponent against four of it, and what a best response wins that is
trained from its own weights. It writes ``docs/ablation/<game>.json`` and ``<game>.md``, a table.
Cells lie in ``--keep`` as they are done; the same command goes on.

Figures of a variant are interquartile means over seeds, with 95 % intervals by a bootstrap over the
seeds (Agarwal et al., "Deep reinforcement learning at the edge of the statistical precipice",
2021). Opponents are not pooled: shares against ``random`` and against a heuristic are no two
samples of one thing.
"""

from __future__ import annotations

import copy
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import numpy as np

OUT = Path(__file__).resolve().parent.parent / "docs" / "ablation"
SEEDS = (0, 1, 2)
DECISIONS = {"chicago": 1_500_000, "five_points": 1_500_000}
EXPLOIT_DECISIONS = 300_000
GAMES = 500
OPPONENTS = ("random", "heuristic", "heuristic:specified")
RESAMPLES = 2000

BASE: dict[str, Any] = {
    "threads": 1,
    "network": {
        "shared": [256],
        "policy": [128],
        "value": [128],
        "activation": "relu",
        "chances": 0,
    },
    "ppo": {
        "tables": 512,
        "steps": 64,
        "epochs": 2,
        "batch_size": 4096,
        "learning_rate": {"start": 1.0e-3, "end": 5.0e-5},
        "entropy": {"start": 0.03, "end": 0.015},
        "averaging": 0.99,
    },
    "league": {
        "share": 0.75,
        "single_opponent": 1.0,
        "power": 2.0,
        "baselines": ["heuristic", "heuristic:specified", "random"],
        "size": 4,
        "snapshot_every": 40,
        "active": 4,
    },
    "evaluation": {"every": 0, "baselines": ["random"], "final_games": 0},
}
"""The recipe of the shipped bots, at a budget of minutes."""

RECIPES: dict[str, dict[str, Any]] = {
    "chicago": {},
    "five_points": {
        "rewards": "mixed",
        "network": {"items": {"tiles": 32, "row": 24, "seats": 16}},
        "ppo": {"entropy": {"start": 0.01, "end": 0.003}},
        "imitation": {"teacher": "heuristic", "until": 0.2, "smoothing": 0.02},
    },
}
"""What each game's recipe has beside that, or in its place."""

COMMON: dict[str, dict[str, Any]] = {
    "the recipe": {},
    "self-play alone": {"league": {"share": 0.0, "size": 0}},
    "heuristics alone": {"league": {"share": 1.0, "size": 0}},
    "with exploiters": {"league": {"exploiters": {"every": 40, "decisions": 300_000}}},
    "with a magnet": {"ppo": {"magnet": 0.05}},
    "value as one number": {"network": {"chances": None}},
}

SIZES: dict[str, dict[str, Any]] = {
    "half the width": {"network": {"shared": [128], "policy": [64], "value": [64]}},
    "twice the width": {"network": {"shared": [512], "policy": [256], "value": [256]}},
}

VARIANTS: dict[str, dict[str, dict[str, Any]]] = {
    "chicago": COMMON
    | {
        "advantages not normalised": {
            "ppo": {"normalize_advantages": False, "entropy": {"start": 0.01, "end": 0.003}}
        },
        "with the heuristic's advice": {"network": {"advisor": "heuristic"}},
        "encoders of items": {"network": {"items": {"seats": 16}}},
        "more tables": {"ppo": {"tables": 1024}},
        "longer rollouts": {"ppo": {"tables": 256, "steps": 128}},
        "imitation first": {"imitation": {"teacher": "heuristic", "until": 0.2}},
    }
    | SIZES,
    "five_points": COMMON
    | {
        "no imitation": {"imitation": None},
        "advice in place of imitation": {
            "imitation": None,
            "network": {"advisor": "heuristic", "advice_weight": 7.0, "advice_scale": 2.5},
        },
        "no encoders": {"network": {"items": {}}},
        "half the width": SIZES["half the width"],
    },
}
"""What each variant of a game changes in its recipe; ``None`` takes a part away."""

BEGINNINGS = {
    "chicago": "from nothing",
    "five_points": "of which the first fifth imitates `heuristic`",
}
"""How the training begins, in a page's words."""

FIGURES = (*OPPONENTS, "most invaded", "best response")

TABLE = """\
# What each choice of the training is worth: {title}

Each row is trained for {decisions:,} decisions with three seeds, {beginning},
and plays as it does when it draws its actions. The first three figures are what one of it wins
against four of an opponent. *Most invaded*: the most that one of these opponents wins at a table of
it. *Best response*: what a network wins that starts from its weights and learns {exploit:,}
decisions against four of it. Five seats, par 20 %, {games:,} games a figure. Interquartile means
over the seeds (of three, their mean), 95 % intervals by a bootstrap over them (Agarwal et al.,
2021). Made by `python benchmarks/ablation.py {game}`, {date}.

| the recipe, but | `random` | `heuristic` | `heuristic:specified` | most invaded | best response |
|---|---:|---:|---:|---:|---:|
{lines}
"""


def configuration(game: str, variant: str, seed: int) -> dict[str, Any]:
    """The training configuration of one cell."""
    from gangland.envs import load

    data = copy.deepcopy(BASE)
    data |= {"game": game, "seed": seed, "steps": DECISIONS[game]}
    data["network"]["chances"] = load(game).max_seats
    for changes in (RECIPES[game], VARIANTS[game][variant]):
        for part, change in changes.items():
            data[part] = data.get(part, {}) | change if isinstance(change, dict) else change
    data["network"]["chances"] = data["network"]["chances"] or 0
    return data


def cell(game: str, variant: str, seed: int, keep: Path) -> dict[str, Any]:
    """Train one network and measure it; read from ``keep`` if that has been done."""
    from gangland.arena import play_table
    from gangland.training.config import parse
    from gangland.training.measure.exploit import exploit
    from gangland.training.run import last_checkpoint, train

    folder = keep / game / f"{variant.replace(' ', '-').replace(chr(39), '')}-{seed}"
    done = folder / "figures.json"
    if done.is_file():
        return dict(json.loads(done.read_text(encoding="utf-8")))
    run = folder / "run"
    config = parse(configuration(game, variant, seed))
    outcome = train(config, run, resume=last_checkpoint(run) is not None, device="cpu")
    if not outcome.finished:
        raise SystemExit("interrupted; the same command goes on")
    bot = f"ppo:{outcome.folder}?temperature=1"
    figures: dict[str, Any] = {}
    for other in OPPONENTS:
        four = play_table(game, [bot] + [other] * 4, GAMES, seed=1)
        figures[f"one against four {other}"] = four.of(bot).win.share
        four = play_table(game, [other] + [bot] * 4, GAMES, seed=2)
        figures[f"one {other} against four"] = four.of(other).win.share
    found = exploit(
        game,
        bot,
        folder / "exploit",
        decisions=EXPLOIT_DECISIONS,
        starts=["itself"],
        points=1,
        games=1,
        final_games=GAMES,
    )
    if found is None:
        raise SystemExit("interrupted; the same command goes on")
    figures["best response"] = found.best.share
    done.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return figures


def interquartile_mean(values: np.ndarray[Any, Any]) -> float:
    """Mean of the middle half."""
    ordered = np.sort(values.ravel())
    cut = len(ordered) // 4
    return float(ordered[cut : len(ordered) - cut].mean())


def summary(table: np.ndarray[Any, Any], seed: int = 0) -> tuple[float, float, float]:
    """Interquartile mean and 95 % interval of figures ``(seeds, figures)``; seeds are redrawn."""
    rng = np.random.default_rng(seed)
    drawn = [
        interquartile_mean(
            np.stack([column[rng.integers(len(table), size=len(table))] for column in table.T])
        )
        for _ in range(RESAMPLES)
    ]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return interquartile_mean(table), float(low), float(high)


def _line(variant: str, row: dict[str, Any]) -> str:
    cells = [f"{mean:.1%} ({low:.1%}-{high:.1%})" for mean, low, high in (row[k] for k in FIGURES)]
    return f"| {variant} | " + " | ".join(cells) + " |"


@click.command()
@click.argument("game", type=click.Choice(sorted(DECISIONS)))
@click.option("--keep", type=click.Path(path_type=Path), default=Path("runs/ablation"))
@click.option(
    "--variant",
    "variants",
    multiple=True,
    type=click.Choice(list(dict.fromkeys(name for each in VARIANTS.values() for name in each))),
    help="Train these alone, and write no page; may be repeated.",
)
def main(game: str, keep: Path, variants: tuple[str, ...]) -> None:
    """Train and measure all variants of GAME."""
    from gangland.envs import load

    for name in variants:
        if name not in VARIANTS[game]:
            raise click.BadParameter(
                f"{name!r} is no variant of {game}: {', '.join(VARIANTS[game])}"
            )
    rows: dict[str, Any] = {}
    for variant in variants or VARIANTS[game]:
        cells = [cell(game, variant, seed, keep) for seed in SEEDS]
        wins = np.array([[c[f"one against four {other}"] for other in OPPONENTS] for c in cells])
        invaded = np.array([[c[f"one {other} against four"] for other in OPPONENTS] for c in cells])
        best = np.array([[c["best response"]] for c in cells])
        rows[variant] = {
            **{other: summary(wins[:, [k]]) for k, other in enumerate(OPPONENTS)},
            "most invaded": summary(invaded.max(1, keepdims=True)),
            "best response": summary(best),
            "cells": cells,
        }
        click.echo(_line(variant, rows[variant]))
    if variants:
        click.echo("the page is of all variants, and is left as it is")
        return
    OUT.mkdir(parents=True, exist_ok=True)
    date = datetime.now(tz=UTC).date().isoformat()
    (OUT / f"{game}.md").write_text(
        TABLE.format(
            game=game,
            title=load(game).title,
            decisions=DECISIONS[game],
            beginning=BEGINNINGS[game],
            exploit=EXPLOIT_DECISIONS,
            games=GAMES,
            date=date,
            lines="\n".join(_line(variant, row) for variant, row in rows.items()),
        ),
        encoding="utf-8",
    )
    result = {
        "game": game,
        "decisions": DECISIONS[game],
        "seeds": SEEDS,
        "date": date,
        "rows": rows,
    }
    (OUT / f"{game}.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
