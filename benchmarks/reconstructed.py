"""What games of Gangsters are like under other values of its reconstructed numbers.

``python -m benchmarks.reconstructed criminals_per_level=5 public_actions=true`` lets
``ppo:gangsters/v5`` go on learning by self-play under these options, among opponents that build and
that race for cash, and then plays two kinds of tables under them: five of the network, and five of
``heuristic``. Figures of both are added to ``docs/reconstructed/gangsters.json``, where those of
other options stay, and printed beside what tournaments of the printed game reported
(docs/gangsters.md). Without options it measures the defaults, which shows what the learning alone
has changed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import yaml

from gangland.arena import play_table
from gangland.envs import load
from gangland.envs.core.options import option_value
from gangland.training.config import TrainConfig
from gangland.training.config_files import read_config, with_changes

OUT = Path(__file__).resolve().parent.parent / "docs" / "reconstructed" / "gangsters.json"
GAME = "gangsters"
SEED = 3
REPORTED = {
    "rounds": "8-13",
    "won by a gang's cash, of what gangs won": "0.62-0.72",
    "won by the police": "0.15-0.25",
    "members seduced": "5.3-9.8",
    "members shot": "7.4-8.6",
}
"""Tournament reports; the share of the police is what the variant aims at."""

START = "gangsters/v5"
RECIPE = "gangsters_v5_builders"
CHANGES: dict[str, Any] = {
    "after": None,
    "start_from": START,
    "shaping.weight": {"start": 0.6, "end": 0.3},
    "ppo.learning_rate": {"start": 4.0e-4, "end": 4.0e-5},
    "league.baselines": ["heuristic", "heuristic:specified", "ppo:gangsters/v4", "start"],
    "evaluation": {"every": 0, "baselines": ["heuristic"], "final_games": 200},
}
"""What differs from the recipe: a short run from the bot that the recipe has left."""


@click.command()
@click.argument("options", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--decisions", default=4_000_000, show_default=True, help="Length of the learning.")
@click.option("--games", default=1000, show_default=True, help="Games of each kind of table.")
@click.option("--keep", type=click.Path(path_type=Path), default=Path("runs/reconstructed"))
def main(options: tuple[str, ...], decisions: int, games: int, keep: Path) -> None:
    """Learn and play under OPTIONS of Gangsters, and write what the games were like."""
    pairs = [option.partition("=")[::2] for option in options]
    given = {name: option_value(value) for name, value in pairs}
    load(GAME).options.resolve(given)  # An option that does not exist is an error now.
    name = "-".join(options).replace("=", "_") or "defaults"
    run = learn(given, decisions, keep / name)
    bot = f"ppo:{run}"
    rows = {
        "learnt": row([bot] * 5, games, given),
        "heuristic": row(["heuristic"] * 5, games, given),
        "one learnt, four heuristic": shares([bot] + ["heuristic"] * 4, games, given),
    }
    found = json.loads(OUT.read_text()) if OUT.exists() else {}
    about = {"start": START, "options": given, "decisions": decisions, "games": games, "seed": SEED}
    found[f"{START} {name}"] = {**about, **rows}
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(dict(sorted(found.items())), indent=1) + "\n")
    for what, value in rows["learnt"].items():
        print(f"{what:45s} {value:9.2f}  {rows['heuristic'][what]:9.2f}  {REPORTED.get(what, '')}")
    print(rows["one learnt, four heuristic"])


def settings(options: dict[str, Any], decisions: int) -> TrainConfig:
    """The configuration of a run."""
    changes = {**CHANGES, "options": options, "steps": decisions}
    return with_changes(read_config(RECIPE), changes)


def learn(options: dict[str, Any], decisions: int, run: Path) -> Path:
    """Train, or continue the run that is there, and return its folder."""
    run.mkdir(parents=True, exist_ok=True)
    config = run / "config.yaml"
    config.write_text(yaml.safe_dump(settings(options, decisions).model_dump()))
    command = [sys.executable, "-m", "gangland.cli", "train", str(config), "--out", str(run)]
    subprocess.run(command + ["--resume"] * (run / "checkpoints").is_dir(), check=True)
    return run


def row(table: list[str], games: int, options: dict[str, Any]) -> dict[str, float]:
    """What the games of a table were like, on average."""
    result = play_table(GAME, table, games, seed=SEED, **options)
    events = result.stats.events
    cash = events["won by a gang's cash"]
    by_gangs = cash + events["won by ten joints"] + events["won by one colour"]
    return {
        **events,
        "won by a gang's cash, of what gangs won": cash / max(by_gangs, 1e-9),
        "ended by the cap": result.stats.capped,
    }


def shares(table: list[str], games: int, options: dict[str, Any]) -> dict[str, float | None]:
    """Win share of the first agent of a table in each role."""
    result = play_table(GAME, table, games, seed=SEED, **options)
    return result.agents[0].role_shares


if __name__ == "__main__":
    main()
