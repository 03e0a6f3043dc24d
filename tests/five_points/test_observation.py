"""Observation and hidden information (sections 4, 13 and 19).

What is blanked, the full mask, samples of the rest. Bids, rabble, markers in the row and votes lie
open, and no decision depends on anything hidden: that a seat was asked, or was not, reveals nothing
that the table does not show.
"""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.core.layout import offsets
from gangland.envs.five_points.conformance import violations
from gangland.envs.five_points.observation import AT, BUILDING, LAYOUT, MARKER, SEAT, Tile
from gangland.envs.five_points.rules.city import can_move_to, move_tile

from ..sampling import assert_same_distribution
from .scenes import (
    GAME,
    at_buildings,
    at_elections,
    at_markers,
    at_turn,
    legal,
    phase,
    play,
    random_game,
)

TILE = offsets(Tile)


def seat_block(out, k):
    return LAYOUT["seats"].of(out)[k]


def tile_block(out, tile):
    return LAYOUT["tiles"].of(out)[:, tile]


def marker_block(out, marker):
    return LAYOUT["row"].of(out)[marker]


def building_block(out, building):
    return LAYOUT["buildings"].of(out)[building]


def ones(out, block):
    """Where the ones of a block are."""
    return np.flatnonzero(LAYOUT[block].of(out)).tolist()


@pytest.mark.rule("FP-19.1")
def test_blocks_have_the_sketched_sizes():
    shapes = {block.name: block.shape for block in LAYOUT}
    assert shapes["seats"] == (5, 22)
    assert shapes["row"] == (4, 21)
    assert shapes["buildings"] == (2, 16)
    assert shapes["tiles"] == (29, 17)
    assert LAYOUT.size == GAME.observation_size == 762
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
    assert mine[SEAT.score] == pytest.approx(11 / 50)
    assert next_one[SEAT.control :][:4] == pytest.approx([0, 1 / 12, 2 / 12, 0])
    assert seat_block(out, 4)[SEAT.passed] == 1  # seat 2 passed first
    tile = tile_block(out, 5)
    assert tile[:7] == pytest.approx([1, 0, 1, 0, 0, 3 / 8, 4 / 8])
    assert tile[TILE.rabble :][:5] == pytest.approx([4 / 8, 0, 2 / 8, 0, 0])
    assert tile[TILE.bosses :][:5].tolist() == [0, 1, 0, 0, 0]
    assert tile[TILE.total] == pytest.approx(6 / 8)
    marker = marker_block(out, 1)
    assert np.flatnonzero(marker[:14]).tolist() == [2, 10 + 2]
    assert marker[MARKER.bids :] == pytest.approx([2 / 8, 0, 1 / 8, 0, 0])
    assert LAYOUT["supply"].of(out) == pytest.approx(np.array([12, 11, 10, 12]) / 12)
    assert (ones(out, "phase"), ones(out, "decider"), ones(out, "start")) == ([1], [0], [2])
    assert building_block(out, 0)[0] == 1


@pytest.mark.rule("FP-19.1", "FP-9.2", "FP-9.6")
def test_what_decides_elections():
    state = at_turn(rabble="5 0x2 3x4; 6 4x1; 7 0x3", bosses="5 4x1")
    mine, rival = GAME.observe(state, 3), GAME.observe(state, 0)
    assert [tile_block(mine, t)[TILE.fullest] for t in (5, 6, 7, 8)] == [1, 0, 0.25, 0]
    assert [tile_block(mine, t)[TILE.rabble_lead] for t in (5, 6, 7, 8)] == [
        0.75,
        0.375,
        0.125,
        0.5,
    ]
    assert [tile_block(rival, t)[TILE.rabble_lead] for t in (5, 6, 7, 8)] == [
        0.25,
        0.375,
        0.875,
        0.5,
    ]
    assert tile_block(mine, 5)[TILE.vote_lead] == 0.75
    assert tile_block(rival, 5)[TILE.vote_lead] == 0.25
    near = [t for t in range(17) if state.adjacent[5] >> t & 1]
    assert near
    for tile in near:
        assert tile_block(mine, tile)[TILE.near_own] == 0.25
        assert tile_block(rival, tile)[TILE.near_rival] >= 0.25
    state = at_turn(rabble="5 0x2 3x2")
    state.flat_votes[3] = 1
    assert tile_block(GAME.observe(state, 3), 5)[[TILE.rabble_lead, TILE.vote_lead]].tolist() == [
        0.5,
        0.625,
    ]


@pytest.mark.rule("FP-19.1")
def test_effects_choices_and_marks():
    state = at_markers("tile 9", row="SE SE MB V1", bids="0 0x1; 1 2x1; 2 2x1", hq={0: 5, 2: 4})
    play(state, "tile 4")
    assert phase(state) == "MB_PICK"
    out = GAME.observe(state, 2)
    assert ones(out, "source") == [0]
    order = [MARKER.resolved, MARKER.in_turn]
    assert [marker_block(out, m)[order].tolist() for m in range(4)] == [
        [1, 0],
        [1, 0],
        [0, 1],
        [0, 0],
    ]
    assert tile_block(out, 9)[TILE.special] == pytest.approx(2 / 3)
    assert tile_block(out, 4)[TILE.special] == pytest.approx(1 / 3)
    play(state, "building 1")
    assert tile_block(GAME.observe(state, 2), 16)[[TILE.buildings + 1, TILE.picked]].all()
    state = at_buildings("rabble 6/0", buildings="NP@0,ST@12", rabble="6 0x1; 12 3x1")
    out = GAME.observe(state, 3)
    assert tile_block(out, 6)[TILE.picked] == 1
    assert ones(out, "owner") == [2]
    assert ones(out, "source") == [1]
    assert building_block(out, 0)[BUILDING.resolved] == 1
    assert building_block(out, 1)[BUILDING.leader :].tolist() == [1, 0, 0, 0, 0, 0]
    state = at_elections("tile 14", rabble="3 0x2; 10 1x2; 14 2x2")
    out = GAME.observe(state, 4)
    assert [tile_block(out, t)[[TILE.tied, TILE.chosen]].tolist() for t in (3, 10, 14, 5)] == [
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
    assert changed.min() >= AT.tiles
    places = {TILE.row, TILE.column, TILE.near_own, TILE.near_rival}
    assert set((changed - AT.tiles) // 17) <= places


@pytest.mark.rule("FP-13.1", "FP-13.2", "FP-13.3")
@pytest.mark.parametrize("players", [3, 5])
def test_nothing_hidden_shows(players):
    for seed in range(2):
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


@pytest.mark.rule("FP-13.1", "FP-13.2")
def test_buildings_are_blanked_until_they_are_revealed():
    unseen = GAME.new_state(3, players=4)
    assert phase(unseen) == "SETUP"
    assert (unseen.building >= 0).all()
    assert GAME.redact(unseen, 2).building.tolist() == [-1, -1]
    assert unseen.rng != 0
    assert GAME.redact(unseen, 2).rng == 0
    seen = at_turn(buildings="ZC@3,SW@16")
    assert GAME.redact(seen, 2).building.tolist() == seen.building.tolist()


@pytest.mark.rule("FP-4.2")
def test_every_entry_of_the_mask_is_written():
    state = at_turn()
    mask = np.ones(GAME.num_actions, np.bool_)
    GAME.compiled.legal_actions(state, mask)
    assert [GAME.action_text(state, a) for a in np.flatnonzero(mask)] == legal(state)
    assert mask.sum() < GAME.num_actions


# --- samples against the true distribution --------------------------------------------------------

DRAWN = 2500


@pytest.mark.rule("FP-13.1", "FP-3.5")
@pytest.mark.parametrize("placed", [0, 1])
def test_samples_of_buildings_are_as_in_games_from_other_seeds(placed):
    """A chi-square test; with seeds drawn at random it would fail once in 10,000."""
    seen = GAME.new_state(5, players=3)
    if placed:
        play(seen, "tile 4")
    true = [tuple(GAME.new_state(seed, players=3).building.tolist()) for seed in range(DRAWN)]
    samples = (GAME.resample_hidden(seen, 1, seed) for seed in range(DRAWN))
    drawn = [tuple(sample.building.tolist()) for sample in samples]
    assert assert_same_distribution(true, drawn) == 9 * 8


@pytest.mark.rule("FP-13.3", "FP-11.3")
def test_samples_of_future_rows_are_as_with_other_chance():
    """A chi-square test; with seeds drawn at random it would fail once in 10,000."""
    chance = np.random.default_rng(8)
    start = at_turn(n=3, passed="01", actor=2, marker_set="demo18", bids="0 1x1")
    rows = []
    for sampled in (False, True):
        rows.append([])
        for seed in range(DRAWN):
            state = GAME.resample_hidden(start, 0, seed) if sampled else GAME.clone(start)
            if not sampled:
                state.rng = chance.integers(2**64, dtype=np.uint64)
            play(state, "pass")
            rows[-1].append(tuple(sorted(state.row[:2].tolist())))
    assert assert_same_distribution(*rows) > 60
