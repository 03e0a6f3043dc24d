"""Observation and hidden information (sections 13 and 19)."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.five_points import observation as ob
from gangland.envs.five_points.city import can_move_to, move_tile
from gangland.envs.five_points.conformance import violations

from .scenes import (
    GAME,
    at_buildings,
    at_elections,
    at_markers,
    at_turn,
    legal,
    phase,
    play,
)
from .walks import random_game


def seat_block(out, k):
    return out[ob.SEATS_AT + ob.SEAT_SIZE * k :][: ob.SEAT_SIZE]


def tile_block(out, tile):
    return out[ob.TILES_AT + tile : ob.OWNER_AT : 17]


def marker_block(out, marker):
    return out[ob.ROW_AT + ob.MARKER_SIZE * marker :][: ob.MARKER_SIZE]


def building_block(out, building):
    return out[ob.BUILDINGS_AT + ob.BUILDING_SIZE * building :][: ob.BUILDING_SIZE]


@pytest.mark.rule("FP-19.1")
def test_blocks_have_the_sketched_sizes():
    assert (ob.SEAT_SIZE, ob.MARKER_SIZE, ob.BUILDING_SIZE, ob.TILE_SIZE) == (22, 21, 16, 29)
    assert ob.OBSERVATION_SIZE == GAME.observation_size == 762
    for seed in range(6):
        for state in random_game(seed, players=3 + seed % 3):
            for seat in range(state.num_seats):
                out = GAME.observe(state, seat)
                assert np.isfinite(out).all()
                assert out.min() >= 0
                assert out.max() <= 2.5


@pytest.mark.rule("FP-19.1")
def test_seats_tiles_and_row_from_the_deciding_seat():
    state = at_turn(
        actor=3, rabble="5 0x2 3x4; 6 4x1", bosses="5 4x1; 7 3x1", hq={3: 4, 0: 5},
        vp={3: 6}, control={4: "0120"}, bids="1 3x2 0x1", row="V1 V3r CM MJb", passed="2",
    )  # fmt: skip
    out = GAME.observe(state, 3)
    mine, next_one = seat_block(out, 0), seat_block(out, 1)
    assert mine[:6] == pytest.approx([1, 4 / 20, 10 / 20, 4 / 20, 1 / 5, 6 / 20])
    assert mine[21] == pytest.approx(11 / 50)
    assert next_one[6:10] == pytest.approx([0, 1 / 12, 2 / 12, 0])
    assert seat_block(out, 4)[16] == 1  # seat 2 passed first
    tile = tile_block(out, 5)
    assert tile[:7] == pytest.approx([1, 0, 1, 0, 0, 3 / 8, 4 / 8])
    assert tile[7:12] == pytest.approx([4 / 8, 0, 2 / 8, 0, 0])
    assert tile[12:17].tolist() == [0, 1, 0, 0, 0]
    assert tile[23] == pytest.approx(6 / 8)
    marker = marker_block(out, 1)
    assert np.flatnonzero(marker[:14]).tolist() == [2, 10 + 2]
    assert marker[16:21] == pytest.approx([2 / 8, 0, 1 / 8, 0, 0])
    assert out[ob.SUPPLY_AT : ob.SUPPLY_AT + 4] == pytest.approx(np.array([12, 11, 10, 12]) / 12)
    assert np.flatnonzero(out[ob.PHASE_AT :][:13]).tolist() == [1]
    assert np.flatnonzero(out[ob.DECIDER_AT :][:5]).tolist() == [0]
    assert np.flatnonzero(out[ob.START_AT :][:5]).tolist() == [2]
    assert building_block(out, 0)[0] == 1


@pytest.mark.rule("FP-19.1", "FP-9.2", "FP-9.6")
def test_what_decides_elections():
    state = at_turn(rabble="5 0x2 3x4; 6 4x1; 7 0x3", bosses="5 4x1")
    mine, rival = GAME.observe(state, 3), GAME.observe(state, 0)
    assert [tile_block(mine, t)[24] for t in (5, 6, 7, 8)] == [1, 0, 0.25, 0]
    assert [tile_block(mine, t)[25] for t in (5, 6, 7, 8)] == [0.75, 0.375, 0.125, 0.5]
    assert [tile_block(rival, t)[25] for t in (5, 6, 7, 8)] == [0.25, 0.375, 0.875, 0.5]
    assert (tile_block(mine, 5)[26], tile_block(rival, 5)[26]) == (0.75, 0.25)
    near = [t for t in range(17) if state.adjacent[5] >> t & 1]
    assert near
    for tile in near:
        assert tile_block(mine, tile)[27] == 0.25
        assert tile_block(rival, tile)[28] >= 0.25
    state = at_turn(rabble="5 0x2 3x2")
    state.flat_votes[3] = 1
    assert tile_block(GAME.observe(state, 3), 5)[[25, 26]].tolist() == [0.5, 0.625]


@pytest.mark.rule("FP-19.1")
def test_effects_choices_and_marks():
    state = at_markers("tile 9", row="SE SE MB V1", bids="0 0x1; 1 2x1; 2 2x1", hq={0: 5, 2: 4})
    play(state, "tile 4")
    assert phase(state) == "MB_PICK"
    out = GAME.observe(state, 2)
    assert out[ob.SOURCE_AT : ob.SOURCE_AT + 2].tolist() == [1, 0]
    assert [marker_block(out, m)[14:16].tolist() for m in range(4)] == [
        [1, 0],
        [1, 0],
        [0, 1],
        [0, 0],
    ]
    assert tile_block(out, 9)[19] == pytest.approx(2 / 3)
    assert tile_block(out, 4)[19] == pytest.approx(1 / 3)
    play(state, "building 1")
    assert tile_block(GAME.observe(state, 2), 16)[[18, 22]].tolist() == [1, 1]
    state = at_buildings("rabble 6/0", buildings="NP@0,ST@12", rabble="6 0x1; 12 3x1")
    out = GAME.observe(state, 3)
    assert tile_block(out, 6)[22] == 1
    assert np.flatnonzero(out[ob.OWNER_AT :]).tolist() == [2]
    assert out[ob.SOURCE_AT : ob.SOURCE_AT + 2].tolist() == [0, 1]
    assert building_block(out, 0)[15] == 1
    assert building_block(out, 1)[10:16].tolist() == [1, 0, 0, 0, 0, 0]
    state = at_elections("tile 14", rabble="3 0x2; 10 1x2; 14 2x2")
    out = GAME.observe(state, 4)
    assert [tile_block(out, t)[[20, 21]].tolist() for t in (3, 10, 14, 5)] == [
        [1, 0],
        [1, 0],
        [1, 1],
        [0, 0],
    ]


@pytest.mark.rule("FP-19.1", "FP-15.1")
def test_absent_seats_and_tiles_are_zero():
    for state in random_game(3, players=3):
        out = GAME.observe(state, 1)
        assert not seat_block(out, 3).any()
        assert not seat_block(out, 4).any()
        assert not any(tile_block(out, tile).any() for tile in range(11, 17))


@pytest.mark.rule("FP-19.1")
def test_options_are_observed():
    plain = GAME.observe(GAME.new_state(1), 0)
    changed = {
        "control_markers": 8, "marker_set": "demo18", "election_limit": "first_round_only",
        "move_rule": "adjacent_only", "adjacent_buildings": "allow", "max_rounds": 60,
    }  # fmt: skip
    for name, value in changed.items():
        other = GAME.observe(GAME.new_state(1, **{name: value}), 0)
        assert (plain != other).any(), name


@pytest.mark.rule("FP-19.1", "FP-8.6")
def test_a_move_changes_places_only():
    """The observation is indexed by tile, so a moved tile keeps all its other numbers."""
    state = at_turn(rabble="5 0x2 3x4; 6 4x1", bosses="5 4x1")
    before = GAME.observe(state, 0)
    cell = next(c for c in range(81) if can_move_to(state, 0, c))
    move_tile(state, 0, cell)
    changed = np.flatnonzero(GAME.observe(state, 0) != before)
    assert len(changed) > 0
    assert set((changed - ob.TILES_AT) // 17) <= {5, 6, 27, 28}
    assert changed.min() >= ob.TILES_AT


@pytest.mark.rule("FP-13.1", "FP-13.2", "FP-13.3")
@pytest.mark.parametrize("players", [3, 5])
def test_nothing_hidden_shows(players):
    for seed in range(5):
        for state in random_game(seed, players=players):
            for seat in range(players):
                known = GAME.redact(state, seat)
                assert known.rng == 0
                sample = GAME.resample_hidden(state, seat, seed + 100)
                assert sample.tobytes() == GAME.resample_hidden(known, seat, seed + 100).tobytes()
                out = GAME.observe(state, seat)
                for other in (known, sample):
                    assert (GAME.observe(other, seat) == out).all()
                    assert (GAME.action_mask(other) == GAME.action_mask(state)).all()
                    assert GAME.position_text(other) == GAME.position_text(state)
            if phase(state) != "SETUP":
                # All but the chance to come is public (FP-13.2).
                assert [n for n in GAME.dtype.names if not np.array_equal(known[n], state[n])] in (
                    ["rng"],
                    [],
                )


@pytest.mark.rule("FP-13.1")
def test_unseen_buildings_are_drawn_anew_without_bias():
    state = GAME.new_state(5)
    drawn = np.array([GAME.resample_hidden(state, 0, seed).building for seed in range(900)])
    assert (drawn[:, 0] != drawn[:, 1]).all()
    for b in range(2):
        assert (abs(np.bincount(drawn[:, b], minlength=9) - 100) < 4 * np.sqrt(900 * 8 / 81)).all()
    assert GAME.redact(state, 0).building.tolist() == [-1, -1]


@pytest.mark.rule("FP-13.3")
def test_future_rows_are_not_in_a_view():
    state = at_turn("pass", "pass", "pass", "pass")
    rows = set()
    for seed in range(50):
        sample = GAME.resample_hidden(state, 0, seed)
        play(sample, "pass")
        rows.add(tuple(sample.row.tolist()))
    assert len(rows) > 40


@pytest.mark.rule("FP-19.1", "FP-17.1")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_rotated_seats_see_the_same(players):
    """A table with all seats moved on by one gives the same observations and masks."""
    for seed in range(3):
        for state in random_game(seed, players=players, prefer=("ST_PICK",)):
            if state.over:
                break
            turned = GAME.rotate(state, 1)
            assert violations(GAME, turned) == []
            assert GAME.rotate(turned, players - 1).tobytes() == state.tobytes()
            for seat in range(players):
                out = GAME.observe(state, seat)
                assert (GAME.observe(turned, (seat + 1) % players) == out).all()
            assert (GAME.action_mask(turned) == GAME.action_mask(state)).all()
            assert len(legal(turned)) == len(legal(state))
