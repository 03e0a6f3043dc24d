"""The cards of Crime Lords: ``cards.json``, its checks, and the tables made from it (CL-2.17).

Most names, numbers and effects are a reconstruction: the rulebook has no card list. Each card says
in ``provenance`` what stands in the rulebook. Another file can replace it without touching code.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..state import CROOKS, RACKETS
from .checks import load_cards
from .codes import (
    ABILITIES,
    ALIAS_WEAKNESS,
    COMBO_PAIR,
    DEF_TAKE_DISTRICT,
    T_ARSON,
    T_CASH,
    T_NEEDLE,
    T_STEAL,
    TIMINGS,
    UNIQUE,
)

Table = NDArray[np.int8]


CARDS_DATA: Final = load_cards()
DISTRICT_CODES: Final = [d["code"] for d in CARDS_DATA["districts"]]
TYPE_CODES: Final = [t["code"] for t in CARDS_DATA["racket_types"]]
MOB_IDS: Final = tuple(card["id"] for card in CARDS_DATA["mobs"])
CROOK_IDS: Final = tuple(card["id"] for card in CARDS_DATA["crooks"])
RACKET_IDS: Final = tuple(card["id"] for card in CARDS_DATA["rackets"])
SPECIAL_IDS: Final = tuple(card["id"] for card in CARDS_DATA["specials"])
LADDER: Final = tuple(CARDS_DATA["tables"]["money_ladder"])


def _effects(group: str, key: str, codes: list[str] | None, default: int) -> Table:
    """Table of shape (ability codes, cards): a parameter of each card's abilities."""
    cards = CARDS_DATA[group]
    table = np.full((len(ABILITIES), len(cards)), default, np.int8)
    for column, card in enumerate(cards):
        for ability in card["abilities"]:
            row = ABILITIES.index(ability["code"])
            if key == "n":
                table[row, column] = ability.get("n", ability.get("cost", 1))
            elif key in ability:
                value = ability[key]
                table[row, column] = value if codes is None else codes.index(value)
    return table


def _column(group: str, key: str) -> Table:
    return np.array([card[key] or 0 for card in CARDS_DATA[group]], np.int8)


MOB_BONUS: Final = _column("mobs", "boss_bonus")
MOB_N: Final = _effects("mobs", "n", None, 0)
MOB_TYPE: Final = _effects("mobs", "type", TYPE_CODES, -1)
MOB_DISTRICT: Final = _effects("mobs", "district", DISTRICT_CODES, -1)
MOB_MAX: Final = _effects("mobs", "max", None, 0)

CROOK_POWER: Final = _column("crooks", "power")
CROOK_RESISTANCE: Final = _column("crooks", "resistance")
CROOK_N: Final = _effects("crooks", "n", None, 0)
CROOK_TYPE: Final = _effects("crooks", "type", TYPE_CODES, -1)
CROOK_DISTRICT: Final = _effects("crooks", "district", DISTRICT_CODES, -1)
WEAKNESS: Final = np.array(
    [sum(1 << TYPE_CODES.index(t) for t in card["weakness"]) for card in CARDS_DATA["crooks"]],
    np.int64,
)
"""Bit set of the types that each Crook is weak to."""
HAS_ABILITY: Final = np.array([bool(card["abilities"]) for card in CARDS_DATA["crooks"]])
TURN_ABILITY: Final = np.array(
    [
        max((k for k in (T_NEEDLE, T_STEAL, T_CASH, T_ARSON) if CROOK_N[k, c]), default=-1)
        for c in range(CROOKS)
    ],
    np.int8,
)
"""Code of each Crook's ability for a token in his own turn, or -1."""


def _holders() -> Table:
    """Crooks with each ability code, ascending, filled up with -1."""
    most = max(int((row != 0).sum()) for row in CROOK_N) + 1
    table = np.full((len(ABILITIES), most), -1, np.int8)
    for row, amounts in enumerate(CROOK_N):
        found = np.flatnonzero(amounts)
        table[row, : len(found)] = found
    return table


HOLDERS: Final = _holders()
"""Table of shape (ability codes, some more than the most Crooks with one): who has it, then -1."""

RACKET_INCOME: Final = _column("rackets", "income")
RACKET_RESISTANCE: Final = _column("rackets", "resistance")
RACKET_POWER: Final = _column("rackets", "power")
RACKET_KIND: Final = np.array(
    [TYPE_CODES.index(card["type"]) for card in CARDS_DATA["rackets"]], np.int8
)
RACKET_DISTRICT: Final = np.array(
    [DISTRICT_CODES.index(card["district"]) for card in CARDS_DATA["rackets"]], np.int8
)
RACKET_N: Final = _effects("rackets", "n", None, 0)
RACKET_TYPE: Final = _effects("rackets", "type", TYPE_CODES, -1)
RACKET_IN: Final = _effects("rackets", "district", DISTRICT_CODES, -1)
RACKET_MIN: Final = _effects("rackets", "min", None, 0)
RACKET_MAX: Final = _effects("rackets", "max", None, 0)
RACKET_CARD: Final = _effects("rackets", "card", list(RACKET_IDS), -1)
_WITH = _effects("rackets", "with", TYPE_CODES, -1)
PAIR: Final = np.array(
    [
        next(
            (
                other
                for other in range(RACKETS)
                if _WITH[COMBO_PAIR, r] == RACKET_KIND[other]
                and RACKET_DISTRICT[other] == RACKET_DISTRICT[r]
            ),
            -1,
        )
        for r in range(RACKETS)
    ],
    np.int8,
)
"""The Racket that each one pairs with (COMBO_PAIR), or -1."""
MATCHES: Final = np.array(
    [
        (1 << int(RACKET_KIND[r]) if RACKET_KIND[r] != UNIQUE else 0)
        | (1 << int(RACKET_TYPE[ALIAS_WEAKNESS, r]) if RACKET_N[ALIAS_WEAKNESS, r] else 0)
        for r in range(RACKETS)
    ],
    np.int64,
)
"""Bit set of the types that each Racket counts as where Weaknesses are compared."""
ALIASES: Final = np.flatnonzero(RACKET_N[ALIAS_WEAKNESS])
"""Rackets that count as another type, too."""
DISTRICT_GUARDS: Final = np.flatnonzero(RACKET_N[DEF_TAKE_DISTRICT])
"""Rackets that defend those of their owner in a district."""

KIND_OF_COPY: Final = np.array(
    [k for k, card in enumerate(CARDS_DATA["specials"]) for _ in range(card["copies"])], np.int8
)
TIMING: Final = np.array([TIMINGS.index(card["timing"]) for card in CARDS_DATA["specials"]])
SPECIAL_N: Final = np.array(
    [card["abilities"][0].get("n", 0) for card in CARDS_DATA["specials"]], np.int8
)
MONEY: Final = np.array(LADDER, np.int8)

_TABLES = CARDS_DATA["tables"]
LIEUTENANT_MOD: Final = int(_TABLES["recruit_position"]["lieutenant"])
UNDER_LIEUTENANT_MOD: Final = int(_TABLES["recruit_position"]["under_lieutenant"])
UNHAPPY_BONUS: Final = int(_TABLES["unhappy_bonus"])
WEAKNESS_STEP: Final = int(_TABLES["weakness_step"])
SAME_DISTRICT: Final = int(_TABLES["same_district"])
SAME_TYPE: Final = int(_TABLES["same_type"])
HIT_BOSS: Final = int(_TABLES["hit_boss"])
HIT_HAS_SUBORDINATES: Final = int(_TABLES["hit_has_subordinates"])
HIT_BODYGUARD: Final = int(_TABLES["hit_bodyguard"])
HIT_HIDE: Final = int(_TABLES["hit_hide"])
WAR_BONUS: Final = int(_TABLES["war_bonus"])
THIRD_PARTY_MAX: Final = int(_TABLES["third_party_max"])
HIT_MONEY_MAX: Final = int(_TABLES["hit_money_max"])
AUTO_FAIL: Final = min(_TABLES["auto_fail"])
POWER_CAP: Final = int(_TABLES["power_cap"])
QUIT_AT: Final = int(_TABLES["quit_at"])
CENTRE_MIN: Final = int(_TABLES["centre_min"])
PASS_BONUS: Final = int(_TABLES["pass_bonus"])
VICTORY: Final = {
    name: {int(n): int(count) for n, count in row.items()}
    for name, row in _TABLES["victory_rackets"].items()
}
