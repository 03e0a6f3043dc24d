"""Docstrings as the API reference shows them: Markdown instead of Sphinx roles."""

from __future__ import annotations

import re
from typing import Any

import griffe

ROLE = re.compile(r":(?:class|func|meth|mod|attr|data|exc):`(~?)([\w.]+)`")
BLOCK = re.compile(r"::(?=\n\n)")
DOCTEST = re.compile(r"^>>> .*(?:\n.+)*", re.M)


def as_markdown(text: str) -> str:
    """A docstring without Sphinx markup: roles become code, ``::`` a colon, doctests blocks."""

    def name(match: re.Match[str]) -> str:
        return f"`{match[2].rpartition('.')[2] if match[1] else match[2]}`"

    fenced = DOCTEST.sub(lambda match: f"```pycon\n{match[0]}\n```", text)
    return BLOCK.sub(":", ROLE.sub(name, fenced))


class Roles(griffe.Extension):  # type: ignore[misc]
    """Rewrites every docstring."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of a module, class, function or attribute."""
        if obj.docstring:
            obj.docstring.value = as_markdown(obj.docstring.value)
