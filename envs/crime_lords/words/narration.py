"""Sentences for people: what an action does, what is offered, and what happened.

What is narrated follows from public fields and from the viewer's own alone, so that it is the same
for a record redacted for the viewer.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ...core.game import Game
from ...core.presentation.sentences import DICE, agree, third_person
from ...core.state import State
from .. import actions as act
from ..data import CROOK_N, KIND_OF_COPY, LADDER, TURN_ABILITY
from ..data.codes import T_ARSON
from ..state import (
    ASIDE,
    CARDS,
    CENTRE,
    COPIES,
    CROOKS,
    DISCARD,
    HIT,
    IN_DECK,
    KINDS,
    MAX_SEATS,
    NONE,
    OFFER_ASK,
    OFFER_PRICE,
    OFFER_REPLY,
    OFFERING,
    PHASES,
    RACKETS,
    TAKE,
)
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


def offer_lines(
    game: Game, before: State, action: int, after: State, viewer: int | None
) -> list[str]:
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


_MEANINGS: Final = {
    act.END: "End the turn.",
    act.KEEP: "Keep the Mob as it stands under the new Boss.",
    act.REBUILD: "Rearrange the whole Mob under the new Boss.",
    act.FULL: "Pay him in full.",
    act.ONE: "Pay him one G.",
    act.MOVE: "Move a Crook within the Mob.",
    act.DROP: "Drop a Crook and all below him.",
    act.VISIT: "Send an unhappy Crook to a Racket he likes.",
    act.ABIL: "Use a Crook's ability.",
    act.DOUBLE: "Order a Double-Cross: a Lieutenant kills the Boss and takes his place.",
    act.RETIRE: "Pay the Boss off: a Lieutenant takes his place.",
    act.BUGLE: "Pay the Bugle for a friendly story.",
    act.OFFER: "Offer a gift or a trade.",
    act.SHOW: "Show a hidden Special.",
    act.QUIT: "Leave the game.",
    act.SWING: "Spend the any-time Crook's token on this attack.",
    act.BSWING: "Let the Boss throw his Power into this takeover.",
}
_CHOOSING: Final = {
    "BOSS_PICK": "Make {} the Boss.",
    "SP_TARGET": "Aim at {}.",
    "PAY_WHO": "Pay {} next.",
    "NEW_BOSS": "Make {} the new Boss.",
    "SPOILS": "Take {}.",
    "SPOILS_PAY": "Spend the token of {}.",
    "MOVE_WHO": "Move {}.",
    "DROP_WHO": "Drop {} and all below.",
    "VISIT_WHO": "Send {} on a visit.",
    "ABIL_WHO": "Use the ability of {}.",
    "ABIL_TARGET": "Aim at {}.",
    "BUGLE_WHO": "Have the Bugle praise {}.",
    "SHOW_WHICH": "Show {}.",
    "OFFER_TO": "Make {} an offer.",
    "OFFER_GIVE": "Give {}.",
    "OFFER_ASK": "Ask for {}.",
}
_CARDS_ACT: Final = {
    "LEADER": "lead the attack",
    "PROTECT": "protect the Racket",
    "ASSIST": "help",
    "DEFEND": "defend",
    "CLASH": "give way",
    "HEIR": "take the Boss's place",
}
"""What a card that is chosen does."""
_CARDS_NAMED: Final = ("SHOW_WHICH", "OFFER_GIVE", "OFFER_ASK")
"""Phases in which a Special is named without being played."""
_SIDES: Final = ("above", "to the right of", "below", "to the left of")
VERBS: Final = ("", "recruit", "hit", "take over")


def describe(game: Game, state: State, action: int) -> str:
    """A sentence for the deciding seat that says what an action does."""
    phase = PHASES[state.phase]
    if action in _MEANINGS:
        return _MEANINGS[action]
    if action == act.PASS_ACTION:
        return {
            "COMMIT_A": "Commit nothing.",
            "OFFER_GIVE": "Give no card.",
            "OFFER_ASK": "Ask for no card.",
            "OFFER_REPLY": "Refuse.",
            "REROLL": "Keep the roll.",
        }.get(phase, "Pass.")
    if action == act.YES:
        return {
            "HUSH": "Cancel it with Hush Money.",
            "REROLL": "Roll again.",
            "AGREE": "Agree to win together.",
        }.get(phase, "Accept.")
    if action == act.BACKOUT:
        return "Cancel the offer." if phase.startswith("OFFER") else "Back out of the attack."
    if action < act.CROOK_AT:
        for at, verb, name in (
            (act.TAKE_AT, "Take over", racket_name),
            (act.HIT_AT, "Hit", crook_name),
            (act.REC_AT, "Recruit", crook_name),
        ):
            if action >= at:
                return f"{verb} {name(action - at)}."
    if phase in _CARDS_ACT and action < act.SPECIAL_AT:
        return _happens(action - act.CROOK_AT, _CARDS_ACT[phase])
    chosen = _CHOOSING.get(phase, "Choose {}.")
    if action < act.RACKET_AT:
        return chosen.format(crook_name(action - act.CROOK_AT))
    if action < act.SPECIAL_AT:
        return chosen.format(racket_name(action - act.RACKET_AT))
    if action < act.SPECIAL_AT + KINDS:
        special = special_name(action - act.SPECIAL_AT)
        return chosen.format(special) if phase in _CARDS_NAMED else f"Play {special}."
    if action < act.PLAYER_AT + MAX_SEATS:
        seat = (int(state.seat) + action - act.PLAYER_AT) % int(state.num_seats)
        return chosen.format(game.seat_name(state, seat))
    if action < act.BID_AT:
        crook, side = divmod(action - act.PLACE_AT, 4)
        who = "him" if state.root < 0 else crook_name(int(state.root))
        return f"Place {who} {_SIDES[side]} {crook_name(crook)}."
    if action < act.BID_AT + 26:
        return f"Bid {action - act.BID_AT} G."
    if action <= act.FOR_AT + 22:
        return f"Commit {LADDER[action - act.FOR_AT]} G for the attack."
    if action <= act.AGAINST_AT + 22:
        return f"Commit {LADDER[action - act.AGAINST_AT]} G against the attack."
    amount = f"{LADDER[action - act.AMOUNT_AT]} G"
    return f"Put {amount} on the Hit." if phase == "HIT_CASH" else f"{amount}."


def as_seen(game: Game, state: State, viewer: int | None) -> State:
    """The record as a viewer knows it; all of it for ``None``, as it is for a spectator (-1)."""
    return state if viewer is None or viewer < 0 else game.redact(state, viewer)


def narrate(game: Game, before: State, action: int, after: State, viewer: int | None) -> list[str]:
    """What happened from one decision to the next, as ``viewer`` may know it."""
    lines = [_deed(game, before, action, after)] if viewer in (None, before.seat) else []
    lines += offer_lines(game, before, action, after, viewer)
    lines += _auction(game, before, after)
    lines += _specials(game, before, after)
    lines += _attack(game, before, after)
    lines += _arson(before, after)
    lines += _cards(game, before, after)
    lines += _table(game, before, after)
    if viewer is not None and before.treasury[viewer] != after.treasury[viewer]:
        old, new = int(before.treasury[viewer]), int(after.treasury[viewer])
        verb = "gain" if new > old else "pay"
        lines.append(f"You {verb} {abs(new - old)} G and have {new} G.")
    return [line for line in dict.fromkeys(lines) if line]


_FIRST_STEPS: Final = (
    act.MOVE, act.DROP, act.VISIT, act.ABIL, act.BUGLE, act.OFFER, act.SHOW, act.END,
)  # fmt: skip
"""Actions of a turn that are narrated by what they lead to."""


def _deed(game: Game, before: State, action: int, after: State) -> str:
    """What a decision does, unless it is a step of something or is narrated by what follows."""
    phase, seat = PHASES[before.phase], int(before.seat)
    attacks = act.REC_AT <= action < act.CROOK_AT and after.attacks != before.attacks
    crowned = after.boss[seat] != before.boss[seat]
    halfway = PHASES[after.phase] in ("MOVE_TO", "ABIL_TARGET") and after.seat == seat
    # To a third party the maker of an offer is at MAIN: see observation.py:redact.
    if action in _FIRST_STEPS or phase.startswith("OFFER") or attacks or crowned or halfway:
        return ""
    said = describe(game, before, action)
    if phase in _CARDS_ACT and act.CROOK_AT <= action < act.SPECIAL_AT:
        return said
    deed = said[0].lower() + said[1:].removesuffix(".")
    return f"{agree(game.seat_name(before, seat), deed)}."


def _auction(game: Game, before: State, after: State) -> list[str]:
    if before.lot == NONE:
        return []
    if after.lot == before.lot:
        if after.bidder not in (NONE, before.bidder):
            who = game.seat_name(after, int(after.bidder))
            return [f"{agree(who, f'bid {after.bid} G')}."]
        return []
    return [_happens(int(before.lot), "is sold")]


def _happens(card: int, deed: str) -> str:
    """A sentence about a card of the deck; a Crook is one man, whatever he is called."""
    name = card_name(card)
    return f"{name} {third_person(deed)}." if card < CROOKS else f"{agree(name, deed)}."


def _specials(game: Game, before: State, after: State) -> list[str]:
    lines = []
    for s in range(COPIES):
        name = special_name(KIND_OF_COPY[s])
        if before.special_loc[s] != DISCARD and after.special_loc[s] == DISCARD:
            lines.append(f"{agree(name, 'go to the discard')}.")
        elif after.shown[s] and not before.shown[s]:
            who = game.seat_name(after, int(after.special_loc[s]))
            lines.append(f"{agree(who, f'show {name}')}.")
    for seat in range(int(after.num_seats)):
        drawn = int(after.hidden[seat]) - int(before.hidden[seat])
        if drawn > 0:
            more = "one more hidden Special" if drawn == 1 else f"{drawn} more hidden Specials"
            lines.append(f"{agree(game.seat_name(after, seat), f'have {more}')}.")
    return lines


def _attack(game: Game, before: State, after: State) -> list[str]:
    lines = []
    # The latest attack stays in the record: it may have begun and ended since the position before.
    begun = after.attacks != before.attacks
    who = game.seat_name(after, int(after.attacker)) if after.attacks else ""
    if begun:
        target = int(after.target)
        name = racket_name(target) if after.kind == TAKE else crook_name(target)
        lines.append(f"{agree(who, f'move to {VERBS[after.kind]} {name}')}.")
    if after.revealed and (begun or not before.revealed):
        money = [
            f"{game.seat_name(after, seat)} {'for' if amount > 0 else 'against'} {abs(amount)} G"
            for seat, amount in enumerate(map(int, after.commitments[: after.num_seats]))
            if amount
        ]
        lines.append(f"The money is shown: {', '.join(money) or 'none'}.")
    if (begun or before.attacking) and not after.attacking:
        if after.kind == HIT and after.owner == after.attacker:
            lines.append("The Hit on an own Crook succeeds.")
        elif PHASES[before.phase] == "REROLL" and not after.rerolled:
            lines.append("The roll stands: failure.")
        elif after.roll:
            lines.append(_rolled(after, int(after.roll), int(after.number), bool(after.success)))
        elif after.backouts > before.backouts:
            lines.append(f"{agree(who, 'back out of the attack')}.")
        else:
            lines.append("The attack comes to nothing, no dice are rolled.")
    elif PHASES[after.phase] == "REROLL" != PHASES[before.phase]:
        lines.append(_rolled(after, int(after.roll), int(after.number), bool(after.success)))
    return lines


def _arson(before: State, after: State) -> list[str]:
    """The dice of a Crook who sets fire to a Racket (CL-14.7)."""
    crook = int(before.ability_by)
    if PHASES[before.phase] != "ABIL_TARGET" or TURN_ABILITY[crook] != T_ARSON:
        return []
    roll, most = int(after.arson_roll), int(CROOK_N[T_ARSON, crook])
    return [_rolled(after, roll, most, roll <= most)]


def _rolled(after: State, roll: int, number: int, success: bool) -> str:
    # A position that was typed in has a roll but no dice.
    dice = "".join(DICE[die] for die in after.dice if die)
    result = "success" if success else "failure"
    return f"Roll {dice}{', ' if dice else ''}{roll} against {number}: {result}."


_PLACES: Final = {CENTRE: "is in the centre", DISCARD: "is out", ASIDE: "is turned up"}


def _cards(game: Game, before: State, after: State) -> list[str]:
    lines = []
    for field, count, first in (("crook_loc", CROOKS, 0), ("racket_loc", RACKETS, CROOKS)):
        for card in range(count):
            old, new = int(before[field][card]), int(after[field][card])
            if new in (old, IN_DECK):
                continue
            if new >= 0:
                lines.append(_happens(first + card, f"join {game.seat_name(after, new)}"))
            elif new in _PLACES:
                lines.append(_happens(first + card, _PLACES[new]))
    for crook in np.flatnonzero((after.crook_loc >= 0) & (after.unhappy > before.unhappy)):
        lines.append(f"{crook_name(int(crook))} is unhappy ({after.unhappy[crook]}).")
    for crook in np.flatnonzero((after.crook_loc >= 0) & (after.counters > before.counters)):
        lines.append(f"{crook_name(int(crook))} gains Power.")
    for racket in np.flatnonzero((after.blocked == 1) & (before.blocked == 0)):
        lines.append(f"{agree(racket_name(int(racket)), 'is blocked')}.")
    return lines


def _table(game: Game, before: State, after: State) -> list[str]:
    lines = []
    for seat in range(int(after.num_seats)):
        who = game.seat_name(after, seat)
        if before.alive[seat] and not after.alive[seat]:
            lines.append(f"{agree(who, 'is out of the game')}.")
        elif after.boss[seat] != before.boss[seat] and after.boss[seat] >= 0:
            mob = f"the {who[4:]}" if who.startswith("The ") else who
            lines.append(f"{crook_name(int(after.boss[seat]))} is Boss of {mob}.")
    if after.war and not before.war:
        lines.append("A Gang War breaks out.")
    if before.war and not after.war:
        lines.append("The Gang War is over.")
    if after.over:
        winners = [
            game.seat_name(after, seat)
            for seat in range(int(after.num_seats))
            if after.places[seat] == 1
        ]
        lines.append(f"The game is over: {', '.join(winners)} won.")
    elif after.turn != before.turn or after.active != before.active:
        lines.append(f"Turn {after.turn}: {game.seat_name(after, int(after.active))}.")
    return lines
