"""What lies on the table of Chicago Underworld, for people, and what the game is like."""

from __future__ import annotations

from functools import cache
from typing import Final

from ..core.game import Game
from ..core.presentation.guide import About, Piece, Preset, Turn
from ..core.state import State
from .data import CODES, GANGSTERS, HIRE_PRICE, MAN_POINTS, NAMES, POINTS, PRICES
from .state import MAX_MEN, MONEY_TYPES

EMBLEM: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120"><rect width="120" height="120" '
    'rx="16" fill="#182338"/><circle cx="88" cy="30" r="14" fill="#f6e7b4"/><g fill="#31405a">'
    '<path d="M0 108V66h16V50h14v24h12V38h16v30h12V56h18v22h14V62h18v46z"/></g>'
    '<g fill="#f2c14e"><path d="M6 74h4v5H6zM21 58h4v5h-4zM34 82h4v5h-4zM47 48h4v5h-4zM47 62h4v5'
    'h-4zM74 66h4v5h-4zM92 84h4v5h-4zM108 72h4v5h-4zM62 78h4v5h-4z"/></g>'
    '<path d="M20 104q40-14 80 0l-8 8q-32-8-64 0zM34 98q0-34 14-34 7 0 12 5 5-5 12-5 14 0 14 34-26'
    '-8-52 0z" fill="#c62828"/><path d="M35 92q25-8 50 0v6q-26-8-51 0z" fill="#7a1212"/></svg>'
)
ABOUT: Final = About(
    pitch="Buy the territories of Chicago, hire henchmen, and fight over them with dice, hit men, "
    "police raids and the mob.",
    minutes=(10, 25),
    weight="light",
    emblem=EMBLEM,
    presets=(
        Preset("Evening", "At most 100 turns, then the scores count.", {"turn_cap": 100}),
        Preset("Quick", "At most 40 turns.", {"turn_cap": 40, "players": 4}),
        Preset("By the book", "Until the deck is empty; scored after 60 turns a seat.", {}),
    ),
)


def _district(x: int) -> Piece:
    price, points = int(PRICES[x]), int(POINTS[x])
    return Piece(
        NAMES[x],
        "Territory",
        (("Price", f"${price}"), ("Points", str(points))),
        (
            "Whoever draws its card may buy it. Otherwise it goes back into the deck.",
            "Its owner can lose it in a battle, to a police raid or to the mob.",
        ),
        ("CU-2.3", "CU-6.3", "CU-9.1"),
    )


_CARDS: Final = {
    "A": Piece(
        "Ace: hit man",
        "Card",
        text=("Takes a henchman from a rival who has one. Beside the action of the turn.",),
        rules=("CU-8.1", "CU-8.2"),
    ),
    "R": Piece(
        "Red joker: police raid",
        "Card",
        text=(
            "A rival loses a territory, which goes back into the deck. He can bribe the police if "
            "he has the money. Henchmen do not help.",
        ),
        rules=("CU-8.4", "CU-8.5"),
    ),
    "B": Piece(
        "Black joker: the mob",
        "Card",
        text=(
            "Take a territory from a rival without dice. He can keep it for a bribe, which you "
            "get. You need no henchman.",
        ),
        rules=("CU-8.6", "CU-8.7"),
    ),
    "back": Piece(
        "A rival's hand",
        "Cards",
        text=("Everybody sees how many cards a rival holds, not which.",),
        rules=("CU-13.1", "CU-11.1"),
    ),
    "men": Piece(
        "Henchmen",
        text=(
            f"At most {MAX_MEN}; each counts {MAN_POINTS} points at the end. Hiring takes a roll "
            f"of 4 or more, or ${HIRE_PRICE}.",
            "In a battle both sides roll a die for each henchman. The highest die wins, the "
            "defender if they are equal. A beaten attacker loses a henchman.",
        ),
        rules=("CU-5.1", "CU-5.3", "CU-9.3", "CU-9.4"),
    ),
    "pile": Piece(
        "Draw pile",
        text=("Money, Aces, jokers, and all territories that nobody owns.",),
        rules=("CU-6.1", "CU-10.1"),
    ),
    "discards": Piece(
        "Discards",
        text=(
            "Cards used, paid or dropped. They go back into the deck whenever a territory does.",
        ),
        rules=("CU-10.2", "CU-10.4"),
    ),
    "points": Piece(
        "Points",
        text=(
            f"What territories are worth. At the end every henchman adds {MAN_POINTS}, and every "
            "dollar in hand 1.",
        ),
        rules=("CU-14.4",),
    ),
}


@cache
def pieces(game: Game) -> dict[str, Piece]:
    """Territories by code, cards by letter, and what else there is."""
    found = {CODES[x]: _district(x) for x in range(len(CODES))}
    for card in range(MONEY_TYPES):
        found[f"${card + 2}"] = Piece(
            f"${card + 2}",
            "Money",
            text=("Pays for territories, henchmen and bribes. There is no change.",),
            rules=("CU-7.1", "CU-7.2"),
        )
    return found | _CARDS


def turn(game: Game, state: State) -> Turn:
    """A gangster's turn."""
    seat = int(state.current)
    return Turn(f"Turn {int(state.turns) + 1}: {GANGSTERS[seat]}", seat)
