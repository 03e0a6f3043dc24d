"""The committed description is current, the server does what it says, and answers every method."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import get_args

import httpx
import jsonschema_rs
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance
from starlette.testclient import TestClient

from gangland.serving.doors.http.app import create_app, create_bots_app, write
from gangland.serving.protocol import Command, json_schema
from gangland.serving.settings import Limits, Settings
from tests.games import TOY
from tests.serving.client import BOT, HUMAN, OPEN, Client
from tests.serving.servers import live

# --- every method: what a path has, HEAD and OPTIONS, and 405 for the rest ------------------------

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


# --- the description ------------------------------------------------------------------------------

FILE = Path(__file__).resolve().parents[3] / "docs" / "openapi.json"


def test_the_committed_description_is_current(tmp_path):
    """After a change: ``python -m tests.serving.doors.test_openapi`` writes it again."""
    app = create_app(Settings(f"sqlite:///{tmp_path / 'm.db'}"))
    assert FILE.read_text(encoding="utf-8") == write(app)


def test_every_message_is_described():
    found = json.loads(FILE.read_text(encoding="utf-8"))["components"]["schemas"]
    for name, schema in json_schema()["$defs"].items():
        assert found[name]["title"] == schema["title"]
    for name in ("Hello", "SocketAct", "View", "Hint", "Problem", "Pong"):
        assert name in found


def test_the_description_names_every_message_of_the_websocket():
    words = json.loads(FILE.read_text(encoding="utf-8"))["info"]["description"]
    for kind in get_args(Command):
        assert kind.__name__ in words


def test_no_summary_is_made_of_a_functions_name():
    """Without a summary of its own, a route has its function's name in capitals."""
    summaries = {route["summary"] for path in DESCRIBED.values() for route in path.values()}
    capitals = {words for words in summaries if words == words.title()}
    assert capitals == {"Games", "Leaderboard", "Metrics", "Decide", "Concede"}


def test_views_fit_their_schema(client):
    schema = client.get("/schema")
    check = jsonschema_rs.validator_for({**schema, "$ref": "#/$defs/View"})
    match, tokens = client.create(TOY, [HUMAN, HUMAN, BOT])
    for token in (tokens[0], tokens[1], None):
        check.validate(client.view(match, token, svg=True, text=True, state=True))
    with pytest.raises(jsonschema_rs.ValidationError):
        check.validate({"type": "view"})


@pytest.fixture(scope="module")
def described(tmp_path_factory):
    """The description of a server that runs, with a match to be talked about."""
    folder = tmp_path_factory.mktemp("schemathesis")
    config = Settings(
        f"sqlite:///{folder / 'm.db'}", games=(TOY,), limits=Limits(rate=0.0, wait=0.02)
    )
    with live(config) as url, httpx.Client(base_url=url, timeout=300) as http:
        client = Client(http)
        match, tokens = client.create(TOY, [HUMAN, HUMAN, BOT])
        waiting, _ = client.create(TOY, [OPEN, BOT, BOT])
        done, played = client.create(TOY, [HUMAN, BOT, BOT])
        client.play_out(done, played)
        examples = {"match": [match, waiting, done], "token": tokens[0]}
        yield schemathesis.openapi.from_url(f"{url}/api/v1/openapi.json"), examples


OPERATIONS = [
    (method, path)
    for path, methods in json.loads(FILE.read_text(encoding="utf-8"))["paths"].items()
    for method in methods
]


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_fuzzed_requests_get_documented_responses(described, method, path):
    """Fuzzed by schemathesis: documented status, documented body, no 500, at every endpoint."""
    schema, examples = described
    statuses = set()

    @settings(
        max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
    )
    @given(case=schema[path][method].as_strategy())
    def fuzz(case):
        number = zlib.crc32(repr((case.query, case.body)).encode())
        if "match" in case.path_parameters and number % 4:
            # Mostly matches that exist: the others are only ever 404.
            case.path_parameters["match"] = examples["match"][number // 4 % 3]
            if number // 12 % 3:
                case.headers["authorization"] = f"Bearer {examples['token']}"
        if "game" in case.path_parameters and number % 4:
            case.path_parameters["game"] = TOY
        answer = case.call(timeout=300)
        statuses.add(answer.status_code)
        assert answer.status_code != 500
        case.validate_response(
            answer,
            excluded_checks=[
                ignored_auth,  # spectators need no token, and the tokens above are good
                positive_data_acceptance,  # games refuse more than a schema can say
            ],
        )
        assert "Traceback" not in answer.text
        assert "site-packages" not in answer.text

    fuzz()
    assert statuses


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        FILE.write_text(write(create_app(Settings(f"sqlite:///{folder}/m.db"))), encoding="utf-8")
