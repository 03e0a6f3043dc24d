"""Health, readiness and metrics: what they say, and to whom."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time

import pytest
from prometheus_client.parser import text_string_to_metric_families as parse
from starlette.testclient import TestClient

from gangland.serving.doors.http import operations, server
from gangland.serving.doors.http.app import create_app
from gangland.serving.settings import Limits, Settings
from tests.games import TOY
from tests.serving.client import BOT, HUMAN, Client

TOKEN = "a token of the operator"


@pytest.fixture
def http(tmp_path):
    settings = Settings(
        f"sqlite:///{tmp_path / 'm.db'}", limits=Limits(rate=0.0), metrics_token=TOKEN
    )
    with TestClient(create_app(settings), base_url="http://testserver") as found:
        yield found


def metrics(http):
    """All samples by name and labels."""
    answer = http.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200, answer.text
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in parse(answer.text)
        for sample in family.samples
    }


def grown(before, after, name, **labels):
    key = (name, *sorted(labels.items()))
    return after.get(key, 0.0) - before.get(key, 0.0)


def test_a_server_that_works_is_alive_and_ready(http):
    for path in ("/healthz", "/readyz"):
        answer = http.get(path)
        assert (answer.status_code, answer.text) == (200, "ok")
        assert answer.headers["content-type"].startswith("text/plain")


def test_a_server_without_its_database_lives_but_is_not_ready(http, monkeypatch):
    storage = http.app.state.hub.disk.storage

    def broken():
        raise OSError("the disk is gone: /secret/place")

    monkeypatch.setattr(storage, "ping", broken)
    answer = http.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["message"] == "the database does not answer"
    assert http.get("/healthz").status_code == 200
    monkeypatch.undo()
    time.sleep(1.1)
    assert http.get("/readyz").status_code == 200


def test_readiness_asks_the_database_once_for_many(http, monkeypatch):
    asked = []
    storage = http.app.state.hub.disk.storage
    monkeypatch.setattr(storage, "ping", lambda: asked.append(1) or time.sleep(0.05))
    monkeypatch.setattr(operations, "REMEMBERED", 3600.0)
    for _ in range(10):
        assert http.get("/readyz").status_code == 200
    assert len(asked) == 1


def test_a_server_that_shuts_down_is_not_ready(http):
    http.app.state.hub.closing = True
    assert http.get("/readyz").json()["message"] == "the server is shutting down"
    http.app.state.hub.closing = False


def test_only_the_operator_sees_the_metrics(http, client):
    assert client.http.get("/metrics").status_code == 404  # started without a token
    empty = client.http.get("/metrics", headers={"authorization": "Bearer "})
    assert empty.status_code in (401, 404)
    for headers in ({}, {"authorization": "Bearer x"}, {"authorization": f"Basic {TOKEN}"}):
        answer = http.get("/metrics", headers=headers)
        assert answer.status_code == 401
        assert "gangland_" not in answer.text
    headers = {"authorization": f"Bearer {TOKEN}", "host": "evil.example"}
    assert http.get("/metrics", headers=headers).status_code == 421
    # A seat's token opens no more than its seat.
    _, tokens = Client(http).create(TOY, [HUMAN, BOT, BOT])
    answer = http.get("/metrics", headers={"authorization": f"Bearer {tokens[0]}"})
    assert answer.status_code == 401


@pytest.mark.parametrize("token", ["short", "é" * 20, "tab\tin a long token"])
def test_a_bad_token_is_refused_at_the_start(token):
    from click.testing import CliRunner

    from gangland.cli import cli

    done = CliRunner().invoke(cli, ["serve", "--metrics-token", token])
    assert done.exit_code == 2
    assert "at least 16 characters" in done.output


def test_a_match_is_counted(http):
    client = Client(http)
    before = metrics(http)
    match, tokens = client.create(TOY, [HUMAN, BOT, BOT])
    client.play_out(match, {0: tokens[0]})
    client.post("/bots/highcard", {"bot": "none"}, status=422)
    after = metrics(http)
    journal = http.app.state.hub.disk.storage.read(match)[1]
    assert grown(before, after, "gangland_matches_created_total", game=TOY) == 1
    assert grown(before, after, "gangland_matches_finished_total", game=TOY) == 1
    for by in ("human", "bot"):
        counted = grown(before, after, "gangland_decisions_total", game=TOY, by=by)
        assert counted == sum(entry.by == by for entry in journal) > 0
    commits = grown(before, after, "gangland_commit_seconds_count")
    assert commits == len(journal) == grown(before, after, "gangland_commit_entries_sum")
    assert grown(before, after, "gangland_errors_total", code="bad_request") == 1
    bots = grown(before, after, "gangland_bot_seconds_count", game=TOY)
    assert bots == sum(entry.by == "bot" for entry in journal)
    assert grown(before, after, "gangland_bot_batch_sum", game=TOY) >= bots
    acts = {
        "route": "/api/v1/matches/{match}/actions",
        "method": "POST",
        "status": "200",
        "waits": "no",
    }
    counted = grown(before, after, "gangland_request_seconds_count", **acts)
    assert counted == sum(entry.by == "human" for entry in journal)
    assert after[("gangland_matches_in_memory",)] >= 1
    assert after[("gangland_matches_unfinished",)] == 0


def test_open_sockets_are_counted(http):
    match, _ = Client(http).create(TOY, [HUMAN, HUMAN, HUMAN])
    before = metrics(http)[("gangland_websockets",)]
    with http.websocket_connect(f"/api/v1/matches/{match}/ws") as socket:
        socket.send_json({"type": "hello", "svg": False})
        socket.receive_json()
        assert metrics(http)[("gangland_websockets",)] == before + 1
        socket.send_json({"type": "ping"})
        socket.send_text("nonsense")
        socket.receive_json()
        socket.receive_json()
    deadline = time.monotonic() + 10
    while metrics(http)[("gangland_websockets",)] != before:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_clients_cannot_invent_labels(http):
    known = set(metrics(http))
    for k in range(20):
        http.get(f"/api/v1/matches/none{k}")
        http.get(f"/page{k}.html")
        http.get(f"/api/v1/games/{k}")
        http.get("/", params={f"wait{k}": "x"})
        http.get("/api/v1/games", headers={"host": f"evil{k}.example"})
        http.request(f"ODD{k}", "/api/v1/games")
        http.post(f"/api/v1/bots/{k}", json={})
        http.get("/api/v1/matches", params={"game": f"g{k}"})
        http.post("/api/v1/matches", json={"game": f"g{k}", "seats": [HUMAN]})
    added = set(metrics(http)) - known
    values = {value for _, *labels in added for name, value in labels if name != "le"}
    assert not [value for value in values if any(letter.isdigit() for letter in value[7:])], values
    assert len({key for key in added if key[0] == "gangland_request_seconds_count"}) < 20


def test_figures_of_several_processes_are_added(tmp_path):
    """As ``gangland serve --workers`` runs them; a process that has ended holds nothing open."""
    code = (
        "from gangland.serving import metrics\n"
        "import os\n"
        "metrics.DECISIONS.labels('chicago', 'bot').inc(5)\n"
        "metrics.SOCKETS.inc(3)\n"
        "metrics.COMMITS.observe(0.2)\n"
        "print(os.getpid(), metrics.exposition().decode())\n"
    )
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    for count in (1, 2):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        process, text = done.stdout.split(" ", 1)
        found = {(s.name, s.labels.get("le")): s.value for f in parse(text) for s in f.samples}
        assert found["gangland_decisions_total", None] == 5 * count
        assert found["gangland_commit_seconds_bucket", "0.25"] == count
        assert found["gangland_websockets", None] == 3
        forget = f"from gangland.serving import metrics; metrics.forget({process})"
        subprocess.run([sys.executable, "-c", forget], env=environment, check=True)


def test_waiting_requests_are_counted_apart(http):
    client = Client(http)
    match, tokens = client.create(TOY, [HUMAN, HUMAN, HUMAN])
    before = metrics(http)
    client.view(match, tokens[1], wait=0.2)
    after = metrics(http)
    view = {"route": "/api/v1/matches/{match}/view", "method": "GET", "status": "200"}
    assert grown(before, after, "gangland_request_seconds_count", waits="yes", **view) == 1
    assert grown(before, after, "gangland_request_seconds_count", waits="no", **view) == 0
    assert grown(before, after, "gangland_request_seconds_sum", waits="yes", **view) > 0.15


@pytest.mark.parametrize(
    ("serve", "words"),
    [(server.serve, "stop; matches are kept."), (server.serve_bots, "stop.")],
    ids=["matches", "bots"],
)
def test_a_server_says_of_matches_only_if_it_has_them_that_they_are_kept(
    tmp_path, monkeypatch, capsys, serve, words
):
    async def start_and_stop(started):
        started.config.load()
        started.lifespan = started.config.lifespan_class(started.config)
        await started.startup()
        await started.shutdown()

    monkeypatch.setattr(server.Server, "run", lambda self: asyncio.run(start_and_stop(self)))
    serve(Settings(f"sqlite:///{tmp_path / 'm.db'}", games=(TOY,)), "127.0.0.1", 0)
    printed = capsys.readouterr()
    assert printed.out.startswith("Gangland is served at http://127.0.0.1:")
    assert printed.err == f"Press Ctrl-C to {words}\n"


@pytest.mark.parametrize("command", ["serve", "serve-bots"])
def test_an_address_that_is_taken_is_an_error_in_one_line(command):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "gangland", command, "--port", str(port)],
            check=False,
            capture_output=True,
            text=True,
            timeout=120,
        )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(
        f"error: cannot listen on 127.0.0.1, port {port}: "
    )
