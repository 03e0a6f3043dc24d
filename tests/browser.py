"""The Chromium of this machine, for the tests that need a browser; nothing is downloaded."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
"""The cheapest first: the shell draws no window around a page, which is half of the work."""

CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
NEEDED = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WAIT_MS = 120_000
"""How long a page may take for anything; a busy machine needs far longer than an idle one."""
DESKTOP, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}


def looks(*fast: str) -> pytest.MarkDecorator:
    """Both sizes of the page in both colour schemes; all but the ``fast`` ones are slow tests."""
    sizes = {"desktop": DESKTOP, "phone": PHONE}
    return pytest.mark.parametrize(
        ("viewport", "scheme"),
        [
            pytest.param(
                viewport,
                scheme,
                id=f"{size}-{scheme}",
                marks=() if f"{size}-{scheme}" in fast else pytest.mark.slow,
            )
            for size, viewport in sizes.items()
            for scheme in ("light", "dark")
        ],
    )


LOOKS = looks("desktop-light", "phone-dark")


@contextlib.contextmanager
def browser() -> Iterator[Any]:
    """A browser of Playwright's."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


def new_page(chromium: Any, **settings: Any) -> Any:
    """A page of a browser or of a context that waits as long as a busy machine needs."""
    page = chromium.new_page(**settings)
    page.set_default_timeout(WAIT_MS)
    return page
