"""A server in this process, and a client that speaks the protocol."""

from __future__ import annotations

import pytest

pytest.importorskip("fastapi")

from starlette.testclient import TestClient

from gangland.serving.doors.http import limits
from gangland.serving.doors.http.app import create_app
from gangland.serving.settings import Limits, Settings
from tests.serving.client import Client
from tests.toy.game import HighCard


@pytest.fixture(autouse=True, scope="module")
def no_heuristic_of_the_toy():
    """The toy as a game without heuristics: some are there to break the rules."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HighCard, "heuristics", None)
        yield


@pytest.fixture(autouse=True)
def called_as_the_test_client_does(monkeypatch):
    """``testserver`` is a name of the servers here, as Starlette's client calls them so."""
    monkeypatch.setattr(limits, "LOCAL", (*limits.LOCAL, "testserver"))


@pytest.fixture
def settings(tmp_path):
    """Settings of a server with a database of its own and no rate limit."""
    return Settings(f"sqlite:///{tmp_path / 'matches.db'}", limits=Limits(rate=0.0))


@pytest.fixture
def client(settings):
    with TestClient(create_app(settings), base_url="http://testserver") as http:
        yield Client(http)
