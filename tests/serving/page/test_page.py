"""The page in a real browser: whole games by mouse and keyboard, for every game."""

from __future__ import annotations

import random
import time
from itertools import pairwise

import pytest

from gangland.envs import load
from tests.browser import LOOKS, NEEDED

from .visitor import NAMELESS, REGISTERED, STATE, Server, Visitor

pytest.importorskip("playwright.sync_api")
pytest.importorskip("fastapi")
pytestmark = NEEDED


@pytest.mark.slow
@pytest.mark.parametrize("game", REGISTERED)
def test_a_whole_game_by_mouse_and_keyboard(visit, game):
    """On the picture wherever an action is drawn there, else in the list."""
    rng = random.Random(4)
    visitor = visit()
    page = visitor.page
    now = visitor.sit_down(game, "heuristic")
    used = {"board": 0, "list": 0, "keys": 0}
    started = time.monotonic()
    while not now["over"] and time.monotonic() - started < 400:
        assert set(now["shown"]) <= set(now["ids"]), "only legal actions are marked"
        action = rng.choice(now["shown"] or now["ids"])
        if now["shown"] and rng.random() < 0.8:
            how, doing = "board", lambda action=action: visitor.click_board(action)
        elif rng.random() < 0.5:
            digit = rng.randrange(1, min(9, now["keys"]) + 1)
            how, doing = "keys", lambda digit=digit: page.keyboard.press(str(digit))
        else:
            action = rng.choice(now["ids"])
            how, doing = "list", lambda action=action: visitor.click_list(action)
        now = visitor.decide(now, doing)
        used[how] += 1
    assert now["over"], used
    assert used["board"] > 0
    assert used["keys"] + used["list"] > 0
    places = page.locator(".standings .rank").all_inner_texts()
    assert places[0] == "1"
    assert len(places) == load(game).num_players(load(game).options.resolve({}))
    assert page.evaluate(NAMELESS) == []
    # The replay of the same match.
    page.get_by_role("link", name="Watch the replay").click()
    page.wait_for_selector(".board[data-frame='0'] svg")
    last = int(page.locator("input[type=range]").get_attribute("max"))
    assert last >= sum(used.values())
    page.get_by_role("button", name="To the end").click()
    page.wait_for_selector(f".board[data-frame='{last}'] svg")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="One step back").click()
    page.wait_for_selector(f".board[data-frame='{last - 1}'] svg")
    page.get_by_label("Through whose eyes").select_option("0")
    page.wait_for_selector(f".board[data-frame='{last - 1}'] svg")
    assert page.evaluate(NAMELESS) == []


WHOLE = {"<1 %": "0", ">99 %": "100"}


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ([1 / 3, 1 / 3, 1 / 3], ["34 %", "33 %", "33 %"]),
        ([0.125, 0.375, 0.5], ["13 %", "37 %", "50 %"]),
        ([0.996, 0.004], [">99 %", "<1 %"]),
        ([1, 0], ["100 %", "0 %"]),
        ([0.168, 0.167, 0.166, 0.164, 0.335], ["17 %", "17 %", "17 %", "16 %", "33 %"]),
    ],
)
def test_percentages_of_a_table_add_up_to_a_hundred(visit, shares, words):
    visitor = visit()
    visitor.page.goto(f"{visitor.url}#/nowhere")
    call = "async (shares) => (await import('/dom.js')).percents(shares)"
    assert visitor.page.evaluate(call, shares) == words


SAME_TREE = """
async (svg) => {
  const { board } = await import('/dom.js');
  const wanted = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  const found = board(svg, 'a name');
  for (const name of ['width', 'height']) wanted.removeAttribute(name);
  for (const name of ['role', 'aria-label']) found.removeAttribute(name);
  return [found.querySelectorAll('*').length, found.isEqualNode(wanted)];
}
"""


@pytest.mark.parametrize("game", REGISTERED)
def test_pictures_are_read_as_xml(visit, game):
    """The page reads them with the quicker parser of HTML."""
    visitor = visit()
    visitor.page.goto(f"{visitor.url}#/nowhere")
    loaded = load(game)
    state = loaded.new_state(2)
    drawn = loaded.svg(state, None, loaded.legal_actions(state), "\u201c<&>\u201d 'and' \"so\" on")
    count, same = visitor.page.evaluate(SAME_TREE, drawn)
    assert count > 50
    assert same


LEAVE_AT_ONCE = """
async (match) => {
  const { Live } = await import('/api.js');
  const heard = [];
  const note = (what) => () => heard.push(what);
  const live = new Live(match, null,
    { onview: note('view'), onproblem: note('problem'), onstate: note('state') });
  const early = live.socket.readyState;
  live.close();
  await new Promise((done) => live.socket.addEventListener('close', done));
  return [early, heard];
}
"""


def test_a_table_left_while_it_is_connected_closes_in_silence(visit):
    visitor = visit()
    visitor.sit_down("chicago", "heuristic")
    match = visitor.page.url.rsplit("/", 1)[-1]
    # That the browser warns of nothing is asserted of every visitor.
    assert visitor.page.evaluate(LEAVE_AT_ONCE, match) == [0, []]


def test_advice_undo_and_events_work(visit):
    visitor = visit()
    page = visitor.page
    now = visitor.sit_down("chicago", "heuristic")
    page.click("#hint")
    page.wait_for_selector(".thoughts .advice")
    assert page.locator(".bars li").count() == min(6, len(now["ids"]))
    chances = page.locator(".chances li b").all_inner_texts()
    assert len(chances) == 5
    assert sum(int(WHOLE.get(words, words).removesuffix(" %")) for words in chances) == 100
    later = visitor.decide(now, page.locator(".choices button").first.click)
    assert page.locator(".thoughts").is_hidden(), "thoughts about another decision are gone"
    page.wait_for_selector(".news .log .event.new")
    assert page.locator("#undo").is_enabled()
    back = visitor.decide(later, lambda: page.click("#undo"))
    assert back["ids"] == now["ids"]
    page.keyboard.press("h")
    page.wait_for_selector(".thoughts .advice")


def test_reloading_keeps_the_seat_and_leaving_hands_it_to_a_bot(visit):
    visitor = visit()
    page = visitor.page
    now = visitor.sit_down("chicago")
    page.reload()
    again = visitor.turn()
    assert again["ids"] == now["ids"]
    page.once("dialog", lambda dialog: dialog.accept())
    page.click("#leave")
    page.wait_for_selector("#leave:has-text('Come back'), .standings")
    page.goto(visitor.url)
    page.wait_for_selector(".rows a:has-text('Chicago')")


def test_a_friend_joins_by_the_link_and_both_see_their_own_hand_only(visit):
    host, guest = visit(), visit()
    host.lobby("chicago")
    for seat in range(1, 5):
        host.page.locator(f"select[data-seat='{seat}']").select_option(
            "open" if seat == 1 else "random"
        )
    host.page.fill("#name", "Alma")
    host.page.click("#start")
    host.page.wait_for_selector("text=Send the link to friends")
    guest.page.goto(host.page.url)
    guest.page.fill("#name", "Bert")
    guest.page.get_by_role("button", name="Sit down").click()
    for visitor, other in ((host, "Bert"), (guest, "Alma")):
        visitor.page.wait_for_selector(f".players small:has-text('{other}')")
        visitor.page.wait_for_selector(".players small:text-is('you')")
        visitor.page.wait_for_selector(".board svg")
    cash = "[...document.querySelectorAll('.board text')].filter(t => / cash/.test(t.textContent))"
    for visitor in (host, guest):
        assert visitor.page.evaluate(f"{cash}.length") == 1


def test_a_visitor_with_only_the_link_watches(visit):
    player, stranger = visit(), visit()
    player.sit_down("chicago")
    stranger.page.goto(player.page.url)
    stranger.page.wait_for_selector(".board svg")
    stranger.page.wait_for_selector("text=You are watching what everybody may know.")
    assert stranger.page.locator(".target").count() == 0
    assert stranger.page.locator("#undo").is_hidden()


def test_options_and_seats_reach_the_game(visit):
    visitor = visit()
    page = visitor.page
    visitor.lobby("chicago")
    page.select_option("#option-players", label="3")
    page.wait_for_selector("select[data-seat='3']", state="detached")
    assert page.locator("select[data-seat]").count() == 3
    page.locator("select[data-seat='2']").select_option("you")
    assert page.locator("select[data-seat='0']").input_value() != "you"
    page.locator(".setup summary").click()
    page.fill("#option-bribe", "35")
    page.click("#start")
    visitor.turn()
    assert page.locator(".players li").count() == 3
    assert page.locator(".players li").nth(2).inner_text().endswith("you")
    # What the game does not allow is said in its own words.
    visitor.lobby("chicago")
    page.locator(".setup summary").click()
    page.fill("#option-bribe", "3000")
    page.click("#start")
    # Both when the seats are asked for and when the game is to start.
    page.wait_for_selector(".toast:has-text('bribe') + .toast:has-text('bribe')")
    visitor.wrong.clear()  # The browser notes the refused request.


def test_bot_moves_are_shown_one_by_one_unless_skipped(visit):
    visitor = visit()
    page = visitor.page
    now = visitor.sit_down("chicago", "heuristic")
    page.select_option("#pace", "brisk")
    page.evaluate(
        "() => { window.shown = [];"
        " new MutationObserver(() => window.shown.push(performance.now())).observe("
        "document.querySelector('.board'), { attributes: true, attributeFilter: ['data-version'] })"
        " }"
    )
    longest = []
    for _ in range(5):
        page.evaluate("window.shown.length = 0")
        now = visitor.decide(now, page.locator(".choices button").last.click)
        page.wait_for_selector(".prompt.yours, .standings")
        longest = max(longest, page.evaluate("window.shown"), key=len)
        if len(longest) > 3:
            break
    assert len(longest) > 3, "four rivals have moved"
    gaps = [later - before for before, later in pairwise(longest[1:])]
    assert min(gaps) > 250


def test_the_rules_can_be_read(visit):
    visitor = visit()
    page = visitor.page
    visitor.sit_down("chicago")
    page.click("#rules")
    page.wait_for_selector("dialog[open] h1")
    page.get_by_label("Find in the rules").fill("bribe")
    shown = page.locator("dialog .passage:visible")
    assert shown.count() > 1
    assert all("bribe" in text.lower() for text in shown.all_inner_texts())
    before = page.evaluate(STATE)["version"]
    page.get_by_label("Close the rules").click()
    page.wait_for_selector("dialog", state="detached")
    assert page.evaluate(STATE)["version"] == before
    page.goto(f"{visitor.url}#/rules/chicago")
    page.wait_for_selector(".passage[data-rules~='CU-1.1']")


BARS = """
() => [...document.querySelectorAll('.share')].map((share) => {
  const [track, bar, mark] = ['.track', '.bar-fill', '.bar-mark'].map((one) =>
    share.querySelector(one).getBoundingClientRect());
  const of = (x) => Math.round(100 * (x - track.left) / track.width);
  return [of(bar.right), of((mark.left + mark.right) / 2), mark.width > 1];
})
"""


def test_bars_of_the_leaderboard_have_a_scale_and_show_par(visit):
    visitor = visit()
    page = visitor.page
    row = {"bot": True, "matches": 50, "wins": 10, "par": 0.2, "rating": 20.0}
    rows = [
        {**row, "rank": k, "player": f"bot {k}", "win_share": share}
        for k, share in enumerate((0.2, 0.2, 0.05), 1)
    ]
    answer = {"type": "leaderboard", "game": "chicago", "rows": rows}
    page.route("**/api/v1/leaderboard?*", lambda route: route.fulfill(json=answer))
    page.goto(f"{visitor.url}#/leaderboard/chicago")
    page.wait_for_selector(".share")
    assert page.evaluate(BARS) == [[20, 20, True], [20, 20, True], [5, 20, True]]
    assert "Equals would win 20 %" in page.locator(".share").first.text_content()


def test_leaderboard_names_players_and_bots(visit):
    visitor = visit()
    page = visitor.page
    page.goto(f"{visitor.url}#/leaderboard/chicago")
    page.wait_for_selector("h1:has-text('Leaderboard')")
    assert page.evaluate(NAMELESS) == []


def test_unknown_addresses_lead_back(visit):
    visitor = visit()
    page = visitor.page
    page.goto(f"{visitor.url}#/nowhere")
    page.wait_for_selector("text=Nothing here")
    page.goto(f"{visitor.url}#/m/nosuchmatch")
    page.wait_for_selector("text=No such table")
    for place in ("learn", "rules", "leaderboard"):
        page.goto(f"{visitor.url}#/{place}/nope")
        page.wait_for_selector("h1:has-text('There is no game “nope”')")
        links = page.locator(".empty li a")
        assert links.evaluate_all("all => all.map((one) => one.getAttribute('href'))") == [
            f"#/{place}/{game}" for game in REGISTERED
        ]
        links.first.click()
        page.wait_for_selector("h1:not(:has-text('nope'))")
    visitor.wrong.clear()  # The browser notes the refused requests.
    page.goto(f"{visitor.url}#/m/nosuchmatch")
    page.wait_for_selector("text=No such table")
    page.get_by_role("link", name="To the lobby", exact=True).click()
    page.wait_for_selector(".card")


@LOOKS
def test_the_layout_fits_and_every_control_has_a_label(visit, viewport, scheme):
    visitor = visit(viewport=viewport, color_scheme=scheme)
    page = visitor.page
    for step in ("lobby", "table", "leaderboard"):
        if step == "lobby":
            visitor.lobby("chicago")
        elif step == "table":
            visitor.sit_down("chicago")
        else:
            page.goto(f"{visitor.url}#/leaderboard")
            page.wait_for_selector("h1:has-text('Leaderboard')")
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= viewport["width"], step
        assert page.evaluate(NAMELESS) == [], step


def test_the_colour_scheme_can_be_chosen_and_is_remembered(visit):
    visitor = visit(color_scheme="light")
    page = visitor.page
    ground = "getComputedStyle(document.body).backgroundColor"
    page.goto(visitor.url)
    light = page.evaluate(ground)
    page.click("#theme")  # auto → light
    assert page.evaluate(ground) == light
    page.click("#theme")  # light → dark
    dark = page.evaluate(ground)
    assert dark != light
    page.reload()
    assert page.evaluate(ground) == dark


@pytest.mark.slow
def test_the_page_survives_a_restart_of_the_server(browser, tmp_path):
    server = Server(tmp_path)
    visitor = Visitor(browser, server.url)
    page = visitor.page
    now = visitor.sit_down("chicago")
    server.stop()
    page.wait_for_selector("body.offline")
    again = Server(tmp_path, server.port)
    try:
        page.wait_for_selector("body:not(.offline)")
        page.wait_for_timeout(500)
        later = visitor.decide(now, page.locator(".choices button").first.click)
        assert later["version"] != now["version"]
        visitor.wrong = [text for text in visitor.wrong if "ERR_CONNECTION_REFUSED" not in text]
        visitor.assert_all_well()
    finally:
        visitor.context.close()
        again.stop()
