"""What happened, in sentences."""

from __future__ import annotations

from collections.abc import Callable

from ...core.game import Game
from ...core.presentation.sentences import DICE
from ...core.state import State
from .. import state as s
from ..data import CARD_NAMES, GANGSTERS, NAMES, PRICES


def narrate(game: Game, before: State, action: int, after: State, viewer: int | None) -> list[str]:
    """Sentences for what has happened between two positions, as ``viewer`` may see them."""
    lines = []
    paid: list[str] = []
    until = heard(after, viewer)
    for number in range(max(heard(before, viewer), until - s.LOG_SIZE + 1), until):
        kind, seat, detail, more = after.log[number % s.LOG_SIZE].tolist()
        if kind == s.PAID:
            if _knows(detail, viewer, seat, more):
                paid.append(CARD_NAMES[detail])
            continue
        if paid:
            lines.append(f"{GANGSTERS[seat]} pays {', '.join(paid)}.")
            paid = []
        line = _SENTENCES[kind](after, GANGSTERS[seat], seat, detail, more, viewer)
        if line:
            lines.append(line)
    if viewer in (None, after.seat):
        lines += _laid_down(before, after)
    if after.over:
        lines.append(ending(after))
    return lines


def heard(state: State, viewer: int | None) -> int:
    """Events that a viewer has seen: the roll of a hire comes with its outcome (CU-13.3)."""
    waits = state.phase == s.PAY_HIRE and viewer not in (None, state.seat)
    return int(state.told) - waits


def _laid_down(before: State, after: State) -> list[str]:
    """Cards of a payment in progress, largest first; they are shown to the payer alone."""
    laid = after.payment - before.payment
    who = GANGSTERS[after.seat]
    return [
        f"{who} lays down {CARD_NAMES[card]}."
        for card in reversed(range(s.MONEY_TYPES))
        for _ in range(laid[card])
    ]


def ending(state: State) -> str:
    """Who has won, why the game ended, and the scores."""
    n = int(state.num_seats)
    winners = [GANGSTERS[seat] for seat in range(n) if state.places[seat] == 1]
    scores = ", ".join(f"{GANGSTERS[seat]} {state.scores[seat]}" for seat in range(n))
    owners = set(state.owner.tolist())
    if len(owners) == 1 and s.NONE not in owners:
        reason = "All of Chicago is in one hand"
    elif state.capped:
        reason = "The turn limit is reached"
    else:
        reason = "The deck has run out"
    verb = "wins" if len(winners) == 1 else "win together"
    return f"{reason}: {' and '.join(winners)} {verb}. Scores: {scores}."


def _knows(card: int, viewer: int | None, seat: int, receiver: int) -> bool:
    """Whether a viewer sees a card paid: a bribe passes between two hands (CU-13.6)."""
    return card != s.NONE and (receiver == s.NONE or viewer in (None, seat, receiver))


def _fought(state: State, who: str, seat: int, x: int, owner: int, viewer: int | None) -> str:
    attack = [int(die) for die in state.dice[0] if die]
    defence = [int(die) for die in state.dice[1] if die]
    rival = GANGSTERS[owner]
    dice = f"{who} rolls {_dice(attack)}, {rival} {_dice(defence)}"
    if max(attack) > max(defence):
        return f"{dice}: {who} takes {NAMES[x]}."
    return f"{dice}: {rival} keeps {NAMES[x]}, {who} loses a henchman."


def _dice(faces: list[int]) -> str:
    return "".join(DICE[face] for face in faces)


def _drew(state: State, who: str, seat: int, card: int, more: int, viewer: int | None) -> str:
    if viewer in (None, seat) and card != s.NONE:
        return f"{who} draws {CARD_NAMES[card]}."
    return f"{who} draws a card and keeps it."


JOKER_WORDS = {s.RED_JOKER: "sends the police to raid", s.BLACK_JOKER: "sends the mob to take"}


_SENTENCES: dict[int, Callable[..., str]] = {
    s.ROLLED: lambda st, who, seat, die, m, v: f"{who} rolls {DICE[die]} to hire.",
    s.HIRED: lambda st, who, seat, d, m, v: f"{who} hires a henchman.",
    s.NOT_HIRED: lambda st, who, seat, d, m, v: f"{who} hires nobody.",
    s.DREW: _drew,
    s.FLIPPED: lambda st, who, seat, x, m, v: f"{who} turns up {NAMES[x]} for ${PRICES[x]}.",
    s.BOUGHT: lambda st, who, seat, x, m, v: f"{who} buys {NAMES[x]}.",
    s.PUT_BACK: lambda st, who, seat, x, m, v: (
        f"{NAMES[x]} goes back into the deck, all discards with it."
    ),
    s.FOUGHT: _fought,
    s.GRABBED: lambda st, who, seat, x, owner, v: (
        f"{who} takes {NAMES[x]} from {GANGSTERS[owner]}, who has nobody to defend it."
    ),
    s.HIT_MAN: lambda st, who, seat, victim, m, v: (
        f"{who} sends a hit man: {GANGSTERS[victim]} loses a henchman."
    ),
    s.AIMED: lambda st, who, seat, x, joker, v: f"{who} {JOKER_WORDS[joker]} {NAMES[x]}.",
    s.RAIDED: lambda st, who, seat, x, owner, v: (
        f"{GANGSTERS[owner]} loses {NAMES[x]}, which goes back into the deck with all discards."
    ),
    s.MOBBED: lambda st, who, seat, x, owner, v: f"{GANGSTERS[owner]} loses {NAMES[x]} to {who}.",
    s.BRIBED: lambda st, who, seat, x, cards, v: (
        f"{who} pays a bribe of {cards} {'card' if cards == 1 else 'cards'} and keeps {NAMES[x]}."
    ),
    s.DROPPED: lambda st, who, seat, card, m, v: f"{who} drops {CARD_NAMES[card]}.",
    s.NEXT_TURN: lambda st, who, seat, d, m, v: "",
}
