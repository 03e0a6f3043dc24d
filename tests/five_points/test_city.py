"""Moving tiles (section 8), against a flood fill written apart from the kernels."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.five_points.conformance import is_one_piece_without_holes
from gangland.envs.five_points.rules.city import can_move_to, count_moves, move_tile

from .scenes import GAME, at_buildings, legal, play, random_game, scene_text

WAYS = ((0, 1), (0, -1), (1, 0), (-1, 0))


def cells_of(state):
    return [divmod(int(cell), 9) for cell in state.cell[: state.num_tiles]]


def allowed_moves(state, tile):
    """Cells that FP-8.3 and FP-8.4 allow."""
    cells = cells_of(state)
    others = set(cells) - {cells[tile]}
    found = []
    for r in range(9):
        for c in range(9):
            touches = any((r + a, c + b) in others for a, b in WAYS)
            if (r, c) in cells or not touches:
                continue
            if state.move_rule == 1 or is_one_piece_without_holes({*others, (r, c)}):
                found.append(9 * r + c)
    return found


def walk_of_moves(seed, moves, **options):
    """A city after each of many random legal moves."""
    chance = np.random.default_rng(seed)
    state = GAME.new_state(seed, **options)
    for _ in range(moves):
        while True:
            tile = int(chance.integers(state.num_tiles))
            cells = [cell for cell in range(81) if can_move_to(state, tile, cell)]
            if cells:
                break
        move_tile(state, tile, int(chance.choice(cells)))
        yield state


@pytest.mark.rule("FP-8.3", "FP-8.4", "FP-8.7", "FP-16.4")
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("move_rule", ["no_holes", "adjacent_only"])
def test_legal_cells_equal_a_flood_fill(players, move_rule):
    for state in walk_of_moves(players, 40, players=players, move_rule=move_rule):
        for tile in range(state.num_tiles):
            wanted = allowed_moves(state, tile)
            assert [cell for cell in range(81) if can_move_to(state, tile, cell)] == wanted
            assert count_moves(state, tile, 100) == len(wanted)
            assert count_moves(state, tile, 1) == min(1, len(wanted))


@pytest.mark.rule("FP-8.1", "FP-8.4", "FP-8.5")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_any_sequence_of_moves_keeps_the_city_whole_and_centred(players):
    longest = 0
    for seed in range(4):
        for state in walk_of_moves(seed, 150, players=players):
            cells = cells_of(state)
            assert is_one_piece_without_holes(cells)
            for axis in (0, 1):
                low = min(cell[axis] for cell in cells)
                extent = max(cell[axis] for cell in cells) - low + 1
                assert low == (9 - extent) // 2
                longest = max(longest, extent)
    assert longest >= 7


@pytest.mark.rule("FP-8.1", "FP-8.5", "FP-15.5")
def test_moves_without_the_ban_on_holes_stay_in_the_grid():
    broken = 0
    for state in walk_of_moves(1, 300, move_rule="adjacent_only"):
        assert all(0 <= r <= 8 and 0 <= c <= 8 for r, c in cells_of(state))
        assert len(set(cells_of(state))) == 17
        broken += not is_one_piece_without_holes(cells_of(state))
    assert broken > 100


@pytest.mark.rule("FP-8.2")
def test_everything_moves_along():
    scene = {"buildings": "ZC@3,SW@16", "rabble": "3 0x2; 16 1x1", "bosses": "16 2x1"}
    state = at_buildings("tile 16", "cell r1c4", special=[16], **scene)
    # The special election on T16 was held in its new place, beside T1 only.
    assert state.adjacent[16] == 1 << 1
    assert state.building_tile[1] == 16
    assert state.bosses[16, 1] == 1


@pytest.mark.rule("FP-8.6")
def test_neighbours_follow_the_cells():
    for state in walk_of_moves(5, 30):
        cells = cells_of(state)
        for tile, (r, c) in enumerate(cells):
            near = sum(1 << cells.index((r + a, c + b)) for a, b in WAYS if (r + a, c + b) in cells)
            assert state.adjacent[tile] == near


@pytest.mark.rule("FP-8.7", "FP-4.3", "FP-4.4")
def test_tile_first_then_cell():
    state = at_buildings(buildings="ZC@3,SW@16", rabble="3 0x2")
    tiles = [int(text.split()[1]) for text in legal(state) if text != "skip"]
    assert tiles == [t for t in range(17) if count_moves(state, t, 1)]
    play(state, f"tile {tiles[0]}")
    assert all(text.startswith("cell") for text in legal(state))


@pytest.mark.rule("FP-8.1")
def test_positions_must_be_centred():
    text = scene_text().replace("b23:", "b13:")
    with pytest.raises(Exception, match="centred"):
        GAME.parse_position(text)


@pytest.mark.rule("FP-8.4", "FP-21.1")
def test_random_games_keep_the_city_whole():
    moves = 0
    for seed in range(12):
        before = None
        for state in random_game(seed, prefer=("MT_TILE",)):
            cells = cells_of(state)
            if cells != before:
                assert is_one_piece_without_holes(cells)
                moves += before is not None
                before = cells
    assert moves > 10


def moved_alone(state, tile, cell):
    """Cells after one move, the city centred again (FP-8.5)."""
    cells = cells_of(state)
    cells[tile] = divmod(cell, 9)
    rows, columns = zip(*cells, strict=True)
    down = (9 - (max(rows) - min(rows) + 1)) // 2 - min(rows)
    across = (9 - (max(columns) - min(columns) + 1)) // 2 - min(columns)
    return [(row + down, column + across) for row, column in cells]


@pytest.mark.rule("FP-4.3", "FP-8.2", "FP-8.5")
def test_a_tile_with_one_cell_to_go_to_moves_once():
    directions = set()
    for seed in range(6):
        for state in random_game(seed, prefer=("MT_TILE",), players=5):
            if GAME.phases[state.phase] != "MT_TILE":
                continue
            for tile in range(state.num_tiles):
                cells = allowed_moves(state, tile)
                if len(cells) != 1:
                    continue
                after = play(GAME.clone(state), f"tile {tile}")
                assert cells_of(after) == moved_alone(state, tile, cells[0])
                directions.add(bool(cells[0] < state.cell[tile]))
    assert directions == {False, True}
