"""Size and speed of the page in a real browser, beside their budgets.

    python -m benchmarks.serving.page

Needs Playwright's Python package and a Chromium on the machine. Other processes slow everything
down, so no test asserts these times.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from docs.make_screens import GAMES, begin, chromium, go_on, serve
from gangland.serving.page.texts import WEB

BYTES, PAINT_MS, UPDATE_MS = 500_000, 1000, 50
"""Budgets: all files of the page, first paint of the lobby, an update of the largest board."""
VISITS, DECISIONS = 7, 25
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
UPDATES = "performance.getEntriesByName('gangland.view').map((e) => e.duration)"


def size() -> int:
    """Bytes of all files of the page."""
    return sum(file.stat().st_size for file in Path(WEB).rglob("*") if file.is_file())


def paints(browser: Browser, url: str) -> list[float]:
    """Milliseconds until something of the lobby is seen, each time with an empty cache."""
    found = []
    for _ in range(VISITS):
        page = browser.new_page()
        page.goto(url)
        page.wait_for_selector(".card")
        page.wait_for_function(PAINT)
        found.append(page.evaluate(PAINT))
        page.close()
    return found


def updates(browser: Browser, url: str, game: str) -> list[float]:
    """Milliseconds that each new view of a running match takes the page."""
    seat = begin(url, game)
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(url)
    page.evaluate(
        "([seats]) => { localStorage.setItem('gangland.seats', JSON.stringify(seats));"
        " localStorage.setItem('gangland.pace', 'instant'); }",
        [{seat["match"]: seat}],
    )
    page.goto(f"{url}#/m/{seat['match']}")
    page.wait_for_selector(".board svg")
    go_on(url, seat["match"], seat["token"], DECISIONS)
    page.wait_for_timeout(500)
    found: list[float] = page.evaluate(UPDATES)
    page.close()
    return found


def show(what: str, value: float, budget: float, unit: str, more: str = "") -> None:
    """One line of the table."""
    mark = "" if value < budget else "   OVER THE BUDGET"
    print(f"{what:<44}{value:>10,.0f} {unit:<6}budget {budget:>9,.0f} {more}{mark}")


def main() -> None:
    """Measure everything and print it."""
    show("files of the page", size(), BYTES, "bytes")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        server, url = serve(Path(folder))
        try:
            browser = chromium(driver)
            times = paints(browser, url)
            more = f"({min(times):.0f} to {max(times):.0f})"
            show("first paint of the lobby, median", statistics.median(times), PAINT_MS, "ms", more)
            for game in GAMES:
                times = updates(browser, url, game)
                more = f"({len(times)} updates, {min(times):.0f} to {max(times):.0f})"
                show(f"update of {game}, median", statistics.median(times), UPDATE_MS, "ms", more)
        finally:
            server.terminate()
            server.wait(30)


if __name__ == "__main__":
    main()
