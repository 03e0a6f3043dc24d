"""Matches that nobody touches, matches of bots alone: neither closes the server to people."""

from __future__ import annotations

import asyncio
import threading

import pytest
from starlette.testclient import TestClient

from gangland.envs import load
from gangland.serving.bots.bot import Bot
from gangland.serving.bots.registry import Offer
from gangland.serving.doors.http.app import create_app
from gangland.serving.matches import quota
from gangland.serving.matches.driver import Gate
from gangland.serving.settings import Limits, Settings
from tests.games import TOY
from tests.serving.client import BOT, HUMAN, OPEN, Client
from tests.serving.servers import Odd

HOUR, DAY = 3600.0, 24 * 3600.0


class Time:
    """The time of day of the servers here."""

    def __init__(self):
        self.now = 1_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    found = Time()
    monkeypatch.setattr(quota, "now", found)
    return found


@pytest.fixture
def server(tmp_path, clock):
    """A function that gives a server with these limits; the database stays."""

    def make(**limits):
        url = f"sqlite:///{tmp_path / 'm.db'}"
        return TestClient(create_app(Settings(url, limits=Limits(rate=0.0, **limits))))

    return make


def clear(http):
    http.portal.call(http.app.state.hub.quota.clear)


def test_expiry_depends_on_what_happened_in_a_match(server, clock):
    with server() as http:
        client = Client(http)
        waiting, seats = client.create(TOY, [HUMAN, OPEN, OPEN])
        unbegun, _ = client.create(TOY, [HUMAN, HUMAN, HUMAN])
        looked_at, _ = client.create(TOY, [HUMAN, HUMAN, HUMAN])
        begun, tokens = client.create(TOY, [HUMAN, HUMAN, HUMAN])
        client.act(begun, tokens[0], 0, "keep")
        clear(http)
        clock.now += DAY - HOUR
        client.view(looked_at)
        clear(http)
        statuses = [client.get(f"/matches/{m}")["status"] for m in (waiting, unbegun)]
        assert statuses == ["waiting", "playing"]
        clear(http)
        clock.now += DAY - HOUR
        client.view(looked_at)
        clear(http)
        clock.now += 2 * HOUR
        clear(http)
        found = {m: client.get(f"/matches/{m}")["status"] for m in (waiting, unbegun)}
        assert set(found.values()) == {"expired"}
        listed = {row["match"]: row["status"] for row in client.get("/matches")["matches"]}
        assert listed == {looked_at: "playing", begun: "playing"}
        listed = http.get("/api/v1/matches?status=expired").json()["matches"]
        assert [row["status"] for row in listed] == ["expired"] * 2
        answer = client.post(f"/matches/{waiting}/join", {"name": "Late"}, status=409)
        assert answer["message"] == "the match is expired"
        client.post(f"/matches/{waiting}/leave", {}, seats[0], status=409)
        client.act(waiting, seats[0], 0, "keep", status=409)
        assert client.view(waiting, seats[0])["decision"] is None
    clock.now += 31 * DAY
    with server() as http:
        clear(http)
        client = Client(http)
        assert client.get(f"/matches/{begun}")["status"] == "expired"
        assert client.get("/matches")["matches"] == []
        assert http.app.state.hub.quota.unfinished == 0


def test_a_watched_match_does_not_expire(server, clock):
    with server() as http:
        match, tokens = Client(http).create(TOY, [HUMAN, HUMAN, HUMAN])
        with http.websocket_connect(f"/api/v1/matches/{match}/ws") as socket:
            socket.send_json({"type": "hello", "svg": False})
            socket.receive_json()
            for _ in range(3):
                clock.now += DAY - HOUR
                clear(http)
        assert Client(http).view(match, tokens[0])["decision"] == 0


def test_expiry_can_be_switched_off(server, clock):
    with server(waiting_age=0.0, unfinished_age=0.0) as http:
        match, _ = Client(http).create(TOY, [HUMAN, OPEN, OPEN])
        clear(http)
        clock.now += 10_000 * DAY
        clear(http)
        assert Client(http).get(f"/matches/{match}")["status"] == "waiting"


def test_unplayed_matches_expire_early_when_there_are_too_many(server, clock):
    with server(unfinished=10) as http:
        client = Client(http)
        played, tokens = client.create(TOY, [HUMAN, HUMAN, HUMAN])
        client.act(played, tokens[0], 0, "keep")
        flood = [client.create(TOY, [HUMAN, OPEN, OPEN])[0] for _ in range(9)]
        assert client.create(TOY, [HUMAN] * 3, status=503)["code"] == "unavailable"
        clear(http)
        clock.now += 2 * quota.GIVE_WAY
        for _ in range(9):
            client.create(TOY, [HUMAN, OPEN, OPEN])
            clock.now += quota.CLEARING
        assert {client.get(f"/matches/{m}")["status"] for m in flood} == {"expired"}
        assert client.get(f"/matches/{played}")["status"] == "playing"


# --- bots alone -----------------------------------------------------------------------------------


def with_odd(http, before):
    """Offer a bot that calls ``before`` whenever it decides."""
    hub = http.app.state.hub
    hub.bots.offers(TOY)["odd"] = Offer(load(TOY), "odd", "odd", "for a test")
    hub.bots._bots[TOY, "odd"] = Bot(load(TOY), "odd", Odd(load(TOY), before))
    return {"kind": "bot", "bot": "odd"}


def test_the_number_of_matches_between_bots_is_limited(server):
    free = threading.Event()
    with server(bot_matches=2) as http:
        odd = with_odd(http, lambda: free.wait(60) or pytest.fail("nobody let it go"))
        client = Client(http)
        first = [client.create(TOY, [odd] * 3)[0] for _ in range(2)]
        answer = client.create(TOY, [odd] * 3, status=429)
        assert answer["code"] == "too_many"
        match, tokens = client.create(TOY, [HUMAN, HUMAN, HUMAN])
        client.play_out(match, tokens)
        free.set()
        for name in first:
            view = client.view(name)
            while view["status"] != "finished":
                view = client.view(name, after=view["version"], wait=5)
        client.create(TOY, [odd] * 3)


def test_matches_between_bots_wait_until_others_leave_a_thread_free():
    """With two threads: one decision behind at a time, and none while two ahead are made."""

    async def check():
        gate, order = Gate(2), []

        async def work(name, entering, until):
            async with entering:
                order.append(name)
                await until.wait()

        ends = [asyncio.Event() for _ in range(5)]
        tasks = [asyncio.create_task(work("bots 1", gate.behind(), ends[0]))]
        await settle()
        tasks.append(asyncio.create_task(work("bots 2", gate.behind(), ends[1])))
        tasks.append(asyncio.create_task(work("people 1", gate.ahead(), ends[2])))
        tasks.append(asyncio.create_task(work("people 2", gate.ahead(), ends[3])))
        await settle()
        assert order == ["bots 1", "people 1", "people 2"]
        ends[0].set()
        gone = asyncio.create_task(work("gone", gate.behind(), ends[4]))
        await settle()
        assert order == ["bots 1", "people 1", "people 2"]
        gone.cancel()
        ends[2].set()
        await settle()
        assert order[3:] == ["bots 2"]
        ends[1].set()
        ends[3].set()
        await asyncio.gather(*tasks)
        async with gate.behind():
            order.append("bots 3")
        assert order[4:] == ["bots 3"]

    async def settle():
        for _ in range(10):
            await asyncio.sleep(0)

    asyncio.run(check())


@pytest.mark.parametrize(
    ("seats", "left", "attended"),
    [
        ([HUMAN, BOT, BOT], [], True),
        ([HUMAN, BOT, BOT], [0], False),
        ([HUMAN, HUMAN, BOT], [0], True),
        ([BOT, BOT, BOT], [], False),
    ],
)
def test_a_match_that_all_people_have_left_counts_as_bots_only(server, seats, left, attended):
    with server() as http:
        client = Client(http)
        match, tokens = client.create(TOY, seats)
        for seat in left:
            client.post(f"/matches/{match}/leave", {}, tokens[seat])
        assert http.app.state.hub.rooms[match].attended == attended
