"""Examples of the README, the docs and the docstrings run; files for platforms are in order."""

from __future__ import annotations

import doctest
import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import gangland
from gangland.commands.games import observation_page
from gangland.envs import load
from tests.games import GAMES, TOY

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LINKED = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
BLOCKS = {
    page: found
    for page in PAGES
    if (found := re.findall(r"```python\n(.*?)```", page.read_text(), re.S))
}
EACH = """
import json, sys
for number, code in enumerate(json.load(sys.stdin)):
    exec(compile(code, f"example {number}", "exec"), {"__name__": "__main__"})
"""
"""Runs the examples of a page one after the other, none with the names of another."""
DOCTESTED = [
    "gangland.envs",
    "gangland.envs.registry",
    "gangland.envs.core.replay",
    "gangland.agents.base",
    "gangland.agents.registry",
    "gangland.agents.table",
    "gangland.arena.benchmark.summary",
    "gangland.arena.benchmark.tasks",
    "gangland.arena.ratings.equilibrium",
    "gangland.arena.ratings.evolution",
    "gangland.arena.schedule",
    "gangland.arena.statistics",
    "gangland.arena.tournament",
]


@pytest.mark.parametrize("page", BLOCKS, ids=lambda page: page.name)
def test_python_examples_run(page, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", EACH],
        cwd=tmp_path,
        input=json.dumps(BLOCKS[page]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{page.name}: {done.stderr[-2000:]}"


def test_there_are_examples():
    assert sum(map(len, BLOCKS.values())) >= 4


@pytest.mark.parametrize("name", DOCTESTED)
def test_doctests(name):
    results = doctest.testmod(importlib.import_module(name))
    assert results.attempted > 0
    assert results.failed == 0


def test_links_between_pages_lead_somewhere():
    for page in LINKED:
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("name", [name for name in GAMES if name != TOY])
def test_the_page_of_an_observation_names_every_number(name):
    """``gangland games NAME --observation``, a page of the site; its blocks follow one another."""
    page, game = observation_page(load(name)), load(name)
    assert f"float32 of shape `({game.observation_size},)`" in page
    at = 0
    for block in game.observation_layout:
        assert block.start == at
        assert f"| {block.name} | {at} | " in page
        at += block.size
    assert at == game.observation_size


def test_the_readmes_make_targets_exist():
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"^make ([a-z-]+)", (ROOT / "README.md").read_text(), re.M):
        assert re.search(rf"^{target}:", makefile, re.M), target


def test_the_readmes_commands_are_known():
    """Every ``gangland`` line of the README parses: its options exist."""
    from click.testing import CliRunner

    from gangland.cli import cli

    lines = re.findall(r"^gangland (.*?)(?:\s+#.*)?$", (ROOT / "README.md").read_text(), re.M)
    assert len(lines) >= 6
    for line in lines:
        name, *words = line.split()
        shown = CliRunner().invoke(cli, [name, "--help"])
        assert shown.exit_code == 0, shown.output
        for word in words:
            if word.startswith("--"):
                assert word in shown.output, f"{name} has no option {word}"


def test_help_is_light():
    """``gangland --help`` imports nothing heavy, which is what makes it quick."""
    code = (
        "import sys\n"
        "from gangland.cli import cli\n"
        "try:\n    cli(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'numpy', 'numba', 'torch', 'gymnasium', 'pettingzoo', 'pydantic', 'rich'}\n"
        "print('heavy:', sorted(heavy & set(sys.modules)))\n"
    )
    environment = {**os.environ, "COLUMNS": "100"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert "Train bots by self-play." in done.stdout
    assert done.stdout.strip().endswith("heavy: []")


@pytest.mark.slow
def test_bench_prints_a_table_and_writes_json(tmp_path):
    file = tmp_path / "bench.json"
    command = [sys.executable, "-m", "gangland.cli", "bench", "--game", "chicago"]
    done = subprocess.run(
        [*command, "--no-training", "--json", str(file)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "env() steps/s" in done.stdout
    (row,) = json.loads(file.read_text())["games"]
    assert row["game"] == "chicago"
    assert all(row[key] > 0 for key in row if key != "game")


def test_the_folder_tree_is_the_real_one():
    tree = importlib.import_module("docs.make_tree")
    assert tree.page() == tree.PAGE.read_text(), "run: python -m docs.make_tree"
    listed = [path for path, _ in tree.folders()]
    assert len(listed) > 50
    if (ROOT / ".git").exists():
        command = ["git", "ls-files", "*/*"]
        tracked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        tops = {name.split("/")[0] for name in tracked.stdout.splitlines()}
        assert {top for top in tops if top[0] != "."} == {p for p in listed if "/" not in p}


# --- files that platforms read: citation, issue forms, policies -----------------------------------

FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
KINDS = {"markdown", "input", "textarea", "dropdown", "checkboxes"}


def test_the_citation_is_of_this_version():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert str(cited["version"]) == gangland.__version__
    assert cited["license"] == "MIT"
    assert {"cff-version", "message", "title", "authors"} <= set(cited)


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
def test_an_issue_form_has_what_platforms_want(path):
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    if path.name == "config.yml":
        assert isinstance(form["blank_issues_enabled"], bool)
        return
    assert {"name", "description", "body"} <= set(form)
    asked = [field for field in form["body"] if field["type"] != "markdown"]
    assert asked
    assert all(field["type"] in KINDS for field in form["body"])
    identifiers = [field["id"] for field in asked]
    assert len(identifiers) == len(set(identifiers))
    assert all(field["attributes"]["label"] for field in asked)


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md"])
def test_a_policy_is_more_than_a_heading(name):
    assert len((ROOT / name).read_text(encoding="utf-8").split()) > 100


def test_the_contributing_guide_names_targets_that_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    targets = set(re.findall(r"(?:^|`)make ([a-z-]+)", text, re.M))
    assert {"compile", "docs", "lint", "test"} <= targets
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.M), target
