"""What the cards and numbers of Crime Lords are, for people, and what the game is like."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from ..core.game import Game
from ..core.presentation.guide import About, Piece, Preset
from .data import CARDS_DATA
from .picture.cards import crook_plate, mob_plate, racket_plate, special_plate
from .words.cards import DISTRICT_NAMES, TIMING_WORDS, TYPE_NAMES, ability_text

Card = dict[str, Any]

EMBLEM: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120"><rect width="120" height="120" '
    'rx="16" fill="#2b2233"/><g stroke="#e8b84a" stroke-width="5" fill="none">'
    '<path d="M60 34v26M26 90V62h68v28M60 60v30"/></g><g fill="#efe3c8" stroke="#8a6312" '
    'stroke-width="2"><rect x="42" y="10" width="36" height="36" rx="6"/><rect x="11" y="78" '
    'width="30" height="30" rx="5"/><rect x="45" y="78" width="30" height="30" rx="5"/>'
    '<rect x="79" y="78" width="30" height="30" rx="5"/></g><g fill="#2d2620">'
    '<circle cx="60" cy="27" r="7"/><path d="M48 44q2-10 12-10t12 10z"/>'
    '<path d="M50 21q10-4 20 0l-3-2q0-6-4-6l-3 2-3-2q-4 0-4 6z"/><circle cx="26" cy="91" r="5"/>'
    '<path d="M17 106q1-9 9-9t9 9z"/><circle cx="60" cy="91" r="5"/>'
    '<path d="M51 106q1-9 9-9t9 9z"/><circle cx="94" cy="91" r="5"/>'
    '<path d="M85 106q1-9 9-9t9 9z"/></g></svg>'
)
ABOUT: Final = About(
    pitch="Build a Mob of Crooks under a Boss, take over Rackets, recruit and hit rivals' men, "
    "make deals, and hold enough of the city at the end of a turn.",
    minutes=(30, 90),
    weight="heavy",
    emblem=EMBLEM,
    presets=(
        Preset("Standard", "Five Mobs, the short game.", {}),
        Preset("Quick", "Three Mobs, fewer cards to auction, 8 Rackets win.",
               {"players": 3, "auction_crooks": 2, "auction_rackets": 2, "victory_target": 8}),
        Preset("Long", "The full number of Rackets to win.", {"victory": "long"}),
    ),
    dealt="Bid",
)  # fmt: skip


def _abilities(card: Card) -> tuple[str, ...]:
    return tuple(ability_text(ability) for ability in card["abilities"])


def _crook(number: int, card: Card) -> Piece:
    weakness = ", ".join(TYPE_NAMES[kind] for kind in card["weakness"]) or "none"
    return Piece(
        str(card["name"]),
        "Crook",
        (
            ("Power", str(card["power"])),
            ("Resistance", str(card["resistance"])),
            ("Weakness", weakness),
        ),
        _abilities(card) or ("No special ability.",),
        ("CL-2.7", "CL-5.1", "CL-10.2"),
        crook_plate(number),
    )


def _racket(number: int, card: Card) -> Piece:
    power = (("Power", str(card["power"])),) if card["power"] else ()
    kind = (
        "Racket, one of a kind" if card["type"] == "UNI" else f"Racket: {TYPE_NAMES[card['type']]}"
    )
    return Piece(
        str(card["name"]),
        kind,
        (
            ("Income", f"{card['income']} G"),
            ("Resistance", str(card["resistance"])),
            *power,
            ("District", DISTRICT_NAMES[card["district"]]),
        ),
        _abilities(card),
        ("CL-2.6", "CL-11.1", "CL-11.3"),
        racket_plate(number),
    )


def _special(number: int, card: Card) -> Piece:
    return Piece(
        str(card["name"]),
        "Special",
        (("When", TIMING_WORDS[card["timing"]]), ("Copies", str(card["copies"]))),
        _abilities(card),
        ("CL-15.1", "CL-15.4", "CL-15.6"),
        special_plate(number),
    )


def _mob(number: int, card: Card) -> Piece:
    return Piece(
        str(card["name"]),
        "Mob",
        (("Boss", f"+{card['boss_bonus']} Power"),),
        _abilities(card),
        ("CL-2.8", "CL-5.1"),
        mob_plate(number),
    )


NUMBERS: Final = {
    "count": Piece(
        "Count towards victory",
        text=(
            "Rackets held, and bonuses: 1 for a type of which one Mob alone has three or more, 2 "
            "for a district with four or more in which no rival has more than one.",
            "Whoever has as many as it takes at the end of a turn wins.",
        ),
        rules=("CL-20.1", "CL-20.2", "CL-20.3", "CL-20.4"),
    ),
    "money": Piece(
        "Treasury",
        text=(
            "Money in G. It buys attacks, and pays the Crooks.",
            "Rivals see only about how much a Mob has (\u2248): what was paid in public.",
        ),
        rules=("CL-7.2", "CL-19.2"),
    ),
    "income": Piece(
        "Income",
        text=("What all Rackets of the Mob bring at the start of its turn.",),
        rules=("CL-7.4",),
    ),
    "dues": Piece(
        "Pay",
        text=(
            "What the Crooks are due at the start of the Mob's turn: their Power in G, the Boss "
            "with his bonus. Whoever is not paid becomes unhappy.",
        ),
        rules=("CL-7.6", "CL-6.1"),
    ),
    "bid_money": Piece(
        "Bidding money",
        text=("For the opening auctions only. What is left of it afterwards is lost.",),
        rules=("CL-3.2", "CL-3.10"),
    ),
    "hidden": Piece(
        "Hidden Specials",
        text=("Everybody knows how many Specials a Mob holds, but not which.",),
        rules=("CL-15.2",),
    ),
    "deck": Piece(
        "Deck",
        text=("Cards are drawn at the start of every turn, until four lie in the centre.",),
        rules=("CL-8.1", "CL-8.2"),
    ),
    "centre": Piece(
        "The centre",
        text=("Crooks and Rackets that nobody controls. Everybody may go for them.",),
        rules=("CL-1.5", "CL-10.1", "CL-11.1"),
    ),
    "number": Piece(
        "What the attack has to roll",
        text=(
            "Two dice must show this or less. 11 and 12 always fail.",
            "Money, helpers and defenders still change it before the roll.",
        ),
        rules=("CL-9.1", "CL-9.11", "CL-9.20"),
    ),
    "bid": Piece(
        "Bid",
        text=("The highest bidder pays his bid and takes the card.",),
        rules=("CL-3.7", "CL-3.8"),
    ),
    "turn": Piece(
        "Turn",
        text=(
            "A turn: income, pay, cards for the centre, then as many actions as there are tokens. "
            "Whoever does nothing at all gets 10 G.",
        ),
        rules=("CL-4.5", "CL-4.6", "CL-4.9"),
    ),
}  # fmt: skip


@cache
def pieces(game: Game) -> dict[str, Piece]:
    """All cards by their ids, and the numbers of the table."""
    found = dict(NUMBERS)
    for kind, piece in (
        ("crooks", _crook), ("rackets", _racket), ("specials", _special), ("mobs", _mob),
    ):  # fmt: skip
        found |= {card["id"]: piece(k, card) for k, card in enumerate(CARDS_DATA[kind])}
    return found
