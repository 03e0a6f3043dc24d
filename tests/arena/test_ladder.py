"""The ladder: what it plays, what it says, and that it says the same again."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from gangland.agents.registry import make, shipped, strongest
from gangland.arena import play_table
from gangland.arena.ladder import (
    SEARCH,
    Cell,
    as_json,
    as_page,
    as_tables,
    play_ladder,
    pool_of,
    read,
    save_plot,
    small_pool,
)
from gangland.arena.play import play_schedules
from gangland.arena.tournament import ArenaError
from gangland.envs import load
from gangland.envs.core.rng import stream
from tests.agents.checkpoints import write_checkpoint
from tests.cli.runner import assert_refused, run
from tests.games import TOY
from tests.training.toy import two_roles  # noqa: F401

POOL = ["random", "heuristic", "ismcts:20"]


@pytest.fixture(scope="module")
def ladder():
    return play_ladder(TOY, POOL, games=60, search_games=12, mixed_games=90, seed=3)


@pytest.fixture
def played(monkeypatch):
    """The schedules that ladders have played."""
    found = []

    def count(players, schedules, **settings):
        found.extend(schedules)
        return play_schedules(players, schedules, **settings)

    monkeypatch.setattr("gangland.arena.ladder.play.play_schedules", count)
    return found


def test_every_pair_meets_both_ways(ladder):
    met = {(cell.one, cell.table): cell for cell in ladder.cells}
    assert set(met) == {(one, table) for one in POOL for table in POOL if one != table}
    assert met["random", "heuristic"].games == 60
    assert met["random", "ismcts:20"].games == met["ismcts:20", "random"].games == 12
    assert {cell.role for cell in ladder.cells} == {""}
    assert met["heuristic", "random"].share > ladder.par > met["random", "heuristic"].share
    assert all(cell.low <= cell.share <= cell.high for cell in ladder.cells)


def test_a_cell_is_what_the_arena_says(ladder):
    seed = int(stream(np.uint64(3), np.uint64(1)))
    wanted = play_table(TOY, ["heuristic", "random", "random"], 60, seed=seed).of("heuristic").win
    (cell,) = [c for c in ladder.row("heuristic") if c.table == "random"]
    assert (cell.share, cell.low, cell.high) == (wanted.share, wanted.low, wanted.high)


def test_headlines_are_the_worst_row_and_the_worst_invader(ladder):
    for spec in POOL:
        row = {cell.table: cell.share for cell in ladder.row(spec)}
        assert len(row) == 2
        assert [cell.share for cell in ladder.worst(spec)] == [min(row.values())]
        invaders = {cell.one: cell.share for cell in ladder.invaders(spec)}
        assert [cell.share for cell in ladder.worst_invaders(spec)] == [max(invaders.values())]


def test_standings_are_in_order_of_the_ratings(ladder):
    ratings = [standing.rating for standing in ladder.standings]
    assert ratings == sorted(ratings, reverse=True)
    assert sum(ratings) == pytest.approx(0, abs=1e-6)
    assert ladder.mixed_games >= 100
    for k, (low, high) in enumerate(ladder.differences):
        assert low < ratings[k] - ratings[k + 1] < high


def test_the_best_one_and_the_best_table_have_a_deviation_of_0(ladder):
    found = {rating.spec: rating for rating in ladder.matrix_ratings}
    assert list(found) == POOL
    assert max(each.deviation_one.value for each in found.values()) == pytest.approx(0, abs=1e-9)
    assert max(each.deviation_table.value for each in found.values()) == pytest.approx(0, abs=1e-9)
    assert sum(each.rank_one.value for each in found.values()) == pytest.approx(1)
    assert sum(each.rank_table.value for each in found.values()) == pytest.approx(1)
    assert found["random"].deviation_one.high < 0
    for each in found.values():
        for number in each.estimates:
            assert number.low <= number.high
    page = as_page(ladder, "gangland ladder highcard")
    (row,) = [line for line in page.splitlines() if line.startswith("| `random` | -")]
    random = found["random"].deviation_one
    assert f"{random.value:.1%} ({random.low:.1%} to {random.high:.1%})" in row
    assert "There are no intervals" not in page


def test_it_is_the_same_again_with_any_number_of_workers(ladder):
    again = play_ladder(TOY, POOL, games=60, search_games=12, mixed_games=90, seed=3, workers=3)
    assert again == ladder
    other = play_ladder(TOY, POOL, games=60, search_games=12, mixed_games=90, seed=4)
    assert other.cells != ladder.cells


def test_what_is_kept_is_not_played_again(ladder, tmp_path, played):
    numbers = {"games": 60, "search_games": 12, "mixed_games": 90}

    def again(pool=POOL, **settings):
        played.clear()
        return play_ladder(TOY, pool, **{**numbers, "seed": 3, **settings}, kept=tmp_path)

    assert again() == ladder
    assert len(played) == 8  # six cells, two groups of mixed line-ups
    assert again() == ladder
    assert played == []
    # A damaged file is played again, and nothing else is.
    file = sorted(tmp_path.iterdir())[0]
    file.write_bytes(file.read_bytes()[:50])
    assert again() == ladder
    assert len(played) == 1
    # In a pool in another order, cells of the same agents are the same.
    swapped = again(pool=POOL[::-1])
    assert len(played) <= 2
    assert {(c.one, c.table): c for c in swapped.cells} == {
        (c.one, c.table): c for c in ladder.cells
    }
    assert again(seed=4) != ladder
    assert len(played) == 8
    assert not list(tmp_path.glob(".draft-*"))


def test_what_is_kept_of_a_bot_depends_on_its_weights_and_not_on_its_card(tmp_path):
    bot, kept = tmp_path / "bot", tmp_path / "kept"

    def parts():
        play_ladder(TOY, ["random", f"ppo:{bot}"], games=6, mixed_games=30, kept=kept)
        return len(list(kept.iterdir()))

    write_checkpoint(bot, load(TOY))
    assert parts() == 3
    (bot / "README.md").write_text("A bot.")
    assert parts() == 3
    write_checkpoint(bot, load(TOY), seed=1)
    assert parts() == 6


def test_what_is_kept_of_a_search_depends_on_its_network(tmp_path):
    bot, kept = tmp_path / "bot", tmp_path / "kept"

    def parts():
        numbers = {"games": 6, "search_games": 6, "mixed_games": 30}
        play_ladder(TOY, ["random", f"search:{bot}?5"], **numbers, kept=kept)
        return len(list(kept.iterdir()))

    write_checkpoint(bot, load(TOY), chances=4)
    assert parts() == parts() == 3
    write_checkpoint(bot, load(TOY), seed=1, chances=4)
    assert parts() == 6


def test_known_cells_are_not_played_again(ladder, played):
    numbers = {"games": 60, "search_games": 12, "mixed_games": 90, "seed": 3}
    smaller = play_ladder(TOY, ["random", "heuristic"], **numbers)
    played.clear()
    marked = [replace(cell, low=-cell.share) for cell in smaller.cells]
    grown = play_ladder(TOY, POOL, **numbers, known=replace(smaller, cells=tuple(marked)))
    assert len(played) == 4 + 2  # the search's cells, and all mixed line-ups
    assert set(marked) <= set(grown.cells)
    assert set(grown.cells) - set(marked) == set(ladder.cells) - set(smaller.cells)
    assert (grown.standings, grown.differences) == (ladder.standings, ladder.differences)
    # A file has no deals to draw from.
    for rating, whole in zip(grown.matrix_ratings, ladder.matrix_ratings, strict=True):
        assert [(n.value, n.low, n.high) for n in rating.estimates] == [
            (n.value, None, None) for n in whole.estimates
        ]
    assert "There are no intervals" in as_page(grown, "gangland ladder highcard")
    for changes, message in (
        ({"seed": 4}, r"known ladder's seed=3: must be 4"),
        ({"games": 6}, r"random and heuristic is of 60 games: must be 6"),
        ({"players": 2}, r"known ladder's options="),
    ):
        with pytest.raises(ArenaError, match=message):
            play_ladder(TOY, POOL, **{**numbers, **changes}, known=smaller)


def test_cells_of_an_agent_that_has_changed_are_played_again(tmp_path, played):
    bot, numbers = tmp_path / "bot", {"games": 6, "search_games": 6, "mixed_games": 30}
    pool = ["random", "heuristic", f"ppo:{bot}"]
    write_checkpoint(bot, load(TOY))
    first = read(json.loads(as_json(play_ladder(TOY, pool, **numbers))))
    assert list(first.pool[f"ppo:{bot}"]) == ["policy.safetensors", "model.json"]
    assert first.pool["random"] == {}

    def parts(known):
        played.clear()
        ladder = play_ladder(TOY, pool, **numbers, known=known)
        assert (ladder.pool_version == first.pool_version) == (ladder.pool == first.pool)
        return len(played)

    assert parts(first) == 1  # the mixed line-ups
    assert parts(replace(first, pool={})) == 4 + 1  # of old files nothing is known
    write_checkpoint(bot, load(TOY), seed=1)
    assert parts(first) == 4 + 1


def test_an_interrupted_ladder_keeps_what_it_has(ladder, tmp_path, monkeypatch):
    done = []

    def stop(ended, total):
        done.append(ended)
        if len(list(tmp_path.glob("*.npz"))) == 3:
            raise KeyboardInterrupt

    numbers = {"games": 60, "search_games": 12, "mixed_games": 90, "seed": 3}
    with pytest.raises(KeyboardInterrupt):
        play_ladder(TOY, POOL, **numbers, kept=tmp_path, progress=stop)
    assert len(list(tmp_path.glob("*.npz"))) == 3
    assert play_ladder(TOY, POOL, **numbers, kept=tmp_path) == ladder


def test_agents_of_observation_and_mask_have_a_track_of_their_own(tmp_path):
    alone = f"ppo:{write_checkpoint(tmp_path / 'alone', load(TOY))}"
    found = play_ladder(TOY, [*POOL, alone], games=6, search_games=6, mixed_games=60)
    tracks = {standing.spec: standing.track for standing in found.standings}
    assert {spec for spec, track in tracks.items() if track == "observation"} == {"random", alone}
    assert {spec for spec, track in tracks.items() if track == "open"} == set(POOL[1:])
    page = as_page(found, "gangland ladder highcard")
    assert f"| `{alone}` | observation | " in page
    # Files of before there were tracks can still be read.
    data = json.loads(as_json(found))
    for standing in data["standings"]:
        del standing["track"]
    assert {standing.track for standing in read(data).standings} == {""}
    # So can files of before there were ratings from the matrix.
    assert "## Ratings from the matrix" in page
    del data["matrix_ratings"]
    assert read(data).matrix_ratings == ()
    assert "## Ratings from the matrix" not in as_page(read(data), "gangland ladder highcard")
    assert len(as_tables(read(data))) == 2


def test_it_can_be_written_and_read(ladder):
    data = json.loads(as_json(ladder))
    again = read(data)
    assert json.loads(as_json(again)) == data
    assert as_page(again, "gangland ladder") == as_page(ladder, "gangland ladder")
    assert again.cells[0].one == ladder.cells[0].one
    with pytest.raises(ArenaError, match="gangland-ladder"):
        read({**data, "format": "gangland-ladder/9"})
    with pytest.raises(ArenaError, match="a ladder without 'cells'"):
        read({key: value for key, value in data.items() if key != "cells"})
    with pytest.raises(ArenaError, match=r"a damaged ladder: .*'of'"):
        read({**data, "cells": [{"of": 1}]})
    with pytest.raises(ArenaError, match=r"a damaged ladder: .*'value'"):
        read({**data, "matrix_ratings": [{"spec": "random", "of": {}}]})
    with pytest.raises(ArenaError, match="a damaged ladder"):
        read({**data, "matrix_ratings": [1]})
    with pytest.raises(ArenaError, match="format=None"):
        read([])


def test_the_pool_holds_all_that_ships():
    pool = pool_of(load("chicago"))
    assert pool[:2] == ["random", "heuristic"]
    assert pool == [*small_pool(load("chicago")), SEARCH]
    assert SEARCH in pool
    assert "ppo:chicago/bot" in pool
    assert len(pool) == len(set(pool))
    assert not any("gangsters" in spec for spec in pool)
    assert pool_of(load("kuhn")) == ["random", SEARCH]


def test_the_bot_of_a_game_is_what_its_name_means_and_comes_after_its_milestones():
    assert shipped("gangsters") == ["gangsters/builder", "gangsters/bot"]
    game = load("gangsters")
    assert strongest(game) == "ppo:gangsters/bot"
    bot, short = make("ppo:gangsters/bot", game), make("ppo:gangsters", game)
    assert short.folder == bot.folder


def test_each_role_has_rows_of_its_own(two_roles):  # noqa: F811
    found = play_ladder(two_roles, ["random", "ismcts:5"], search_games=8)
    assert [cell.role for cell in found.cells] == ["dealer", "guest"] * 2
    assert found.worst("random") == found.row("random")
    assert found.worst_invaders("random") == found.row("ismcts:5")
    game = load(two_roles)
    assert make("random", game).deliberate is False
    page = as_page(found, "gangland ladder highcard_roles")
    assert "## One guest against a table of others" in page
    assert "The one takes every seat equally often" in page
    assert len(as_tables(found)) == 4


def test_a_search_meets_only_whom_it_is_to_meet(ladder):
    numbers = {"games": 60, "search_games": 12, "mixed_games": 90, "seed": 3}
    found = play_ladder(TOY, POOL, search_meets=["heuristic"], **numbers)
    pairs = {(cell.one, cell.table) for cell in found.cells}
    assert pairs == {(one, table) for one in POOL for table in POOL if one != table} - {
        ("random", "ismcts:20"),
        ("ismcts:20", "random"),
    }
    # What is played is what is played in the whole ladder.
    assert set(found.cells) < set(ladder.cells)
    assert found.standings == ladder.standings
    assert len(as_tables(found)) == 3
    assert {rating.spec for rating in ladder.matrix_ratings} == set(POOL)
    assert {rating.spec for rating in found.matrix_ratings} == {"random", "heuristic"}
    page = as_page(found, "gangland ladder highcard")
    assert "Without `ismcts:20`: not all cells of it were played." in page
    assert "Without" not in as_page(ladder, "gangland ladder highcard")
    with pytest.raises(ArenaError, match=r"search meets typo: must be of random, .*"):
        play_ladder(TOY, POOL, search_meets=["typo"], **numbers)
    with pytest.raises(ArenaError, match="nobody: random, ismcts:20 would have no cell"):
        play_ladder(TOY, ["random", "ismcts:20"], search_meets=[], **numbers)


def test_the_page_shows_every_cell_and_the_command(ladder, tmp_path):
    page = as_page(ladder, "gangland ladder highcard", "ladder.svg")
    for cell in ladder.cells:
        assert f"{cell.share:.1%} ({cell.low:.1%}-{cell.high:.1%})" in page
    assert "    gangland ladder highcard\n" in page
    assert "](ladder.svg)" in page
    for name in ("one.svg", "two.svg"):
        save_plot(ladder, tmp_path / name)
    picture = (tmp_path / "one.svg").read_bytes()
    assert picture == (tmp_path / "two.svg").read_bytes()
    assert b"<svg" in picture


def test_the_command(capsys, monkeypatch, tmp_path):
    words = ["ladder", TOY, "--pool", "random,heuristic", "--games", 12, "--mixed-games", 12]
    page, file = tmp_path / "page.md", tmp_path / "ladder.json"
    done = run(capsys, monkeypatch, *words, "--json", file, "--page", page)
    assert done.code == 0
    assert "worst row" in done.out
    assert "--pool random,heuristic --games 12 --search-games 100 --mixed-games 12 --seed 0" in (
        page.read_text()
    )
    cells = [Cell(**cell) for cell in json.loads(file.read_text())["cells"]]
    assert {(cell.one, cell.table) for cell in cells} == {
        ("random", "heuristic"),
        ("heuristic", "random"),
    }
    words += ["--known", file]
    words += ["--add", "ismcts:5", "--search-games", 3, "--search-meets", "random", "--page", page]
    more = run(capsys, monkeypatch, *words, "--quiet")
    assert (more.code, more.out) == (0, "")
    assert "--search-meets random --games 12 --search-games 3" in page.read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--pool", "random"], "two different agents"),
        (["--add", "typo"], "no agent 'typo'"),
        (["--games", "0"], "games=0"),
        (["--option", "players=9"], "players=9"),
    ],
)
def test_bad_input_is_named(capsys, monkeypatch, words, message):
    assert_refused(run(capsys, monkeypatch, "ladder", TOY, *words), message)


@pytest.mark.parametrize("text", ["{", "{}", "[1]"])
def test_a_file_that_is_no_ladder_is_named(capsys, monkeypatch, tmp_path, text):
    file = tmp_path / "known.json"
    file.write_text(text)
    refused = run(capsys, monkeypatch, "ladder", TOY, "--known", file)
    assert_refused(refused, f"--known {file}: not the JSON of a ladder")
