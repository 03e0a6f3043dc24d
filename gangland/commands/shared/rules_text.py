"""The rules of a game in lines for a terminal."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Iterator

from ...envs.core.errors import GanglandError
from ...envs.core.presentation.foreign_text import read_number
from ...serving.protocol import Passage, Rule, Rulebook
from ...serving.rulebook import rulebook

WIDEST = 100
_MARKS = re.compile(r"\*\*|`|(?<!\w)\*(?=\w)|(?<=[\w.,:!?])\*(?!\w)")
_ITEM = re.compile(r"([-*+]|\d+[.)]) +")
_RULER = re.compile(r"\|[ :|-]+\|?")


def rules_text(game: str, wanted: str = "", language: str = "en") -> list[str]:
    """The rules, or a part of them.

    Args:
        game: Name of the game.
        wanted: Number of a chapter, the id of a rule, or words that passages are to hold; empty
            for the list of chapters.
        language: Code of the language of the chapters.
    """
    try:
        book = rulebook(game, language)
    except GanglandError as error:
        return [str(error)]
    chapters = _chapters(book)
    if not wanted:
        titles = [f"{k:>4}  {title}" for k, (title, _) in enumerate(chapters, 1)]
        return [*titles, "Type rules and a number for a chapter, or rules and words to look for."]
    number = read_number(wanted)
    if number is not None:
        if not 1 <= number <= len(chapters):
            return [f"rules {wanted}: there are chapters 1 to {len(chapters)}"]
        title, parts = chapters[number - 1]
        return [title, *(line for part in parts for line in _lines(part))]
    words = wanted.lower().split()
    found = [part for _, parts in chapters for part in parts if _holds(part, words)]
    exact = [rule for part in book.sections for rule in part.rules if rule.id.lower() == words[0]]
    if book.chapters and len(words) == 1:
        found += exact
    return [line for part in found for line in _lines(part)] or [f"no rule with {wanted!r}"]


def _chapters(book: Rulebook) -> list[tuple[str, list[Passage] | list[Rule]]]:
    """Titles and contents: passages for people, or rules where there is nothing else."""
    if book.chapters:
        return [(_plain(chapter.title), chapter.passages) for chapter in book.chapters]
    return [(_plain(section.title), section.rules) for section in book.sections]


def _holds(part: Passage | Rule, words: list[str]) -> bool:
    ids = [part.id] if isinstance(part, Rule) else part.rules
    text = f"{' '.join(ids)} {part.text}".lower()
    return all(word in text for word in words)


def _plain(text: str) -> str:
    """Without a number in front and without marks of emphasis."""
    return _MARKS.sub("", re.sub(r"^\d+ ", "", text))


def _lines(part: Passage | Rule) -> list[str]:
    width = min(shutil.get_terminal_size().columns, WIDEST)
    if isinstance(part, Rule):
        return textwrap.wrap(
            f"{part.id}: {_MARKS.sub('', part.text)}", width, initial_indent="  ",
            subsequent_indent="      ",
        )  # fmt: skip
    ids = f" [{', '.join(part.rules)}]" if part.rules else ""
    blocks = list(_blocks(part.text))
    return ["", *(line for k, block in enumerate(blocks)
                  for line in _wrapped(block + ids * (k == len(blocks) - 1), width))]  # fmt: skip


def _blocks(text: str) -> Iterator[str]:
    """The paragraphs, items and rows of a passage."""
    block = ""
    for line in text.split("\n"):
        if block and (_ITEM.match(line) or line.startswith("|")):
            yield block
            block = ""
        if not _RULER.fullmatch(line):
            block = f"{block} {line.strip()}".strip()
    if block:
        yield block


def _wrapped(block: str, width: int) -> list[str]:
    item = _ITEM.match(block)
    row = re.sub(r"\s*\|\s*", "   ", block.strip("| ")) if block.startswith("|") else block
    indent = "  " + " " * (item.end() if item else 0)
    return textwrap.wrap(_MARKS.sub("", row), width, initial_indent="  ", subsequent_indent=indent)
