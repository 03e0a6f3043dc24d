"""Language models as players, against a small server that speaks the chat protocol."""

from __future__ import annotations

import json
import logging

import pytest
from click.testing import CliRunner

from gangland.agents.outside import llm
from gangland.agents.outside.remote import RemoteAgentError
from gangland.agents.registry import UnknownAgentError, make, make_built_in
from gangland.arena import play_table
from gangland.cli import cli
from gangland.envs import load
from gangland.serving.bots.registry import Bots
from gangland.serving.errors import ServingError
from tests.agents.servers import Model
from tests.games import OURS

pytest.importorskip("httpx", reason="needs gangland[remote]")

CHICAGO = load("chicago")


@pytest.fixture
def model():
    made = Model()
    yield made
    made.server.shutdown()
    made.server.server_close()


def first_view(game=CHICAGO, seed=1):
    state = game.new_state(seed)
    return game.view(state, game.seat_to_act(state), seed=9)


def test_it_is_asked_with_the_seats_view_and_numbered_actions(model):
    view = first_view()
    agent = make(model.spec(temperature="0.5", max_tokens=20), CHICAGO)
    model.reply = lambda messages: "I think so.\n**ACTION: 2**"
    assert agent.decide(view).action == view.legal_actions[1]
    (body,) = model.asked
    assert body["model"] == "small"
    assert body["temperature"] == 0.5
    assert body["max_tokens"] == 20
    assert model.headers[0]["path"] == "/v1/chat/completions"
    system, user = (message["content"] for message in body["messages"])
    assert CHICAGO.title in system
    assert llm._COLOURS.sub("", view.text()) in user
    for number, action in enumerate(view.legal_actions, 1):
        assert f"{number}. {view.action_text(action)} - " in user


@pytest.mark.parametrize("name", OURS)
def test_what_it_is_shown_does_not_depend_on_what_its_seat_cannot_know(name):
    game = load(name)
    state = game.new_state(4)
    for number in range(60):
        if game.is_over(state):
            break
        seat = game.seat_to_act(state)
        view = game.view(state, seat)
        other = game.view(game.resample_hidden(state, seat, number), seat)
        assert llm.question(game, view) == llm.question(game, other)
        game.apply(state, view.legal_actions[number % len(view.legal_actions)])


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        ("ACTION: 1", 0),
        ("action = 2.", 1),
        ("ACTION: 1\nNo, better:\nACTION: 2", 1),
        ("<think>ACTION: 1 would lose</think>\nACTION: 2", 1),
        ("2", 1),
        ("#2", 1),
        ("ACTION: 2) the words of the list", 1),
        ("Action: NOTATION", 1),
        ("NOTATION", 1),
        ("ACTION: 0", None),
        ("ACTION: 999", None),
        ("ACTION: -1", None),
        ("ACTION: 1.5", None),
        ("2 of them are strong, so I wait", None),
        ("<think>\nACTION: 1\n</think>\n2", 1),
        ("<think>\nACTION: 1", None),
        ("", None),
        ("ACTION:", None),
        ("ACTION: 99999999999999999999", None),
    ],
)
def test_answers_are_read_by_number_or_notation(answer, place):
    view = first_view()
    assert len(view.legal_actions) >= 2
    answer = answer.replace("NOTATION", view.action_text(view.legal_actions[1]))
    expected = None if place is None else view.legal_actions[place]
    assert llm.chosen_action(view, answer) == expected


def test_an_illegal_answer_is_returned_to_it(model):
    answers = iter(["I pass", "ACTION: 999", "ACTION: 1"])
    model.reply = lambda messages: next(answers)
    agent, view = make(model.spec(), CHICAGO), first_view()
    assert agent.decide(view).action == view.legal_actions[0]
    assert [len(body["messages"]) for body in model.asked] == [2, 4, 6]
    last = model.asked[-1]["messages"]
    assert last[2] == {"role": "assistant", "content": "I pass"}
    assert f"from 1 to {len(view.legal_actions)}" in last[3]["content"]
    assert (agent.usage.decisions, agent.usage.questions, agent.usage.illegal) == (1, 3, 2)
    assert agent.usage.fallbacks == 0


@pytest.mark.parametrize("fallback", ["random", "heuristic"])
def test_a_fallback_is_counted_logged_and_written_down(model, tmp_path, caplog, fallback):
    model.reply = lambda messages: "I cannot decide"
    file = tmp_path / "talk.jsonl"
    spec = model.spec(
        attempts=2, fallback=fallback, transcript=file, price_in=1000, price_out="1e4"
    )
    agent, view = make(spec, CHICAGO), first_view()
    with caplog.at_level(logging.WARNING):
        action = agent.decide(view).action
    assert action == make(fallback, CHICAGO).decide(view).action
    assert "no legal action in 2 answers" in caplog.text
    assert agent.usage.fallbacks == 1
    assert (agent.usage.tokens_in, agent.usage.tokens_out) == (200, 14)
    assert agent.cost == pytest.approx(0.2 + 0.14)
    assert f"1 of them by {fallback}" in agent.report()
    assert "200 tokens in, 14 out; cost 0.3400" in agent.report()
    (line,) = file.read_text().splitlines()
    entry = json.loads(line)
    assert entry == agent.transcript[0]
    assert (entry["action"], entry["fallbacks"], entry["seat"]) == (action, 1, view.seat)
    assert entry["notation"] == view.action_text(action)
    assert [m["role"] for m in entry["messages"]][2:] == ["assistant", "user"] * 2


def test_without_a_fallback_it_is_an_error(model):
    model.reply = lambda messages: "I cannot decide"
    agent = make(model.spec(attempts=2, fallback="error"), CHICAGO)
    with pytest.raises(RemoteAgentError, match="no legal action in 2 answers"):
        agent.decide(first_view())


def test_a_busy_service_is_asked_again_and_a_broken_one_is_an_error(model, monkeypatch):
    monkeypatch.setattr(llm, "PAUSE_SECONDS", 0.01)
    answers = iter([429, 503, "ACTION: 1"])
    model.reply = lambda messages: next(answers)
    view = first_view()
    agent = make(model.spec(), CHICAGO)
    assert agent.decide(view).action == view.legal_actions[0]
    assert agent.usage.questions == 3
    for answer, words in [
        (401, "status 401"),
        (500, "status 500"),
        ({"choices": []}, "must be a chat completion"),
        ([], "must be a chat completion"),
    ]:
        model.reply = lambda messages, answer=answer: answer
        with pytest.raises(RemoteAgentError, match=words):
            agent.decide(view)
    nobody = make("llm:http://127.0.0.1:9/v1?model=x", CHICAGO)
    with pytest.raises(RemoteAgentError, match=r"^llm:http://127\.0\.0\.1:9"):
        nobody.decide(view)


def test_its_key_comes_from_the_environment_and_is_shown_to_nobody(model, monkeypatch, tmp_path):
    make(model.spec(), CHICAGO).decide(first_view())
    assert "Authorization" not in model.headers[-1]
    monkeypatch.setenv(llm.KEY_VARIABLE, "sesame")
    agent = make(model.spec(transcript=tmp_path / "t"), CHICAGO)
    agent.decide(first_view())
    assert model.headers[-1]["Authorization"] == "Bearer sesame"
    assert "sesame" not in f"{agent.spec} {agent.report()} {(tmp_path / 't').read_text()}"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("llm:", "model"),
        ("llm:http://localhost/v1", "model"),
        ("llm:http://localhost/v1?model=", "model"),
        ("llm:localhost/v1?model=x", "must be llm:http"),
        ("llm:ftp://localhost/v1?model=x", "must be llm:http"),
        ("llm:http://localhost/v1?model=x&heat=1", "heat"),
        ("llm:http://localhost/v1?model=x&temperature=-1", "temperature"),
        ("llm:http://localhost/v1?model=x&temperature=nan", "temperature"),
        ("llm:http://localhost/v1?model=x&attempts=0", "attempts"),
        ("llm:http://localhost/v1?model=x&model=y", "twice"),
        ("llm:http://localhost/v1?model=x&fallback=cmd:x", "fallback"),
    ],
)
def test_bad_specs_are_named(spec, words):
    with pytest.raises(RemoteAgentError, match=words):
        make(spec, CHICAGO)


def test_it_plays_in_the_arena_which_reports_it(model):
    spec = model.spec(requests=8)
    result = play_table("chicago", [spec, "random"], 2, seed=1, players=2, turn_cap=10)
    assert len(model.asked) > 10
    counts = f"{len(model.asked)} decisions, 0 of them by random; {len(model.asked)} questions"
    assert result.notes[spec].startswith(counts)
    assert result.to_dict()["notes"] == result.notes
    words = ["arena", "--table", f"{spec},random", "--games", "2", "--option", "players=2"]
    shown = CliRunner().invoke(cli, [*words, "--option", "turn_cap=10"], env={"COLUMNS": "300"})
    assert shown.exit_code == 0, shown.output
    assert "0 of them by random" in shown.output


def test_it_sits_at_a_server_if_the_operator_names_it_and_only_then(model):
    spec = model.spec()
    with_it, without = Bots(more=[("chicago", spec)]), Bots()
    view = first_view()
    assert with_it.check("chicago", spec) == spec
    bot = with_it.bot("chicago", spec)
    assert bot.agent.decide(view).action == view.legal_actions[0]
    for bots, wanted in ((without, spec), (with_it, model.spec(attempts=9))):
        with pytest.raises(ServingError, match="no bot"):
            bots.check("chicago", wanted)
    with pytest.raises(UnknownAgentError):
        make_built_in(spec, CHICAGO)
    with_it.close()
    without.close()
