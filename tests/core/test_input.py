"""What comes from outside: options, whole numbers and text are taken or refused by one rule."""

from __future__ import annotations

import re
import sys
import unicodedata

import gymnasium
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gangland.adapters.sb3 import SeatVecEnv
from gangland.agents.seeds import players_key
from gangland.arena.calibration import calibrate
from gangland.arena.tournament import play_pool, play_table
from gangland.envs import chicago_v0, load, make_vec
from gangland.envs.api.aec import GameEnv
from gangland.envs.core.errors import IllegalActionError, OptionError
from gangland.envs.core.integers import MAX_SEED, IntegerError, shown
from gangland.envs.core.options import Option, OptionSet
from gangland.envs.core.presentation.foreign_text import is_hidden, printable, read_number
from gangland.envs.registration import entry_points, gymnasium_id
from tests.games import TOY

# --- options --------------------------------------------------------------------------------------

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


# --- whole numbers: the same rule, and the same error, at every entrance --------------------------

GAME = load(TOY)
SEATS = 3
NOT_INTEGERS = [7.9, 7.0, True, np.True_, "3", None, np.float64(3), [3], 1 + 0j]
RANGE = r"must be an integer 0\.\.1844674407370955161\d$"
"""Of several tables, the last one's seed has to fit as well."""
ENDLESS = 10**5000
"""Longer than Python is willing to write."""


def table():
    env = entry_points(TOY)[0]()
    env.reset(seed=1)
    return env


def seat_env(**arguments):
    return gymnasium.make(gymnasium_id(TOY), opponents="random", **arguments)


def vectors(seed):
    env = gymnasium.make_vec(
        gymnasium_id(TOY), 2, vectorization_mode="vector_entry_point", opponents="random"
    )
    return env.reset(seed=seed)


SEEDS = {
    "new_state": GAME.new_state,
    "resample_hidden": lambda seed: GAME.resample_hidden(GAME.new_state(1), 0, seed),
    "PettingZoo": lambda seed: table().reset(seed=seed),
    "make_vec": lambda seed: make_vec(TOY, 2, seed),
    "VecTables.seed": lambda seed: make_vec(TOY, 2).seed(seed),
    "Gymnasium": lambda seed: seat_env().unwrapped.reset(seed=seed),
    "vector": vectors,
    "players_key": players_key,
    "play_table": lambda seed: play_table(TOY, ["random"] * SEATS, 1, seed=seed),
    "play_pool": lambda seed: play_pool(TOY, ["random"], 1, seed=seed),
    "calibrate": lambda seed: calibrate(TOY, "random", 1, seed=seed),
    "SB3": lambda seed: SeatVecEnv(TOY, 1, opponents="random").seed(seed),
    "view": lambda seed: GAME.view(GAME.new_state(1), 0, seed),
}


@pytest.mark.parametrize("entrance", SEEDS)
def test_seeds(entrance):
    optional = entrance in ("PettingZoo", "Gymnasium", "vector", "SB3")
    for wrong in [*NOT_INTEGERS, -1, np.int64(-1), MAX_SEED + 1, ENDLESS]:
        if (wrong is None or isinstance(wrong, list)) and optional:
            continue
        with pytest.raises(IntegerError, match=RANGE):
            SEEDS[entrance](wrong)
    if entrance != "calibrate":  # which needs an agent that gives its chances
        for right in (0, np.uint8(3), np.int64(3), np.uint64(MAX_SEED - 1), np.array(3)):
            SEEDS[entrance](right)


@pytest.mark.parametrize("kind", [int, np.int8, np.uint64])
def test_a_seed_is_the_same_number_in_every_type(kind):
    assert GAME.new_state(kind(9)).tobytes() == GAME.new_state(9).tobytes()
    first, second = table(), table()
    first.reset(seed=kind(9))
    second.reset(seed=9)
    assert first.save() == second.save()


COUNTS = {
    "max_cycles": lambda n: GameEnv(GAME, max_cycles=n),
    "max_cycles of a seat": lambda n: seat_env(max_cycles=n),
    "num_envs": lambda n: make_vec(TOY, n),
    "threads": lambda n: make_vec(TOY, 2, threads=n),
    "games": lambda n: play_pool(TOY, ["random"], n),
    "games of a table": lambda n: play_table(TOY, ["random"] * SEATS, n),
    "workers": lambda n: play_pool(TOY, ["random"], 1, workers=n),
    "num_envs of SB3": lambda n: SeatVecEnv(TOY, n, opponents="random"),
}


@pytest.mark.parametrize("entrance", COUNTS)
def test_counts(entrance):
    for wrong in [*NOT_INTEGERS, 2.5, float("nan"), 0, -3, 2**64, ENDLESS]:
        if wrong is None and entrance.startswith("max_cycles"):
            continue
        with pytest.raises(IntegerError, match=r"must be an integer 1\.\."):
            COUNTS[entrance](wrong)
    COUNTS[entrance](np.int16(2))


PLACES = {
    "seat": lambda seat: seat_env(seat=seat),
    "render_seat": lambda seat: GameEnv(GAME, render_seat=seat),
    "observe": lambda seat: GAME.observe(GAME.new_state(1), seat),
    "redact": lambda seat: GAME.redact(GAME.new_state(1), seat),
    "resample_hidden": lambda seat: GAME.resample_hidden(GAME.new_state(1), seat, 1),
    "view": lambda seat: GAME.view(GAME.new_state(1), seat),
}


@pytest.mark.parametrize("entrance", PLACES)
def test_seats(entrance):
    """Kernels check no bounds: a seat that is not there would read other memory."""
    for wrong in [*NOT_INTEGERS, 99, -5, ENDLESS]:
        if wrong is None and "seat" in entrance:
            continue
        with pytest.raises(IntegerError, match=r"seat=.*must be (None or )?an integer"):
            PLACES[entrance](wrong)
    PLACES[entrance](np.int64(1))


def test_options():
    for kind in (np.int64, np.uint8, int):
        assert GAME.options.resolve({"players": kind(4)}) == GAME.options.resolve({"players": 4})
        assert type(GAME.options.resolve({"players": kind(4)})["players"]) is int
    for wrong in (4.0, True, "4", np.float64(4), None, ENDLESS):
        with pytest.raises(OptionError, match=r"players=.*: must be (an integer )?2\.\.4"):
            GAME.options.resolve({"players": wrong})


@pytest.mark.parametrize("kind", [int, np.uint64, np.int8, np.array])
def test_actions(kind):
    """Through PettingZoo's checks and Gymnasium's environment alike."""
    env = chicago_v0.env()
    env.reset(seed=1)
    single = gymnasium.make("gangland/Chicago-v0", opponents="random")
    env.step(kind(int(np.flatnonzero(env.last()[0]["action_mask"])[0])))
    _, info = single.reset(seed=1)
    single.step(kind(int(np.flatnonzero(info["action_mask"])[0])))
    for wrong in (1.0, "0", True):
        with pytest.raises(IllegalActionError, match="must be an integer"):
            env.step(wrong)
        with pytest.raises(IllegalActionError, match="must be an integer"):
            single.step(wrong)
    for wrong in (-1, 10_000, ENDLESS):
        with pytest.raises(IllegalActionError, match="is not legal for seat"):
            env.step(wrong)
        with pytest.raises(IllegalActionError, match="is not legal for seat"):
            single.step(wrong)


def test_a_wrong_value_of_any_size_can_be_shown():
    assert shown("x" * 5000) == "'" + "x" * 196 + "..."
    assert shown(ENDLESS) == "a number of thousands of digits"
    assert shown([ENDLESS]) == "a number of thousands of digits"
    assert shown(7.9) == "7.9"


# --- text: hidden characters are escaped, and digits are read within limits -----------------------

HIDDEN = (
    "\x00\t\n\x1b\x7f\x9b\xad\u034f\u061c\u115f\u200b\u200d\u202e\u2028\u2066\u2800\u3164\ufe0f"
    "\ufeff\ufffc"
)


@pytest.mark.parametrize("character", [*HIDDEN, "\U000e0041", "\ud800"], ids=ascii)
def test_what_is_not_seen_is_hidden(character):
    assert is_hidden(character)
    assert printable(f"a{character}b").isascii()
    assert not any(is_hidden(one) for one in printable(f"a{character}b"))


@pytest.mark.parametrize(
    "name", ["Al Capone", "Zoë", "O'Banion", "山田 太郎", "Ольга", "محمد", "🎩", "a\u0301"]
)
def test_names_in_any_script_are_left_as_they_are(name):
    assert printable(name) == name


def test_the_categories_of_unicode_are_hidden():
    wanted = ("Cc", "Cf", "Cs", "Zl", "Zp")
    for number in range(sys.maxunicode + 1):
        if unicodedata.category(chr(number)) in wanted:
            assert is_hidden(chr(number)), hex(number)


@given(st.text())
def test_lines_are_kept_where_they_are_wanted(text):
    shown = printable(text, lines=True)
    assert re.sub(r"[^\n\t]", "", shown) == re.sub(r"[^\n\t]", "", text)
    assert "\x1b" not in shown


def test_only_short_ascii_digits_are_numbers():
    assert read_number(str(2**64 - 1)) == 2**64 - 1
    for text in ("", "-1", "+1", " 1", "1_0", "²", "٣", "1.0", "9" * 5000):
        assert read_number(text) is None
