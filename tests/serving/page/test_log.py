"""What the page tells of events: the log, by turn and oldest first, and sounds on request."""

from __future__ import annotations

import pytest

from tests.browser import NEEDED

pytest.importorskip("playwright.sync_api")
pytest.importorskip("fastapi")

pytestmark = NEEDED

# --- the log: what was taken back is gone ---------------------------------------------------------


def event(n, text, turn="", seat=None, step=0, **more):
    return {"n": n, "kind": "game", "text": text, "turn": turn, "turn_seat": seat, "step": step,
            "undone_from": None, **more}  # fmt: skip


def test_events_that_were_taken_back_disappear(visit):
    visitor = visit()
    visitor.page.goto(visitor.url)
    visitor.page.wait_for_selector(".card")  # What is shown now is not drawn over.
    events = [event(0, "a"), event(1, "b"), event(2, "c"),
              event(3, "back", kind="undo", undone_from=1), event(4, "d")]  # fmt: skip
    call = "async (events) => (await import('/log.js')).standing(events).map((e) => e.text)"
    assert visitor.page.evaluate(call, events) == ["a", "back", "d"]


def test_the_mark_stands_where_ones_last_turn_ended(visit):
    """It covers the whole round: all that the others did since, not the last click."""
    visitor = visit()
    visitor.page.goto(visitor.url)
    visitor.page.wait_for_selector(".card")  # What is shown now is not drawn over.
    call = "async ([e, viewer]) => (await import('/log.js')).lastTurnEnd(e, viewer)"
    seats = [0, 0, 1, 1, 2, 3]
    events = [event(n, "", seat=seat) for n, seat in enumerate(seats)]
    assert visitor.page.evaluate(call, [events, 0]) == 2
    events += [event(6, "", seat=0), event(7, "", seat=0)]  # one's own turn has begun again
    assert visitor.page.evaluate(call, [events, 0]) == 2
    assert visitor.page.evaluate(call, [events, 3]) == 6
    assert visitor.page.evaluate(call, [events, None]) == 0


def test_dice_are_drawn_as_dice(visit):
    visitor = visit()
    page = visitor.page
    visitor.sit_down("chicago", "heuristic")
    visitor.advance(lambda view: view["next_event"] > 30)
    dice = page.locator(".log .die")
    assert dice.count() > 0
    assert dice.first.get_attribute("aria-label") in "123456"
    assert not any(face in page.locator(".log").inner_text() for face in "⚀⚁⚂⚃⚄⚅")


def test_the_log_goes_by_turns_and_an_undone_decision_leaves_it(visit):
    visitor = visit()
    page = visitor.page
    now = visitor.sit_down("chicago", "heuristic")
    later = visitor.decide(now, page.locator(".choices button").first.click)
    turns = page.locator(".log .turn").all_inner_texts()
    numbers = [int(turn.split(":")[0].removeprefix("Turn ")) for turn in turns]
    assert numbers == sorted(set(numbers)), "oldest first, each turn once"
    assert page.locator(".log .since").count() <= 1
    before = page.locator(".log .event.game").count()
    assert before
    visitor.decide(later, lambda: page.click("#undo"))
    page.wait_for_selector(".log .event.undo")
    left = page.locator(".log .event.game").count()
    assert left < before
    page.reload()
    visitor.turn()
    page.wait_for_selector(".log .event.undo")
    assert page.locator(".log .event.game").count() == left, "the same story after a reload"


SHOW = """
async (events) => {
  const { showLog } = await import('/log.js');
  const news = document.createElement('div');
  document.getElementById('main').replaceChildren(news);
  const view = { viewer: 0, turn: 'Turn 3', status: 'playing' };
  showLog({ view, events, sheet: { news }, fresh: 2 });
  return [...news.querySelectorAll('.log > li')].map((li) => [li.className,
    [...li.querySelectorAll('.event')].map((e) => e.textContent)]);
}
"""


def test_a_decision_is_a_paragraph_with_all_that_came_of_it(visit):
    visitor = visit()
    visitor.page.goto(visitor.url)
    visitor.page.wait_for_selector(".card")  # What is shown now is not drawn over.
    events = [
        event(-1, "Turn 1.", "Turn 0", 2, 3),
        event(0, "Red moves the racketeer to the Club.", "Turn 1", 0, 4),
        event(1, "The Club belongs to Red.", "Turn 1", 0, 4),
        event(2, "Red: vamp to the Diner.", "Turn 1", 0, 5),
        event(3, "Turn 2.", "Turn 1", 0, 5),
        event(4, "Alma sits down as Green.", "Turn 2", 1, 6, kind="seat"),
        event(5, "Green rolls \u2680.", "Turn 2", 1, 6),
    ]
    assert visitor.page.evaluate(SHOW, events) == [
        ["turn own", []],
        ["step", ["Red moves the racketeer to the Club.", "The Club belongs to Red."]],
        ["step", ["Red: vamp to the Diner."]],
        ["since", []],
        ["turn", []],
        ["step apart", ["Alma sits down as Green."]],
        ["step", ["Green rolls ."]],
        ["turn", []],
    ]


def test_gangsters_explains_turns_in_few_paragraphs(visit):
    visitor = visit()
    page = visitor.page
    visitor.sit_down("gangsters", "heuristic", until=lambda view: view["next_event"] > 60)
    steps = page.locator(".log .step").all_inner_texts()
    assert len(steps) > 10
    whole = "\n".join(steps)
    for step in (" done.", " moves the racketeer.", " own die."):
        assert step not in whole
    assert any("rolls" in step for step in steps)
    assert " to " in whole


LIE_OVER_EACH_OTHER = """
() => {
  // Headings that stick at the top of the log while something of an earlier one shows below.
  const log = document.querySelector('.log');
  const found = [];
  for (log.scrollTop = 0; ; log.scrollTop += 4) {
    const top = log.getBoundingClientRect().top;
    const heads = [...log.querySelectorAll('.turn')].map((li) => [li, li.getBoundingClientRect()]);
    const stuck = heads.filter(([, box]) => Math.abs(box.top - top) < 3);
    const lowest = Math.min(...stuck.slice(-1).map(([, box]) => box.bottom));
    for (const [li, box] of stuck) if (box.bottom > lowest + 1) found.push(li.textContent);
    if (log.scrollTop + log.clientHeight >= log.scrollHeight - 1) return [...new Set(found)];
  }
}
"""


def test_headings_that_stick_do_not_lie_over_each_other(visit):
    visitor = visit()
    page = visitor.page
    page.goto(visitor.url)
    visitor.page.wait_for_selector(".card")  # What is shown now is not drawn over.
    words = ["The auction of a card with a very long name", "The auction of a Club"]
    events = [event(n, f"Bid {n}.", f"{words[n // 6 % 2]} {n // 6}", 1, n) for n in range(60)]
    page.evaluate(SHOW, events)
    page.add_style_tag(content="#main > div { width: 250px }")
    assert page.locator(".log").evaluate("(log) => log.scrollHeight > 2 * log.clientHeight")
    assert page.evaluate(LIE_OVER_EACH_OTHER) == []


# --- sounds: off unless wanted, remembered, and of the right kind ---------------------------------

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
