"""The benchmark's tables are made of the committed files."""

from __future__ import annotations

import importlib
import json
import shutil

import pytest

from gangland import __version__
from gangland.arena.benchmark import SubmissionError
from gangland.arena.benchmark.tasks import newest

made = importlib.import_module("docs.make_benchmark")
parts = importlib.import_module("docs.parts")


def test_the_page_is_up_to_date():
    assert made.page() == made.PAGE.read_text(encoding="utf-8"), (
        "run: python -m docs.make_benchmark"
    )


def test_parts_are_made_anew_and_a_wrong_name_is_an_error():
    page = "A\n<!-- one: docs/x.py -->\nold\n<!-- end -->\nB\n"
    assert parts.fill(page, "x", {"one": lambda: "new\n"}) == page.replace("old", "new")
    for wrong in ({}, {"two": str}, {"one": str, "two": str}):
        with pytest.raises(ValueError, match="expected"):
            parts.fill(page, "x", wrong)
    with pytest.raises(ValueError, match="'one', 'one'"):
        parts.fill(page + page, "x", {"one": str})


@pytest.mark.parametrize("game", made.GAMES)
def test_baselines_have_met_the_opponents_of_the_newest_task(game):
    task = newest(f"{game.replace('_', '-')}-5")
    ladder = parts.read(made.DOCS / "ladder" / f"{game}.json")
    assert (ladder["rules_version"], ladder["options"]) == (task.rules_version, task.options)
    assert ladder["pool"] == task.pool
    assert ladder["seed"] == task.seed
    assert {cell["games"] for cell in ladder["cells"]} >= {task.games}


def test_the_examples_of_the_page_name_the_newest_version(tmp_path, monkeypatch):
    page = tmp_path / "benchmark.md"
    text = made.PAGE.read_text(encoding="utf-8")
    page.write_text(text.replace("chicago-5@", "chicago-5@9").replace("-open@", "-open@9"))
    monkeypatch.setattr(made, "PAGE", page)
    assert made.page() == text


def test_the_page_cites_the_version_and_the_title():
    text = made.PAGE.read_text(encoding="utf-8")
    assert f"(Gangland {__version__})" in text
    assert f"version = {{{__version__}}}" in text
    citation = (made.ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f'title: "{text.partition("title = {")[2].partition("}")[0]}"' in citation


ROW = {"role": "", "games": 1000, "low": 0.1, "high": 0.9}


def submission(**changes):
    """A result of a searching agent on Chicago's task; its numbers are made up."""
    task = newest("chicago-5")
    rows = [{**ROW, "table": spec, "share": 0.5, "games": 200} for spec in task.pool]
    rows[1]["share"] = 0.25
    agent = {"spec": "ismcts:7", "track": "open", "deliberate": True, "decisions": None}
    agent |= {"files": {}, "rows": rows, "worst": [rows[1]]}
    values = {
        "format": "gangland-benchmark/1",
        "task": task.model_dump(),
        "about": {"name": "Mine", "authors": "A. Author", "link": "https://example.org"},
        "official": True,
        "deviations": [],
        "agents": [agent],
        "summary": [{"role": "", "mean": 0.25, "low": None, "high": None, "best": 0.25}],
        "seconds": 1.0,
        "machine": dict.fromkeys(("processor", "system", "python", "numpy", "gangland"), "x"),
    }
    values["machine"] |= {"cores": 1, "torch": None}
    return values | changes


def three_trainings():
    """The same with three trainings, whose rows against the heuristic differ."""
    values = submission()
    values["agents"] = [json.loads(json.dumps(values["agents"][0])) for _ in range(3)]
    for agent, share in zip(values["agents"], (0.2, 0.25, 0.3), strict=True):
        agent["spec"], agent["decisions"] = f"cmd:bot-{share}", 6_000_000
        agent["rows"][1]["share"] = agent["worst"][0]["share"] = share
    values["summary"] = [{"role": "", "mean": 0.25, "low": 0.2, "high": 0.3, "best": 0.3}]
    values["about"]["training"] = "3 h on 8 cores"
    return values


def submit(docs, values):
    for folder in ("benchmark", "ladder"):
        (docs / folder).mkdir()
    for game in made.GAMES:
        shutil.copy(made.DOCS / "ladder" / f"{game}.json", docs / "ladder")
    (docs / "benchmark" / "mine.json").write_text(json.dumps(values))


def test_a_submission_stands_on_the_leaderboard(tmp_path):
    submit(tmp_path, submission())
    (row,) = [row for row in made.leaderboard(tmp_path).splitlines() if "Mine" in row]
    assert row == (
        "| `chicago-5@1` | Mine | [A. Author](https://example.org) | open |  | "
        "25.0% (10.0% to 90.0%) against `heuristic` | – | – |"
    ).replace("chicago-5@1", newest("chicago-5").name)


def test_three_trainings_have_a_best_one_and_a_mean(tmp_path):
    submit(tmp_path, three_trainings())
    (row,) = [row for row in made.leaderboard(tmp_path).splitlines() if "Mine" in row]
    assert row.startswith(f"| `{newest('chicago-5').division(6_000_000)}` | Mine |")
    assert "| 6.0 million (3 h on 8 cores) | 30.0% (10.0% to 90.0%) against `heuristic` |" in row
    assert "| 25.0% (20.0% to 30.0%) |" in row


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format": "x"}, "format must be"),
        ({"seconds": "x"}, "seconds='x'"),
        ({"official": False}, "official: must be True"),
        ({"summary": [{**submission()["summary"][0], "mean": 0.3}]}, "summary: must be"),
        (
            {
                "about": {},
                "official": False,
                "deviations": ["about: name, authors, link must be given"],
            },
            "about: name, authors, link must be given",
        ),
    ],
)
def test_what_is_no_official_result_is_refused(tmp_path, changes, said):
    submit(tmp_path, submission(**changes))
    with pytest.raises(SubmissionError, match=rf"mine\.json: .*{said}"):
        made.leaderboard(tmp_path)
