"""A person at a terminal: numbers, notation, commands, and leaving."""

from __future__ import annotations

import pytest

from gangland.agents.outside.human import LONG_LIST, Command, HumanAgent, Quit
from gangland.envs import load
from tests.games import TOY

GAME = load(TOY)


class Digits(type(GAME)):
    """The toy with notations that are numbers: keep is written 2, swap is written 1."""

    name = "digits"

    def action_text(self, state, action):
        return "2143"[action]


class Wide(type(GAME)):
    """The toy with many choices."""

    name = "wide"
    num_actions = 60

    def action_mask(self, state):
        import numpy as np

        return np.ones(60, np.bool_)

    def action_text(self, state, action):
        return f"move{action}"

    def describe(self, state, action):
        return f"Makes move {action}."


def ask(lines, game=GAME, commands=None):
    """The action that the typed lines lead to, and all that was shown."""
    shown, rest = [], list(lines)

    def read(prompt):
        shown.append(prompt)
        if not rest:
            raise EOFError
        return rest.pop(0)

    agent = HumanAgent(read, shown.append, commands)
    state = GAME.new_state(4)
    action = (
        agent.decide(game.view(state, 0)).action
        if game is GAME
        else agent.decide(view_in(game, state)).action
    )
    assert not rest, f"not read: {rest}"
    return action, shown


def view_in(game, state):
    view = GAME.view(state, 0)
    view.game = game
    return view


@pytest.mark.parametrize(
    ("typed", "action"), [("1", 0), ("2", 1), ("#2", 1), ("keep", 0), (" SWAP ", 1), ("swap", 1)]
)
def test_a_choice_is_typed_as_number_or_notation(typed, action):
    assert ask([typed])[0] == action


def test_it_shows_the_table_and_the_choices_before_it_asks():
    _, shown = ask(["1"])
    assert shown[:2] == ["", GAME.view(GAME.new_state(4), 0).text()]
    assert [line.split() for line in shown[2:4]] == [["1", "keep", "Keep."], ["2", "swap", "Swap."]]
    assert shown[4] == "Player 0 (0)> "


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("3", "choices 1 to 2"),
        ("0", "choices 1 to 2"),
        ("pass", "'pass' is neither a choice"),
        ("-1", "'-1' is neither a choice"),
        ("²", "'²' is neither a choice"),
        ("#", "'#' is neither a choice"),
    ],
)
def test_anything_else_is_asked_again(typed, words):
    action, shown = ask([typed, "", "1"])
    assert action == 0
    assert any(words in line for line in shown)


def test_notation_goes_before_numbers_where_it_could_be_taken_for_one():
    assert ask(["1"], Digits())[0] == 1
    assert ask(["2"], Digits())[0] == 0
    action, shown = ask(["#1"], Digits())
    assert action == 0
    assert any(line.split()[:2] == ["#1", "2"] for line in shown if line.strip())
    assert ask(["7", "#2"], Digits())[0] == 1


def test_many_choices_come_in_columns_and_in_full_on_request():
    assert Wide().num_actions > LONG_LIST
    action, shown = ask(["moves", "move42"], Wide())
    assert action == 42
    prompt = shown.index("Player 0 (0)> ")
    assert any("1 Makes move 0" in line and "2 Makes move 1" in line for line in shown[:prompt])
    assert not any("move0" in line for line in shown[:prompt])
    assert sum("Makes move" in line for line in shown[prompt:]) == 60


def test_help_names_every_command():
    called = []
    extra = {"shout": Command("shout WORDS", "be loud", lambda view, text: called.append(text))}
    action, shown = ask(["?", "help", "table", "SHOUT  hey you ", "2"], commands=extra)
    assert action == 1
    assert called == ["hey you"]
    for word in ("help or ?", "table", "moves", "shout WORDS", "quit"):
        assert sum(line.strip().startswith(word) for line in shown) == 2
    assert shown.count(GAME.view(GAME.new_state(4), 0).text()) == 2


class Blocks(type(GAME)):
    """The toy with a table of three blocks, of which the last stays as it is."""

    name = "blocks"

    def text(self, state, viewer):
        return f"Round\n\nply {state.ply}\n\nThe town"


def test_what_has_not_changed_is_shown_on_request_only():
    shown, typed = [], ["1", "table", "1"]
    agent = HumanAgent(lambda prompt: typed.pop(0), shown.append)
    state, game = GAME.new_state(4), Blocks()
    agent.decide(view_in(game, state))
    assert "Round\n\nply 0\n\nThe town" in shown
    shown.clear()
    state.ply = 1
    agent.decide(view_in(game, state))
    assert shown[1] == "Round\n\nply 1"
    assert "Round\n\nply 1\n\nThe town" in shown[2:]


@pytest.mark.parametrize("lines", [["quit"], ["q"], [], ["foo"]])
def test_leaving_and_the_end_of_the_input(lines):
    with pytest.raises(Quit):
        ask(lines)
