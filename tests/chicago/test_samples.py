"""Samples of hidden cards against the true distribution, by rejection (CU-13.7).

Many worlds are dealt at random and the same public happenings are played in each; those that the
viewer could not tell from his own are kept. Hands in them are as frequent as in samples. What a
rival chooses is fixed, whatever he holds: how likely a player is to act so is no part of a sample.
Nor is what was seen before, such as discards that have gone back into the pile (CU-13.8).
"""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.chicago.data import CARDS

from ..sampling import assert_same_distribution
from .scenes import GAME, hand, scene

WORLDS = 40_000
SAMPLES = 1500
ALL = "JS QS KS JH QH KH JD QD KD JC QC KC"


def happen(state, plan):
    """Play those actions of ``plan`` that are legal, in order; forced ones play themselves."""
    for text in plan:
        legal = {GAME.action_text(state, action): action for action in GAME.legal_actions(state)}
        if text in legal:
            GAME.compiled.apply(state, legal[text])


def worlds(start, viewer, plan, public, known, enough):
    """Worlds with other hidden cards in which the same happened and ``viewer`` knows the same.

    If all chance is ``public``, it comes out alike in all worlds: no hidden card is drawn.
    """
    chance = np.random.default_rng(5)
    hidden = start.pile.copy()
    rivals = [seat for seat in range(start.num_seats) if seat != viewer]
    for seat in rivals:
        hidden += start.hands[seat]
    cards = np.repeat(np.arange(len(CARDS)), hidden)
    found = 0
    for _ in range(WORLDS):
        state = GAME.clone(start)
        deal = chance.permutation(cards)
        at = 0
        for seat in rivals:
            held = deal[at : at + state.hand_size[seat]]
            state.hands[seat] = np.bincount(held, minlength=len(CARDS))
            at += len(held)
        state.pile = np.bincount(deal[at:], minlength=len(CARDS))
        if not public:
            state.rng = chance.integers(2**64, dtype=np.uint64)
        happen(state, plan)
        if GAME.redact(state, viewer).tobytes() == known:
            yield state
            found += 1
            if found == enough:
                return


CASES = {
    "rivals draw and hire": (
        {
            "n": 3,
            "hands": {0: "9", 1: "5A", 2: "T"},
            "own": {0: ALL.removesuffix(" KC"), 2: "KC"},
            "pile": "5TT2A4",
            "cur": 1,
        },
        0,
        ["draw", "end", "hire", "end"],
        [(6, 0), (6, 5)],
    ),
    "a rival is asked for the price of a territory": (
        {
            "n": 3,
            "hands": {0: "9", 1: "TTA", 2: "5"},
            "own": {0: ALL.removesuffix(" KC")},
            "pile": "99T725",
            "cur": 1,
        },
        0,
        ["draw"],
        [(7, 6)],
    ),
    "a rival who is asked may hold what is no money": (
        {
            "n": 3,
            "hands": {0: "9", 1: "TTA", 2: "5"},
            "own": {0: ALL.removesuffix(" KC")},
            "pile": "9T7RB5",
            "cur": 1,
        },
        0,
        ["draw"],
        [(7, 6)],
    ),
    "few hands of a rival hold the price": (
        {
            "n": 3,
            "hands": {0: "9", 1: "TT2"},
            "own": {0: ALL.removesuffix(" KC")},
            "pile": "22233334444AAAA",
            "cur": 1,
        },
        0,
        ["draw"],
        [(16, 15)],
    ),
    "a rival could not or would not pay": (
        {"n": 3, "hands": {0: "9", 1: "T", 2: "5"}, "own": {0: ALL.removeprefix("JS ")}, "cur": 1},
        0,
        ["draw", "no", "end"],
        [(40, 39)],
    ),
    "an owner is asked for a bribe": (
        {
            "n": 3,
            "options": {"bribe": 15},
            "hands": {0: "R", 1: "6T2", 2: "9"},
            "own": {1: ALL},
            "pile": "5589TA",
        },
        2,
        ["raid KH"],
        [],
    ),
    "a mob bribe has been refused": (
        {
            "n": 3,
            "options": {"bribe": 15},
            "hands": {0: "B4", 1: "6T2", 2: "9"},
            "own": {1: ALL},
            "pile": "5589TA",
        },
        2,
        ["mob KH", "no"],
        [],
    ),
}


@pytest.mark.rule("CU-13.7")
@pytest.mark.parametrize("name", CASES)
def test_samples_have_the_true_distribution(name):
    """A chi-square test; with seeds drawn at random it would fail once in 10,000."""
    differences, viewer, plan, chance = CASES[name]
    start = scene(chance=chance, **differences)
    public = name != "rivals draw and hire"
    seen = GAME.clone(start)
    happen(seen, plan)
    known = GAME.redact(seen, viewer).tobytes()
    rivals = [seat for seat in range(3) if seat != viewer]
    hands = [
        tuple(hand(state, seat) for seat in rivals)
        for state in worlds(start, viewer, plan, public, known, SAMPLES)
    ]
    assert len(hands) >= 500
    samples = (GAME.resample_hidden(seen, viewer, seed) for seed in range(SAMPLES))
    drawn = [tuple(hand(state, seat) for seat in rivals) for state in samples]
    kinds = assert_same_distribution(hands, drawn)
    assert kinds > 3
