"""The specification's worked examples, CU-X01 to CU-X34."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.core.errors import OptionError

from .scenes import (
    GAME,
    discards,
    drawing,
    hand,
    legal,
    men,
    owned,
    phase,
    play,
    rolling,
    scene,
    turn_of,
)


def drop_men(*seats):
    return dict.fromkeys(seats, 0)


@pytest.mark.rule("CU-X01", "CU-3.2", "CU-3.3", "CU-3.4", "CU-3.5")
def test_x01_setup_with_a_territory():
    """The deal is too long to be written as chance, so a seed that gives it is looked for."""
    state = GAME.template(start_seat=0)[0]
    for seed in range(200_000):
        state = GAME.template(start_seat=0)[0]
        GAME.compiled.reset(state, np.uint64(seed))
        free = [owned(state, seat) for seat in range(5)]
        if free == ["KS", "", "", "", ""] and hand(state, 0) == "59":
            break
    assert free == ["KS", "", "", "", ""]
    assert hand(state, 0) == "59"
    assert [len(hand(state, seat)) for seat in range(1, 5)] == [3, 3, 3, 3]
    assert state.pile_size == 39
    assert men(state) == [1] * 5
    assert turn_of(state, 0)


@pytest.mark.rule("CU-X02", "CU-15.7")
@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [
        ("players", 9, "must be 2..6"),
        ("players", 1, "must be 2..6"),
        ("bribe", 0, "must be 5..60"),
        ("hand_limit", 2, "must be 3..10"),
        ("deck_end", "never", "must be first_empty or reshuffle"),
        ("turn_cap", -1, "must be 0..10000"),
        ("start_seat", 5, "must be random or 0..4"),
        ("jokers", 4, "must be one of players, deck_end, bribe, hand_limit, turn_cap, start_seat"),
    ],
)
def test_x02_invalid_options(option, value, allowed):
    with pytest.raises(OptionError) as error:
        GAME.new_state(0, **{option: value})
    prefix = "unknown option " if option == "jokers" else ""
    assert str(error.value) == f"{prefix}{option}={value!r}: {allowed}"


@pytest.mark.rule("CU-X03", "CU-4.3", "CU-9.1")
def test_x03_main_menu():
    state = scene(hands={0: "27"}, men={1: 0}, own={0: "JS", 1: "KH", 2: "QD"})
    assert legal(state) == ["hire", "draw", "battle KH", "battle QD"]


@pytest.mark.rule("CU-X04", "CU-5.2")
def test_x04_free_hire():
    state = rolling([4], "hire", hands={0: "27"})
    assert men(state) == [2, 1, 1, 1, 1]
    assert hand(state, 0) == "27"
    assert turn_of(state, 1)


@pytest.mark.rule("CU-X05", "CU-5.3", "CU-5.4", "CU-7.2", "CU-7.3")
def test_x05_hire_to_be_paid():
    state = rolling([2], "hire", hands={0: "349"})
    assert (phase(state), state.price) == ("PAY_HIRE", 5)
    assert legal(state) == ["no", "pay 4", "pay 9"]
    play(state, "pay 4")
    assert hand(state, 0) == "9"
    assert discards(state) == "34"
    assert men(state)[0] == 2
    assert turn_of(state, 1)


@pytest.mark.rule("CU-X06", "CU-5.4")
def test_x06_hire_refused():
    state = rolling([1], "hire", "no", hands={0: "349"})
    assert men(state)[0] == 1
    assert hand(state, 0) == "349"
    assert turn_of(state, 1)


@pytest.mark.rule("CU-X07", "CU-5.4", "CU-4.4")
def test_x07_hire_that_cannot_be_paid():
    state = rolling([3], "hire", hands={0: "22A"}, men=drop_men(1, 2, 3, 4))
    assert men(state)[0] == 1
    assert hand(state, 0) == "22A"
    assert turn_of(state, 1)


@pytest.mark.rule("CU-X08", "CU-5.5")
def test_x08_no_sixth_henchman():
    assert legal(scene(men={0: 5}, own={1: "JS"})) == ["draw", "battle JS"]


@pytest.mark.rule("CU-X09", "CU-6.1", "CU-6.2")
def test_x09_drawing_money():
    state = drawing("7", hands={0: "27"})
    assert hand(state, 0) == "277"
    assert turn_of(state, 1)


@pytest.mark.rule("CU-X10", "CU-6.3", "CU-7.2", "CU-7.4")
def test_x10_overpaying_for_a_king():
    state = drawing("KC", hands={0: "29T"})
    assert (phase(state), state.price) == ("PAY_TERR", 20)
    assert legal(state) == ["no", "pay T"]
    play(state, "pay T")
    assert owned(state, 0) == "KC"
    assert hand(state, 0) == ""
    assert discards(state) == "29T"


@pytest.mark.rule("CU-X11", "CU-7.2", "CU-7.3")
def test_x11_which_cards_to_pay_with():
    state = drawing("JH", hands={0: "255T"})
    assert legal(state) == ["no", "pay 5", "pay T"]
    play(state, "pay 5")
    assert owned(state, 0) == "JH"
    assert hand(state, 0) == "2T"


@pytest.mark.rule("CU-X12", "CU-7.3")
def test_x12_two_decisions_in_one_payment():
    state = drawing("JH", hands={0: "2789"})
    assert legal(state) == ["no", "pay 8", "pay 9"]
    play(state, "pay 9")
    assert legal(state) == ["pay 2", "pay 7", "pay 8"]
    play(state, "pay 2")
    assert owned(state, 0) == "JH"
    assert hand(state, 0) == "78"
    assert discards(state) == "29"


@pytest.mark.rule("CU-X13", "CU-6.4", "CU-6.5", "CU-10.2")
def test_x13_declining_a_territory():
    before = {"hands": {0: "55T"}, "discards": "88A"}
    assert scene(**before).pile_size == 48
    state = drawing("JS", **before)
    assert state.pile_size == 47
    play(state, "no")
    assert state.pile_size == 51
    assert discards(state) == ""
    assert hand(state, 0) == "55T"
    assert owned(state, 0) == ""
    assert turn_of(state, 1)


@pytest.mark.rule("CU-X14", "CU-6.4", "CU-13.3")
def test_x14_a_territory_that_cannot_be_paid():
    state = drawing("JS", hands={0: "23"}, discards="88A")
    assert state.pile_size == 52
    assert discards(state) == ""
    assert hand(state, 0) == "23"
    assert turn_of(state, 1)


@pytest.mark.rule("CU-X15", "CU-6.6", "CU-8.1", "CU-8.2")
def test_x15_drawn_ace_used_at_once():
    state = drawing("A", hands={0: "4"}, men={2: 2, 3: 0})
    assert legal(state) == ["end", "hit 1", "hit 2", "hit 4"]
    play(state, "hit 2")
    assert men(state) == [1, 1, 1, 0, 1]
    assert discards(state) == "A"
    assert hand(state, 0) == "4"
    assert turn_of(state, 1)


@pytest.mark.rule("CU-X16", "CU-8.1", "CU-8.3", "CU-9.2")
def test_x16_ace_first_then_an_undefended_territory():
    state = scene(hands={0: "4AA"}, men={0: 3, 1: 1}, own={0: "JS", 1: "KH", 2: "QD"})
    play(state, "hit 1")
    assert men(state)[1] == 0
    play(state, "battle KH")
    assert owned(state, 0) == "JS KH"
    assert men(state)[0] == 3
    assert hand(state, 0) == "4A"
    assert legal(state) == ["end", "hit 2", "hit 3", "hit 4"]


@pytest.mark.rule("CU-X17", "CU-9.3", "CU-9.5")
def test_x17_battle_won():
    state = rolling([6, 1, 5, 2, 5], "battle KH", men={0: 2, 1: 3}, own={0: "JS", 1: "KH QC"})
    assert state.dice[0].tolist() == [6, 1, 0, 0, 0]
    assert state.dice[1].tolist() == [5, 2, 5, 0, 0]
    assert owned(state, 0) == "JS KH"
    assert owned(state, 1) == "QC"
    assert men(state)[:2] == [2, 3]


@pytest.mark.rule("CU-X18", "CU-9.4", "CU-9.6")
def test_x18_defender_wins_ties():
    state = rolling([2, 5, 3, 5, 1], "battle KH", men={0: 3, 1: 2}, own={1: "KH"})
    assert men(state)[:2] == [2, 2]
    assert owned(state, 1) == "KH"
    assert turn_of(state, 1)


@pytest.mark.rule("CU-X19", "CU-9.1", "CU-9.6", "CU-9.7")
def test_x19_last_henchman_lost_in_an_attack():
    state = rolling([3, 4], "battle KH", own={0: "QS", 1: "KH"})
    assert men(state)[0] == 0
    assert turn_of(state, 1)
    assert legal(state) == ["hire", "draw", "battle QS"]


@pytest.mark.rule("CU-X20", "CU-9.1")
def test_x20_no_attack_without_henchmen():
    state = scene(men=drop_men(0, 1), own={0: "QS", 1: "KH"})
    assert legal(state) == ["hire", "draw"]


@pytest.mark.rule("CU-X21", "CU-8.4", "CU-8.5", "CU-8.8", "CU-10.2")
def test_x21_red_joker():
    before = {"hands": {0: "5R", 1: "TT"}, "own": {0: "JS", 1: "KH QD"}, "discards": "22"}
    assert scene(**before).pile_size == 45
    state = play(scene(**before), "raid KH")
    assert state.pile_size == 48
    assert discards(state) == "R"
    assert owned(state, 1) == "QD"
    assert hand(state, 1) == "TT"
    assert turn_of(state, 0)
    assert legal(state) == ["hire", "draw", "battle QD"]


@pytest.mark.rule("CU-X22", "CU-8.6", "CU-8.8")
def test_x22_black_joker_needs_no_henchman():
    state = scene(hands={0: "5B", 1: "TT"}, men={0: 0, 1: 5}, own={0: "JS", 1: "KH QD"})
    play(state, "mob KH")
    assert owned(state, 0) == "JS KH"
    assert discards(state) == "B"
    assert men(state)[:2] == [0, 5]
    assert turn_of(state, 0)


@pytest.mark.rule("CU-X23", "CU-8.7", "CU-8.9")
def test_x23_the_bribe_of_50_cannot_be_reached():
    state = play(scene(hands={0: "B", 1: "9TTTT"}, own={1: "KH"}), "mob KH")
    assert owned(state, 0) == "KH"
    assert hand(state, 1) == "9TTTT"
    assert turn_of(state, 0)


@pytest.mark.rule("CU-X24", "CU-7.3", "CU-8.7", "CU-8.8", "CU-15.3")
def test_x24_bribe_against_the_black_joker():
    before = {"hands": {0: "5B", 1: "369T"}, "own": {1: "KH"}}
    state = play(scene({"bribe": 25}, **before), "mob KH")
    assert (phase(state), state.seat, state.current) == ("BRIBE", 1, 0)
    assert legal(state) == ["no", "pay T"]
    play(state, "pay T")
    assert owned(state, 1) == "KH"
    assert hand(state, 1) == "3"
    assert hand(state, 0) == "569T"
    assert discards(state) == "B"
    assert turn_of(state, 0)


@pytest.mark.rule("CU-X25", "CU-8.5", "CU-8.8", "CU-10.2")
def test_x25_bribe_against_the_red_joker():
    before = {"hands": {0: "5R", 1: "369T"}, "own": {1: "KH"}, "discards": "44"}
    state = scene({"bribe": 25}, **before)
    assert state.pile_size == 45
    play(state, "raid KH", "pay T")
    assert state.pile_size == 50
    assert owned(state, 1) == "KH"
    assert hand(state, 1) == "3"
    assert hand(state, 0) == "5"
    assert discards(state) == "R"


@pytest.mark.rule("CU-X26", "CU-11.1", "CU-11.2")
def test_x26_hand_limit():
    state = drawing("9", hands={0: "2359A"}, men=drop_men(1, 2, 3, 4))
    assert phase(state) == "DISCARD"
    assert legal(state) == ["drop 2", "drop 3", "drop 5", "drop 9", "drop A"]
    play(state, "drop 2")
    assert hand(state, 0) == "3599A"
    assert discards(state) == "2"
    assert turn_of(state, 1)


@pytest.mark.rule("CU-X27", "CU-8.4", "CU-11.1")
def test_x27_using_a_card_instead_of_dropping_one():
    state = drawing("R", hands={0: "23456"}, own={1: "KH"})
    assert legal(state) == ["end", "raid KH"]
    play(state, "raid KH")
    assert hand(state, 0) == "23456"
    assert discards(state) == "R"
    assert turn_of(state, 1)


@pytest.mark.rule("CU-X28", "CU-14.2", "CU-14.4")
def test_x28_the_deck_runs_out():
    own = {0: "JS KH", 1: "QS KS", 2: "JH QH JD QD", 3: "KD JC", 4: "QC KC"}
    state = drawing(
        "9", hands={0: "27", 1: "TT", 2: "5"}, men={0: 2, 1: 1, 2: 3}, own=own, pile="9"
    )
    assert state.over
    assert not state.capped
    assert state.scores[:5].tolist() == [42, 47, 41, 22, 27]
    assert GAME.result(state).win_shares == (0, 1, 0, 0, 0)


@pytest.mark.rule("CU-X29", "CU-10.2", "CU-14.3")
def test_x29_last_card_is_an_unpaid_territory():
    state = drawing("JS", hands={0: "2"}, own={1: "QS KS JH QH KH JD QD KD JC QC KC"}, pile="")
    assert state.pile_size == 42
    assert discards(state) == ""
    assert turn_of(state, 1)


@pytest.mark.rule("CU-X30", "CU-14.1")
def test_x30_all_twelve_territories():
    state = rolling(
        [6, 3, 5, 5, 5, 5, 5],
        "battle KC",
        hands={0: "4", 1: "TTTT9"},
        men={0: 2, 1: 5},
        own={0: "JS QS KS JH QH KH JD QD KD JC QC", 1: "KC"},
    )
    assert state.over
    assert not state.capped
    assert state.scores[:5].tolist() == [128, 59, 2, 2, 2]
    assert GAME.result(state).places == (1, 2, 3, 3, 3)


@pytest.mark.rule("CU-X31", "CU-14.5", "CU-14.6")
def test_x31_turn_cap_and_tie_break():
    state = rolling(
        [2],
        "hire",
        options={"turn_cap": 11},
        hands={0: "2", 1: "TT", 2: "T"},
        own={1: "JS", 2: "KH", 3: "QS"},
    )
    assert state.over
    assert state.capped
    assert state.turns == 11
    assert state.scores[:5].tolist() == [4, 27, 27, 12, 2]
    assert GAME.result(state).places == (4, 2, 1, 3, 5)


@pytest.mark.rule("CU-X32", "CU-14.3", "CU-15.2")
def test_x32_option_reshuffle():
    state = drawing(
        "9",
        options={"deck_end": "reshuffle"},
        hands={0: "27"},
        own={1: "JS QS KS JH QH KH", 2: "JD QD KD JC QC KC"},
        pile="9",
    )
    assert not state.over
    assert state.pile_size == 39
    assert discards(state) == ""
    assert turn_of(state, 1)


@pytest.mark.rule("CU-X33", "CU-8.4", "CU-14.2")
def test_x33_the_last_card_is_a_red_joker():
    own = {0: "JS QS KS JH QH JD QD JC QC KC", 1: "KH KD"}
    before = {"hands": {0: "27"}, "own": own, "pile": "R"}
    state = drawing("R", **before)
    assert state.pile_size == 0
    assert legal(state) == ["end", "raid KH", "raid KD"]
    play(state, "raid KD")
    assert not state.over
    assert state.pile_size == 40
    assert turn_of(state, 1)
    ended = drawing("R", "end", **before)
    assert ended.over
    assert not ended.capped


@pytest.mark.rule("CU-X34", "CU-8.1", "CU-8.2")
def test_x34_several_cards_in_one_turn():
    state = rolling(
        [5],
        *("mob KH", "hit 1", "hit 1", "hire", "hit 1"),
        hands={0: "AAAB"},
        men={1: 3},
        own={1: "KH QD"},
    )
    assert owned(state, 0) == "KH"
    assert men(state) == [2, 0, 1, 1, 1]
    assert hand(state, 0) == ""
    assert discards(state) == "AAAB"
    assert turn_of(state, 1)
