"""Catalogues of the games: everything that is said in some games is translated."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from gangland.envs import load
from gangland.serving.errors import ServingError
from gangland.serving.texts import catalogue_of, read_catalogue
from gangland.serving.texts.sentences import all_sentences
from gangland.serving.texts.translator import HOLE, translator
from tests.games import GAMES, long_ones_slow

GAMES_PLAYED = 1
SPEAKING = [name for name in GAMES if load(name).languages()]
"""Games with translations."""
ENGLISH_MONEY = re.compile(r"\$[\d{]|\d,\d{3}")
"""German has 1.200 $."""
CATALOGUES = [(name, code) for name in SPEAKING for code in load(name).languages()]


def repr_of(text):
    return json.dumps(text, ensure_ascii=False)


def test_every_game_that_speaks_another_language_speaks_german():
    assert SPEAKING
    assert [name for name in SPEAKING if "de" not in load(name).languages()] == []


@pytest.mark.parametrize("name", long_ones_slow(SPEAKING))
def test_everything_that_is_said_in_a_game_is_translated(name):
    game = load(name)
    known = translator(game, "de")
    texts = all_sentences(game, GAMES_PLAYED)
    assert len(texts) > 100
    assert sorted(text for text in texts if not known.knows(text)) == []
    told = map(known.translate, sorted(texts))
    assert [said for said in told if ENGLISH_MONEY.search(said)] == []


@pytest.mark.parametrize("name", SPEAKING)
def test_money_is_written_as_in_german(name):
    game = load(name)
    told = [said for forms in read_catalogue(game.texts("de")).values() for said in forms]
    told += (game.handbook("de") or "").splitlines()
    assert [said for said in told if ENGLISH_MONEY.search(said)] == []


@pytest.mark.parametrize(("name", "code"), CATALOGUES)
def test_patterns_have_words_of_their_own_and_translations_no_other_holes(name, code):
    source = load(name).texts(code)
    found = {text: said[0] for text, said in read_catalogue(source).items() if text}
    twice = Counter(re.findall(r"^msgid (.+)$", source, re.M)) - Counter(map(repr_of, ["", *found]))
    assert not twice, "the same text twice"
    for text, said in found.items():
        assert said, f"{text!r} has no translation"
        if any(not hole.startswith("n") for hole in HOLE.findall(text)):
            own = HOLE.sub(" ", text)
            # An arrow between two holes is a mark that nothing else has.
            assert re.search(r"[^\W\d_]|→", own), f"{text!r} fits everything"
        assert set(HOLE.findall(said)) <= set(HOLE.findall(text)), text


def test_a_catalogue_that_is_not_there_is_refused():
    with pytest.raises(ServingError, match="no texts in 'xx': it speaks en, de"):
        catalogue_of(load("chicago"), "xx")
