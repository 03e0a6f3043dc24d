"""Rules of Kuhn and Leduc poker, by hand."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from gangland.envs import load
from gangland.envs.core.errors import NotationError

KUHN, LEDUC = load("kuhn"), load("leduc")


def play(game, cards, public, words):
    """A hand with these cards (names, lowest first), played by the words of its actions."""
    state = game.parse_position(
        f"{game.name.upper()}/1 n={len(cards.split(','))} cards={cards} public={public} bets=,"
    )
    for word in words.split():
        game.apply(state, game.parse_action(state, word))
    return state


def legal(game, state):
    return [game.action_text(state, action) for action in game.legal_actions(state)]


def net(state):
    """Chips that each seat has won."""
    return [int(score) / 2 for score in state.scores[: state.num_seats]]


@pytest.mark.rule("PK-1", "PK-2")
@pytest.mark.parametrize("players", range(2, 6))
def test_the_deal(players):
    for game, most in ((KUHN, 1), (LEDUC, 2)):
        seen = Counter()
        for seed in range(300):
            state = game.new_state(seed, players=players)
            assert state.stakes[:players].tolist() == [1] * players
            assert state.seat == 0
            dealt = [*state.cards[:players], *([state.public] if game is LEDUC else [])]
            assert max(Counter(dealt).values()) <= most
            seen.update(dealt)
        assert set(seen) == set(range(players + 1))
        assert min(seen.values()) > 0.7 * max(seen.values())
        states, probabilities = game.deals({"players": players})
        assert probabilities.sum() == pytest.approx(1)
        assert len({state.tobytes() for state in states}) == len(states)
    assert len(KUHN.deals({"players": 2})[0]) == 6
    # Three ranks, two of each, three cards: all triples but the three of one rank.
    assert len(LEDUC.deals({"players": 2})[0]) == 24


@pytest.mark.rule("PK-3")
def test_a_round_goes_on_until_all_have_answered_the_bet():
    state = play(KUHN, "J,Q,K", "-", "check bet")
    assert state.seat == 2
    assert legal(KUHN, state) == ["fold", "call"]
    state = play(KUHN, "J,Q,K", "-", "check bet call")
    assert state.seat == 0
    state = play(KUHN, "J,Q,K", "-", "check bet call fold")
    assert state.over
    assert net(state) == [-1, -2, 3]
    assert play(KUHN, "J,Q,K", "-", "check check check").over
    # A raise asks everybody again; who folded is not asked in the second round either.
    state = play(LEDUC, "J,Q,K", "J", "bet fold raise call")
    assert (state.phase, state.seat, state.stakes[:3].tolist()) == (1, 0, [5, 1, 5])
    state = play(LEDUC, "J,Q,K", "J", "bet raise fold call check")
    assert (state.phase, state.seat) == (1, 1)
    state = play(LEDUC, "J,Q,K", "J", "bet fold raise call check")
    assert (state.phase, state.seat) == (1, 2)


@pytest.mark.rule("PK-4")
def test_limits():
    start = play(KUHN, "J,K", "-", "")
    assert legal(KUHN, start) == ["check", "bet"]
    bet = play(KUHN, "J,K", "-", "bet")
    assert legal(KUHN, bet) == ["fold", "call"]
    assert bet.stakes[:2].tolist() == [2, 1]
    once = play(LEDUC, "J,K", "J", "bet")
    assert legal(LEDUC, once) == ["fold", "call", "raise"]
    twice = play(LEDUC, "J,K", "J", "bet raise")
    assert legal(LEDUC, twice) == ["fold", "call"]
    assert twice.stakes[:2].tolist() == [3, 5]
    second = play(LEDUC, "J,K", "J", "bet raise call bet raise")
    assert legal(LEDUC, second) == ["fold", "call"]
    assert second.stakes[:2].tolist() == [9, 13]


@pytest.mark.rule("PK-5")
def test_the_card_for_all():
    before = play(LEDUC, "J,K", "Q", "check")
    after = play(LEDUC, "J,K", "Q", "check check")
    block = LEDUC.observation_layout["public"]
    for seat in range(2):
        assert not block.of(LEDUC.observe(before, seat)).any()
        assert block.of(LEDUC.observe(after, seat)).argmax() == 4
    assert LEDUC.redact(before, 0).public == -1
    assert LEDUC.redact(after, 0).public == 1
    assert KUHN.new_state(0).public == -1


@pytest.mark.rule("PK-6")
def test_showdowns():
    assert net(play(KUHN, "K,Q", "-", "bet call")) == [2, -2]
    assert net(play(LEDUC, "J,K", "J", "check check check check")) == [1, -1]
    assert net(play(LEDUC, "Q,K", "J", "check check check check")) == [-1, 1]
    assert net(play(LEDUC, "Q,Q", "J", "bet call check check")) == [0, 0]
    # Three chips of a seat that folded are shared by two equal hands.
    state = play(LEDUC, "K,K,Q", "J", "check check bet call call bet call fold")
    assert net(state) == [1.5, 1.5, -3]
    assert state.places[:3].tolist() == [1, 1, 3]


@pytest.mark.rule("PK-7")
def test_the_last_seat_wins_without_showing():
    state = play(LEDUC, "J,K", "K", "bet fold")
    assert state.over
    assert net(state) == [1, -1]
    assert LEDUC.redact(state, 1).cards[0] == -1
    lines = LEDUC.narrate(play(LEDUC, "J,K", "K", "bet"), 0, state, None)
    assert lines == ["Player 1 folds.", "Player 0: +1 chips.", "Player 1: -1 chips."]


@pytest.mark.rule("PK-8")
def test_what_a_seat_knows():
    state = play(LEDUC, "J,Q,K", "J", "check bet fold call")
    known = LEDUC.redact(state, 0)
    assert known.cards[:3].tolist() == [1, -1, -1]
    drawn = Counter()
    for seed in range(600):
        sample = LEDUC.resample_hidden(state, 0, seed)
        assert (sample.cards[0], sample.public) == (1, 1)
        drawn[tuple(sample.cards[1:3].tolist())] += 1
    # Both jacks are seen: no other seat can hold one.
    assert set(drawn) == {(a, b) for a in (0, 2, 3) for b in (0, 2, 3)}
    assert abs(drawn[0, 0] / 600 - 2 / 6 / 5) < 0.03
    assert abs(drawn[0, 2] / 600 - 2 / 6 * 2 / 5) < 0.05
    over = play(LEDUC, "J,Q,K", "J", "check bet fold call check check")
    assert LEDUC.redact(over, 2).cards[:3].tolist() == [1, 2, 3]
    folded = play(LEDUC, "J,Q,K", "J", "check bet call fold check check")
    assert LEDUC.redact(folded, 2).cards[0] == -1


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("KUHN/1 n=9 cards=J public=- bets=,", "n=9"),
        ("KUHN/1 n=2 cards=J public=- bets=,", "must be 2 cards"),
        ("KUHN/1 n=2 cards=J,A public=- bets=,", "'A'"),
        ("KUHN/1 n=2 cards=J,J public=- bets=,", "1 of each rank"),
        ("KUHN/1 n=2 cards=J,Q public=- bets=rr,", "'r' is not legal"),
        ("LEDUC/1 n=2 cards=J,Q public=- bets=,", "must look like"),
    ],
)
def test_wrong_positions(text, wrong):
    with pytest.raises(NotationError, match=wrong):
        KUHN.parse_position(text)


def test_positions_that_a_seat_knows_have_a_notation():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        state = LEDUC.new_state(seed, players=3)
        while not LEDUC.is_over(state):
            for seat in range(3):
                text = LEDUC.position_text(LEDUC.redact(state, seat))
                assert LEDUC.position_text(LEDUC.parse_position(text)) == text
            LEDUC.apply(state, int(rng.choice(LEDUC.legal_actions(state))))
