"""The tables of the ladder's page are made of the committed files."""

from __future__ import annotations

import importlib

import pytest

from gangland.agents.trained.policy import load_checkpoint
from gangland.arena.ladder import rate_matrix, read, role_seats
from gangland.envs import load

made = importlib.import_module("docs.make_ladder")


def test_the_page_is_up_to_date():
    assert made.page() == made.PAGE.read_text(encoding="utf-8"), "run: python -m docs.make_ladder"


def test_every_exploiter_that_was_kept_has_a_row_for_each_role():
    rows = made.exploits().splitlines()[2:]
    kept = [one for file in made.LADDER.glob("exploit/*.json") for one in made.read(file)]
    # Of each game's bot, in each of its roles.
    assert len(rows) == len(kept) == 5
    for one in kept:
        found = [row for row in rows if f"`{one['bot']}`" in row and made.GAMES[one["game"]] in row]
        assert sum(f"| {one['role']} |" in row for row in found) == 1
        for curve in one["curves"]:
            named = "" if curve["start"] in made.STARTS else f" (`{curve['start']}`)"
            assert any(f"| {made.interval(curve)}{named} |" in row for row in found)


@pytest.mark.parametrize("game", made.GAMES)
def test_the_page_of_each_ladder_shows_its_file(game):
    """Every standing with what limits it, and every cell; see :func:`as_page`."""
    text = (made.LADDER / f"{game}.md").read_text(encoding="utf-8")
    assert made.page_of(game) == text, "run: python -m docs.make_ladder"
    assert f"({game}.md)" in made.PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("game", made.GAMES)
def test_the_ratings_from_the_matrix_are_those_of_the_cells(game):
    """As far as shares of four digits determine them."""
    ladder = read(made.read(made.LADDER / f"{game}.json"))
    found = rate_matrix(ladder.cells, role_seats(load(game), ladder.options))
    assert [each.spec for each in found] == [each.spec for each in ladder.matrix_ratings]
    assert len(found) >= 4
    for ours, theirs in zip(found, ladder.matrix_ratings, strict=True):
        for one, other in zip(ours.estimates, theirs.estimates, strict=True):
            assert one.value == pytest.approx(other.value, abs=2e-4)


def test_every_kept_search_has_a_row_and_is_named_by_its_bot():
    rows = made.searches().splitlines()[2:]
    files = sorted(made.LADDER.glob("search/*.json"))
    assert len(rows) == len(files) > 1
    checked = 0
    for file in files:
        found = made.read(file)
        one, other = found["agents"]
        win, (_, _, bot) = one["win"], other["spec"].partition(":")
        assert any(f"| `{one['spec']}` | `{other['spec']}` |" in row for row in rows)
        path, _, budget = one["spec"].removeprefix("search:").partition("?")
        if path == bot:
            checked += 1
            assert load_checkpoint(bot).model["search"] == {
                "budget": budget,
                "win_share": round(win["share"], 4),
                "interval": [round(win["low"], 4), round(win["high"], 4)],
                "par": found["par"],
                "games": found["games"],
            }
    assert checked
