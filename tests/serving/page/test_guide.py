"""The summary of a game and its guided first game, in a real browser from start to end."""

from __future__ import annotations

import pytest

from gangland.envs import load
from tests.browser import LOOKS, NEEDED, PHONE
from tests.games import long_ones_slow

from .visitor import NAMELESS, TAUGHT

pytest.importorskip("playwright.sync_api")
pytest.importorskip("fastapi")
pytestmark = NEEDED

HALOS = """
() => {
  // Every frame lies on the picture and around something.
  const svg = document.querySelector(".board svg").getBoundingClientRect();
  return [...document.querySelectorAll(".board .halo")].map((halo) => {
    const box = halo.getBoundingClientRect();
    return box.width > 4 && box.height > 4 && box.right > svg.left && box.left < svg.right
      && box.bottom > svg.top && box.top < svg.bottom;
  });
}
"""


def begin(visitor, game):
    visitor.lobby(game)
    visitor.page.click("#learn")
    return at(visitor, 0)


def at(visitor, n):
    """Wait for a step; what is to be done in it."""
    visitor.page.wait_for_selector(f".board[data-step='{n}'] svg")
    target = visitor.page.locator(".board .target")
    if not target.count():
        return None
    drawn = target.first
    return drawn.get_attribute("data-action") or drawn.get_attribute("data-actions")


@pytest.mark.parametrize("game", TAUGHT)
def test_a_guided_game_from_start_to_end(visit, game, shots):
    visitor = visit()
    page = visitor.page
    steps = load(game).lesson().steps
    begin(visitor, game)
    clicked = 0
    for n, step in enumerate(steps):
        action = at(visitor, n)
        assert page.locator(".guide-count").inner_text() == f"Step {n + 1} of {len(steps)}"
        assert page.locator(".guide-step h2").inner_text() == step.title
        assert step.text in page.locator(".guide-step").inner_text()
        halos = page.evaluate(HALOS)
        assert len(halos) >= len(step.marks)
        assert all(halos), step.title
        assert page.evaluate(NAMELESS) == []
        shots(page, f"guide_{game}_{n:02}")
        if n == len(steps) - 1:
            break
        if step.play:
            assert step.why in page.locator(".bot-says").inner_text()
        if step.play and action is not None:
            visitor.click_board(action)
            clicked += 1
        else:
            page.click("#go-on")
    assert clicked >= 4, "most decisions are made on the board"
    page.click("#go-on")
    page.wait_for_selector(f".card[data-game={game}] input:checked", state="attached")


@pytest.mark.parametrize("game", long_ones_slow(TAUGHT))
def test_a_guided_game_by_keyboard_on_a_phone(visit, game, shots):
    visitor = visit(viewport=PHONE, color_scheme="dark")
    page = visitor.page
    steps = load(game).lesson().steps
    page.goto(f"{visitor.url}#/learn/{game}")
    for n in range(len(steps)):
        at(visitor, n)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert any(page.evaluate(HALOS) or [True]), "the part that is shown has something framed"
        if n == 2:
            shots(page, f"guide_{game}_phone")
        page.focus("#go-on")
        page.keyboard.press("Enter")
    page.wait_for_selector(".card")


def test_a_guided_game_can_be_left_and_goes_back(visit):
    visitor = visit()
    page = visitor.page
    begin(visitor, "chicago")
    page.click("#go-on")
    at(visitor, 1)
    page.click("#go-back")
    at(visitor, 0)
    page.click("#leave-guide")
    page.wait_for_selector(".card")
    seats = page.evaluate("localStorage.getItem('gangland.seats')")
    assert seats is None, "nothing was created on the server"
    # A game without a lesson offers none, and nobody gets lost on the way.
    page.goto(f"{visitor.url}#/learn/nosuchgame")
    page.wait_for_selector(".empty a[href='#/learn/chicago']")
    visitor.wrong.clear()  # The browser notes the refused request.


@pytest.mark.parametrize("game", TAUGHT)
def test_the_game_on_one_page(visit, game, shots):
    visitor = visit()
    page = visitor.page
    visitor.lobby(game)
    page.get_by_role("link", name="How to play").click()
    page.wait_for_selector(".summary .scene svg")
    lesson = load(game).lesson()
    titles = page.locator(".scene h2").all_inner_texts()
    assert titles == [lesson.goal.title, lesson.turn.title, lesson.win.title]
    assert page.locator(".things li").count() == 5
    assert page.evaluate(NAMELESS) == []
    shots(page, f"summary_{game}")
    # A rule leads to its place in the rulebook.
    rule = page.locator(".things .piece-rules button").first
    wanted = rule.inner_text()
    rule.click()
    page.wait_for_selector(f"dialog .passage.marked[data-rules~='{wanted}']")
    exact = page.locator("dialog .passage.marked .exact")
    exact.locator("summary").click()
    line = exact.locator(f"li[data-rule='{wanted}']")
    assert len(line.inner_text()) > len(wanted) + 10, "the exact wording"
    page.get_by_label("Close the rules").click()
    page.wait_for_selector("dialog", state="detached")
    # The whole rulebook stands behind it and can be searched.
    page.get_by_label("Find in the rules").fill(wanted)
    page.wait_for_selector(f".passage[data-rules~='{wanted}']:visible")
    found = page.locator(".passage:visible").count()
    assert 0 < found < page.locator(".passage").count()
    page.get_by_label("Find in the rules").fill("xyzzy")
    page.wait_for_selector("text=Nothing found.")
    page.get_by_label("Find in the rules").fill("")
    page.locator(".contents button").nth(2).click()
    assert page.evaluate("document.activeElement.parentElement.className") == "chapter"
    page.get_by_role("link", name="Guided first game").click()
    at(visitor, 0)


@LOOKS
def test_the_summary_fits_the_page(visit, viewport, scheme, shots):
    visitor = visit(viewport=viewport, color_scheme=scheme)
    page = visitor.page
    page.goto(f"{visitor.url}#/rules/chicago")
    page.wait_for_selector(".summary .scene svg")
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    shots(page, f"summary_{scheme}_{viewport['width']}")


def test_the_summary_stands_before_the_rules_at_the_table(visit):
    visitor = visit()
    page = visitor.page
    visitor.sit_down("chicago", "heuristic")
    page.click("#rules")
    page.wait_for_selector("dialog .summary .scene svg")
    assert page.locator("dialog .things li").count() == 5
