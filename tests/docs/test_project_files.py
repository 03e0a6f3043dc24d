"""Files that platforms read: citation, issue forms, policies."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

import gangland

ROOT = Path(__file__).resolve().parents[2]
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
