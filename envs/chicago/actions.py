"""The flat action space of Chicago Underworld (CU-17.1), and its actions in words (CU-18.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .data import CARD_NAMES, CARDS, CODES, GANGSTERS, HIRE_PRICE, NAMES, POINTS
from .state import CARD_TYPES, MAX_SEATS, MONEY_TYPES, TERRITORIES

if TYPE_CHECKING:
    from ..core.game import Game

HIRE = 0
DRAW = 1
END = 2
NO = 3
PAY = 4
BATTLE = PAY + MONEY_TYPES
RAID = BATTLE + TERRITORIES
MOB = RAID + TERRITORIES
HIT = MOB + TERRITORIES
DROP = HIT + MAX_SEATS - 1
NUM_ACTIONS = DROP + CARD_TYPES


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


ITEM_ACTIONS: Final = {
    "seats": ((-1,), *((HIT + seat - 1,) for seat in range(1, MAX_SEATS))),
}
"""See :attr:`gangland.envs.core.game.Game.item_actions`."""
