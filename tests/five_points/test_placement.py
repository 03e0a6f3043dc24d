"""Setup and chance, the placement phase, decision points (sections 3 to 5 and 12)."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.core.rng import randint
from gangland.envs.five_points.data import LAYOUTS, SETS, TILES

from .scenes import (
    GAME,
    at_elections,
    at_markers,
    at_turn,
    legal,
    phase,
    play,
    rabble_on,
    random_game,
    seats,
)

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


@pytest.mark.rule("FP-4.2", "FP-4.3", "FP-16.8")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_decision_has_at_least_two_choices(players):
    for seed in range(8):
        per_round = 0
        number = 1
        for state in random_game(seed, players=players):
            if state.over:
                assert state.seat == -1
                break
            assert GAME.action_mask(state).sum() >= 2
            number, per_round = (
                (state.round_number, 1) if state.round_number != number else (number, per_round + 1)
            )
            assert per_round <= 41 * players + 14 + 2


@pytest.mark.rule("FP-4.2")
def test_all_phases_occur():
    seen = set()
    for seed in range(40):
        for state in random_game(seed, prefer=("MT_TILE", "MB_PICK", "ST_PICK")):
            seen.add(phase(state))
    assert seen == set(GAME.phases)


@pytest.mark.rule("FP-4.3")
def test_forced_second_half_is_played_at_once():
    """With one control colour left, the marker's winner is not asked."""
    state = at_markers(
        row="CM V1 V1 V1",
        bids="0 2x1",
        hq={2: 5},
        supply={"b": 0, "g": 0, "o": 0, "r": 3},
    )
    assert state.control[2].tolist() == [0, 0, 1, 0]


@pytest.mark.rule("FP-4.4")
def test_a_half_made_choice_must_be_completed():
    state = at_markers(row="MB V1 V1 V1", bids="0 2x1", hq={2: 5})
    play(state, "building 0")
    assert "skip" not in legal(state)
    assert all(text.startswith("tile") for text in legal(state))


@pytest.mark.rule("FP-4.5", "FP-5.1")
def test_turns_go_clockwise_past_those_who_passed():
    state = at_turn("place 3", "nobid", actor=3)
    assert state.seat == 4
    play(state, "place 3", "nobid")
    assert state.seat == 0
    play(state, "pass", "pass", "place 2", "nobid", "pass", "place 2", "nobid")
    # 0, 1 and 3 have passed: 4 played, then 2, then 4 again.
    assert state.seat == 2
    play(state, "place 2", "nobid")
    assert state.seat == 4


@pytest.mark.rule("FP-5.2")
def test_any_tile_may_be_placed_on():
    state = at_turn(rabble="3 1x2", bosses="4 2x1")
    assert legal(state) == ["pass", *(f"place {t}" for t in range(17))]
    play(state, "place 3")
    assert rabble_on(state, 3) == [1, 2, 0, 0, 0]
    assert state.hq[0] == 5


@pytest.mark.rule("FP-5.3", "FP-5.6")
def test_one_bid_after_the_placement():
    state = at_turn()
    assert not any(text.startswith("bid") for text in legal(state))
    play(state, "place 3", "bid 0+2")
    assert (phase(state), state.seat) == ("PLACE", 1)


@pytest.mark.rule("FP-5.4")
def test_the_bid_is_optional():
    state = at_turn("place 3", "nobid")
    assert state.bids.sum() == 0
    assert state.seat == 1


@pytest.mark.rule("FP-5.4", "FP-5.5")
@pytest.mark.parametrize(("left", "asked"), [(3, "BID"), (2, "PLACE")])
def test_a_bid_that_takes_the_whole_headquarters_is_possible(left, asked):
    """All four markers carry two of a rival's, so that three are needed."""
    state = at_turn("place 3", actor=0, hq={0: left + 1}, bids="0 1x2; 1 1x2; 2 1x2; 3 1x2")
    assert (state.hq[0], phase(state)) == (left, asked)


@pytest.mark.rule("FP-5.5")
def test_legal_bids_beat_every_other_total():
    for seed in range(10):
        for state in random_game(seed, players=4):
            if phase(state) != "BID":
                continue
            mine = int(state.seat)
            wanted = ["nobid"]
            for m in range(4):
                others = max(int(state.bids[m, s]) for s in range(4) if s != mine)
                wanted += [
                    f"bid {m}+{k}"
                    for k in range(1, int(state.hq[mine]) + 1)
                    if state.bids[m, mine] + k > others
                ]
            assert legal(state) == wanted


@pytest.mark.rule("FP-5.8")
def test_bids_stay_after_passing():
    state = at_turn("place 3", "bid 0+2", "pass", "pass", "pass", "pass", "place 3", "nobid",
                    row="SE V1 V1 V1")  # fmt: skip
    # Seat 0's bid won the special election although all others had passed before.
    assert (phase(state), state.seat) == ("SPECIAL", 0)


@pytest.mark.rule("FP-5.9")
def test_passing_is_always_allowed():
    state = at_turn()
    play(state, "pass")
    assert state.pass_order.tolist() == [0, -1, -1, -1, -1]
    for seed in range(5):
        for walked in random_game(seed):
            if phase(walked) == "PLACE":
                assert "pass" in legal(walked)


@pytest.mark.rule("FP-5.10")
def test_empty_hq_passes_in_turn():
    state = at_turn("place 3", "nobid", hq={1: 0, 2: 0})
    assert state.seat == 3
    assert state.pass_order[:2].tolist() == [1, 2]


@pytest.mark.rule("FP-5.11")
def test_the_last_seat_has_one_more_turn():
    state = at_turn("pass", actor=3, passed="012")
    assert (phase(state), state.seat) == ("PLACE", 4)
    assert " last=1 " in GAME.position_text(state)
    play(state, "place 16", "nobid")
    assert state.round_number == 3
    # With an empty HQ he just passes.
    forced = at_turn("pass", actor=3, passed="012", hq={4: 0})
    assert forced.round_number == 3


@pytest.mark.rule("FP-5.12", "FP-5.13")
@pytest.mark.parametrize(
    ("players", "income"), [(3, [6, 4, 2]), (4, [6, 5, 4, 2]), (5, [7, 6, 5, 4, 2])]
)
def test_income_by_place(players, income):
    state = at_turn(*["pass"] * players, n=players)
    assert (state.hq[:players] - 6).tolist() == income
    poor = at_turn(*["pass"] * players, n=players, hq={0: 19, 1: 18})
    assert poor.hq[:3].tolist() == [20, 20, 6 + income[2]]


@pytest.mark.rule("FP-16.1")
def test_no_control_markers_at_all():
    none = dict.fromkeys("bgro", 0)
    state = at_markers(row="CM V1 V1 V1", bids="0 2x1", hq={2: 5}, supply=none)
    assert state.control.sum() == 0
    assert state.over


@pytest.mark.rule("FP-16.2", "FP-16.3", "FP-16.6", "FP-16.7")
def test_a_game_of_nothing_but_passing_ends_at_the_cap():
    state = GAME.new_state(1, max_rounds=4)
    while not state.over:
        options = legal(state)
        play(state, "pass" if "pass" in options else options[0])
    assert state.capped
    assert state.round_number == 4
    # Rounds with and without rabble on the board go on alike.
    assert at_elections(hq=dict.fromkeys(range(5), 20)).round_number == 3
    assert seats(state, "hq") != [6] * 5
    assert np.isclose(state.rewards.sum(), 0)
