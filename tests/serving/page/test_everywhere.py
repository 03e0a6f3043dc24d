"""Phones, touch, keyboard, motion, and the budget of size."""

from __future__ import annotations

from pathlib import Path

import pytest

from gangland.serving.page.texts import WEB
from tests.browser import DESKTOP, NEEDED, PHONE
from tests.games import long_ones_slow

from .visitor import REGISTERED

pytest.importorskip("playwright.sync_api")
pytest.importorskip("fastapi")
pytestmark = NEEDED

PAGE_BYTES = 500_000
READABLE_PX = 11
TARGET_PX = 40

SCALE = "() => document.querySelector('.board svg').getScreenCTM().a"
SIZES = """
() => {
  const scale = document.querySelector('.board svg').getScreenCTM().a;
  const frame = document.querySelector('.board').getBoundingClientRect();
  const inside = (e) => {
    const b = e.getBoundingClientRect();
    return b.left >= frame.left && b.right <= frame.right && b.top >= frame.top
      && b.bottom <= frame.bottom;
  };
  const targets = [...document.querySelectorAll('.board .target')].filter(inside)
    .map((e) => e.getBoundingClientRect()).map((b) => Math.max(b.width, b.height));
  return { scale, targets };
}
"""


def test_the_page_is_small():
    files = [file for file in Path(WEB).rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in files) < PAGE_BYTES
    for file in files:
        if file.suffix in (".js", ".css"):
            assert len(file.read_text().splitlines()) <= 500, file.name


@pytest.mark.parametrize("game", REGISTERED)
def test_a_phone_shows_the_part_that_matters(visit, game):
    """Targets are on the screen, and everything can be made as large as one likes."""
    visitor = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    page = visitor.page
    visitor.sit_down(game, "heuristic")
    page.wait_for_selector(".board svg")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert page.locator(".board").bounding_box()["y"] < 300
    choices = page.locator(".actions").bounding_box()
    assert choices["y"] < PHONE["height"], "choices follow the board"
    before = page.evaluate(SCALE)
    for _ in range(4):
        page.locator("#zoom-in").click()
    after = page.evaluate(SCALE)
    assert after > 2.2 * before, "no limit at twice the size"
    assert after * 10 >= READABLE_PX, "the smallest print can be read"
    page.locator("#zoom-all").click()
    assert page.evaluate("!document.querySelector('.board').classList.contains('zoomed')")
    strip = page.locator(".strip button")
    assert strip.count() > 2
    page.locator(".strip button", has_text="You").click()
    assert page.evaluate("document.querySelector('.board').classList.contains('zoomed')")
    for button in [*strip.all(), *page.locator(".choices button:visible").all()][:12]:
        assert button.bounding_box()["height"] >= TARGET_PX


def test_dragging_moves_the_board_and_is_no_click(visit):
    visitor = visit()
    page = visitor.page
    now = visitor.sit_down("chicago", "heuristic")
    page.click("#zoom-in")
    page.click("#zoom-in")
    shown = "document.querySelector('.board svg').getAttribute('viewBox')"
    before = page.evaluate(shown)
    box = page.locator(".board").bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] - 120, middle[1] - 60, steps=4)
    page.mouse.up()
    assert page.evaluate(shown) != before
    assert page.locator(".board").get_attribute("data-version") == now["version"]
    page.keyboard.press("0")
    assert page.evaluate("!document.querySelector('.board').classList.contains('zoomed')")


class Fingers:
    """Fingers on a touch screen, which send what a browser hears of real ones."""

    def __init__(self, page):
        self.session = page.context.new_cdp_session(page)

    def touch(self, kind, *points):
        self.session.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y, "id": k} for k, (x, y) in
                                           enumerate(points)]},
        )  # fmt: skip


def test_two_fingers_zoom_as_far_as_one_likes(visit):
    visitor = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    page = visitor.page
    visitor.sit_down("chicago", "heuristic")
    page.locator(".strip button").first.click()
    box = page.locator(".board").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = page.evaluate(SCALE)
    fingers = Fingers(page)
    for _ in range(2):
        fingers.touch("touchStart", (x - 30, y), (x + 30, y))
        for apart in range(40, 170, 10):
            fingers.touch("touchMove", (x - apart, y), (x + apart, y))
        fingers.touch("touchEnd")
    assert page.evaluate(SCALE) > 4 * before
    version = page.locator(".board").get_attribute("data-version")
    shown = page.locator(".board svg").get_attribute("viewBox")
    fingers.touch("touchStart", (x, y))
    for step in range(0, 90, 10):
        fingers.touch("touchMove", (x - step, y - step))
    fingers.touch("touchEnd")
    assert page.locator(".board svg").get_attribute("viewBox") != shown, "one finger moves it"
    assert page.locator(".board").get_attribute("data-version") == version


def test_a_long_press_opens_the_card_and_decides_nothing(visit):
    visitor = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    page = visitor.page
    now = visitor.sit_down("chicago", "heuristic")
    known = page.locator(".board [data-piece]").evaluate_all(
        """all => all.map((e) => [e.getBoundingClientRect(), e]).map(([b, e]) => {
          const [x, y] = [b.x + b.width / 2, b.y + b.height / 2];
          const hit = document.elementFromPoint(x, y)?.closest('[data-piece], .target');
          return hit === e && b.width > 20 ? [x, y] : null;
        }).find(Boolean)"""
    )
    fingers = Fingers(page)
    card = page.locator(".large-card.pinned")
    fingers.touch("touchStart", tuple(known))
    card.wait_for(state="visible")
    fingers.touch("touchEnd")
    assert len(card.inner_text()) > 20
    assert card.locator(".piece-rules button").count(), "its rules can be read"
    assert page.locator(".board").get_attribute("data-version") == now["version"]
    page.get_by_label("Close the card").tap()
    card.wait_for(state="hidden")


@pytest.mark.parametrize(
    ("motion", "pace", "moves"),
    [("no-preference", "brisk", True), ("no-preference", "instant", False),
     ("reduce", "brisk", False)],
)  # fmt: skip
def test_nothing_moves_where_nobody_wants_it(visit, motion, pace, moves):
    visitor = visit(reduced_motion=motion)
    page = visitor.page
    page.goto(f"{visitor.url}#/nowhere")
    call = "async (pace) => (await import('/motion.js')).moves(pace)"
    assert page.evaluate(call, pace) is moves
    rolls = """async (pace) => {
      const { showLog } = await import('/log.js');
      const news = document.createElement('section');
      news.className = 'news';
      document.getElementById('main').replaceChildren(news);
      const events = [{ n: 0, kind: 'game', text: 'Red rolls \u2683.', turn: '', step: 1 }];
      showLog({ view: { viewer: 0, turn: '' }, events, sheet: { news }, fresh: 1, pace });
      return getComputedStyle(news.querySelector('.die')).animationName;
    }"""
    assert page.evaluate(rolls, pace) == ("roll" if moves else "none")


def test_a_decision_by_keyboard_on_the_board(visit):
    visitor = visit()
    page = visitor.page
    now = visitor.sit_down("five_points", "heuristic")
    page.locator(".board").focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft") * 6:
        if page.evaluate("document.activeElement.classList.contains('target')"):
            break
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.getAttribute('role')") == "button"
    assert page.evaluate("document.activeElement.getAttribute('aria-label')")
    visitor.decide(now, lambda: page.keyboard.press("Enter"))


def test_nothing_moves_for_those_who_want_it_so(visit):
    visitor = visit(reduced_motion="reduce")
    page = visitor.page
    now = visitor.sit_down("chicago", "heuristic")
    visitor.decide(now, page.locator(".choices button").first.click)
    moving = page.evaluate("document.getAnimations().length")
    assert moving == 0


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_table_has_a_heading_and_everything_that_scrolls_can_be_focused(visit, viewport):
    visitor = visit(viewport=viewport)
    page = visitor.page
    visitor.sit_down("crime_lords", "heuristic")
    assert page.locator("h1").count() == 1
    stuck = page.evaluate(
        "[...document.querySelectorAll('main *')].filter((e) =>"
        " /auto|scroll/.test(getComputedStyle(e).overflowX + getComputedStyle(e).overflowY)"
        " && (e.scrollWidth > e.clientWidth + 2 || e.scrollHeight > e.clientHeight + 2)"
        " && e.tabIndex < 0 && !e.querySelector('button, a, input, [tabindex=\"0\"]'))"
        ".map((e) => e.className)"
    )
    assert stuck == []


def test_pieces_slide_to_where_they_are_now(visit):
    visitor = visit()
    page = visitor.page
    page.goto(visitor.url)
    moved = page.evaluate(
        """async () => {
          const { places, slide } = await import('/motion.js');
          const draw = (x) => {
            const svg = new DOMParser().parseFromString(
              `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">
               <g data-piece="a"><rect x="${x}" width="9" height="9"/></g>
               <g data-piece="b"><rect y="50" width="9" height="9"/></g>
               <g data-piece="c"><rect y="20" x="${x}" width="5" height="5"/></g>
               <g data-piece="c"><rect y="30" x="${x}" width="5" height="5"/></g></svg>`,
              'image/svg+xml').documentElement;
            document.getElementById('main').replaceChildren(document.adoptNode(svg));
            return svg;
          };
          const before = places(draw(0));
          const after = draw(60);
          const count = slide(before, after);
          return [count, after.getAnimations({ subtree: true }).length];
        }"""
    )
    assert moved == [1, 1], "the piece that has moved, and none that looks like another"


NOTICES = """
() => {
  // Notices of the browser are kept, and the page can be told that it is in the background.
  window.notices = [];
  window.behind = false;
  window.Notification = class {
    static permission = 'default';
    static async requestPermission() { Notification.permission = 'granted'; return 'granted'; }
    constructor(title, { body, tag }) { window.notices.push([title, body, tag]); }
    close() {}
  };
  Object.defineProperty(document, 'hidden', { get: () => window.behind });
}
"""


def test_a_tab_in_the_background_says_when_it_is_ones_turn(visit):
    visitor = visit()
    page = visitor.page
    page.add_init_script(f"({NOTICES})()")
    visitor.sit_down("chicago", "heuristic")
    match = page.url.rsplit("/", 1)[1]

    def go_on():
        asked = page.locator(".prompt").inner_text()
        now = visitor.turn()
        visitor.decide(now, page.locator(".choices button").last.click)
        page.wait_for_selector(".prompt.yours")
        return asked

    page.evaluate("window.behind = true")
    go_on()
    assert page.evaluate("window.notices") == [], "nobody has allowed it"
    page.click("#notify")
    page.wait_for_selector("#notify", state="detached")
    page.evaluate("window.behind = false")
    go_on()
    assert page.evaluate("window.notices") == [], "somebody looks at it"
    page.evaluate("window.behind = true")
    go_on()
    title, body, tag = page.evaluate("window.notices").pop()
    assert title.endswith(": your turn")
    assert body == page.locator(".prompt").inner_text()
    assert tag == match
    assert page.title().startswith("● "), "the tab says so as well"


@pytest.mark.parametrize("game", long_ones_slow(REGISTERED))
def test_choices_are_found_by_their_names_alone(visit, game):
    """As somebody finds them who hears the page: a button of that name."""
    visitor = visit()
    page = visitor.page
    visitor.sit_down(game, "heuristic")
    for k in range(3):
        view = visitor.advance(lambda view: len(view["legal"]) > 1)
        version = page.locator(".board").get_attribute("data-version")
        for fold in page.locator(".choices summary").all():
            fold.click()
        plain = [action for action in view["legal"] if action["amount"] is None]
        if not plain:
            continue
        sentence = plain[k % len(plain)]["sentence"]
        named = page.get_by_role("region", name="Your choices").get_by_role(
            "button", name=sentence, exact=True
        )
        named.first.focus()
        page.keyboard.press("Enter")
        visitor.wait_for_change(version)
    said = page.locator("#announcer").inner_text()
    assert said.strip()
