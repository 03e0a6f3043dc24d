"""Translates what a game says by the patterns of a catalogue.

A catalogue's text is a sentence, or a pattern with names in braces for what differs: ``{who} hires
a henchman.`` What stands in their places is translated by itself, so that "a blue car" in "{who}
steals {what}." is found under "a blue car" or "a {colour} car". Names that begin with ``n`` stand
for numbers, with sign, dollar, comma, point or percent; the others for any words of one sentence.
The pattern with the most letters of its own counts.

A text that no pattern fits is taken apart: into sentences, and into the parts of a list ("a, b and
c"). What then is not found stays in English. The page does the same (``web/spoken.js``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from ...envs.core.game import Game
from .catalogue import catalogue_of

HOLE = re.compile(r"\{(\w+)\}")
NUMBER = r"[-+−]?\$?\d[\d,.]*%?"
WORDS = r"(?:(?!(?<!\bCo)[.!?] ).)+?"
SENTENCES = re.compile(r"(?<=[.!?])(?<!\bCo\.) (?=\S)")
"""A company's name ends no sentence."""
LIST = re.compile(r"(, and |, or |, | and | or |; )")
LETTERS = re.compile(r"[^\W\d_]{2}")
AND: Mapping[str, str] = {", and ": " and ", ", or ": " or "}
"""The serial comma is English; catalogues translate " and " and " or "."""


class Translator:
    """Translates the texts of one catalogue.

    Args:
        texts: Translations by text or pattern, as in a catalogue.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._exact = {text: said for text, said in texts.items() if text and said}
        patterns = [text for text in self._exact if HOLE.search(text)]
        patterns.sort(key=lambda text: (-len(HOLE.sub("", text)), text))
        self._patterns = [(re.compile(_expression(text)), self._exact[text]) for text in patterns]
        self._found = lru_cache(10_000)(self._find)

    def translate(self, text: str) -> str:
        """The text in the catalogue's language, as far as it knows it."""
        return self._found(text) or text

    def knows(self, text: str) -> bool:
        """Whether nothing of it stays in English but what stands in a pattern's holes.

        A text without words, such as an amount, needs no translation.
        """
        return self._found(text) is not None or not LETTERS.search(text)

    def _find(self, text: str) -> str | None:
        """The translation, ``None`` if there is none."""
        if text in self._exact:
            return self._exact[text]
        for expression, pattern in self._patterns:
            if found := expression.fullmatch(text):
                values = {key: self._value(value) for key, value in found.groupdict().items()}
                return filled(pattern, values)
        parts = SENTENCES.split(text)
        if len(parts) == 1:
            return None
        said = [self._found(part) for part in parts]
        return None if None in said else " ".join(part for part in said if part is not None)

    def _value(self, text: str) -> str:
        """What stands in a hole: a text of its own, a list of them, or a name."""
        if (found := self._found(text)) is not None:
            return found
        parts = LIST.split(text)
        if len(parts) == 1:
            return text
        words, links = parts[::2], [AND.get(link, link) for link in parts[1::2]]
        links = [self._exact.get(link, link) for link in links]
        return "".join(
            piece
            for pair in zip(map(self._value, words), [*links, ""], strict=True)
            for piece in pair
        )


@cache
def translator(game: Game, language: str) -> Translator:
    """The translator of a game; one without a catalogue leaves everything in English."""
    known = language in game.languages()
    return Translator(catalogue_of(game, language).texts if known else {})


def filled(pattern: str, values: Mapping[str, str]) -> str:
    """The pattern with values in its holes."""
    return HOLE.sub(lambda hole: values.get(hole[1], hole[0]), pattern)


def _expression(pattern: str) -> str:
    """The regular expression of a pattern; a name that comes again stands for the same."""
    parts, seen = HOLE.split(pattern), set()
    built = [re.escape(parts[0])]
    for name, literal in zip(parts[1::2], parts[2::2], strict=True):
        kind = NUMBER if name.startswith("n") else WORDS
        built.append(f"(?P={name})" if name in seen else f"(?P<{name}>{kind})")
        built.append(re.escape(literal))
        seen.add(name)
    return "".join(built)
