"""What a live match takes of the server's memory, against the committed run of the bench."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gangland import bench_serving
from tests.games import OURS

RUN = Path(__file__).parents[2] / "docs" / "bench.json"
MARGIN = 1.5
"""How much more is let pass: machines and versions of libraries differ."""


def measured():
    """The run's figure of each game, KB, by the game's name."""
    run = json.loads(RUN.read_text(encoding="utf-8"))
    return {row["game"]: row["match_kb"] for row in run["games"]}


@pytest.mark.slow
@pytest.mark.parametrize("name", OURS)
def test_a_live_match_takes_no_more_memory_than_when_it_was_measured(name):
    if bench_serving.memory(1) == 0:
        pytest.skip("no /proc to read the memory of a process from")
    assert 0 < bench_serving.measure_matches(name)["match_kb"] <= MARGIN * measured()[name]
