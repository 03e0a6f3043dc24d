"""``gangland games`` and ``gangland agents``."""

from __future__ import annotations

import json

import pytest

from gangland.envs import game_names, load
from tests.cli.runner import assert_refused, run
from tests.games import GAMES, TOY


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
