"""The committed description is current, and the server does what it says."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import httpx
import jsonschema_rs
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

from gangland.serving.doors.http.app import create_app
from gangland.serving.doors.http.openapi import write
from gangland.serving.protocol import json_schema
from gangland.serving.settings import Limits, Settings
from tests.games import TOY
from tests.serving.client import BOT, HUMAN, OPEN, Client
from tests.serving.live import live

FILE = Path(__file__).resolve().parents[3] / "docs" / "openapi.json"


def test_the_committed_description_is_current(tmp_path):
    """After a change: ``python -m tests.serving.doors.test_openapi`` writes it anew."""
    app = create_app(Settings(f"sqlite:///{tmp_path / 'm.db'}"))
    assert FILE.read_text(encoding="utf-8") == write(app)


def test_every_message_is_described():
    found = json.loads(FILE.read_text(encoding="utf-8"))["components"]["schemas"]
    for name, schema in json_schema()["$defs"].items():
        assert found[name]["title"] == schema["title"]
    for name in ("Hello", "SocketAct", "View", "Hint", "Problem", "Pong"):
        assert name in found


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
