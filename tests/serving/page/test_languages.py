"""The page in other languages: its own texts, and all that a game says."""

from __future__ import annotations

import html
import json
import re

import pytest

from gangland.envs import load
from gangland.serving.page import texts
from gangland.serving.rulebook import rulebook
from gangland.serving.texts import Translator, all_sentences, catalogue_of, translator
from tests.browser import NEEDED
from tests.games import long_ones_slow
from tests.serving.test_texts import TEXTS

from .visitor import REGISTERED

# --- catalogues of the page are complete, and chosen, and used ------------------------------------

CATALOGUES = sorted(texts.TEXTS.glob("*.po"))
LITERAL = re.compile(r'(?<!t\()(?<!N_\()(?<!tn\()"([A-Z][a-z]+(?: [a-zé…\'’,]+)*[.!?…:]?)"')
NO_TEXTS = {
    "ArrowDown", "ArrowLeft", "ArrowRight", "ArrowUp", "End", "Enter", "Escape", "Home",
    "English", "Bearer", "Bid",
}  # fmt: skip
"""Keys, protocol words, and the name of the language that the program is written in."""


@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: file.stem)
def test_a_catalogue_is_complete(file):
    translated = texts.catalogue(file)
    header = translated.pop("")[0]
    assert f"Language: {file.stem}\n" in header
    forms = int(re.search(r"nplurals=(\d)", header)[1])
    wanted = dict(texts.messages())
    assert wanted.keys() - translated.keys() == set(), "python -m gangland.serving.page.texts"
    assert translated.keys() - wanted.keys() == set(), "python -m gangland.serving.page.texts"
    for one, many in wanted.items():
        assert len(translated[one]) == (forms if many else 1), one
        for words in translated[one]:
            assert words, f"{one!r} has no translation"
            assert set(re.findall(r"{\w+}", words)) == set(re.findall(r"{\w+}", one)), one


def test_a_text_that_is_missing_is_found(tmp_path):
    file = tmp_path / "de.po"
    whole = CATALOGUES[0].read_text(encoding="utf-8")
    first, *others = whole.split("\n\n")
    file.write_text("\n\n".join([first, *others[1:]]), encoding="utf-8")
    assert texts.update(file) == (1, 0)
    assert list(texts.catalogue(file).values()).count([""]) == 1
    assert texts.update(file) == (0, 0)
    extra = 'msgid "Gone with the wind"\nmsgstr "Vom Winde verweht"\n'
    file.write_text(f"{whole}\n{extra}", encoding="utf-8")
    assert texts.update(file) == (0, 1)
    assert file.read_text(encoding="utf-8") == whole


def test_no_text_of_the_page_is_unmarked():
    found = {}
    for file in sorted(texts.WEB.rglob("*.js")):
        source = re.sub(r"/\*.*?\*/|//.*", "", file.read_text(encoding="utf-8"), flags=re.S)
        words = [text for text in LITERAL.findall(source) if text not in NO_TEXTS]
        if words:
            found[file.name] = words
    assert found == {}


@NEEDED
def test_the_browsers_language_is_spoken_and_another_can_be_chosen(visit):
    pytest.importorskip("playwright.sync_api")
    visitor = visit(locale="de-AT")
    page = visitor.page
    visitor.sit_down("chicago", "heuristic")
    assert page.evaluate("document.documentElement.lang") == "de"
    assert page.locator("#undo").inner_text() == "Zurücknehmen"
    assert page.get_by_role("heading", name="Deine Möglichkeiten").count() == 1
    assert page.locator("nav a").first.inner_text() == "Spielen"
    page.goto(visitor.url)
    assert page.locator("h1").inner_text() == "Dir gehört die Stadt."
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_label("Sprache").select_option("en")
    page.wait_for_selector("h1:has-text('Run the town.')")
    page.reload()
    page.wait_for_selector("h1:has-text('Run the town.')")
    assert page.evaluate("document.documentElement.lang") == "en"


@NEEDED
def test_the_page_reads_catalogues_as_python_does(visit):
    pytest.importorskip("playwright.sync_api")
    visitor = visit()
    visitor.page.goto(visitor.url)
    read = "async (source) => Object.fromEntries((await import('/i18n.js')).readCatalogue(source))"
    for file in CATALOGUES:
        wanted = {text: forms for text, forms in texts.catalogue(file).items() if text}
        assert visitor.page.evaluate(read, file.read_text(encoding="utf-8")) == wanted
    call = """async (n) => (await import('/i18n.js'))
      .tn('{n} thing of {whose}', '{n} things', n, { whose: 'Al' })"""
    assert [visitor.page.evaluate(call, n) for n in (1, 2)] == ["1 thing of Al", "2 things"]


# --- questions, choices, events, cards, pictures and rules ----------------------------------------

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


@NEEDED
def test_the_page_translates_as_python_does(visit):
    visitor = visit()
    visitor.page.goto(visitor.url)
    texts = {**TEXTS, "{a.b": "(", "{n}+{nn}*": "{nn}, {n}, {other}", "[{x}]": "<{x}> $& {x}"}
    sentences = [*SENTENCES, "3+4*", "[blue]", "[[blue]]", "{a.b"]
    known = Translator(texts)
    wanted = [[known.translate(text), known.knows(text)] for text in sentences]
    assert visitor.page.evaluate(TRANSLATE, [texts, sentences]) == wanted
    assert sum(knows for _, knows in wanted) > 8


@NEEDED
@pytest.mark.parametrize("game", long_ones_slow(REGISTERED))
def test_the_page_translates_games_as_python_does(visit, game):
    visitor = visit()
    visitor.page.goto(visitor.url)
    known = translator(load(game), "de")
    sentences = sorted(all_sentences(load(game), 1))
    wanted = [[known.translate(text), known.knows(text)] for text in sentences]
    texts = catalogue_of(load(game), "de").texts
    assert visitor.page.evaluate(TRANSLATE, [texts, sentences]) == wanted


@NEEDED
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
