"""A rival who had a choice and one who had none look the same afterwards (CU-4.4, section 13)."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.chicago import state as s
from tests.scenes import chance_seed
from tests.scenes import dice as draws_of

from .scene import GAME, next_card, phase, scene
from .walks import OPTIONS

NOBODY = dict.fromkeys(range(1, 5), 0)


def follow(state, plan, viewer, most=12):
    """Play the first action of ``plan`` that is legal, until the turn passes on.

    Returns:
        All that ``viewer`` is told, and how many decisions it took.
    """
    lines = []
    first = int(state.turns)
    for asked in range(most):
        if state.over or state.turns > first:
            return lines, asked
        legal = {GAME.action_text(state, action): action for action in GAME.legal_actions(state)}
        action = next(legal[text] for text in plan if text in legal)
        before = GAME.clone(state)
        GAME.apply(state, action)
        lines += GAME.narrate(before, action, state, viewer)
    raise AssertionError(f"the plan {plan} does not end the turn")


def pair(hands, plan, card=None, dice=(), **differences):
    """Two scenes that differ in one hidden hand; ``card`` is drawn or ``dice`` are rolled next."""
    for hand in hands:
        state = scene(chance=draws_of(*dice), hands=hand, **differences)
        if card is not None:
            state.rng = chance_seed([next_card(state, card)])
        yield state, plan


PAIRS = {
    "a territory refused, or not to be paid": {
        "hands": [{0: "TT"}, {0: "9T"}], "card": "KC", "discards": "88A", "plan": ["draw", "no"]
    },
    "a hire refused, or not to be paid": {
        "hands": [{0: "5"}, {0: "4"}], "dice": [2], "plan": ["hire", "no"]
    },
    "a drawn card kept by one with an Ace, and by one without": {
        "hands": [{0: "A"}, {0: "2"}], "card": "R", "plan": ["draw", "end"]
    },
    "a hire by one with a joker, and by one without": {
        "hands": [{0: "B"}, {0: "2"}], "dice": [5], "own": {1: "KH"}, "plan": ["hire", "end"]
    },
    "a battle by one with an Ace, and by one without": {
        "hands": [{0: "A"}, {0: "2"}], "dice": [5, 2], "own": {1: "KH"},
        "plan": ["battle KH", "end"],
    },
    "a card dropped by choice, and the only type held": {
        "hands": [{0: "TTTT"}, {0: "258T"}], "dice": [6], "own": {1: "KH"},
        "options": {"hand_limit": 3},
        "plan": ["hire", "end", "drop T"],
    },
    "a card dropped by one with an Ace, and by one without": {
        "hands": [{0: "AT5"}, {0: "T75"}], "card": "9", "men": NOBODY | {1: 1},
        "options": {"hand_limit": 3},
        "plan": ["draw", "end", "drop T"],
    },
    "a hire paid with the only cards there are, and with some of many": {
        "hands": [{0: "349"}, {0: "344"}], "dice": [2], "plan": ["hire", "pay 3", "pay 4"]
    },
    "a territory paid with the only cards there are, and with some of many": {
        "hands": [{0: "29RB"}, {0: "2789"}], "card": "JH", "plan": ["draw", "pay 9", "pay 2"]
    },
    "a raid that the owner lets happen, or cannot help": {
        "hands": [{0: "R", 1: "TTT"}, {0: "R", 1: "222"}], "own": {1: "KH"}, "dice": [5],
        "options": {"bribe": 25}, "plan": ["raid KH", "no", "hire"],
    },
    "a mob attack that the owner lets happen, or cannot help": {
        "hands": [{0: "B", 1: "TTT"}, {0: "B", 1: "222"}], "own": {1: "KH"}, "dice": [5],
        "options": {"bribe": 25}, "plan": ["mob KH", "no", "hire"],
    },
}  # fmt: skip


@pytest.mark.rule("CU-13.1", "CU-13.3", "CU-13.4", "CU-4.4")
@pytest.mark.parametrize("name", PAIRS)
def test_with_or_without_a_choice_all_is_the_same(name):
    """Same record of every onlooker byte by byte, same sentences in sum, same sequel."""
    given = dict(PAIRS[name])
    onlookers = (2, 3, 4) if any(1 in hand for hand in given["hands"]) else (1, 2, 3, 4)
    for viewer in onlookers:
        worlds = list(pair(**given))
        seen = [follow(state, plan, viewer) for state, plan in worlds]
        assert seen[0][1] != seen[1][1], "one of the two is to be asked more often"
        assert seen[0][0] == seen[1][0]
        states = [state for state, _ in worlds]
        assert states[0].hands.tobytes() != states[1].hands.tobytes()
        states[1].rng = states[0].rng
        for _ in range(3):
            known = [GAME.redact(state, viewer).tobytes() for state in states]
            assert known[0] == known[1]
            lines = [follow(state, ["hire", "no"], viewer)[0] for state in states]
            assert lines[0] == lines[1]


def visible_plan(rng):
    """An order in which any seat likes its actions, whatever its hand."""
    verbs = ["draw", "hire", "battle", "end", "no", "pay", "drop", "hit", "raid", "mob"]
    order = {verb: k for k, verb in enumerate(rng.permutation(verbs))}

    def choose(state):
        texts = {GAME.action_text(state, a): a for a in GAME.legal_actions(state)}
        return texts[min(texts, key=lambda text: (order[text.split()[0]], text))]

    return choose


def lines_of_turn(state, choose, viewer):
    """Play to the end of the turn; all that ``viewer`` is told."""
    lines = []
    first = int(state.turns)
    while not state.over and state.turns == first:
        before, action = GAME.clone(state), choose(state)
        GAME.apply(state, action)
        lines += GAME.narrate(before, action, state, viewer)
    return lines


@pytest.mark.rule("CU-13.1", "CU-13.3", "CU-13.4")
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_turns_that_sound_the_same_leave_the_same_record(options):
    """Hidden cards are redrawn, a turn is played in both worlds by the same taste."""
    rng = np.random.default_rng(7)
    alike = 0
    for game in range(25):
        state = GAME.new_state(game, **options)
        for _ in range(int(rng.integers(60))):
            before = GAME.clone(state)
            GAME.apply(state, int(rng.choice(GAME.legal_actions(state))))
            if state.over:
                state = before
                break
        if phase(state) != "MAIN":
            continue
        for other in range(1, state.num_seats):
            viewer = (state.current + other) % state.num_seats
            choose = visible_plan(rng)
            worlds = [
                GAME.resample_hidden(state, viewer, seed) for seed in (2 * game, 2 * game + 1)
            ]
            worlds[1].rng = worlds[0].rng
            lines = [lines_of_turn(world, choose, viewer) for world in worlds]
            if lines[0] != lines[1] or any(world.over for world in worlds):
                continue
            known = [GAME.redact(world, viewer).tobytes() for world in worlds]
            assert known[0] == known[1]
            alike += 1
    assert alike >= 10


@pytest.mark.rule("CU-13.3", "CU-13.4")
def test_decisions_that_nobody_sees_change_nothing():
    """A hire that waits for its payment, cards laid down, and the start of dropping."""
    start = scene(chance=[(6, 1)], hands={0: "3449"})
    for text in ("hire", "pay 4"):
        before = [GAME.redact(start, viewer).tobytes() for viewer in range(1, 5)]
        GAME.apply(start, GAME.parse_action(start, text))
        assert start.phase == s.PAY_HIRE
        assert [GAME.redact(start, viewer).tobytes() for viewer in range(1, 5)] == before
    dropping = scene(hands={0: "22335TA"}, phase="CARDS", acted=1)
    before = [GAME.redact(dropping, viewer).tobytes() for viewer in range(1, 5)]
    GAME.apply(dropping, GAME.parse_action(dropping, "end"))
    assert dropping.phase == s.DISCARD
    assert [GAME.redact(dropping, viewer).tobytes() for viewer in range(1, 5)] == before


@pytest.mark.parametrize(
    ("men", "own", "hidden"),
    [
        ({0: 5}, {0: "JS"}, True),
        ({0: 5}, {}, True),
        ({0: 4}, {0: "JS"}, False),  # he may hire
        ({0: 5}, {1: "JS"}, False),  # he may fight
    ],
)
def test_a_first_action_that_only_a_card_makes_a_choice_is_hidden(men, own, hidden):
    """Without a card for a hit he would not have been asked: he would have had to draw."""
    state = scene(hands={0: "A"}, men=men, own=own)
    assert phase(state) == "MAIN"
    assert GAME.hides_decision(state, 1) is hidden
    assert GAME.hides_decision(state, 0) is False
