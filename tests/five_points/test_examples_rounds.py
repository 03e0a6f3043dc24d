"""Worked examples: setup, placement, the course of a round (FP-X01, X02, X04 to X12, X43, X44)."""

from __future__ import annotations

import pytest

from gangland.envs.core.errors import OptionError

from .scenes import GAME, at_elections, at_turn, bosses_on, legal, phase, play, rabble_on, seats


@pytest.mark.rule("FP-X01", "FP-3.1", "FP-3.5", "FP-3.6")
def test_x01_setup_with_five_seats():
    state = GAME.new_state(3, start_seat=3)
    assert phase(state) == "SETUP"
    assert state.seat == 3
    play(state, "tile 10")
    assert legal(state) == [f"tile {t}" for t in range(17) if t not in (10, 5, 9, 11, 15)]
    assert len(legal(state)) == 12
    play(state, "tile 0")
    assert [state.total[t] for t in range(17)] == [int(t not in (0, 10)) for t in range(17)]
    assert state.rabble.sum(axis=0).tolist() == [3] * 5
    assert seats(state, "hq") == [6] * 5
    assert seats(state, "boroughs") == [11] * 5
    assert "??" not in GAME.position_text(state)
    assert (phase(state), state.seat) == ("PLACE", 3)
    assert len(legal(state)) == 18


@pytest.mark.rule("FP-X02", "FP-15.6")
def test_x02_neighbouring_buildings_allowed():
    state = play(GAME.new_state(3, start_seat=3, adjacent_buildings="allow"), "tile 10")
    assert legal(state) == [f"tile {t}" for t in range(17) if t != 10]


@pytest.mark.rule("FP-X04", "FP-15.9")
@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [
        ("players", 9, "3..5"),
        ("players", 2, "3..5"),
        ("control_markers", 3, "4..20"),
        ("marker_set", "full", "full24 or demo18"),
        ("max_rounds", 0, "1..200"),
        ("start_seat", 5, "random or 0..4"),
        ("dice", 5, "players, control_markers"),
    ],
)
def test_x04_invalid_options(option, value, allowed):
    with pytest.raises(OptionError) as error:
        GAME.new_state(0, **{option: value})
    message = str(error.value)
    assert f"{option}={value!r}" in message
    assert allowed in message


@pytest.mark.rule("FP-X05", "FP-5.2", "FP-5.4", "FP-5.5")
def test_x05_placing_then_the_bid_menu():
    state = at_turn("place 5")
    assert (phase(state), state.seat, state.hq[0]) == ("BID", 0, 5)
    assert rabble_on(state, 5) == [1, 0, 0, 0, 0]
    bids = [f"bid {m}+{k}" for m in range(4) for k in range(1, 6)]
    assert legal(state) == ["nobid", *bids]
    assert len(legal(state)) == 21


@pytest.mark.rule("FP-X06", "FP-5.5")
def test_x06_minimum_bid_against_a_leader():
    state = at_turn("place 8", hq={2: 3}, bids="1 2x3")
    bids = [f"bid {m}+{k}" for m in range(4) for k in range(1, 6) if m != 1 or k > 3]
    assert legal(state) == ["nobid", *bids]
    assert len(legal(state)) == 18


@pytest.mark.rule("FP-X07", "FP-5.5", "FP-5.7")
def test_x07_retaking_the_lead():
    state = at_turn("place 3", hq={0: 5, 4: 3}, bids="2 0x2 4x3")
    assert [text for text in legal(state) if "2+" in text] == ["bid 2+2", "bid 2+3", "bid 2+4"]
    play(state, "bid 2+2")
    assert (state.bids[2, 0], state.hq[0]) == (4, 2)
    assert (phase(state), state.seat) == ("PLACE", 1)


@pytest.mark.rule("FP-X08", "FP-5.7")
def test_x08_a_leader_raises_himself():
    state = at_turn("place 3", "bid 0+1", hq={0: 3, 1: 5}, bids="0 0x3 1x1")
    assert (state.bids[0, 0], state.hq[0]) == (4, 1)
    assert (phase(state), state.seat) == ("PLACE", 1)


@pytest.mark.rule("FP-X09", "FP-4.3", "FP-5.4", "FP-16.3")
def test_x09_bid_decision_skipped():
    state = at_turn("place 4", hq={0: 1})
    assert state.hq[0] == 0
    assert (phase(state), state.seat) == ("PLACE", 1)


@pytest.mark.rule("FP-X10", "FP-5.10", "FP-16.2")
def test_x10_forced_pass():
    state = at_turn(hq={0: 0})
    assert state.pass_order[: state.num_passed].tolist() == [0]
    assert (phase(state), state.seat) == ("PLACE", 1)


@pytest.mark.rule("FP-X11", "FP-5.11", "FP-5.12", "FP-6.3", "FP-9.8", "FP-11.2", "FP-11.5")
def test_x11_extra_turn_income_and_end_of_round():
    state = at_turn(
        "place 3", n=3, buildings="BE@0,TA@10", hq={0: 2, 1: 3, 2: 4}, passed="01", actor=2
    )
    assert (phase(state), state.seat) == ("BID", 2)
    play(state, "bid 0+1")
    assert bosses_on(state, 3) == [2]
    assert state.total[3] == 0
    assert state.supply.tolist() == [12] * 4
    assert (phase(state), state.seat, state.round_number, state.start) == ("PLACE", 1, 3, 1)
    assert seats(state, "hq") == [8, 7, 5]
    assert seats(state, "boroughs") == [12, 13, 15]


@pytest.mark.rule("FP-X12", "FP-5.13", "FP-11.2")
def test_x12_income_limited_by_the_boroughs():
    state = at_turn(
        "pass",
        n=3,
        buildings="BE@0,TA@10",
        rabble="5 0x7; 6 0x2",
        hq={0: 8, 1: 9, 2: 10},
        passed="01",
        actor=2,
    )
    assert bosses_on(state, 5) == [0]
    assert state.control[0].tolist() == [0, 0, 1, 0]
    assert seats(state, "hq") == [12, 13, 12]
    assert seats(state, "boroughs") == [6, 7, 8]


@pytest.mark.rule("FP-X43", "FP-9.5", "FP-16.6")
def test_x43_no_rabble_on_the_board():
    state = at_elections()
    assert (phase(state), state.round_number, state.seat) == ("PLACE", 3, 1)
    assert seats(state, "hq") == [6] * 5
    assert state.bosses.sum() == 0


@pytest.mark.rule("FP-X44", "FP-14.9", "FP-16.7")
def test_x44_round_cap():
    state = at_elections(rabble="3 0x1", round_number=30)
    result = GAME.result(state)
    assert result.capped
    assert result.scores == (5, 0, 0, 0, 0)
    assert result.places[0] == 1
    assert result.rewards == (1, -0.25, -0.25, -0.25, -0.25)
