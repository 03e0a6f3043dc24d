"""A submission is verified, ``gangland benchmark`` writes what passes; the tasks as declared."""

from __future__ import annotations

import copy
import json

import pytest

from gangland.agents.registry import make, shipped
from gangland.arena.benchmark import (
    SubmissionError,
    TaskError,
    all_tasks,
    find_task,
    hashes_of,
    problems_of,
    read_submission,
)
from gangland.arena.benchmark.submission import read_about
from gangland.arena.benchmark.tasks import newest
from gangland.envs import load
from tests.cli.runner import assert_refused, run
from tests.games import OURS

BASES = ["gangsters-5", "five-points-5", "crime-lords-5", "chicago-5"]


def test_every_game_has_a_task_and_versions_ascend():
    assert list(dict.fromkeys(task.base for task in all_tasks())) == BASES
    assert {newest(base).game for base in BASES} == set(OURS)
    for base in BASES:
        versions = [task.version for task in all_tasks() if task.base == base]
        assert versions == list(range(1, len(versions) + 1))


@pytest.mark.parametrize("base", BASES)
def test_the_newest_version_is_of_the_rules_and_networks_that_ship(base):
    task = newest(base)
    game = load(task.game)
    say = f"run: python -m docs.make_benchmark --raise {base}"
    assert (task.rules_version, task.options) == (game.rules_version, game.options.resolve({})), say
    trained = [spec for spec in task.pool if spec.startswith("ppo:")]
    assert f"ppo:{shipped(task.game)[-1]}" in trained
    for spec in trained:
        assert hashes_of(make(spec, game)) == task.pool[spec], say
    assert {"random", "heuristic"} < set(task.pool)
    assert all(not task.pool[spec] for spec in task.pool if spec not in trained)


def test_an_unknown_task_is_named_with_all_there_are():
    for name in ("chicago-5", "chicago-5@99", "chess"):
        with pytest.raises(TaskError, match=rf"no task '{name}': must be one of gangsters-5@1, "):
            find_task(name)
    with pytest.raises(TaskError, match="no task 'chess': must be one of gangsters-5, "):
        newest("chess")


def test_more_decisions_than_the_budget_belong_to_the_open_task():
    task = find_task("chicago-5@1")
    assert task.division(task.decisions) == task.division(None) == "chicago-5@1"
    assert task.division(task.decisions + 1) == "chicago-5-open@1"


# --- schema, hashes, arithmetic -------------------------------------------------------------------


@pytest.fixture
def values(submission):
    return json.loads(submission.to_json())


@pytest.fixture
def read(tmp_path):
    file = tmp_path / "mine.json"

    def reading(values):
        file.write_text(values if isinstance(values, str) else json.dumps(values))
        return read_submission(file)

    return reading


def changed(values, path, value):
    """With the value at a dotted path replaced."""
    found = inner = copy.deepcopy(values)
    *outer, last = [int(part) if part.isdigit() else part for part in path.split("/")]
    for part in outer:
        inner = inner[part]
    inner[last] = value
    return found


def test_what_was_written_is_valid(submission, values, read):
    assert read(values) == submission
    assert problems_of(read(values)) == []


SCHEMA = [
    ("official", "yes", "official='yes'"),
    ("agents/0/rows/0/share", 1.5, "agents.0.rows.0.share=1.5"),
    ("agents/0/rows/0/games", "60", "agents.0.rows.0.games='60'"),
    ("agents/0/files/policy.safetensors", "abc", "agents.0.files.policy.safetensors='abc'"),
    ("agents", [], "agents="),
    ("about/link", "javascript:alert(1)", "about.link="),
    ("about/link", "../configs/selfplay.yaml", "about.link="),
    ("about/name", "<b>", "about.name='<b>'"),
    ("machine/cores", 0, "machine.cores=0"),
    ("task/name", "toy", "task.name='toy'"),
    ("task/colour", "red", "unknown key 'task.colour'"),
    ("seconds", -1, "seconds=-1"),
    ("format", "gangland-benchmark/9", "format must be 'gangland-benchmark/1'"),
]


@pytest.mark.parametrize(("path", "value", "message"), SCHEMA, ids=[case[0] for case in SCHEMA])
def test_a_field_that_is_not_allowed_is_named(values, read, path, value, message):
    with pytest.raises(SubmissionError) as caught:
        read(changed(values, path, value))
    assert message in str(caught.value)


def test_a_missing_field_is_named(values, read):
    del values["agents"][1]["decisions"]
    with pytest.raises(SubmissionError, match=r"agents\.1\.decisions is missing"):
        read(values)


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"format": 1, "format": 2}'])
def test_a_file_that_is_no_submission_is_named(read, text):
    with pytest.raises(SubmissionError, match=r"mine\.json"):
        read(text)


FALSE = [
    ("task/name", "toy-3@7", "task.name: no task 'toy-3@7'"),
    ("task/seed", 4, "task.seed=4: must be 3"),
    ("task/rules_version", 99, "task.rules_version is 99, must be "),
    ("task/options/players", 4, "task.options="),
    ("task/games", 600, "task.games=600: must be 60, or less"),
    ("task/pool/random", {"policy.safetensors": "a" * 64}, "task.pool: policy.safetensors of ran"),
    ("task/pool/another", {}, "task.pool: another must not be there"),
    ("agents/1/rows/0/table", "another", "agents.1.rows: must be, in this order, against random"),
    ("agents/1/rows/0/games", 30, "agents.1.rows.0.games=30: must be 60"),
    ("agents/1/rows/1/low", 1.0, "agents.1.rows.1.share="),
    ("agents/2/worst/0/share", 0.9999, "agents.2.worst: must be the row with the lowest share"),
    ("summary/0/mean", 0.9, "summary: must be [{'role': '', 'mean': "),
    ("summary/0/low", None, "summary: must be"),
    ("about/authors", "", "deviations: must be ['about: authors must be given']"),
    ("official", False, "official: must be True"),
]


@pytest.mark.parametrize(("path", "value", "message"), FALSE, ids=[case[0] for case in FALSE])
def test_what_is_false_is_named(values, read, path, value, message):
    problems = problems_of(read(changed(values, path, value)))
    assert any(problem.startswith(message) for problem in problems), problems


def test_the_weights_of_the_opponents_are_compared(values, read):
    spec = next(spec for spec, files in values["task"]["pool"].items() if files)
    values["task"]["pool"][spec]["policy.safetensors"] = "0" * 64
    (problem,) = problems_of(read(values))
    assert problem.startswith(f"task.pool: policy.safetensors of {spec} is 000000000000..., must ")
    del values["task"]["pool"][spec]
    assert f"task.pool: {spec} is missing" in problems_of(read(values))


def test_one_network_twice_is_found(values, read):
    values["agents"][1]["files"] = values["agents"][0]["files"]
    assert any("have the same policy.safetensors" in each for each in problems_of(read(values)))


def test_a_try_out_is_valid_and_not_official(values, read):
    values["about"]["link"] = ""
    values["deviations"] = ["about: link must be given"]
    values["official"] = False
    assert problems_of(read(values)) == []


# --- the command ----------------------------------------------------------------------------------

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
    assert "a valid but unofficial result of toy-3@1" in checked.out
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
