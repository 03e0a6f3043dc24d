from __future__ import annotations

import pytest

from gangland.envs.core.errors import OptionError
from gangland.envs.core.options import Option, OptionSet

OPTIONS = OptionSet(
    (
        Option("players", 5, "seats", 2, 6),
        Option("start", "random", "first seat", 0, lambda o: o["players"] - 1, words=("random",)),
        Option("open", False, "open hands", flag=True),
    )
)


def test_defaults_and_given_values():
    assert OPTIONS.resolve({}) == {"players": 5, "start": "random", "open": False}
    assert OPTIONS.resolve({"players": 2, "start": 1, "open": True}) == {
        "players": 2,
        "start": 1,
        "open": True,
    }


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"players": 9}, "players=9: must be 2..6"),
        ({"players": True}, "players=True: must be an integer 2..6"),
        ({"players": 2.0}, r"players=2.0: must be an integer 2..6"),
        ({"players": "five"}, "players='five': must be an integer 2..6"),
        ({"players": 3, "start": 3}, "start=3: must be random or 0..2"),
        ({"start": "last"}, "start='last': must be random or 0..4"),
        ({"players": 9, "start": 3}, "players=9: must be 2..6"),
        ({"start": -1}, "start=-1: must be random or 0..4"),
        ({"open": 1}, "open=1: must be true or false"),
        ({"open": "yes"}, "open='yes': must be true or false"),
        ({"jokers": 4}, "unknown option jokers=4: must be one of players, start, open"),
    ],
)
def test_errors_name_option_value_and_what_is_allowed(given, message):
    with pytest.raises(OptionError, match=message):
        OPTIONS.resolve(given)


def test_a_default_that_does_not_fit_the_other_options_is_refused():
    options = OptionSet(
        (
            Option("players", 5, "seats", 2, 6),
            Option("start", 4, "first seat", 0, lambda o: o["players"] - 1),
        )
    )
    assert options.resolve({})["start"] == 4
    with pytest.raises(OptionError, match=r"start=4: must be 0\.\.2"):
        options.resolve({"players": 3})


def test_the_model_describes_itself():
    schema = OPTIONS.model.model_json_schema()
    assert list(schema["properties"]) == ["players", "start", "open"]
    players = schema["properties"]["players"]
    assert (players["minimum"], players["maximum"], players["default"]) == (2, 6, 5)
    assert players["description"] == "seats"
    assert not schema["additionalProperties"]
