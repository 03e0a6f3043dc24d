"""The tutorials run, from their first block to their last."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.tutorial import Step, shortened, steps, with_command

ROOT = Path(__file__).resolve().parents[2]
TUTORIALS = ROOT / "docs" / "tutorials"
PAGES = sorted(path.name for path in TUTORIALS.glob("*.md") if path.name != "index.md")
RUNNER = Path(__file__).with_name("tutorial.py")
ELSEWHERE = {"front_end.md": "tests/docs/test_front_end.py"}
"""Tutorials that have a test of their own."""
SLOW = {"exploitability.md", "first_bot.md", "scale_out.md"}
WORDS_PER_MINUTE = 200


def run(page, folder):
    done = subprocess.run(
        [sys.executable, str(RUNNER), str(TUTORIALS / page)],
        cwd=folder,
        env=with_command(folder / "bin"),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[pytest.mark.slow] if page in SLOW else [])
        for page in PAGES
        if page not in ELSEWHERE
    ],
)
def test_a_tutorial_runs(page, tmp_path):
    assert run(page, tmp_path)


@pytest.mark.parametrize("page", PAGES)
def test_a_tutorial_is_read_in_ten_minutes(page):
    assert len((TUTORIALS / page).read_text(encoding="utf-8").split()) < 10 * WORDS_PER_MINUTE


def test_tutorials_with_tests_of_their_own_have_them():
    for page, test in ELSEWHERE.items():
        assert page in PAGES
        assert page in (ROOT / test).read_text(encoding="utf-8")


def test_blocks_are_found_with_titles_and_shortened():
    text = (
        "Text.\n\n<!-- in tests: 500 -> 5; a b -> c -->\n```sh\nrun a b 500\n```\n\n"
        '```python title="x.py"\nX = 1\n```\n\n```text\nnot run\n```\n'
    )
    assert list(steps(text)) == [
        Step("sh", "", "run c 5\n", 5),
        Step("python", "x.py", "X = 1\n", 9),
        Step("text", "", "not run\n", 13),
    ]


def test_a_comment_that_replaces_nothing_is_an_error():
    with pytest.raises(ValueError, match="replaces nothing"):
        shortened("run 100", "200 -> 2")
    with pytest.raises(ValueError, match="replaces nothing"):
        shortened("run 100", "100")


def test_a_block_that_fails_fails_the_tutorial(tmp_path):
    page = tmp_path / "page.md"
    for code in ("```python\n1 / 0\n```\n", "```sh\nfalse | cat\n```\n"):
        page.write_text(code)
        with pytest.raises(AssertionError):
            run(page, tmp_path)
