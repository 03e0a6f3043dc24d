"""The notation of each action (CU-18.1), and a sentence that says what it does."""

from __future__ import annotations

from typing import Any

from ...core.game import Game
from ..actions import BATTLE, DRAW, DROP, END, HIRE, HIT, MOB, NO, PAY, RAID
from ..data import CARD_NAMES, CARDS, CODES, GANGSTERS, HIRE_PRICE, NAMES, POINTS
from ..state import TERRITORIES


def hit_seat(state: Any, action: int) -> int:
    """The seat that an Ace action aims at, clockwise from the current seat."""
    return int((state.current + action - HIT + 1) % state.num_seats)


def action_text(game: Game, state: Any, action: int) -> str:
    """Notation of an action (CU-18.1): seats are absolute."""
    if action in (HIRE, DRAW, END, NO):
        return ("hire", "draw", "end", "no")[action]
    if action < BATTLE:
        return f"pay {CARDS[action - PAY]}"
    if action < RAID:
        return f"battle {CODES[action - BATTLE]}"
    if action < MOB:
        return f"raid {CODES[action - RAID]}"
    if action < HIT:
        return f"mob {CODES[action - MOB]}"
    if action < DROP:
        return f"hit {hit_seat(state, action)}"
    return f"drop {CARDS[action - DROP]}"


def describe(game: Game, state: Any, action: int) -> str:
    """A sentence for the seat that decides."""
    if action == HIRE:
        return f"Hire a henchman: free on a roll of 4 to 6, otherwise ${HIRE_PRICE}."
    if action == DRAW:
        return "Draw a card."
    if action == END:
        return "End the turn."
    if action == NO:
        return f"Do not pay the ${int(state.price)}."
    if action < BATTLE:
        return f"Pay with {CARD_NAMES[action - PAY]}."
    if action < HIT:
        x = (action - BATTLE) % TERRITORIES
        owner = int(state.owner[x])
        place = f"{NAMES[x]} ({int(POINTS[x])} points)"
        if action >= MOB:
            return f"Send the mob: take {place} from {GANGSTERS[owner]}."
        if action >= RAID:
            return f"Call a police raid: {GANGSTERS[owner]} loses {place}, back into the deck."
        if state.men[owner] == 0:
            return f"Take {place} from {GANGSTERS[owner]}, who has no henchman."
        own, rival = int(state.men[state.current]), int(state.men[owner])
        dice = "die" if own == 1 else "dice"
        return f"Battle {GANGSTERS[owner]} for {place}: {own} {dice} against {rival}."
    if action < DROP:
        return f"Send a hit man: {GANGSTERS[hit_seat(state, action)]} loses a henchman."
    return f"Drop {CARD_NAMES[action - DROP]}."
