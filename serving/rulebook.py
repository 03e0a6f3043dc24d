"""A game's rules for players, in two forms.

``RULEBOOK.md`` explains them as people read them, in chapters of passages; after each passage
stand the ids of the rules that it explains::

    # Title of the game

    ## A chapter

    A passage is a paragraph, a list or a table. Passages are separated by empty lines.
    [CU-5.1, CU-5.3]

``RULEBOOK.de.md`` is the same in German. ``RULES.md`` has the exact wording of every rule by its
id; it is shown without the columns and sections for developers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from markdown_it import MarkdownIt

from ..envs import load
from .errors import ServingError
from .protocol import Chapter, Passage, Rule, Rulebook, RuleSection

FOR_DEVELOPERS = (
    "action space",
    "text notation",
    "observation",
    "heuristic",
    "validation",
    "worked example",
    "dead end",
)
"""Words in the titles of sections that are left out; all games have the same sections."""

# Text inside cells stays as it is written.
_TABLES = MarkdownIt().enable("table").disable("inline")
# What a passage is shown as. Only what we write stands in it, and no HTML even so.
_PROSE = MarkdownIt("commonmark", {"html": False}).enable("table")
_ID = r"[A-Z]+-[\d.]+\w*"
_RULE = re.compile(_ID)
_IDS = re.compile(rf"\[({_ID}(?:,\s*{_ID})*)\]")
_TAGS = re.compile(r"\s*(\*\*)?\[[A-Z](?:,\s*[A-Z])*\](\*\*)?\s*")
_GAPS = re.compile(r"\s+(?=[.,;:)])")


@cache
def rulebook(name: str, language: str = "en") -> Rulebook:
    """The rules of a game.

    Args:
        name: The game.
        language: Code of the language of the chapters; English if there are none in it. The exact
            wording is English.

    Raises:
        UnknownGameError: If there is no such game.
        ServingError: ``not_found`` if it comes without written rules.
    """
    game = load(name)
    text = game.rulebook()
    if text is None:
        raise ServingError("not_found", f"{name} comes without written rules")
    found = game.handbook(language)
    spoken = "en" if found is None else language
    chosen = game.handbook() if found is None else found
    title, chapters = (game.title, []) if chosen is None else handbook(chosen)
    return Rulebook(
        game=name, title=title, language=spoken, chapters=chapters, sections=sections(text)
    )


def handbook(text: str) -> tuple[str, list[Chapter]]:
    """Title and chapters of a ``RULEBOOK.md``.

    Raises:
        ValueError: If something stands in no chapter, or ids of rules after no passage.
    """
    title, chapters = "", list[Chapter]()
    spaced = re.sub(r"\n(?=##? )", "\n\n", text.strip())
    for block in re.split(r"\n\s*\n", spaced):
        lines = block.strip("\n").split("\n")
        if heading := re.match(r"(#{1,2}) +(.+)", lines[0]):
            if heading[1] == "#":
                title = heading[2].strip()
            else:
                chapters.append(Chapter(title=heading[2].strip(), passages=[]))
            lines = lines[1:]
        ids: list[str] = []
        if lines and (found := _IDS.fullmatch(lines[-1].strip())):
            ids, lines = re.findall(_ID, found[1]), lines[:-1]
        if not lines and not ids:
            continue
        if not chapters:
            raise ValueError(f"{block!r}: stands before the first chapter")
        passages = chapters[-1].passages
        if lines:
            prose = "\n".join(lines)
            passages.append(Passage(text=prose, html=_PROSE.render(prose).strip(), rules=ids))
        elif passages:  # The ids of a table or list may stand after an empty line.
            passages[-1].rules += ids
        else:
            raise ValueError(f"{block!r}: stands after no passage")
    return title, chapters


def sections(text: str) -> list[RuleSection]:
    """The sections of a ``RULES.md`` that are for players."""
    found: list[RuleSection] = []
    cells: list[str] = []
    # The text of a heading or a cell is the token after the one that opens it.
    for token, inner in pairwise(_TABLES.parse(text)):
        if token.type == "heading_open" and token.tag == "h2":
            found.append(RuleSection(title=inner.content, rules=[]))
        elif token.type == "tr_open":
            cells = []
        elif token.type == "td_open":
            cells.append(inner.content)
        elif token.type == "tr_close" and found and len(cells) > 1 and _RULE.fullmatch(cells[0]):
            rule = _GAPS.sub("", _TAGS.sub(" ", cells[1])).strip()
            found[-1].rules.append(Rule(id=cells[0], text=rule))
    return [
        section
        for section in found
        if section.rules and not any(word in section.title.lower() for word in FOR_DEVELOPERS)
    ]


def as_text(book: Rulebook, *, exact: bool = False) -> str:
    """The rules as Markdown.

    Args:
        book: The rules.
        exact: Whether the exact wording is wanted; a book without chapters has nothing else.
    """
    if book.chapters and not exact:
        return "\n\n".join([f"# {book.title}", *_prose(book.chapters)]) + "\n"
    parts = [f"# {book.title}"]
    for section in book.sections:
        parts.append(f"## {section.title}")
        parts += [f"- {rule.id}: {rule.text}" for rule in section.rules]
    return "\n\n".join(parts[:1]) + "\n\n" + "\n".join(parts[1:]) + "\n"


def _prose(chapters: list[Chapter]) -> Iterator[str]:
    for chapter in chapters:
        yield f"## {chapter.title}"
        for passage in chapter.passages:
            yield passage.text + (f"\n[{', '.join(passage.rules)}]" if passage.rules else "")
