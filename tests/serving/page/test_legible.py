"""Print and targets of every picture: large enough on a desktop, and on a phone where one acts.

What can be done can be clicked: the middle of everything that stands for an action acts.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, islice

import pytest

from gangland.envs import load
from tests.browser import DESKTOP, NEEDED, PHONE
from tests.games import slow_but

from .visitor import REGISTERED, STATE, TAUGHT

pytest.importorskip("playwright.sync_api")
pytest.importorskip("fastapi")
pytestmark = NEEDED

PRINT_PX, TARGET_PX, THIN_PX = 11, 40, 24
"""Least size of print, and of the longer and the shorter side of what one taps."""

ON_PHONE = {"viewport": PHONE, "has_touch": True, "is_mobile": True}

MEASURE = """
() => {
  const board = document.querySelector('.board').getBoundingClientRect();
  const seen = (e) => {
    const b = e.getBoundingClientRect();
    return b.width && b.left >= board.left - 1 && b.right <= board.right + 1
      && b.top >= board.top - 1 && b.bottom <= board.bottom + 1;
  };
  const px = (e) => {
    const { a, b } = e.getScreenCTM(); // Some stand upright.
    return parseFloat(getComputedStyle(e).fontSize) * Math.hypot(a, b);
  };
  const texts = [...document.querySelectorAll('.board text')]
    .filter((e) => e.textContent.trim() && seen(e))
    .map((e) => [e.textContent, px(e)]);
  const targets = [...document.querySelectorAll('.board .target')].filter(seen)
    .map((e) => e.getBoundingClientRect())
    .map((b) => [Math.max(b.width, b.height), Math.min(b.width, b.height)]);
  // What everything is about, and sticks out on either side.
  const focus = CSS.escape(document.querySelector('.board svg').dataset.focus ?? '');
  const cut = [...document.querySelectorAll(`.board [data-piece="${focus}"]`)]
    .map((e) => e.getBoundingClientRect())
    .filter((b) => b.left < board.left - 1 || b.right > board.right + 1).length;
  return { texts, targets, cut };
}
"""


WIDE = """
() => {
  // Labels that stick out of the smallest box around their middle that was drawn before them.
  const box = (e) => e.getBoundingClientRect();
  const boxes = [...document.querySelectorAll('.board rect')].filter((e) => box(e).width > 14);
  return [...document.querySelectorAll('.board text')].filter((text) => {
    if (text.textContent.trim().length < 3) return false;
    const { left, right, top, bottom } = box(text);
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const around = boxes.filter((e) => e.compareDocumentPosition(text) & 4).map(box)
      .filter((b) => b.left <= x && x <= b.right && b.top <= y && y <= b.bottom);
    const least = around.sort((one, other) => one.width - other.width)[0];
    return least && Math.max(least.left - left, right - least.right) > 1.5;
  }).map((text) => text.textContent);
}
"""


TIGHT = """
() => {
  // Labels that touch the left or the right edge of the wide box that they stand in.
  const box = (e) => e.getBoundingClientRect();
  const boxes = [...document.querySelectorAll('.board rect')].filter((e) => box(e).width > 300);
  return [...document.querySelectorAll('.board text:not([transform])')].filter((text) => {
    const { left, right, top, bottom, width } = box(text);
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const around = boxes.filter((e) => e.compareDocumentPosition(text) & 4).map(box)
      .filter((b) => b.left <= x && x <= b.right && b.top <= y && y <= b.bottom);
    const least = around.sort((one, other) => one.width - other.width)[0];
    return width && least && Math.min(left - least.left, least.right - right) < 4;
  }).map((text) => text.textContent);
}
"""


def small_print(found):
    return [(words, round(px, 1)) for words, px in found["texts"] if px < PRINT_PX - 0.05]


def hard_to_hit(found):
    return [
        (longer, shorter)
        for longer, shorter in found["targets"]
        if longer < TARGET_PX or shorter < THIN_PX - 0.05
    ]


@pytest.mark.parametrize("locale", slow_but(["en-US"], ["en-US", "de-DE"]))
@pytest.mark.parametrize("game", REGISTERED)
def test_all_print_can_be_read_on_a_desktop(visit, game, locale):
    visitor = visit(viewport=DESKTOP, locale=locale)
    page = visitor.page
    visitor.sit_down(game, "heuristic")
    for events in (0, 40):
        visitor.advance(lambda view, events=events: view["next_event"] >= events)
        found = page.evaluate(MEASURE)
        assert len(found["texts"]) > 10
        assert small_print(found) == []
        assert page.evaluate(WIDE) == []
        assert page.evaluate(TIGHT) == []


@pytest.mark.parametrize("locale", ["en-US", "de-DE"])
def test_the_longest_effect_keeps_away_from_the_edge_of_its_panel(visit, locale):
    """In this match the Smugglers Tunnel is one of the buildings."""
    visitor = visit(viewport=DESKTOP, locale=locale)
    visitor.sit_down("five_points", "heuristic", seed=2, until=lambda v: v["next_event"] >= 30)
    words = {"en-US": "always last", "de-DE": "zuletzt"}[locale]
    assert visitor.page.locator(".board text", has_text=words).count() == 1
    assert visitor.page.evaluate(TIGHT) == []


@pytest.mark.parametrize("locale", slow_but(["de-DE"], ["en-US", "de-DE"]))
@pytest.mark.parametrize("game", REGISTERED)
def test_where_one_acts_on_a_phone_all_is_large_enough(visit, game, locale):
    visitor = visit(**ON_PHONE, locale=locale)
    page = visitor.page
    visitor.sit_down(game, "heuristic")
    for events in range(0, 60, 10):
        visitor.advance(lambda view, events=events: view["next_event"] >= events)
        found = page.evaluate(MEASURE)
        assert found["texts"]
        assert small_print(found) == []
        assert hard_to_hit(found) == []
        assert not found["cut"]


AMISS = """
(names) => {
  // What a step is about and is neither seen whole nor fills the board, below the bar of the page;
  // a step that points nothing out is about what one taps. And what is small beside the board.
  const box = (e) => e.getBoundingClientRect();
  const { left, right, top: first, bottom: last } = box(document.querySelector('.board'));
  const [top, bottom] = [Math.max(first, box(document.querySelector('.bar')).bottom),
    Math.min(last, innerHeight)];
  const whole = (b) => b.width && b.left >= left - 1 && b.right <= right + 1 && b.top >= top - 1
    && b.bottom <= bottom + 1;
  const common = (b) => Math.max(Math.min(b.right, right) - Math.max(b.left, left), 0)
    * Math.max(Math.min(b.bottom, bottom) - Math.max(b.top, top), 0);
  const seen = (e) => whole(box(e)) || common(box(e)) > 0.8 * (right - left) * (last - first);
  const under = (one, word) => [...one.querySelectorAll(
    `[data-region="${CSS.escape(word)}"], [data-piece="${CSS.escape(word)}"]`)];
  const board = document.querySelector('.board svg');
  const unseen = names.filter((name) => !name.split('/')
    .reduce((some, word) => some.flatMap((one) => under(one, word)), [board]).some(seen));
  if (!names.length && ![...board.querySelectorAll('.target')].some(seen)) unseen.push('target');
  const beside = [...document.querySelectorAll('body *')]
    .filter((e) => !board.parentElement.contains(e) && e.checkVisibility());
  const small = beside.filter((e) => [...e.childNodes].some((n) => n.data?.trim())
    && parseFloat(getComputedStyle(e).fontSize) < 11);
  const thin = beside.filter((e) => e.matches('a, button, summary, select')).filter((e) => {
    const { width, height } = box(e);
    return Math.min(width, height) < 24 || Math.max(width, height) < 40;
  });
  return [...unseen, ...small.concat(thin).map((e) => e.outerHTML.slice(0, 120))];
}
"""

APART = {("chicago", "pile"), ("crime_lords", "seat-0/money")}
"""What is pointed out besides, too far from the first for both to be read at once."""


@pytest.mark.parametrize("locale", slow_but(["de-DE"], ["en-US", "de-DE"]))
@pytest.mark.parametrize("game", TAUGHT)
def test_in_a_guided_game_on_a_phone_all_is_in_sight_and_large_enough(visit, game, locale, shots):
    visitor = visit(**ON_PHONE, locale=locale)
    page = visitor.page
    page.goto(f"{visitor.url}#/learn/{game}")
    wrong, tapped = {}, 0
    for n, step in enumerate(load(game).lesson().steps):
        page.wait_for_selector(f".board[data-step='{n}'] svg")
        found = page.evaluate(MEASURE)
        tapped += len(found["targets"])
        about = [k for k in step.marks if k == step.marks[0] or (game, k) not in APART]
        bad = small_print(found) + hard_to_hit(found) + page.evaluate(AMISS, about)
        if bad:
            wrong[n] = bad
        shots(page, f"guide_{game}_{locale}_touch_{n:02}")
        drawn = page.evaluate(STATE)["shown"] if step.play else []
        if not any(map(visitor.tap_board, drawn)):
            page.locator("#go-on").tap()
    assert tapped >= 4
    assert wrong == {}


COUNT = """
() => {
  // How often each label is fitted, from now on.
  window.fitted = new Map();
  const set = Element.prototype.setAttribute;
  Element.prototype.setAttribute = function (name, value) {
    if (name === 'textLength') window.fitted.set(this, (window.fitted.get(this) ?? 0) + 1);
    return set.call(this, name, value);
  };
}
"""


def test_labels_are_fitted_once(visit):
    visitor = visit(viewport=DESKTOP)
    page = visitor.page
    now = visitor.sit_down("gangsters", "heuristic", until=lambda view: view["next_event"] >= 40)
    page.evaluate(COUNT)
    visitor.decide(now, page.locator(".choices button").first.click)
    times = page.evaluate("[...window.fitted.values()]")
    assert times
    assert set(times) == {1}


COVERED = """
() => {
  // Names on the map whose letters a piece lies on, and the piece. A box is higher than letters.
  const pieces = [...document.querySelectorAll('[data-region=map] [data-piece]')]
    .filter((e) => /^(racketeer|thug|vamp|commissioner|officer|public)/.test(e.dataset.piece));
  const inside = (e) => pieces.some((piece) => piece.contains(e));
  const names = [...document.querySelectorAll('[data-region=map] text')]
    .filter((e) => !inside(e) && e.textContent !== 'LAKE  MICHIGAN');
  const found = [];
  for (const piece of pieces) {
    const a = piece.getBoundingClientRect();
    for (const name of names) {
      const b = name.getBoundingClientRect();
      const [top, bottom] = [b.top + 0.25 * b.height, b.bottom - 0.25 * b.height];
      if (a.left < b.right - 1 && b.left + 1 < a.right && a.top < bottom && top < a.bottom) {
        found.push([piece.dataset.piece, name.textContent]);
      }
    }
  }
  return [pieces.length, names.length, found];
}
"""


@pytest.mark.parametrize("locale", slow_but(["en-US"], ["en-US", "de-DE"]))
def test_no_piece_covers_a_name_on_the_map(visit, locale):
    visitor = visit(viewport=DESKTOP, locale=locale)
    for seed in (1, 2):
        visitor.sit_down("gangsters", "heuristic", seed=seed, until=lambda v: v["next_event"] >= 60)
        pieces, names, covered = visitor.page.evaluate(COVERED)
        assert pieces > 10
        assert names > 90
        assert covered == []


# --- clicks ---------------------------------------------------------------------------------------


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


AT_REST = "() => !['thinking', 'offline'].some((e) => document.body.classList.contains(e))"
"""Whether the page waits for its visitor: a busy machine may lose its connection for a moment.

A function, since Playwright evaluates an expression anew at every look, and the page's policy
forbids all but the first.
"""


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
        # A phone shows what matters, and the whole board when it is asked to.
        for whole in (False, True) if size == "phone" else (False,):
            if whole:
                page.get_by_role("button", name="All", exact=True).tap()
            for wanted, right, down in page.evaluate(TARGETS):
                clicks += 1
                done = clicked(page, right, down, size == "phone")
                if done != wanted:
                    sentences = {str(a["id"]): a["sentence"] for a in view["legal"]}
                    wrong.add((sentences[wanted.split()[0]], done))
        page.evaluate("window.catching = false")
    assert clicks > 20
    assert sorted(wrong) == []


UNDER_CARD = """
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
                assert page.evaluate(UNDER_CARD) == []
            page.mouse.move(2, 2)
            card.wait_for(state="hidden")
    assert shown > 10
