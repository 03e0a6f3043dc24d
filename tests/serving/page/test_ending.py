"""People at one table: ending the game by agreement, conceding, and the rematch."""

from __future__ import annotations

import json

import httpx
import pytest

from tests.browser import NEEDED

from .visitor import KEEP_SEAT

pytest.importorskip("playwright.sync_api")
pytest.importorskip("fastapi")
pytestmark = NEEDED

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


def test_all_agree_to_end_and_play_again_and_one_concedes(table, shots):
    alma, bert = table
    end(alma, bert)
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
