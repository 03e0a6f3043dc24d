"""The lobby: what the games are like, kinds of game, one's own games and whose turn it is."""

from __future__ import annotations

import httpx
import pytest

from gangland.envs import load
from tests.browser import DESKTOP, NEEDED, PHONE

from .visitor import REGISTERED

pytest.importorskip("playwright.sync_api")
pytest.importorskip("fastapi")
pytestmark = NEEDED


def test_every_game_has_an_emblem_of_its_own_and_words(visit):
    visitor = visit()
    page = visitor.page
    visitor.lobby("chicago")
    drawn = page.locator(".card .emblem svg").evaluate_all("all => all.map(e => e.innerHTML)")
    assert len(set(drawn)) == len(REGISTERED)
    for game in REGISTERED:
        about = load(game).about
        card = page.locator(f".card[data-game={game}]").inner_text()
        assert about.pitch in card
        assert f"{about.minutes[0]} to {about.minutes[1]} min" in card
        assert about.weight in card


@pytest.mark.parametrize("game", REGISTERED)
def test_kinds_of_game_are_options_that_the_game_has(game):
    loaded = load(game)
    for preset in loaded.about.presets:
        resolved = loaded.options.resolve(dict(preset.options))
        loaded.new_state(1, **dict(preset.options))
        assert {name: resolved[name] for name in preset.options} == dict(preset.options)


def test_a_kind_of_game_sets_its_options(visit):
    visitor = visit()
    page = visitor.page
    visitor.lobby("chicago")
    page.locator(".setup summary").click()
    assert page.input_value("#option-turn_cap") == "100", "in the lobby an evening's length"
    page.locator(".preset", has_text="Quick").click()
    page.wait_for_selector("select[data-seat='3']")
    assert page.locator("select[data-seat]").count() == 4
    page.click("#start")
    visitor.turn()
    assert "of 40 at most" in page.locator(".board").inner_html()


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_game_can_be_started_without_scrolling(visit, viewport):
    visitor = visit(viewport=viewport)
    page = visitor.page
    for game in REGISTERED:
        visitor.lobby(game)
        for place in (0, 10_000):
            page.evaluate("(y) => scrollTo(0, y)", place)
            box = page.locator("#start").bounding_box()
            assert 0 <= box["y"] <= viewport["height"] - box["height"], (game, place)
    # What has the focus is not covered.
    clock = page.locator("#clock")
    page.locator(".setup summary").click()
    page.evaluate("scrollTo(0, 0)")
    clock.focus()
    assert clock.bounding_box()["y"] + 40 <= page.locator("#start").bounding_box()["y"]
    page.click("#start")
    visitor.turn()


MOON = r"""
() => {
  // Lines of words that lie on the moon of the skyline, which is 900 by 420 with its moon there.
  const hero = document.querySelector('.hero').getBoundingClientRect();
  const size = getComputedStyle(document.querySelector('.hero')).backgroundSize.split(',')[0];
  const [, number, unit] = /auto ([\d.]+)(px|%)/.exec(size);
  const scale = (unit === '%' ? (hero.height * number) / 100 : Number(number)) / 420;
  const [x, y] = [hero.right - (900 - 640) * scale, hero.bottom - (420 - 110) * scale];
  const lines = [...document.querySelectorAll('.hero p, .hero h1')].flatMap((words) => {
    const range = document.createRange();
    range.selectNodeContents(words);
    return [...range.getClientRects()];
  });
  return lines.filter((line) => {
    const [across, down] = [Math.max(line.left - x, x - line.right, 0),
      Math.max(line.top - y, y - line.bottom, 0)];
    return Math.hypot(across, down) < 58 * scale;
  }).length;
}
"""


@pytest.mark.parametrize("width", [390, 600, 800, 1440])
def test_no_words_lie_on_the_moon(visit, width):
    for locale in ("en-US", "de-DE"):
        visitor = visit(viewport={"width": width, "height": 844}, locale=locale)
        visitor.page.goto(visitor.url)
        visitor.page.wait_for_selector(".hero h1")
        assert visitor.page.evaluate(MOON) == 0, locale


def test_own_games_say_how_they_ended(visit):
    """A match of a few turns, played over HTTP: the page has not seen its end."""
    visitor = visit()
    page = visitor.page
    visitor.sit_down("chicago", "heuristic")
    match = page.url.rsplit("/", 1)[1]
    token = page.evaluate("JSON.parse(localStorage.getItem('gangland.seats'))")[match]["token"]
    headers = {"authorization": f"Bearer {token}"}
    page.goto(visitor.url)
    with httpx.Client(base_url=f"{visitor.url}api/v1/matches/{match}", headers=headers) as api:
        api.post("/leave")
        result = None
        while result is None:
            result = api.get("/view?svg=false&wait=20").json()["result"]
    (own,) = [one for one in result["standings"] if one["seat"] == 0]
    page.reload()
    place = "won" if own["place"] == 1 else f"place {own['place']} of {len(result['standings'])}"
    page.wait_for_selector(f".own-games :text-is('{place} \u00b7 {own['score_text']}')")


def test_own_games_say_whose_turn_it_is_and_are_not_listed(visit):
    visitor = visit()
    page = visitor.page
    visitor.sit_down("chicago", "heuristic")
    match = page.url.rsplit("/", 1)[1]
    page.goto(visitor.url)
    page.wait_for_selector(".own-games .tag.yours:has-text('Your turn')")
    listed = httpx.get(f"{visitor.url}api/v1/matches?status=playing&limit=50").json()["matches"]
    assert match not in [one["match"] for one in listed], "a game against bots is one's own affair"
    other = visit()
    other.page.goto(visitor.url)
    other.page.wait_for_selector(".card")
    assert other.page.locator(f"a[href='#/m/{match}']").count() == 0


def test_a_game_can_be_played_again_with_the_same_table(visit):
    visitor = visit()
    page = visitor.page
    visitor.lobby("chicago")
    page.locator(".setup summary").click()
    page.fill("#option-turn_cap", "2")
    page.locator("#option-turn_cap").blur()
    page.select_option("#option-players", label="2")
    page.wait_for_selector("select[data-seat='2']", state="detached")
    page.click("#start")
    now = visitor.turn()
    while not now["over"]:
        now = visitor.decide(now, page.locator(".choices button").first.click)
    first = page.url
    page.click("#again")
    page.wait_for_function("(first) => location.href !== first", arg=first)
    page.wait_for_selector(".choices button[data-id]")
    assert page.locator(".players li").count() == 2


LEVELS = {"en-US": ["Easy", "Medium", "Hard"], "de-DE": ["Leicht", "Mittel", "Schwer"]}


def test_bots_are_described_in_words_for_people_in_either_language(visit):
    """What the server writes for programs stands nowhere in the lobby."""
    shown = {}
    for locale in ("en-US", "de-DE"):
        visitor = visit(locale=locale)
        page = visitor.page
        visitor.lobby("gangsters")
        bots = httpx.get(f"{visitor.url}api/v1/games/gangsters").json()["bots"]
        specs = [bot["spec"] for bot in bots]
        page.select_option("select[data-seat='1']", specs[0])
        page.select_option("select[data-seat='2']", specs[1])
        titles = page.locator("select[data-seat='1'] optgroup option").evaluate_all(
            "all => all.map((one) => one.title)"
        )
        assert len(titles) == len(specs)
        assert all(len(title) > 20 for title in titles)
        assert not set(titles) & {bot["doc"] for bot in bots}
        seated = page.locator(".who dd").all_inner_texts()
        assert titles[:2] == [title for title in titles[:2] if title in seated], "without a mouse"
        assert specs[:3] == ["bot:easy", "bot:medium", "bot:hard"]
        assert page.locator("select[data-seat='3']").input_value() == "bot:hard"
        names = page.locator("select[data-seat='1'] optgroup option").all_text_contents()
        assert names[:3] == LEVELS[locale]
        assert page.locator("select[data-seat='1']").get_attribute("title") == titles[0]
        shown[locale] = set(titles)
    assert not shown["en-US"] & shown["de-DE"]
