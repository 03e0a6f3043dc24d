"""Every path answers to every method: what it has, HEAD and OPTIONS, and 405 for the rest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from gangland.serving.doors.http.stateless.app import create_bots_app
from gangland.serving.settings import Limits, Settings
from tests.games import TOY
from tests.serving.client import HUMAN

DESCRIBED = json.loads(
    (Path(__file__).resolve().parents[3] / "docs" / "openapi.json").read_text(encoding="utf-8")
)["paths"]
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


@pytest.mark.parametrize("path", DESCRIBED)
def test_a_path_refuses_other_methods_and_names_its_own(client, path):
    match, _ = client.create(TOY, [HUMAN] * 3)
    address = path.format(match=match, game=TOY, language="de", n=0)
    has = {method.upper() for method in DESCRIBED[path]}
    allowed = has | {"OPTIONS"} | ({"HEAD"} if "GET" in has else set())
    for method in METHODS:
        answer = client.http.request(method, address)
        if method == "OPTIONS":
            assert (answer.status_code, answer.content) == (204, b"")
        elif method in allowed:
            assert answer.status_code != 405, method
            continue
        else:
            assert answer.status_code == 405, method
            assert method == "HEAD" or answer.json()["type"] == "error"
        assert set(answer.headers["allow"].split(", ")) == allowed


@pytest.mark.parametrize("path", ["/healthz", "/api/v1/games", "/api/v1/matches/none", "/", "/no"])
def test_head_is_get_without_the_body(client, path):
    get, head = client.http.get(path), client.http.head(path)
    assert head.status_code == get.status_code
    assert head.headers["content-type"] == get.headers["content-type"]
    assert head.headers["content-length"] == str(len(get.content))
    assert head.content == b""


def test_bots_without_matches_answer_alike(tmp_path):
    settings = Settings("", games=(TOY,), limits=Limits(rate=0.0))
    with TestClient(create_bots_app(settings), base_url="http://testserver") as http:
        refused = http.get(f"/api/v1/bots/{TOY}")
        assert (refused.status_code, refused.headers["allow"]) == (405, "OPTIONS, POST")
        assert http.head("/api/v1/games").status_code == 200
        assert http.get("/api/v1/matches").status_code == 404


BODIES = [b"\xff", b"{", b"[" * 100_000, b'{"a":' * 100_000, b"1" * 5000, b'"\xed\xa0\x80"']


@pytest.mark.parametrize("path", [path for path in DESCRIBED if "post" in DESCRIBED[path]])
@pytest.mark.parametrize(
    "body", BODIES, ids=["byte", "brace", "lists", "objects", "number", "half"]
)
def test_a_body_that_is_not_json_is_a_bad_request(client, path, body):
    match, tokens = client.create(TOY, [HUMAN] * 3)
    headers = {
        "authorization": f"Bearer {tokens[0]}",
        "content-type": "application/json",
    }
    address = path.format(match=match, game=TOY)
    answer = client.http.post(address, content=body, headers=headers)
    assert str(answer.status_code) in DESCRIBED[path]["post"]["responses"]
    if "requestBody" in DESCRIBED[path]["post"]:
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_request"), answer.text
