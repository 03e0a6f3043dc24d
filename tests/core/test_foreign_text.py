"""Hidden characters are found and escaped, and digits are read within limits."""

from __future__ import annotations

import re
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gangland.envs.core.presentation.foreign_text import is_hidden, printable, read_number

HIDDEN = (
    "\x00\t\n\x1b\x7f\x9b\xad\u034f\u061c\u115f\u200b\u200d\u202e\u2028\u2066\u2800\u3164\ufe0f"
    "\ufeff\ufffc"
)


@pytest.mark.parametrize("character", [*HIDDEN, "\U000e0041", "\ud800"], ids=ascii)
def test_what_is_not_seen_is_hidden(character):
    assert is_hidden(character)
    assert printable(f"a{character}b").isascii()
    assert not any(is_hidden(one) for one in printable(f"a{character}b"))


@pytest.mark.parametrize(
    "name", ["Al Capone", "Zoë", "O'Banion", "山田 太郎", "Ольга", "محمد", "🎩", "a\u0301"]
)
def test_names_in_any_script_are_left_as_they_are(name):
    assert printable(name) == name


def test_the_categories_of_unicode_are_hidden():
    wanted = ("Cc", "Cf", "Cs", "Zl", "Zp")
    for number in range(sys.maxunicode + 1):
        if unicodedata.category(chr(number)) in wanted:
            assert is_hidden(chr(number)), hex(number)


@given(st.text())
def test_lines_are_kept_where_they_are_wanted(text):
    shown = printable(text, lines=True)
    assert re.sub(r"[^\n\t]", "", shown) == re.sub(r"[^\n\t]", "", text)
    assert "\x1b" not in shown


def test_only_short_ascii_digits_are_numbers():
    assert read_number(str(2**64 - 1)) == 2**64 - 1
    for text in ("", "-1", "+1", " 1", "1_0", "²", "٣", "1.0", "9" * 5000):
        assert read_number(text) is None
