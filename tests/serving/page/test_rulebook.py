"""The rules for players: all of them, and nothing that is for programs."""

from __future__ import annotations

import importlib.resources
import re

import pytest

from gangland.envs import load
from gangland.serving.errors import ServingError
from gangland.serving.rulebook import as_text, rulebook
from tests.games import GAMES, TOY


def written(game):
    package = type(load(game)).__module__.rpartition(".")[0]
    return importlib.resources.files(package) / "RULES.md"


WRITTEN = [name for name in GAMES if written(name).is_file()]


def test_games_come_with_rules():
    assert set(GAMES) - set(WRITTEN) <= {TOY, "gangsters"}


@pytest.mark.parametrize("game", WRITTEN)
def test_every_rule_of_play_is_there(game):
    book = rulebook(game)
    text = written(game).read_text(encoding="utf-8")
    shown = [rule.id for section in book.sections for rule in section.rules]
    assert len(shown) == len(set(shown)) > 50
    titles = re.findall(r"^## (.+)$", text, re.M)
    kept = [section.title for section in book.sections]
    assert kept == [title for title in titles if title in kept]
    for word in ("overview", "setup", "end of", "hidden"):
        assert any(word in title.lower() for title in kept), word
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        title, _, body = section.partition("\n")
        ids = re.findall(r"^\| ([A-Z]+-[\d.]+\w*) \|", body, re.M)
        if title in kept:
            assert set(ids) <= set(shown), title
        else:
            assert not set(ids) & set(shown), title


@pytest.mark.parametrize("game", WRITTEN)
def test_tags_code_and_tests_are_removed(game):
    for section in rulebook(game).sections:
        for rule in section.rules:
            assert len(rule.text) > 10, rule
            assert not re.search(r"\[[SFR]\]|\btests/|::test_|\|", rule.text), rule


def test_over_http(client):
    found = client.get("/games/chicago/rules") if "chicago" in GAMES else None
    if found is not None:
        assert found["type"] == "rules"
        assert found["sections"][0]["rules"][0]["id"] == "CU-1.1"
    with pytest.raises(ServingError, match="without written rules"):
        rulebook(TOY)


def test_as_markdown():
    text = as_text(rulebook("chicago"))
    assert text.startswith("# Dominate the Chicago Underworld\n\n## 1 Overview")
    assert "\n- CU-1.1: " in text
