"""What speaks for an action by the rules of thumb (CU-20.1), from what the deciding seat knows."""

from __future__ import annotations

from typing import Any

from ...core.game import Game
from ..actions import BATTLE, DRAW, DROP, END, HIRE, HIT, MOB, NO, RAID, hit_seat
from ..data import GANGSTERS, HIRE_PRICE, MAN_POINTS, NAMES, POINTS
from ..heuristics import COST_OF_LOSS, WIN_CHANCE
from ..state import ACE, BRIBE, MAX_MEN, MONEY_TYPES, PAY_HIRE, TERRITORIES


def money_in_hand(state: Any, seat: int) -> int:
    """Dollars that a seat holds."""
    return sum((card + 2) * int(state.hands[seat, card]) for card in range(MONEY_TYPES))


def reason(game: Game, state: Any, action: int) -> str:
    """A sentence or two for the deciding seat."""
    seat = int(state.seat)
    if action == HIRE:
        return _hire(state, seat)
    if action == DRAW:
        return (
            "A card is money, a weapon or a territory that you may buy. Draw when no fight is "
            "worth it and you have men enough."
        )
    if action == END:
        return "Keep your cards for later: an Ace or a joker loses nothing by waiting."
    if action == NO:
        return _refuse(state, seat)
    if action < BATTLE:
        return "Pay with the cards that come closest to the price: there is no change."
    if action < RAID:
        return _battle(state, seat, action - BATTLE)
    if action < HIT:
        x = (action - RAID) % TERRITORIES
        joker = "The mob takes it for you" if action >= MOB else "A raid takes it from him"
        return (
            f"{joker}, without dice: use a joker on the most valuable territory of the richest "
            f"rival. {NAMES[x]} is worth {int(POINTS[x])} points."
        )
    if action < DROP:
        victim = hit_seat(state, action)
        men = int(state.men[victim])
        left = "one man fewer"
        if men == 1:
            left = "no man, so that his territories can be taken without a fight"
        return f"{GANGSTERS[victim]} would have {left}: clear the way before you attack."
    return _drop(action - DROP)


def _hire(state: Any, seat: int) -> str:
    men = int(state.men[seat])
    words = (
        f"Half of all hires are free; the others cost ${HIRE_PRICE} if you want. A man is worth "
        f"{MAN_POINTS} points, one die more in attack and in defence."
    )
    if men <= 1:
        words += " With so few men you are the easiest one to attack."
    if men == MAX_MEN - 1:
        words += " He would be your last: five is the most."
    return words


def _battle(state: Any, seat: int, x: int) -> str:
    owner, points = int(state.owner[x]), int(POINTS[x])
    own, rival = int(state.men[seat]), int(state.men[owner])
    if rival == 0:
        return f"{points} points for nothing: {GANGSTERS[owner]} has nobody to defend them."
    chance = float(WIN_CHANCE[own, rival])
    gain = chance * points - COST_OF_LOSS * (1.0 - chance)
    worth = "worth the risk" if gain > 0.0 else "not worth the risk"
    return (
        f"You win {chance:.0%} of such battles. With {points} points to win and a man to lose, "
        f"that is {worth}."
    )


def _refuse(state: Any, seat: int) -> str:
    price, money = int(state.price), money_in_hand(state, seat)
    if state.phase == PAY_HIRE:
        return f"Money counts a point a dollar, and you have ${money}: a free hire may come later."
    if state.phase == BRIBE:
        points = int(POINTS[state.target])
        return f"${price} for a territory of {points} points: let it go if that is too dear."
    points = int(POINTS[state.flipped])
    return (
        f"${price} for {points} points, and whoever owns much is attacked first. At a large table "
        "a dear territory often pays for others."
    )


def _drop(card: int) -> str:
    if card < MONEY_TYPES:
        return f"Drop the smallest money first: ${card + 2} is worth {card + 2} points at the end."
    if card == ACE:
        return "An Ace is a henchman of a rival: drop small money before it."
    return "A joker takes a whole territory: drop anything else before it."
