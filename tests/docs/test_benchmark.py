"""The benchmark's tables are made of the committed files."""

from __future__ import annotations

import importlib
import json
import shutil

import pytest

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


ABOUT = {
    "name": "Mine",
    "game": "chicago",
    "agent": "heuristic",
    "authors": "A. Author",
    "link": "https://example.org",
    "decisions": 5_000_000,
    "worst_rows": [0.2, 0.25, 0.3],
    "hours": 1.5,
    "hardware": "one core",
}


def submit(docs, about, ladder=True):
    folder = docs / "submissions" / "mine"
    folder.mkdir(parents=True)
    (folder / "about.json").write_text(json.dumps(about))
    if ladder:
        shutil.copy(made.DOCS / "ladder" / "chicago.json", folder / "ladder.json")


def test_a_submitted_result_is_shown(tmp_path):
    submit(tmp_path, ABOUT)
    (row,) = made.submissions(tmp_path).splitlines()[2:]
    cells = json.loads((made.DOCS / "ladder" / "chicago.json").read_text())["cells"]
    worst = min(cell["share"] for cell in cells if cell["one"] == ABOUT["agent"])
    start = f"| Mine (Chicago Underworld) | open | chicago-5 | 5.0 million | {worst:.1%} "
    assert row.startswith(start)
    assert "| 25.0% | 1.5 h on one core | [A. Author](https://example.org) |" in row


def test_more_decisions_than_the_budget_belong_to_the_open_task(tmp_path):
    submit(tmp_path, {**ABOUT, "decisions": 6_000_000})
    assert "| chicago-5-open | 6.0 million |" in made.submissions(tmp_path)


@pytest.mark.parametrize(
    ("about", "ladder", "said"),
    [
        ({key: value for key, value in ABOUT.items() if key != "link"}, True, "lacks link"),
        ({**ABOUT, "game": "chess"}, True, "game must be one of"),
        ({**ABOUT, "agent": "mine"}, True, "does not hold mine"),
        (ABOUT, False, "lacks ladder.json"),
        ({**ABOUT, "worst_rows": [0.2]}, True, "worst_rows must be of 3 trainings"),
    ],
)
def test_an_incomplete_submission_is_refused(tmp_path, about, ladder, said):
    submit(tmp_path, about, ladder)
    with pytest.raises(made.SubmissionError, match=said):
        made.submissions(tmp_path)
