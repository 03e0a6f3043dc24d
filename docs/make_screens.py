"""Makes the pictures of the page in ``docs/images/screens``, in a real browser.

    python -m docs.make_screens [NAME ...]

Needs Playwright's Python package, Pillow and a Chromium on the machine. The games are the same in
every run.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from PIL import Image
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

FOLDER = Path(__file__).parent / "images" / "screens"
GAMES = ("gangsters", "five_points", "crime_lords", "chicago")
SIZES = {"desktop": (1440, 900, 960), "phone": (390, 844, 390)}
"""Width and height of the window, and width of the picture."""
DECISIONS = {"gangsters": 40, "five_points": 25, "crime_lords": 63, "chicago": 8}
"""Own decisions before the picture of a table is taken."""
WAIT_MS = 120_000
"""For a screen: the coach of a server that has just begun takes his time."""
QUALITY = 55


class Screen(NamedTuple):
    """A screen of the page.

    Attributes:
        address: What follows the page's address.
        ready: Selector of what has to be there.
        doing: What a visitor does then.
        size: Of the window; see :data:`SIZES`.
        theme: ``light`` or ``dark``.
    """

    address: str
    ready: str
    doing: Callable[[Page], None] = lambda page: None
    size: str = "desktop"
    theme: str = "light"


def serve(folder: Path) -> tuple[subprocess.Popen[str], str]:
    """A server of all games, and its address."""
    words = ["serve", "--port", "0", "--db", str(folder / "games.db"), "--rate", "0"]
    words += [word for game in GAMES for word in ("--game", game)]
    process = subprocess.Popen(
        [sys.executable, "-m", "gangland.cli", *words], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"http://\S+", line):
            return process, found[0]
    raise RuntimeError("the server did not start")


def begin(url: str, game: str) -> dict[str, Any]:
    """A match against rules of thumb, in the middle of the game.

    Returns:
        What the page keeps of a seat, the person's token with it.
    """
    with httpx.Client(base_url=f"{url}api/v1", timeout=120) as api:
        info = api.get(f"/games/{game}").json()
        players = next(o for o in info["options"] if o["name"] in ("players", "gangs"))["default"]
        seats: list[dict[str, str]] = [{"kind": "human", "name": "Alma"}]
        seats += [{"kind": "bot", "bot": "heuristic"}] * (players - (game != "gangsters"))
        made = api.post("/matches", json={"game": game, "seats": seats, "seed": 11}).json()
        token = made["tokens"][0]["token"]
    go_on(url, made["match"], token, DECISIONS[game])
    return {"match": made["match"], "seat": 0, "token": token, "game": game,
            "title": info["title"], "at": 0}  # fmt: skip


def go_on(url: str, match: str, token: str, decisions: int) -> None:
    """Make so many decisions by rules of thumb, or as many as there are."""
    headers = {"authorization": f"Bearer {token}"}
    with httpx.Client(base_url=f"{url}api/v1/matches/{match}", headers=headers, timeout=120) as api:
        while decisions:
            view = api.get("/view?svg=false&wait=20").json()
            if view["status"] != "playing":
                return
            if view["decision"] is not None:
                hint = api.post("/hint", json={"bot": "heuristic"}).json()
                chosen = {"decision": view["decision"], "action": hint["action"]["id"]}
                api.post("/actions?svg=false", json=chosen)
                decisions -= 1


def chromium(driver: Playwright) -> Browser:
    """The Chromium of this machine."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        raise SystemExit("there is no chromium on this machine")
    return driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])


def ask_coach(page: Page) -> None:
    """Have the last decision rated."""
    page.click("#coach")
    page.wait_for_selector(".coach .verdict")
    page.locator(".coach").scroll_into_view_if_needed()


def screens(matches: dict[str, dict[str, Any]]) -> dict[str, Screen]:
    """All screens by name, of running matches by game."""
    tables = {game: f"#/m/{seat['match']}" for game, seat in matches.items()}
    board = ".board svg"
    return {
        "lobby": Screen("#/", ".card .emblem svg"),
        "coach": Screen(tables["five_points"], "#coach:enabled", ask_coach),
        "guide": Screen("#/learn/five_points", board, size="phone", theme="dark"),
        "gangsters": Screen(tables["gangsters"], board),
        "crime_lords": Screen(tables["crime_lords"], board, theme="dark"),
        "chicago": Screen(tables["chicago"], board),
        "chicago-phone": Screen(tables["chicago"], board, size="phone"),
    }


def take(browser: Browser, url: str, screen: Screen, kept: dict[str, Any]) -> Image.Image:
    """A screen, as somebody with these seats sees it."""
    width, height, shown = SIZES[screen.size]
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=screen.theme,
        reduced_motion="reduce", has_touch=screen.size == "phone",
    )  # fmt: skip
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    page.goto(url)
    page.evaluate("(seats) => localStorage.setItem('gangland.seats', JSON.stringify(seats))", kept)
    page.goto("about:blank")
    page.goto(f"{url}{screen.address}")
    page.wait_for_selector(screen.ready)
    screen.doing(page)
    page.wait_for_timeout(700)
    picture = Image.open(io.BytesIO(page.screenshot()))
    context.close()
    return picture.resize((shown, round(height * shown / width)))


def main() -> None:
    """Make all pictures, or those whose names are given."""
    wanted = sys.argv[1:]
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        server, url = serve(Path(folder))
        try:
            matches = {game: begin(url, game) for game in GAMES}
            kept = {seat["match"]: seat for seat in matches.values()}
            browser = chromium(driver)
            for name, screen in screens(matches).items():
                if not wanted or name in wanted:
                    picture = take(browser, url, screen, kept)
                    picture.save(FOLDER / f"{name}.webp", quality=QUALITY)
        finally:
            server.terminate()
            server.wait(30)
    total = sum(file.stat().st_size for file in FOLDER.glob("*.webp"))
    print(f"{len(list(FOLDER.glob('*.webp')))} pictures, {total / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
