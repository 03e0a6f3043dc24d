"""The generated parts of the games' pages are those of today's games."""

from __future__ import annotations

import importlib
import re
from itertools import pairwise

import pytest

pages = importlib.import_module("docs.make_games")
parts = importlib.import_module("docs.parts")


@pytest.mark.parametrize("name", pages.NAMES)
def test_a_games_page_is_up_to_date(name):
    text = (pages.PAGES / f"{name}.md").read_text(encoding="utf-8")
    assert pages.page(name) == text, f"run: python -m docs.make_games {name}"


@pytest.mark.parametrize("name", pages.NAMES)
def test_blocks_of_actions_cover_the_action_space(name):
    game = pages.load(name)
    blocks = list(pages.action_blocks(game))
    assert blocks[0][1] == 0
    assert blocks[-1][2] == game.num_actions - 1
    for (_, _, last), (_, first, _) in pairwise(blocks):
        assert first == last + 1
    assert all(first <= last for _, first, last in blocks)


@pytest.mark.parametrize("name", pages.NAMES)
def test_every_page_has_a_picture_and_its_own_words(name):
    text = (pages.PAGES / f"{name}.md").read_text(encoding="utf-8")
    by_hand = parts.fill(text, "make_games", dict.fromkeys(pages.PARTS, str))
    assert re.search(rf"!\[.+\]\(\.\./images/{name}\.png\)", text)
    assert len(by_hand.split()) > 250
