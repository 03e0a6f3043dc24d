"""Draw pile, discards, hand limit, end of the game and scoring (sections 10, 11 and 14)."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from gangland.envs.chicago import state as s
from gangland.envs.chicago.data import CARDS, CODES, FULL_DECK, MAN_POINTS, POINTS
from gangland.envs.chicago.state import MAX_MEN
from gangland.envs.core.state import NO_SEAT

from .scenes import (
    GAME,
    OPTIONS,
    all_walks,
    discards,
    drawing,
    events,
    hand,
    legal,
    men,
    owned,
    phase,
    play,
    rolling,
    scene,
    turn_of,
    walk,
)


@pytest.mark.rule("CU-10.1", "CU-12.1")
def test_each_flip_takes_a_uniformly_random_card_of_the_pile():
    """Chi-square test: 4 of one card, 2 of another, a joker and two territories, 9 cards."""
    own = {1: "QS KS JH QH KH JD QD KD JC QC"}
    start = scene(own=own, pile="5555TTR")
    assert start.pile_size == 9
    seen = Counter()
    games = 4500
    for seed in range(games):
        state = GAME.clone(start)
        state.rng = np.uint64(seed * 0x9E3779B97F4A7C15 % 2**64)
        GAME.apply(state, 1)
        kind, _, card, _ = events(state)[0]
        seen[CODES[card] if kind == s.FLIPPED else CARDS[card]] += 1
    wanted = {"5": 4, "T": 2, "R": 1, "JS": 1, "KC": 1}
    assert set(seen) == set(wanted)
    chi2 = sum((seen[c] - games * k / 9) ** 2 / (games * k / 9) for c, k in wanted.items())
    assert chi2 < 18.47  # 0.1 % point of 4 degrees of freedom


@pytest.mark.rule("CU-10.2")
@pytest.mark.parametrize(
    ("way", "pile"), [("unpaid", 52), ("refused", 51), ("raided", 53), ("bribe", 52)]
)
def test_all_discards_go_back_with_a_card_that_returns(way, pile):
    own, before = {1: "KH"}, "2233A"
    if way == "unpaid":
        state = drawing("JS", hands={0: "8"}, own=own, discards=before)
    elif way == "refused":
        state = drawing("JS", "no", hands={0: "88"}, own=own, discards=before)
    elif way == "raided":
        state = play(scene(hands={0: "R"}, own=own, discards=before), "raid KH")
    else:
        start = scene({"bribe": 5}, hands={0: "R", 1: "5"}, own=own, discards=before)
        state = play(start, "raid KH", "pay 5")
    # All but hands, owned territories and the joker just used.
    assert state.pile_size == pile
    assert discards(state) == ("R" if way in ("raided", "bribe") else "")
    assert state.pile[[0, 1, s.ACE]].tolist() == [4, 4, 4]


@pytest.mark.rule("CU-10.2", "CU-10.4")
def test_discards_change_only_as_the_rules_say():
    """They grow by cards used, paid and dropped, and are emptied by what returns to the pile."""
    emptied = grown = 0
    for before, _, after in all_walks():
        kinds = {kind for kind, *_ in events(after, before)}
        returned = {s.PUT_BACK, s.RAIDED} & kinds
        red_bribe = s.BRIBED in kinds and before.joker == s.RED_JOKER
        if after.deck_end == s.RESHUFFLE and before.pile_size <= 1:
            continue
        if not returned and not red_bribe:
            assert (after.discards >= before.discards).all()
            given = Counter()
            for kind, _, detail, more in events(after, before):
                if kind == s.DROPPED or (kind == s.PAID and more == s.NONE):
                    given[detail] += 1
                elif kind == s.HIT_MAN:
                    given[s.ACE] += 1
                elif kind in (s.MOBBED, s.BRIBED):
                    given[s.BLACK_JOKER] += 1
            assert (after.discards - before.discards).tolist() == [given[c] for c in range(12)]
            grown += bool(+given)
        else:
            emptied += 1
    assert emptied > 20
    assert grown > 20


@pytest.mark.rule("CU-10.3", "CU-15.2")
@pytest.mark.parametrize("deck_end", ["first_empty", "reshuffle"])
def test_an_empty_pile_at_the_end_of_a_turn(deck_end):
    own = {1: "JS QS KS JH QH KH", 2: "JD QD KD JC QC KC"}
    options = {"deck_end": deck_end}
    state = drawing("9", options=options, own=own, pile="9")
    assert bool(state.over) == (deck_end == "first_empty")
    if deck_end == "reshuffle":
        assert (state.pile_size, discards(state)) == (54 - 12 - 1, "")
        # CU-14.3: it ends only if the discards are empty too; here all cards are in hands.
        hands = {0: "222233334", 1: "4445555666", 2: "6777788889", 3: "99TTTTAAAA", 4: "RB"}
        options["hand_limit"] = 10
        state = drawing("9", options=options, n=6, own=own, pile="9", hands=hands)
        assert state.over
        assert not state.capped


@pytest.mark.rule("CU-10.4")
def test_territories_are_never_discarded():
    for _, _, after in all_walks():
        others = after.hands.sum() + after.discards.sum() + after.payment.sum()
        others += after.joker != s.NONE
        unowned = int((after.owner == s.NONE).sum())
        flipped = int(after.flipped != s.NONE)
        assert others + after.pile_size + flipped + (12 - unowned) == 54


@pytest.mark.rule("CU-11.1")
@pytest.mark.parametrize("limit", [3, 5, 10])
def test_surplus_cards_are_dropped_at_the_end_of_the_own_turn(limit):
    cards = "2345678999TT"[:limit]
    nobody = dict.fromkeys(range(1, 5), 0)
    options = {"hand_limit": limit}
    within = drawing("T", options=options, hands={0: cards[1:]}, men=nobody)
    assert turn_of(within, 1)
    assert len(hand(within, 0)) == limit
    above = drawing("T", options=options, hands={0: cards}, men=nobody)
    assert phase(above) == "DISCARD"
    assert len(hand(above, 0)) == limit + 1


@pytest.mark.rule("CU-11.1", "CU-8.7")
def test_territories_and_waiting_seats_are_not_counted():
    # Owns six territories and holds five cards: nothing to drop.
    own = {0: "JS QS KS JH QH KH"}
    assert turn_of(rolling([6], "hire", hands={0: "22345"}, own=own), 1)
    # A seat above the limit is only checked in its own turn.
    assert turn_of(rolling([6], "hire", hands={1: "2345678"}), 1)


@pytest.mark.rule("CU-11.2")
def test_cards_are_dropped_one_by_one_of_any_type_down_to_the_limit_only():
    start = rolling([6], "hire", hands={0: "2335TARB"}, own={1: "KH"})
    assert phase(start) == "CARDS"
    state = play(start, "end")
    assert legal(state) == [f"drop {card}" for card in "235TARB"]
    play(state, "drop B", "drop 3")
    assert legal(state) == [f"drop {card}" for card in "235TAR"]
    play(state, "drop A")
    assert hand(state, 0) == "235TR"
    assert discards(state) == "3AB"
    assert turn_of(state, 1)
    assert men(state)[0] == 2
    assert owned(state, 1) == "KH"


@pytest.mark.rule("CU-11.2", "CU-4.4")
def test_the_last_type_left_is_dropped_without_asking():
    nobody = dict.fromkeys(range(1, 4), 0)
    state = drawing("7", options={"hand_limit": 3}, n=4, hands={0: "777"}, men=nobody)
    assert hand(state, 0) == "777"
    assert discards(state) == "7"
    assert turn_of(state, 1)


NOBODY = dict.fromkeys(range(1, 5), 0)
ALL = "JS QS KS JH QH KH JD QD KD JC QC KC"


@pytest.mark.rule("CU-11.1", "CU-15.4")
@pytest.mark.parametrize("limit", range(3, 11))
def test_the_limit_counts_hand_cards_of_the_current_seat_only(limit):
    held = "2233445566"[:limit]
    state = drawing("T", options={"hand_limit": limit}, hands={0: held}, own={0: ALL}, men=NOBODY)
    # All twelve are owned already: the end is looked for when one is gained, so the turn goes on.
    assert phase(state) == "DISCARD"
    play(state, legal(state)[0])
    assert state.hand_size[0] == limit
    fits = drawing("T", options={"hand_limit": limit}, hands={0: held[1:]}, men=NOBODY)
    assert turn_of(fits, 1)


@pytest.mark.rule("CU-11.1")
def test_waiting_seats_keep_to_the_limit():
    for _, _, after in all_walks(2):
        waiting = [seat for seat in range(after.num_seats) if seat != after.current]
        assert max(after.hand_size[waiting]) <= after.hand_limit


@pytest.mark.rule("CU-11.2", "CU-10.4")
def test_dropping_one_by_one_to_the_limit_and_not_below():
    state = drawing("T", options={"hand_limit": 3}, hands={0: "2357A"}, men=NOBODY)
    assert legal(state) == ["drop 2", "drop 3", "drop 5", "drop 7", "drop T", "drop A"]
    play(state, "drop T")
    assert phase(state) == "DISCARD"
    play(state, "drop A", "drop 3")
    assert hand(state, 0) == "257"
    assert discards(state) == "3TA"
    assert turn_of(state, 1)


@pytest.mark.rule("CU-14.1")
@pytest.mark.parametrize("way", ["battle", "grab", "purchase", "mob"])
def test_twelve_territories_end_the_game_at_once(way):
    eleven = ALL.removesuffix(" KC")
    own = {0: eleven} | ({} if way == "purchase" else {1: "KC"})
    if way == "battle":
        state = rolling([6, 1], "battle KC", own=own)
    elif way == "grab":
        state = rolling([], "battle KC", own=own, men={1: 0})
    elif way == "mob":
        state = rolling([], "mob KC", own=own, hands={0: "B"})
    else:
        state = drawing("KC", "pay T", own=own, hands={0: "TT"})
    assert state.over
    assert (phase(state), state.seat) == ("OVER", NO_SEAT)
    assert not state.capped
    assert state.turns == 10
    assert GAME.result(state).places[0] == 1
    assert state.scores[0] >= 120 + 2


@pytest.mark.rule("CU-14.1")
def test_the_holder_of_all_twelve_always_wins():
    assert POINTS.sum() == 120
    money = sorted((card + 2 for card in range(9) for _ in range(FULL_DECK[card])), reverse=True)
    for limit, most in ((5, 59), (10, 102)):
        assert sum(money[:limit]) + MAN_POINTS * MAX_MEN == most
    options = {"hand_limit": 10}
    state = rolling(
        [6, 1, 1, 1, 1, 1],
        "battle KC",
        options=options,
        own={0: ALL.removesuffix(" KC"), 1: "KC"},
        hands={1: "TTTT999988"},
        men={1: 5},
    )
    assert state.scores[:2].tolist() == [122, 102]
    assert GAME.result(state).places[0] == 1


@pytest.mark.rule("CU-14.2", "CU-11.1")
def test_the_last_drawer_still_drops_to_the_limit():
    own = {0: "JS QS KS JH QH KH", 1: "JD QD KD JC QC KC"}
    state = drawing("9", hands={0: "22345"}, own=own, pile="9", men=NOBODY)
    assert not state.over
    assert phase(state) == "DISCARD"
    play(state, "drop 2")
    assert state.over
    assert state.turns == 11
    assert state.scores[0] == 60 + 2 + 2 + 3 + 4 + 5 + 9


@pytest.mark.rule("CU-14.3", "CU-10.3", "CU-15.2")
def test_with_reshuffle_the_game_ends_only_if_both_piles_are_empty():
    own = {0: "JS QS KS JH QH KH", 1: "JD QD KD JC QC KC"}
    held = {0: "2222", 1: "3333444455", 2: "5566667777", 3: "8888999", 4: "TTTTAAAARB"}
    options = {"deck_end": "reshuffle", "hand_limit": 10}
    state = drawing("9", options=options, hands=held, own=own, pile="9", men=NOBODY)
    assert state.over
    assert not state.capped
    assert discards(state) == ""


@pytest.mark.rule("CU-14.4", "CU-14.5")
def test_scores_and_places_of_whole_games():
    ends = 0
    for _, _, after in all_walks(3):
        if not after.over:
            continue
        ends += 1
        n = int(after.num_seats)
        keys = []
        for seat in range(n):
            points = int(POINTS[after.owner == seat].sum())
            cash = int((np.arange(2, 11) * after.hands[seat, :9]).sum())
            men = int(after.men[seat])
            assert after.scores[seat] == points + 2 * men + cash
            keys.append((int(after.scores[seat]), points, men))
        places = [1 + sum(other > key for other in keys) for key in keys]
        assert after.places[:n].tolist() == places
    assert ends == 18


@pytest.mark.rule("CU-14.5")
def test_a_full_tie_is_a_shared_win():
    state = rolling([1], "hire", options={"turn_cap": 11}, n=3, own={1: "JS", 2: "JH"})
    assert state.over
    assert GAME.result(state).win_shares == (0, 0.5, 0.5)
    assert GAME.result(state).rewards == (-1, 0.5, 0.5)
    # Equal scores and territory points: more henchmen win.
    state = rolling(
        [1],
        "hire",
        options={"turn_cap": 11},
        n=3,
        own={1: "JS", 2: "JH"},
        hands={2: "2"},
        men={1: 2},
    )
    assert state.scores[:3].tolist() == [2, 9, 9]
    assert GAME.result(state).win_shares == (0, 1, 0)


@pytest.mark.rule("CU-14.6", "CU-15.5")
@pytest.mark.parametrize(("n", "cap"), [(2, 240), (3, 240), (4, 240), (5, 300), (6, 360)])
def test_the_default_cap(n, cap):
    assert GAME.new_state(0, players=n).turn_cap == cap
    assert scene({"turn_cap": 7}, turn=3, n=n).turn_cap == 7
    lengths = [list(walk(seed, players=n))[-1][2] for seed in range(2)]
    assert all(state.turns <= cap for state in lengths)
    assert all(state.turns == cap for state in lengths if state.capped)


@pytest.mark.rule("CU-14.6")
def test_an_empty_pile_comes_before_the_cap():
    own = {0: "JS QS KS JH QH KH", 1: "JD QD KD JC QC KC"}
    state = drawing("9", options={"turn_cap": 11}, own=own, pile="9")
    assert state.over
    assert not state.capped


@pytest.mark.rule("CU-14.7")
def test_a_hand_above_the_limit_is_cut_before_scoring():
    eleven = ALL.removesuffix(" KC")
    state = drawing("KC", hands={0: "TT" + "245" + "AARB"}, own={0: eleven})
    play(state, "pay T", "pay T")
    assert state.over
    # Seven cards are left: dropping the two Aces is enough.
    assert hand(state, 0) == "245RB"
    state = drawing("KC", hands={0: "TT" + "23455A" + "RB"}, own={0: eleven})
    play(state, "pay T", "pay T")
    assert hand(state, 0) == "23455"
    assert state.scores[0] == 120 + 2 + 19
    state = drawing("KC", hands={0: "TT" + "234556"}, own={0: eleven})
    play(state, "pay T", "pay T")
    assert hand(state, 0) == "34556"
    state = drawing("KC", hands={0: "TT" + "445567"}, own={0: eleven})
    play(state, "pay T", "pay T")
    assert hand(state, 0) == "45567"


@pytest.mark.rule("CU-16.4")
def test_every_option_reaches_an_end():
    for options in OPTIONS:
        assert list(walk(9, **options))[-1][2].over
