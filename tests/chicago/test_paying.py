"""Paying (section 7)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

import pytest

from gangland.envs.chicago.actions import NO, PAY

from .scenes import (
    GAME,
    counts,
    discards,
    drawing,
    hand,
    legal,
    men,
    owned,
    play,
    rolling,
    scene,
    turn_of,
)


def minimal_sets(held, price):
    """All sets of these cards that reach the price and of which none can be left out."""
    found = set()

    def extend(value, chosen):
        if value > 10:
            total = sum(chosen)
            if total >= price and all(total - card < price for card in chosen):
                found.add(tuple(sorted(chosen)))
            return
        for count in range(held.count(value) + 1):
            extend(value + 1, chosen + [value] * count)

    extend(2, [])
    return found


def paths(state, held, price, paid=()):
    """Every way through the menus from here, as tuples of cards in the order paid."""
    if sum(paid) >= price:
        yield paid
        return
    left = list(held)
    for card in paid:
        left.remove(card)
    state.hands[0] = counts("".join("T" if card == 10 else str(card) for card in left))
    state.paid = sum(paid)
    state.last_paid = paid[-1] if paid else 0
    menu = GAME.legal_actions(state)
    assert (NO in menu) == (not paid)
    steps = [action - PAY + 2 for action in menu if action != NO]
    assert steps
    for value in steps:
        yield from paths(state, held, price, (*paid, value))


HANDS = [
    held
    for size in range(1, 7)
    for held in combinations_with_replacement(range(2, 11), size)
    if max(Counter(held).values()) <= 4
]


def check_menus(hands):
    state = drawing("JS", hands={0: "T"})
    checked = 0
    for held in hands:
        for price in (5, 10, 15, 20):
            if sum(held) < price:
                continue
            state.price = price
            taken = [tuple(sorted(path)) for path in paths(state, held, price)]
            assert len(taken) == len(set(taken)), (held, price)
            assert set(taken) == minimal_sets(held, price), (held, price)
            checked += 1
    return checked


@pytest.mark.rule("CU-7.2", "CU-7.3", "CU-16.2")
def test_every_minimal_set_is_reached_once_and_nothing_else():
    """All hands of up to 4 money cards, and every tenth of 5 or 6, at every price."""
    small = [held for held in HANDS if len(held) <= 4]
    assert check_menus(small + [held for held in HANDS if len(held) > 4][::10]) > 2000


@pytest.mark.slow
@pytest.mark.rule("CU-7.2", "CU-7.3")
def test_every_minimal_set_of_all_hands_up_to_six_cards():
    assert check_menus(HANDS) > 15_000


@pytest.mark.rule("CU-7.1")
def test_only_money_of_the_own_hand_pays():
    assert turn_of(drawing("KS", "end", hands={0: "9TA", 1: "TTT"}), 1)
    state = drawing("KS", hands={0: "TTARB"}, own={1: "KH"})
    assert legal(state) == ["no", "pay T"]


@pytest.mark.rule("CU-7.2")
def test_no_change_is_given():
    state = rolling([1], "hire", "pay T", hands={0: "T"})
    assert hand(state, 0) == ""
    assert discards(state) == "T"
    assert men(state)[0] == 2


@pytest.mark.rule("CU-7.4", "CU-8.5", "CU-8.7", "CU-10.4")
def test_where_the_paid_cards_go():
    assert discards(rolling([1], "hire", "pay 6", hands={0: "6"})) == "6"
    assert discards(drawing("JS", "pay T", hands={0: "T"})) == "T"
    before = {"hands": {0: "RB", 1: "TTTT"}, "own": {1: "KH QD"}, "discards": "2"}
    state = play(scene({"bribe": 20}, **before), "mob KH", "pay T")
    assert (hand(state, 0), discards(state)) == ("TTR", "2B")
    play(state, "raid QD", "pay T")
    assert discards(state) == "R"
    assert state.pile[8] == 2


@pytest.mark.rule("CU-7.5", "CU-4.5")
def test_the_first_card_accepts_and_no_refuses():
    state = drawing("KS", hands={0: "5577"})
    assert legal(state) == ["no", "pay 7"]
    state = drawing("QS", hands={0: "25578"})
    play(state, "pay 8")
    assert legal(state) == ["pay 5", "pay 7"]
    play(state, "pay 7")
    assert owned(state, 0) == "QS"
    assert hand(state, 0) == "255"
