"""End of the round and of the game, options, dead ends (sections 11, 14, 15)."""

from __future__ import annotations

from collections import Counter

import pytest

from gangland.envs.core.errors import OptionError
from gangland.envs.five_points.data import SET_SIZES, SETS

from .scenes import (
    GAME,
    at_elections,
    at_markers,
    at_turn,
    bosses_on,
    phase,
    play,
    random_game,
    seats,
)


@pytest.mark.rule("FP-11.1", "FP-14.3")
def test_end_check_comes_before_the_rabble_for_bosses():
    state = at_elections(rabble="3 2x1", supply={"b": 0})
    assert state.over
    assert state.hq[2] == 6
    assert state.round_number == 2


@pytest.mark.rule("FP-11.2")
def test_one_rabble_for_each_boss_limited_by_the_boroughs():
    bosses = "3 2x1; 5 2x1; 6 0x1; 7 1x1; 8 1x1; 9 3x1; 10 3x1; 11 3x1"
    state = at_elections(bosses=bosses, hq={0: 20, 2: 19})
    # Seat 0 has nobody left in the boroughs, seat 2 has one; 1 and 3 have two and three bosses.
    assert seats(state, "hq") == [20, 8, 20, 9, 6]
    assert seats(state, "boroughs") == [0, 12, 0, 11, 14]


@pytest.mark.rule("FP-11.3")
def test_used_markers_come_back():
    """Four markers of which the set holds one each, two of them with bids, end a round.

    Each comes again as often as any other marker, 4 times in 18 (binomial, 4 standard errors).
    """
    start = at_turn(
        n=3, passed="01", actor=2, row="V2 VB VC V3b", bids="0 0x1; 1 1x1", marker_set="demo18"
    )
    row = start.row.tolist()
    markers = SETS[SET_SIZES.tolist().index(18), :18].tolist()
    assert [markers.count(code) for code in row] == [1, 1, 1, 1]
    rounds, chance = 900, 4 / 18
    again = Counter()
    for seed in range(rounds):
        state = GAME.clone(start)
        state.rng = seed
        play(state, "pass")
        assert (state.round_number, state.bids.sum()) == (3, 0)
        again.update(set(row) & set(state.row.tolist()))
    error = (rounds * chance * (1 - chance)) ** 0.5
    assert all(abs(again[code] - rounds * chance) <= 4 * error for code in row)


@pytest.mark.rule("FP-11.4", "FP-2.8")
def test_pieces_stay_bids_votes_and_marks_go():
    state = at_markers(
        "tile 9",
        row="SE V1 V3b VB",
        bids="0 2x1; 1 2x1; 2 2x1; 3 2x1",
        hq={2: 2},
        rabble="5 0x2; 9 1x1; 0 3x1",
        vp={4: 3},
    )
    assert state.round_number == 3
    assert state.rabble[0, 3] == 1
    assert bosses_on(state, 9) == [1, 2]
    assert state.vp[4] == 3
    text = GAME.position_text(state)
    assert "bids=00000,00000,00000,00000 pass=- flat=0,0,0,0,0" in text
    assert "spec=- stage=- sel=- tied=- chosen=-" in text


@pytest.mark.rule("FP-11.5")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_start_seat_moves_clockwise(players):
    state = GAME.new_state(1, players=players, start_seat=1)
    for walked in random_game(2, state=state):
        assert walked.start == (1 + walked.round_number - 1) % players


FOUR_BOSSES = "3 1x1; 8 1x1; 12 1x1; 14 1x1"


@pytest.mark.rule("FP-14.1")
def test_fifth_boss_in_a_special_election():
    state = at_elections(rabble="5 1x3; 6 0x5", bosses=FOUR_BOSSES, special=[5, 6])
    assert state.over
    assert bosses_on(state, 6) == []
    # The other election is off: nothing is left half done.
    assert (state.num_specials, state.num_chosen, state.tied) == (0, 0, 0)
    assert set(state.specials.tolist()) == {-1}


@pytest.mark.rule("FP-14.2", "FP-14.7")
def test_two_fifth_bosses_and_equal_scores():
    bosses = "0 3x1; 2 3x1; 3 1x1; 7 3x1; 8 1x1; 12 1x1; 14 1x1; 16 3x1"
    scene = {"buildings": "BE@1,SW@10", "rabble": "5 1x2 3x2", "bosses": bosses}
    more_points = at_elections(vp={1: 1, 0: 90}, **scene)
    assert GAME.result(more_points).places == (3, 1, 4, 2, 4)
    # Two points of VP against one control marker: equal scores, then more markers.
    more_markers = at_elections(vp={1: 2}, control={3: "1000"}, **scene)
    assert GAME.result(more_markers).win_shares == (0, 0, 0, 1, 0)
    shared = at_elections(**scene)
    assert GAME.result(shared).win_shares == (0, 0.5, 0, 0.5, 0)


@pytest.mark.rule("FP-14.3", "FP-14.4")
def test_the_round_is_finished_after_the_trigger():
    """The pile runs out at T5's election; T14 still votes, and its fifth boss wins at once."""
    scene = {"rabble": "5 0x3; 6 0x1; 15 1x3", "supply": {"r": 1}}
    state = at_elections("tile 5", **scene)
    assert state.supply[2] == 0
    assert bosses_on(state, 15) == [1]
    assert state.over
    at_once = at_elections("tile 5", bosses=FOUR_BOSSES, vp={0: 60}, **scene)
    assert GAME.result(at_once).win_shares == (0, 1, 0, 0, 0)
    asked = at_elections(bosses=FOUR_BOSSES, rabble="5 1x3; 15 1x3")
    assert phase(asked) == "ELECT"
    play(asked, "tile 5")
    assert (asked.over, asked.tied) == (1, 0)


@pytest.mark.rule("FP-14.3")
def test_the_last_tile_to_be_covered():
    covered = "; ".join(f"{t} {t % 4}x1" for t in range(16))
    state = at_elections(rabble="16 4x1", bosses=covered)
    assert state.over
    assert not state.capped
    open_tile = at_elections(rabble="15 4x1", bosses=covered)
    assert not open_tile.over


@pytest.mark.rule("FP-14.5")
def test_scores():
    state = at_elections(
        buildings="BE@0,SW@1",
        bosses="5 0x1; 6 1x1; 7 1x1",
        control={0: "2222", 1: "0900", 2: "1110"},
        vp={2: 4, 3: 7},
        supply={"b": 0},
    )
    # 5 + 16 + 10; 10 + 18; 4 + 6; 7; 0.
    assert GAME.result(state).scores == (31, 28, 10, 7, 0)


@pytest.mark.rule("FP-14.6")
@pytest.mark.parametrize(("rabble", "points"), [("15 1x1", 5), ("15 1x1 2x1", 0), ("", 0)])
def test_tammany_hall(rabble, points):
    state = at_elections(
        buildings="BE@0,TA@15", rabble=f"3 0x3; {rabble}", bosses="15 2x1", supply={"r": 0}
    )
    assert GAME.result(state).scores[1] == points


@pytest.mark.rule("FP-14.7")
def test_ties_are_broken_by_bosses_markers_rabble():
    end = {"supply": {"o": 0}, "buildings": "BE@0,SW@1"}
    by_bosses = at_elections(bosses="5 0x1", vp={1: 5}, **end)
    assert GAME.result(by_bosses).places[:2] == (1, 2)
    by_markers = at_elections(control={0: "1000"}, vp={1: 2}, **end)
    assert GAME.result(by_markers).places[:2] == (1, 2)
    by_rabble = at_elections(rabble="16 2x5; 4 0x1", bosses="5 0x1; 6 1x1", vp={0: 3, 1: 3}, **end)
    assert GAME.result(by_rabble).places[:3] == (1, 2, 3)
    shared = at_elections(vp={0: 3, 1: 3}, **end)
    assert GAME.result(shared).places == (1, 1, 3, 3, 3)


@pytest.mark.rule("FP-14.8")
def test_result_and_rewards():
    shared = at_elections(vp={0: 3, 1: 3}, supply={"o": 0}, buildings="BE@0,SW@1")
    result = GAME.result(shared)
    assert result.win_shares == (0.5, 0.5, 0, 0, 0)
    assert result.rewards == pytest.approx((0.5, 0.5, -1 / 3, -1 / 3, -1 / 3))
    assert sum(result.rewards) == pytest.approx(0, abs=1e-6)


@pytest.mark.rule("FP-14.9", "FP-15.8", "FP-16.7")
def test_round_cap():
    assert not at_elections(rabble="3 0x1", round_number=29).over
    short = at_elections(rabble="3 0x1", round_number=5, max_rounds=5)
    assert short.over
    assert short.capped
    # Another end in the last round is no cap.
    other = at_elections(rabble="3 0x1", round_number=30, supply={"g": 0})
    assert (other.over, other.capped) == (1, 0)


@pytest.mark.rule("FP-15.1", "FP-15.2", "FP-15.3", "FP-15.4", "FP-15.5", "FP-15.6", "FP-15.8")
def test_options_and_their_defaults():
    assert GAME.options.resolve({}) == {
        "players": 5,
        "control_markers": 12,
        "marker_set": "full24",
        "election_limit": "every_round",
        "move_rule": "no_holes",
        "adjacent_buildings": "forbid",
        "start_seat": "random",
        "max_rounds": 30,
    }
    given = {
        "players": 3,
        "control_markers": 20,
        "marker_set": "demo18",
        "election_limit": "first_round_only",
        "move_rule": "adjacent_only",
        "adjacent_buildings": "allow",
        "start_seat": 2,
        "max_rounds": 200,
    }
    state = GAME.new_state(1, **given)
    assert GAME.read_options(state) == given
    play(state, "tile 5")
    assert phase(state) == "SETUP"


@pytest.mark.rule("FP-15.1", "FP-15.7", "FP-15.9")
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"players": "5"}, "players='5'"),
        ({"players": True}, "players=True"),
        ({"players": 3, "start_seat": 3}, "start_seat=3: must be random or 0..2"),
        ({"control_markers": 21}, "control_markers=21: must be 4..20"),
        ({"election_limit": "never"}, "must be every_round or first_round_only"),
        ({"move_rule": 1}, "must be no_holes or adjacent_only"),
        ({"adjacent_buildings": False}, "must be forbid or allow"),
        ({"max_rounds": 201}, "max_rounds=201: must be 1..200"),
    ],
)
def test_invalid_options_are_named(given, message):
    with pytest.raises(OptionError, match=message):
        GAME.new_state(0, **given)
