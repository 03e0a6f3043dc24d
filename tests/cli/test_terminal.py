"""What commands print holds no control sequences from files, people or other machines."""

from __future__ import annotations

import ast
import logging
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest
from rich.table import Table
from rich.text import Text

from gangland.arena.tables import FoldedTable
from gangland.commands.shared.terminal import echo, echo_folded, make_console
from gangland.errors import friendly
from gangland.serving.log import Harmless
from tests.cli.runner import run

COMMANDS = Path(__file__).resolve().parents[2] / "gangland" / "commands"
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


@pytest.mark.parametrize("path", sorted(COMMANDS.rglob("*.py")), ids=lambda path: path.stem)
def test_commands_print_in_one_way(path):
    """Everything goes through ``echo`` or ``make_console``."""
    if path.relative_to(COMMANDS).as_posix() in RAW:
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
