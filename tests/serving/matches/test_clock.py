"""Time limits of people."""

from __future__ import annotations

import time

from tests.games import TOY
from tests.serving.client import HUMAN, human


def until(client, match, token, met, seconds=20):
    deadline = time.monotonic() + seconds
    view = client.view(match, token)
    while not met(view):
        assert time.monotonic() < deadline, view
        view = client.view(match, token, after=view["version"], wait=1)
    return view


def test_when_time_is_up_the_server_passes(client):
    """``keep`` is what this match calls passing; a random bot would swap half the time."""
    clock = {"per_decision": 0.15, "passes": ["keep", "pass"], "strikes": 100}
    match, tokens = client.create(TOY, [HUMAN, HUMAN, HUMAN], clock=clock)
    view = client.view(match, tokens[0])
    assert 0 < view["clock"]["left"] <= 0.15
    assert client.view(match, tokens[1])["clock"] is None
    over = until(client, match, tokens[0], lambda v: v["status"] == "finished")
    texts = [event["text"] for event in over["events"] if event["kind"] == "game"]
    assert texts == [f"Player {seat} plays keep." for seat in range(3)]
    clocks = [event for event in over["events"] if event["kind"] == "clock"]
    assert [event["text"] for event in clocks] == ["Time is up: the server has decided."]


def test_a_person_who_is_late_too_often_is_replaced(client):
    clock = {"per_decision": 0.1, "expired": "bot", "strikes": 1}
    match, tokens = client.create(TOY, [human("Ann"), HUMAN, HUMAN], clock=clock)
    view = until(client, match, tokens[0], lambda v: v["away"] or v["status"] == "finished")
    assert "Ann leaves; random plays on for Player 0." in [e["text"] for e in view["events"]]


def test_an_action_in_time_stops_the_clock(client):
    clock = {"bank": 0.6, "increment": 5, "strikes": 100}
    match, tokens = client.create(TOY, [HUMAN, HUMAN, HUMAN], clock=clock)
    client.act(match, tokens[0], 0, "keep")
    time.sleep(0.8)  # the bank of seat 1 runs out meanwhile, that of seat 0 does not
    view = until(client, match, tokens[1], lambda v: v["events"][-1]["kind"] != "seat")
    assert any(event["kind"] == "clock" for event in view["events"])
    first = client.view(match, tokens[0])
    assert not any(event["kind"] == "clock" for event in first["events"])
