"""Sentences about actions and events."""

from __future__ import annotations

import re
from typing import Final

from ...core.game import Game
from ...core.presentation.sentences import DICE, agree
from ...core.state import State
from ..actions import CASH_ZERO
from ..data.tables import (
    BOARD,
    BUILDING_NAMES,
    CHIT_IDS,
    NODE,
    OFFER_CASH,
    OFFICER_IDS,
    PUBLIC_IDS,
    SIDES,
)
from ..state import (
    APPROACH,
    COMM_DEST,
    COMM_ENTRY,
    COP_DEST,
    COP_ENTRY,
    COP_VIA,
    COUNT,
    DEST,
    DOUBLE,
    E_EXTORTION,
    E_ORGANISED,
    E_PAYOFFS,
    E_SALARY,
    E_TRADES,
    K_COMMISSIONER,
    K_COP,
    K_PUBLIC,
    NONE,
    PHASES,
    PICK,
    PIECES,
    PLACE,
    POLICE,
    PUBLIC_DEST,
    RECRUIT_PLACE,
    RETURN,
    SELL,
    SET_R,
    SET_T,
    SHARE,
    STOP,
    TARGET,
    TRADE,
    TRADE_ANSWER,
    TRADE_CASH,
    TRADE_GIVE,
    TRADE_TAKE,
    U_COMMISSIONER,
    U_COP,
    U_JOINT,
)
from .action_texts import action_text

PIECE_NAMES: Final = {"R": "racketeer", "T": "thug", "V": "vamp", "C": "commissioner"}
_NAMES: Final = tuple(PIECE_NAMES.values())
SPACE_NAMES: Final = (*(entry["name"] for entry in BOARD["spaces"].values()), *BUILDING_NAMES)
WORDS: Final = {
    "end": "done", "buy": "buy the building", "up": "improve the joint",
    "bribe": "buy a bribe marker", "public new": "bring in a new Public",
    "cop new": "bring in a new officer", "via": "change duty on the way",
    "commissioner": "move the commissioner",
    "hire": "hire an Informant", "hit": "declare a hit", "extort": "extort protection money",
    "raid": "raid the joint", "arrest": "make an arrest", "own die": "move by its own die",
    "all dice": "move by all dice", "cash 0": "no cash changes hands",
}  # fmt: skip


PROMPTS: Final = {
    "PICK": "choose a joint", "SET_R": "how many Racketeers?", "SET_T": "how many Thugs?",
    "SET_C": "how strong a Commissioner?", "PLACE": "place a piece", "BUY": "buy, improve, trade",
    "TRADE_GIVE": "which joint to give?",
    "TRADE_TAKE": "which joint to take?", "TRADE_CASH": "how much money changes hands?",
    "TRADE_ANSWER": "accept the offer?", "COP_GANG": "buy or play a bribe, or defer",
    "COP_POLICE": "a bribe or a cop", "COP_ACTIVE": "a bribe or a cop",
    "COP_ENTRY": "where does the officer come in?", "COP_DEST": "where does the officer go?",
    "COP_VIA": "where does he change duty?", "APPROACH": "from which side?",
    "STOP": "stop the officer?", "RAID_OR_ARREST": "raid or arrest?",
    "DOUBLE": "double the payoff?", "SHARE": "take a share?", "MOVE": "move, recruit, extort",
    "COUNT": "own die or all dice?", "DEST": "where to?", "CRIME": "which crime?",
    "PUBLIC_DEST": "where does the Public go?", "RECRUIT_PLACE": "place the first member",
    "SELL": "what is sold?", "TARGET": "fire at whom?", "RETURN": "return fire at whom?",
    "ALLOC": "who takes the hit?", "POLICE_BUY": "buy a precinct headquarters",
    "INFORMANTS": "Informants", "POLICE_MOVE": "cops and the Commissioner",
    "COMM_ENTRY": "where does the Commissioner come in?",
    "COMM_DEST": "where does the Commissioner go?", "POLICE_PUBLIC": "hire, or move Publics",
}  # fmt: skip


MEMBERS_PROMPT: Final = "how many members?"
"""What rivals see in place of ``SET_R`` and ``SET_T``."""


def public_name(public: str) -> str:
    """A Public by its value; a letter distinguishes the two of value 1."""
    value, letter = public[1], public[2:].upper()
    return f"the Public worth {value}" + (f" ({letter})" if letter else "")


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:]


def asks_members(state: State, viewer: int | None) -> bool:
    """Whether a rival chooses members, and may not be seen to be asked for his Thugs (G-18.5)."""
    return bool(state.phase in (SET_R, SET_T) and viewer not in (None, state.seat))


def short_prompt(state: State, viewer: int | None) -> str:
    """What the seat that decides is asked, in words for ``viewer``; ``None`` for all open."""
    return MEMBERS_PROMPT if asks_members(state, viewer) else PROMPTS[PHASES[state.phase]]


def prompt(state: State, viewer: int | None) -> str:
    """The same, with what it is about."""
    words = short_prompt(state, viewer)
    if state.phase == DEST:
        return f"where does the {list(PIECE_NAMES.values())[state.piece]} go?"
    if state.phase == TRADE_GIVE:
        return f"which joint do you give {SIDES[state.partner]}?"
    if state.phase == TRADE_TAKE:
        return f"which joint do you ask {SIDES[state.partner]} for?"
    if state.phase == TRADE_CASH:
        given, taken = _terms(state, 0)
        whole = f"{given} for {taken}" if given and taken else given or taken
        return f"how much money changes hands for {whole}?"
    if state.phase == TRADE_ANSWER:
        return f"{offer(state)}: accept?"
    if state.phase in (STOP, DOUBLE, SHARE):
        return f"{words} (officer {OFFICER_IDS[state.asked]})"
    if state.phase in (TARGET, RETURN):
        return f"{words} ({unit_name(state, int(state.asked))})"
    return words


def offer(state: State) -> str:
    """The offer on the table: who gives what for what."""
    given, taken = _terms(state, int(state.cash_step))
    return f"{SIDES[state.active]} gives {given} for {taken}"


def _terms(state: State, step: int) -> tuple[str, str]:
    """What an offer gives and asks for, with money by a step of the ladder."""
    give, take, cash = int(state.offer_give), int(state.offer_take), int(OFFER_CASH[step])
    given = [SPACE_NAMES[give]] if give != NONE else []
    taken = [SPACE_NAMES[take]] if take != NONE else []
    if cash > 0:
        given.append(f"${cash:,}")
    elif cash < 0:
        taken.append(f"${-cash:,}")
    return " and ".join(given), " and ".join(taken)


def unit_name(state: State, unit: int) -> str:
    """A unit of a shootout in words."""
    if unit < U_JOINT:
        many = int(state.strength[unit // 3, unit % 3] != 1)
        return f"{SIDES[unit // 3]}'s {list(PIECE_NAMES.values())[unit % 3]}{'s' * many}"
    if unit == U_JOINT:
        return "guards"
    return "Commissioner" if unit >= U_COMMISSIONER else f"officer {OFFICER_IDS[unit - U_COP]}"


def describe(game: Game, state: State, action: int) -> str:
    """What an action does, for the seat that decides."""
    text = action_text(game, state, action)
    verb, _, rest = text.partition(" ")
    if verb == "n":
        who = {SET_R: "Racketeer", SET_T: "Thug"}.get(int(state.phase))
        many = "s" * (rest != "1")
        return f"take {rest} {who}{many}" if who else f"take a Commissioner of strength {rest}"
    if verb == "go":
        return f"{_GOING.get(int(state.phase)) or _goer(state)} {SPACE_NAMES[NODE[rest]]}"
    if text in ("end", "yes") and state.phase in _REPLIES:
        return _REPLIES[int(state.phase)][text == "yes"]
    if state.phase in _BRIBES:
        return _BRIBES[int(state.phase)][verb == "yes"].format(OFFICER_IDS[state.asked])
    if verb in ("move", "recruit", "stay") and rest in PIECE_NAMES:
        act = {"move": "move the", "recruit": "recruit for the", "stay": "extort money with the"}
        return f"{act[verb]} {PIECE_NAMES[rest]}"
    if verb in ("play", "cop") and rest in OFFICER_IDS:
        return f"move officer {rest}{' with a bribe' * (verb == 'play')}"
    if rest in PUBLIC_IDS or rest in CHIT_IDS:
        if verb == "chit":
            return f"show the chit: every Public worth {rest[1:]} becomes an Informant"
        start = {"public": "move", "flip": "mark a crime scene at"}.get(verb, verb)
        return f"{start} {public_name(rest)}"
    if verb in _WITH_PIECE and rest:
        return _with_piece(verb, rest)
    if verb in _VERBS:
        what = "the police" if rest == SIDES[POLICE] else rest
        return _VERBS[verb].format(f"{int(rest):,}" if rest.isdecimal() else what)
    return WORDS.get(text, re.sub(r"\b([RTV])$", lambda m: PIECE_NAMES[m[1]], text))


_GOING: Final = {
    PICK: "choose", SELL: "sell", TRADE_GIVE: "give", TRADE_TAKE: "ask for",
    COP_VIA: "change duty at", APPROACH: "come from",
}  # fmt: skip
"""What is done with a place, where nobody goes there."""
_REPLIES: Final = {
    TRADE_GIVE: ("give no joint", ""), TRADE_TAKE: ("ask for no joint", ""),
    TRADE_ANSWER: ("refuse", "accept"),
}  # fmt: skip
"""What it means to end, and to say yes, where these are answers."""
_BRIBES: Final = {
    STOP: ("do not stop officer {}", "stop officer {} with a bribe"),
    DOUBLE: ("do not double officer {}'s payoff", "double officer {}'s payoff with a bribe"),
    SHARE: ("take no share of officer {}'s payoff", "take a share of officer {}'s payoff"),
}
"""What it means to say no and yes where a bribe marker may be played."""


def _goer(state: State) -> str:
    """Who goes somewhere by the decision that is due."""
    if state.phase == PLACE:
        return f"place the {_NAMES[int(state.setup_at) % 3]} at"
    if state.phase == RECRUIT_PLACE:
        return f"place the {_NAMES[state.place_piece]} at"
    if state.phase in (COMM_DEST, COMM_ENTRY) or state.kind == K_COMMISSIONER:
        return "move the commissioner to"
    if state.kind == K_PUBLIC:
        return f"move {public_name(PUBLIC_IDS[state.piece])} to"
    if state.kind == K_COP:
        return f"move officer {OFFICER_IDS[state.piece]} to"
    return f"move the {_NAMES[state.piece]} to"


_WITH_PIECE: Final = ("flip", "seduce", "heaters", "wheels", "dress", "lose")
_VERBS: Final = {
    "trade": "make {} an offer", "pay": "give ${} as well", "get": "ask for ${}",
    "target": "fire at {}", "flip": "turn {} criminal",
}  # fmt: skip


def _with_piece(verb: str, rest: str) -> str:
    """Sentences of actions that name a piece by its letter, perhaps after a side."""
    side, _, letter = rest.rpartition(" ")
    name = PIECE_NAMES.get(letter, letter)
    whose = f"{side}'s {name}" if side else f"the {name}"
    return {
        "flip": f"turn {whose} criminal with the Informant",
        "seduce": f"lure a member from {whose}",
        "lose": f"let {whose} take the hit",
    }.get(verb, f"buy {verb} for {whose}")


def _doing(seat: int, deed: str) -> str:
    """A sentence about what a side does, by a verb in its base form."""
    return _ended(f"The police {deed}" if seat == POLICE else agree(SIDES[seat], deed))


def _ended(words: str) -> str:
    """With a full stop, which the name of a company may bring along."""
    return words if words.endswith(".") else f"{words}."


def narrate(game: Game, before: State, action: int, after: State, viewer: int | None) -> list[str]:
    """What all may see of one decision and its consequences.

    A thing that is done is narrated once, when it is done: not the steps of a choice (which piece,
    by which die, to which joint), and not that somebody does nothing more. Answers to a question
    are narrated, refusals too, and an offer together with its answer. What a consequence says is
    not said before it. Cash is shown by public payments alone; set-up choices only to those who
    made them.
    """
    seat = int(before.seat)
    hidden = not before.revealed and PHASES[before.phase] != "PICK"
    if hidden and viewer not in (None, seat):
        if after.seat == seat and not after.revealed:
            return []  # Narrated once, when all choices are made: see also G-18.5.
        deed = "make a secret choice"
    else:
        deed = _deed(game, before, action, after)
    lines = [_doing(seat, deed)] if deed else []
    lines += _offer_ended(before, action, after)
    if after.revealed and (after.dice != before.dice).any() and after.dice.any():
        dice = "".join(DICE[d] for d in after.dice if d)
        lines.append(_doing(int(after.active), f"roll {dice}"))
    if before.revealed:
        lines += _losses(before, after)
        lines += _police_and_publics(before, action, after)
        lines += _payments(before, after)
    for building in range(len(after.owner)):
        old, new = int(before.owner[building]), int(after.owner[building])
        name = BUILDING_NAMES[building]
        if old != new:
            lines.append(
                f"{name} belongs to {'the police' if new == POLICE else SIDES[new]}."
                if new != NONE
                else f"{name} has no owner any more."
            )
        elif after.level[building] != before.level[building]:
            lines.append(f"{name} is at level {after.level[building]}.")
        if after.lit[building] > before.lit[building]:
            lines.append(f"{name} turns criminal.")
    if after.over:
        winners = [s for s in range(after.num_seats) if after.places[s] == 1]
        lines.append("The game is drawn." if after.capped else _doing(winners[0], "win"))
    return lines


_WALKS: Final = (DEST, COP_DEST, PUBLIC_DEST, COMM_DEST, COP_VIA, COP_ENTRY, COMM_ENTRY, APPROACH)
_HALFWAY: Final = (COUNT, *_WALKS, TRADE_GIVE, TRADE_TAKE, TRADE_CASH, TRADE_ANSWER)
"""Phases inside of a choice that is made step by step."""
_BEGIN: Final = ("move", "public", "play", "cop", "commissioner", "trade")
"""First words of actions with which such a choice begins."""
_SAID_LATER: Final = ("buy", "up")
"""Actions that are narrated by what they change."""
_ANSWERS: Final = (STOP, DOUBLE, SHARE)


def _deed(game: Game, before: State, action: int, after: State) -> str:
    """What a decision does, unless it is a step of something, or is narrated by what follows."""
    text = action_text(game, before, action)
    verb = text.partition(" ")[0]
    phase = int(before.phase)
    halfway = after.phase in _HALFWAY and (after.seat == before.seat or phase == TRADE_CASH)
    if halfway and (phase in _HALFWAY or verb in _BEGIN) and not after.over:
        return ""
    if phase in TRADE or phase == PICK or text in _SAID_LATER:
        return ""
    if text == "end" and phase not in _ANSWERS:
        return ""
    return _walk(before, action) or describe(game, before, action)


def _walk(before: State, action: int) -> str:
    """Who goes where; empty if nobody does."""
    node = _end_of_walk(before, action)
    if node == NONE:
        return ""
    bribe = " with a bribe" if before.kind == K_COP and before.sharer != NONE else ""
    return f"{_goer(before)} {SPACE_NAMES[node]}{bribe}"


def _end_of_walk(before: State, action: int) -> int:
    """Where a piece goes by a decision that says so."""
    if before.phase not in _WALKS:
        return NONE
    return int(before.dest) if before.phase == APPROACH else action


def _offer_ended(before: State, action: int, after: State) -> list[str]:
    """An offer and its answer. A refusal that the rules make is narrated like any other."""
    if before.phase == TRADE_ANSWER:
        step = int(before.cash_step)
    elif before.phase == TRADE_CASH and after.phase != TRADE_ANSWER:
        step = action - CASH_ZERO
    else:
        return []
    given, taken = _terms(before, step)
    who, whom = SIDES[before.active], SIDES[before.partner]
    answer = "accepted" if after.events[E_TRADES] > before.events[E_TRADES] else "refused"
    return [f"{who} offers {whom} {given} for {taken}: {answer}."]


def _losses(before: State, after: State) -> list[str]:
    lines = []
    names = list(PIECE_NAMES.values())
    for gang in range(before.gangs):
        for piece in range(PIECES[1]):
            old, new = int(before.strength[gang, piece]), int(after.strength[gang, piece])
            if old != new:
                lines.append(f"{SIDES[gang]}'s {names[piece]} goes from {old} to {new}.")
    if before.c_strength != after.c_strength:
        lines.append(f"The commissioner goes from {before.c_strength} to {after.c_strength}.")
    return lines


def _police_and_publics(before: State, action: int, after: State) -> list[str]:
    """Officers, the Commissioner and Publics that come, move or leave, but for who was sent."""
    lines = []
    sent, goal = (int(before.kind), int(before.piece)), _end_of_walk(before, action)
    movers = [
        *((f"Officer {name}", "cop_at", K_COP, k) for k, name in enumerate(OFFICER_IDS)),
        *((_sentence(public_name(name)), "public_at", K_PUBLIC, k)
          for k, name in enumerate(PUBLIC_IDS)),
    ]  # fmt: skip
    for who, field, kind, k in movers:
        old, new = int(before[field][k]), int(after[field][k])
        if old != new and not (sent == (kind, k) and goal == new != NONE):
            place = f"is at {SPACE_NAMES[new]}" if new != NONE else "goes to the cup"
            lines.append(_ended(f"{who} {place}"))
    here = after.c_at != NONE
    walked = before.kind == K_COMMISSIONER and here and goal == after.c_at
    if before.c_at != after.c_at and not walked:
        place = f"is at {SPACE_NAMES[int(after.c_at)]}" if here else "leaves the board"
        lines.append(_ended(f"The commissioner {place}"))
    return lines


PAYMENTS: Final = {
    E_EXTORTION: "Extortion pays ${:,}.",
    E_ORGANISED: "Organised crime pays ${:,}.",
    E_SALARY: "The police draw ${:,} of salary.",
    E_PAYOFFS: "Raids and arrests pay the police ${:,}.",
}


def _payments(before: State, after: State) -> list[str]:
    """Payments of the bank, which all see."""
    paid = {event: int(after.events[event] - before.events[event]) for event in PAYMENTS}
    return [PAYMENTS[event].format(amount) for event, amount in paid.items() if amount]
