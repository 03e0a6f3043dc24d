"""The table as text, and what happened in sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import state as s
from .data import CARD_NAMES, CODES, NAMES, POINTS, PRICES
from .notation import hand_text


def narrate(state: Any, viewer: int | None, name: Callable[[int], str]) -> list[str]:
    """Sentences for what has happened since the last choice."""
    lines = []
    for kind, seat, detail, more in state.log[: state.log_size].tolist():
        line = _SENTENCES[kind](state, name(seat), seat, detail, more, viewer, name)
        if line:
            lines.append(line)
    if state.over:
        n = int(state.num_seats)
        winners = [name(seat) for seat in range(n) if state.places[seat] == 1]
        scores = ", ".join(f"{name(seat)} {state.scores[seat]}" for seat in range(n))
        ending = "The turn limit is reached" if state.capped else "The game is over"
        verb = "wins" if len(winners) == 1 else "win together"
        lines.append(f"{ending}: {' and '.join(winners)} {verb}. Scores: {scores}.")
    return lines


def _fought(state: Any, who: str, seat: int, x: int, owner: int, viewer: Any, name: Any) -> str:
    attack = [int(die) for die in state.dice[0] if die]
    defence = [int(die) for die in state.dice[1] if die]
    dice = f"{who} rolls {_dice(attack)}, {name(owner)} {_dice(defence)}"
    if max(attack) > max(defence):
        return f"{dice}: {who} takes {NAMES[x]}."
    return f"{dice}: {name(owner)} keeps {NAMES[x]}, {who} loses a henchman."


def _dice(faces: list[int]) -> str:
    return " ".join(str(face) for face in faces)


def _drew(state: Any, who: str, seat: int, card: int, more: int, viewer: Any, name: Any) -> str:
    if viewer in (None, seat) and card != s.NONE:
        return f"{who} draws {CARD_NAMES[card]}."
    return f"{who} draws a card and keeps it."


def _laid(state: Any, who: str, seat: int, card: int, more: int, viewer: Any, name: Any) -> str:
    if viewer in (None, seat) and card != s.NONE:
        return f"{who} pays with {CARD_NAMES[card]}."
    return ""


_JOKER_WORDS = {s.RED_JOKER: "sends the police to raid", s.BLACK_JOKER: "sends the mob to take"}

_SENTENCES: dict[int, Callable[..., str]] = {
    s.ROLLED: lambda st, who, seat, die, m, v, nm: f"{who} rolls {die} to hire.",
    s.HIRED: lambda st, who, seat, d, m, v, nm: f"{who} hires a henchman.",
    s.NOT_HIRED: lambda st, who, seat, d, m, v, nm: f"{who} hires nobody.",
    s.DREW: _drew,
    s.FLIPPED: lambda st, who, seat, x, m, v, nm: (
        f"{who} turns up {NAMES[x]} ({CODES[x]}, ${PRICES[x]})."
    ),
    s.BOUGHT: lambda st, who, seat, x, m, v, nm: f"{who} buys {NAMES[x]}.",
    s.PUT_BACK: lambda st, who, seat, x, m, v, nm: (
        f"{NAMES[x]} goes back into the deck, all discards with it."
    ),
    s.FOUGHT: _fought,
    s.GRABBED: lambda st, who, seat, x, m, v, nm: f"{who} takes {NAMES[x]}, which nobody defends.",
    s.HIT_MAN: lambda st, who, seat, victim, m, v, nm: (
        f"{who} sends a hit man: {nm(victim)} loses a henchman."
    ),
    s.AIMED: lambda st, who, seat, x, joker, v, nm: f"{who} {_JOKER_WORDS[joker]} {NAMES[x]}.",
    s.RAIDED: lambda st, who, seat, x, owner, v, nm: (
        f"{nm(owner)} loses {NAMES[x]}, which goes back into the deck with all discards."
    ),
    s.MOBBED: lambda st, who, seat, x, owner, v, nm: f"{nm(owner)} loses {NAMES[x]} to {who}.",
    s.BRIBED: lambda st, who, seat, x, cards, v, nm: (
        f"{who} pays a bribe of {cards} cards and keeps {NAMES[x]}."
    ),
    s.LAID: _laid,
    s.DROPPED: lambda st, who, seat, card, m, v, nm: f"{who} drops {CARD_NAMES[card]}.",
    s.NEXT_TURN: lambda st, who, seat, d, m, v, nm: "",
}


def shown_hand_size(state: Any, seat: int, viewer: int | None) -> int:
    """Cards that ``viewer`` sees in a hand: a payment in progress is the payer's own affair."""
    size = int(state.hand_size[seat])
    if seat == state.seat and viewer not in (None, seat):
        size += int(state.payment.sum())
    return size


def text(state: Any, viewer: int | None, name: Callable[[int], str]) -> str:
    """The table for a terminal."""
    n = int(state.num_seats)
    lines = [
        f"Chicago Underworld · turn {int(state.turns) + 1} of {int(state.turn_cap)} at most · "
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
            f"{marks} {name(seat):<10} men {'♟' * int(state.men[seat]):<5} "
            f"hand {hand:<13} {points:>3} points  {_territories(owned)}"
        )
    free = [x for x in range(s.TERRITORIES) if state.owner[x] == s.NONE and x != state.flipped]
    lines.append(f"   in the deck: {_territories(free)}")
    if state.flipped != s.NONE:
        x = int(state.flipped)
        lines.append(f"   turned up: {NAMES[x]} ({CODES[x]}) for ${PRICES[x]}")
    if state.target != s.NONE:
        x = int(state.target)
        lines.append(f"   {name(int(state.current))} {_JOKER_WORDS[int(state.joker)]} {NAMES[x]}")
    if state.price > 0 and viewer in (None, int(state.seat)):
        lines.append(f"   to pay: ${int(state.price)}, paid so far ${int(state.paid)}")
    if state.over:
        lines.append("   the game is over")
    return "\n".join(lines)


def _territories(owned: list[int]) -> str:
    return ", ".join(f"{CODES[x]} {NAMES[x]}" for x in owned) or "none"
