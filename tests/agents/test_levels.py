"""Levels of bots: ``bot:easy`` to ``bot:strong`` are what was measured, and nothing else."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from gangland.agents.registry import UnknownAgentError, make, shipped, specs, traits
from gangland.agents.shipped import levels
from gangland.agents.trained import policy
from gangland.agents.trained.model_file import CheckpointError
from gangland.agents.trained.policy import load_checkpoint
from gangland.arena import play_table
from gangland.arena.hashes import hashes_of
from gangland.arena.workers import Players
from gangland.envs import load
from gangland.serving.bots.registry import Bots
from gangland.serving.errors import ServingError
from tests.agents.checkpoints import change_model, write_checkpoint
from tests.games import OURS, TOY

TOYS = load(TOY)
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
            change_model(write_checkpoint(tmp_path / TOY / name, TOYS), **changes)
        monkeypatch.setattr(policy, "_shipped_root", lambda: tmp_path)

    return ship


def test_they_are_settings_of_the_games_bot_in_order(shipping):
    shipping(v1={"levels": {}}, bot={"levels": MEASURED})
    docs = specs(TOYS)
    assert list(docs)[:4] == ["bot:easy", "bot:medium", "bot:hard", "random"]
    bot = f"ppo:{TOY}/bot"
    won = "wins 60% (50%-70%, par 33%) against 2"
    assert docs["bot:easy"] == f"{bot}?temperature=4; {won} random"
    assert docs["bot:medium"] == f"{bot}?temperature=1.4; {won} bot:easy"
    assert docs["bot:hard"] == f"{bot}; {won} bot:medium"
    for spec, temperature in (("bot:easy", 4.0), ("bot:medium", 1.4), ("bot:hard", 0.0)):
        agent = make(f" {spec} ", TOYS)
        assert (agent.spec, agent.temperature) == (spec, temperature)
        assert traits(spec, TOYS) == traits(bot, TOYS)
        assert hashes_of(agent) == hashes_of(make(bot, TOYS))


def test_each_role_has_a_share_of_its_own(shipping):
    rows = [{**ROW, "baseline": "random", "role": role} for role in ("gang", "police")]
    shipping(bot={"levels": {"easy": {"temperature": 2.0, "ratings": rows}}})
    assert specs(TOYS)["bot:easy"].count("par 33%) against 2 random as ") == 2


@pytest.mark.parametrize(("low", "offered"), [(None, False), (0.3333, False), (0.34, True)])
def test_a_search_is_offered_only_where_it_is_known_to_win(shipping, low, offered):
    search = None if low is None else {**SEARCHED, "interval": [low, 0.7]}
    # What was measured over another bot says nothing of this one.
    shipping(v1={"search": SEARCHED}, bot={"search": search})
    docs = specs(TOYS)
    assert ("bot:strong" in docs) is offered
    assert not [spec for spec in docs if spec.startswith("search:")]
    if offered:
        spec = f"search:{TOY}/bot?50&actions=2"
        won = f"wins 60% (34%-70%, par 33%) against 2 ppo:{TOY}/bot"
        assert docs["bot:strong"] == f"{spec}; {won}"
        assert levels(TOYS)["bot:strong"].stands_for == spec


@pytest.mark.parametrize("name", ["strong", "", "Easy", "easy?temperature=1"])
def test_an_unknown_one_is_refused_with_those_of_the_game(shipping, name):
    shipping(bot={"levels": MEASURED})
    allowed = f"bot:{name}: must be one of bot:easy, bot:medium, bot:hard in {TOY}"
    with pytest.raises(UnknownAgentError) as caught:
        make(f"bot:{name}", TOYS)
    assert str(caught.value) == allowed


@pytest.mark.parametrize("bot", [None, {}])
def test_without_a_measured_bot_there_are_none(shipping, bot):
    """Kuhn poker has no bot; another one was never measured."""
    game = load("kuhn") if bot is None else TOYS
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
    players = Players(TOYS, TOYS.options.resolve({}), [make("bot:easy", TOYS)])
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
    folder = write_checkpoint(tmp_path / "bot", TOYS)
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
