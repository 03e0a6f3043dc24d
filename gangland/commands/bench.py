"""``gangland bench``: speed and memory of the games, of training and of the server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from .shared.common import Finite
from .shared.terminal import echo, make_console

ROWS: tuple[tuple[str, str, str], ...] = (
    ("compile_s", "cold compile [s]", ".1f"),
    ("load_s", "load from cache [s]", ".2f"),
    ("rollout_per_s", "random decisions/s, rules and mask, one core", ",.0f"),
    ("batched_per_s", "random decisions/s, observation and mask, one core", ",.0f"),
    ("batched_1024_per_s", "the same with 1,024 tables instead of 256", ",.0f"),
    ("coded_1024_per_s", "the same with 1,024 tables, observations in bytes", ",.0f"),
    ("code_share", "size of observations in bytes", ".0%"),
    ("aec_per_s", "env() steps/s, all wrappers", ",.0f"),
    ("clone_us", "clone [µs]", ".2f"),
    ("save_us", "save and restore an environment [µs]", ".1f"),
    ("frame_ms", "frame of rgb_array [ms]", ".0f"),
    ("state_bytes", "bytes of a position", ",d"),
    ("length", "decisions in a random game", ".1f"),
    ("branching", "legal actions of a decision", ".1f"),
    ("recipe_train_per_s", "training decisions/s, the recipe", ",.0f"),
    ("train_per_s", "training decisions/s, self-play in every seat", ",.0f"),
    ("newest_train_per_s", "the same, network of the newest bot", ",.0f"),
    ("ceiling_per_s", "torch ceiling, same network and batches", ",.0f"),
    ("ceiling_share", "share of the ceiling", ".0%"),
    ("spinning_per_s", "torch ceiling, separate process with spinning threads", ",.0f"),
    ("spinning_share", "share of that", ".0%"),
    ("maskable_ppo_per_s", "sb3-contrib MaskablePPO, single seat, same network", ",.0f"),
    ("maskable_ppo_ratio", "times faster than MaskablePPO", ".1f"),
    ("peak_mb", "peak memory of training [MB]", ",.0f"),
    ("forward_us", "newest bot: forward pass of one decision [µs]", ",.0f"),
    ("search_positions_per_s", "search over it: positions/s, one core", ",.0f"),
    ("serve_p50_ms", "bot endpoint, 16 clients: median answer [ms]", ".1f"),
    ("serve_p99_ms", "bot endpoint, 16 clients: 99th percentile [ms]", ".1f"),
    ("serve_per_s", "bot endpoint, 64 clients: decisions/s", ",.0f"),
    ("serve_p50_ms_numbers", "observations as numbers: median answer [ms]", ".1f"),
    ("serve_per_s_numbers", "observations as numbers: decisions/s", ",.0f"),
    ("match_kb", "memory per live match of 1,000 after three turns [KB]", ".0f"),
    ("match_page_kb", "the same, with pictures for a page and a spectator [KB]", ".0f"),
    ("live_turns_per_s", "turns/s in 1,000 live matches, bots' answers included", ",.0f"),
)


@click.command(name="bench")
@click.option("--game", "games", multiple=True, help="Only this game; may be repeated.")
@click.option(
    "--json",
    "json_file",
    type=click.Path(path_type=Path),
    help="Also write the results to this JSON file.",
)
@click.option("--training/--no-training", default=True, help="Measure training too.")
@click.option("--serving/--no-serving", default=True, help="Measure the server too.")
@click.option(
    "--seconds",
    type=Finite(0, 86_400, min_open=True),
    default=20.0,
    show_default=True,
    help="Length of each training run.",
)
def command(
    games: tuple[str, ...],
    json_file: Path | None,
    training: bool,
    serving: bool,
    seconds: float,
) -> None:
    """Measure every game in one run and print one table."""
    from .. import bench
    from ..envs import game_names, load

    names = games or tuple(game_names())
    for name in names:
        load(name)
    machine = bench.machine()
    rows: list[dict[str, Any]] = []
    for name in names:
        echo(f"measuring {name} ...", err=True)
        row = bench.as_dict(bench.measure(name))
        from .. import bench_bots

        row |= bench_bots.measure(name)
        if training:
            from .. import bench_training

            echo(f"measuring training of {name} ...", err=True)
            row |= bench_training.measure(name, seconds)
        if serving:
            from .. import bench_serving

            echo(f"measuring the server of {name} ...", err=True)
            row |= bench_serving.measure(name)
        rows.append(row)
        if json_file is not None:  # after each game, as a run takes long
            json_file.write_text(json.dumps({"machine": machine, "games": rows}, indent=2) + "\n")
    _print(machine, rows)


def _print(machine: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    from ..arena.tables import FoldedTable

    words = f"{machine['processor']}, {machine['cores']} cores, Python {machine['python']}"
    table = FoldedTable(f"{words}, {machine['date']}", "", [row["game"] for row in rows])
    for key, title, form in ROWS:
        if any(key in row for row in rows):
            table.add_row(title, *(format(row[key], form) if key in row else "" for row in rows))
    make_console().print(table)
