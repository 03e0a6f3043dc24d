"""Connections over real sockets: half a request shuts nobody out, and every one is counted."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from websockets.sync.client import connect

from gangland.envs import load
from gangland.serving.bots.bot import Bot
from gangland.serving.bots.registry import Offer
from gangland.serving.doors.http import connections
from gangland.serving.settings import Limits, Settings
from tests.games import TOY
from tests.serving.client import HUMAN, Client
from tests.serving.servers import Odd, live, running

PATH = "/api/v1/schema"
GET = f"GET {PATH} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode()
HALF_HEAD = GET[:30]
HALF_BODY = (
    b"POST /api/v1/bots/highcard HTTP/1.1\r\nhost: localhost\r\n"
    b"content-type: application/json\r\ncontent-length: 100\r\n\r\n{"
)
OTHER = "127.0.0.2"


@pytest.fixture
def serving(tmp_path):
    """A function that serves with these limits and gives the port."""
    with contextlib.ExitStack() as stack:

        def serve(proxies=(), **limits):
            settings = Settings(
                f"sqlite:///{tmp_path / 'm.db'}",
                games=(TOY,),
                proxies=proxies,
                limits=Limits(rate=0.0, **limits),
            )
            return int(stack.enter_context(live(settings)).rpartition(":")[2])

        yield serve


@pytest.fixture
def opened():
    """A function that opens a connection, from an address of this machine."""
    with contextlib.ExitStack() as stack:

        def connect_to(port, address="127.0.0.1"):
            made = socket.create_connection(("127.0.0.1", port), 60, (address, 0))
            return stack.enter_context(made)

        yield connect_to


def received(connection):
    """Everything until the server closes."""
    found = b""
    with contextlib.suppress(ConnectionResetError):
        while part := connection.recv(65536):
            found += part
    return found


def served(connection):
    """Status of an answer on a connection that stays open."""
    connection.sendall(GET)
    return int(connection.recv(65536).split()[1])


@pytest.mark.parametrize("sent", [b"", HALF_HEAD, HALF_BODY], ids=["nothing", "head", "body"])
def test_half_a_request_is_answered_with_408_and_closed(serving, opened, sent):
    connection = opened(serving(head=0.2, upload=0.2))
    connection.sendall(sent)
    answer = received(connection)
    assert answer.startswith(b"HTTP/1.1 408 ")
    problem = json.loads(answer.partition(b"\r\n\r\n")[2])
    assert problem["type"] == "error"
    assert ("body" if sent == HALF_BODY else "head") in problem["message"]


@pytest.mark.parametrize("later", [HALF_HEAD, b"\r\n", HALF_BODY], ids=["head", "line", "body"])
def test_a_second_request_has_as_little_time_as_the_first(serving, opened, later):
    connection = opened(serving(head=0.2, upload=0.2))
    assert served(connection) == 200
    connection.sendall(later)
    assert b"HTTP/1.1 408 " in received(connection)


def test_sending_slowly_does_not_extend_the_time_limit(serving, opened):
    """The time is for the whole head, not from one byte to the next."""
    connection = opened(serving(head=0.4))
    closed, all_sent = threading.Event(), threading.Event()

    def drip():
        with contextlib.suppress(OSError):
            for byte in GET[:-2] + b"x: " + b"y" * 10_000:
                connection.sendall(bytes([byte]))
                if closed.wait(0.02):
                    return
            all_sent.set()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(drip)
        received(connection)
        closed.set()
    assert not all_sent.is_set()


def test_endless_headers_are_refused(serving, opened):
    connection = opened(serving(head_size=1000))
    connection.sendall(GET[:-2] + b"x: " + b"y" * 3000)
    assert received(connection).startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize("end", [b"\r\n", b"", b"content-length: 2\r\n\r\n{}"])
@pytest.mark.parametrize("head", [b"x: " + b"y" * 1500, b"x: y\r\n" * 300 + b"z: z"])
def test_large_headers_are_refused_even_if_they_arrive_at_once(serving, opened, head, end):
    connection = opened(serving(head_size=1000))
    connection.sendall(GET[:-2] + head + b"\r\n" + end)
    assert received(connection).startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize("head", [b"x: " + b"y" * 20_000, b"x: y\r\n" * 500 + b"z: z"])
def test_a_websocket_may_have_as_large_headers(serving, opened, head):
    """One whose handshake the library cannot read is never answered."""
    connection = opened(serving())
    upgrade = b"upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n"
    key = b"sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    start = GET[:-2].replace(b"/schema", b"/matches/m/ws")
    connection.sendall(start + upgrade + key + head + b"\r\n\r\n")
    connection.settimeout(20)
    assert connection.recv(65536).startswith(b"HTTP/1.1 ")


def test_a_long_address_is_refused(serving, opened):
    connection = opened(serving(head_size=1000))
    connection.sendall(GET.replace(b" HTTP", b"?" + b"x" * 1500 + b" HTTP"))
    assert received(connection).startswith(b"HTTP/1.1 431 ")


def test_what_is_not_http_gets_an_error(serving, opened):
    connection = opened(serving())
    connection.sendall(b"nonsense\r\n\r\n")
    answer = received(connection)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b'"bad_request"' in answer


def test_half_sent_requests_from_one_address_block_nobody_else(serving, opened):
    port = serving(connections_each=10)
    half = [opened(port, OTHER) for _ in range(30)]
    for connection in half:
        with contextlib.suppress(OSError):
            connection.sendall(HALF_HEAD)
    refused = [received(connection) for connection in half[10:]]
    assert all(answer.startswith(b"HTTP/1.1 429 ") or not answer for answer in refused)
    assert served(opened(port)) == 200
    for connection in half[:10]:
        connection.close()
    assert eventually(lambda: served(opened(port, OTHER)) == 200)


def eventually(met, seconds=60):
    """Whether something is so before long; the server needs a moment to notice what has closed."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError, IndexError):
            if met():
                return True
        time.sleep(0.01)
    return False


def test_all_connections_together_are_bounded_by_what_the_system_allows(serving, monkeypatch):
    monkeypatch.setattr(connections, "open_files", lambda: connections.RESERVE + 4)
    port = serving()
    with contextlib.ExitStack() as stack:
        made = []
        for _ in range(7):
            connection = socket.create_connection(("127.0.0.1", port), 60)
            made.append(stack.enter_context(connection))
            with contextlib.suppress(OSError):
                connection.sendall(GET)
        answers = [connection.recv(20).split()[1] for connection in made]
        assert answers == [b"200"] * 4 + [b"429"] * 3


def test_the_systems_file_limit_is_used_fully():
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (512, before[1]))
        assert connections.open_files() > 512
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == connections.open_files()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_websockets_count_until_they_close(serving, opened):
    port = serving(connections_each=2)
    with httpx.Client(base_url=f"http://127.0.0.1:{port}") as http:
        match, _ = Client(http).create(TOY, [HUMAN, HUMAN, HUMAN])
    url = f"ws://127.0.0.1:{port}/api/v1/matches/{match}/ws"
    assert eventually(lambda: served(opened(port)) == 200)
    with connect(url) as talking:
        talking.send(json.dumps({"type": "hello"}))
        assert json.loads(talking.recv())["type"] == "view"
        assert received(opened(port)).startswith(b"HTTP/1.1 429 ")
    assert eventually(lambda: served(opened(port)) == 200)


def test_a_trusted_proxy_has_no_connection_limit_of_its_own(serving, opened):
    port = serving(proxies=(OTHER,), connections_each=2)
    assert [served(opened(port, OTHER)) for _ in range(5)] == [200] * 5


@pytest.mark.parametrize("trusted", [True, False])
def test_rate_limits_use_the_address_from_a_trusted_proxy(tmp_path, trusted):
    settings = Settings(
        f"sqlite:///{tmp_path / 'm.db'}",
        games=(TOY,),
        proxies=("127.0.0.1",) if trusted else (),
        limits=Limits(rate=0.001, burst=2),
    )
    with live(settings) as url, httpx.Client(base_url=url) as http:
        found = [
            http.get(PATH, headers={"x-forwarded-for": f"10.0.0.{k}"}).status_code for k in range(4)
        ]
    assert found == ([200] * 4 if trusted else [200, 200, 429, 429])


# --- the end --------------------------------------------------------------------------------------


def test_requests_that_wait_for_news_get_503_at_shutdown(tmp_path):
    settings = Settings(f"sqlite:///{tmp_path / 'm.db'}", games=(TOY,), limits=Limits(rate=0.0))
    with ThreadPoolExecutor(2) as pool, contextlib.ExitStack() as stack:
        with running(settings) as (url, hub):
            http = stack.enter_context(httpx.Client(base_url=url, timeout=60))
            match, tokens = Client(http).create(TOY, [HUMAN, HUMAN, HUMAN])
            path = f"/api/v1/matches/{match}/view?wait=30"
            headers = {"authorization": f"Bearer {tokens[1]}"}
            waiting = [
                pool.submit(http.get, path, headers=headers),
                pool.submit(http.get, path + "&after=1000", headers=headers),
            ]
            assert eventually(lambda: len(hub.rooms[match].listeners) == 2)
        for asked in waiting:
            answer = asked.result()
            assert answer.status_code == 503
            assert answer.json()["code"] == "unavailable"


def test_requests_that_wait_for_a_bot_get_503_at_shutdown(tmp_path):
    asked, free = threading.Event(), threading.Event()

    def before():
        asked.set()
        assert free.wait(60)

    settings = Settings(f"sqlite:///{tmp_path / 'm.db'}", games=(TOY,), limits=Limits(rate=0.0))
    with ThreadPoolExecutor(1) as pool, contextlib.ExitStack() as stack:
        with running(settings) as (url, hub):
            http = stack.enter_context(httpx.Client(base_url=url, timeout=60))
            hub.bots.offers(TOY)["odd"] = Offer(load(TOY), "odd", "odd", "for a test")
            hub.bots._bots[TOY, "odd"] = Bot(load(TOY), "odd", Odd(load(TOY), before))
            match, tokens = Client(http).create(TOY, [HUMAN, HUMAN, HUMAN])
            hint = pool.submit(
                http.post,
                f"/api/v1/matches/{match}/hint",
                json={"bot": "odd"},
                headers={"authorization": f"Bearer {tokens[0]}"},
            )
            assert asked.wait(60)
        try:
            assert hint.result().status_code == 503
        finally:
            free.set()
