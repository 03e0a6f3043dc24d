"""What commands print: harmless from anybody, whole at any width, fit for any encoding."""

from __future__ import annotations

import ast
import io
import json
import logging
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from rich.console import Console
from rich.table import Table
from rich.text import Text

from gangland.arena import as_tables, play_pool
from gangland.arena.ladder import as_tables as ladder_tables
from gangland.arena.ladder import play_ladder, read
from gangland.arena.tables import FoldedTable
from gangland.cli import COMMANDS
from gangland.commands.shared import progress
from gangland.commands.shared.terminal import echo, echo_folded, make_console
from gangland.errors import friendly
from gangland.serving.errors import Harmless
from tests.cli.runner import run
from tests.games import TOY

# --- no control sequences from files, people or other machines ------------------------------------

SOURCES = Path(__file__).resolve().parents[2] / "gangland" / "commands"
NASTY = "Al\x1b[31m\x1b[2J\x1b]0;title\x07\u202e\u200b [/] [red]x"
OBEYED = "\x1b\x07\u202e\u200b\x9b"
RAW = {"shared/terminal.py", "shared/common.py", "shared/progress.py"}
"""The printer itself, data for programs (``write_text``), and the progress bars."""


def test_a_line_and_a_table_are_harmless(capsys):
    echo(NASTY)
    echo(NASTY, err=True)
    echo_folded(NASTY)
    table = Table(title=NASTY)
    table.add_column(NASTY, no_wrap=True)
    table.add_row(NASTY)
    folded = FoldedTable(NASTY, NASTY, [NASTY], texts=[NASTY])
    folded.add_row(NASTY, NASTY)
    folded.add_row(NASTY, Text(NASTY))
    for stderr in (False, True):
        console = make_console(stderr=stderr, width=200)
        console.print(table)
        console.print(folded)
        console.print(NASTY)
        console.print(Text(NASTY, style="dim"))
    out, err = capsys.readouterr()
    for text in (out, err):
        assert not set(text) & set(OBEYED)
        assert text.count("[/] [red]x") >= 4


def test_colours_are_kept(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    console = make_console(width=80)
    console.print("red", style="red")
    assert "\x1b[31mred" in capsys.readouterr().out


def test_a_style_is_added_to_what_is_harmless(capsys, monkeypatch):
    # As on a terminal, to which click writes its styles.
    monkeypatch.setattr("click.echo", lambda text, err: print(text))
    echo(f"{NASTY}, seed 1", bold=NASTY)
    echo(NASTY, dim=True)
    bold, dim = capsys.readouterr().out.splitlines()
    assert bold.startswith("\x1b[1mAl\\x1b[31m")
    assert bold.endswith("\x1b[0m, seed 1")
    assert dim.startswith("\x1b[2mAl\\x1b[31m")
    assert bold.count("\x1b") == dim.count("\x1b") == 2


@pytest.mark.parametrize("path", sorted(SOURCES.rglob("*.py")), ids=lambda path: path.stem)
def test_commands_print_in_one_way(path):
    """Everything goes through ``echo`` or ``make_console``."""
    if path.relative_to(SOURCES).as_posix() in RAW:
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        assert called not in ("print", "click.echo", "click.secho", "Console"), (
            f"{path}:{getattr(node, 'lineno', 0)}: {called}"
        )


def test_errors_are_harmless(capsys, monkeypatch):
    done = run(capsys, monkeypatch, "arena", "--table", f"cmd:{NASTY},random", "--games", 1)
    assert done.code == 2
    assert not set(done.err) & set(OBEYED)


@pytest.mark.parametrize(
    "words",
    [
        [f"--{NASTY}"],
        [NASTY],
        ["play", f"--{NASTY}"],
        ["play", "--seed", NASTY],
        ["play", "--delay", NASTY],
        ["play", "--option", f"{NASTY}=1"],
        ["play", "--game", "highcard", "--option", f"players={NASTY}"],
        ["train", NASTY],
        ["replay", NASTY],
    ],
    ids=lambda words: words[0][:6],
)
def test_what_the_command_line_gets_wrong_is_harmless(capsys, monkeypatch, words):
    done = run(capsys, monkeypatch, *words)
    assert done.code == 2
    assert done.err
    assert not set(done.err) & set(OBEYED)


def test_ctrl_c_and_help_end_as_they_should(capsys, monkeypatch):
    assert run(capsys, monkeypatch, "--help").code == 0
    assert run(capsys, monkeypatch, "play", "--help").code == 0
    monkeypatch.setattr("click.Group.invoke", interrupted)
    done = run(capsys, monkeypatch, "games")
    assert (done.code, done.err.strip()) == (130, "Aborted!")


@pytest.mark.parametrize("end", [click.Abort, lambda: SystemExit(130)])
def test_a_second_ctrl_c_leaves_the_exit_code(monkeypatch, end):
    handlers = []
    monkeypatch.setattr("signal.signal", lambda *given: handlers.append(given))
    with pytest.raises(SystemExit) as ended, friendly():
        raise end() from KeyboardInterrupt()
    assert ended.value.code == 130
    assert handlers == [(signal.SIGINT, signal.SIG_IGN)]


def interrupted(*arguments):
    raise KeyboardInterrupt


def test_warnings_of_libraries_are_harmless():
    """In a process of its own: pytest has warnings and logs for itself."""
    words = f"""
import logging, sys, warnings
sys.argv = ["gangland", "--version"]
from gangland.cli import main
try:
    main()
except SystemExit:
    pass
warnings.warn({NASTY!r})
logging.getLogger("some.library").warning("%s failed", {NASTY!r})
"""
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert done.stderr.count(r"\x1b[2J") == 2
    assert done.stderr.endswith(" failed\n")
    assert not set(done.stderr) & set(OBEYED)


def test_the_players_of_a_saved_game_are_harmless(capsys, monkeypatch, tmp_path):
    file = tmp_path / "game.jsonl"
    done = run(capsys, monkeypatch, "play", "--game", "highcard", "--save", file, typed="quit\n")
    assert done.code == 0, done.err
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"random"', '"random\\u001b[2J"'), encoding="utf-8")
    done = run(capsys, monkeypatch, "play", "--resume", file, typed="quit\n")
    assert not set(done.out + done.err) & set(OBEYED)


def test_the_log_of_a_server_is_harmless():
    entry = logging.LogRecord("gangland", logging.WARNING, "", 0, "%s failed", (NASTY,), None)
    told = Harmless("%(message)s").format(entry)
    assert not set(told) & set(OBEYED)
    assert told.endswith(" failed")


# --- any width and encoding: nothing is cut, and nothing ends in a traceback ----------------------

LADDERS = Path(__file__).resolve().parents[2] / "docs" / "ladder"
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


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("game", ["chicago", "gangsters"])
def test_a_published_ladder_stays_readable(game, width):
    ladder = read(json.loads((LADDERS / f"{game}.json").read_text(encoding="utf-8")))
    narrow, wide = (shown(ladder_tables(ladder), each) for each in (width, 1000))
    assert all(len(line) <= width for line in narrow.splitlines())
    for figure, count in Counter(figures(wide)).items():
        assert Counter(figures(narrow))[figure] >= count, figure
    for standing in ladder.standings:
        wanted = standing.spec if width >= 60 else standing.spec[:10]
        rows = [line for line in narrow.splitlines() if line.startswith(f"│ {wanted}")]
        assert len(rows) >= 2, standing.spec


def test_a_column_that_is_too_wide_leaves_the_names_their_place():
    table = FoldedTable("title", "agent", ["words", "figures"], texts=["words"])
    table.add_row("heuristic:specified", "12.5% (10.1%-14.9%) against it; " * 9, "1 2 3 " * 30)
    for width in (40, 60, 80):
        lines = shown([table], width).splitlines()
        assert all(len(line) <= width for line in lines)
        assert sum(line.startswith("│ heuristic:") for line in lines) == 2
        assert "\n".join(lines).count("(10.1%-14.9%)") == 9


def test_an_encoding_without_plus_minus_leaves_columns_aligned(monkeypatch):
    table = FoldedTable("title", "agent", ["rating ± 95%", "games"])
    table.add_row("Caf\N{LATIN SMALL LETTER E WITH ACUTE}", "1.5 ± 0.5", "10")
    table.add_row("random", "10.5", "1,000")
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="strict")
    monkeypatch.setattr(sys, "stdout", out)
    make_console(width=80).print(table)
    out.flush()
    lines = out.buffer.getvalue().decode("ascii").splitlines()[1:]
    assert len({len(line) for line in lines}) == 1
    assert "1.5 +/- 0.5 |" in "\n".join(lines)


MATCH = SimpleNamespace(
    name="heuristic:\x1b[2Jspecified as police", par=0.2, win=SimpleNamespace(share=0.1234)
)
STATUS = SimpleNamespace(
    steps=1_234_567, seconds=4000.0, progress=0.5, decisions_per_second=12_345.6, worst=MATCH
)


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_progress_is_a_few_lines_in_which_no_figure_is_cut(capsys, width):
    bar = progress._Bar("training [red]five_\x1b[2Jpoints")
    bar.report(STATUS)
    console = bar._progress.console
    console.width = width
    console.print(bar._progress.get_renderable())
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert len(lines) <= {40: 5, 60: 4}.get(width, 3)
    assert all(len(line) <= width for line in lines)
    assert "\x1b" not in out
    text = " ".join(out.split())
    for words in ("[red]five_\\x1b[2Jpoints", "1,234,567", "12,346/s", "12%", "50%", "66:40 left"):
        assert words in text


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("command", ["agents", "games"])
def test_lists_are_folded_on_a_terminal(capsys, monkeypatch, command, width):
    whole = run(capsys, monkeypatch, command).out
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    folded = run(capsys, monkeypatch, command).out
    plain = re.sub(r"\x1b\[[0-9;]*m", "", folded)
    assert max(map(len, plain.splitlines())) <= width
    assert "".join(plain.split()) == "".join(whole.split())
    assert max(map(len, whole.splitlines())) > 120


def test_columns_that_do_not_fit_stand_below():
    table = FoldedTable("[a title]", "agent", ["first", "second", "third"], texts=["first"])
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


@pytest.mark.parametrize("width", [40, 60, 80])
def test_a_game_fits_the_terminal(capsys, monkeypatch, width):
    """What is said and what can be chosen is folded between words."""
    monkeypatch.setattr("gangland.commands.shared.terminal._columns", lambda: width)
    words = ("play", "--game", "five_points", "--seat", 0, "--bots", "random", "--seed", 1)
    done = run(capsys, monkeypatch, *words, typed="1\n1\n1\n")
    assert done.code == 0, done.err
    # What is typed is not echoed here, nor is the end of its line.
    lines = done.out.replace("> ", ">\n").splitlines()
    assert len(lines) > 40
    assert [line for line in lines if len(line) > width and "gangland play" not in line] == []


@pytest.mark.parametrize(("width", "said"), [(60, True), (400, False)])
def test_a_table_that_is_too_wide_is_said_to_be(capsys, monkeypatch, width, said):
    monkeypatch.setattr("gangland.commands.shared.terminal._columns", lambda: width)
    words = ("play", "--game", "gangsters", "--seat", 0, "--bots", "random", "--seed", 1)
    done = run(capsys, monkeypatch, *words, typed="")
    assert (f"this terminal {width}" in " ".join(done.out.split())) == said
