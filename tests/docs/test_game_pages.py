"""The games' pages have the tables of today's games."""

from __future__ import annotations

import importlib
import re
from itertools import pairwise

import pytest

pages = importlib.import_module("docs.make_games")
parts = importlib.import_module("docs.parts")


def test_the_table_of_the_games_is_up_to_date():
    assert pages.index() == pages.INDEX.read_text(encoding="utf-8"), (
        "run: python -m docs.make_games"
    )


@pytest.mark.parametrize("name", pages.NAMES)
def test_the_sites_page_of_a_game_has_its_options_observation_and_actions(name):
    game = pages.load(name)
    text = pages.page(name)
    assert "python -m docs.make_games" not in text
    for option in game.options:
        assert f"| `{option.name}` | " in text
    for block in game.observation_layout:
        assert f"| `{block.name}` | {block.start} | " in text
    for block, first, last in pages.action_blocks(game):
        numbers = str(first) if first == last else f"{first} to {last}"
        assert f"| {numbers} | `{block}` | " in text
    for fact in (f"Discrete({game.num_actions})", f"({game.observation_size},)"):
        assert f"`{fact}`" in text


@pytest.mark.parametrize("name", pages.NAMES)
def test_the_page_in_the_repository_says_what_prints_the_tables(name):
    text = (pages.PAGES / f"{name}.md").read_text(encoding="utf-8")
    for command in (f"gangland games {name}", f"python -m docs.make_games {name}"):
        assert f"`{command}`" in text.replace("\n", " ")


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
    by_hand = parts.fill(text, "make_games", {"reference": str})
    assert re.search(rf"!\[.+\]\(\.\./images/{name}\.png\)", text)
    assert len(by_hand.split()) > 250
