"""What speaks for an action by the rules of thumb (section 27), from what a seat knows."""

from __future__ import annotations

from typing import Final

from ...core.game import Game
from ...core.state import State
from .. import actions as act
from ..data import (
    CROOK_POWER,
    CROOK_RESISTANCE,
    LADDER,
    RACKET_INCOME,
    RACKET_RESISTANCE,
)
from ..heuristics.specified import CHANCES, SURE
from ..state import CROOKS, KINDS, MAX_SEATS, NONE, PHASES, TAKE
from .cards import crook_name, crook_power, racket_name

_PLAIN: Final = {
    act.END: "Income comes again next turn, and so do tokens. Whoever has done nothing gets 10 G.",
    act.KEEP: "A Mob that stands well need not be taken apart.",
    act.REBUILD: "Put the strong ones near the Boss, where they are hard to recruit away.",
    act.FULL: "An unpaid Crook turns unhappy, and unhappy Crooks are easy to recruit away.",
    act.ONE: "Saves money now at the price of an Unhappy marker.",
    act.MOVE: "A Crook near the Boss is hard to recruit away; one with men below him, hard to hit.",
    act.DROP: "Less pay to find every turn, if you cannot afford him.",
    act.VISIT: "A visit to a Racket he likes takes his bad mood away.",
    act.ABIL: "Money or mischief for a token that would otherwise lie idle.",
    act.DOUBLE: "A weak Boss leads weak attacks; a strong Lieutenant does better.",
    act.RETIRE: "A weak Boss leads weak attacks; a strong Lieutenant does better.",
    act.BUGLE: "An Unhappy marker less for money: a content Crook stays with you.",
    act.OFFER: "Trade what you need less than your partner does.",
    act.SHOW: "A Special that everybody sees threatens.",
    act.QUIT: "Nothing speaks for it.",
    act.BACKOUT: "Take back what has become hopeless: the money stays yours.",
}


def reason(game: Game, state: State, action: int) -> str:
    """A sentence or two for the deciding seat."""
    phase = PHASES[state.phase]
    if action == act.PASS_ACTION:
        return _passing(state, phase)
    if action == act.YES:
        return "Take it if it gives you more than it gives the other."
    if action in _PLAIN:
        return _PLAIN[action]
    if action in (act.SWING, act.BSWING):
        return _odds(state, "It may decide the attack")
    if action < act.CROOK_AT:
        return _attack(state, action)
    if action < act.RACKET_AT:
        return _crook(state, phase, action - act.CROOK_AT)
    if action < act.SPECIAL_AT:
        racket = action - act.RACKET_AT
        if phase in ("ASSIST", "DEFEND"):
            return _odds(state, f"{racket_name(racket)} throws its Power in")
        return _racket_worth(state, racket)
    if action < act.SPECIAL_AT + KINDS:
        return "A Special works once: play it where it earns most."
    if action < act.PLAYER_AT + MAX_SEATS:
        return "Aim at whoever is nearest to winning, or has most money."
    if action < act.BID_AT:
        return (
            "Strong Crooks close to the Boss, weak ones below: those near the Boss are hard to "
            "recruit away, and every free side is room for another."
        )
    return _money(state, action)


def _passing(state: State, phase: str) -> str:
    if phase in ("AUC_OPEN", "AUC_BID"):
        return "Money not spent here buys another card: there are more lots than you can pay for."
    if phase in ("ASSIST", "DEFEND", "COMMIT_A", "COMMIT_D", "COMMIT_T", "PROTECT"):
        return _odds(state, "Without more")
    return "Keep what you have for a better moment."


def _chance(number: int) -> float:
    return float(CHANCES[min(SURE, max(0, number))])


def _odds(state: State, words: str) -> str:
    if not state.attacking:
        return f"{words}."
    number = int(state.number)
    kind = "takeover" if state.kind == TAKE else "attack"
    return (
        f"{words}: the {kind} stands at {number}, so it succeeds on a roll of {number} or less, "
        f"{_chance(number):.0%} of the time, before what others still add."
    )


def _attack(state: State, action: int) -> str:
    if action >= act.TAKE_AT:
        return _takeover(state, action - act.TAKE_AT)
    if action >= act.HIT_AT:
        target = action - act.HIT_AT
        owner = int(state.crook_loc[target])
        if owner == state.seat:
            return "He is your own man: a Hit on him helps your rivals."
        return (
            "A Hit removes a Crook for good. It costs tokens and brings no Racket: only worth "
            "it against a leader."
        )
    target = action - act.REC_AT
    best = max(_leaders(state, int(state.seat)), default=0)
    number = best - int(CROOK_RESISTANCE[target])
    return (
        f"Power {int(CROOK_POWER[target])} for your Mob, if you can pay him every turn. Your "
        f"strongest leader starts at {number} before weaknesses, money and help: "
        f"{_chance(number):.0%}."
    )


def _leaders(state: State, seat: int) -> list[int]:
    return [
        crook_power(state, c)
        for c in range(CROOKS)
        if state.crook_loc[c] == seat and state.token[c]
    ]


def _takeover(state: State, racket: int) -> str:
    best = max(_leaders(state, int(state.seat)), default=0)
    number = best - int(RACKET_RESISTANCE[racket])
    return (
        f"{_racket_worth(state, racket)} Your strongest leader starts at {number} before help and "
        f"money: {_chance(number):.0%}."
    )


def _racket_worth(state: State, racket: int) -> str:
    seat = int(state.seat)
    missing = int(state.required) - int(state.count[seat])
    owner = int(state.racket_loc[racket])
    words = f"{int(RACKET_INCOME[racket])} G a turn, and one of the {missing} that you still need."
    if owner not in (NONE, seat) and owner >= 0:
        near = int(state.required) - int(state.count[owner])
        words += f" It also sets back a rival who needs {near} more."
    return words


def _crook(state: State, phase: str, crook: int) -> str:
    name, power = crook_name(crook), crook_power(state, crook)
    if phase == "LEADER":
        return (
            f"{name} starts with Power {power}. Lead with as much as you need, and keep the rest."
        )
    if phase in ("ASSIST", "DEFEND", "PROTECT", "JOIN_FOR", "JOIN_AGAINST"):
        return _odds(state, f"{name} adds his Power {power} and spends his token")
    if phase in ("BOSS_PICK", "NEW_BOSS", "HEIR"):
        return (
            f"The Boss adds your Mob's bonus to his Power {int(CROOK_POWER[crook])}, and nobody "
            "can recruit him away."
        )
    if phase in ("PAY_WHO",):
        return f"Pay the strong first: {name} has Power {power}."
    return f"{name} has Power {power}."


def _money(state: State, action: int) -> str:
    if action < act.FOR_AT + 1:
        bid = action - act.BID_AT
        seat = int(state.seat)
        left = int(state.bid_money[seat]) - bid
        return f"It would leave you {left} G of bidding money for the lots to come."
    phase = PHASES[state.phase]
    amounts = (
        (act.AMOUNT_AT, 0),
        (act.AGAINST_AT, -1),
        (act.FOR_AT, 1),
    )
    at, sign = next((at, sign) for at, sign in amounts if action >= at)
    paid = int(LADDER[action - at])
    if sign == 0 or phase.startswith("OFFER"):
        return "Offer as much as the card is worth to the other, not to you."
    number = int(state.number) + sign * paid
    return (
        f"That brings the attack to {number}, {_chance(number):.0%} if nobody adds more. Keep "
        "enough to pay your Crooks."
    )
