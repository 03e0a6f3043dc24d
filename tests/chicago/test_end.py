"""Hand limit, end of the game and scoring (sections 11 and 14)."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.chicago.data import FULL_DECK, MAN_POINTS, POINTS
from gangland.envs.chicago.state import MAX_MEN
from gangland.envs.core.state import NO_SEAT

from .scenes import (
    GAME,
    OPTIONS,
    all_walks,
    discards,
    drawing,
    hand,
    legal,
    phase,
    play,
    rolling,
    scene,
    turn_of,
    walk,
)

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
