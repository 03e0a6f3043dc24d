"""Hire, draw, battles, Aces, jokers and bribes (sections 5, 6, 8 and 9)."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from gangland.envs.chicago import state as s
from gangland.envs.chicago.heuristics import WIN_CHANCE
from tests.scenes import chance_seed, dice

from .scenes import (
    CODES,
    GAME,
    all_walks,
    discards,
    drawing,
    events,
    hand,
    legal,
    lines_for,
    men,
    next_card,
    owned,
    phase,
    play,
    rolling,
    scene,
    scene_text,
    turn_of,
    walk,
)

# --- hire ---------------------------------------------------------------------------------------


@pytest.mark.rule("CU-5.1", "CU-5.2", "CU-5.3", "CU-12.1")
@pytest.mark.parametrize("face", range(1, 7))
def test_the_die_decides_what_a_henchman_costs(face):
    state = rolling([face], "hire", hands={0: "5"})
    assert (s.ROLLED, 0, face, 0) in events(state)
    if face >= 4:
        assert men(state)[0] == 2
        assert hand(state, 0) == "5"
        assert turn_of(state, 1)
    else:
        assert men(state)[0] == 1
        assert (phase(state), state.price) == ("PAY_HIRE", 5)
        play(state, "pay 5")
        assert men(state)[0] == 2
        assert discards(state) == "5"


@pytest.mark.rule("CU-5.4", "CU-13.3")
def test_a_refused_hire_looks_like_one_without_money():
    refused = rolling([1], "hire", "no", hands={0: "5"})
    poor = rolling([1], "hire", hands={0: "2"})
    for state in (refused, poor):
        assert men(state)[0] == 1
        assert turn_of(state, 1)
    lines = [lines_for(state, 2) for state in (refused, poor)]
    assert lines[0][-1] == lines[1][-1]
    assert "hires nobody" in lines[0][-1]


@pytest.mark.rule("CU-5.5")
def test_five_henchmen_at_most():
    assert "hire" not in legal(scene(men={0: 5}, own={1: "JS"}))
    state = rolling([6], "hire", men={0: 4})
    assert men(state)[0] == 5
    assert all(after.men.max() <= 5 for _, _, after in all_walks(1))


@pytest.mark.rule("CU-5.6")
def test_hiring_with_nobody_left():
    assert men(rolling([4], "hire", men={0: 0}))[0] == 1


# --- draw ---------------------------------------------------------------------------------------


@pytest.mark.rule("CU-6.1", "CU-10.1", "CU-12.1")
def test_every_card_of_the_pile_can_come_and_only_once_each():
    text = scene_text(n=2, hands={0: "2"}, own={1: "KH"}, discards="33A")
    size = GAME.parse_position(text).pile_size
    assert size == 54 - 1 - 1 - 3
    seen = {}
    for index in range(size):
        state = GAME.parse_position(text)
        state.rng = chance_seed([(int(size), index)])
        GAME.apply(state, GAME.parse_action(state, "draw"))
        kind, _, card, _ = events(state)[0]
        key = (kind == s.FLIPPED, card)
        seen[key] = seen.get(key, 0) + 1
    pile = GAME.parse_position(text).pile.tolist()
    expected = {(False, card): count for card, count in enumerate(pile) if count}
    expected |= {(True, x): 1 for x, code in enumerate(CODES) if code != "KH"}
    assert seen == expected


@pytest.mark.rule("CU-6.2", "CU-6.6", "CU-6.7")
@pytest.mark.parametrize("card", "23456789TARB")
def test_all_but_territories_go_into_the_hand_unseen(card):
    state = drawing(card, own={1: "KH"})
    assert hand(state, 0) == card
    assert state.flipped == s.NONE
    usable = {"A": ["hit 1"], "R": ["raid KH"], "B": ["mob KH"]}.get(card)
    if usable:
        assert phase(state) == "CARDS"
        assert set(usable) <= set(legal(state))
        play(state, "end")
        assert hand(state, 0) == card
    assert turn_of(state, 1)
    own, other = (lines_for(drawing(card, own={1: "KH"}), viewer)[0] for viewer in (0, 1))
    assert own != other
    assert other.endswith("draws a card and keeps it.")


@pytest.mark.rule("CU-6.3", "CU-7.4")
@pytest.mark.parametrize(("code", "price"), [("JS", 10), ("QS", 15), ("KS", 20)])
def test_what_territories_cost(code, price):
    cash = {10: "T", 15: "5T", 20: "TT"}[price]
    state = drawing(code, hands={0: cash})
    assert state.price == price
    play(state, "pay T")
    assert owned(state, 0) == code
    assert discards(state) == cash
    one_less = {10: "9", 15: "4T", 20: "9T"}[price]
    assert turn_of(drawing(code, hands={0: one_less}), 1)


@pytest.mark.rule("CU-6.4", "CU-6.5", "CU-10.2", "CU-13.3")
def test_refusing_and_being_unable_look_the_same_and_end_the_action():
    refused = drawing("JS", hands={0: "T"}, discards="88A")
    assert refused.seat == 0
    play(refused, "no")
    unable = drawing("JS", hands={0: "9"}, discards="88A")
    for state in (refused, unable):
        assert owned(state, 0) == ""
        assert discards(state) == ""
        assert state.flipped == s.NONE
        assert turn_of(state, 1)
        assert state.pile_size == 53
    assert lines_for(refused, 2)[-1] == lines_for(unable, 2)[-1]


@pytest.mark.rule("CU-6.6", "CU-6.7")
def test_drawn_specials_may_be_kept_for_a_later_turn():
    state = drawing("B", "end", n=2, own={1: "KH"})
    assert turn_of(state, 1)
    GAME.apply(state, GAME.parse_action(state, "hire"))
    while state.current != 0:
        GAME.apply(state, GAME.legal_actions(state)[0])
    assert "mob KH" in legal(state)


# --- Aces, jokers, bribes -------------------------------------------------------------------------


@pytest.mark.rule("CU-8.1")
def test_cards_are_used_only_in_the_own_main_and_cards_phases():
    for before, action, _ in all_walks(4):
        if 25 <= action < 54:
            assert phase(before) in ("MAIN", "CARDS")
            assert before.seat == before.current


@pytest.mark.rule("CU-8.2", "CU-8.3")
def test_several_aces_on_one_rival():
    state = scene(hands={0: "AAA"}, men={2: 2}, own={2: "KH"})
    play(state, "hit 2", "hit 2")
    assert men(state)[2] == 0
    assert "hit 2" not in legal(state)
    assert "hit 1" in legal(state)
    assert discards(state) == "AA"
    play(state, "battle KH")
    assert owned(state, 0) == "KH"


@pytest.mark.rule("CU-8.4", "CU-10.2")
def test_henchmen_do_not_protect_from_a_raid():
    state = play(scene(hands={0: "R"}, men={1: 5}, own={1: "KH"}, discards="2A"), "raid KH")
    assert owned(state, 1) == ""
    assert men(state)[1] == 5
    assert discards(state) == "R"
    assert next_card(state, "KH")[0] == 53


@pytest.mark.rule("CU-8.5", "CU-8.7", "CU-8.8")
@pytest.mark.parametrize(("joker", "text"), [("R", "raid KH"), ("B", "mob KH")])
def test_a_refused_bribe_lets_the_joker_work(joker, text):
    state = scene({"bribe": 20}, hands={0: joker, 1: "TTT"}, own={1: "KH"}, discards="22")
    play(state, text)
    assert legal(state) == ["no", "pay T"]
    play(state, "no")
    assert owned(state, 1) == ""
    assert owned(state, 0) == ("KH" if joker == "B" else "")
    assert discards(state) == (joker if joker == "R" else "22" + joker)
    assert hand(state, 1) == "TTT"
    assert turn_of(state, 0)
    lost = lines_for(state, 2)[-1]
    assert "O'Banion loses Near North" in lost, lost
    assert ("back into the deck" in lost) == (joker == "R")


@pytest.mark.rule("CU-8.7", "CU-11.1", "CU-13.6")
def test_a_bribe_goes_to_the_user_whose_limit_counts_at_the_end_of_his_turn():
    state = scene(
        {"bribe": 20}, hands={0: "4567B", 1: "TTT"}, own={1: "KH"}, men={1: 0, 2: 0, 3: 0, 4: 0}
    )
    play(state, "mob KH", "pay T")
    assert hand(state, 0) == "4567TT"
    assert hand(state, 1) == "T"
    assert owned(state, 1) == "KH"
    # Payer and receiver are told the cards, the others their number.
    shown = {viewer: " ".join(lines_for(state, viewer)) for viewer in (0, 1, 2)}
    assert all("bribe of 2 cards" in text for text in shown.values())
    assert [("$10" in shown[viewer]) for viewer in (0, 1, 2)] == [True, True, False]
    state.rng = chance_seed(dice(5))
    play(state, "hire")
    assert phase(state) == "DISCARD"


@pytest.mark.rule("CU-8.8", "CU-7.3", "CU-15.3")
@pytest.mark.parametrize(("cash", "asked"), [("9T", False), ("TT", True), ("5555", True)])
def test_the_bribe_is_offered_only_to_those_who_have_it(cash, asked):
    state = scene({"bribe": 20}, hands={0: "B", 1: cash}, own={1: "KH"})
    play(state, "mob KH")
    assert (phase(state) == "BRIBE") == asked
    assert (owned(state, 0) == "KH") != asked


@pytest.mark.rule("CU-8.8")
def test_the_excess_of_a_bribe_is_lost_to_the_payer():
    state = scene({"bribe": 25}, hands={0: "B", 1: "TTT"}, own={1: "KH"})
    play(state, "mob KH", "pay T")
    assert hand(state, 1) == ""
    assert hand(state, 0) == "TTT"


@pytest.mark.rule("CU-8.9")
def test_no_bribe_is_ever_asked_with_the_default_options():
    phases = {phase(after) for seed in range(6) for _, _, after in walk(seed, bots=True)}
    assert "BRIBE" not in phases
    assert "CARDS" in phases
    lower = {phase(after) for seed in range(6) for _, _, after in walk(seed, bots=True, bribe=10)}
    assert "BRIBE" in lower


@pytest.mark.rule("CU-8.10")
def test_specials_without_a_target_stay_or_are_dropped():
    nobody = dict.fromkeys(range(1, 5), 0)
    state = scene(hands={0: "AARB"}, men=nobody)
    assert legal(state) == ["hire", "draw"]
    state = drawing("2", hands={0: "AAARB"}, men=nobody)
    assert phase(state) == "DISCARD"
    assert legal(state) == ["drop 2", "drop A", "drop R", "drop B"]
    play(state, "drop B")
    assert discards(state) == "B"


# --- battles --------------------------------------------------------------------------------------

TABLE = (
    (0.4167, 0.2546, 0.1736, 0.1259, 0.0948),
    (0.5787, 0.3897, 0.2807, 0.2107, 0.1624),
    (0.6597, 0.4716, 0.3523, 0.2708, 0.2122),
    (0.7074, 0.5257, 0.4028, 0.3150, 0.2500),
    (0.7385, 0.5637, 0.4398, 0.3484, 0.2792),
)
FIRST_ROW = (5 / 12, 55 / 216, 25 / 144, 979 / 7776, 1475 / 15552)


@pytest.mark.rule("CU-9.3", "CU-9.4")
def test_win_chances_by_enumeration():
    highest = [
        np.bincount([max(roll) for roll in product(range(1, 7), repeat=n)], minlength=7) / 6**n
        for n in range(1, 6)
    ]
    for own in range(5):
        for other in range(5):
            chance = sum(highest[own][face] * highest[other][:face].sum() for face in range(7))
            assert chance == pytest.approx(TABLE[own][other], abs=5e-5)
            assert WIN_CHANCE[own + 1, other + 1] == pytest.approx(chance, abs=1e-12)
    assert WIN_CHANCE[1, 1:] == pytest.approx(FIRST_ROW, abs=1e-12)
    assert (WIN_CHANCE[:, 0] == 1).all()


@pytest.mark.rule("CU-9.3", "CU-9.4", "CU-9.5", "CU-9.6")
@pytest.mark.parametrize("own", range(1, 6))
@pytest.mark.parametrize("other", range(1, 6))
def test_win_chances_by_playing(own, other):
    games = 1500
    start = GAME.parse_position(scene_text(men={0: own, 1: other}, own={1: "KH"}))
    fight = GAME.parse_action(start, "battle KH")
    won = 0
    for game in range(games):
        state = GAME.clone(start)
        state.rng = np.uint64(1000 * game + 10 * own + other)
        GAME.compiled.apply(state, fight)
        taken = state.owner[5] == 0
        assert taken == (state.dice[0].max() > state.dice[1].max())
        assert (state.dice[0] > 0).sum() == own
        assert (state.dice[1] > 0).sum() == other
        assert state.men[1] == other
        assert state.men[0] == own - (not taken)
        won += taken
    chance = TABLE[own - 1][other - 1]
    assert won / games == pytest.approx(chance, abs=4 * np.sqrt(chance * (1 - chance) / games))


@pytest.mark.rule("CU-9.1", "CU-9.2")
def test_an_undefended_territory_is_taken_without_dice():
    state = scene(men={1: 0}, own={1: "KH QC"})
    rng = state.rng
    play(state, "battle KH")
    assert state.rng == rng
    assert owned(state, 0) == "KH"
    assert owned(state, 1) == "QC"
    assert turn_of(state, 1)
    assert "battle KH" not in legal(scene(men={0: 0, 1: 0}, own={1: "KH"}))


@pytest.mark.rule("CU-9.2", "CU-9.6", "CU-9.7")
def test_nobody_is_forced_to_keep_a_defender():
    state = rolling([1, 6], "battle KH", own={0: "JS", 1: "KH"})
    assert men(state)[0] == 0
    assert owned(state, 0) == "JS"
    # Undefended himself, he loses it to anybody who comes.
    rng = state.rng
    play(state, "battle JS")
    assert owned(state, 1) == "JS KH"
    assert state.rng == rng


@pytest.mark.rule("CU-9.1")
def test_the_territory_is_named_before_the_dice():
    state = scene(own={1: "KH", 2: "QD", 3: "JC"})
    assert [text for text in legal(state) if "battle" in text] == [
        "battle KH",
        "battle QD",
        "battle JC",
    ]
