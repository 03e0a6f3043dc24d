"""The page speaks the reader's language: questions, choices, events, cards, pictures and rules."""

from __future__ import annotations

import html
import json
import re

import pytest

from gangland.envs import load
from gangland.serving.rulebook import rulebook
from gangland.serving.texts import catalogue_of
from gangland.serving.texts.sentences import all_sentences
from gangland.serving.texts.translator import Translator, translator
from tests.browser import NEEDED
from tests.games import long_ones_slow
from tests.serving.texts.test_translator import TEXTS

from .visitor import REGISTERED

pytest.importorskip("playwright.sync_api")
pytest.importorskip("fastapi")
pytestmark = NEEDED

TRANSLATE = """
async ([texts, sentences]) => {
  const { Translator } = await import('/spoken.js');
  const translator = new Translator(texts);
  return sentences.map((text) => [translator.translate(text), translator.knows(text)]);
}
"""
LINES = """
(groups) => groups.map((group) => [group.dataset.words,
  [...group.querySelectorAll("text")].map((line) => line.textContent).filter(Boolean).join(" ")])
"""
SENTENCE = re.compile(r"<g data-words=.*?</g>")
SENTENCES = [
    "The end.",
    "The end. The end.",
    "The end. Capone fires.",
    "Capone hires a henchman.",
    "Capone hires a henchman for $1,000.",
    "Capone hires a blue car.",
    "O and C hires a henchman, blue, and X.",
    "Capone draws −3 cards.",
    "Capone draws ٣ cards.",
    "Capone waits for Capone.",
    "A waits for B.",
    "Dr. No hires a henchman.",
    "Çelik hires ⚂ blue or blue; blue.",
    "constructor",
    "$10",
    "{who} hires {what}.",
    "",
]


def test_the_page_translates_as_python_does(visit):
    visitor = visit()
    visitor.page.goto(visitor.url)
    texts = {**TEXTS, "{a.b": "(", "{n}+{nn}*": "{nn}, {n}, {other}", "[{x}]": "<{x}> $& {x}"}
    sentences = [*SENTENCES, "3+4*", "[blue]", "[[blue]]", "{a.b"]
    known = Translator(texts)
    wanted = [[known.translate(text), known.knows(text)] for text in sentences]
    assert visitor.page.evaluate(TRANSLATE, [texts, sentences]) == wanted
    assert sum(knows for _, knows in wanted) > 8


@pytest.mark.parametrize("game", long_ones_slow(REGISTERED))
def test_the_page_translates_games_as_python_does(visit, game):
    visitor = visit()
    visitor.page.goto(visitor.url)
    known = translator(load(game), "de")
    sentences = sorted(all_sentences(load(game), 1))
    wanted = [[known.translate(text), known.knows(text)] for text in sentences]
    texts = catalogue_of(load(game), "de").texts
    assert visitor.page.evaluate(TRANSLATE, [texts, sentences]) == wanted


@pytest.mark.parametrize("game", long_ones_slow(REGISTERED))
def test_a_german_game(visit, game, shots):
    """What the server says in English stands on the page in German."""
    english = []
    visitor = visit(locale="de-DE")
    page = visitor.page

    def hear(text):
        english.append(text)

    page.on("websocket", lambda socket: socket.on("framereceived", hear))
    visitor.sit_down(game, "heuristic", seed=5)
    visitor.advance(lambda view: view["next_event"] > 12)
    say = translator(load(game), "de").translate
    heard = [json.loads(text) for text in english]
    view = [one for one in heard if one["type"] == "view" and one["decision"] is not None][-1]
    assert page.locator("#prompt").inner_text() == say(view["question"]) != view["question"]
    page.locator(".choices details").evaluate_all(
        "all => all.forEach((one) => { one.open = true; })"
    )
    shown = page.locator(".choices").inner_text()
    for action in view["legal"]:
        if action["amount"] is None:
            assert say(action["sentence"]) in shown
    assert any(say(action["sentence"]) != action["sentence"] for action in view["legal"])
    events = [event for one in heard if one["type"] == "view" for event in one["events"]]
    shown = page.locator(".log .event").all_inner_texts()
    plain = {re.sub("[⚀-⚅]", "", say(event["text"])).strip() for event in events}
    strange = {text.strip() for text in shown} - plain
    assert len(shown) > 2
    assert strange == set(), strange
    alone = SENTENCE.sub("", view["svg"])
    drawn = {html.unescape(text) for text in re.findall(r"<text[^>]*>([^<]+)<", alone)}
    other = {text: say(text) for text in drawn if say(text) != text}
    # One's own seat bears one's own name.
    other.pop(view["seats"][view["viewer"]]["name"], None)
    labels = {text.strip() for text in page.locator(".board svg text").all_text_contents()}
    assert other, "labels of the picture have translations"
    assert set(other.values()) <= labels
    assert not (other.keys() - set(other.values())) & labels
    # Sentences are translated whole, whatever lines they are broken into.
    broken = page.locator(".board [data-words]").evaluate_all(LINES)
    assert broken
    for words, lines in broken:
        said = say(words)
        assert lines.rstrip("…") == said[: len(lines.rstrip("…"))], words
    shots(page, f"german_{game}")
    page.click("#rules")
    book = rulebook(game, "de")
    page.wait_for_selector("dialog .chapter")
    titles = page.locator("dialog .chapter h2, dialog .chapter h3").all_inner_texts()
    assert titles == [chapter.title for chapter in book.chapters]
    shots(page, f"german_rules_{game}")
