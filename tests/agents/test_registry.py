"""Specs of agents: known ones are made, others are refused by name."""

from __future__ import annotations

import json

import pytest

from gangland.agents import registry
from gangland.agents.base import Agent
from gangland.agents.baseline import heuristic
from gangland.agents.baseline.heuristic import NoHeuristicError
from gangland.agents.decision import Decision
from gangland.agents.registry import UnknownAgentError, make, make_all, register
from gangland.agents.trained import policy
from gangland.agents.trained.model_file import FORMAT_VERSION
from gangland.envs import load
from gangland.envs.core.errors import GanglandError
from tests.games import TOY

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
