"""Text from files and from people: control and invisible characters, and whole numbers.

A name may hold control codes for a terminal, turn the direction of writing, or differ from another
name only in characters that cannot be seen.
"""

from __future__ import annotations

import unicodedata

LONGEST_NUMBER = 20
"""Digits of the largest number that is read, a seed of 64 bits."""
CATEGORIES = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Control and format characters, surrogates, separators of lines and paragraphs."""
IGNORABLE = (
    (0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2065, 0x2065),
    (0x2800, 0x2800), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8),
    (0xFFFC, 0xFFFC), (0x1D159, 0x1D159), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""What else Unicode calls default ignorable, and what has an empty glyph."""


def is_hidden(character: str) -> bool:
    """Whether a character is a control or format character, or has no glyph of its own.

    Among them are those that change the direction of writing, and those without width.
    """
    if unicodedata.category(character) in CATEGORIES:
        return True
    return any(first <= ord(character) <= last for first, last in IGNORABLE)


class _Escapes(dict[int, str]):
    """What stands for each character, by its number; filled as characters come up."""

    def __missing__(self, number: int) -> str:
        character = chr(number)
        shown = character.encode("unicode_escape").decode() if is_hidden(character) else character
        self[number] = shown
        return shown


_ESCAPES = _Escapes()
_LINES = _Escapes({ord("\n"): "\n", ord("\t"): "\t"})


def printable(text: str, *, lines: bool = False) -> str:
    r"""A text in which hidden characters are written as Python writes them.

    >>> printable("Al\x1b[2J\u202eCapone")
    'Al\\x1b[2J\\u202eCapone'

    Args:
        text: The text.
        lines: Whether to keep line ends and tabs.
    """
    return text.translate(_LINES if lines else _ESCAPES)


def read_number(text: str) -> int | None:
    """The number that up to 20 decimal digits stand for; ``None`` for any other text.

    Python refuses to read very long numbers, and takes digits of all scripts.

    >>> read_number("17"), read_number("-1"), read_number("9" * 5000)
    (17, None, None)
    """
    fits = text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER
    return int(text) if fits else None
