"""A PostgreSQL server for all tests here, and server processes that share a database."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from starlette.testclient import TestClient

from gangland.serving.doors.http.app import create_app
from gangland.serving.settings import Limits, Settings
from tests.serving import postgres as programs
from tests.serving.client import Client


@pytest.fixture(scope="session")
def postgres():
    with programs.running() as server:
        yield server


@pytest.fixture
def url(postgres):
    return postgres.database()


@pytest.fixture
def servers(url):
    """A function that starts servers with these limits, each with an event loop of its own.

    They are in this process, but share nothing except the database.
    """
    with ExitStack() as stack:

        def make(count, **limits):
            settings = Settings(url, limits=Limits(rate=0.0, **limits))
            apps = [create_app(settings) for _ in range(count)]
            return [
                Client(stack.enter_context(TestClient(app, base_url="http://testserver")))
                for app in apps
            ]

        yield make
