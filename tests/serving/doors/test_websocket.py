"""The WebSocket: views as they come, and clients that mean no good."""

from __future__ import annotations

import asyncio
import json
from contextlib import ExitStack
from types import SimpleNamespace

import anyio
import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from gangland.serving.doors.http.app import create_app
from gangland.serving.doors.http.websocket import FAULTS, Connection
from gangland.serving.protocol import SERVER_MESSAGE
from gangland.serving.settings import Limits, Settings
from tests.games import TOY
from tests.serving.client import BOT, HUMAN, Client, human


def path(match):
    return f"/api/v1/matches/{match}/ws"


def receive(socket):
    message = socket.receive_json()
    SERVER_MESSAGE.validate_python(message)
    return message


def until_closed(socket, send, times):
    """What the server answers to each message until it closes."""
    answers = []
    try:
        for _ in range(times):
            send()
            answers.append(receive(socket))
    except WebSocketDisconnect:
        return answers
    raise AssertionError("the server did not close")


def hello(socket, token=None, **more):
    socket.send_json({"type": "hello", "token": token, "svg": False, **more})
    return receive(socket)


def test_a_match_over_the_socket(client):
    match, tokens = client.create(TOY, [HUMAN, BOT, BOT])
    with client.http.websocket_connect(path(match)) as socket:
        view = hello(socket, tokens[0], ref=1)
        assert (view["type"], view["ref"], view["viewer"]) == ("view", 1, 0)
        events = view["events"]
        for ref in range(2, 20):
            if view["status"] == "finished":
                break
            if view["decision"] is None:
                view = receive(socket)
                events += view["events"]
                continue
            socket.send_json(
                {
                    "type": "act",
                    "decision": view["decision"],
                    "action": view["legal"][0]["id"],
                    "ref": ref,
                }
            )
            view = receive(socket)
            events += view["events"]
        while view["status"] != "finished":
            view = receive(socket)
            events += view["events"]
        assert [event["n"] for event in events] == list(range(view["next_event"]))
        assert view["result"]
        socket.send_json({"type": "ping", "ref": 77})
        pong = receive(socket)
        while pong["type"] != "pong":
            pong = receive(socket)
        assert pong["ref"] == 77


def test_everybody_at_the_table_gets_the_change(client):
    match, tokens = client.create(TOY, [human("Ann"), human("Bob"), HUMAN])
    connect = client.http.websocket_connect
    with connect(path(match)) as ann, connect(path(match)) as bob, connect(path(match)) as eve:
        assert hello(ann, tokens[0])["decision"] == 0
        assert hello(bob, tokens[1])["decision"] is None
        assert hello(eve)["viewer"] is None
        ann.send_json({"type": "act", "decision": 0, "action": "keep"})
        assert receive(ann)["to_act"] == 1
        view = receive(bob)
        assert view["decision"] == 0
        assert view["events"][-1]["text"] == "Player 0 plays keep."
        assert receive(eve)["to_act"] == 1
        bob.send_json({"type": "leave", "ref": 5})
        assert receive(bob)["away"]
        assert receive(eve)["seats"][1]["kind"] == "bot"
        bob.send_json({"type": "return"})
        eve.send_json({"type": "act", "decision": 0, "action": 0, "ref": 9})
        answer = receive(eve)
        while answer["type"] != "error":
            answer = receive(eve)
        assert (answer["code"], answer["ref"]) == ("unauthorized", 9)


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ({"type": "act", "decision": 0, "action": 0}, "bad_request"),
        ({"type": "hello", "token": "wrong"}, "unauthorized"),
        ({"type": "hello", "shout": 1}, "bad_request"),
        ({"type": "howl"}, "bad_request"),
        ([], "bad_request"),
        (7, "bad_request"),
    ],
)
def test_a_connection_without_a_valid_hello_is_closed(client, first, code):
    match, _ = client.create(TOY, [HUMAN, BOT, BOT])
    with client.http.websocket_connect(path(match)) as socket:
        socket.send_json(first)
        assert receive(socket)["code"] == code
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()


def test_a_connection_to_an_unknown_match_is_closed(client):
    with client.http.websocket_connect(path("nowhere")) as socket:
        assert hello(socket)["code"] == "not_found"
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()


def test_pages_of_other_origins_cannot_connect(client):
    match, _ = client.create(TOY, [HUMAN, BOT, BOT])
    for origin, allowed in [("http://evil.example", False), ("http://testserver", True)]:
        try:
            with client.http.websocket_connect(
                path(match), headers={"origin": origin, "host": "testserver"}
            ) as socket:
                assert hello(socket)["type"] == "view"
            connected = True
        except WebSocketDisconnect:
            connected = False
        assert connected == allowed


def test_invalid_messages_are_refused_and_the_match_goes_on(client):
    match, tokens = client.create(TOY, [HUMAN, HUMAN, HUMAN])
    with client.http.websocket_connect(path(match)) as socket:
        hello(socket, tokens[0])
        for garbage in [
            "",
            "{",
            "null",
            "[" * 5000,
            '{"type": "act"}',
            '{"type": "act", "decision": 1e400, "action": 0}',
            '{"type": "act", "decision": 0, "action": {"a": 1}}',
            '{"type": "act", "decision": 0, "action": 0, "admin": true}',
            '{"type": "hint", "bot": "ppo:../../etc/passwd"}',
            '{"type": "act", "decision": 99999999999999999999, "action": 0}',
            '{"type": "leave", "bot": "cmd:sh"}',
            "\ud83d",
        ]:
            socket.send({"type": "websocket.receive", "text": garbage})
            answer = receive(socket)
            assert answer["type"] == "error", garbage
            assert answer["code"] in ("bad_request", "stale_decision"), garbage
            assert "Traceback" not in json.dumps(answer)
            assert "/etc/passwd" not in answer["message"] or "no bot" in answer["message"]
        socket.send_bytes(b"\x00\xff")
        assert receive(socket)["code"] == "bad_request"
        socket.send_json({"type": "act", "decision": 0, "action": "keep"})
        assert receive(socket)["to_act"] == 1


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ({"type": "act", "decision": 0}, "action: Field required"),
        ({"type": "say", "phrase": "x"}, "phrase: "),
        ({"type": "howl"}, "howl"),
        ({}, "type"),
    ],
)
def test_the_error_of_an_invalid_message_repeats_its_ref(client, message, words):
    match, tokens = client.create(TOY, [HUMAN, HUMAN, HUMAN])
    with client.http.websocket_connect(path(match)) as socket:
        hello(socket, tokens[0])
        for ref, repeated in [(0, 0), (2**53 - 1, 2**53 - 1), (2**53, None), ("6", None)]:
            socket.send_json({**message, "ref": ref})
            answer = receive(socket)
            assert words in answer["message"]
            assert answer["ref"] == repeated


def test_an_invalid_hello_is_refused_with_its_ref(client):
    match, _ = client.create(TOY, [HUMAN, HUMAN, HUMAN])
    with client.http.websocket_connect(path(match)) as socket:
        assert hello(socket, shout=1, ref=4)["ref"] == 4


def test_a_client_that_keeps_sending_invalid_messages_is_disconnected(client):
    match, tokens = client.create(TOY, [HUMAN, HUMAN, HUMAN])
    with client.http.websocket_connect(path(match)) as socket:
        hello(socket, tokens[0])
        answers = until_closed(socket, lambda: socket.send_text("garbage"), 200)
        assert {answer["type"] for answer in answers} == {"error"}
        assert 10 < len(answers) < 100
    assert client.view(match, tokens[0])["decision"] == 0


def test_a_client_without_a_hello_is_disconnected(tmp_path):
    settings = Settings(f"sqlite:///{tmp_path / 'm.db'}", limits=Limits(hello=0.1))
    with TestClient(create_app(settings)) as http:
        match, _ = Client(http).create(TOY, [HUMAN, HUMAN, HUMAN])
        with http.websocket_connect(path(match)) as socket:
            assert receive(socket)["message"] == "no hello arrived"


def test_floods_are_refused(tmp_path):
    """The clock of the limits stands still: what the hello leaves of the burst is answered."""
    limits = Limits(rate=5.0, burst=20, sockets_each=3)
    settings = Settings(f"sqlite:///{tmp_path / 'm.db'}", limits=limits)
    with TestClient(create_app(settings, lambda: 0.0)) as http:
        client = Client(http)
        match, tokens = client.create(TOY, [HUMAN, HUMAN, HUMAN])
        with http.websocket_connect(path(match)) as socket:
            hello(socket, tokens[0])
            ping = {"type": "ping", "ref": 3}
            answers = until_closed(socket, lambda: socket.send_json(ping), 500)
            assert {answer["ref"] for answer in answers} == {3}
            codes = [answer.get("code", "pong") for answer in answers]
            assert codes == ["pong"] * 19 + ["too_many"] * FAULTS
        with ExitStack() as three:
            for _ in range(3):
                three.enter_context(http.websocket_connect(path(match)))
            with pytest.raises(WebSocketDisconnect):
                three.enter_context(http.websocket_connect(path(match)))


def test_a_connection_cancelled_at_its_end_reports_the_cancellation(monkeypatch):
    """The scope that cancels a connection just as its client goes gets its own cancellation."""

    async def greet(connection):
        connection.room = SimpleNamespace(listeners=set())
        return True

    async def listen(_connection):
        await asyncio.sleep(0)  # lets the watcher begin
        raise WebSocketDisconnect(1000)

    async def serve():
        with anyio.CancelScope() as scope:

            async def watch(_connection):
                try:
                    await asyncio.Event().wait()
                finally:
                    scope.cancel()

            for name, body in (("_greet", greet), ("_listen", listen), ("_watch", watch)):
                monkeypatch.setattr(Connection, name, body)
            hub = SimpleNamespace(settings=Settings(database=""))
            await Connection(None, hub, "m1").run()
            await anyio.sleep_forever()
        return scope.cancelled_caught

    assert anyio.run(serve)
