"""Whole games from the lobby to their end: by mouse, keyboard or touch, and by agreement."""

from __future__ import annotations

import json
import random

import httpx
import pytest

from tests.browser import DESKTOP, NEEDED, PHONE

from .visitor import KEEP_SEAT, REGISTERED

pytest.importorskip("playwright.sync_api")
pytest.importorskip("fastapi")

pytestmark = NEEDED

# --- to the standings: by mouse, by keyboard alone, by touch --------------------------------------

TURNS = "12"
"""Cap of the game that the fast tests play; the others are the games' quick kinds."""
TABS = 250
ON_PHONE = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
ACTIVE = "document.activeElement"


class Mouse:
    """Clicks, on the picture wherever an action is drawn there, and in the list now and then."""

    def __init__(self, visitor):
        self.visitor, self.page, self.rng = visitor, visitor.page, random.Random(4)
        self.used = {"board": 0, "list": 0}

    def start(self, game, short):
        self.visitor.lobby(game)
        if short:
            self.page.locator(".setup summary").click()
            self.page.fill("#option-turn_cap", TURNS)
            self.page.locator("#option-turn_cap").blur()
        else:
            self.page.locator(".preset", has_text="Quick").click()
            self.page.wait_for_selector("select[data-seat]")
        self.page.locator("#start").click()

    def decide(self, now):
        if now["shown"] and self.rng.random() < 0.8:
            self.used["board"] += 1
            self.visitor.click_board(self.rng.choice(now["shown"]))
        else:
            self.used["list"] += 1
            self.visitor.click_list(self.rng.choice(now["ids"]))


class Touch(Mouse):
    """Taps, on a phone."""

    def start(self, game, short):
        self.page.goto(self.visitor.url)
        self.page.locator(f".card[data-game={game}]").tap()
        self.page.wait_for_selector("select[data-seat]")
        if short:
            self.page.locator(".setup summary").tap()
            self.page.fill("#option-turn_cap", TURNS)
            self.page.locator("#option-turn_cap").blur()
        else:
            self.page.locator(".preset", has_text="Quick").tap()
            self.page.wait_for_selector("select[data-seat]")
        self.page.locator("#start").tap()

    def decide(self, now):
        # Some are outside of the part that is shown; the list has them all.
        on_board = self.used["board"] <= self.used["list"]
        if on_board and any(map(self.visitor.tap_board, now["shown"])):
            self.used["board"] += 1
        else:
            self.used["list"] += 1
            folds = self.page.locator(".choices details:not([open]) > summary")
            shown = self.page.locator(".choices button[data-id]:visible")
            if not shown.count():
                folds.first.tap()
            shown.first.tap()


class Keyboard(Mouse):
    """Keys alone: not a single click."""

    def press(self, key):
        self.page.keyboard.press(key)

    def tab_to(self, condition):
        """Tab until the element in focus, ``e``, meets the condition."""
        for _ in range(TABS):
            if self.page.evaluate(f"((e) => Boolean(e && ({condition})))({ACTIVE})"):
                return
            self.press("Tab")
        raise AssertionError(f"no way to {condition} with the tabulator")

    def start(self, game, short):
        self.page.goto(self.visitor.url)
        self.page.wait_for_selector("#start")
        self.tab_to("e.name === 'game'")
        for _ in REGISTERED:
            if self.page.evaluate(f"{ACTIVE}.value") == game:
                break
            self.press("ArrowDown")
        self.page.wait_for_selector("select[data-seat]")
        if short:
            self.tab_to("e.tagName === 'SUMMARY'")
            self.press("Enter")
            self.tab_to("e.id === 'option-turn_cap'")
            self.press("Control+a")
            self.page.keyboard.type(TURNS)
        else:
            self.tab_to("e.name === 'preset'")
            self.press("ArrowRight")
            self.page.wait_for_selector("select[data-seat]")
        self.tab_to("e.id === 'start'")
        self.press("Enter")

    def decide(self, now):
        if now["shown"] and self.used["board"] <= self.used["list"]:
            self.used["board"] += 1
            self.tab_to("e.matches('.board .target')")
            menu = self.page.evaluate(f"{ACTIVE}.matches('[data-actions]')")
            self.press("Enter")
            if menu:
                self.tab_to("e.matches('.large-card [data-choice]')")
                self.press("Enter")
            return
        self.used["list"] += 1
        if not now["keys"]:
            self.tab_to("e.matches('.choices summary')")
            self.press("Enter")
        self.press("1")


WAYS = {"mouse": Mouse, "keyboard": Keyboard, "touch": Touch}
GAMES = [
    pytest.param("chicago", "keyboard", True, id="chicago-keyboard-short"),
    pytest.param("chicago", "touch", True, id="chicago-touch-short"),
    *(
        pytest.param(game, way, False, id=f"{game}-{way}", marks=pytest.mark.slow)
        for game in REGISTERED
        for way in WAYS
    ),
]


@pytest.mark.parametrize(("game", "way", "short"), GAMES)
def test_a_whole_game(visit, game, way, short):
    visitor = visit(**(ON_PHONE if way == "touch" else {"viewport": DESKTOP}))
    player = WAYS[way](visitor)
    if way == "keyboard":
        visitor.page.add_init_script(
            "addEventListener('pointerdown', () => console.error('a click'), true)"
        )
    player.start(game, short)
    now = visitor.turn()
    while not now["over"]:
        now = visitor.decide(now, lambda now=now: player.decide(now))
    assert player.used["list"]
    assert player.used["board"]
    assert visitor.page.locator(".standings .rank").first.inner_text() == "1"


# --- people at one table: agreement, conceding, and the rematch -----------------------------------

GAME, TITLE = "chicago", "Chicago Underworld"


@pytest.fixture
def table(visit, server):
    """Two people at a table of their own, both on the page."""
    seats = [{"kind": "human", "name": name} for name in ("Alma", "Bert")]
    wanted = {"game": GAME, "seats": [*seats, {"kind": "bot", "bot": "random"}], "listed": False}
    wanted["options"] = {"players": 3}
    made = httpx.post(f"{server.url}api/v1/matches", json=wanted, timeout=60).json()
    people = []
    for token in made["tokens"]:
        visitor = visit()
        kept = {"seat": token["seat"], "token": token["token"], "game": GAME, "title": TITLE}
        script = json.dumps([made["match"], {**kept, "at": 1}])
        visitor.context.add_init_script(f"({KEEP_SEAT})({script})")
        visitor.page.goto(f"{server.url}?{made['match']}#/m/{made['match']}")
        visitor.page.wait_for_selector(".board svg")
        people.append(visitor)
    return people


def press(visitor, button):
    visitor.page.once("dialog", lambda dialog: dialog.accept())
    visitor.page.click(button)


def end(alma, bert):
    press(alma, "#end")
    bert.page.wait_for_selector(".players .tag:text-is('would end the game')")
    press(bert, "#end")
    for visitor in (alma, bert):
        visitor.page.wait_for_selector(".actions h2:text-is('Ended by agreement, nobody won')")


def own_games(visitor):
    visitor.page.goto(visitor.url)
    visitor.page.wait_for_selector(".own-games li")
    return visitor.page.locator(".own-games li span").all_inner_texts()


def test_people_talk_agree_to_end_and_play_again_and_one_concedes(table, shots):
    alma, bert = table
    alma.page.select_option("#say", "revenge")
    for visitor in (alma, bert):
        visitor.page.wait_for_selector(".toast:text-is('Alma says: You will pay for that!')")
        visitor.page.wait_for_selector(".event.say:text-is('Alma says: You will pay for that!')")
    assert alma.page.input_value("#say") == ""
    shots(bert.page, "phrase")
    end(alma, bert)
    bert.page.select_option("#say", "good_game")
    alma.page.wait_for_selector(".toast:text-is('Bert says: Good game!')")
    assert bert.page.locator(".standings").count() == 0
    assert bert.page.locator("#concede:visible").count() == 0
    alma.page.click("#again")
    bert.page.wait_for_selector(".offer:text-is('Alma asks for a rematch.')")
    shots(bert.page, "rematch-offer")
    alma.page.wait_for_selector("text=Waiting for Bert …")
    bert.page.click("#again")
    for visitor, other in ((alma, "Bert"), (bert, "Alma")):
        visitor.page.wait_for_selector(f".players small:text-is('{other}')")
        visitor.page.wait_for_selector("#concede:visible")
    press(bert, "#concede")
    bert.page.wait_for_selector(".prompt:text-is('You have conceded')")
    alma.page.wait_for_selector(".players .tag:text-is('conceded')")
    shots(alma.page, "conceded")
    assert bert.page.locator("#concede:visible, #end:visible").count() == 0
    assert bert.page.locator("#leave").is_disabled()
    assert own_games(bert) == ["you conceded", "ended by agreement"]
    press(alma, "#end")  # the only one who sits there
    alma.page.wait_for_selector(".actions h2:text-is('Ended by agreement, nobody won')")


def test_a_rematch_begins_without_who_does_not_come(table):
    alma, bert = table
    end(alma, bert)
    alma.page.click("#again")
    alma.page.wait_for_selector("#begin")
    assert own_games(bert) == ["Rematch?"]
    alma.page.click("#begin")
    alma.page.wait_for_selector("#concede:visible")
    assert own_games(bert) == ["ended by agreement"]


def test_a_rematch_can_be_declined(table):
    alma, bert = table
    end(alma, bert)
    alma.page.click("#again")
    alma.page.wait_for_selector("#begin")
    bert.page.click("#decline")
    alma.page.wait_for_selector("#concede:visible")
    bert.page.click("#rematch:text-is('Watch the rematch')")
    bert.page.wait_for_selector(".players small:text-is('Alma')")
