"""Specs of agents: known ones are made, others refused by name; levels are what was measured."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

from gangland.agents import registry
from gangland.agents.base import Agent
from gangland.agents.baseline import heuristic
from gangland.agents.baseline.heuristic import NoHeuristicError
from gangland.agents.decision import Decision
from gangland.agents.registry import (
    UnknownAgentError,
    make,
    make_all,
    register,
    shipped,
    specs,
    traits,
)
from gangland.agents.shipped import levels
from gangland.agents.trained import policy
from gangland.agents.trained.model_file import FORMAT_VERSION, CheckpointError
from gangland.agents.trained.policy import load_checkpoint
from gangland.arena import play_table
from gangland.arena.hashes import hashes_of
from gangland.arena.workers import Players
from gangland.envs import load
from gangland.envs.core.errors import GanglandError
from gangland.serving.bots.registry import Bots
from gangland.serving.errors import ServingError
from tests.agents.checkpoints import change_model, write_checkpoint
from tests.games import OURS, TOY

GAME = load(TOY)


@pytest.mark.parametrize("spec", ["random", "heuristic", "heuristic:reckless"])
def test_an_agent_carries_the_spec_that_makes_it(spec):
    assert make(spec, GAME).spec == spec
    assert make(f" {spec} ", GAME).spec == spec


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("nobody", ["no agent 'nobody'", "random", "heuristic[:NAME]", "ppo:PATH"]),
        ("", ["no agent ''", "random"]),
        ("random:1", ["random:1", "takes nothing"]),
        ("heuristic:brilliant", ["'brilliant'", "heuristic:reckless", "heuristic:cheat"]),
        ("ppo:", ["ppo:PATH"]),
        ("ppo:no/such/folder", ["no/such/folder"]),
        ("ppo:x?heat=1", ["?heat=1", "temperature"]),
        ("ppo:x?temperature=-1", ["temperature=-1"]),
        ("ppo:x?temperature=nan", ["temperature=nan"]),
        ("bot:easy", ["bot:easy: there are no levels of bots in highcard"]),
    ],
)
def test_bad_specs_are_refused_with_what_there_is(spec, words):
    with pytest.raises(GanglandError) as caught:
        make(spec, GAME)
    for word in words:
        assert word in str(caught.value)


def test_a_game_without_a_heuristic_says_so(monkeypatch):
    monkeypatch.setattr(type(GAME), "heuristics", None)
    assert not heuristic.has_heuristic(GAME)
    assert heuristic.variants(GAME) == {}
    assert list(registry.specs(GAME)) == ["random"]
    with pytest.raises(NoHeuristicError, match="highcard has no heuristic agent"):
        make("heuristic", GAME)


def test_specs_lists_what_can_be_made():
    found = registry.specs(GAME)
    assert list(found)[:3] == ["random", "heuristic", "heuristic:reckless"]
    assert found["heuristic"] == "Swap low cards, never challenge"
    for spec in found:
        assert make(spec, GAME).spec == spec


MODEL = {
    "format_version": FORMAT_VERSION,
    "game": TOY,
    "rules_version": GAME.rules_version,
    "observation_size": GAME.observation_size,
    "num_actions": GAME.num_actions,
    "network": {"shared": [], "policy": [], "value": []},
}


def test_shipped_bots_are_listed_with_their_card(tmp_path, monkeypatch):
    for name, ratings in (
        ("v1", []),
        (
            "v2",
            [
                {"baseline": "random", "players": 3, "win_share": 1, "par": 1 / 3},
                {"baseline": "heuristic", "players": 3, "win_share": 0.437, "par": 1 / 3},
                {"baseline": "heuristic", "players": 2, "win_share": 0.9, "par": 1 / 2},
                {
                    "baseline": "heuristic",
                    "players": 3,
                    "win_share": 0.3,
                    "par": 1 / 3,
                    "options": {"hidden": True},
                },
            ],
        ),
        (
            "bot",
            [{"baseline": "random", "players": 3, "win_share": 1, "par": 1 / 3, "role": "cop"}],
        ),
    ):
        roles = ["cop", "gang"] if name == "bot" else ["player"]
        folder = tmp_path / TOY / name
        folder.mkdir(parents=True)
        (folder / "model.json").write_text(
            json.dumps({**MODEL, "roles": roles, "ratings": ratings})
        )
    (tmp_path / "other" / "v1").mkdir(parents=True)
    (tmp_path / "other" / "v1" / "model.json").write_text("{}")
    assert registry.strongest(GAME) == "heuristic"
    monkeypatch.setattr(policy, "_shipped_root", lambda: tmp_path)
    found = registry.specs(GAME)
    assert list(found)[-3:] == [f"ppo:{TOY}/{name}" for name in ("v1", "v2", "bot")]
    assert found[f"ppo:{TOY}/v1"] == "trained bot"
    assert found[f"ppo:{TOY}/v2"] == "trained bot; wins 44% (par 33%) against 2 heuristic"
    assert found[f"ppo:{TOY}/bot"].endswith("wins 100% (par 33%) against 2 random as cop")
    assert registry.strongest(GAME) == f"ppo:{TOY}/bot"


def test_the_strongest_of_a_game_with_nothing_is_random(monkeypatch):
    monkeypatch.setattr(type(GAME), "heuristics", None)
    assert registry.strongest(GAME) == "random"


class Last(Agent):
    def __init__(self, argument):
        self.spec = f"last:{argument}"

    def decide(self, view):
        return Decision(view.legal_actions[-1])


def test_kinds_can_be_added_once(monkeypatch):
    monkeypatch.setattr(registry, "KINDS", dict(registry.KINDS))
    register("last", lambda argument, game: Last(argument), "the last legal action", usage="last:X")
    agent = make("last:of:all", GAME)
    assert agent.spec == "last:of:all"
    assert agent.decide(GAME.view(GAME.new_state(1), 0)).action == 1
    with pytest.raises(ValueError, match="prefix 'last' is taken"):
        register("last", lambda argument, game: Last(argument), "again")
    with pytest.raises(ValueError, match="must be a word"):
        register("a:b", lambda argument, game: Last(argument), "colon")
    with pytest.raises(UnknownAgentError, match="last:X"):
        make("first", GAME)


@pytest.mark.parametrize("spec", [None, 5, b"heuristic"])
def test_what_is_no_text_is_no_spec(spec):
    with pytest.raises(UnknownAgentError, match=f"{spec!r}: must be an agent's spec"):
        make(spec, load(TOY))


def test_an_agent_of_another_game_is_refused():
    other = make("heuristic", load("chicago"))
    with pytest.raises(GanglandError, match="heuristic: is an agent for chicago, not highcard"):
        make_all(["random", other], load("highcard"))
    assert make_all([other], load("chicago")) == [other]


# --- ``bot:easy`` to ``bot:strong`` ---------------------------------------------------------------

WON = {"win_share": 0.6, "interval": [0.5, 0.7], "par": 0.3333, "games": 100}
ROW = {**WON, "players": 3}
MEASURED = {
    "easy": {"temperature": 4.0, "ratings": [{**ROW, "baseline": "random"}]},
    "medium": {"temperature": 1.4, "ratings": [{**ROW, "baseline": "bot:easy"}]},
    "hard": {"ratings": [{**ROW, "baseline": "bot:medium"}]},
}
SEARCHED = {**WON, "budget": "50&actions=2"}


@pytest.fixture
def shipping(tmp_path, monkeypatch):
    """Ship bots of the toy, each with what stands in its ``model.json``."""

    def ship(**bots):
        for name, changes in bots.items():
            change_model(write_checkpoint(tmp_path / TOY / name, GAME), **changes)
        monkeypatch.setattr(policy, "_shipped_root", lambda: tmp_path)

    return ship


def test_they_are_settings_of_the_games_bot_in_order(shipping):
    shipping(v1={"levels": {}}, bot={"levels": MEASURED})
    docs = specs(GAME)
    assert list(docs)[:4] == ["bot:easy", "bot:medium", "bot:hard", "random"]
    bot = f"ppo:{TOY}/bot"
    won = "wins 60% (50%-70%, par 33%) against 2"
    assert docs["bot:easy"] == f"{bot}?temperature=4; {won} random"
    assert docs["bot:medium"] == f"{bot}?temperature=1.4; {won} bot:easy"
    assert docs["bot:hard"] == f"{bot}; {won} bot:medium"
    for spec, temperature in (("bot:easy", 4.0), ("bot:medium", 1.4), ("bot:hard", 0.0)):
        agent = make(f" {spec} ", GAME)
        assert (agent.spec, agent.temperature) == (spec, temperature)
        assert traits(spec, GAME) == traits(bot, GAME)
        assert hashes_of(agent) == hashes_of(make(bot, GAME))


def test_each_role_has_a_share_of_its_own(shipping):
    rows = [{**ROW, "baseline": "random", "role": role} for role in ("gang", "police")]
    shipping(bot={"levels": {"easy": {"temperature": 2.0, "ratings": rows}}})
    assert specs(GAME)["bot:easy"].count("par 33%) against 2 random as ") == 2


@pytest.mark.parametrize(("low", "offered"), [(None, False), (0.3333, False), (0.34, True)])
def test_a_search_is_offered_only_where_it_is_known_to_win(shipping, low, offered):
    search = None if low is None else {**SEARCHED, "interval": [low, 0.7]}
    # What was measured over another bot says nothing of this one.
    shipping(v1={"search": SEARCHED}, bot={"search": search})
    docs = specs(GAME)
    assert ("bot:strong" in docs) is offered
    assert not [spec for spec in docs if spec.startswith("search:")]
    if offered:
        spec = f"search:{TOY}/bot?50&actions=2"
        won = f"wins 60% (34%-70%, par 33%) against 2 ppo:{TOY}/bot"
        assert docs["bot:strong"] == f"{spec}; {won}"
        assert levels(GAME)["bot:strong"].stands_for == spec


@pytest.mark.parametrize("name", ["strong", "", "Easy", "easy?temperature=1"])
def test_an_unknown_one_is_refused_with_those_of_the_game(shipping, name):
    shipping(bot={"levels": MEASURED})
    allowed = f"bot:{name}: must be one of bot:easy, bot:medium, bot:hard in {TOY}"
    with pytest.raises(UnknownAgentError) as caught:
        make(f"bot:{name}", GAME)
    assert str(caught.value) == allowed


@pytest.mark.parametrize("bot", [None, {}])
def test_without_a_measured_bot_there_are_none(shipping, bot):
    """Kuhn poker has no bot; another one was never measured."""
    game = load("kuhn") if bot is None else GAME
    if bot is not None:
        shipping(bot=bot)
    assert levels(game) == {}
    assert not [spec for spec in specs(game) if spec.startswith("bot:")]
    with pytest.raises(
        UnknownAgentError, match=f"bot:easy: there are no levels of bots in {game.name}"
    ):
        make("bot:easy", game)


def test_they_are_played_and_go_to_other_processes(shipping):
    shipping(bot={"levels": MEASURED})
    result = play_table(TOY, ["bot:hard", "bot:easy", "bot:easy"], 30, seed=1)
    assert [agent.spec for agent in result.agents] == ["bot:hard", "bot:easy"]
    same = play_table(TOY, [f"ppo:{TOY}/bot", *[f"ppo:{TOY}/bot?temperature=4"] * 2], 30, seed=1)
    assert np.array_equal(result.records.scores, same.records.scores)
    players = Players(GAME, GAME.options.resolve({}), [make("bot:easy", GAME)])
    (agent,) = pickle.loads(pickle.dumps(players)).agents
    assert (agent.spec, agent.temperature) == ("bot:easy", 4.0)


def test_a_server_offers_them_and_takes_what_they_stand_for(shipping):
    shipping(bot={"levels": MEASURED, "search": SEARCHED})
    bots = Bots()
    names = ("easy", "medium", "hard", "strong")
    assert list(bots.offers(TOY))[:4] == [f"bot:{name}" for name in names]
    assert bots.check(TOY, "bot:strong") == "bot:strong"
    assert bots.check(TOY, f"search:{TOY}/bot?50&actions=2") == "bot:strong"
    assert bots.check(TOY, None) == bots.check(TOY, f"ppo:{TOY}/bot") == f"ppo:{TOY}/bot"
    assert bots.judge(TOY, "bot:easy") == "bot:easy"
    assert bots.bot(TOY, "bot:easy").agent.temperature == 4.0
    with pytest.raises(ServingError, match="no bot 'bot:best': there are bot:easy, bot:medium"):
        bots.check(TOY, "bot:best")
    with pytest.raises(ServingError, match="no bot"):
        bots.check(TOY, f"search:{TOY}/bot?51&actions=2")
    bots.close()


@pytest.mark.parametrize(
    "changed",
    [
        {"levels": {"best": {"ratings": []}}},
        {"levels": {"easy": {"temperature": -1.0, "ratings": []}}},
        {"levels": {"easy": {"temperature": 1.0, "ratings": [], "spec": "cmd:true"}}},
        {"levels": {"easy": {"temperature": 1.0}}},
    ],
)
def test_a_checkpoint_can_name_nothing_but_temperatures(tmp_path, changed):
    folder = write_checkpoint(tmp_path / "bot", GAME)
    change_model(folder, **changed)
    with pytest.raises(CheckpointError, match="levels"):
        load_checkpoint(str(folder))


@pytest.mark.parametrize("name", OURS)
def test_those_of_shipped_bots_are_measured_and_stronger_than_the_next_lower_one(name):
    bot = shipped(name)[-1]
    game, model = load(name), load_checkpoint(bot).model
    assert list(model["levels"]) == ["easy", "medium", "hard"]
    lower, least = "random", None
    for level, measured in model["levels"].items():
        rows = measured["ratings"]
        roles = list(game.roles) if len(game.roles) > 1 else [None]
        assert [row["role"] for row in rows] == roles
        for row in rows:
            assert row["baseline"] == lower
            assert row["games"] >= 1000
            low, high = row["interval"]
            assert low <= row["win_share"] <= high
            # At tables of random the police wins nearly every game, and a random gang none.
            least_share = 0.0 if (lower, row["role"]) == ("random", "gang") else row["par"]
            assert low > least_share, (level, row)
        temperature = measured["temperature"]
        if level == "hard":
            assert temperature is None
            temperature = model["temperature"]
        assert least is None or temperature < least
        lower, least = f"bot:{level}", temperature
