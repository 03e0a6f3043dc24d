"""Random legal play with observation and mask, ours and other packages' side by side.

``python benchmarks/peers.py`` makes an environment for the peers (``benchmarks/.peers``), measures
them there on one core, measures our games on the same core in the same run, and prints one table.
The games differ, so the figures say what an environment costs, not which game is better. The last
rows train: sb3-contrib's MaskablePPO through PettingZoo's tutorial wrapper, and our self-play.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import venv
from pathlib import Path

import click

HERE = Path(__file__).resolve().parent
PEERS = HERE / ".peers"


def install() -> Path:
    """The peers' Python, in an environment made on first use."""
    python = PEERS / "bin" / "python"
    marker = PEERS / "ready"
    if not marker.exists():
        click.echo("installing the peers (once) ...", err=True)
        venv.create(PEERS, with_pip=True, clear=True)
        wanted = HERE / "peers-requirements.txt"
        subprocess.run([python, "-m", "pip", "install", "-q", "-r", wanted], check=True)
        marker.touch()
    return python


def measure_peers() -> list[dict[str, object]]:
    """The peers' rows, from a process on one core."""
    python = install()
    done = subprocess.run(
        [python, HERE / "peers_worker.py"], capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def measure_ours() -> list[dict[str, object]]:
    """Our rows: the PettingZoo environment, and batched tables."""
    from gangland.bench import aec_rate, batched_rate
    from gangland.envs import game_names, load

    rows: list[dict[str, object]] = []
    for name in game_names():
        game = load(name)
        seats = game.num_players(game.options.resolve({}))
        env, batched = aec_rate(game), batched_rate(game)
        rows.append({"name": f"gangland {name} env() ({seats} seats)", "decisions_per_s": env})
        rows.append(
            {"name": f"gangland {name} make_vec ({seats} seats)", "decisions_per_s": batched}
        )
    return rows


@click.command()
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Also write JSON here.")
@click.option("--training/--no-training", default=True, help="Measure training too.")
def main(json_file: Path | None, training: bool) -> None:
    """Measure the peers and our games on one core in one run."""
    from rich.console import Console
    from rich.table import Table

    from gangland.bench import machine

    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    started = time.perf_counter()
    rows = measure_peers() + measure_ours()
    os.sched_setaffinity(0, cores)
    if training:
        from tutorial_wrapper import measure_training

        rows += measure_training()
    about = machine()
    table = Table(title=f"{about['processor']}, one core, {about['date']}")
    table.add_column("package")
    table.add_column("decisions/s", justify="right")
    for row in rows:
        rate = row.get("decisions_per_s")
        table.add_row(str(row["name"]), f"{rate:,.0f}" if rate else str(row.get("error")))
    Console(width=100).print(table)
    click.echo(f"{time.perf_counter() - started:.0f} s", err=True)
    if json_file is not None:
        json_file.write_text(json.dumps({"machine": about, "rows": rows}, indent=2) + "\n")


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    main()
