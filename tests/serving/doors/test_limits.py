"""Whom a server answers, and how much: hosts, origins, size, rate, number of requests."""

from __future__ import annotations

import json
import socket
import time
from dataclasses import replace

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from gangland.envs import load
from gangland.serving.doors.http import game_routes
from gangland.serving.doors.http.app import create_app
from gangland.serving.doors.http.limits import Bucket, Hosts
from gangland.serving.matches.rooms import Pictures
from gangland.serving.settings import Limits, Settings
from tests.games import TOY
from tests.serving.client import BOT, HUMAN, Client

# --- other people's names (DNS rebinding), other people's pages -----------------------------------


@pytest.mark.parametrize(
    ("header", "allowed"),
    [
        ("localhost", True),
        ("localhost:8000", True),
        ("LocalHost.:8000", True),
        ("game.localhost", True),
        (socket.gethostname(), True),
        ("127.0.0.1", True),
        ("192.168.1.7:80", True),
        ("[::1]:8000", True),
        ("[2001:db8::1]", True),
        ("play.example", True),
        ("a.b.games.example:443", True),
        ("games.example", False),
        ("evil.example", False),
        ("play.example.evil.example", False),
        ("evilplay.example", False),
        ("127.0.0.1.evil.example", False),
        ("localhost@evil.example", False),
        ("localhost:80:evil", False),
        ("[::1]evil.example", False),
        ("[evil.example]", False),
        ("2130706433", False),
        ("", False),
    ],
)
def test_the_servers_own_names_are_accepted(header, allowed):
    assert Hosts(("Play.example", "*.games.example")).allow(header) == allowed


def test_every_host_name_can_be_allowed():
    assert Hosts(("*",)).allow("anything.example")


@pytest.fixture
def http(tmp_path):
    settings = Settings(f"sqlite:///{tmp_path / 'm.db'}", hosts=("play.example",))
    with TestClient(create_app(settings)) as found:
        yield found


@pytest.mark.parametrize("path", ["/api/v1/games", "/", "/api/v1/bots/highcard"])
def test_a_foreign_host_name_is_refused(http, path):
    method = "POST" if "bots" in path else "GET"
    answer = http.request(method, path, headers={"host": "evil.example"})
    assert answer.status_code == 421
    assert answer.json()["code"] == "bad_request"
    assert "--allow-host" in answer.json()["message"]
    assert http.get("/api/v1/games", headers={"host": "play.example:8000"}).status_code == 200


def test_a_foreign_host_name_is_refused_over_the_websocket(http):
    match, _ = Client(http).create(TOY, [HUMAN, HUMAN, HUMAN])
    path = f"/api/v1/matches/{match}/ws"
    evil = {"host": "evil.example", "origin": "http://evil.example"}
    with pytest.raises(WebSocketDisconnect), http.websocket_connect(path, headers=evil):
        pass
    good = {"host": "play.example", "origin": "http://play.example"}
    with http.websocket_connect(path, headers=good) as websocket:
        websocket.send_json({"type": "hello"})
        assert websocket.receive_json()["type"] == "view"


# A page can post without asking, if it does not call it JSON ----------------------------------


@pytest.fixture
def asked():
    game = load("chicago")
    view = game.view(game.new_state(1), 0)
    return {"bot": "random", "state": view.to_dict(), "seed": 1}


@pytest.mark.parametrize(
    ("kind", "allowed"),
    [
        ("application/json", True),
        ("application/json; charset=utf-8", True),
        ("Application/JSON", True),
        ("application/vnd.game+json", True),
        ("text/plain", False),
        ("text/plain; application/json", False),
        ("application/x-www-form-urlencoded", False),
        ("multipart/form-data", False),
        ("text/json", False),
        ("", False),
        (None, False),
    ],
)
def test_bot_requests_must_be_json(http, asked, kind, allowed):
    headers = {} if kind is None else {"content-type": kind}
    content = json.dumps(asked).encode()
    answer = http.post("/api/v1/bots/chicago", content=content, headers=headers)
    assert answer.status_code == (200 if allowed else 422)
    if not allowed:
        assert "header content-type: application/json" in answer.json()["message"]


@pytest.mark.parametrize("path", ["/matches", "/matches/{match}/coach"])
@pytest.mark.parametrize("kind", [None, "application/x-www-form-urlencoded", "text/plain"])
def test_a_body_without_the_content_type_of_json_is_refused_for_that(http, path, kind):
    match, tokens = Client(http).create(TOY, [HUMAN, BOT, BOT])
    headers = {"authorization": f"Bearer {tokens[0]}"}
    if kind is not None:
        headers["content-type"] = kind
    answer = http.post(f"/api/v1{path}".format(match=match), content=b"{}", headers=headers)
    assert answer.status_code == 422
    assert "header content-type: application/json" in answer.json()["message"]


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "{}{}",
        "state=1",
        "{'state': 1}",
        '{"state": {"a": NaN}}',
        '{"state": {"a": [Infinity]}}',
        '{"observation": [-Infinity], "legal": [1]}',
        '{"state": {}} // no',
        "\ufeff{}",
    ],
)
def test_invalid_json_is_refused_whatever_its_content_type(http, body):
    headers = {"content-type": "application/json"}
    answer = http.post("/api/v1/bots/chicago", content=body.encode(), headers=headers)
    assert answer.status_code == 422
    assert "json" in answer.json()["message"].lower()


def test_names_that_contain_nan_are_accepted(http):
    headers = {"content-type": "application/json"}
    content = b'{"observation": [1], "legal": [1], "role": "NaN Infinity"}'
    answer = http.post("/api/v1/bots/chicago", content=content, headers=headers)
    assert "observation: must be" in answer.json()["message"]


# --- bounds on size, rate and number; nothing of the inside gets out ------------------------------


def server(tmp_path, clock=time.monotonic, **limits):
    return TestClient(
        create_app(Settings(f"sqlite:///{tmp_path / 'm.db'}", limits=Limits(**limits)), clock),
        raise_server_exceptions=False,
    )


def test_large_bodies_are_refused_with_or_without_content_length(tmp_path):
    with server(tmp_path, body=2000) as http:
        body = b'{"game": "' + b"x" * 5000 + b'"}'
        headers = {"content-type": "application/json"}
        for content in (body, (body[k : k + 100] for k in range(0, len(body), 100))):
            answer = http.post("/api/v1/matches", content=content, headers=headers)
            assert answer.status_code == 413
            assert answer.json()["code"] == "too_large"
        answer = http.post("/api/v1/bots/highcard", content=iter([body]), headers=headers)
        assert answer.status_code == 413
        small = http.post("/api/v1/matches", content=b"{}", headers=headers)
        assert small.status_code == 422


def test_too_many_requests_are_refused_until_tokens_return(tmp_path):
    now = 100.0
    with server(tmp_path, lambda: now, rate=2.0, burst=5) as http:

        def statuses(count):
            return [http.get("/api/v1/schema").status_code for _ in range(count)]

        assert statuses(8) == [200] * 5 + [429] * 3
        refused = http.get("/api/v1/schema")
        assert refused.headers["retry-after"] == "1"
        assert refused.json()["code"] == "too_many"
        now += 1
        assert statuses(3) == [200, 200, 429]


def test_a_page_of_another_origin_may_read_that_it_was_refused(tmp_path):
    limits, origin = Limits(rate=1.0, burst=1), "https://play.example"
    settings = Settings(f"sqlite:///{tmp_path / 'm.db'}", origins=(origin,), limits=limits)
    with TestClient(create_app(settings, lambda: 0.0)) as http:
        first, refused = (http.get("/api/v1/schema", headers={"origin": origin}) for _ in range(2))
    assert (first.status_code, refused.status_code) == (200, 429)
    assert refused.headers["access-control-allow-origin"] == origin
    assert "retry-after" in refused.headers["access-control-expose-headers"]


def test_addresses_have_separate_limits(tmp_path):
    app = create_app(
        Settings(f"sqlite:///{tmp_path / 'm.db'}", limits=Limits(rate=1.0, burst=2)), lambda: 0.0
    )
    with TestClient(app, client=("10.0.0.1", 1)) as one:
        other = TestClient(app, client=("10.0.0.2", 1))
        assert [one.get("/api/v1/schema").status_code for _ in range(3)] == [200, 200, 429]
        assert [other.get("/api/v1/schema").status_code for _ in range(3)] == [200, 200, 429]


def test_token_buckets_refill():
    now = 100.0
    bucket = Bucket(2.0, 3, lambda: now)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now += 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]
    now += 100
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_unfinished_matches_are_bounded(tmp_path):
    with server(tmp_path, rate=0.0, unfinished=2) as http:
        client = Client(http)
        match, tokens = client.create(TOY, [HUMAN, HUMAN, HUMAN])
        client.create(TOY, [HUMAN, HUMAN, HUMAN])
        assert client.create(TOY, [HUMAN] * 3, status=503)["code"] == "unavailable"
        client.play_out(match, tokens)
        client.create(TOY, [HUMAN, HUMAN, HUMAN])


def test_matches_are_dropped_from_memory_and_read_again(tmp_path, monkeypatch):
    monkeypatch.setattr("gangland.serving.matches.rooms.BRIEFLY", 0.0)
    with server(tmp_path, rate=0.0, matches=5) as http:
        client = Client(http)
        made = [client.create(TOY, [HUMAN, HUMAN, HUMAN]) for _ in range(20)]
        client.act(made[0][0], made[0][1][0], 0, "keep")
        assert len(http.app.state.hub.rooms) <= 6
        for match, tokens in made:
            client.play_out(match, tokens)
        assert len(http.app.state.hub.rooms) <= 6
        assert client.get("/leaderboard", game=TOY)["rows"][0]["matches"] == 20


def test_only_the_latest_viewers_pictures_are_kept(tmp_path, monkeypatch):
    """A picture takes more memory than all the rest of a match."""
    monkeypatch.setattr("gangland.serving.matches.rooms.PICTURES", Pictures(most=3))
    with server(tmp_path, rate=0.0) as http:
        client = Client(http)
        made = [client.create(TOY, [HUMAN, HUMAN, HUMAN]) for _ in range(4)]
        first = client.view(made[0][0], made[0][1][0], svg=True)["svg"]
        for match, tokens in made:
            assert client.view(match, tokens[0], svg=True)["svg"]
            client.view(match, svg=True)
        rooms = http.app.state.hub.rooms
        watches = [w for match, _ in made for w in rooms[match].match.watches.values()]
        assert sum(bool(watch._picture[1]) for watch in watches) == 3
        assert client.view(made[0][0], made[0][1][0], svg=True)["svg"] == first


@pytest.mark.slow
def test_thousands_of_idle_matches_are_handled(tmp_path):
    """Twice as many as the memory holds: all can be played on, none is lost."""
    with server(tmp_path, rate=0.0, matches=1000) as http:
        client = Client(http)
        made = [client.create(TOY, [HUMAN, HUMAN, HUMAN]) for _ in range(2000)]
        assert client.http.get("/api/v1/matches?limit=100").json()["matches"]
        for match, tokens in made[::100]:
            client.play_out(match, tokens)
        ended = client.http.get("/api/v1/matches?status=finished&limit=100").json()["matches"]
        assert len(ended) == 20


def test_internal_errors_reveal_nothing(tmp_path, monkeypatch):
    def broken(*_):
        raise RuntimeError("/secret/path.py went wrong")

    monkeypatch.setattr(game_routes, "game_info", broken)
    with server(tmp_path) as http:
        answer = http.get("/api/v1/games")
        assert answer.status_code == 500
        assert answer.json()["message"] == "internal server error"
        assert "secret" not in answer.text


def test_a_bot_that_fails_is_replaced_and_everybody_notified(tmp_path, monkeypatch):
    from gangland.agents.baseline.random import RandomAgent

    class Broken(RandomAgent):
        def decide_batch(self, views):
            raise RuntimeError("no idea")

    with server(tmp_path, rate=0.0) as http:
        hub = http.app.state.hub
        offers = hub.bots.offers(TOY)
        offers["broken"] = replace(offers["random"], spec="broken", doc="always fails")
        from gangland.envs import load
        from gangland.serving.bots.bot import Bot

        hub.bots._bots[TOY, "broken"] = Bot(load(TOY), "broken", Broken(load(TOY)))
        client = Client(http)
        match, tokens = client.create(TOY, [{"kind": "bot", "bot": "broken"}, HUMAN, BOT])
        view = client.asked(match, tokens[1])
        assert view["events"][0]["text"] == "The bot fails; another bot plays on for Player 0."
        client.play_out(match, tokens)


def test_cross_origin_requests_need_the_operators_permission(tmp_path):
    settings = Settings(f"sqlite:///{tmp_path / 'm.db'}", origins=("https://play.example",))
    with TestClient(create_app(settings)) as http:
        for origin, allowed in [("https://play.example", True), ("https://evil.example", False)]:
            answer = http.get("/api/v1/schema", headers={"origin": origin})
            assert ("access-control-allow-origin" in answer.headers) == allowed
            if allowed:  # Pages can read few headers unless they are named.
                assert answer.headers["access-control-expose-headers"] == "retry-after"


@pytest.mark.parametrize("path", ["/../pyproject.toml", "/..%2f..%2fetc/passwd", "/web/../hub.py"])
def test_files_outside_the_page_are_not_served(tmp_path, path):
    with server(tmp_path) as http:
        answer = http.get(path)
        assert answer.status_code == 404
