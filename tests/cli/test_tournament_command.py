"""``gangland tournament``: what it prints and writes, and bad input."""

from __future__ import annotations

import pytest

from gangland.arena.folder import Standing
from gangland.arena.statistics import Share
from gangland.commands.shared.progress import live_table
from gangland.commands.shared.terminal import make_console
from gangland.envs import load
from gangland.envs.core.replay import read_replays
from tests.cli.runner import assert_refused, run
from tests.games import TOY

LOW = "def act(view):\n    return view.legal_actions[0]\n"
BROKEN = "def act(view):\n    return view.nothing\n"


@pytest.fixture
def bots(tmp_path):
    folder = tmp_path / "bots"
    folder.mkdir()
    (folder / "low.py").write_text(LOW)
    (folder / "broken.py").write_text(BROKEN)
    (folder / "typo.py").write_text("def act(view)\n")
    return folder


@pytest.fixture
def tournament(capsys, monkeypatch):
    def go(*arguments):
        words = ("tournament", *arguments, "--workers", 1)
        return run(capsys, monkeypatch, *words, *(() if "--game" in words else ("--game", TOY)))

    return go


def test_standings_faults_and_files(tournament, bots, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = tournament("bots", "--with", "random, heuristic", "--games", 60)
    assert done.code == 0, done.err
    rows = [line for line in done.out.splitlines() if "│" in line]
    (broken,) = [row for row in rows if " broken " in row and "–" in row and "×" in row]
    cells = [cell.strip() for cell in broken.split("│")[1:-1]]
    assert cells[0] == "4 broken"
    assert cells[1] == "0.0%"
    assert cells[5] == cells[6], "every game that it played is forfeited"
    assert "60 games on" in done.out
    assert "broken.py:2: AttributeError" in " ".join(done.out.split())
    assert "does not take part: " in done.err
    assert "typo.py:1: SyntaxError" in done.err
    place = bots / "tournament"
    page = (place / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    for words in ("broken.py:2: AttributeError", "typo.py:1: SyntaxError", "--games 60 --seed 0"):
        assert words in page
    assert "--workers" not in page
    replays = read_replays(place / "games.jsonl")
    assert len(replays) == 60
    assert set(replays[0].players) <= {"low", "broken", "random", "heuristic"}
    assert replays[0].verify(load(TOY)).places


def test_the_same_command_continues_and_writes_the_same(tournament, bots, tmp_path, monkeypatch):
    words = (bots, "--with", "random,heuristic", "--games", 60, "--quiet", "--out", tmp_path / "o")
    first = tournament(*words)
    assert (first.code, first.out) == (0, "")
    games = (tmp_path / "o" / "games.jsonl").read_text()
    page = (tmp_path / "o" / "report.html").read_text()
    (tmp_path / "o" / "report.html").unlink()

    def none_left(players, schedules, **settings):
        assert schedules == []
        yield from ()

    monkeypatch.setattr("gangland.arena.folder.play.play_schedules", none_left)
    assert tournament(*words).code == 0
    assert (tmp_path / "o" / "games.jsonl").read_text() == games
    assert (tmp_path / "o" / "report.html").read_text() == page
    assert not (bots / "tournament").exists()


def test_ctrl_c_says_how_to_go_on(tournament, bots, monkeypatch):
    def stop(*given, **settings):
        raise KeyboardInterrupt

    monkeypatch.setattr("gangland.arena.folder.play.play_schedules", stop)
    done = tournament(bots, "--with", "random")
    assert done.code == 130
    assert "The same command continues from here." in done.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere"], ["nowhere: there is no such folder"]),
        (["empty"], ["empty holds no bot", "gangland new-bot"]),
        (["alone"], ["only low can play", "--with heuristic,random"]),
        (["bots", "--games", "0"], ["games=0: must be an integer 1..10000000"]),
        (["bots", "--with", "nobody"], ["no agent 'nobody'"]),
        (["bots", "--with", "random,"], ["no agent ''"]),
        (["bots", "--game", "poker"], ["no game 'poker'"]),
        (["bots", "--option", "luck=1"], ["unknown option luck=1"]),
        (["bots", "--seed", "-1"], ["'--seed': -1"]),
        (["bots", "--out", "bots/low.py"], ["--out", "is a file"]),
        (["bots", "--out", ""], ["--out", "must not be empty"]),
    ],
)
def test_bad_arguments(tournament, bots, tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "alone").mkdir()
    (tmp_path / "alone" / "low.py").write_text(LOW)
    assert_refused(tournament(*arguments), *words)


def test_a_folder_of_results_that_cannot_be_made(tournament, bots):
    done = tournament(bots, "--out", bots / "low.py" / "x")
    assert done.code == 1
    assert "low.py/x" in done.err
    assert "Traceback" not in done.err


def test_the_live_table_stands_above_the_bar():
    standings = (
        Standing("mine", Share(0.5, 0.4, 0.6, 9.0), 1.5, 10, 0, 0.1),
        Standing("other", Share(0.1, 0.0, 0.2, 9.0), 2.5, 10, 3, 0.1),
    )
    with live_table(False) as live:
        live.finished(10, 40)
        assert len(list(live.bar.get_renderables())) == 2
        live.show_standings(standings, 0.2)
        table, words, _ = live.bar.get_renderables()
        console = make_console(width=100)
        with console.capture() as shown:
            console.print(table)
        assert "playing" in str(words)
    first, second = [line for line in shown.get().splitlines() if "%" in line and "×" in line]
    assert all(word in first for word in ("1 mine", "50.0%", "40.0%–60.0%", "2.50×"))
    assert all(word in second for word in ("2 other", "│        3 │"))
    with live_table(True) as nothing:
        assert nothing is None
