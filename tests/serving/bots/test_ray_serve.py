"""The stateless endpoint on Ray Serve passes the tests that it passes without Ray."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest
from click.testing import CliRunner

from gangland.cli import cli
from tests.serving.bots.test_bot_endpoint import (  # noqa: F401
    test_a_batch_is_answered_like_single_questions,
    test_a_policy_gives_the_same_answer_for_a_state_and_its_observation,
    test_impossible_states_do_not_harm_the_server,
    test_invalid_questions_are_refused_with_the_reason,
    test_nan_is_refused_in_an_observation,
    test_posted_states_get_the_decisions_of_the_bot_itself,
)
from tests.serving.client import Client

pytestmark = pytest.mark.slow


def free_port() -> int:
    """A port that is free at this moment."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@contextlib.contextmanager
def bots(*arguments: str) -> Iterator[Client]:
    """``gangland serve-bots`` with these arguments."""
    port = free_port()
    command = [sys.executable, "-m", "gangland.cli", "serve-bots", "--port", str(port), *arguments]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout is not None
        assert "served at" in process.stdout.readline()
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120) as http:
            yield Client(http)
    finally:
        process.terminate()
        process.wait(60)


@pytest.fixture(scope="module")
def client():
    pytest.importorskip("ray.serve", reason="there is no Ray: pip install 'gangland[ray-serve]'")
    with bots("--ray", "--replicas", "1:2", "--cpus", "0.5") as found:
        yield found


def test_only_bots_are_served(client):
    assert client.http.get("/healthz").text == "ok"
    assert client.http.get("/readyz").text == "ok"
    assert {game["game"] for game in client.get("/games")["games"]} >= {"chicago", "gangsters"}
    client.get("/matches", status=404)
    evil = client.http.get("/api/v1/games", headers={"host": "evil.example"})
    assert evil.status_code == 421
    refused = client.post("/bots/chicago", {"bot": "ppo:/etc/passwd"}, status=422)
    assert refused["code"] == "bad_request"


@pytest.mark.parametrize("replicas", ["0", "2:1", "x", "1:x"])
def test_a_bad_range_of_replicas_is_refused(replicas):
    done = CliRunner().invoke(cli, ["serve-bots", "--replicas", replicas])
    assert (done.exit_code, "N or MIN:MAX" in done.output) == (2, True)
