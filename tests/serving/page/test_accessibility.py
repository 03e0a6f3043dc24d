"""axe-core has nothing serious to say about any screen, light and dark, large and small."""

from __future__ import annotations

from importlib.resources import files

import pytest

from tests.browser import NEEDED, looks

from .test_learn import finished
from .visitor import REGISTERED

pytest.importorskip("playwright.sync_api")
pytest.importorskip("fastapi")
pytest.importorskip("axe_playwright_python")
pytestmark = NEEDED

AXE = files("axe_playwright_python").joinpath("axe.min.js")
SERIOUS = ("serious", "critical")

RUN = """
async () => {
  const found = await axe.run(document, { resultTypes: ["violations"] });
  return found.violations.map((one) => ({ id: one.id, impact: one.impact, help: one.help,
    nodes: one.nodes.slice(0, 4).map((node) => `${node.target}: ${node.failureSummary}`) }));
}
"""


UNMARKED = """
() => [...document.querySelectorAll("summary")].filter((e) => e.checkVisibility()
  && getComputedStyle(e).display !== "list-item").map((e) => e.textContent)
"""
"""What can be unfolded and has no triangle that says so."""


def assert_accessible(page, where):
    assert page.evaluate(UNMARKED) == [], where
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(RUN)
    serious = [(where, one) for one in found if one["impact"] in SERIOUS]
    assert serious == []


@looks("desktop-light")
def test_every_screen(visit, viewport, scheme):
    visitor = visit(viewport=viewport, color_scheme=scheme, reduced_motion="reduce")
    page = visitor.page
    visitor.lobby("crime_lords")
    page.locator(".setup summary").click()
    assert_accessible(page, "lobby")
    page.goto(f"{visitor.url}#/leaderboard")
    page.wait_for_selector(".page h1")
    assert_accessible(page, "leaderboard")
    page.goto(f"{visitor.url}#/rules/chicago")
    page.wait_for_selector(".rules summary")
    assert_accessible(page, "rules")
    for game in REGISTERED:
        visitor.sit_down(game, "heuristic")
        page.wait_for_selector(".board svg")
        assert_accessible(page, game)
    page.locator("#hint").click()
    page.wait_for_selector(".thoughts:not([hidden])")
    assert_accessible(page, "a bot's thoughts")
    page.get_by_role("button", name="Rules", exact=True).click()
    page.wait_for_selector("dialog[open]")
    assert_accessible(page, "the rules over the table")
    page.keyboard.press("Escape")
    page.locator(".board").focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_selector(".large-card:visible")
    assert_accessible(page, "a large card")
    page.goto(f"{page.url}/replay")
    page.wait_for_selector(".player")
    assert_accessible(page, "replay")


@looks()
def test_every_screen_that_teaches(visit, viewport, scheme):
    visitor = visit(viewport=viewport, color_scheme=scheme, reduced_motion="reduce")
    page = visitor.page
    page.goto(f"{visitor.url}#/learn/gangsters")
    page.wait_for_selector(".board[data-step='0'] svg")
    assert_accessible(page, "the guided game")
    page.goto(f"{visitor.url}#/learn/chicago")
    for n in range(3):
        page.wait_for_selector(f".board[data-step='{n}'] svg")
        page.click("#go-on")
    page.wait_for_selector(".meanwhile summary")
    page.wait_for_selector(".bot-says summary")
    assert_accessible(page, "a step that somebody plays")
    finished(visitor, "chicago")
    assert_accessible(page, "the standings")
    page.click("#review")
    page.wait_for_selector(".costly .thumb svg")
    page.locator(".curve-table summary").click()
    assert_accessible(page, "the review")
    now = visitor.sit_down("chicago", "heuristic")
    visitor.decide(now, page.locator(".choices button").last.click)
    page.click("#coach")
    page.wait_for_selector(".coach .verdict")
    assert_accessible(page, "the coach")
    page.goto(f"{visitor.url}#/nowhere")
    page.wait_for_selector(".empty")
    assert_accessible(page, "an address that is not there")
