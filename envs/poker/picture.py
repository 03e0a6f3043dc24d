"""The table as an SVG picture."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ..core.game import Game
from ..core.state import State
from .hidden import turned_up
from .state import NONE, rank_name
from .words import chips

WIDTH, ROW, TOP = 420, 44, 56


def svg(
    game: Game, state: State, viewer: int | None, legal: Sequence[int] = (), last: str = ""
) -> str:
    """The table as a picture."""
    known = state if viewer is None else game.redact(state, viewer)
    n = int(known.num_seats)
    height = TOP + n * ROW + 48
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" font-family="sans-serif" font-size="14">',
        f'<rect width="{WIDTH}" height="{height}" rx="10" fill="#1d4d3a"/>',
        f'<text x="14" y="32" fill="#f4efe2">Pot {int(known.stakes.sum())}</text>',
    ]
    if known.rounds > 1:
        parts.append(_card(known, int(known.public) if turned_up(known) else NONE, WIDTH - 50, 10))
    for seat in range(n):
        parts.append(_seat(known, viewer, seat, TOP + seat * ROW))
    for k, action in enumerate(legal):
        parts.append(_button(game.describe(state, action), action, 14 + k * 130, height - 38))
    if last and not legal:
        parts.append(f'<text x="14" y="{height - 18}" fill="#f4efe2">{escape(last)}</text>')
    return "".join([*parts, "</svg>"])


def _seat(state: State, viewer: int | None, seat: int, top: float) -> str:
    notes = [f"{state.stakes[seat]} in the pot"]
    notes += ["folded"] * bool(state.folded[seat]) + ["decides"] * bool(state.seat == seat)
    if state.over:
        notes.append(f"{chips(int(state.scores[seat]))} chips")
    name = f"Player {seat}" + " (you)" * (seat == viewer)
    return (
        f'<g opacity="{0.55 if state.folded[seat] else 1}">'
        f'{_card(state, int(state.cards[seat]), 14, top)}<text x="60" y="{top + 24}" '
        f'fill="#f4efe2">{name}: {escape(", ".join(notes))}</text></g>'
    )


def _card(state: State, card: int, x: float, y: float) -> str:
    if card == NONE:
        return f'<rect x="{x}" y="{y}" width="28" height="38" rx="4" fill="#7a2f2f"/>'
    name = rank_name(card, int(state.num_seats))
    return (
        f'<rect x="{x}" y="{y}" width="28" height="38" rx="4" fill="#fbf8ef"/>'
        f'<text x="{x + 14}" y="{y + 25}" text-anchor="middle" fill="#20242a">{name}</text>'
    )


def _button(words: str, action: int, x: float, y: float) -> str:
    return (
        f'<g data-action="{action}" style="cursor:pointer"><rect x="{x}" y="{y}" width="122" '
        f'height="30" rx="6" fill="#e3b341"/><text x="{x + 61}" y="{y + 20}" '
        f'text-anchor="middle" fill="#20242a">{escape(words)}</text></g>'
    )
