"""Overview, components, setup, seats and options (sections 1 to 3 and 15), the deal (CU-12.1)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gangland.envs.chicago import data
from gangland.envs.chicago.state import ACE, BLACK_JOKER, MAX_MEN, RED_JOKER
from gangland.envs.core.errors import OptionError

from .scenes import (
    GAME,
    Chance,
    all_walks,
    drawing,
    legal,
    owned,
    phase,
    play,
    rolling,
    scene,
    turn_of,
)

# --- components and setup -------------------------------------------------------------------------


@pytest.mark.rule("CU-1.1")
def test_the_highest_score_wins():
    seen = 0
    for _, _, after in all_walks():
        if after.over:
            scores = after.scores[: after.num_seats]
            winners = np.flatnonzero(after.places[: after.num_seats] == 1)
            assert (scores[winners] == scores.max()).all()
            seen += 1
    assert seen == 12
    assert len(set(data.GANGSTERS)) == 6


@pytest.mark.rule("CU-1.2", "CU-2.1")
def test_the_kit():
    assert data.FULL_DECK.sum() + len(data.CODES) == 54
    money = data.FULL_DECK[:9]
    assert money.sum() == 36
    assert sum(int(count) * value for value, count in enumerate(money, 2)) == 216
    assert (money == 4).all()
    assert data.FULL_DECK[ACE] == 4
    assert data.FULL_DECK[RED_JOKER] == data.FULL_DECK[BLACK_JOKER] == 1
    assert MAX_MEN == 5


@pytest.mark.rule("CU-1.3")
def test_rivals_unowned_territories_and_cash():
    state = scene(hands={0: "27TARB"}, men={1: 0}, own={0: "JS", 1: "KH"})
    assert phase(drawing("KD", hands={0: "28TAR"})) == "PAY_TERR"
    assert phase(drawing("KD", hands={0: "27TAR"})) != "PAY_TERR"
    # Neither the own territory nor one in the pile is a target, nor is the seat itself.
    targets = [text for text in legal(state) if text.split()[-1] in data.CODES]
    assert targets == ["battle KH", "raid KH", "mob KH"]
    assert [text for text in legal(state) if text.startswith("hit")] == ["hit 2", "hit 3", "hit 4"]


@pytest.mark.rule("CU-2.2")
def test_card_types_in_canonical_order():
    assert data.CARDS == "23456789TARB"
    assert [data.CARDS.index(card) for card in "ARB"] == [ACE, RED_JOKER, BLACK_JOKER]


@pytest.mark.rule("CU-2.3")
def test_territories():
    table = [
        ("JS", "Loop", 10, 5),
        ("QS", "Levee", 15, 10),
        ("KS", "Gold Coast", 20, 15),
        ("JH", "Little Italy", 10, 5),
        ("QH", "Bridgeport", 15, 10),
        ("KH", "Near North", 20, 15),
        ("JD", "Cicero", 10, 5),
        ("QD", "Maxwell Street", 15, 10),
        ("KD", "Lakeshore", 20, 15),
        ("JC", "Stockyards", 10, 5),
        ("QC", "Back of the Yards", 15, 10),
        ("KC", "South Side", 20, 15),
    ]
    ours = zip(data.CODES, data.NAMES, data.PRICES.tolist(), data.POINTS.tolist(), strict=True)
    assert list(ours) == table


@pytest.mark.rule("CU-2.4")
def test_henchmen_are_zero_to_five_and_limited_by_nothing_else():
    seen = set()
    for _, _, after in all_walks():
        seen |= set(after.men[: after.num_seats].tolist())
    assert seen == {0, 1, 2, 3, 4, 5}
    assert "hire" in legal(scene(men=dict.fromkeys(range(1, 5), 5)))


@pytest.mark.rule("CU-2.5")
def test_what_the_types_are_for():
    state = scene(hands={0: "23456789T"}, own={1: "KH"})
    assert legal(state) == ["hire", "draw", "battle KH"]
    assert "hit 1" in legal(scene(hands={0: "A"}))
    paying = drawing("JS", hands={0: "TARB"}, own={1: "KH"})
    assert legal(paying) == ["no", "pay T"]


@pytest.mark.rule("CU-3.1", "CU-3.2", "CU-3.3", "CU-3.4", "CU-3.5", "CU-3.6", "CU-12.1")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_deal_follows_the_chance(players):
    """Card by card against a plain-Python deal: seat by seat, pile in canonical order."""
    for seed in range(60):
        state = GAME.new_state(seed, players=players)
        chance = Chance(seed)
        pile = [card for card, count in enumerate(data.FULL_DECK) for _ in range(count)]
        pile += [12 + x for x in range(12)]
        for seat in range(players):
            dealt = [pile.pop(chance.below(len(pile))) for _ in range(3)]
            hand = np.bincount([card for card in dealt if card < 12], minlength=12)
            assert state.hands[seat].tolist() == hand.tolist()
            free = sorted(card - 12 for card in dealt if card >= 12)
            assert owned(state, seat) == " ".join(data.CODES[x] for x in free)
            assert state.hand_size[seat] == 3 - len(free)
        assert turn_of(state, chance.below(players))
        assert state.men[:players].tolist() == [1] * players
        assert state.pile_size == len(pile) == 54 - 3 * players
        assert state.discards.sum() == 0
        assert state.turns == 0


@pytest.mark.rule("CU-3.1", "CU-3.3")
def test_free_territories_at_the_deal():
    """The chance of none is 11480 / 24804, the mean 2 / 3 a seat."""
    assert math.comb(42, 3) == 11480
    assert math.comb(54, 3) == 24804
    games = 4000
    free = np.array([(GAME.new_state(seed).owner == 0).sum() for seed in range(games)])
    none = 11480 / 24804
    assert (free == 0).mean() == pytest.approx(none, abs=3.5 * math.sqrt(none / 2 / games))
    assert free.mean() == pytest.approx(2 / 3, abs=3.5 * free.std() / math.sqrt(games))


@pytest.mark.rule("CU-3.6")
def test_the_first_seat_is_drawn_evenly():
    firsts = np.bincount([GAME.new_state(seed).current for seed in range(5000)], minlength=5)
    chi_square = ((firsts - 1000) ** 2 / 1000).sum()
    assert chi_square < 18.5  # 99.9 % quantile at 4 degrees of freedom


@pytest.mark.rule("CU-3.6")
def test_turns_go_clockwise():
    for before, _, after in all_walks(1):
        moved = (after.turns - before.turns) % after.num_seats
        if not after.over:
            assert after.current == (before.current + moved) % after.num_seats


# --- seats and options ----------------------------------------------------------------------------


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
