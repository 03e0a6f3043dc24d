"""The table as text for a terminal."""

from __future__ import annotations

from ...core.game import Game
from ...core.state import State
from .. import state as s
from ..data import CODES, GANGSTERS, NAMES, POINTS, PRICES
from .narration import JOKER_WORDS, ending
from .notation import hand_text


def shown_hand_size(state: State, seat: int, viewer: int | None) -> int:
    """Cards that ``viewer`` sees in a hand: a payment in progress is the payer's own affair."""
    size = int(state.hand_size[seat])
    if seat == state.seat and viewer not in (None, seat):
        size += int(state.payment.sum())
    return size


def text(game: Game, state: State, viewer: int | None) -> str:
    """The table for a terminal."""
    n = int(state.num_seats)
    turn = min(int(state.turns) + 1, int(state.turn_cap))
    lines = [
        f"Chicago Underworld · turn {turn} of {int(state.turn_cap)} at most · "
        f"{int(state.pile_size)} cards in the deck · discards {hand_text(state.discards)}"
    ]
    for seat in range(n):
        owned = [x for x in range(s.TERRITORIES) if state.owner[x] == seat]
        points = sum(int(POINTS[x]) for x in owned)
        shown = viewer in (None, seat) or bool(state.over)
        size = shown_hand_size(state, seat, viewer)
        hand = hand_text(state.hands[seat]) if shown else "?" * size or "-"
        marks = ("►" if seat == state.current else " ") + ("*" if seat == viewer else " ")
        lines.append(
            f"{marks} {seat} {GANGSTERS[seat]:<9} men {'♟' * int(state.men[seat]):<5} "
            f"hand {hand:<13} {points:>3} points  {_territories(owned)}"
        )
    free = [x for x in range(s.TERRITORIES) if state.owner[x] == s.NONE and x != state.flipped]
    lines.append(f"   in the deck: {_territories(free)}")
    if state.flipped != s.NONE:
        x = int(state.flipped)
        lines.append(f"   turned up: {NAMES[x]} ({CODES[x]}) for ${PRICES[x]}")
    if state.target != s.NONE:
        x = int(state.target)
        attack = f"{GANGSTERS[int(state.current)]} {JOKER_WORDS[int(state.joker)]} {NAMES[x]}"
        lines.append(f"   {attack}")
    if state.price > 0 and viewer in (None, int(state.seat)):
        lines.append(f"   to pay: ${int(state.price)}, paid so far ${int(state.paid)}")
    if state.over:
        lines.append(f"   {ending(state)}")
    return "\n".join(lines)


def _territories(owned: list[int]) -> str:
    return ", ".join(f"{CODES[x]} {NAMES[x]}" for x in owned) or "none"
