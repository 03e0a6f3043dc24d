"""Terminals of any width and encoding: nothing is cut, and nothing ends in a traceback."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from rich.console import Console
from rich.text import Text

from gangland.arena import as_tables, play_pool
from gangland.arena.ladder import as_tables as ladder_tables
from gangland.arena.ladder import play_ladder
from gangland.arena.tables import FoldedTable
from gangland.cli import COMMANDS
from tests.games import TOY

MAIN = "from tests import games; from gangland.cli import main; main()"


def shown(tables, width):
    console = Console(width=width, record=True, file=open(os.devnull, "w"))  # noqa: SIM115, PTH123
    for table in tables:
        console.print(table)
    return console.export_text()


def figures(text):
    return sorted(re.findall(r"\d[\d.,]*%?", text))


@pytest.fixture(scope="module")
def result():
    specs = ["random", "ismcts:5", "ismcts:6?rollout=random", "ismcts:7?exploration=0.5"]
    return play_pool(TOY, specs, 24, seed=1)


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_no_figure_of_the_arena_is_cut(result, width):
    tables = as_tables(result, stats=True)
    narrow, wide = shown(tables, width), shown(tables, 400)
    assert "…" not in narrow
    assert all(len(line) <= width for line in narrow.splitlines())
    joined = re.sub(r"\W+", "", narrow)
    for agent in result.agents:
        assert re.sub(r"\W+", "", agent.spec)[:12] in joined
    for agent in result.agents:
        for words in (f"{agent.win.share:.1%}", f"{agent.win.low:.1%}–{agent.win.high:.1%}"):
            assert narrow.count(words) >= wide.count(words) >= 1


@pytest.mark.parametrize("width", [40, 80])
def test_no_figure_of_a_ladder_is_cut(width):
    pool = ["random", "ismcts:5", "ismcts:6?rollout=random&exploration=0.5"]
    tables = ladder_tables(play_ladder(TOY, pool, games=30, search_games=6, mixed_games=30))
    narrow, wide = shown(tables, width), shown(tables, 400)
    assert "…" not in narrow
    shares = re.findall(r"\d+\.\d%", wide)
    assert shares
    for share in shares:
        assert narrow.count(share) >= wide.count(share)


def test_columns_that_do_not_fit_stand_below():
    table = FoldedTable("[a title]", "agent", ["first", "second", "third"], left=1)
    table.add_row("ppo:runs/[red]a very long name indeed", "yes", "12.34%", Text("5", "green"))
    table.add_row("random", "no", "1.20%", "6")
    one = list(table.parts(120))
    assert len(one) == 1
    text = shown([table], 120)
    assert "[a title]" in text
    assert "ppo:runs/[red]a very long name indeed" in text
    many = list(table.parts(30))
    assert len(many) > 1
    narrow = shown([table], 30)
    for words in ("first", "second", "third", "12.34%", "1.20%", "yes"):
        assert words in narrow
    assert narrow.count("random") == len(many)
    with pytest.raises(ValueError, match="2 cells, must be 4"):
        table.add_row("x", "y")


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-8"])
@pytest.mark.parametrize(
    "words",
    [
        ["arena", "--game", TOY, "--agents", "random,ismcts:5", "--games", "12", "--stats"],
        ["play", "--game", TOY, "--seat", "none", "--bots", "random", "--delay", "0"],
        ["games"],
        ["agents", "--game", "chicago"],
    ],
    ids=lambda words: words[0],
)
def test_any_encoding_of_the_output_will_do(encoding, words):
    done = subprocess.run(
        [sys.executable, "-c", MAIN, *words],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode(encoding)
    text = done.stdout.decode(encoding)
    assert len(text) > 100
    assert b"Traceback" not in done.stderr
    if words[0] == "arena" and encoding != "utf-8":
        assert re.search(r"\d%-\d", text) or "–" in text


def test_the_package_runs_as_a_module():
    done = subprocess.run(
        [sys.executable, "-m", "gangland", "--help"], capture_output=True, text=True, check=True
    )
    assert all(name in done.stdout for name in COMMANDS)
