"""What a game shows that says nothing of its own: Pig, which has a notation for its two actions."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from xml.etree import ElementTree

import pytest

from gangland.envs.core.errors import IllegalActionError, NotationError

FOLDER = Path(__file__).parents[1] / "foreign" / "pig" / "gangland_pig"


@pytest.fixture(scope="module")
def pig():
    spec = importlib.util.spec_from_file_location("gangland_pig_here", FOLDER / "__init__.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Pig()


def position(game):
    state = game.template(players=3)[0]
    state.seat, state.banked[:3], state.total, state.ply = 1, (40, 0, 7), 12, 9
    return state


def test_a_position_is_a_dump_of_its_fields(pig):
    text = pig.position_text(position(pig))
    assert text == (
        'PIG/1 {"ply":9,"num_seats":3,"seat":1,"banked":[40,0,7,0],"total":12,"target":50,'
        '"max_turns":200}'
    )
    again = pig.parse_position(f"  {text} ")
    assert again.tobytes() == position(pig).tobytes()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("HOG/1 {}", "'HOG/1': must begin with PIG/1"),
        ("PIG/1 {", "must be a JSON object of fields"),
        ("PIG/1 [1]", "must be a JSON object of fields"),
        ("PIG/1 " + "[" * 100_000, "must be a JSON object of fields"),
        ('PIG/1 {"rng":"0x5"}', "without rng"),
        ('PIG/1 {"num_seats":2,"colour":1}', "unknown ['colour']"),
        ('PIG/1 {"num_seats":2,"target":9}', "target: must be 10..200"),
    ],
)
def test_a_wrong_position_is_named(pig, text, message):
    with pytest.raises(NotationError) as refused:
        pig.parse_position(text)
    assert message in str(refused.value)


def test_sentences_and_tables(pig):
    state = position(pig)
    assert pig.describe(state, 1) == "Hold."
    assert pig.narrate(state, 0, state, None) == ["Player 1 plays roll."]
    assert pig.text(state, 2).splitlines() == [
        "Player 1 decides.", "banked: [40, 0, 7, 0]", "total: 12", "turns: 0", "target: 50",
        "max_turns: 200",
    ]  # fmt: skip
    state.over, state.seat, state.places[:3] = 1, -1, (1, 3, 2)
    assert pig.text(state, None).startswith("The game is over: Player 0 1., Player 1 3., ")


def test_the_picture_has_a_button_for_each_action(pig):
    tree = ElementTree.fromstring(pig.svg(position(pig), None, [0, 1], "Player 0 plays <hold>."))
    words = ["".join(element.itertext()) for element in tree.iter()]
    assert "Player 0 plays <hold>." in words
    assert [e.get("data-action") for e in tree.iter() if e.get("data-action")] == ["0", "1"]


def test_options_are_read_from_the_fields_of_their_names(pig):
    given = {"players": 4, "target": 60, "max_turns": 30}
    assert pig.read_options(pig.template(**given)[0]) == given


@pytest.mark.parametrize("action", [-1, 2, pytest.param(10**5000, id="endless"), True, "0"])
def test_a_view_knows_its_actions(pig, action):
    view = pig.view(position(pig), 1)
    assert view.action_text(0) == "roll"
    for words in (view.action_text, view.describe):
        with pytest.raises(IllegalActionError, match="pig: action"):
            words(action)
