"""How a game without words of its own shows itself: its record's fields, as text and picture."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import NotationError
from ..state import State, header
from .svg import clickable, document, rect, text

if TYPE_CHECKING:
    from ..game import Game

INK, PAPER, BUTTON = "#20242a", "#fbf8ef", "#e3b341"
WIDTH, LINE, MARGIN, PRINT = 640, 22, 14, 13.2


def position_text(game: Game, state: State) -> str:
    """``PIG/1 {"num_seats":2,"target":50}``: every field that is not zero, but no chance."""
    fields = {key: value for key, value in _values(game, state).items() if np.any(value)}
    return f"{_head(game)} {json.dumps(fields, separators=(',', ':'))}"


def parse_position(game: Game, written: str) -> State:
    """The record of :func:`position_text`.

    Raises:
        NotationError: Naming what is wrong and what is allowed.
    """
    head, _, rest = written.strip().partition(" ")
    if head != _head(game):
        raise NotationError(f"{head[:40]!r}: must begin with {_head(game)}")
    try:
        fields = json.loads(rest)
    except (ValueError, RecursionError) as error:
        raise NotationError(f"{rest[:40]!r}: must be a JSON object of fields") from error
    zeros = game.to_dict(np.zeros(1, game.dtype)[0])
    if not isinstance(fields, dict) or "rng" in fields:
        raise NotationError(f"{rest[:40]!r}: must be a JSON object of fields, without rng")
    state = game.from_dict({**zeros, "fields": {**zeros["fields"], **fields}})
    if wrong := game.inconsistency(state):
        raise NotationError(wrong)
    return state


def table(game: Game, state: State, viewer: int | None) -> list[str]:
    """Who decides, and the game's own fields by name, as far as the viewer may know them."""
    known = state if viewer is None else game.redact(state, viewer)
    if known.over:
        places = ", ".join(
            f"{game.seat_name(known, seat)} {known.places[seat]}."
            for seat in range(game.num_seats(known))
        )
        lines = [f"The game is over: {places}"]
    else:
        seat = int(known.seat)
        who = game.seat_name(known, seat) if seat >= 0 else "Somebody"
        lines = [f"{who} decides."]
    common = {name for name, *_ in header(game.max_seats)}
    for name, value in _values(game, known).items():
        if name not in common and name not in game.scratch:
            lines.append(f"{name}: {value}")
    return lines


def svg(game: Game, state: State, viewer: int | None, legal: Sequence[int], last: str) -> str:
    """The lines of :func:`table`, and a button for each legal action."""
    lines = [game.title, *table(game, state, viewer), last]
    height = MARGIN + LINE * (len(lines) + len(legal)) + MARGIN
    parts = [rect(0, 0, WIDTH, height, PAPER)]
    parts += [text(MARGIN, LINE * (k + 1), line, PRINT, INK) for k, line in enumerate(lines)]
    for k, action in enumerate(legal):
        top = MARGIN + LINE * (len(lines) + k)
        words = game.describe(state, action)
        face = rect(MARGIN, top, WIDTH - 2 * MARGIN, LINE - 3, BUTTON, 4)
        parts.append(clickable(action, words, face + text(MARGIN + 6, top + 14, words, PRINT, INK)))
    return document(WIDTH, height, "".join(parts))


def _head(game: Game) -> str:
    return f"{game.name.upper()}/{game.rules_version}"


def _values(game: Game, state: State) -> dict[str, Any]:
    """Every field but the chance to come, as JSON-able values."""
    values: dict[str, Any] = game.to_dict(state)["fields"]
    del values["rng"]
    return values
