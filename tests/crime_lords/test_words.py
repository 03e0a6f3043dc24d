"""Words for people: offers, questions, cards."""

from __future__ import annotations

import pytest

from gangland.envs import load
from gangland.envs.core.guide import Choice
from gangland.envs.crime_lords import actions as act
from gangland.envs.crime_lords.data.tables import CARDS_DATA
from gangland.envs.crime_lords.state import PHASES
from gangland.envs.crime_lords.words.cards import ability_mark, ability_text
from gangland.envs.crime_lords.words.questions import phase_words

from .scenes import scene
from .test_offers import HAND


def told(game, state, texts, viewer):
    """What a seat hears of some decisions, from what it knows."""
    lines = []
    for text in texts:
        before = game.clone(state)
        action = game.parse_action(state, text)
        game.apply(state, action)
        own = viewer == before.seat
        known = game.redact(before, viewer), game.redact(state, viewer)
        lines += game.narrate(known[0], action if own else -1, known[1], viewer)
    return lines


@pytest.mark.rule("CL-16.4", "CL-16.14")
@pytest.mark.parametrize(("answer", "word"), [("YES", "accepted"), ("PASS", "refused")])
def test_an_offer_is_told_with_its_terms_and_its_end(game, answer, word):
    offer = ("OFFER", "P+1", "CHP-N", "AMT 5", "CAS-N", answer)
    given = "North Side Chop Shops and 5 G"
    said = f"The Old Family offers The Downtowners {given} for North Side Casinos: {word}."
    state = scene(game, HAND.format("S03"))
    own = told(game, state, offer, 0)
    assert own[0] == said
    assert len([line for line in own if "offer" in line.lower()]) == 1
    partner = scene(game, HAND.format("S03"))
    assert said in told(game, partner, offer, 1)
    third = scene(game, HAND.format("S03"))
    heard = told(game, third, offer, 2)
    assert not [line for line in heard if "offer" in line.lower() or "5 G" in line]
    assert bool(heard) == (word == "accepted"), "the cards that change hands are seen by all"


@pytest.mark.rule("CL-16.5")
def test_the_partner_is_asked_with_the_terms(game):
    state = scene(game, HAND.format("S03"))
    for text in ("OFFER", "P+1", "PASS", "AMT 0", "CAS-N", "AMT 5"):
        game.apply(state, game.parse_action(state, text))
    asked = "The Old Family offers The Downtowners nothing for North Side Casinos and 5 G: accept?"
    assert game.question(game.redact(state, 1)) == asked


def test_every_ability_has_words():
    for kind in ("mobs", "crooks", "rackets", "specials"):
        for card in CARDS_DATA[kind]:
            for ability in card["abilities"]:
                assert ability_text(ability).endswith(".")
                assert 0 < len(ability_mark(ability)) <= 24


def test_every_phase_has_a_question(game):
    state = game.new_state(1)
    for number, phase in enumerate(PHASES):
        state.phase = number
        if phase not in ("AUC_OPEN", "AUC_BID", "OVER"):
            words = phase_words(game, state)
            assert words, phase
            assert "_" not in words


def test_choices_of_money_have_amounts():
    game = load("crime_lords")
    state = game.new_state(1)
    assert game.choice(state, act.BID_AT + 7) == Choice("Bid", 7)
    assert game.choice(state, act.FOR_AT + 13) == Choice("For", 14)
    assert game.choice(state, act.AGAINST_AT + 1) == Choice("Against", 1)
    assert game.choice(state, act.AMOUNT_AT) == Choice("Money", 0)
    assert game.choice(state, act.HIT_AT) == Choice("Hit")
    assert game.choice(state, act.END) == Choice()
