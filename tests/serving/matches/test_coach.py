"""The coach rates decisions and reviews matches from what the seat knew."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from gangland.agents.judgement import JudgementError, judge
from gangland.agents.registry import make, strongest
from gangland.agents.seeds import players_key
from gangland.agents.table import deciding_view
from gangland.envs import load
from gangland.envs.core.view import Detail
from gangland.serving.bots.registry import Bots
from gangland.serving.matches.coach import Coach
from gangland.serving.storage.journal import Entry
from tests.games import GAMES, TOY
from tests.serving.client import human
from tests.serving.servers import new_match, played

BOTS = [name for name in GAMES if name != TOY and strongest(load(name)).startswith("ppo")]
RULES = {"kind": "bot", "bot": "heuristic"}


def position(name, plies=40, seed=8):
    """A position after some decisions of the rules of thumb in which there is a choice."""
    game = load(name)
    agent = make("heuristic", game)
    state = game.new_state(seed)
    for ply in range(plies + 200):
        view = deciding_view(game, state, players_key(seed), Detail.OWN)
        if ply >= plies and len(view.legal_actions) > 2:
            return game, state, view
        game.apply(state, agent.decide(view).action)
    raise LookupError("no such position")


@pytest.mark.parametrize("name", BOTS)
def test_a_judgement_adds_up_and_rests_on_the_view_alone(name):
    game, state, view = position(name)
    agent = make(strongest(game), game)
    played = view.legal_actions[-1]
    found = judge(agent, view, played, samples=8)
    seats = game.num_seats(state)
    assert played in found.actions
    assert found.chances.shape == (len(found.actions), seats)
    assert found.chances.sum(1) == pytest.approx(1.0)
    assert found.before.sum() == pytest.approx(1.0)
    assert found.cost(int(found.actions[0])) == 0.0
    # Whatever the seat cannot know may be otherwise.
    other = game.resample_hidden(state, view.seat, 77)
    assert other.tobytes() != state.tobytes()
    seen = game.view(other, view.seat, view.seed, Detail.OWN)
    again = judge(agent, seen, played, samples=8)
    assert (again.chances == found.chances).all()
    assert (again.errors == found.errors).all()


def test_what_the_bot_would_never_play_costs_something():
    game = load("chicago")
    agent, player = make(strongest(game), game), make("heuristic", game)
    costs = []
    state = game.new_state(1)
    while not game.is_over(state):
        view = deciding_view(game, state, players_key(1), Detail.OWN)
        given = agent.decide(view).probabilities
        worst = min(view.legal_actions, key=lambda action: given[action])
        if given[worst] < 0.01:
            costs.append(judge(agent, view, worst, samples=64).cost(worst))
        game.apply(state, player.decide(view).action)
    assert len(costs) > 20
    assert np.mean(costs) > 0.01


@pytest.mark.parametrize("name", BOTS)
def test_every_action_has_a_reason_in_whole_sentences(name):
    game = load(name)
    rng = np.random.default_rng(5)
    given = set()
    for seed in range(3):
        state = game.new_state(seed)
        for _ in range(400):
            if game.is_over(state):
                break
            known = game.redact(state, game.seat_to_act(state))
            legal = game.legal_actions(known)
            for action in legal:
                words = game.reason(known, action)
                assert words, game.action_text(known, action)
                assert not words[0].islower(), words
                assert words.endswith("."), words
                assert "None" not in words, words
                given.add(words)
            game.apply(state, int(rng.choice(legal)))
    assert len(given) > 20


def test_an_agent_without_probabilities_cannot_judge():
    game, _, view = position("chicago")
    with pytest.raises(JudgementError, match="heuristic"):
        judge(make("heuristic", game), view, view.legal_actions[0])


@pytest.fixture
def table(client):
    """A short match of Chicago with one person."""
    seats = [human("Ada"), *[RULES] * 4]
    match, tokens = client.create("chicago", seats, seed=3, options={"turn_cap": 25})
    return match, tokens[0]


def test_a_decision_is_rated_after_it_was_made(client, table):
    match, token = table
    seen = client.asked(match, token)
    assert seen["last_decision"] is None
    client.post(f"/matches/{match}/coach", {}, token, 404)
    chosen = seen["legal"][-1]
    client.act(match, token, seen["decision"], chosen["id"])
    later = client.asked(match, token)
    assert later["last_decision"] == seen["decision"]
    found = client.post(f"/matches/{match}/coach", {}, token)
    one = found["assessment"]
    assert one["decision"] == seen["decision"]
    assert one["played"]["action"] == chosen
    assert 1 <= len(one["best"]) <= 3
    for chances in (one["before"], one["after"], *(best["chances"] for best in one["best"])):
        assert sum(chances) == pytest.approx(1.0)
        assert len(chances) == 5
    shares = [best["probability"] for best in one["best"]]
    assert shares == sorted(shares, reverse=True)
    assert one["after"] == one["played"]["chances"]
    assert all(best["reason"] for best in one["best"])
    # The same again, by number; nobody else's and none that was taken back.
    again = client.post(f"/matches/{match}/coach", {"decision": one["decision"]}, token)
    assert again == found
    client.post(f"/matches/{match}/coach", {"decision": later["decision"]}, token, 404)
    client.post(f"/matches/{match}/undo", None, token, svg=False)
    client.post(f"/matches/{match}/coach", {"decision": one["decision"]}, token, 404)
    client.post(f"/matches/{match}/coach", {}, status=401)
    refused = client.post(f"/matches/{match}/coach", {"bot": "heuristic"}, token, 422)
    assert "heuristic" in refused["message"]


def test_a_review_has_the_curve_and_the_costly_decisions(client, table):
    match, token = table
    assert client.get(f"/matches/{match}/review", token, 409)["code"] == "conflict"
    # Whoever never hires, buys or fights gives something away.
    last = client.play_out(match, {0: token})[0]
    found = client.get(f"/matches/{match}/review", token)
    assert found["seat"] == 0
    assert 0 <= found["agreed"] <= found["decisions"]
    plies = [point["ply"] for point in found["curve"]]
    assert plies == sorted(set(plies))
    assert plies[-1] == last["frames"] - 1
    for point in found["curve"]:
        assert sum(point["chances"]) == pytest.approx(1.0)
        assert point["turn"]
    won = {one["seat"]: one["win_share"] for one in last["result"]["standings"]}
    assert found["curve"][-1]["chances"] == [won[seat] for seat in range(5)]
    costs = [one["cost"] for one in found["costly"]]
    assert costs == sorted(costs, reverse=True)
    assert 1 <= len(costs) <= 3
    assert all(one["cost"] > one["margin"] for one in found["costly"])
    for one in found["costly"]:
        frame = client.get(f"/matches/{match}/frames/{one['ply'] + 1}")
        assert frame["actor"] == 0
        assert frame["action"]["id"] == one["played"]["action"]["id"]
    client.get(f"/matches/{match}/review", None, 401)


@pytest.mark.parametrize("goes_on", [True, False])
def test_a_decision_that_is_taken_back_meanwhile_is_rated_as_it_was(goes_on):
    """The coach is still at another question when the person plays otherwise, or rivals do."""
    match = new_match("chicago")
    played(match, 40)
    seat = match.line[-1].seat
    number, spec = match.line[-1].decision, strongest(match.game)

    async def asked():
        bots = Bots()
        try:
            coach = Coach(bots, lambda work: asyncio.get_running_loop().create_task(work))
            expected = await Coach(bots, asyncio.create_task).rate(match, seat, number, spec)
            async with coach._one:
                question = asyncio.create_task(coach.rate(match, seat, number, spec))
                await asyncio.sleep(0.01)
                match.apply(Entry("undo", seat))
                match.apply(Entry("undo", seat))
                if goes_on:
                    played(match, 60, seed=9)
            return expected, await question
        finally:
            bots.close()

    expected, found = asyncio.run(asked())
    assert found == expected
    assert found.decision == number
