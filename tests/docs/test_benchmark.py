"""The benchmark's tables are made of the committed files."""

from __future__ import annotations

import importlib
import json
import shutil

import pytest

made = importlib.import_module("docs.make_benchmark")


def test_the_page_is_up_to_date():
    assert made.page() == made.PAGE.read_text(encoding="utf-8"), (
        "run: python docs/make_benchmark.py"
    )


def test_every_part_is_on_the_page():
    text = made.PAGE.read_text(encoding="utf-8")
    assert {match[2] for match in made.BLOCK.finditer(text)} == set(made.PARTS)


def test_an_agent_without_an_exploiter_is_not_measured():
    rows = [row for row in made.baselines().splitlines() if row.startswith("| `random`")]
    assert len(rows) == len(made.GAMES)
    assert all("not measured" in row for row in rows)


def test_a_game_without_a_ladder_has_no_table(tmp_path):
    (tmp_path / "ladder").mkdir()
    shutil.copy(made.DOCS / "ladder" / "chicago.json", tmp_path / "ladder")
    text = made.baselines(tmp_path)
    assert "Chicago" in text
    assert "Gangsters" not in text


ABOUT = {
    "name": "Mine",
    "game": "chicago",
    "agent": "heuristic",
    "authors": "A. Author",
    "link": "https://example.org",
    "decisions": 5_000_000,
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
    assert row.startswith(f"| Mine (Chicago Underworld) | 5.0 million | {worst:.1%} ")
    assert "| [A. Author](https://example.org) |" in row


@pytest.mark.parametrize(
    ("about", "ladder", "said"),
    [
        ({key: value for key, value in ABOUT.items() if key != "link"}, True, "lacks link"),
        ({**ABOUT, "game": "chess"}, True, "game must be one of"),
        ({**ABOUT, "agent": "mine"}, True, "does not hold mine"),
        (ABOUT, False, "lacks ladder.json"),
    ],
)
def test_an_incomplete_submission_is_refused(tmp_path, about, ladder, said):
    submit(tmp_path, about, ladder)
    with pytest.raises(made.SubmissionError, match=said):
        made.submissions(tmp_path)
