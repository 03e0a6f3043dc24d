"""``gangland benchmark``."""

from __future__ import annotations

import json

import pytest

from gangland.arena.benchmark import SubmissionError, read_submission
from gangland.arena.benchmark.submission import read_about
from tests.cli.runner import assert_refused, run

ABOUT = ["--about", "name=Mine", "--about", "authors=A. Author"]


@pytest.fixture
def cli(capsys, monkeypatch):
    return lambda *words: run(capsys, monkeypatch, "benchmark", *words)


def test_it_writes_a_submission_that_it_verifies(cli, task, specs, tmp_path):
    file = tmp_path / "mine.json"
    link = ["--about", "link=https://example.org"]
    done = cli(task.name, *specs, *ABOUT, *link, "--json", file)
    assert done.code == 0
    assert "worst row: mean " in done.out
    assert "not official" not in done.out
    written = read_submission(file)
    assert written.official
    assert (written.about.name, written.about.authors) == ("Mine", "A. Author")
    checked = cli("--check", file)
    assert (checked.code, checked.err) == (0, "")
    assert f"{file}: an official result of toy-3@1" in checked.out
    assert cli("--check", file, "--quiet").out == ""
    values = json.loads(file.read_text())
    values["summary"][0]["best"] = 0.99
    file.write_text(json.dumps(values))
    assert_refused(cli("--check", file), str(file), "summary: must be")


def test_a_try_out_says_so(cli, task, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = cli(task.name, "heuristic", "--games", 3, *ABOUT)
    assert "not official: games=3: must be 60" in done.out
    assert "not official: about: link must be given" in done.out
    checked = cli("--check", "toy-3@1.json")
    assert checked.code == 0
    assert "a valid, but no official result of toy-3@1" in checked.out
    done = cli(task.name, "heuristic", "--games", 3, "--quiet", "--json", "-")
    assert json.loads(done.out)["official"] is False
    assert done.err == ""


def test_bad_input_is_named(cli, task, tmp_path):
    known = f"give TASK, one of {task.name}, and a SPEC"
    assert_refused(cli(), known)
    assert_refused(cli(task.name), known)
    assert_refused(cli("chess", "random"), "no task 'chess': must be one of toy-3@1")
    assert_refused(cli(task.name, "typo"), "no agent 'typo'")
    assert_refused(cli(task.name, "random", "--games", 61), "games=61: must be 60")
    assert_refused(cli(task.name, "random", "--about", "name"), "'name' must be FIELD=TEXT")
    assert_refused(cli(task.name, "random", "--about", "age=7"), "about age: must be of name, ")
    assert_refused(cli(task.name, "random", "--about", "link=x"), "about: link='x'")
    file = tmp_path / "file.json"
    file.write_text("{}")
    assert_refused(cli("--check", file), f"{file}: format must be")
    assert_refused(cli(task.name, "--check", file), "--check takes no TASK")


def test_what_authors_say_is_checked():
    assert read_about({"training": "3 h on 8 cores"}).training == "3 h on 8 cores"
    with pytest.raises(SubmissionError, match=r"about: name=.*"):
        read_about({"name": "two\nlines"})
