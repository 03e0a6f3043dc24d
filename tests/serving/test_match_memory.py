"""What a live match takes of the server's memory, against the README's table."""

from __future__ import annotations

from pathlib import Path

import pytest

from gangland import bench_serving
from tests.games import OURS

README = Path(__file__).parents[2] / "README.md"
ROW = "| memory of a live match after three turns, KB |"
HEAD = "| five seats |"
MARGIN = 1.5
"""How much more is let pass: machines and versions of libraries differ."""


def documented():
    """The README's figure of each game, KB, by the game's name."""
    lines = README.read_text(encoding="utf-8").splitlines()
    head, row = (
        [cell.strip() for cell in line.split("|")[2:-1]]
        for start in (HEAD, ROW)
        for line in lines
        if line.startswith(start)
    )
    names = [title.lower().replace(" ", "_") for title in head]
    return {
        name: float(kb)
        for name in OURS
        for title, kb in zip(names, row, strict=True)
        if title.startswith(name)
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", OURS)
def test_a_live_match_takes_no_more_memory_than_the_readme_says(name):
    if bench_serving.memory(1) == 0:
        pytest.skip("no /proc to read the memory of a process from")
    assert 0 < bench_serving.measure_matches(name)["match_kb"] <= MARGIN * documented()[name]
