"""All commands: ``gangland games`` and ``gangland agents`` list, and every number has a range."""

from __future__ import annotations

import json

import click
import pytest
from click.types import FloatParamType, IntParamType

from gangland.cli import COMMANDS
from gangland.cli import cli as group
from gangland.commands.shared import common
from gangland.envs import game_names, load
from gangland.envs.core.integers import MAX_GAMES, MAX_SEED
from tests.cli.runner import assert_refused, run
from tests.games import GAMES, TOY

# --- lists ----------------------------------------------------------------------------------------


@pytest.fixture
def cli(capsys, monkeypatch):
    return lambda *arguments: run(capsys, monkeypatch, *arguments)


def test_games_lists_every_game_with_its_options(cli):
    done = cli("games")
    assert done.code == 0
    for name in game_names():
        game = load(name)
        assert f"{name}  {game.title}" in done.out
        defaults = game.options.resolve({})
        for option in game.options:
            rows = [
                line for line in done.out.splitlines() if line.startswith(f"    {option.name} ")
            ]
            listed = any(option.allowed(defaults) in row and option.doc in row for row in rows)
            assert listed != option.fixed


def test_games_as_json(cli):
    (facts,) = json.loads(cli("games", TOY, "--json").out)
    assert facts["seats"] == 3
    assert facts["max_seats"] == 4
    assert facts["options"][0] == {
        "name": "players",
        "default": 3,
        "allowed": "2..4",
        "doc": "seats at the table",
    }


def test_games_tell_what_observations_mean(cli):
    told = cli("games", "chicago", "--observation").out
    assert (
        "| seats | 12 | 6 × 17 |  | the seats clockwise, oneself first; absent ones are 0 |" in told
    )
    (facts,) = json.loads(cli("games", "chicago", "--observation", "--json").out)
    assert (facts["name"], facts["size"]) == ("chicago", 190)
    assert [block["name"] for block in facts["blocks"]][:2] == ["hand", "seats"]
    assert "numbers without names" in cli("games", TOY, "--observation").out


def test_agents_lists_what_can_be_named(cli):
    done = cli("agents", "--game", TOY)
    assert done.code == 0
    lines = [line.split()[0] for line in done.out.splitlines()]
    assert lines[:5] == [TOY, "random", "heuristic", "heuristic:reckless", "heuristic:fickle"]
    assert "ppo:PATH" in done.out
    assert "Swap low cards, never challenge" in done.out


def test_agents_lists_levels_first_with_what_they_stand_for(cli):
    lines = [line.split() for line in cli("agents", "--game", "five_points").out.splitlines()]
    shown = {words[0]: words[1:] for words in lines if words}
    specs = [f"bot:{level}" for level in ("easy", "medium", "hard")]
    assert list(shown)[:4] == ["five_points", *specs]
    assert shown["bot:hard"][0] == "ppo:five_points/bot;"
    assert shown["bot:easy"][0].startswith("ppo:five_points/bot?temperature=")
    assert shown["bot:hard"][-1] == "bot:medium"


def test_agents_lists_all_games_by_default(cli):
    lines = cli("agents").out.splitlines()
    assert set(GAMES) <= set(lines)


def test_unknown_names(cli):
    assert_refused(cli("games", "poker"), "no game 'poker'", TOY)
    assert_refused(cli("agents", "--game", "poker"), "no game 'poker'", TOY)


# --- numbers: of thousands of digits, infinite or none at all -------------------------------------

CHECKED_LATER = {
    "arena games", "arena workers", "benchmark workers",
    "ladder games", "ladder search_games", "ladder mixed_games", "ladder workers",
    "tournament games", "tournament workers", "exploit workers",
    "calibrate games", "replay number",
}  # fmt: skip
"""Numbers whose range the function that is called knows."""


def numbers():
    """All options that take a number, by command and name."""
    for name in COMMANDS:
        command = group.get_command(click.Context(group), name)
        commands = command.commands.values() if isinstance(command, click.Group) else [command]
        for each in commands:
            for option in each.params:
                if isinstance(option.type, IntParamType | FloatParamType):
                    yield f"{name} {option.name}", option


@pytest.mark.parametrize(("name", "option"), list(numbers()), ids=str)
def test_every_number_has_a_range(name, option):
    for text in (
        "9" * 5000,
        "nan",
        "inf",
        "-inf",
        *([] if name in CHECKED_LATER else ["9" * 4000]),
    ):
        with pytest.raises(click.BadParameter):
            option.type.convert(text, option, None)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["arena", "--game", TOY, "--agents", "random", "--games", "9" * 4000], "1..10000000"),
        (["arena", "--game", TOY, "--agents", "random", "--workers", "9" * 4000], "workers="),
        (["ladder", TOY, "--games", "9" * 4000], "1..10000000"),
        (["ladder", TOY, "--search-games", "9" * 4000], "1..10000000"),
        (["ladder", TOY, "--mixed-games", "9" * 4000], "1..10000000"),
        (["arena", "--game", TOY, "--agents", "random", "--seed", "9" * 4000], "--seed"),
        (["play", "--game", TOY, "--seed", str(2**64)], "18446744073709551615"),
        (["play", "--game", TOY, "--seed", "9" * 5000], "(5000 digits)"),
        (["play", "--game", TOY, "--seat", "9" * 5000], "--seat"),
        (["play", "--game", TOY, "--delay", "inf"], "--delay"),
        (["play", "--game", TOY, "--delay", "nan"], "--delay"),
        (["play", "--game", TOY, "--option", f"players={'9' * 5000}"], "players="),
        (["play", "--game", TOY, "--option", f"players={'9' * 4000}"], "players="),
        (["calibrate", "ppo:nowhere", "--game", TOY, "--games", "9" * 4000], "nowhere"),
    ],
    ids=lambda given: str(given)[:40],
)
def test_a_number_out_of_range_is_one_short_line(capsys, monkeypatch, words, message):
    done = run(capsys, monkeypatch, *words)
    assert_refused(done, message)
    assert all(len(line) < 500 for line in done.err.splitlines())


def test_the_limits_are_those_of_the_library():
    assert (common.SEED.min, common.SEED.max) == (0, MAX_SEED)
    assert (common.GAMES.min, common.GAMES.max) == (1, MAX_GAMES)
