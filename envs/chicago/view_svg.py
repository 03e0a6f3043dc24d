"""The table as an SVG picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape

from .view_text import text


def svg(state: Any, viewer: int | None, legal: Sequence[int], last: str) -> str:
    """The table for ``viewer``; see ``Game.svg``."""
    lines = text(state, viewer).splitlines()
    rows = "".join(
        f'<text x="10" y="{24 + 18 * k}" font-family="DejaVu Sans Mono, monospace" '
        f'font-size="13">{escape(line)}</text>'
        for k, line in enumerate(lines)
    )
    height = 40 + 18 * len(lines)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="{height}" '
        f'viewBox="0 0 1000 {height}">{rows}</svg>'
    )
