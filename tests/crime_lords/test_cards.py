"""Every printed number and ability of the cards, as the rules read them (section 2)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gangland.envs.crime_lords.data import codes
from gangland.envs.crime_lords.data import tables as data
from gangland.envs.crime_lords.data.codes import ABILITIES, CHEER_BUY, COMBO_PAIR, TIMINGS, UNIQUE
from gangland.envs.crime_lords.data.tables import (
    CROOK_IDS,
    HOLDERS,
    KIND_OF_COPY,
    MATCHES,
    MOB_IDS,
    PAIR,
    RACKET_IDS,
    SPECIAL_IDS,
    TURN_ABILITY,
)
from gangland.envs.crime_lords.state import CARDS, COPIES, DECK

PRINTED = (Path(__file__).parent / "cards.txt").read_text(encoding="utf-8").splitlines()
"""A card a line: its numbers (Power/Resistance, income/Resistance/Power), Weakness, abilities."""
TYPES = ("CAS", "NUM", "NCL", "FCL", "LSH", "CHP", "SMG", "GNG", "COP", "UNI")


def abilities(column, **tables):
    """Abilities of a card from the tables ``(codes, cards)`` of its parameters, as printed."""
    texts = []
    for code, name in enumerate(ABILITIES):
        if tables["n"][code, column] == 0:
            continue
        words = {key: table[code, column] for key, table in tables.items()}
        # 0 and, for references, -1 say that there is no such parameter.
        words = {k: v for k, v in words.items() if v != 0 and (k == "n" or v > 0)}
        if tables["type"][code, column] >= 0:
            words["type"] = tables["type"][code, column]
        if "district" in tables and tables["district"][code, column] >= 0:
            words["district"] = "NSEWC"[tables["district"][code, column]]
        if "type" in words:
            words["type"] = TYPES[words["type"]]
        if "card" in words:
            words["card"] = RACKET_IDS[words["card"]]
        if code == COMBO_PAIR:
            words["with"] = RACKET_IDS[PAIR[column]].partition("-")[0]
        if code == CHEER_BUY:
            words["cost"] = words.pop("n")
        texts.append(" ".join([name, *(f"{key}={words[key]}" for key in sorted(words))]))
    # A number of 1 says no more than that there is one.
    return "; ".join(sorted(re.sub(r" n=1\b", "", text) for text in texts))


def lines():
    """All cards in the words of ``cards.txt``, from the tables that the kernels read."""
    for card, name in enumerate(MOB_IDS):
        found = abilities(
            card, n=data.MOB_N, type=data.MOB_TYPE, district=data.MOB_DISTRICT, max=data.MOB_MAX
        )
        yield f"{name} +{data.MOB_BONUS[card]} {found}"
    for card, name in enumerate(CROOK_IDS):
        weak = [kind for bit, kind in enumerate(TYPES) if data.WEAKNESS[card] >> bit & 1]
        numbers = f"{data.CROOK_POWER[card]}/{data.CROOK_RESISTANCE[card]}"
        found = abilities(card, n=data.CROOK_N, type=data.CROOK_TYPE, district=data.CROOK_DISTRICT)
        yield f"{name} {numbers} {','.join(weak) or '-'} {found}".rstrip()
    for card, name in enumerate(RACKET_IDS):
        numbers = [data.RACKET_INCOME[card], data.RACKET_RESISTANCE[card], data.RACKET_POWER[card]]
        found = abilities(
            card, n=data.RACKET_N, type=data.RACKET_TYPE, district=data.RACKET_IN,
            min=data.RACKET_MIN, max=data.RACKET_MAX, card=data.RACKET_CARD,
        )  # fmt: skip
        yield f"{name} {'/'.join(map(str, numbers[: 3 if numbers[2] else 2]))} {found}"
    for kind, name in enumerate(SPECIAL_IDS):
        copies = (kind == KIND_OF_COPY).sum()
        text = codes.EFFECTS[kind] + f" n={data.SPECIAL_N[kind]}" * bool(data.SPECIAL_N[kind])
        yield f"{name} {copies}x {TIMINGS[data.TIMING[kind]]} {text.removesuffix(' n=1')}"


@pytest.mark.rule(
    "CL-2.1", "CL-2.3", "CL-2.6", "CL-2.7", "CL-2.8", "CL-2.10", "CL-2.11", "CL-2.12", "CL-2.13",
    "CL-2.14",
)  # fmt: skip
def test_every_card_is_as_printed():
    assert list(lines()) == PRINTED
    assert len(PRINTED) == 8 + 36 + 52 + 12
    assert (len(KIND_OF_COPY), CARDS, DECK) == (COPIES, 36 + 52, 36 + 52 + 16)


@pytest.mark.rule("CL-2.15", "CL-2.5", "CL-10.6")
def test_tables_that_follow_from_the_cards():
    for code, name in enumerate(ABILITIES):
        wanted = [c for c, line in enumerate(PRINTED[8:44]) if f" {name}" in line]
        assert [c for c in HOLDERS[code] if c >= 0] == wanted
    for crook, line in enumerate(PRINTED[8:44]):
        code = TURN_ABILITY[crook]
        assert (ABILITIES[code] if code >= 0 else "") in line
        assert (code >= 0) == (" T_" in line)
        assert data.HAS_ABILITY[crook] == (len(line.split()) > 3)
    for racket, name in enumerate(RACKET_IDS):
        kinds = {name.partition("-")[0]} & set(TYPES)
        kinds |= {"U-N1": {"NCL"}, "U-W1": {"CAS"}}.get(name, set())
        assert MATCHES[racket] == sum(1 << TYPES.index(kind) for kind in kinds)
        assert TYPES[data.RACKET_KIND[racket]] == (name[:3] if name[:2] != "U-" else "UNI")
        assert "NSEWC"[data.RACKET_DISTRICT[racket]] == name.replace("U-", "-").split("-")[1][0]
    assert TYPES[UNIQUE] == "UNI"


@pytest.mark.rule("CL-2.16")
def test_constants_are_as_quoted():
    assert (data.LIEUTENANT_MOD, data.UNDER_LIEUTENANT_MOD) == (-10, -5)
    assert (data.UNHAPPY_BONUS, data.WEAKNESS_STEP) == (2, 4)
    assert (data.SAME_DISTRICT, data.SAME_TYPE) == (2, 2)
    assert (data.HIT_BOSS, data.HIT_HAS_SUBORDINATES, data.HIT_BODYGUARD) == (-10, -5, -5)
    assert (data.HIT_HIDE, data.WAR_BONUS) == (-3, 5)
    assert (data.THIRD_PARTY_MAX, data.HIT_MONEY_MAX) == (10, 5)
    assert (data.AUTO_FAIL, data.POWER_CAP, data.QUIT_AT) == (11, 6, 3)
    assert (data.CENTRE_MIN, data.PASS_BONUS) == (4, 10)
