"""What lies on the table of Gangsters, for people, and what the game is like."""

from __future__ import annotations

from functools import cache
from typing import Final

from ..core.game import Game
from ..core.presentation.guide import About, Choice, Piece, Preset, Turn
from ..core.state import State
from .actions import action_text
from .data import (
    BOARD,
    BUILDING_NAMES,
    CASH_TO_WIN,
    GUARD_DICE,
    HQ_TO_WIN,
    JOINTS,
    JOINTS_TO_WIN,
    OFFICER_DICE,
    OFFICER_IDS,
    PRICE,
    PUBLIC_IDS,
    PUBLIC_VALUE,
    SIDES,
)
from .words.narration import prompt, public_name

EMBLEM: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120"><rect width="120" height="120" '
    'rx="16" fill="#e8dbb9"/><g stroke="#b7a376" stroke-width="13"><path d="M0 34h120M0 88h120'
    'M30 0v120M92 0v120"/></g><g stroke="#fbf5e4" stroke-width="9"><path d="M0 34h120M0 88h120'
    'M30 0v120M92 0v120"/></g><rect x="42" y="44" width="38" height="30" rx="4" fill="#e07a6c" '
    'stroke="#b3261e" stroke-width="3"/><circle cx="30" cy="88" r="14" fill="#b3261e" '
    'stroke="#fff" stroke-width="3"/><rect x="17" y="21" width="26" height="26" rx="4" '
    'fill="#1d7a46" stroke="#fff" stroke-width="3"/><path d="M92 20l15 5-1 12q-2 9-14 14-12-5-14-14'
    'l-1-12z" fill="#10264d" stroke="#fff" stroke-width="3"/><path d="M92 104C70 90 80 70 92 81'
    'c12-11 22 9 0 23z" fill="#e0a800" stroke="#fff" stroke-width="3"/><g fill="#2b2418">'
    '<path d="M48 62h20l3-6h7v6h-5l-4 8h-6l2-4h-17z"/></g></svg>'
)

ABOUT: Final = About(
    pitch="Four gangs and the police in Prohibition Chicago: buy joints, extort, shoot, bribe "
    "officers and move them against your rivals.",
    minutes=(60, 150),
    weight="heavy",
    emblem=EMBLEM,
    presets=(
        Preset("Standard", "Four gangs and the police, 40 rounds at most.", {}),
        Preset("Quick", "Two gangs without police, 20 rounds at most.",
               {"gangs": 2, "police": False, "max_rounds": 20}),
        Preset("With all equipment", "Heaters, wheels and dresses may be bought.",
               {"heaters": True, "wheels": True, "dress": True}),
    ),
)  # fmt: skip

THINGS: Final = {
    "racketeer": Piece(
        "Racketeer",
        "Gang piece, round",
        text=(
            "Moves by the green die, buys and improves joints where he stands, and recruits. For "
            "every two members the gang has an action a turn.",
            "Shoots with a die for each member; a 6 hits.",
        ),
        rules=("G-2.8", "G-5.2", "G-7.1", "G-2.11"),
    ),
    "thug": Piece(
        "Thug",
        "Gang piece, square",
        text=(
            "Moves by the red die. Extorts in buildings that nobody owns: $100 for each pip.",
            "Shoots with a die for each member; 5 and 6 hit.",
        ),
        rules=("G-2.8", "G-11.2", "G-2.11"),
    ),
    "vamp": Piece(
        "Vamp",
        "Gang piece, heart",
        text=(
            "Moves by the yellow die. Extorts, and lures a member away from a rival's piece.",
            "She never shoots.",
        ),
        rules=("G-2.8", "G-11.2", "G-11.4"),
    ),
    "commissioner": Piece(
        "Commissioner",
        "Piece of the police",
        text=(
            "Moves by the green die in the Cop Turn, buys precinct headquarters where he stands, "
            "raids and arrests. The stronger he is, the more moves the police have.",
        ),
        rules=("G-2.17", "G-14.12", "G-14.13", "G-14.16"),
    ),
    "cash": Piece(
        "Cash",
        text=(
            f"Secret to the others. With ${CASH_TO_WIN:,}, a Racketeer, a Thug and the Vamp a gang "
            "wins at the end of its turn.",
        ),
        rules=("G-1.3", "G-18.2"),
    ),
    "joints": Piece(
        "Joints and precincts",
        text=(
            f"A gang wins with {JOINTS_TO_WIN} joints, or with every joint of one colour; the "
            f"police with {HQ_TO_WIN} precincts and a loyal officer on the board.",
        ),
        rules=("G-1.3", "G-15.3", "G-15.4"),
    ),
    "strength": Piece(
        "Strength",
        text=(
            "Members of a piece, 9 at most. The next one costs $100 times its number, times the "
            "piece's die.",
        ),
        rules=("G-2.8", "G-7.4"),
    ),
    "bribe": Piece(
        "Bribe marker",
        text=(
            "Bought for $100 times the blue die, drawn in secret. It moves its officer, stops "
            "him, or takes a share of a raid.",
        ),
        rules=("G-9.1", "G-9.6", "G-9.12"),
    ),
    "chit": Piece(
        "Informant chit",
        text=("The police turn all Publics of its value into Informants.",),
        rules=("G-10.6", "G-10.7"),
    ),
    "crime": Piece(
        "Crime level",
        text=(
            "Half of the number of criminal gang pieces, rounded up. It says how many officers "
            "may be on the board, and what the police are paid.",
        ),
        rules=("G-2.19", "G-9.4"),
    ),
    "dice": Piece(
        "Dice of the turn",
        text=(
            "Each moves one kind of piece by exactly its number: Racketeer, Thug, Vamp, Publics, "
            "officers.",
        ),
        rules=("G-2.12", "G-6.1"),
    ),
    "pawns": Piece(
        "Order of the round",
        text=("Pawns are drawn one by one; the police move last.",),
        rules=("G-4.2",),
    ),
    "subway": Piece(
        "Subway station",
        text=(
            "A gang piece or the Commissioner may change to any other station in one step. "
            "Officers and Publics come in at the station that their die shows.",
        ),
        rules=("G-6.8", "G-6.11"),
    ),
    "shootout": Piece(
        "Shootout",
        text=("All fire at once, each at one side; every hit takes a member.",),
        rules=("G-8.1", "G-2.11"),
    ),
}


def _building(b: int) -> Piece:
    name = BUILDING_NAMES[b]
    entry = BOARD["buildings"][name]
    if b >= JOINTS:
        return Piece(
            name,
            "Public building",
            (("Price", f"${PRICE[b]} for the police"),),
            ("No gang can own it, but Thugs and Vamps extort here.",),
            ("G-2.6", "G-11.2"),
        )
    return Piece(
        name,
        f"Joint, {str(entry['colour']).lower()}",
        (("Price", f"${PRICE[b]}"), ("Guards", f"{GUARD_DICE[b]} dice, 4 and more hit")),
        (
            "Its owner earns price times level times the value of the Publics inside.",
            "It can be improved up to the number of joints of its colour that the gang owns.",
        ),
        ("G-5.2", "G-5.3", "G-11.6", "G-8.1"),
    )


@cache
def pieces(game: Game) -> dict[str, Piece]:
    """Buildings by code, and what else there is."""
    found = dict(THINGS)
    for b, name in enumerate(BUILDING_NAMES):
        found[BOARD["buildings"][name]["code"]] = _building(b)
    for o, officer in enumerate(OFFICER_IDS):
        bribed = "Cannot be bribed." if officer == "U" else "Moved by bribes or by the police."
        found[f"officer:{officer}"] = Piece(
            f"Officer {officer}" if officer != "U" else "The Untouchables",
            "Officer",
            (("Dice", f"{OFFICER_DICE[o]}, 5 and 6 hit"),),
            ("Raids criminal joints and arrests criminal pieces where he arrives.", bribed),
            ("G-2.14", "G-9.8", "G-9.17"),
        )
    for p, public in enumerate(PUBLIC_IDS):
        found[f"public:{public}"] = Piece(
            public_name(public).removeprefix("the "),
            "Public",
            (("Value", str(PUBLIC_VALUE[p])),),
            (
                "In a joint it brings the owner price times level times its value.",
                "Criminals at the same place chase it away. Informants serve the police.",
            ),
            ("G-10.1", "G-10.4", "G-11.6"),
        )
    return found


def question(game: Game, state: State) -> str:
    """What the deciding seat is asked."""
    if state.over or state.seat < 0:
        return ""
    words = prompt(state, int(state.seat))
    return words[0].upper() + words[1:]


def choice(game: Game, state: State, action: int) -> Choice:
    """The kind of an action, by the first word of its notation."""
    verb = action_text(game, state, action).partition(" ")[0]
    groups = {"go": "Go to", "pay": "Give money", "get": "Ask for money", "cop": "Move an officer"}
    return Choice(groups.get(verb, ""))


def turn(game: Game, state: State) -> Turn:
    """A gang's turn, the Cop Turn, or the setting up."""
    if not state.revealed:
        return Turn("Setting up")
    seat = int(state.active)
    return Turn(f"Round {int(state.round_number)}: {SIDES[seat]}" if seat >= 0 else "", seat)
