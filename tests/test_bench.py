"""``gangland bench``: the README's table is that of the committed run, which still holds."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

from gangland.agents.registry import shipped
from gangland.agents.trained.policy import load_checkpoint
from tests.games import GAMES, OURS

made = importlib.import_module("docs.make_figures")
RUN = Path(__file__).parents[1] / "docs" / "bench.json"
MARGIN = 1.5
"""How much more memory is let pass: machines and versions of libraries differ."""


def test_the_table_is_up_to_date():
    text = made.README.read_text(encoding="utf-8")
    assert made.page() == text, "run: python -m docs.make_figures"


def test_every_figure_of_the_table_is_one_that_the_command_measures():
    from gangland.commands.bench import ROWS

    assert {name for _, name, _ in made.ROWS} <= {name for name, *_ in ROWS}


def test_a_run_that_lacks_a_figure_is_refused():
    run = made.read(made.RUN)
    del run["games"][0]["serve_p50_ms"]
    with pytest.raises(ValueError, match=f"{run['games'][0]['game']}: serve_p50_ms"):
        made.figures(run)


@pytest.mark.parametrize("game", [game for game in GAMES if shipped(game)])
def test_self_play_is_measured_with_the_network_that_ships(game):
    from gangland.bench_training import pure_selfplay, with_network_of_bot
    from gangland.training.selfplay import make_trainer

    recipe = with_network_of_bot(game)
    assert recipe.league.share > 0.0
    config = pure_selfplay(recipe)
    ppo = config.ppo.model_copy(update={"tables": 4, "steps": 2, "batch_size": 8})
    trainer = make_trainer(config.model_copy(update={"ppo": ppo, "threads": 1}), "cpu")
    assert trainer.collector.league.members == []
    theirs = load_checkpoint(shipped(game)[-1]).model["network"]
    assert config.network.model_dump() == theirs


def measured():
    """The run's memory of a live match of each game, KB, by the game's name."""
    run = json.loads(RUN.read_text(encoding="utf-8"))
    return {row["game"]: row["match_kb"] for row in run["games"]}


@pytest.mark.slow
@pytest.mark.parametrize("name", OURS)
def test_a_live_match_takes_no_more_memory_than_when_it_was_measured(name):
    pytest.importorskip("fastapi")
    from gangland import bench_serving

    if bench_serving.memory(1) == 0:
        pytest.skip("no /proc to read the memory of a process from")
    assert 0 < bench_serving.measure_matches(name)["match_kb"] <= MARGIN * measured()[name]
