"""The rules for players: all of them, and nothing that is for programs."""

from __future__ import annotations

import importlib.resources
import re

import pytest

from gangland.envs import load
from gangland.envs.testing.cases import RULEBOOK, exemptions
from gangland.serving.errors import ServingError
from gangland.serving.rulebook import as_text, handbook, rulebook
from tests.games import GAMES, TOY


def written(game):
    package = type(load(game)).__module__.rpartition(".")[0]
    return importlib.resources.files(package) / "RULES.md"


WRITTEN = [name for name in GAMES if written(name).is_file()]
WITH_CHAPTERS = [name for name in GAMES if load(name).handbook() is not None]
"""Games with rules for people."""


def test_games_come_with_rules():
    """All but those that say why not; a game that is explained to people is explained in full."""
    assert [name for name in GAMES if name not in WRITTEN] == [
        name for name in GAMES if RULEBOOK in exemptions(name)
    ]
    for name in GAMES:
        game = load(name)
        parts = (game.handbook(), game.handbook("de"), game.texts("de"), game.lesson())
        assert len({part is None for part in parts}) == 1, name
    assert WITH_CHAPTERS


@pytest.mark.parametrize("game", WITH_CHAPTERS)
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
        assert found["language"] == "en"
        passage = found["chapters"][0]["passages"][0]
        assert passage["html"].startswith("<p>")
        german = client.get("/games/chicago/rules", language="de")
        assert german["chapters"] == [
            one.model_dump() for one in rulebook("chicago", "de").chapters
        ]
        assert client.get("/games/chicago/rules", language="xx") == found, "unknown: English"
        refused = client.get("/games/chicago/rules", status=422, language="../de")
        assert "language" in refused["message"]
    with pytest.raises(ServingError, match="without written rules"):
        rulebook(TOY)


def test_as_markdown():
    named = as_text(rulebook("chicago"))
    assert named.startswith("# Dominate the Chicago Underworld\n\n## ")
    assert "\n[CU-1.1" in named
    text = as_text(rulebook("chicago"), exact=True)
    assert text.startswith("# Dominate the Chicago Underworld\n\n## 1 Overview")
    assert "\n- CU-1.1: " in text


BOOK = """# The title

## First chapter

What one has to know **first**.

A paragraph
of two lines.
[AB-1.1, AB-1.2b]

- one
- <b>two</b>
[AB-2.1]
## Second chapter

| number | what |
|---|---|
| 1 | one |

[AB-1.1]
"""


def test_chapters_and_passages():
    title, chapters = handbook(BOOK)
    assert title == "The title"
    assert [chapter.title for chapter in chapters] == ["First chapter", "Second chapter"]
    first, second, third = chapters[0].passages
    assert (first.html, first.rules) == ("<p>What one has to know <strong>first</strong>.</p>", [])
    assert (second.text, second.rules) == ("A paragraph\nof two lines.", ["AB-1.1", "AB-1.2b"])
    assert "<li>&lt;b&gt;two&lt;/b&gt;</li>" in third.html, "no HTML comes through"
    (table,) = chapters[1].passages
    assert "<td>one</td>" in table.html
    assert table.rules == ["AB-1.1"]


@pytest.mark.parametrize("text", ["# Title\n\nA word.", "# Title\n\n## Chapter\n\n[AB-1.1]"])
def test_what_stands_in_no_chapter_is_refused(text):
    with pytest.raises(ValueError, match="stands"):
        handbook(text)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("game", WITH_CHAPTERS)
def test_every_rule_stands_behind_a_passage(game, language):
    book = rulebook(game, language)
    assert book.language == language
    assert 8 <= len(book.chapters) <= 18
    passages = [passage for chapter in book.chapters for passage in chapter.passages]
    assert all(chapter.passages for chapter in book.chapters)
    named = {rule for passage in passages for rule in passage.rules}
    shown = {rule.id for section in book.sections for rule in section.rules}
    assert shown - named == set(), "rules that no passage explains"
    assert named - shown == set(), "rules that there are not"
    for passage in passages:
        assert not passage.text.startswith("#"), passage.text
        assert len(passage.rules) == len(set(passage.rules)), passage.text


@pytest.mark.parametrize("game", WITH_CHAPTERS)
def test_both_languages_explain_the_same_in_the_same_order(game):
    ids = [
        [
            [passage.rules for passage in chapter.passages]
            for chapter in rulebook(game, code).chapters
        ]
        for code in ("en", "de")
    ]
    assert ids[0] == ids[1]
