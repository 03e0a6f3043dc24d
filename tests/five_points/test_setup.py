"""Setup and chance (sections 3 and 12)."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.core.rng import randint
from gangland.envs.five_points.data import LAYOUTS, SETS, TILES

from .scenes import GAME, legal, phase, play, random_game, seats

SHAPES = {
    3: ["2345", "2345", "234"],
    4: ["234", "2345", "2345", "345"],
    5: ["345", "23456", "23456", "2345"],
}


def opened(seed, **options):
    """A game after the setup, buildings on the lowest legal tiles."""
    state = GAME.new_state(seed, **options)
    play(state, legal(state)[0])
    return play(state, legal(state)[0])


@pytest.mark.rule("FP-3.1")
def test_nine_rabble_in_the_hq_first():
    state = GAME.new_state(1)
    assert seats(state, "hq") == [9] * 5
    assert seats(state, "boroughs") == [11] * 5
    assert state.boss_count.sum() == 0


@pytest.mark.rule("FP-3.2")
@pytest.mark.parametrize(("players", "tiles"), [(3, 11), (4, 14), (5, 17)])
def test_number_of_tiles_and_one_of_each_colour(players, tiles):
    for seed in range(200):
        state = GAME.new_state(seed, players=players)
        assert state.num_tiles == tiles
        counts = np.bincount(state.colour[:tiles], minlength=4)
        assert counts.sum() == tiles
        assert counts.min() >= 1
        assert counts.max() <= 5


@pytest.mark.rule("FP-3.3")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_layouts_are_the_compact_shapes(players):
    rows = SHAPES[players]
    top = (9 - len(rows)) // 2
    cells = [9 * (top + r) + int(c) for r, row in enumerate(rows) for c in row]
    assert LAYOUTS[players, : TILES[players]].tolist() == cells
    state = GAME.new_state(0, players=players)
    assert state.cell[: len(cells)].tolist() == cells


@pytest.mark.rule("FP-3.2", "FP-3.3", "FP-12.1")
def test_tiles_are_shuffled_over_the_cells():
    """Every cell has each colour one time in four, and more than five of a colour never come.

    Of the 17 tiles four are given; binomial, 4.2 standard errors for 68 comparisons.
    """
    games = 1200
    colours = np.array([GAME.new_state(seed).colour[:17] for seed in range(games)])
    error = np.sqrt(games * 0.25 * 0.75)
    for colour in range(4):
        assert (abs((colours == colour).sum(axis=0) - games / 4) < 4.2 * error).all()


@pytest.mark.rule("FP-3.4", "FP-15.7")
def test_start_seat():
    starts = [int(GAME.new_state(seed).start) for seed in range(500)]
    assert np.bincount(starts).min() > 60
    assert all(GAME.new_state(seed, start_seat=2).seat == 2 for seed in range(20))


@pytest.mark.rule("FP-3.5", "FP-16.5")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_second_building_avoids_the_first_and_its_neighbours(players):
    for first in range(TILES[players]):
        state = GAME.new_state(4, players=players)
        play(state, f"tile {first}")
        assert phase(state) == "SETUP"
        near = [t for t in range(state.num_tiles) if state.adjacent[first] >> t & 1]
        allowed = [t for t in range(state.num_tiles) if t != first and t not in near]
        assert legal(state) == [f"tile {t}" for t in allowed]
        assert len(allowed) >= 6
        assert state.building_tile.tolist() == [first, -1]


@pytest.mark.rule("FP-3.6")
def test_every_tile_holds_one_rabble_or_one_building():
    for players in (3, 4, 5):
        state = opened(5, players=players)
        free = [t for t in range(state.num_tiles) if t not in state.building_tile]
        assert state.total[free].tolist() == [1] * (3 * players)
        assert state.total.sum() == 3 * players
        assert state.rabble.sum(axis=0)[:players].tolist() == [3] * players
        assert seats(state, "hq") == [6] * players


@pytest.mark.rule("FP-3.6", "FP-12.1")
def test_rabble_is_dealt_uniformly():
    """Each tile gets each seat's rabble about one time in five (binomial, 4 standard errors)."""
    games = 1500
    owners = np.zeros((17, 5))
    for seed in range(games):
        owners += opened(seed).rabble
    free = [t for t in range(17) if owners[t].sum() > 0]
    assert len(free) == 15
    error = np.sqrt(games * 0.2 * 0.8)
    assert (abs(owners[free] - games / 5) < 4.2 * error).all()


@pytest.mark.rule("FP-3.7", "FP-11.3", "FP-12.1")
@pytest.mark.parametrize("marker_set", ["full24", "demo18"])
def test_rows_are_drawn_without_replacement(marker_set):
    wanted = SETS[["full24", "demo18"].index(marker_set)]
    wanted = np.bincount(wanted[wanted >= 0], minlength=16)
    seen = np.zeros(16)
    rows = 0
    for seed in range(40):
        before = 0
        for state in random_game(seed, marker_set=marker_set):
            if state.round_number != before and phase(state) != "SETUP":
                before = state.round_number
                row = np.bincount(state.row, minlength=16)
                assert (row <= wanted).all()
                seen += row
                rows += 1
    share = wanted / wanted.sum()
    error = np.sqrt(4 * rows * share * (1 - share))
    assert rows > 150
    assert (abs(seen - 4 * rows * share) <= 4 * error).all()


@pytest.mark.rule("FP-3.8", "FP-15.2")
def test_control_markers_lie_open_by_colour():
    assert GAME.new_state(0).supply.tolist() == [12] * 4
    assert GAME.new_state(0, control_markers=4).supply.tolist() == [4] * 4


@pytest.mark.rule("FP-3.9")
def test_the_row_is_open_before_the_first_bid():
    state = opened(9)
    assert (state.row >= 0).all()
    other = GAME.redact(state, 3)
    assert (other.row == state.row).all()


@pytest.mark.rule("FP-3.10", "FP-13.1")
def test_buildings_are_revealed_before_the_first_placement():
    state = GAME.new_state(2)
    assert "bld=??@-,??@-" in GAME.position_text(state)
    play(state, legal(state)[3])
    tile = state.building_tile[0]
    assert f"bld=??@{tile},??@-" in GAME.position_text(state)
    play(state, legal(state)[0])
    assert phase(state) == "PLACE"
    assert "??" not in GAME.position_text(state)


@pytest.mark.rule("FP-12.1")
def test_chance_is_in_the_record_alone():
    a, b = GAME.new_state(77), GAME.new_state(77)
    assert a.tobytes() == b.tobytes()
    assert GAME.new_state(78).tobytes() != a.tobytes()
    # Nothing is drawn during a round: the stream moves at the setup and at a round's end alone.
    before, number = None, None
    for state in random_game(3):
        if number == state.round_number and phase(state) not in ("SETUP", "OVER"):
            assert state.rng == before
        before, number = int(state.rng), int(state.round_number)
        if phase(state) == "SETUP":
            number = None
    assert randint(GAME.new_state(1), 1) == 0
