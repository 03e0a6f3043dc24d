"""A server for the tests of the page, and visitors whose browsers have nothing to complain of."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.browser import browser as launched

from .visitor import Server, Visitor


@pytest.fixture(scope="package")
def server(tmp_path_factory):
    started = Server(tmp_path_factory.mktemp("serve"))
    yield started
    started.stop()


@pytest.fixture(scope="package")
def browser():
    pytest.importorskip("playwright.sync_api")
    with launched() as started:
        yield started


@pytest.fixture
def visit(browser, server):
    visitors = []

    def enter(**settings):
        visitors.append(Visitor(browser, server.url, **settings))
        return visitors[-1]

    yield enter
    for visitor in visitors:
        visitor.assert_all_well()
        visitor.context.close()


@pytest.fixture
def shots():
    """Keeps pictures of the page in the folder that ``GANGLAND_SHOTS`` names, if it names one."""
    folder = os.environ.get("GANGLAND_SHOTS")

    def keep(page, name):
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=Path(folder) / f"{name}.png")

    return keep
