"""Patterns of a catalogue, what fits them, and what is left as it is."""

import pytest

from gangland.serving.texts.catalogue import read_catalogue
from gangland.serving.texts.translator import Translator

TEXTS = {
    "{who} hires {what}.": "{who} wirbt {what} an.",
    "{who} hires {what} for ${n}.": "{who} wirbt {what} für {n} $ an.",
    "{who} draws {n} cards.": "{who} zieht {n} Karten.",
    "a henchman": "einen Handlanger",
    "a {colour} car": "ein Auto ({colour})",
    "blue": "blau",
    "The end.": "Ende.",
    " and ": " und ",
    "{who} waits for {who}.": "{who} wartet auf sich.",
}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The end.", "Ende."),
        ("Capone hires a henchman.", "Capone wirbt einen Handlanger an."),
        # The pattern with more words of its own counts.
        ("Capone hires a henchman for $1,000.", "Capone wirbt einen Handlanger für 1,000 $ an."),
        # What stands in a hole may be a pattern, or a list.
        ("Capone hires a blue car.", "Capone wirbt ein Auto (blau) an."),
        (
            "O and C hires a henchman, blue, and X.",
            "O und C wirbt einen Handlanger, blau und X an.",
        ),
        # One sentence after another.
        ("The end. Capone draws 3 cards.", "Ende. Capone zieht 3 Karten."),
        # A company's name ends no sentence.
        ("SMC Cartage Co. hires what.", "SMC Cartage Co. wirbt what an."),
        # A name that comes twice stands for the same both times.
        ("Capone waits for Capone.", "Capone wartet auf sich."),
    ],
)
def test_what_fits_is_translated(text, said):
    translator = Translator(TEXTS)
    assert translator.knows(text)
    assert translator.translate(text) == said


@pytest.mark.parametrize(
    "text",
    ["Capone fires.", "The end. Capone fires.", "Capone draws no cards.", "A waits for B.", "ab"],
)
def test_the_rest_stays_in_english(text):
    assert not Translator(TEXTS).knows(text)
    assert Translator(TEXTS).translate(text) == text


@pytest.mark.parametrize("text", ["$10", "3:1", "+5 %", "A"])
def test_amounts_need_no_translation(text):
    assert Translator(TEXTS).knows(text)


def test_texts_without_a_translation_stay():
    source = 'msgid ""\nmsgstr "Language: de\\n"\n\nmsgid "a"\nmsgstr ""\n\nmsgid "b"\nmsgstr "c"\n'
    found = read_catalogue(source)
    assert found == {"": ["Language: de\n"], "a": [""], "b": ["c"]}
    translator = Translator({text: said[0] for text, said in found.items()})
    assert (translator.translate("a"), translator.translate("b")) == ("a", "c")
