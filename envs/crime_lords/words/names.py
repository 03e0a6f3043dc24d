"""Names of the cards."""

from __future__ import annotations

from ..data.tables import CARDS_DATA


def crook_name(crook: int) -> str:
    """A Crook by name."""
    return str(CARDS_DATA["crooks"][crook]["name"])


def racket_name(racket: int) -> str:
    """A Racket by name."""
    return str(CARDS_DATA["rackets"][racket]["name"])


def special_name(kind: int) -> str:
    """A Special by name."""
    return str(CARDS_DATA["specials"][kind]["name"])
