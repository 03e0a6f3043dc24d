"""Every card and piece says what it is; what may be done with it is chosen at it."""

from __future__ import annotations

import re

import pytest

from gangland.envs import load
from tests.browser import DESKTOP, NEEDED, PHONE

from .visitor import REGISTERED

pytest.importorskip("playwright.sync_api")
pytest.importorskip("fastapi")
pytestmark = NEEDED

CODES = re.compile(r"\b(C\d\d|S\d\d|[JG]\d\d|M[0-3] \(|x\d[ab]?|x[A-M]|[A-Z]{3}-[NSEWC])\b")
"""Notation that nobody should have to read: cards, joints, Publics, crossings."""
BY_SIZE = pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])


def main_turn(view):
    return any(action["group"] == "Hit" for action in view["legal"]) and any(
        action["notation"] == "END" for action in view["legal"]
    )


@pytest.mark.parametrize("game", REGISTERED)
def test_every_piece_of_a_picture_is_explained(visit, game):
    """What a picture names is known, and what is known has words."""
    visitor = visit()
    visitor.sit_down(game, "heuristic")
    page = visitor.page
    page.wait_for_selector(".board .askable, .board .target")
    asked = page.evaluate(
        "[...document.querySelectorAll('.board [data-piece]')].map(e => e.dataset.piece)"
    )
    known = load(game).pieces()
    assert asked
    assert set(asked) <= set(known)
    for key, piece in known.items():
        assert piece.name, key
        assert piece.text or piece.facts, key
    rules = page.request.get(f"{visitor.url}api/v1/games/{game}/rules").json()
    ids = {rule["id"] for section in rules["sections"] for rule in section["rules"]}
    missing = {rule for piece in known.values() for rule in piece.rules} - ids
    assert missing == set(), "every rule that a card rests on can be read"


@pytest.mark.parametrize("game", REGISTERED)
def test_no_codes_where_people_read(visit, game):
    visitor = visit()
    visitor.sit_down(game, "heuristic")
    page = visitor.page
    seen = [page.locator("main").inner_text()]
    seen += page.evaluate("[...document.querySelectorAll('.board text')].map(t => t.textContent)")
    seen += page.evaluate(
        "[...document.querySelectorAll('.board [aria-label]')].map(e => e.ariaLabel)"
    )
    assert [words for words in seen if CODES.search(words)] == []


def test_a_card_is_large_on_hover_and_on_focus(visit):
    visitor = visit()
    page = visitor.page
    visitor.sit_down("crime_lords", "heuristic")
    page.click("#fast-deal")
    visitor.advance(main_turn)
    card = page.locator(".large-card")
    crook = page.locator(".board [data-piece^=C][data-now*='Power now']").first
    crook.hover()
    card.wait_for(state="visible")
    text = card.inner_text()
    for words in ("Power", "Resistance", "Weakness", "Power now"):
        assert words in text
    assert card.locator("svg").count() == 1
    page.mouse.move(5, 5)
    card.wait_for(state="hidden")
    # The arrow keys go from card to card.
    page.locator(".board").focus()
    page.keyboard.press("ArrowDown")
    card.wait_for(state="visible")
    label = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert label
    # A click pins it; its rules lead to the rulebook.
    page.keyboard.press("Escape")
    page.locator(".board [data-piece=turn]").click()
    card.locator(".link").first.click()
    page.wait_for_selector("dialog[open] .marked")
    page.get_by_label("Close the rules").click()


@BY_SIZE
def test_actions_of_a_card_are_chosen_at_the_card(visit, viewport):
    """Nothing happens by the first click; the menu has the card's actions and no others."""
    visitor = visit(viewport=viewport, has_touch=viewport is PHONE)
    page = visitor.page
    visitor.sit_down("crime_lords", "heuristic", seed=3, until=main_turn)
    view = visitor.advance(main_turn)
    hostile = {str(a["id"]): a for a in view["legal"] if a["group"] in ("Hit", "Recruit")}
    one_click = page.evaluate(
        "[...document.querySelectorAll('.board [data-action]')].map(e => e.dataset.action)"
    )
    assert not set(one_click) & set(hostile), "nothing hostile happens by one click"
    if viewport is PHONE:
        page.locator(".strip button", has_text="All").click()
    target = page.locator(".board [data-actions]").first
    ids = target.get_attribute("data-actions").split()
    version = page.locator(".board").get_attribute("data-version")
    visitor.open_menu(ids[0])
    assert page.locator(".board").get_attribute("data-version") == version
    menu = page.locator(".large-card.pinned")
    offered = menu.locator("[data-choice]")
    assert [one.get_attribute("data-choice") for one in offered.all()] == ids
    assert offered.first.evaluate("e => e === document.activeElement"), "for the keyboard"
    assert offered.first.bounding_box()["height"] >= 40
    page.keyboard.press("Escape")
    menu.wait_for(state="hidden")
    visitor.open_menu(ids[0])
    offered.first.click()
    visitor.wait_for_change(version)
    assert visitor.turn()["ids"]


def test_money_is_chosen_with_a_slider_or_in_steps(visit):
    visitor = visit()
    page = visitor.page
    visitor.sit_down("crime_lords", "heuristic")
    view = visitor.advance(lambda view: view["legal"][-1]["group"] == "Bid")
    bids = [action for action in view["legal"] if action["group"] == "Bid"]
    assert page.locator(".choices .choice").count() == len(view["legal"]) - len(bids)
    assert page.locator(".prompt").inner_text().split(" for ")[0] in ("Bid", "Open the bidding")
    name = page.locator(".focus-card .piece-name").inner_text().split("\n")[0]
    assert name in page.locator(".prompt").inner_text()
    take = page.locator(".take")
    assert take.inner_text() == bids[0]["sentence"].removesuffix(".")
    page.get_by_label("Bid: more").click()
    assert take.inner_text() == bids[1]["sentence"].removesuffix(".")
    slider = page.get_by_label("Bid: how much")
    slider.focus()
    page.keyboard.press("End")
    assert take.inner_text() == bids[-1]["sentence"].removesuffix(".")
    assert page.get_by_label("Bid: more").is_disabled()
    page.keyboard.press("Home")
    version = page.locator(".board").get_attribute("data-version")
    take.click()
    visitor.wait_for_change(version)


def test_a_limit_bids_by_itself_and_stops_at_the_limit(visit):
    visitor = visit()
    page = visitor.page
    visitor.sit_down("crime_lords", "heuristic")
    page.wait_for_selector("#bid-limit")
    focus = page.locator(".board svg").first.get_attribute("data-focus")
    page.get_by_label("Bid for me up to").select_option(label="25 G")
    page.click("#bid-limit")
    # The next decision that is left to the visitor is about another card: with 25 G it is his.
    page.wait_for_function(
        "(focus) => document.querySelector('.board svg').dataset.focus !== focus"
        " && document.querySelector('.choices button[data-id]')",
        arg=focus,
    )
    name = load("crime_lords").pieces()[focus].name
    log = page.locator(".log").inner_text()
    own = page.locator(".players li[class] strong, .players li strong").first.inner_text()
    assert re.search(rf"{re.escape(name)} (joins? {re.escape(own)}|is sold|are sold)\.", log)
    assert re.search(rf"{re.escape(own)} bids? ", log)


def test_a_fast_deal_leaves_the_auctions_to_a_bot(visit):
    visitor = visit()
    page = visitor.page
    visitor.lobby("crime_lords")
    page.check("#fast")
    page.click("#start")
    # The first question for the visitor is no auction any more.
    page.wait_for_selector(".choices .choice button:visible >> text=Boss", timeout=120_000)
    assert "Boss" in page.locator(".prompt").inner_text()
    turns = page.locator(".log .turn").all_inner_texts()
    assert any(turn.startswith("Auction: ") for turn in turns)


def test_ones_own_name_stands_at_ones_seat(visit):
    for game in REGISTERED:
        visitor = visit()
        visitor.lobby(game)
        visitor.page.fill("#name", "Alma")
        visitor.page.click("#start")
        visitor.page.wait_for_selector(".board svg")
        names = visitor.page.locator(".board [data-seat-name]").all_text_contents()
        assert sum("Alma" in name for name in names) == 1, (game, names)
