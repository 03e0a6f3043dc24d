"""Learning by playing, in a real browser: the coach, the review of a game."""

from __future__ import annotations

import httpx
import pytest

from tests.browser import LOOKS, NEEDED
from tests.games import long_ones_slow

from .visitor import NAMELESS, REGISTERED

pytest.importorskip("playwright.sync_api")
pytest.importorskip("fastapi")
pytestmark = NEEDED

WHOLE = {"<1 %": 0, ">99 %": 100}


def hundredths(texts):
    """Percentages as people read them, as a sum."""
    return sum(WHOLE.get(text, int(text.strip("<> %"))) for text in texts)


def choice(visitor, now, k):
    """Clicks a choice of the list."""
    return lambda: visitor.click_list(now["ids"][k])


@pytest.mark.parametrize("game", long_ones_slow(REGISTERED))
def test_the_coach_rates_the_last_decision(visit, game):
    visitor = visit()
    page = visitor.page
    now = visitor.sit_down(game, "heuristic")
    assert page.locator("#coach").is_disabled(), "nothing has been decided yet"
    later = visitor.decide(now, choice(visitor, now, -1))
    page.click("#coach")
    page.wait_for_selector(".coach .verdict")
    best = page.locator(".coach-best li")
    assert 1 <= best.count() <= 3
    assert all(text.strip() for text in best.locator("p").all_inner_texts()), "each has a reason"
    rows = page.locator(".coach-chances tbody tr")
    assert rows.count() == page.locator(".players li").count()
    for column in (1, 2):
        cells = page.locator(f".coach-chances tbody td:nth-of-type({column})").all_inner_texts()
        assert abs(hundredths(cells) - 100) <= sum(text in WHOLE for text in cells)
    assert page.locator(".coach-chances .own").inner_text().count("(you)") == 1
    assert page.locator(".coach-chances .seat-mark").count() == rows.count()
    assert page.evaluate(NAMELESS) == []
    # It is about that decision: the next one closes it, and can be rated by the keyboard.
    visitor.decide(later, choice(visitor, later, 0))
    assert page.locator(".coach").is_hidden()
    page.keyboard.press("c")
    page.wait_for_selector(".coach .verdict")
    page.get_by_label("Close the coach").click()
    assert page.locator(".coach").is_hidden()


def test_a_decision_that_was_taken_back_is_rated_no_more(visit):
    visitor = visit()
    page = visitor.page
    now = visitor.sit_down("chicago", "heuristic")
    later = visitor.decide(now, choice(visitor, now, -1))
    page.click("#coach")
    page.wait_for_selector(".coach .verdict")
    visitor.decide(later, lambda: page.click("#undo"))
    assert page.locator(".coach").is_hidden()
    assert page.locator("#coach").is_disabled()


def test_a_spectator_has_no_coach(visit):
    player, stranger = visit(), visit()
    player.sit_down("chicago", "heuristic")
    stranger.page.goto(player.page.url)
    stranger.page.wait_for_selector(".board svg")
    assert stranger.page.locator("#coach").is_hidden()
    stranger.page.keyboard.press("c")
    assert stranger.page.locator(".coach").is_hidden()


@LOOKS
def test_the_coach_fits_the_page(visit, viewport, scheme, shots):
    visitor = visit(viewport=viewport, color_scheme=scheme)
    page = visitor.page
    now = visitor.sit_down("chicago", "heuristic")
    visitor.decide(now, choice(visitor, now, -1))
    page.click("#coach")
    page.wait_for_selector(".coach .verdict")
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    shots(page, f"coach_{scheme}_{viewport['width']}")


# --- the review of a game ---------------------------------------------------------------------

SHORT = {
    "chicago": {"turn_cap": 25},
    "five_points": {"max_rounds": 3},
    "crime_lords": {"max_rounds": 3},
    "gangsters": {"max_rounds": 3},
}
"""Options of games that are over soon."""


def finished(visitor, game, choose=-1):
    """A game of one's own that is over, in which its player took a choice by its place."""
    page = visitor.page
    with httpx.Client(base_url=f"{visitor.url}api/v1", timeout=60) as api:
        seats = len(api.post(f"/games/{game}/table", json={"options": SHORT[game]}).json()["roles"])
        wanted = {"game": game, "options": SHORT[game], "seed": 4, "listed": False}
        wanted["seats"] = [{"kind": "human", "name": "Ada"}]
        wanted["seats"] += [{"kind": "bot", "bot": "heuristic"}] * (seats - 1)
        made = api.post("/matches", json=wanted).json()
        match, token = made["match"], made["tokens"][0]["token"]
        headers = {"authorization": f"Bearer {token}"}
        while True:
            view = api.get(
                f"/matches/{match}/view?svg=false&since=100000&wait=20", headers=headers
            ).json()
            if view["status"] == "finished":
                break
            if view["decision"] is not None:
                chosen = view["legal"][choose]["id"]
                body = {"decision": view["decision"], "action": chosen}
                api.post(f"/matches/{match}/actions?svg=false", json=body, headers=headers)
    page.goto(visitor.url)
    seat = {match: {"seat": 0, "token": token, "game": game, "title": view["title"], "at": 1}}
    page.evaluate("(seat) => localStorage.setItem('gangland.seats', JSON.stringify(seat))", seat)
    page.goto(f"{visitor.url}#/m/{match}")
    page.wait_for_selector(".standings")
    return match


@pytest.mark.parametrize("game", long_ones_slow(REGISTERED))
def test_a_game_is_reviewed_at_its_end(visit, game, shots):
    visitor = visit()
    page = visitor.page
    match = finished(visitor, game)
    page.click("#review")
    page.wait_for_selector(".chart")
    seats = page.locator(".legend li").count()
    lines = page.locator(".chart .line")
    assert lines.count() == seats
    assert page.locator(".chart .line.own").count() == 1
    shapes = page.evaluate(
        "[...document.querySelectorAll('.chart .line path:first-of-type')].map(p =>"
        " p.getAttribute('d'))"
    )
    assert len(set(shapes)) == seats, "seats differ by shape"
    colours = page.evaluate(
        "[...document.querySelectorAll('.chart polyline')].map(l => getComputedStyle(l).stroke)"
    )
    assert len(set(colours)) == seats, "and by colour"
    # The same numbers for whoever reads them.
    page.locator(".curve-table summary").click()
    rows = page.locator(".curve-table tbody tr")
    assert rows.count() > 3
    for k in range(rows.count()):
        cells = rows.nth(k).locator(".number").all_inner_texts()
        assert len(cells) == seats
        assert abs(hundredths(cells) - 100) <= sum(text in WHOLE for text in cells)
    assert rows.last.locator("th").inner_text() == "End"
    costly = page.locator(".costly > li")
    assert 1 <= costly.count() <= 3
    assert page.locator(".chart .flag").count() == costly.count()
    assert page.evaluate(NAMELESS) == []
    page.wait_for_selector(".costly .thumb svg")
    shots(page, f"review_{game}")
    # Each leads to the position in which it was made, as its player saw it.
    link = costly.first.locator("a.button")
    ply = link.get_attribute("href").rsplit("/", 1)[1]
    sentence = costly.first.locator(".coach-played strong").inner_text()
    link.click()
    page.wait_for_selector(f".board[data-frame='{ply}'] svg")
    assert page.get_by_label("Through whose eyes").input_value() == "0"
    page.get_by_role("button", name="One step on").click()
    page.wait_for_selector(f".board[data-frame='{int(ply) + 1}'] svg")
    with httpx.Client(base_url=f"{visitor.url}api/v1", timeout=60) as api:
        frame = api.get(f"/matches/{match}/frames/{int(ply) + 1}?viewer=0").json()
    assert frame["actor"] == 0
    assert frame["action"]["sentence"] == sentence


@LOOKS
def test_the_review_fits_the_page(visit, viewport, scheme, shots):
    visitor = visit(viewport=viewport, color_scheme=scheme)
    page = visitor.page
    finished(visitor, "chicago")
    page.click("#review")
    page.wait_for_selector(".chart")
    page.wait_for_selector(".costly .thumb svg")
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    smallest = page.evaluate(
        "Math.min(...[...document.querySelectorAll('.chart text')].map(t =>"
        " t.getBoundingClientRect().height))"
    )
    assert smallest >= 11, "numbers can be read"
    shots(page, f"review_{scheme}_{viewport['width']}")


def test_a_running_game_is_not_reviewed(visit):
    player, stranger = visit(), visit()
    player.sit_down("chicago", "heuristic")
    assert player.page.locator("#review").count() == 0
    player.page.goto(f"{player.page.url}/review")
    player.page.wait_for_selector("text=the match is not finished")
    player.wrong.clear()  # The browser notes the refused request.
    stranger.page.goto(player.page.url)
    stranger.page.wait_for_selector("text=Only somebody who played here")
