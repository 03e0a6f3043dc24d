"""Overview, components, setup (sections 1 to 3), the chance of the deal (CU-12.1)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gangland.envs.chicago import data
from gangland.envs.chicago.state import ACE, BLACK_JOKER, MAX_MEN, RED_JOKER

from .scene import GAME, drawing, legal, owned, phase, scene, turn_of
from .walks import Chance, all_walks


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
