"""The turn, phases and legal choices (section 4), paying (7), dead ends and bounds (16)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

import numpy as np
import pytest

from gangland.envs.chicago import state as s
from gangland.envs.chicago.actions import BATTLE, DRAW, DROP, END, HIRE, HIT, MOB, NO, PAY, RAID
from tests.scenes import chance_seed, dice

from .scenes import (
    GAME,
    OPTIONS,
    all_walks,
    counts,
    discards,
    drawing,
    events,
    hand,
    legal,
    men,
    next_card,
    owned,
    phase,
    play,
    rolling,
    scene,
    turn_of,
    walk,
)

ACTIONS = {s.ROLLED, s.DREW, s.FLIPPED, s.FOUGHT, s.GRABBED}


def expected_legal(state):
    """The legal choices by the words of CU-4.3, 7.3 and section 8, written a second time."""
    seat, n = int(state.seat), int(state.num_seats)
    held = state.hands[seat].tolist()
    rival = [x for x in range(12) if state.owner[x] not in (s.NONE, seat)]
    cards = [HIT + step for step in range(n - 1) if held[9] and state.men[(seat + step + 1) % n]]
    cards += [RAID + x for x in rival if held[10]] + [MOB + x for x in rival if held[11]]
    name = phase(state)
    if name == "MAIN":
        found = cards + [BATTLE + x for x in rival if state.men[seat] >= 1]
        found += [HIRE] if state.men[seat] < 5 else []
        found += [DRAW] if state.pile_size > 0 else []
    elif name == "CARDS":
        found = [END, *cards]
    elif name == "DISCARD":
        found = [DROP + card for card in range(12) if held[card]]
    else:
        found = [NO] if state.paid == 0 else []
        for value in range(2, 11):
            reach = sum(v * held[v - 2] for v in range(2, value + 1))
            not_larger = state.last_paid == 0 or value <= state.last_paid
            if held[value - 2] and not_larger and state.paid + reach >= state.price:
                found.append(PAY + value - 2)
    return sorted(found)


@pytest.mark.rule("CU-4.3", "CU-4.4", "CU-7.3", "CU-8.1", "CU-8.2", "CU-9.1", "CU-11.2")
def test_legal_choices_and_never_just_one():
    seen = set()
    for before, _, _ in all_walks(4):
        found = GAME.legal_actions(before)
        assert found == expected_legal(before)
        assert len(found) >= 2
        seen.add(phase(before))
    assert seen == set(GAME.phases) - {"OVER"}


@pytest.mark.rule("CU-4.1", "CU-8.1")
def test_exactly_one_action_a_turn():
    for options in OPTIONS:
        actions = 0
        for before, _, after in walk(3, bots=True, **options):
            for kind, *_ in events(after, before):
                actions += kind in ACTIONS
                if kind == s.NEXT_TURN:
                    assert actions == 1
                    actions = 0
        assert actions == 1


@pytest.mark.rule("CU-4.2", "CU-4.3")
def test_the_order_of_phases_within_a_turn():
    order = {"MAIN": 0, "PAY_HIRE": 1, "PAY_TERR": 1, "CARDS": 2, "DISCARD": 3}
    pairs = set()
    for before, _, after in all_walks(4):
        if after.over or phase(after) == "BRIBE" or phase(before) == "BRIBE":
            continue
        if before.turns == after.turns:
            assert order[phase(before)] <= order[phase(after)]
            pairs.add((phase(before), phase(after)))
    assert ("MAIN", "CARDS") in pairs
    assert ("PAY_TERR", "CARDS") in pairs
    assert ("CARDS", "DISCARD") in pairs
    assert ("PAY_HIRE", "DISCARD") in pairs or ("MAIN", "DISCARD") in pairs


@pytest.mark.rule("CU-4.3", "CU-8.8")
@pytest.mark.parametrize(("acted", "name"), [(0, "MAIN"), (1, "CARDS")])
@pytest.mark.parametrize("answer", ["no", "pay T"])
def test_after_a_bribe_the_current_seat_goes_on_where_it_was(acted, name, answer):
    state = scene(
        {"bribe": 20},
        hands={0: "5AB", 1: "TTT"},
        own={1: "KH"},
        acted=acted,
        phase=name,
    )
    GAME.apply(state, GAME.parse_action(state, "mob KH"))
    assert (phase(state), state.seat) == ("BRIBE", 1)
    GAME.apply(state, GAME.parse_action(state, answer))
    assert (phase(state), state.seat, state.acted) == (name, 0, acted)


@pytest.mark.rule("CU-4.4")
def test_forced_decisions_are_played():
    # Everybody has 5 henchmen and nobody owns anything: seat 1 can only draw, then only end.
    full = {0: 4, 1: 5, 2: 5, 3: 5, 4: 5}
    state = play(scene(chance=[*dice(4), (54, 0)], men=full), "hire")
    assert hand(state, 1) == "2"
    assert state.turns >= 12
    assert len(legal(state)) >= 2
    # One type left to drop.
    dropped = drawing("2", options={"hand_limit": 3}, hands={0: "222"})
    assert turn_of(dropped, 1)
    assert dropped.hands[0].sum() == 3
    assert dropped.discards[0] == 1


@pytest.mark.rule("CU-4.4", "CU-13.3")
@pytest.mark.parametrize(("held", "asked"), [("22", False), ("23", True)])
def test_payments_are_offered_only_to_those_with_the_money(held, asked):
    state = rolling([1], "hire", hands={0: held})
    assert (phase(state) == "PAY_HIRE") == asked
    assert turn_of(state, 1) != asked


@pytest.mark.rule("CU-4.5", "CU-16.2")
def test_a_payment_once_begun_is_completed():
    begun = 0
    for before, action, after in all_walks(4):
        if phase(before) in ("PAY_HIRE", "PAY_TERR", "BRIBE") and action != NO:
            begun += 1
            if after.paid:
                assert NO not in GAME.legal_actions(after)
                assert all(PAY <= option < BATTLE for option in GAME.legal_actions(after))
                assert after.seat == before.seat
    assert begun > 100


@pytest.mark.rule("CU-16.1")
def test_the_pile_is_never_empty_when_a_turn_starts():
    for _, _, after in all_walks(4):
        if phase(after) == "MAIN":
            assert after.pile_size > 0
            assert DRAW in GAME.legal_actions(after)
    assert [54 - 3 * n for n in (2, 6)] == [48, 36]


@pytest.mark.rule("CU-16.3")
def test_every_use_of_a_card_spends_one():
    used = 0
    for before, action, after in all_walks(4):
        if RAID <= action < DROP:
            fewer = before.hands[before.seat, 9:].sum() - after.hands[before.seat, 9:].sum()
            drawn = sum(
                kind == s.DREW and seat == before.seat and card >= s.ACE
                for kind, seat, card, _ in events(after, before)
            )
            assert fewer + drawn == 1 or after.turns > before.turns
            used += 1
    assert used > 50


@pytest.mark.rule("CU-16.4", "CU-14.6")
def test_a_table_that_never_draws_meets_the_cap():
    state = GAME.new_state(3, players=3)
    while not state.over:
        mask = GAME.action_mask(state)
        mask[DRAW] = False
        GAME.apply(state, int(np.flatnonzero(mask)[-1]) if mask.any() else DRAW)
    assert state.capped
    assert state.turns == 240


@pytest.mark.rule("CU-16.5", "CU-5.6")
def test_a_seat_with_nothing_plays_on():
    state = scene(men={0: 0}, own={1: "KH"}, hands={1: "TT"})
    assert legal(state) == ["hire", "draw"]
    state = rolling([6], "hire", men={0: 0}, own={1: "KH"}, hands={1: "TT"})
    assert men(state)[0] == 1
    assert turn_of(state, 1)


@pytest.mark.rule("CU-16.6")
def test_the_largest_hand_within_a_turn():
    """Five cards, with a bribe of five for the black joker; the red one brings it back."""
    state = scene(
        {"bribe": 14}, hands={0: "999RB", 1: "22334", 2: "22334"}, own={1: "KH", 2: "KD QD"}
    )
    play(state, "mob KH", "pay 4")
    assert (hand(state, 0), state.hand_size[0]) == ("22334999R", 9)
    play(state, "raid KD", "no")
    state.rng = chance_seed([next_card(state, "B")])
    play(state, "draw", "mob QD", "pay 4")
    assert state.hand_size[0] == 3 * 5 - 2 == 13
    assert (phase(state), state.seat) == ("CARDS", 0) or phase(state) == "DISCARD"


@pytest.mark.rule("CU-16.6", "CU-11.1")
def test_no_hand_exceeds_its_bounds():
    largest = 0
    for seed in (0, 31, 45, 65):  # three of them with a hand of five
        for _, _, after in walk(seed, bots=True, players=3, hand_limit=3, bribe=5):
            assert after.hand_size.max() <= 3 * 3 - 2
            largest = max(largest, int(after.hand_size.max()))
    assert largest > 4


@pytest.mark.rule("CU-4.4", "CU-8.1")
def test_a_full_gang_without_a_rival_territory_still_has_its_cards_to_play():
    state = scene(phase="CARDS", acted=1, hands={0: "A", 1: "A"}, men={0: 5, 1: 5, 2: 1})
    play(state, "end")
    assert turn_of(state, 1)
    assert sorted(legal(state)) == ["draw", "hit 0", "hit 2", "hit 3", "hit 4"]


@pytest.mark.rule("CU-4.4")
def test_forced_decisions_are_played_and_not_counted():
    state = scene(phase="CARDS", acted=1, hands={0: "A"}, men=dict.fromkeys(range(5), 5))
    state.rng = chance_seed([next_card(state, "A")])
    before = int(state.ply)
    play(state, "end")
    # The next seat can only draw, and may then use the Ace that it has drawn.
    assert hand(state, 1) == "A"
    assert (phase(state), state.seat) == ("CARDS", 1)
    assert state.ply == before + 1


# --- paying ---------------------------------------------------------------------------------------


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
