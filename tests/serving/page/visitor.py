"""A server of one's own, and somebody with a browser who visits it.

Needs Playwright's Python package and a Chromium on the machine; nothing is downloaded.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys

import httpx

from gangland.envs import load
from tests.browser import DESKTOP, new_page
from tests.games import GAMES, TOY

REGISTERED = [name for name in GAMES if name != TOY]
TAUGHT = [name for name in REGISTERED if load(name).lesson() is not None]
"""Games with a guided game."""


POINT_ON = """
(id) => {
  // The middle of what stands for this action in the picture, if that is shown.
  const drawn = `.board [data-action="${id}"], .board [data-actions~="${id}"]`;
  for (const target of document.querySelectorAll(drawn)) {
    target.scrollIntoView({ block: "nearest", inline: "nearest" });
    const box = target.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    if (document.elementFromPoint(x, y)?.closest(".board")) return [x, y];
  }
  return null;
}
"""

STATE = """
() => {
  const over = document.querySelector(".standings") !== null;
  const ids = [...document.querySelectorAll(".choices button[data-id]")].map((b) => b.dataset.id);
  const shown = [...document.querySelectorAll(".board .target")]
    .flatMap((t) => (t.dataset.action ?? t.dataset.actions).split(" "));
  const keys = [...document.querySelectorAll(".choices button[data-id]")]
    .filter((b) => b.checkVisibility()).length;
  return { over, ids, shown, keys, version: document.querySelector(".board")?.dataset.version };
}
"""

KEEP_SEAT = """
([match, seat]) => {
  // Once, at the first visit: what the page makes of it later stays.
  if (location.search !== `?${match}` || sessionStorage.getItem(match)) return;
  sessionStorage.setItem(match, "kept");
  const seats = JSON.parse(localStorage.getItem("gangland.seats")) ?? {};
  localStorage.setItem("gangland.seats", JSON.stringify({ ...seats, [match]: seat }));
}
"""

NAMELESS = """
() => [...document.querySelectorAll("button, a, input, select, [role=button], svg[role]")]
  .filter((e) => e.checkVisibility?.() !== false)
  .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length
    || e.closest("label") || e.title))
  .map((e) => e.outerHTML.slice(0, 120))
"""


class Server:
    """``gangland serve`` on a free port."""

    def __init__(self, folder, port=0):
        words = ["serve", "--port", str(port), "--db", str(folder / "games.db"), "--rate", "0"]
        words += [word for name in REGISTERED for word in ("--game", name)]
        self.folder = folder
        self.log = (folder / "log").open("a")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gangland.cli", *words],
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
        )
        while True:
            line = self.process.stdout.readline()
            assert line, (folder / "log").read_text()
            found = re.search(r"http://\S+", line)
            if found:
                break
        self.url = found[0]
        self.port = int(re.search(r":(\d+)/", self.url)[1])

    def stop(self):
        self.process.terminate()
        self.process.wait(20)
        self.log.close()


class Visitor:
    """Somebody with a browser; everything that goes wrong in it is kept."""

    def __init__(self, browser, url, **settings):
        self.url = url
        self.context = browser.new_context(**{"viewport": DESKTOP, **settings})
        self.context.add_init_script("localStorage.setItem('gangland.pace', 'instant')")
        self.page = new_page(self.context)
        self.wrong = []
        self.strangers = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", self._heard)
        self.page.on("request", self._asked)

    def _heard(self, message):
        if message.type in ("error", "warning"):
            self.wrong.append(f"{message.type}: {message.text}")

    def _asked(self, request):
        if not request.url.startswith((self.url, "data:", "blob:")):
            self.strangers.append(request.url)

    def lobby(self, game):
        self.page.goto(self.url)
        self.page.locator(f".card[data-game={game}]").click()
        self.page.wait_for_selector("select[data-seat]")

    def sit_down(self, game, bot="random", seat=0, seed=1, until=None):
        """Come to a new table against these bots, the same one in every run.

        It has the options that the lobby offers first; tests of the lobby make theirs there. With
        ``until`` a bot decides for the visitor until that view is wanted, before the page opens.
        """
        kind = load(game).about.presets[0]
        options = dict(kind.options)
        wanted = {"game": game, "options": options, "seed": seed, "listed": False}
        seats = load(game).num_players(load(game).options.resolve(options))
        wanted["seats"] = [{"kind": "bot", "bot": bot}] * seats
        wanted["seats"][seat] = {"kind": "human", "name": "Player"}
        with httpx.Client(base_url=f"{self.url}api/v1", timeout=60) as api:
            answer = api.post("/matches", json=wanted)
        assert answer.status_code == 201, answer.text
        match, token = answer.json()["match"], answer.json()["tokens"][0]["token"]
        if until is not None:
            self._advance(match, token, until)
        kept = {"seat": seat, "token": token, "game": game, "title": load(game).title, "at": 1}
        self.context.add_init_script(f"({KEEP_SEAT})({json.dumps([match, kept])})")
        self.page.goto(f"{self.url}?{match}#/m/{match}")
        return self.turn()

    def advance(self, until):
        """Let a bot decide for the visitor until a view is wanted; returns that view."""
        seats = self.page.evaluate("JSON.parse(localStorage.getItem('gangland.seats'))")
        match = self.page.url.rsplit("/", 1)[1]
        view = self._advance(match, seats[match]["token"], until)
        self.page.wait_for_selector(f".board[data-version='{view['version']}']")
        return view

    def _advance(self, match, token, until, steps=600):
        headers = {"authorization": f"Bearer {token}"}
        with httpx.Client(base_url=f"{self.url}api/v1/matches/{match}", headers=headers,
                          timeout=60) as api:  # fmt: skip
            for _ in range(steps):
                view = api.get("/view?svg=false&since=1000000&wait=20").json()
                assert view["status"] == "playing", f"no such view: {view['status']}"
                if view["decision"] is None:
                    continue
                if until(view):
                    return view
                hint = api.post("/hint", json={"bot": "heuristic"})
                if hint.status_code == 409:  # The page has decided meanwhile: its fast deal.
                    continue
                chosen = {"decision": view["decision"], "action": hint.json()["action"]["id"]}
                api.post("/actions?svg=false", json=chosen)
        raise LookupError("no such view")

    def turn(self):
        """Wait until there is something to decide, or the game is over."""
        self.page.wait_for_selector(".choices button[data-id], .standings")
        return self.page.evaluate(STATE)

    def decide(self, before, doing):
        """Do something that decides, and wait for the next decision."""
        doing()
        self.wait_for_change(before["version"])
        return self.turn()

    def wait_for_change(self, version):
        """Wait until the table is not at this version any more."""
        self.page.wait_for_function(
            "(version) => document.querySelector('.board').dataset.version !== version"
            " && !document.body.classList.contains('thinking')",
            arg=version,
        )

    def click_board(self, action):
        """Click the picture where an action is drawn, and choose it there if it is one of many."""
        self.open_menu(action)
        if self.page.locator(f".board [data-actions~='{action}']").count():
            self.page.click(f".large-card.pinned [data-choice='{action}']")

    def tap_board(self, action):
        """Tap the picture where an action is drawn, if that is shown; returns whether it is."""
        point = self.page.evaluate(POINT_ON, action)
        if point is None:
            return False
        self.page.touchscreen.tap(*point)
        if self.page.locator(f".board [data-actions~='{action}']").count():
            self.page.locator(f".large-card.pinned [data-choice='{action}']").tap()
        return True

    def open_menu(self, action):
        """Click the picture where an action is drawn."""
        self.page.mouse.click(*self.point_on(action))

    def point_on(self, action):
        """The middle of what stands for an action."""
        point = self.page.evaluate(POINT_ON, action)
        assert point is not None, f"action {action} is marked, but not shown"
        return point

    def click_list(self, action):
        """Click an action in the list, in its fold if it is in one."""
        row = self.page.locator(f".choices button[data-id='{action}']")
        fold = row.locator("xpath=ancestor::details[not(@open)]")
        if fold.count():
            fold.locator("summary").click()
        row.click()

    def assert_all_well(self):
        # pytest explains assertions of test modules alone.
        assert self.wrong == [], self.wrong
        assert self.strangers == [], self.strangers
