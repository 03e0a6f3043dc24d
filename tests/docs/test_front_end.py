"""The page of the tutorial ``front_end.md`` plays a match against a real server, in Chromium."""

from __future__ import annotations

import contextlib
import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import NEEDED, browser, new_page
from tests.docs.test_tutorials import TUTORIALS
from tests.docs.tutorial import notebooks

pytest.importorskip("playwright.sync_api")
pytest.importorskip("fastapi")

pytestmark = NEEDED


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """A folder served as static files; gives the origin."""
    handler = functools.partial(_Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://localhost:{server.server_port}"
    finally:
        server.shutdown()


DECISIONS = 6


def the_page():
    text = (TUTORIALS / "front_end.md").read_text(encoding="utf-8")
    (page,) = [block for block in notebooks.blocks(text) if block.title == "table.html"]
    return page.code


def test_it_has_fifty_lines_at_most():
    assert len(the_page().splitlines()) <= 50


def test_a_person_plays_by_buttons_and_on_the_board(tmp_path):
    from tests.serving.servers import serving

    (tmp_path / "table.html").write_text(the_page(), encoding="utf-8")
    (tmp_path / "favicon.ico").touch()  # browsers ask for it
    database = str(tmp_path / "m.db")
    with (
        served(tmp_path) as origin,
        serving("--game", "chicago", "--rate", "0", "--db", database, "--cors", origin) as (
            server,
            _,
        ),
        browser() as chromium,
    ):
        page = new_page(chromium)
        wrong = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text))
        page.goto(f"{origin}/table.html?server={server.url}")
        for decided in range(DECISIONS):
            page.wait_for_function(f"() => typeof view === 'object' && view.decision === {decided}")
            assert page.text_content("#status") == "Your turn"
            assert page.locator("#actions button").count() == page.evaluate("view.legal.length")
            drawn = page.evaluate("document.querySelector('#board [data-action]') !== null")
            if decided % 2 and drawn:
                page.locator("#board [data-action]").first.dispatch_event("click")
            else:
                page.locator("#actions button").first.click()
        page.wait_for_function(f"() => view.decision === {DECISIONS}")
        assert page.locator("#log p").count() > DECISIONS
        assert not wrong


def test_a_page_that_the_server_does_not_allow_says_how_to_allow_it(tmp_path):
    (tmp_path / "table.html").write_text(the_page(), encoding="utf-8")
    with served(tmp_path) as origin, browser() as chromium:
        page = new_page(chromium)
        page.goto(f"{origin}/table.html?server=http://127.0.0.1:9")
        page.wait_for_function(
            "end => document.getElementById('status').textContent.endsWith(end)",
            arg=f"gangland serve --cors {origin}",
        )
