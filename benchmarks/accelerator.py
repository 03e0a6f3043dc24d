"""What a GPU gives to training: the same self-play on the processor and on the accelerator.

``python -m benchmarks.accelerator gangsters`` trains with the network of the newest bot and with a
large one, each on all cores, on the GPU, and on the GPU with matrix products in bfloat16, and
writes ``docs/accelerator/<game>.json``, a row at a time. ``--print`` prints the table of what was
measured, as ``docs/training.md`` has it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import torch as th

from gangland.bench import machine
from gangland.bench_training import newest_bot, pure_selfplay
from gangland.training.config import TrainConfig
from gangland.training.measure.ceiling import selfplay_speed

OUT = Path(__file__).resolve().parent.parent / "docs" / "accelerator"
LARGE = {"shared": [1024], "policy": [1024], "value": [1024]}
BATCH = 16_384
PLACES = (("cuda", "float32"), ("cuda", "bfloat16"), ("cpu", "float32"))


def placed(config: TrainConfig, device: str, precision: str, tables: int) -> TrainConfig:
    """The same training on a device, with the threads that it wants there."""
    cores = os.cpu_count() or 1
    data = config.model_dump()
    data["threads"] = cores if device == "cpu" else 2 * cores
    data["ppo"] |= {"tables": tables, "batch_size": BATCH, "precision": precision}
    return TrainConfig.model_validate(data)


def measured(game: str, tables: int, seconds: float) -> Iterator[dict[str, Any]]:
    """Decisions a second of each network at each place, self-play in every seat."""
    newest = pure_selfplay(newest_bot(game))
    large = newest.model_copy(update={"network": newest.network.model_copy(update=LARGE)})
    for network, config in (("newest bot", newest), ("large", large)):
        for device, precision in PLACES:
            if device == "cuda" and not th.cuda.is_available():
                continue
            here = placed(config, device, precision, tables)
            if device == "cuda":
                th.cuda.reset_peak_memory_stats()
            speed = selfplay_speed(here, seconds, device)
            row = {
                "network": network,
                "device": device,
                "precision": precision,
                "threads": here.threads,
                "per_s": round(speed.decisions_per_second),
                "shares": {clock: round(share, 3) for clock, share in speed.shares.items()},
            }
            if device == "cuda":
                row["gpu_mb"] = round(th.cuda.max_memory_allocated() / 2**20)
            yield row


def table(found: dict[str, Any]) -> str:
    """The rows in Markdown."""
    lines = ["| network | where | decisions/s | rules and masks | networks in play | learning |"]
    lines.append("|---|---|---|---|---|---|")
    for row in found["rows"]:
        place = found["machine"]["gpu"] if row["device"] == "cuda" else "processor"
        where = f"{place}, {row['precision']}, {row['threads']} threads"
        parts = (f"{row['shares'][clock]:.0%}" for clock in ("env", "inference", "learning"))
        cells = (row["network"], where, f"{row['per_s']:,.0f}", *parts)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


@click.command()
@click.argument("game")
@click.option("--tables", default=2048, show_default=True, help="Tables in parallel.")
@click.option("--seconds", default=10.0, show_default=True, help="Length of each measurement.")
@click.option("--out", default=OUT, type=click.Path(path_type=Path), help="Folder of the figures.")
@click.option("--print", "only_print", is_flag=True, help="Measure nothing; print the table.")
def main(game: str, tables: int, seconds: float, out: Path, only_print: bool) -> None:
    """Measure GAME's training on the processor and on a GPU."""
    file = out / f"{game}.json"
    if not only_print:
        gpu = th.cuda.get_device_name() if th.cuda.is_available() else None
        found = {
            "game": game,
            "machine": {**machine(), "gpu": gpu, "torch": th.__version__},
            "tables": tables,
            "batch_size": BATCH,
            "large": LARGE,
            "rows": [],
        }
        out.mkdir(parents=True, exist_ok=True)
        # After each row: the large network takes a processor minutes.
        for row in measured(game, tables, seconds):
            found["rows"].append(row)
            file.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    elif not file.is_file():
        raise click.UsageError(f"there is no {file.name} in {out}")
    click.echo(table(json.loads(file.read_text(encoding="utf-8"))))


if __name__ == "__main__":
    main()
