"""The specification's validation table (CU-21.1), a sample of it fast and the whole of it slow."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "rules" / "validate_chicago.py"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("validate_chicago", SCRIPT)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(SCRIPT.parent))  # as for a script that is started
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(SCRIPT.parent))
    return module


def run(script, *arguments):
    return CliRunner().invoke(script.main, arguments)


@pytest.mark.rule("CU-21.1", "CU-20.1")
def test_a_small_sample_agrees(script):
    """Of 160 figures 0.4 are expected beyond three standard errors by chance; more than two of
    them in one case of a hundred."""
    result = run(script, "--random-games", "150", "--bot-games", "150")
    found = re.search(r"(\d+) of 160 figures disagree\n$", result.output)
    assert found, result.output
    assert int(found[1]) <= 2, result.output


@pytest.mark.rule("CU-21.1")
def test_a_figure_that_disagrees_is_reported(script):
    report = script.Report()
    games = script.play({"players": 2}, 100, [0], 5)
    report.mean("mean score", games[:, script.MEAN_SCORE], 90.0, 1000, 0.1)
    assert report.failed == 1
    report.mean("mean score", games[:, script.MEAN_SCORE], 74.1, 1000, 0.1)
    assert report.failed == 1


@pytest.mark.slow
@pytest.mark.rule("CU-21.1", "CU-20.1")
def test_the_whole_table_agrees(script):
    """Over so many games that the sampling error of the specification's own run is what is left."""
    result = run(script, "--random-games", "20000", "--bot-games", "20000")
    assert result.exit_code == 0, result.output
