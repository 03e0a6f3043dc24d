"""Two servers on one database: either can serve any seat of any match."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
import sqlalchemy as sa

from gangland.envs import load
from gangland.envs.core.replay import Replay
from gangland.serving.matches import peers, quota
from gangland.serving.storage import postgres as module
from gangland.serving.storage.postgres import CHANNEL, open_storage
from tests.games import TOY
from tests.serving.client import BOT, HUMAN, OPEN, human


def until(met, seconds=30):
    deadline = time.monotonic() + seconds
    while not met():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def hub(client):
    return client.http.app.state.hub


def connected(*clients):
    until(lambda: all(hub(client).peers.connected for client in clients))


@pytest.fixture
def socket():
    """A function that opens a WebSocket and says hello; gives it and the first view."""
    with ExitStack() as stack:

        def connect(client, match, token):
            path = f"/api/v1/matches/{match}/ws"
            found = stack.enter_context(client.http.websocket_connect(path))
            found.send_json({"type": "hello", "token": token, "svg": False})
            return found, found.receive_json()

        yield connect


def test_what_one_server_acknowledges_the_other_shows_at_once(servers, monkeypatch):
    """Even before it has heard of it."""
    monkeypatch.setattr(peers.Peers, "_heard", lambda self, names: None)
    two = servers(2)
    match, tokens = two[0].create(TOY, [HUMAN, HUMAN, HUMAN])
    turn = 0
    while (view := two[turn % 2].view(match, tokens[0]))["status"] != "finished":
        seat = view["to_act"]
        own = two[turn % 2].view(match, tokens[seat])
        turn += 1
        after = two[turn % 2].act(match, tokens[seat], own["decision"], own["legal"][0]["id"])
        turn += 1
        assert two[turn % 2].view(match, tokens[seat]) == after
    assert turn > 4
    replays = [client.get(f"/matches/{match}/replay")["replay"] for client in two]
    assert replays[0] == replays[1]
    Replay.read(json.dumps(replays[0])).verify(load(TOY))
    rows = [client.get("/leaderboard", game=TOY)["rows"] for client in two]
    assert rows[0] == rows[1]
    assert rows[0]


def test_a_decision_sent_to_both_servers_is_accepted_once(servers):
    two = servers(2)
    accepted = 0
    with ThreadPoolExecutor(2) as pool:
        for _ in range(15):
            match, tokens = two[0].create(TOY, [HUMAN, HUMAN, HUMAN])
            for client in two:
                client.view(match)
            sent = {
                "json": {"decision": 0, "action": 0},
                "headers": {"authorization": f"Bearer {tokens[0]}"},
            }
            answers = list(
                pool.map(
                    lambda client, match=match, sent=sent: client.http.post(
                        f"/api/v1/matches/{match}/actions", **sent
                    ),
                    two,
                )
            )
            assert sorted(answer.status_code for answer in answers) == [200, 409]
            refused = next(answer for answer in answers if answer.status_code == 409)
            assert refused.json()["code"] == "stale_decision"
            stored = hub(two[0]).disk.storage.read(match)[1]
            assert len([entry for entry in stored if entry.seat == 0]) == 1
            accepted += 1
    assert accepted == 15


def test_open_seats_are_taken_once(servers):
    two = servers(2)
    match, _ = two[0].create(TOY, [OPEN, OPEN, OPEN])
    with ThreadPoolExecutor(6) as pool:
        answers = list(
            pool.map(
                lambda k: two[k % 2].http.post(
                    f"/api/v1/matches/{match}/join", json={"name": f"Person {k}"}
                ),
                range(6),
            )
        )
    seats = [answer.json()["seat"] for answer in answers if answer.status_code == 200]
    assert sorted(seats) == [0, 1, 2]
    assert [a.json()["code"] for a in answers if a.status_code != 200] == ["conflict"] * 3
    seated = next(answer.json() for answer in answers if answer.status_code == 200)
    for client in two:
        view = client.view(match, seated["token"])
        assert (view["status"], view["viewer"]) == ("playing", seated["seat"])
        assert len({seat["player"] for seat in view["seats"]}) == 3


def test_watchers_of_one_server_see_what_happens_at_the_other(servers, socket):
    two = servers(2)
    connected(*two)
    match, tokens = two[0].create(TOY, [HUMAN, HUMAN, HUMAN])
    watcher, view = socket(two[1], match, tokens[1])
    assert view["decision"] is None
    for path, words in (("leave", "leaves"), ("return", "is back")):
        two[0].post(f"/matches/{match}/{path}", {}, tokens[2])
        assert words in watcher.receive_json()["events"][-1]["text"]
        assert two[1].view(match, tokens[2])["away"] == (path == "leave")
    two[0].act(match, tokens[0], 0, "keep")
    view = watcher.receive_json()
    assert (view["type"], view["decision"]) == ("view", 0)
    watcher.send_json({"type": "act", "decision": 0, "action": view["legal"][0]["id"], "ref": 7})
    assert watcher.receive_json()["ref"] == 7
    until(lambda: two[0].view(match, tokens[2])["decision"] == 0)


def test_a_request_that_waits_at_one_server_hears_of_the_other(servers):
    two = servers(2)
    connected(*two)
    match, tokens = two[0].create(TOY, [HUMAN, HUMAN, HUMAN])
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(two[1].view, match, tokens[1], wait=20)
        time.sleep(0.3)
        assert not waiting.done()
        two[0].act(match, tokens[0], 0, "keep")
        assert waiting.result(10)["decision"] == 0


class Spy:
    """Counts the questions that bots are asked, by server; they think while ``thinking`` is set."""

    def __init__(self, client, delay=0.0):
        self.asked = self.answered = 0
        self.thinking = threading.Event()
        bots = hub(client).bots
        known = bots.ask

        async def ask(game, spec, question):
            self.asked += 1
            await asyncio.sleep(delay)
            while self.thinking.is_set():
                await asyncio.sleep(0.01)
            answer = await known(game, spec, question)
            self.answered += 1
            return answer

        bots.ask = ask


def test_one_server_plays_the_turns_of_the_bots(servers, socket):
    two = servers(2)
    connected(*two)
    spies = [Spy(client, 0.01) for client in two]
    decided = 0
    for k in range(6):
        match, tokens = two[k % 2].create(TOY, [HUMAN, BOT, BOT])
        before = [spy.asked for spy in spies]
        socket(two[(k + 1) % 2], match, tokens[0])
        view = two[(k + 1) % 2].asked(match, tokens[0])
        while view["status"] != "finished":
            two[(k + 1) % 2].act(match, tokens[0], view["decision"], view["legal"][0]["id"])
            view = two[k % 2].asked(match, tokens[0])
        asked = [spy.asked - b for spy, b in zip(spies, before, strict=True)]
        assert asked[(k + 1) % 2] == 0  # the server that created it has its lease
        journal = hub(two[0]).disk.storage.read(match)[1]
        decided += sum(entry.by == "bot" for entry in journal)
    assert sum(spy.asked for spy in spies) == decided > 0


def test_a_match_is_taken_over_when_its_server_ends(servers, socket, monkeypatch):
    """The server that has the lease falls silent while its bot thinks."""
    for known in (module, peers):  # a busy machine is no silence
        monkeypatch.setattr(known, "SILENCE", 3600.0)
    first, second = servers(2)
    connected(first, second)
    Spy(first, 3600.0)
    alone, _ = first.create(TOY, [BOT, BOT, BOT])
    match, tokens = first.create(TOY, [HUMAN, BOT, BOT])
    watcher, view = socket(second, match, tokens[0])
    while view["decision"] is None:
        view = watcher.receive_json()
    first.act(match, tokens[0], view["decision"], view["legal"][0]["id"])
    assert hub(second).peers.owned == set()

    async def silent():
        for task in list(hub(first).tasks._running):
            task.cancel()

    first.http.portal.call(silent)
    for known in (module, peers):
        monkeypatch.setattr(known, "SILENCE", 2.0)
    until(lambda: hub(second).peers.owned >= {match, alone})
    until(lambda: second.get(f"/matches/{alone}")["status"] == "finished")
    view = second.asked(match, tokens[0])
    assert view["decision"] == 1 or view["status"] == "finished"
    while watcher.receive_json()["decision"] != view["decision"]:
        pass
    second.play_out(match, {0: tokens[0]})


def test_a_server_that_lost_its_leases_asks_for_them_again(servers, monkeypatch):
    first, second = servers(2)
    connected(first, second)
    match, tokens = first.create(TOY, [HUMAN, HUMAN, HUMAN], clock={"per_decision": 3600.0})
    assert match in hub(first).peers.owned
    with hub(second).disk.storage.engine.begin() as connection:
        connection.execute(sa.text("UPDATE servers SET beat = now() - interval '1 hour'"))
    hub(first).peers._beaten_at = time.monotonic() - 3600.0
    second.view(match)
    time.sleep(4 * peers.BEAT)
    until(lambda: [match in hub(one).peers.owned for one in (first, second)].count(True) == 1)
    for client in (first, second):
        assert client.view(match, tokens[0])["clock"]["left"] > 3500


def test_time_without_any_server_does_not_count(servers, monkeypatch):
    """Whoever takes a match over that nobody drove begins the pending decision's time again."""

    async def nothing(self, shared):
        """The match is asked for before it is found."""

    (first,) = servers(1)
    clock = {"per_decision": 3600.0}
    match, tokens = first.create(TOY, [HUMAN, HUMAN, HUMAN], clock=clock)
    gone = sa.text("UPDATE leases SET server = 0, since = since - 7200")
    with hub(first).disk.storage.engine.begin() as connection:
        connection.execute(gone)
    monkeypatch.setattr(peers.Peers, "_adopt", nothing)
    (second,) = servers(1)
    second.view(match, tokens[0])
    until(lambda: match in hub(second).peers.owned)
    view = second.view(match, tokens[0])
    assert view["events"] == []
    assert view["clock"]["left"] > 3500


def test_a_rematch_is_one_match_wherever_it_is_asked_for(servers, socket):
    two = servers(2)
    connected(*two)
    match, tokens = two[0].create(TOY, [HUMAN, BOT, HUMAN])
    two[0].post(f"/matches/{match}/end", token=tokens[0])
    two[1].post(f"/matches/{match}/end", token=tokens[2])
    watcher, _ = socket(two[1], match, None)
    with ThreadPoolExecutor(2) as pool:
        taken = list(
            pool.map(
                lambda k: two[k].post(f"/matches/{match}/rematch", token=tokens[2 * k]), range(2)
            )
        )
    assert taken[0]["match"] == taken[1]["match"]
    while (view := watcher.receive_json())["rematch"] is None:
        pass
    assert view["rematch"]["match"] == taken[0]["match"]
    new = taken[0]["match"]
    for k, client in enumerate(two):
        assert client.view(new, tokens[2 * k])["status"] == "playing"
    answer = two[1].post(f"/matches/{match}/end", token=tokens[0], status=409)
    assert answer["code"] == "conflict"


SLACK = 0.1
"""Seconds by which clocks of one machine may differ."""


def test_the_clock_is_the_same_at_every_server(servers):
    first, second = servers(2)
    limit = 8.0
    clock = {"per_decision": limit, "bank": 60.0, "strikes": 1000}
    before = time.monotonic()
    match, tokens = first.create(TOY, [HUMAN, HUMAN, HUMAN], clock=clock)
    begun = time.monotonic()
    time.sleep(1.2)
    for client in (first, second):
        earliest = time.monotonic() - begun
        left = client.view(match, tokens[0])["clock"]["left"]
        latest = time.monotonic() - before
        assert limit - latest - SLACK < left < limit - earliest + SLACK
    earliest = time.monotonic() - begun
    second.act(match, tokens[0], 0, "keep")
    latest = time.monotonic() - before
    entry = hub(first).disk.storage.read(match)[1][0]
    assert earliest - SLACK < entry.spent < latest + SLACK
    assert first.view(match, tokens[1])["clock"]["left"] > limit - (time.monotonic() - before) + 1.0
    until(lambda: len(hub(first).disk.storage.read(match)[1]) > 1)
    late = hub(first).disk.storage.read(match)[1][1]
    assert late.by == "clock"
    assert limit - SLACK < late.spent < time.monotonic() - begun
    assert any(event["kind"] == "clock" for event in second.view(match, tokens[1])["events"])


def test_undo_at_one_server_while_the_bot_of_the_other_thinks(servers):
    first, second = servers(2)
    connected(first, second)
    match, tokens = first.create(TOY, [HUMAN, BOT, BOT])
    view = first.asked(match, tokens[0])
    spy = Spy(first)
    spy.thinking.set()
    first.act(match, tokens[0], view["decision"], view["legal"][0]["id"])
    until(lambda: spy.asked)
    assert second.post(f"/matches/{match}/undo", {}, tokens[0])["decision"] == 2
    spy.thinking.clear()
    until(lambda: spy.answered)  # in a position that is gone
    time.sleep(0.5)
    journal = hub(first).disk.storage.read(match)[1]
    assert journal[-1].kind == "undo"
    for client in (first, second):
        assert client.view(match, tokens[0])["decision"] == 2


def test_an_expired_match_is_closed_everywhere(servers, monkeypatch):
    first, second = servers(2)
    connected(first, second)
    match, tokens = first.create(TOY, [HUMAN, HUMAN, HUMAN])
    second.view(match)
    monkeypatch.setattr(quota, "now", lambda: time.time() + 48 * 3600)
    hub(second).rooms.used.clear()
    hub(first).rooms.used.clear()
    second.http.portal.call(hub(second).quota.clear)
    assert first.get(f"/matches/{match}")["status"] == "expired"
    assert first.act(match, tokens[0], 0, "keep", status=409)["code"] == "conflict"


def test_matches_of_bots_only_are_counted_together(servers):
    first, second = servers(2, bot_matches=1)
    Spy(first, 3600.0)
    first.create(TOY, [BOT, BOT, BOT])
    refused = second.create(TOY, [BOT, BOT, BOT], status=429)
    assert "matches of bots alone" in refused["message"]


def test_notifications_that_were_lost_are_made_up_for(servers, socket, url):
    first, second = servers(2)
    connected(first, second)
    match, tokens = first.create(TOY, [HUMAN, HUMAN, HUMAN])
    watcher, _ = socket(second, match, tokens[1])
    ended = sa.text(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE query LIKE :listening AND datname = current_database()"
    )
    other = open_storage(url)
    with other.engine.begin() as connection:
        assert len(connection.execute(ended, {"listening": f"LISTEN {CHANNEL}%"}).all()) == 2
    other.close()
    first.act(match, tokens[0], 0, "keep")
    assert watcher.receive_json()["decision"] == 0


def test_both_servers_go_on_after_the_database_was_restarted(servers, postgres):
    two = servers(2)
    connected(*two)
    match, tokens = two[0].create(TOY, [HUMAN, BOT, BOT])
    postgres.stop("immediate")
    view = two[1].view(match, tokens[0], status=503)
    assert view["code"] == "unavailable"
    postgres.start()
    until(lambda: two[1].http.get(f"/api/v1/matches/{match}").status_code == 200)
    connected(*two)
    two[1].play_out(match, {0: tokens[0]})
    assert two[0].get(f"/matches/{match}")["status"] == "finished"


@pytest.mark.parametrize("name", ["%00", "a%00b", "é", "x" * 64, "../x"])
def test_names_that_the_database_refuses(servers, name):
    (client,) = servers(1)
    assert client.http.get(f"/api/v1/matches/{name}").status_code == 404
    answer = client.http.get(f"/api/v1/matches?game={name}")
    assert (answer.status_code, answer.json()["matches"]) == (200, [])


def test_names_of_people_in_any_writing(servers):
    (client,) = servers(1)
    match, tokens = client.create(TOY, [human("Łukasz 🎲 東京"), human("a" * 40), BOT])
    client.play_out(match, dict(tokens))
    assert len(client.get("/leaderboard", game=TOY)["rows"]) == 3
