"""Offers in words: what is given, what is asked for, and how they ended."""

from __future__ import annotations

from ...core.game import Game
from ...core.presentation.sentences import agree
from ...core.state import State
from .. import actions as act
from ..data import KIND_OF_COPY, LADDER
from ..state import CARDS, CROOKS, NONE, OFFER_ASK, OFFER_PRICE, OFFER_REPLY, OFFERING
from .cards import crook_name, racket_name, special_name


def card_name(card: int) -> str:
    """A card of the deck by name."""
    if card < CROOKS:
        return crook_name(card)
    if card < CARDS:
        return racket_name(card - CROOKS)
    return special_name(KIND_OF_COPY[card - CARDS])


def terms(game: Game, state: State, asked: str = "", price: int = NONE) -> str:
    """Who offers whom what for what.

    Args:
        game: The game.
        state: The record while the offer is made, or waits for an answer.
        asked: Name of the card that is asked for, if the record does not hold it yet.
        price: The money that is asked for, in G, if the record does not hold it yet.
    """
    asked = asked or (card_name(int(state.asked)) if state.asked >= 0 else "")
    price = int(LADDER[state.price]) if price == NONE else price
    cash = int(LADDER[state.given_cash])
    given = [card_name(int(state.given))] if state.given >= 0 else []
    given += [f"{cash} G"] * (cash > 0)
    wanted = [asked] * bool(asked) + [f"{price} G"] * (price > 0)
    who = game.seat_name(state, int(state.active))
    whom = game.seat_name(state, int(state.partner))
    if not wanted:
        return agree(who, f"offer {whom} {' and '.join(given)} as a gift")
    return agree(who, f"offer {whom} {' and '.join(given) or 'nothing'} for {' and '.join(wanted)}")


def narrate(game: Game, before: State, action: int, after: State, viewer: int | None) -> list[str]:
    """What the two parties see of an offer that has ended: its terms, and the answer.

    A refusal that the rules make is narrated like any other (CL-16.9).
    """
    if before.partner < 0 or after.phase in OFFERING:
        return []
    active = int(before.active)
    answer = "accepted" if after.deals > before.deals else "refused"
    if before.phase == OFFER_REPLY and viewer in (None, active, int(before.partner)):
        return [f"{terms(game, before)}: {answer}."]
    if viewer not in (None, active) or action in (act.BACKOUT, NONE):
        return []
    if before.phase == OFFER_PRICE:
        price = int(LADDER[action - act.AMOUNT_AT])
        return [f"{terms(game, before, price=price)}: {answer}."]
    if before.phase == OFFER_ASK:
        asked = _asked(action)
        if asked or before.given >= 0 or before.given_cash:
            return [f"{terms(game, before, asked, 0)}: {answer}."]
    return []


def _asked(action: int) -> str:
    """The card that an action asks for, by name; empty if it asks for none."""
    if action < act.CROOK_AT:
        return ""
    if action < act.RACKET_AT:
        return crook_name(action - act.CROOK_AT)
    if action < act.SPECIAL_AT:
        return racket_name(action - act.RACKET_AT)
    return special_name(action - act.SPECIAL_AT)
