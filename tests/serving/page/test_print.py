"""Print that a person is to read, on all pages: no text in view is smaller than 11 pixels."""

from __future__ import annotations

import re

import pytest

from gangland.envs import load
from tests.browser import DESKTOP, NEEDED, PHONE
from tests.games import slow_but

from .visitor import REGISTERED, TAUGHT

pytest.importorskip("playwright.sync_api")
pytest.importorskip("fastapi")
pytestmark = NEEDED

PRINT_PX = 11
SETTINGS = {
    "desktop": {"viewport": DESKTOP},
    "phone": {"viewport": PHONE, "has_touch": True, "is_mobile": True},
}
LOCALES = ("en-US", "de-DE")

MEASURE = """
() => {
  // Texts that one sees, at least in part, with the size of their letters in pixels.
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode;
    const around = node.parentElement;
    const words = node.data.trim();
    if (!words || !around.checkVisibility({ visibilityProperty: true })) continue;
    if (around.closest('.unseen, .skip, option, script, style')) continue;
    const drawn = around.closest('svg');
    const size = parseFloat(getComputedStyle(around).fontSize);
    const box = around.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    if (!drawn) {
      found.push([words, size]);
      continue;
    }
    const frame = drawn.getBoundingClientRect();
    const across = Math.min(box.right, frame.right) - Math.max(box.left, frame.left);
    const down = Math.min(box.bottom, frame.bottom) - Math.max(box.top, frame.top);
    if (across < 2 || down < 2) continue;
    const { a, b } = around.getScreenCTM(); // Some stand upright.
    found.push([words, size * Math.hypot(a, b)]);
  }
  return found;
}
"""


def small(page):
    """Texts in view that are too small, and their sizes."""
    found = page.evaluate(MEASURE)
    assert len(found) > 10
    return sorted({(words, round(px, 1)) for words, px in found if px < PRINT_PX - 0.05})


def small_parts(page, moment):
    """Small print of what is shown first, and on a phone of every part that can be chosen."""
    wrong = {moment: small(page)}
    parts = page.locator(".strip:visible button")
    for k in range(1, parts.count()):  # The first one is an overview of all of it.
        parts.nth(k).evaluate("(button) => button.click()")
        wrong[moment, parts.nth(k).inner_text()] = small(page)
    return {place: found for place, found in wrong.items() if found}


def places(names, *fast):
    """Names with sizes of the window and languages; slow but for some."""
    cases = [(name, size, locale) for name in names for size in SETTINGS for locale in LOCALES]
    return pytest.mark.parametrize(
        ("game", "size", "locale"), slow_but([c for c in cases if c[1:] in fast], cases)
    )


EVERY_DAY = (("desktop", "en-US"), ("phone", "de-DE"))


CUT = """
() => {
  // Labels that stick out of their scene, and scenes that show more than their part.
  const found = [];
  for (const svg of document.querySelectorAll('.scene-picture svg')) {
    const frame = svg.getBoundingClientRect();
    const { width, height } = svg.viewBox.baseVal;
    const more = Math.abs(frame.width / frame.height - width / height) > 0.01;
    if (more) found.push('more than the part');
    for (const text of svg.querySelectorAll('text')) {
      const box = text.getBoundingClientRect();
      if (!text.checkVisibility({ visibilityProperty: true }) || !box.width) continue;
      const across = Math.min(box.right, frame.right) - Math.max(box.left, frame.left);
      const down = Math.min(box.bottom, frame.bottom) - Math.max(box.top, frame.top);
      if (across <= 0 || down <= 0) continue;
      if (across < box.width - 1 || down < box.height - 1) found.push(text.textContent);
    }
  }
  return found;
}
"""
LEFT_OUT = """
() => [...document.querySelectorAll('.scene-picture svg')].flatMap((svg) => {
  // Labels of which one would see more than half.
  const frame = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text[visibility=hidden]')].filter((text) => {
    const { left, right, top, bottom, width } = text.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    return width && frame.left < x && x < frame.right && frame.top < y && y < frame.bottom;
  }).map((text) => text.textContent);
})
"""

RUN_THROUGH = """
() => {
  // Texts through which a frame runs, and frames of which a part is cut off.
  const found = [];
  for (const halo of document.querySelectorAll('svg .halo')) {
    const svg = halo.closest('svg');
    const into = halo.getScreenCTM();
    const half = parseFloat(getComputedStyle(halo).strokeWidth) * into.a / 2;
    const frame = svg.getBoundingClientRect();
    const length = halo.getTotalLength();
    const line = Array.from({ length: 400 }, (_, k) =>
      halo.getPointAtLength((k / 400) * length).matrixTransform(into));
    const inside = (p) => p.x > frame.left && p.x < frame.right
      && p.y > frame.top && p.y < frame.bottom;
    if (svg.closest('.scene-picture') && !line.every(inside)) found.push('cut off');
    for (const text of svg.querySelectorAll('text:not([visibility=hidden])')) {
      const box = text.getBoundingClientRect();
      const blank = 0.2 * box.height; // Above and below the letters.
      if (line.some((p) => inside(p) && p.x > box.left - half + 1 && p.x < box.right + half - 1
        && p.y > box.top + blank - half && p.y < box.bottom - blank + half)) {
        found.push(text.textContent);
      }
    }
  }
  return found;
}
"""
CUT_THROUGH = """
() => [...document.querySelectorAll('.scene-picture svg')].flatMap((svg) => {
  // Cards and numbers that a scene shows in part. Of a map one sees what lies around.
  const frame = svg.getBoundingClientRect();
  const pieces = [...svg.querySelectorAll('[data-piece]')].map((piece) => {
    const { left, right, top, bottom, width, height } = piece.getBoundingClientRect();
    const across = Math.min(right, frame.right) - Math.max(left, frame.left);
    const down = Math.min(bottom, frame.bottom) - Math.max(top, frame.top);
    const seen = piece.closest('[data-region=map]') ? 0 : Math.min(across, down);
    return [piece, seen > 2 && (across < width - 1 || down < height - 1)];
  });
  return pieces.filter(([, cut]) => cut).map(([piece]) => piece.dataset.piece);
})
"""
CUT_PANEL = """
(seat) => {
  // Labels of a seat's panel that are seen in part.
  const frame = document.querySelector('.board svg').getBoundingClientRect();
  const texts = [...document.querySelectorAll(`.board [data-region=seat-${seat}] text`)];
  return texts.filter((text) => {
    const box = text.getBoundingClientRect();
    const across = Math.min(box.right, frame.right) - Math.max(box.left, frame.left);
    const down = Math.min(box.bottom, frame.bottom) - Math.max(box.top, frame.top);
    const seen = across > 1 && down > 1;
    return seen && (across < box.width - 1 || down < box.height - 1);
  }).map((text) => text.textContent);
}
"""
CLOSE = """
() => [...document.querySelectorAll('.board svg, .scene-picture svg')].flatMap((svg) => {
  // Words on one line with hardly a space between them.
  const boxes = [...svg.querySelectorAll('text:not([visibility=hidden])')]
    .filter((text) => text.textContent.trim().length > 4 && !text.closest('[data-region=map]'))
    .map((text) => [text, text.getBoundingClientRect(), text.getScreenCTM().a]);
  const space = (text, scale) => 0.4 * parseFloat(getComputedStyle(text).fontSize) * scale;
  return boxes.flatMap(([text, box, scale]) => boxes.filter(([, other]) =>
    Math.abs(other.top + other.bottom - box.top - box.bottom) < box.height
    && other.left > box.left && other.left < box.right + space(text, scale))
    .map(([other]) => `${text.textContent}|${other.textContent}`));
})
"""


@places(REGISTERED, *EVERY_DAY)
def test_how_to_play(visit, game, size, locale):
    visitor = visit(**SETTINGS[size], locale=locale)
    page = visitor.page
    page.goto(f"{visitor.url}#/rules/{game}")
    page.wait_for_selector(".summary .scene svg[viewBox]")
    page.wait_for_selector(".book .passage")
    assert small(page) == []
    assert page.evaluate(CUT) == []
    assert page.evaluate(CUT_THROUGH) == []
    assert page.evaluate(RUN_THROUGH) == []
    assert page.evaluate(CLOSE) == []
    if size == "desktop":
        assert page.evaluate(LEFT_OUT) == []


@places(REGISTERED, *EVERY_DAY)
def test_in_play(visit, game, size, locale):
    visitor = visit(**SETTINGS[size], locale=locale)
    visitor.sit_down(game, "heuristic")
    wrong = {}
    for events in (0, 30, 80):
        visitor.advance(lambda view, events=events: view["next_event"] >= events)
        wrong |= small_parts(visitor.page, events)
    assert wrong == {}


@places(["lobby"], *EVERY_DAY)
def test_in_the_lobby(visit, game, size, locale):
    visitor = visit(**SETTINGS[size], locale=locale)
    for name in REGISTERED:
        visitor.lobby(name)
        for fold in visitor.page.locator(".setup summary").all():
            fold.click()
        assert small(visitor.page) == [], name


@places(TAUGHT, *EVERY_DAY)
def test_in_a_guided_game(visit, game, size, locale):
    visitor = visit(**SETTINGS[size], locale=locale)
    page = visitor.page
    page.goto(f"{visitor.url}#/learn/{game}")
    wrong = {}
    for n in range(len(load(game).lesson().steps)):
        page.wait_for_selector(f".board[data-step='{n}'] svg")
        wrong[n, "frames"], wrong[n, "close"] = page.evaluate(RUN_THROUGH), page.evaluate(CLOSE)
        wrong[n, "panel"] = page.evaluate(CUT_PANEL, load(game).lesson().seat)
        wrong |= small_parts(page, n)
        page.evaluate("document.querySelector('#go-on').click()")
    assert {place: found for place, found in wrong.items() if found} == {}


CARD_WIDTH, CARD_HEIGHT = 244, 120
"""Pixels that the picture of a piece's card may take, in the style sheet."""


@pytest.mark.parametrize("game", REGISTERED)
def test_the_pictures_of_large_cards(game):
    small = set()
    for key, piece in load(game).pieces().items():
        if not piece.picture:
            continue
        width, height = map(float, re.search(r'viewBox="0 0 (\S+) (\S+)"', piece.picture).groups())
        scale = min(CARD_WIDTH / width, CARD_HEIGHT / height)
        sizes = map(float, re.findall(r'font-size="([\d.]+)"', piece.picture))
        small |= {(key, size) for size in sizes if size * scale < PRINT_PX}
    assert small == set()
