"""What can be done can be clicked: the middle of everything that stands for an action acts."""

from __future__ import annotations

from collections import Counter
from itertools import chain, islice

import pytest

from tests.browser import DESKTOP, NEEDED, PHONE
from tests.games import slow_but

from .visitor import REGISTERED

pytest.importorskip("playwright.sync_api")
pytest.importorskip("fastapi")
pytestmark = NEEDED

SEEDS = (1, 18)
ENOUGH = 2
"""Decisions of a kind of which the targets are clicked."""
SIZES = {
    "desktop": {"viewport": DESKTOP},
    "phone": {"viewport": PHONE, "has_touch": True, "is_mobile": True},
}

HOVER_MS = 220
"""Longer than a card waits before it is shown."""

CATCH = """
() => {
  // Decisions are written down and refused, so that the position stays.
  window.decided = [];
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    const message = JSON.parse(text);
    if (message.type !== "act" || !window.catching) return send.call(this, text);
    window.decided.push(String(message.action));
    const refused = { type: "error", ref: message.ref, code: "conflict", message: "caught" };
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(refused) }));
  };
}
"""

TARGETS = """
() => {
  // The middle of each target that is shown whole, and what it stands for.
  const board = document.querySelector('.board').getBoundingClientRect();
  const found = [];
  for (const target of document.querySelectorAll('.board .target')) {
    const box = target.getBoundingClientRect();
    if (box.left < board.left - 1 || box.right > board.right + 1) continue;
    if (box.top < board.top - 1 || box.bottom > board.bottom + 1) continue;
    found.push([
      target.dataset.action ?? target.dataset.actions,
      box.x + box.width / 2 - board.x, box.y + box.height / 2 - board.y,
    ]);
  }
  return found;
}
"""

DONE = """
() => {
  // What a click has done: an action, or the choices of a card that it has opened.
  const choices = [...document.querySelectorAll('.large-card.pinned [data-choice]')];
  const done = window.decided.splice(0).join(' ') || choices.map((e) => e.dataset.choice).join(' ');
  return done;
}
"""


AT_REST = "!['thinking', 'offline'].some((state) => document.body.classList.contains(state))"
"""Whether the page waits for its visitor: a busy machine may lose its connection for a moment."""


def clicked(page, right, down, tap):
    """What a click at this point of the board does."""
    page.wait_for_function(AT_REST)
    at = page.evaluate(
        """([right, down]) => {
          let { x, y } = document.querySelector('.board').getBoundingClientRect();
          if (y + down < 60 || y + down > innerHeight - 20) {
            scrollBy(0, y + down - innerHeight / 2);
            ({ x, y } = document.querySelector('.board').getBoundingClientRect());
          }
          return [x + right, y + down];
        }""",
        [right, down],
    )
    (page.touchscreen.tap if tap else page.mouse.click)(*at)
    page.wait_for_function(AT_REST)
    done = page.evaluate(DONE)
    page.keyboard.press("Escape")
    return done


def decisions(visitor, game, seed, seen):
    """A game's decisions of all kinds, some of each: views at which the page stands.

    A kind is the first words of what can be done. ``seen`` counts them, also over several games.
    """

    def kind(view):
        return frozenset(action["sentence"].split()[0] for action in view["legal"])

    visitor.sit_down(game, "heuristic", seed=seed)
    while True:
        try:
            view = visitor.advance(lambda view: seen[kind(view)] < ENOUGH)
        except AssertionError:  # The game is over.
            return
        seen[kind(view)] += 1
        yield view


@pytest.mark.parametrize("size", slow_but(["desktop"], SIZES))
@pytest.mark.parametrize("game", REGISTERED)
def test_the_middle_of_every_target_acts(visit, game, size):
    visitor = visit(**SIZES[size])
    page = visitor.page
    page.add_init_script(f"({CATCH})()")
    seen, clicks, wrong = Counter(), 0, set()
    for view in chain(*(decisions(visitor, game, seed, seen) for seed in SEEDS)):
        page.wait_for_function(AT_REST)
        page.evaluate("window.catching = true")
        for wanted, right, down in page.evaluate(TARGETS):
            clicks += 1
            done = clicked(page, right, down, size == "phone")
            if done != wanted:
                sentences = {str(a["id"]): a["sentence"] for a in view["legal"]}
                wrong.add((sentences[wanted.split()[0]], done))
        page.evaluate("window.catching = false")
    assert clicks > 20
    assert sorted(wrong) == []


COVERED = """
() => {
  // What the card lies on of what can be clicked.
  const card = document.querySelector('.large-card').getBoundingClientRect();
  return [...document.querySelectorAll('.board .target')].filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left < card.right - 1 && card.left + 1 < right
      && top < card.bottom - 1 && card.top + 1 < bottom;
  }).map((one) => one.ariaLabel);
}
"""


@pytest.mark.parametrize("game", REGISTERED)
def test_a_card_shown_on_hover_covers_nothing_that_can_be_clicked(visit, game):
    visitor = visit(viewport=DESKTOP)
    page = visitor.page
    card = page.locator(".large-card")
    shown = 0
    for _ in islice(decisions(visitor, game, 1, Counter()), 24):
        board = page.locator(".board").bounding_box()
        for _, right, down in page.evaluate(TARGETS)[:6]:
            page.mouse.move(board["x"] + right, board["y"] + down)
            page.wait_for_timeout(HOVER_MS)
            if card.is_visible():
                shown += 1
                assert page.evaluate(COVERED) == []
            page.mouse.move(2, 2)
            card.wait_for(state="hidden")
    assert shown > 10
