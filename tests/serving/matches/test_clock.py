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
    over = until(client, match, tokens[0], lambda v: v["status"] == "finished")
    texts = [event["text"] for event in over["events"] if event["kind"] == "game"]
    assert texts == [f"Player {seat} plays keep." for seat in range(3)]
    clocks = [event for event in over["events"] if event["kind"] == "clock"]
    assert [event["text"] for event in clocks] == ["Time is up: the server has decided."]


def test_the_clock_is_shown_to_whom_it_runs_for(client):
    clock = {"per_decision": 3600.0}
    began = time.monotonic()
    match, tokens = client.create(TOY, [HUMAN, HUMAN, HUMAN], clock=clock)
    left = client.view(match, tokens[0])["clock"]["left"]
    assert 3600.0 - (time.monotonic() - began) <= left <= 3600.0
    assert client.view(match, tokens[1])["clock"] is None


def test_a_person_who_is_late_too_often_is_replaced(client):
    clock = {"per_decision": 0.1, "expired": "bot", "strikes": 1}
    match, tokens = client.create(TOY, [human("Ann"), HUMAN, HUMAN], clock=clock)
    view = until(client, match, tokens[0], lambda v: v["away"] or v["status"] == "finished")
    assert "Ann leaves; a bot plays on for Player 0." in [e["text"] for e in view["events"]]


def test_an_action_in_time_stops_the_clock(client):
    clock = {"bank": 4.0, "increment": 3600, "strikes": 100}
    match, tokens = client.create(TOY, [HUMAN, HUMAN, HUMAN], clock=clock)
    client.act(match, tokens[0], 0, "keep")
    # The bank of seat 1 runs out, that of seat 0 does not.
    until(client, match, tokens[1], lambda v: any(e["kind"] == "clock" for e in v["events"]))
    first = client.view(match, tokens[0])
    assert not any(event["kind"] == "clock" for event in first["events"])
