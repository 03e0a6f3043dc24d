"""The cards of Crime Lords, from ``cards.json``, checked when they are read (CL-2.17).

Most names, numbers and effects are a reconstruction: the rulebook has no card list. Each card says
in ``provenance`` what stands in the rulebook. Another file can replace it without touching code.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..core.errors import GanglandError
from .state import COPIES, CROOKS, DISTRICTS, KINDS, RACKETS, TYPES

DATA_FILE: Final = Path(__file__).with_name("cards.json")
MOBS: Final = 8
REGULAR_TYPES: Final = 9
UNIQUE: Final = 9
"""Index of the type ``UNI`` of the one-off Rackets."""

# Ability codes of Mobs, Crooks and Rackets (CL-2.15): rows of the effect tables.
ABILITIES: Final = (
    "MOB_HIT", "MOB_RECRUIT", "MOB_TAKE", "SELF_HIT", "SELF_RECRUIT", "SELF_TAKE", "DEF_RECRUIT",
    "LOYAL_UNDER", "LOYAL_SELF", "GUARD_MOB", "GUARD_SELF", "BODYGUARD", "DEF_TAKE",
    "DEF_TAKE_DISTRICT", "TYPE_POWER", "TYPE_ROAM", "DISTRICT_MUSCLE", "MUSCLE_ANY", "LEAD_TAKE",
    "EXTRA_RECRUIT_HELP", "ANYTIME_SWING", "BOSS_SWING_TAKE", "REROLL", "HIT_FAME",
    "CHEER_ON_BOSS_WIN", "NO_PAY", "PAY_CREDIT", "EXTRA_DRAW", "INCOME_TYPE", "INCOME_DISTRICT",
    "COMBO_PAIR", "COMBO_SET", "COMBO_PER", "COMBO_CARD", "ALIAS_WEAKNESS", "CHEER_BUY",
    "T_NEEDLE", "T_STEAL", "T_CASH", "T_ARSON",
)  # fmt: skip
(
    MOB_HIT, MOB_RECRUIT, MOB_TAKE, SELF_HIT, SELF_RECRUIT, SELF_TAKE, DEF_RECRUIT,
    LOYAL_UNDER, LOYAL_SELF, GUARD_MOB, GUARD_SELF, BODYGUARD, DEF_TAKE,
    DEF_TAKE_DISTRICT, TYPE_POWER, TYPE_ROAM, DISTRICT_MUSCLE, MUSCLE_ANY, LEAD_TAKE,
    EXTRA_RECRUIT_HELP, ANYTIME_SWING, BOSS_SWING_TAKE, REROLL_CODE, HIT_FAME,
    CHEER_ON_BOSS_WIN, NO_PAY, PAY_CREDIT, EXTRA_DRAW, INCOME_TYPE, INCOME_DISTRICT,
    COMBO_PAIR, COMBO_SET, COMBO_PER, COMBO_CARD, ALIAS_WEAKNESS, CHEER_BUY,
    T_NEEDLE, T_STEAL, T_CASH, T_ARSON,
) = range(len(ABILITIES))  # fmt: skip

# Special kinds by effect code (CL-2.14); the file lists them in this order.
EFFECTS: Final = (
    "SWING_OWN_ATTACK", "SWING_DEFENCE", "CASH", "STEAL", "BLOCK_DEALS", "TOKEN", "REVIVE",
    "NEEDLE", "CHEER", "STRIP_TOKEN", "RAID", "CANCEL",
)  # fmt: skip
(
    INSIDE_MAN, TIP_OFF, BAG_OF_CASH, SHAKEDOWN, HEATS_ON, SECOND_WIND, REVIVAL,
    GRUDGE, VACATION, FRAME_UP, POLICE_RAID, HUSH_MONEY,
) = range(len(EFFECTS))  # fmt: skip
TIMINGS: Final = ("ANY", "OWN", "ATTACK_LEAD", "ATTACK_DEFEND", "COUNTER")
ANY_TIME: Final = 0
OWN_TURN: Final = 1

Table = NDArray[np.int8]


class DataError(GanglandError, ValueError):
    """The card file contradicts CL-2.17; the message names the check and the card."""


def check_cards(data: Mapping[str, Any]) -> None:
    """Check a card file (CL-2.17).

    Raises:
        DataError: Naming the check that fails, the card and what is allowed.
    """
    mobs, crooks = data["mobs"], data["crooks"]
    rackets, specials = data["rackets"], data["specials"]
    for name, cards, wanted in (
        ("mobs", mobs, MOBS),
        ("crooks", crooks, CROOKS),
        ("rackets", rackets, RACKETS),
        ("specials", specials, KINDS),
        ("districts", data["districts"], DISTRICTS),
        ("racket_types", data["racket_types"], TYPES),
    ):
        _require(len(cards) == wanted, f"number of {name}: {len(cards)}, must be {wanted}")
    copies = sum(card["copies"] for card in specials)
    _require(copies == COPIES, f"copies of Specials: {copies}, must be {COPIES}")
    ids = [card["id"] for card in (*mobs, *crooks, *rackets, *specials)]
    for card_id in ids:
        _require(ids.count(card_id) == 1, f"unique ids: {card_id} stands more than once")
    for mob in mobs:
        bonus = mob["boss_bonus"]
        _require(bonus in (1, 2, 3), f"Boss bonus of {mob['id']}: {bonus}, must be 1..3")
    _check_crooks(data)
    _check_rackets(data)
    _check_references(data)
    for kind, (card, effect) in enumerate(zip(specials, EFFECTS, strict=True)):
        codes = [ability["code"] for ability in card["abilities"]]
        _require(codes == [effect], f"effect of Special {kind} ({card['id']}): must be {effect}")
        timing = card["timing"]
        _require(timing in TIMINGS, f"timing of {card['id']}: {timing}, must be one of {TIMINGS}")
    _check_ladder(data["tables"]["money_ladder"])


def _check_crooks(data: Mapping[str, Any]) -> None:
    regular = [kind["code"] for kind in data["racket_types"] if kind["regular"]]
    crooks = data["crooks"]
    for card in crooks:
        name, power = card["id"], card["power"]
        _require(1 <= power <= 6, f"Power of {name}: {power}, must be 1..6")
        _require(
            card["resistance"] >= 1, f"Resistance of {name}: {card['resistance']}, must be >= 1"
        )
        for kind in card["weakness"]:
            _require(kind in regular, f"Weakness of {name}: {kind}, must be one of {regular}")
        turns = [a["code"] for a in card["abilities"] if a["code"].startswith("T_")]
        _require(len(turns) <= 1, f"T_ abilities of {name}: {turns}, must be at most one")
    sixes = [card["id"] for card in crooks if card["power"] == 6]
    _require(len(sixes) == 3, f"Crooks of Power 6: {sixes}, must be three")


def _check_rackets(data: Mapping[str, Any]) -> None:
    districts = [d["code"] for d in data["districts"]]
    rackets = data["rackets"]
    for card in rackets:
        name = card["id"]
        _require(card["district"] in districts, f"district of {name}: must be one of {districts}")
        for key in ("income", "resistance"):
            _require(card[key] >= 1, f"{key} of {name}: {card[key]}, must be >= 1")
        muscle = any(a["code"] in ("DISTRICT_MUSCLE", "MUSCLE_ANY") for a in card["abilities"])
        _require(
            muscle == bool(card["power"]), f"Power of {name}: must be present with muscle only"
        )
    for kind in data["racket_types"]:
        places = sorted(c["district"] for c in rackets if c["type"] == kind["code"])
        if kind["regular"]:
            _require(places == sorted(districts), f"type {kind['code']}: must be once per district")
        else:
            for district in districts:
                _require(district in places, f"one-off Racket of district {district}: missing")


def _check_references(data: Mapping[str, Any]) -> None:
    types = [kind["code"] for kind in data["racket_types"] if kind["regular"]]
    allowed = {
        "type": types,
        "with": types,
        "district": [d["code"] for d in data["districts"]],
        "card": [card["id"] for card in data["rackets"]],
    }
    holders: dict[str, list[str]] = {}
    for card, ability in _abilities(data):
        code = ability["code"]
        _require(code in ABILITIES, f"ability {code} of {card['id']}: is not known")
        holders.setdefault(code, []).append(card["id"])
        for key, known in allowed.items():
            if key in ability:
                _require(
                    ability[key] in known,
                    f"{key} {ability[key]} of {card['id']}: must be one of {known}",
                )
    for code in ("ANYTIME_SWING", "REROLL", "BOSS_SWING_TAKE"):
        found = holders.get(code, [])
        _require(len(found) <= 1, f"cards with {code}: {found}, must be at most one")


def _check_ladder(ladder: list[int]) -> None:
    rising = all(a < b for a, b in itertools.pairwise(ladder))
    _require(
        rising and ladder[:1] == [0] and len(ladder) == 23,
        f"money_ladder: {ladder}, must rise strictly from 0 in 23 steps",
    )


def _abilities(data: Mapping[str, Any]) -> Iterator[tuple[Any, Any]]:
    for group in ("mobs", "crooks", "rackets"):
        for card in data[group]:
            for ability in card["abilities"]:
                yield card, ability


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise DataError(what)


def load_cards(path: Path = DATA_FILE) -> dict[str, Any]:
    """Read and check a card file.

    Raises:
        DataError: Naming the check that fails.
    """
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    check_cards(data)
    return data


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
