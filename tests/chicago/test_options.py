"""Seats and options (section 15)."""

from __future__ import annotations

import pytest

from gangland.envs.core.errors import OptionError

from .scene import GAME, drawing, phase, play, rolling, scene


@pytest.mark.rule("CU-15.1", "CU-15.2", "CU-15.3", "CU-15.4", "CU-15.5", "CU-15.6")
def test_defaults():
    assert GAME.read_options(GAME.new_state(0)) == {
        "players": 5,
        "deck_end": "first_empty",
        "bribe": 50,
        "hand_limit": 5,
        "turn_cap": 0,
        "start_seat": "random",
    }


@pytest.mark.rule("CU-15.1")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_players(players):
    state = GAME.new_state(1, players=players)
    assert state.num_seats == players
    assert state.hand_size[:players].min() >= 0
    assert state.hand_size[players:].sum() == 0
    assert state.men[players:].sum() == 0


@pytest.mark.rule("CU-15.2", "CU-15.3", "CU-15.4", "CU-15.5", "CU-15.6")
@pytest.mark.parametrize(
    "given",
    [
        {"deck_end": "reshuffle"},
        {"bribe": 5},
        {"bribe": 60},
        {"hand_limit": 3},
        {"hand_limit": 10},
        {"turn_cap": 1},
        {"turn_cap": 10_000},
        {"start_seat": 0},
        {"players": 6, "start_seat": 5},
    ],
)
def test_options_are_kept_in_the_record(given):
    state = GAME.new_state(0, **given)
    read = GAME.read_options(state)
    assert {name: read[name] for name in given} == given
    assert GAME.new_state(0, **read).tobytes() == state.tobytes()


@pytest.mark.rule("CU-15.3", "CU-8.8")
def test_the_bribe_is_the_price():
    for bribe in (5, 19, 20):
        options = {"bribe": bribe}
        state = play(scene(options, hands={0: "B", 1: "9T"}, own={1: "KH"}), "mob KH")
        assert (phase(state) == "BRIBE") == (bribe <= 19)


@pytest.mark.rule("CU-15.4", "CU-11.1")
def test_the_hand_limit_counts():
    nobody = dict.fromkeys(range(1, 5), 0)
    for limit in (3, 4):
        state = drawing("T", options={"hand_limit": limit}, hands={0: "234"}, men=nobody)
        assert (phase(state) == "DISCARD") == (limit == 3)


@pytest.mark.rule("CU-15.5", "CU-14.6")
@pytest.mark.parametrize(
    ("players", "given", "cap"),
    [(2, 0, 240), (3, 0, 240), (4, 0, 240), (5, 0, 300), (6, 0, 360), (5, 11, 11), (2, 9999, 9999)],
)
def test_the_turn_cap(players, given, cap):
    assert GAME.new_state(0, players=players, turn_cap=given).turn_cap == cap
    state = rolling([6], "hire", options={"turn_cap": 12})
    assert not state.over
    state = rolling([6], "hire", options={"turn_cap": 12}, turn=11)
    assert state.over
    assert state.capped


@pytest.mark.rule("CU-15.6", "CU-3.6")
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_start_seat(seat):
    for seed in range(10):
        assert GAME.new_state(seed, players=3, start_seat=seat).current == seat
    # It takes no draw: the hands are those of a random start with the same seed.
    fixed, drawn = GAME.new_state(4, players=3, start_seat=seat), GAME.new_state(4, players=3)
    assert fixed.hands.tobytes() == drawn.hands.tobytes()
    assert fixed.rng != drawn.rng


@pytest.mark.rule("CU-15.7")
@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"players": "five"}, "players='five': must be an integer 2..6"),
        ({"players": 2.0}, "players=2.0: must be an integer 2..6"),
        ({"players": True}, "players=True: must be an integer 2..6"),
        ({"bribe": 61}, "bribe=61: must be 5..60"),
        ({"hand_limit": 11}, "hand_limit=11: must be 3..10"),
        ({"turn_cap": 10_001}, "turn_cap=10001: must be 0..10000"),
        ({"start_seat": "first"}, "start_seat='first': must be random or 0..4"),
        ({"start_seat": 2, "players": 2}, "start_seat=2: must be random or 0..1"),
        ({"deck_end": None}, "deck_end=None: must be first_empty or reshuffle"),
    ],
)
def test_wrong_values_name_option_value_and_what_is_valid(given, words):
    with pytest.raises(OptionError) as error:
        GAME.new_state(0, **given)
    assert str(error.value) == words
