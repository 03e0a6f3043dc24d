"""The notebooks run, in a short form, and are committed with their output."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.docs.test_tutorials import WORDS_PER_MINUTE
from tests.docs.tutorial import run, shortened

ROOT = Path(__file__).resolve().parents[2]
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
