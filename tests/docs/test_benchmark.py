"""The benchmark's tables are made of the committed files."""

from __future__ import annotations

import importlib
import json
import shutil

import pytest
from click.testing import CliRunner

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


def pictured(folder, shown):
    """Files that were kept in a folder of the ladder, each with its picture in a text."""
    kept = sorted((made.DOCS / "ladder" / folder).glob("*.json"))
    assert len(kept) == shown.count("![")
    for file in kept:
        assert f"(ladder/{folder}/{file.stem}.png)" in shown
        assert file.with_suffix(".png").is_file()
    return kept


def test_every_learning_curve_that_was_kept_is_shown():
    shown = made.learning()
    for file in pictured("learning", shown):
        bot = made.ROOT / "checkpoints" / file.stem.replace("-", "/")
        assert (bot / "model.json").is_file()
    assert "Chicago Underworld: win shares of `ppo:chicago/v2` over 100 million decisions" in shown


def test_every_exploiter_that_was_kept_has_its_picture():
    assert pictured("exploit", made.curves())


def test_a_picture_is_drawn_anew_from_the_file_of_its_curves(tmp_path, monkeypatch):
    drawing = importlib.import_module("benchmarks.learning_curves")
    monkeypatch.setattr(drawing, "OUT", tmp_path)
    runner = CliRunner()
    refused = runner.invoke(drawing.main, ["mine"])
    assert refused.exit_code == 2
    assert "no mine.json" in refused.output
    curves = {"one": {"random": [[1_000_000, 0.5], [2_000_000, 0.75]]}}
    (tmp_path / "mine.json").write_text(json.dumps(curves))
    drawn = runner.invoke(drawing.main, ["mine"], catch_exceptions=False)
    assert drawn.output == "one: random: 75.0% after 2,000,000\n"
    assert (tmp_path / "mine.png").read_bytes().startswith(b"\x89PNG")
    assert json.loads((tmp_path / "mine.json").read_text()) == curves


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
