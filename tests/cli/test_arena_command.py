"""``gangland arena`` and ``gangland tournament``: what they print and write, and bad input."""

from __future__ import annotations

import csv
import io
import json
import os

import pytest

from gangland.arena.folder import Standing
from gangland.arena.statistics import Share
from gangland.commands.shared import progress
from gangland.commands.shared.progress import live_table
from gangland.commands.shared.terminal import make_console
from gangland.envs import load
from gangland.envs.core.replay import read_replays
from tests.cli.runner import assert_refused, run
from tests.games import TOY

# --- arena ----------------------------------------------------------------------------------------


@pytest.fixture
def arena(capsys, monkeypatch):
    def go(*arguments):
        return run(capsys, monkeypatch, "arena", "--game", TOY, *arguments)

    return go


def test_tables_for_people(arena):
    done = arena("--agents", "heuristic, random", "--games", 100, "--stats", "--workers", 2)
    assert done.code == 0
    for words in ("win share", "rating", "decisions/s", "seat 2", "finishes ahead", "shared wins"):
        assert words in done.out
    assert "102 games on" in done.out
    assert "95% intervals by deal (17)" in done.out
    ranked = [line for line in done.out.splitlines() if "│ heuristic" in line or "│ random" in line]
    assert "heuristic" in ranked[0]


def test_json_on_stdout_is_json_and_the_table_goes_elsewhere(arena):
    done = arena("--table", "heuristic,random,random", "--games", 30, "--json", "-")
    data = json.loads(done.out)
    assert data["game"] == TOY
    assert data["games"] == 30
    assert "win share" in done.err
    assert [agent["spec"] for agent in data["agents"]] == ["heuristic", "random"]


def test_a_log_says_from_time_to_time_how_many_games_are_over(arena, monkeypatch):
    words = ["--table", "heuristic,random,random", "--games", 30]
    assert "of 30 games" not in arena(*words).err
    monkeypatch.setattr(progress, "REPORT_SECONDS", 0.0)
    lines = arena(*words).err.splitlines()
    assert "30 of 30 games" in lines
    counts = [int(line.split()[0]) for line in lines if line.endswith(" of 30 games")]
    assert counts == sorted(counts)
    assert "games" not in arena(*words, "--quiet").err


def test_what_a_bot_prints_does_not_mix_with_results(arena, tmp_path):
    bot = tmp_path / "printer.py"
    bot.write_text("def act(view):\n    print('hi')\n    return view.legal_actions[0]\n")
    done = arena("--table", f"{bot},random,random", "--games", 3, "--json", "-", "--quiet")
    assert json.loads(done.out)["games"] == 3
    assert "hi" in done.err


def test_quiet_prints_only_what_was_asked_for(arena):
    done = arena("--agents", "random", "--games", 10, "--quiet")
    assert (done.code, done.out, done.err) == (0, "", "")
    done = arena("--agents", "random,heuristic", "--games", 10, "--quiet", "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [row["agent"] for row in rows] == ["random", "heuristic"]
    assert float(rows[0]["ahead_of heuristic"]) + float(rows[1]["ahead_of random"]) == 1
    assert rows[0]["ahead_of random"] == ""
    assert done.err == ""


def test_all_files_tell_the_same(arena, tmp_path):
    files = [tmp_path / name for name in ("a.json", "a.csv", "a.png", "a.jsonl")]
    options = [
        x
        for pair in zip(("--json", "--csv", "--plot", "--replays"), files, strict=True)
        for x in pair
    ]
    done = arena(
        *("--agents", "heuristic,random,heuristic:fickle", "--games", 40, "--seed", 3),
        *("--option", "players=4", "--option", "highest=5", *options),
    )
    assert done.code == 0, done.err
    data = json.loads(files[0].read_text())
    assert data["options"] == {"players": 4, "highest": 5}
    rows = list(csv.DictReader(io.StringIO(files[1].read_text())))
    for agent, row in zip(data["agents"], rows, strict=True):
        assert agent["spec"] == row["agent"]
        assert agent["win"]["share"] == float(row["win_share"])
        assert agent["rating"]["mu"] == float(row["rating"])
        assert agent["score_low"] == float(row["score_low"])
        assert row["intervals"].startswith(f"95% intervals by deal ({data['deals']})")
        assert row["truncated"] == "0"
        assert agent["seat_shares"] == [float(row[f"win_share_seat_{s}"]) for s in range(4)]
    assert files[2].read_bytes().startswith(b"\x89PNG")
    replays = read_replays(files[3])
    assert len(replays) == data["games"]
    assert replays[0].verify(load(TOY)).places


def test_the_number_of_workers_changes_nothing(arena):
    answers = []
    for workers in (1, 3):
        out = arena(
            *("--agents", "heuristic,random", "--games", 600, "--workers", workers),
            *("--json", "-", "--quiet"),
        ).out
        data = json.loads(out)
        data.pop("timing")
        answers.append(data)
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--agents", "random", "--games", "0"], ["games=0: must be an integer 1..10000000"]),
        (["--agents", "random", "--games", "-5"], ["games=-5"]),
        (["--agents", "random", "--games", "many"], ["'many' is not a valid integer"]),
        (["--agents", "random,nobody"], ["no agent 'nobody'", "heuristic"]),
        (["--agents", "heuristic:x"], ["no heuristic 'x'"]),
        (["--agents", "ppo:nowhere"], ["nowhere"]),
        (["--agents", "random,,random"], ["no agent ''"]),
        (["--table", "random,random"], ["table of 2 agents", "players=3 needs 3"]),
        (["--table", "random,random,random", "--option", "players=4"], ["needs 4"]),
        (["--agents", "random", "--option", "players=7"], ["players=7: must be 2..4"]),
        (["--agents", "random", "--option", "players=two"], ["players='two'"]),
        (["--agents", "random", "--option", "luck=1"], ["unknown option luck=1"]),
        (["--agents", "random", "--option", "players"], ["must be NAME=VALUE"]),
        (["--agents", "random", "--workers", "0"], ["workers=0"]),
        (["--agents", "random", "--seed", "-1"], ["'--seed': -1"]),
        (
            ["--agents", "random", "--json", "/no/such/folder/a.json"],
            ["folder /no/such/folder does not exist"],
        ),
        (["--agents", "random", "--plot", "."], ["is a folder"]),
        (["--agents", "random", "--plot", "a.txt"], ["must end in .png"]),
        (["--agents", "random", "--json", "-", "--csv", "-"], ["only one of"]),
        (["--agents", "random", "--table", "random"], ["either --agents"]),
        ([], ["either --agents"]),
    ],
)
def test_bad_input(arena, arguments, words):
    assert_refused(arena(*arguments), *words)


def test_unknown_game(capsys, monkeypatch):
    done = run(capsys, monkeypatch, "arena", "--game", "poker", "--agents", "random")
    assert_refused(done, "no game 'poker'", "chicago")


def test_an_illegal_agent_ends_it_with_its_name(arena):
    assert_refused(arena("--agents", "heuristic:cheat", "--games", 60), "heuristic:cheat chose")


def test_matrix_products_stay_in_their_thread(arena, monkeypatch):
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert arena("--agents", "random", "--games", 3, "--quiet").code == 0
    assert os.environ["OPENBLAS_NUM_THREADS"] == "1"
    assert os.environ["OMP_NUM_THREADS"] == "3", "what the user set stays"


# --- tournament -----------------------------------------------------------------------------------

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
