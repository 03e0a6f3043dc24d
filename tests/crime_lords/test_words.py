"""Words for people: offers, questions, cards."""

from __future__ import annotations

import re

import pytest

from gangland.envs import load
from gangland.envs.core.presentation.guide import Choice
from gangland.envs.crime_lords import actions as act
from gangland.envs.crime_lords.data import CARDS_DATA
from gangland.envs.crime_lords.state import PHASES
from gangland.envs.crime_lords.words.cards import ability_mark, ability_text
from gangland.envs.crime_lords.words.questions import phase_words

from .scenes import roll_totals, scene
from .test_attacks import DUEL, REROLL
from .test_hidden import HAND


def lines_for(game, state, texts, viewer):
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
def test_an_offer_is_narrated_with_its_terms_and_its_end(game, answer, word):
    offer = ("OFFER", "P+1", "CHP-N", "AMT 5", "CAS-N", answer)
    given = "North Side Chop Shops and 5 G"
    said = f"The Old Family offers The Downtowners {given} for North Side Casinos: {word}."
    state = scene(game, HAND.format("S03"))
    own = lines_for(game, state, offer, 0)
    assert own[0] == said
    assert len([line for line in own if "offer" in line.lower()]) == 1
    partner = scene(game, HAND.format("S03"))
    assert said in lines_for(game, partner, offer, 1)
    third = scene(game, HAND.format("S03"))
    narrated = lines_for(game, third, offer, 2)
    assert not [line for line in narrated if "offer" in line.lower() or "5 G" in line]
    assert bool(narrated) == (word == "accepted"), "the cards that change hands are seen by all"


DICE = "[\u2680-\u2685]"


def faces(line):
    """The numbers of the dice in a sentence."""
    return [ord(die) - 0x2680 + 1 for die in re.findall(DICE, line)]


def rolls(lines):
    return [line for line in lines if re.search(DICE, line) or "oll" in line]


@pytest.mark.rule("CL-9.35", "CL-9.4")
@pytest.mark.parametrize("viewer", [0, 1])
def test_a_roll_is_narrated_with_its_dice(game, viewer):
    line = DUEL.format("M1/9/C05t/-/-", "M4/0/C03/-/-", "NUM-N")
    for total, result in ((6, "success"), (7, "failure")):
        state = scene(game, line, totals=(total,))
        (narrated,) = rolls(lines_for(game, state, ("TAKE NUM-N", "FOR 2"), viewer))
        assert re.fullmatch(f"Roll {DICE}{DICE}, {total} against 6: {result}\\.", narrated)
        assert faces(narrated) == state.dice.tolist()
        assert sum(faces(narrated)) == total == state.roll


@pytest.mark.rule("CL-9.36")
@pytest.mark.parametrize("viewer", [0, 1])
def test_both_throws_are_narrated(game, viewer):
    line = DUEL.format(REROLL.format("t"), "M4/0/C03(N:C07)/-/-", "NUM-N")
    state = scene(game, line, totals=(4, 3))
    (first,) = rolls(lines_for(game, state, ("TAKE NUM-N", "C05", "FOR 2"), viewer))
    assert first.endswith("4 against 3: failure.")
    kept = rolls(lines_for(game, game.clone(state), ("PASS",), viewer))
    assert kept[-1] == "The roll stands: failure."
    second = rolls(lines_for(game, state, ("YES",), viewer))[-1]
    assert second.endswith("3 against 3: success.")
    assert (sum(faces(first)), sum(faces(second))) == (4, 3)


@pytest.mark.rule("CL-14.7")
@pytest.mark.parametrize(("total", "result"), [(7, "success"), (8, "failure")])
def test_arson_is_narrated_with_its_dice(game, total, result):
    state = scene(
        game, HAND.format("-").replace("C07u1t", "C30t").replace("centre=C30", "centre=C31")
    )
    roll_totals(state, total)
    (narrated,) = rolls(lines_for(game, state, ("ABIL", "CAS-N"), 1))
    assert narrated.endswith(f"{total} against 7: {result}.")
    assert sum(faces(narrated)) == total


@pytest.mark.rule("CL-9.4")
def test_a_position_that_was_typed_in_has_a_roll_without_dice(game):
    line = DUEL.format("M1/9/C05t/-/-", "M4/0/C03/-/-", "NUM-N")
    state = scene(game, line, totals=(3,))
    for text in ("TAKE NUM-N", "FOR 2"):
        before = game.clone(state)
        action = game.parse_action(state, text)
        game.apply(state, action)
    state.dice[:] = 0
    assert "Roll 3 against 6: success." in game.narrate(before, action, state, None)


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
