"""A game's rules for players: its ``RULES.md`` without the columns and sections for developers."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from markdown_it import MarkdownIt

from ..envs import load
from .errors import ServingError
from .protocol import Rule, Rulebook, RuleSection

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
_RULE = re.compile(r"[A-Z]+-[\d.]+\w*")
_TAGS = re.compile(r"\s*(\*\*)?\[[A-Z](?:,\s*[A-Z])*\](\*\*)?\s*")
_GAPS = re.compile(r"\s+(?=[.,;:)])")


@cache
def rulebook(name: str) -> Rulebook:
    """The rules of a game.

    Raises:
        UnknownGameError: If there is no such game.
        ServingError: ``not_found`` if it comes without written rules.
    """
    game = load(name)
    text = game.rulebook()
    if text is None:
        raise ServingError("not_found", f"{name} comes without written rules")
    sections: list[RuleSection] = []
    cells: list[str] = []
    # The text of a heading or a cell is the token after the one that opens it.
    for token, inner in pairwise(_TABLES.parse(text)):
        if token.type == "heading_open" and token.tag == "h2":
            sections.append(RuleSection(title=inner.content, rules=[]))
        elif token.type == "tr_open":
            cells = []
        elif token.type == "td_open":
            cells.append(inner.content)
        elif token.type == "tr_close" and sections and len(cells) > 1 and _RULE.fullmatch(cells[0]):
            rule = _GAPS.sub("", _TAGS.sub(" ", cells[1])).strip()
            sections[-1].rules.append(Rule(id=cells[0], text=rule))
    shown = [
        section
        for section in sections
        if section.rules and not any(word in section.title.lower() for word in FOR_DEVELOPERS)
    ]
    return Rulebook(game=name, title=game.title, sections=shown)


def as_text(book: Rulebook) -> str:
    """The rules as Markdown."""
    parts = [f"# {book.title}"]
    for section in book.sections:
        parts.append(f"## {section.title}")
        parts += [f"- {rule.id}: {rule.text}" for rule in section.rules]
    return "\n\n".join(parts[:1]) + "\n\n" + "\n".join(parts[1:]) + "\n"
