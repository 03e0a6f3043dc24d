"""Whose server it is: other people's names (DNS rebinding), other people's pages."""

from __future__ import annotations

import json
import socket

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from gangland.envs import load
from gangland.serving.doors.http.app import create_app
from gangland.serving.doors.http.hosts import Hosts
from gangland.serving.settings import Settings
from tests.games import TOY
from tests.serving.client import HUMAN, Client


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


# --- a page can post without asking, if it does not call it JSON ----------------------------------


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
        assert "content-type application/json" in answer.json()["message"]


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
