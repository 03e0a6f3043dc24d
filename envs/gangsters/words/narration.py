"""Questions, and sentences about actions."""

from __future__ import annotations

import re
from typing import Final

from ...core.game import Game
from ...core.state import State
from ..actions import action_text
from ..data import (
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
    COP_VIA,
    DEST,
    DOUBLE,
    K_COMMISSIONER,
    K_COP,
    K_PUBLIC,
    NONE,
    PHASES,
    PICK,
    PLACE,
    POLICE,
    RECRUIT_PLACE,
    RETURN,
    SELL,
    SET_R,
    SET_T,
    SHARE,
    STOP,
    TARGET,
    TRADE_ANSWER,
    TRADE_CASH,
    TRADE_GIVE,
    TRADE_TAKE,
    U_COMMISSIONER,
    U_COP,
    U_JOINT,
)

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
        given, taken = terms(state, 0)
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
    given, taken = terms(state, int(state.cash_step))
    return f"{SIDES[state.active]} gives {given} for {taken}"


def terms(state: State, step: int) -> tuple[str, str]:
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
