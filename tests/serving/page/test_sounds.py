"""Sounds: off unless wanted, remembered, and of the right kind."""

from __future__ import annotations

import pytest

from tests.browser import NEEDED

pytest.importorskip("playwright.sync_api")
pytest.importorskip("fastapi")
pytestmark = NEEDED

HEARD = "document.body.dataset.heard ?? ''"
SILENCE = """
() => {
  window.Audible = AudioContext;
  AudioContext = class { constructor() { throw Error("a sound"); } };
}
"""
KINDS = """
async ([texts, status, kind, decision]) => {
  const { soundsOf } = await import('/sounds.js');
  const events = texts.map((text) => ({ kind, text }));
  return soundsOf(events, { status, viewer: 0, decision }, true);
}
"""


@pytest.mark.parametrize(
    ("news", "heard"),
    [
        ((["Saltis rolls ⚄ to hire."], "playing", "game", None), ["dice"]),
        ((["Red pays $300."], "playing", "game", 4), ["money", "turn"]),
        ((["Shots at Armory: Red loses its Vamp."], "playing", "game", None), ["hit"]),
        ((["Anita Callahan is killed."], "playing", "game", None), ["hit"]),
        ((["Moran draws a card and keeps it."], "playing", "game", None), []),
        ((["The match is over: Red wins."], "finished", "end", None), ["end"]),
        ((["Alma takes a decision back for $5."], "playing", "undo", None), []),
    ],
)
def test_news_have_their_sounds(visit, news, heard):
    visitor = visit()
    visitor.page.goto(f"{visitor.url}#/nowhere")
    assert visitor.page.evaluate(KINDS, list(news)) == heard


def test_sounds_are_off_until_they_are_wanted_and_stay_so(visit):
    visitor = visit()
    page = visitor.page
    now = visitor.sit_down("chicago", "heuristic")
    page.evaluate(SILENCE)
    now = visitor.decide(now, page.locator(".choices button").first.click)
    assert page.evaluate(HEARD) == ""
    page.evaluate("() => { AudioContext = window.Audible; }")
    assert page.locator("#sound").get_attribute("aria-pressed") == "false"
    page.locator("#sound").click()
    assert page.evaluate(HEARD) == "turn", "one hears what one has chosen"
    now = visitor.decide(now, page.locator(".choices button").first.click)
    assert page.evaluate(HEARD).count("turn") >= 2
    page.reload()
    visitor.turn()
    assert page.locator("#sound").inner_text() == "Sound on"
    page.locator("#sound").click()
    before = page.evaluate(HEARD)
    visitor.decide(visitor.turn(), page.locator(".choices button").first.click)
    assert page.evaluate(HEARD) == before
