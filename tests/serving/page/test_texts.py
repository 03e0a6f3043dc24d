"""The page in other languages: catalogues are complete, and chosen, and used."""

from __future__ import annotations

import re

import pytest

from gangland.serving.page import texts
from tests.browser import NEEDED

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
