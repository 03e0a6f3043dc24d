"""gettext catalogues: files of texts and their translations."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache

from ...envs.core.game import Game
from ..errors import ServingError
from ..protocol import GameTexts

STRING = r'"(?:[^"\\]|\\.)*"'


def read_catalogue(source: str) -> dict[str, list[str]]:
    """Translations by text, several where they depend on a number; under ``""`` the header."""
    return dict(_entries(source))


@cache
def catalogue_of(game: Game, language: str) -> GameTexts:
    """What a game says in a language, without what has no translation yet.

    Raises:
        ServingError: ``not_found`` if there is none, naming those that there are.
    """
    source = game.texts(language)
    if source is None:
        known = ", ".join(("en", *game.languages()))
        raise ServingError(
            "not_found", f"{game.name} has no texts in {language!r}: it speaks {known}"
        )
    found = {text: said[0] for text, said in read_catalogue(source).items()}
    texts = {text: said for text, said in found.items() if text and said}
    return GameTexts(game=game.name, language=language, texts=texts)


def _entries(source: str) -> Iterator[tuple[str, list[str]]]:
    for block in re.split(r"\n\s*\n", source):
        parts: dict[str, str] = {}
        keyword = ""
        for line in block.splitlines():
            if found := re.match(rf"(msgid|msgid_plural|msgstr(?:\[\d+\])?) +({STRING})$", line):
                keyword = found[1]
                parts[keyword] = json.loads(found[2])
            elif keyword and re.match(rf"{STRING}$", line):
                parts[keyword] += json.loads(line)
        if "msgid" in parts:
            yield parts["msgid"], [parts[key] for key in sorted(parts) if key.startswith("msgstr")]
