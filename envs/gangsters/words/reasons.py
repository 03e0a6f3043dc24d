"""What speaks for an action by the rules of thumb (G-24.1), from what the deciding seat knows."""

from __future__ import annotations

from typing import Any, Final

from ...core.game import Game
from ..actions import action_text
from ..data import (
    BRIBE_PIP,
    BUILDING_NAMES,
    CASH_TO_WIN,
    COLOUR,
    EXTORTION_PIP,
    GUARD_DICE,
    JOINTS_TO_WIN,
    LEVEL_MAX,
    MEMBER_COST,
    NODE,
    PRICE,
    SIDES,
    STREETS,
)
from ..state import DEST, NONE, PICK, POLICE, TRADE_ANSWER, R, T, V
from .narration import PIECE_NAMES

_PIECES: Final = {"R": R, "T": T, "V": V}
_PLAIN: Final = {
    "end": "Nothing more that pays: keep the money, since cash counts towards winning too.",
    "no": "Say no to what costs more than it brings.",
    "bribe": "A bribe marker moves its officer onto a rival's crime, or stops him. Which one you "
    "draw is chance.",
    "hit": "A hit removes a rival's members or closes his joint. Those who survive fire back.",
    "extort": f"Extortion pays ${EXTORTION_PIP} a pip of the piece's die, but the piece turns "
    "criminal, and officers can arrest it.",
    "raid": "A raid on a criminal joint takes its payoff; the higher its level, the better.",
    "arrest": "An arrest takes criminal members from a rival, the leader's first.",
    "hire": "An Informant turns rivals' pieces criminal, so that officers can arrest them.",
    "buy": "Joints are how one wins and what pays every round: buy whenever you can.",
    "own die": "The piece's own die alone: for what lies near.",
    "all dice": "Its own, the white and the blue die together: for what lies far away.",
    "public new": "A Public inside your joints pays you; bring it in beside them.",
    "cop new": "A new officer near a criminal rival pays at once.",
    "commissioner": "The Commissioner buys headquarters and arrests: bring him to where crime is.",
    "via": "Change duty on the way if that reaches a criminal.",
    "cash 0": "An even exchange is accepted most often.",
}
_VERBS: Final = {
    "move": "Move whoever has most to gain: a Racketeer to a joint that is for sale, a Thug to a "
    "joint or a gang to fight, the Vamp to a member to lure.",
    "stay": "Stay where there is a crime to commit: no move is needed for it.",
    "play": "Move him away from your own criminals, or onto a rival's.",
    "cop": "Choose the officer who can reach a criminal of a rival.",
    "heaters": "Heaters hit harder: for the piece that will fight.",
    "wheels": "Wheels move farther: for the piece with far to go.",
    "dress": "In a dress the Vamp lures two members at once.",
    "trade": "Exchange joints so that both get a colour together.",
    "pay": "Pay what the joint is worth to you, not more.",
    "get": "Ask for what the joint is worth to him.",
    "flip": "A criminal piece can be arrested: choose the leader's.",
    "seduce": "A lured member is one less for him and one more for you.",
    "target": "Fire at whoever is closest to winning, unless another can hurt you more.",
    "lose": "Give up what costs least to replace.",
    "public": "A Public in your joint pays you, and costs a rival whose joint it leaves.",
    "chit": "Show the chit that turns most Publics near rivals.",
    "n": "Enough to start a fight and to guard, but each further one costs more.",
    "yes": "Worth it if the money comes back within a round or two.",
}


_IMPROVE: Final = (
    "A higher level pays more. It cannot exceed the number of joints of the colour that you own."
)


def reason(game: Game, state: Any, action: int) -> str:
    """A sentence or two for the deciding seat."""
    text = action_text(game, state, action)
    verb, _, rest = text.partition(" ")
    if verb == "go":
        return _destination(state, rest)
    if text == "up":
        return _IMPROVE
    if text == "end" and state.phase == TRADE_ANSWER:
        return _PLAIN["no"]
    if verb == "recruit" and rest in _PIECES:
        return _recruit(state, _PIECES[rest])
    if text == "recruit C":
        return "A stronger Commissioner arrests more: recruit while money is left for joints."
    if text == "bribe":
        return f"{_PLAIN['bribe']} It costs ${BRIBE_PIP} a pip."
    return _PLAIN.get(text) or _VERBS.get(verb, "")


def _destination(state: Any, name: str) -> str:
    node = NODE[name]
    if node < STREETS:
        return "On the way: a street space costs nothing and nobody guards it."
    building = node - STREETS
    owner, price = int(state.owner[building]), int(PRICE[building])
    seat = int(state.seat)
    if state.phase == PICK:
        return (
            f"A joint worth ${price:,}. With several of one colour each can be raised, up to level "
            f"{LEVEL_MAX}, and all of one colour win."
        )
    if owner == NONE and state.phase == DEST and state.piece == R:
        same = sum(
            1
            for b in range(len(BUILDING_NAMES))
            if COLOUR[b] == COLOUR[building] and state.owner[b] == seat
        )
        return (
            f"For sale at ${price:,}; you own {same} of its colour. {JOINTS_TO_WIN} joints win, or "
            f"${CASH_TO_WIN:,}."
        )
    if owner == seat:
        return "Your own joint: safe, and its level can be raised by a Racketeer there."
    if owner == POLICE:
        return "A headquarters: two guard dice, and the police inside fire at criminals."
    if owner != NONE:
        guards = int(GUARD_DICE[building])
        return (
            f"{SIDES[owner]}'s joint, worth ${price:,}, with {guards} guard dice: a place for a "
            "crime "
            "if your piece is strong enough."
        )
    return "Nobody's yet."


def _recruit(state: Any, piece: int) -> str:
    have = int(state.strength[state.seat, piece]) if state.seat < POLICE else 0
    name = list(PIECE_NAMES.values())[piece]
    pip = MEMBER_COST * (have + 1)
    return (
        f"One more for your {name} costs ${pip * int(state.dice[piece]):,} now: ${pip:,} for each "
        "pip of its die. Recruit when the die is low."
    )
