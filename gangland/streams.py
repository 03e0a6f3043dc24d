"""Output on terminals and in files of any encoding: what it lacks is written in its likeness."""

from __future__ import annotations

import codecs
import io
import sys

_LIKENESS = {
    "–": "-", "—": "-", "−": "-", "×": "x", "·": ".", "…": "...", "±": "+/-", "•": "*",
    "▶": ">", "►": ">", "▸": ">", "→": "->", "←": "<-", "√": "v", "✓": "v", "★": "*",
    "‘": "'", "’": "'", "“": '"', "”": '"', "│": "|", "─": "-", "═": "=", "█": "#", "░": ".",
}  # fmt: skip
_HANDLER = "gangland.likeness"


def _like(error: UnicodeError) -> tuple[str, int]:
    """What stands for characters that an encoding lacks; a question mark for want of better."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(_LIKENESS.get(character, "?") for character in missing), error.end


codecs.register_error(_HANDLER, _like)


def in_encoding(text: str, encoding: str) -> str:
    """A text with the likeness of each character that an encoding lacks."""
    return text.encode(encoding, _HANDLER).decode(encoding)


def write_in_any_encoding() -> None:
    """Let no character stop the output, whatever the encoding of the standard streams is.

    A program that has worked for an hour must not fail on the dash in its last line.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_HANDLER)
