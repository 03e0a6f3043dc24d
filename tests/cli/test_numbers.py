"""Numbers of options: of thousands of digits, infinite or none at all."""

from __future__ import annotations

import click
import pytest
from click.types import FloatParamType, IntParamType

from gangland.cli import COMMANDS, cli
from gangland.commands.shared.common import GAMES, SEED
from gangland.envs.core.integers import MAX_GAMES, MAX_SEED
from tests.cli.runner import assert_refused, run
from tests.games import TOY

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
        command = cli.get_command(click.Context(cli), name)
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
    assert (SEED.min, SEED.max) == (0, MAX_SEED)
    assert (GAMES.min, GAMES.max) == (1, MAX_GAMES)
