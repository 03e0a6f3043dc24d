"""What a card file has to keep (CL-2.17)."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from ...core.errors import GanglandError
from ..state import COPIES, CROOKS, DISTRICTS, KINDS, MONEY_STEPS, RACKETS, TYPES
from .codes import ABILITIES, EFFECTS, MOBS, TIMINGS

DATA_FILE: Final = Path(__file__).with_name("cards.json")


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
        rising and ladder[:1] == [0] and len(ladder) == MONEY_STEPS,
        f"money_ladder: {ladder}, must rise strictly from 0 in {MONEY_STEPS} steps",
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
