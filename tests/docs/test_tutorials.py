"""Tutorials and notebooks run; notebooks are committed with their output."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.docs.tutorial import notebooks, run, shortened

# --- tutorials, from their first block to their last ----------------------------------------------

ROOT = Path(__file__).resolve().parents[2]
TUTORIALS = ROOT / "docs" / "tutorials"
PAGES = sorted(path.name for path in TUTORIALS.glob("*.md") if path.name != "index.md")
ELSEWHERE = {"front_end.md": "tests/docs/test_front_end.py"}
"""Tutorials that have a test of their own."""
SLOW = {"add_a_game.md", "exploitability.md", "first_bot.md", "own_bot.md", "scale_out.md"}
WORDS_PER_MINUTE = 200


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[pytest.mark.slow] if page in SLOW else [])
        for page in PAGES
        if page not in ELSEWHERE
    ],
)
def test_a_tutorial_runs(page, tmp_path):
    assert run(TUTORIALS / page, tmp_path)


@pytest.mark.parametrize("page", PAGES)
def test_a_tutorial_is_read_in_ten_minutes(page):
    assert len((TUTORIALS / page).read_text(encoding="utf-8").split()) < 10 * WORDS_PER_MINUTE


def test_tutorials_with_tests_of_their_own_have_them():
    for page, test in ELSEWHERE.items():
        assert page in PAGES
        assert page in (ROOT / test).read_text(encoding="utf-8")


def test_a_tutorial_becomes_a_notebook():
    text = (
        "# Text\n\nSee [there](other.md), [here](https://x.org) and ![it](a.png).\n\n"
        "<!-- in tests: 500 -> 5; a b -> c -->\n```sh\nrun a b 500\n```\n\n"
        '```python title="x.py"\nX = 1\n```\n```python\nX\n```\n\n```text\nnot run\n```\n'
    )
    cells = notebooks.from_markdown(text)["cells"]
    assert [(cell["cell_type"], cell["source"]) for cell in cells] == [
        ("markdown", "# Text\n\nSee there, [here](https://x.org) and it."),
        ("code", "%%bash -e -o pipefail\nrun a b 500"),
        ("code", "%%writefile x.py\nX = 1"),
        ("code", "X"),
        ("markdown", "```text\nnot run\n```"),
    ]
    assert shortened(cells[1]["source"], cells[1]["metadata"]["in_tests"]).endswith("run c 5")


def test_every_block_of_a_tutorial_is_in_its_notebook():
    for page in PAGES:
        text = (TUTORIALS / page).read_text(encoding="utf-8")
        cells = notebooks.from_markdown(text)["cells"]
        everything = "\n".join(cell["source"] for cell in cells)
        for block in notebooks.blocks(text):
            assert block.code.strip() in everything
        assert "in tests:" not in everything
        assert text.count("```") % 2 == 0


def test_a_note_that_replaces_nothing_is_an_error():
    with pytest.raises(ValueError, match="replaces nothing"):
        shortened("run 100", "200 -> 2")
    with pytest.raises(ValueError, match="replaces nothing"):
        shortened("run 100", "100")


def test_a_cell_that_fails_fails_the_tutorial(tmp_path):
    exceptions = pytest.importorskip("nbclient").exceptions
    page = tmp_path / "page.md"
    for code in ("```python\n1 / 0\n```\n", "```sh\nfalse | cat\n```\n"):
        page.write_text(code)
        with pytest.raises(exceptions.CellExecutionError):
            run(page, tmp_path)


# --- notebooks, in a short form -------------------------------------------------------------------

NOTEBOOKS = sorted((ROOT / "docs").rglob("*.ipynb"))


def test_there_is_a_notebook():
    assert NOTEBOOKS


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_runs(path, tmp_path):
    run(path, tmp_path)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_read_in_ten_minutes(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    words = " ".join("".join(cell["source"]) for cell in cells).split()
    assert len(words) < 10 * WORDS_PER_MINUTE


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_committed_with_its_output(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    counts = [cell["execution_count"] for cell in code]
    assert counts == list(range(1, len(code) + 1)), "run all cells in order, and save"
    outputs = [output for cell in code for output in cell["outputs"]]
    assert outputs
    assert not [output for output in outputs if output["output_type"] == "error"]
    assert not [output for output in outputs if output.get("name") == "stderr"]
    for cell in code:
        shortened("".join(cell["source"]), cell["metadata"].get("in_tests", ""))
