"""The cards and their checks (section 2), actions (section 23), notation (section 24), phases."""

from __future__ import annotations

import copy
import re
from pathlib import Path

import numpy as np
import pytest

from gangland.envs.core.errors import NotationError
from gangland.envs.crime_lords import data
from gangland.envs.crime_lords import state as record
from gangland.envs.crime_lords.actions import NUM_ACTIONS, TEXTS
from gangland.envs.crime_lords.data import (
    CARDS_DATA,
    CROOK_IDS,
    CROOK_POWER,
    CROOK_RESISTANCE,
    HOLDERS,
    KIND_OF_COPY,
    LADDER,
    MATCHES,
    MOB_BONUS,
    MOB_IDS,
    PAIR,
    RACKET_DISTRICT,
    RACKET_IDS,
    RACKET_INCOME,
    RACKET_KIND,
    RACKET_POWER,
    RACKET_RESISTANCE,
    SPECIAL_IDS,
    TURN_ABILITY,
    codes,
)
from gangland.envs.crime_lords.data.checks import DataError, check_cards
from gangland.envs.crime_lords.data.codes import ABILITIES, CHEER_BUY, COMBO_PAIR, TIMINGS, UNIQUE
from gangland.envs.crime_lords.rules import phases
from gangland.envs.crime_lords.state import CARDS, COPIES, DECK

from ..dispatch import phases_named

# --- every printed number and ability, as the rules read them -------------------------------------

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


# --- checks of the file, the action space, notation -----------------------------------------------


@pytest.mark.rule(
    "CL-2.1", "CL-2.3", "CL-2.4", "CL-2.5", "CL-2.6", "CL-2.7", "CL-2.8", "CL-2.10", "CL-2.11",
    "CL-2.12", "CL-2.13", "CL-2.14", "CL-1.3",
)  # fmt: skip
def test_sums_of_the_cards():
    assert np.bincount(CROOK_POWER)[1:].tolist() == [5, 7, 8, 8, 5, 3]
    assert CROOK_POWER.sum() == 118
    assert np.bincount(RACKET_DISTRICT, RACKET_INCOME).tolist() == [34, 37, 26, 42, 33]
    assert CROOK_RESISTANCE.mean() == pytest.approx(3.81, abs=0.005)
    assert RACKET_RESISTANCE.mean() == pytest.approx(5.35, abs=0.005)
    assert 36 + (RACKET_POWER > 0).sum() == 47
    assert np.bincount(RACKET_KIND).tolist() == [5] * 9 + [7]
    assert MOB_BONUS.tolist() == [3, 2, 2, 2, 1, 2, 1, 2]
    assert sum(card["copies"] for card in CARDS_DATA["specials"]) == 16
    assert "reconstruct" in CARDS_DATA["note"]
    assert all(card["provenance"] for card in CARDS_DATA["crooks"])


def broken(change):
    data = copy.deepcopy(CARDS_DATA)
    change(data)
    return data


@pytest.mark.rule("CL-2.17", "CL-2.16")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d["crooks"].pop(), "number of crooks: 35"),
        (lambda d: d["specials"][0].update(copies=2), "copies of Specials: 17"),
        (lambda d: d["crooks"][1].update(id="C01"), "unique ids: C01"),
        (lambda d: d["crooks"][0].update(power=7), "Power of C01: 7"),
        (lambda d: d["crooks"][0].update(power=5), "Crooks of Power 6"),
        (lambda d: d["crooks"][0].update(resistance=0), "Resistance of C01"),
        (lambda d: d["rackets"][0].update(income=0), "income of CAS-N"),
        (lambda d: d["rackets"][0].update(district="S"), "type CAS: must be once per district"),
        (lambda d: d["rackets"][45].update(district="S"), "one-off Racket of district N"),
        (lambda d: d["crooks"][0].update(weakness=["UNI"]), "Weakness of C01: UNI"),
        (lambda d: d["rackets"][0]["abilities"][0].update({"with": "XYZ"}), "with XYZ of CAS-N"),
        (lambda d: d["mobs"][0].update(boss_bonus=4), "Boss bonus of M1"),
        (lambda d: d["rackets"][0].update(power=2), "Power of CAS-N"),
        (lambda d: d["crooks"][0]["abilities"].append({"code": "REROLL"}), "cards with REROLL"),
        (
            lambda d: d["crooks"][23]["abilities"].append({"code": "T_CASH", "n": 1}),
            "T_ abilities of C24",
        ),
        (lambda d: d["tables"]["money_ladder"].pop(), "money_ladder"),
        (lambda d: d["crooks"][0]["abilities"][0].update(code="FLY"), "ability FLY of C01"),
    ],
)
def test_load_checks_name_what_is_wrong(change, message):
    with pytest.raises(DataError, match=message):
        check_cards(broken(change))


@pytest.mark.rule("CL-9.24")
def test_the_action_space():
    assert NUM_ACTIONS == 488
    assert len(set(TEXTS)) == 488
    assert (TEXTS[20], TEXTS[56], TEXTS[92], TEXTS[144]) == (
        "REC C01",
        "HIT C01",
        "TAKE CAS-N",
        "C01",
    )
    assert (TEXTS[232], TEXTS[244], TEXTS[251], TEXTS[395]) == ("S01", "P+1", "C01.N", "BID 0")
    assert (TEXTS[421], TEXTS[443], TEXTS[465], TEXTS[487]) == ("FOR 1", "AG 1", "AMT 0", "AMT 100")
    assert (*range(13), 14, 16, 18, 20, 25, 30, 40, 50, 75, 100) == LADDER


GOOD = (
    "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/30/C02t(N:C05)/CAS-N/S03 | 1=M8/2/C01/-/- "
    "| centre=- | disc=-"
)


@pytest.mark.rule("CL-5.3", "CL-5.4")
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("CL1", "CL9", "CL1"),
        ("n=2", "n=9", "n=9"),
        ("M1/30", "M9/30", "Mob 'M9'"),
        ("/30/", "/-3/", "treasury"),
        ("(N:C05)", "(N:C05", "not closed"),
        ("(N:C05)", "(N:C05(E:C10),E:C15)", "touches"),
        ("CAS-N", "CAS-Nt", "no token space"),
        ("S03", "S99", "S99"),
        ("M8/2/C01", "M8/2/C02", "more than once"),
        ("centre=-", "centre=S04", "Special"),
        ("ph=MAIN", "ph=WAR", "ctx"),
        ("ph=MAIN", "ph=MAIN bribes=2", "bribes"),
    ],
)
def test_bad_positions_are_named(game, old, new, message):
    assert game.position_text(game.parse_position(GOOD)).startswith("CL1 n=2 v=short A=0 ph=MAIN")
    with pytest.raises(NotationError, match=message):
        game.parse_position(GOOD.replace(old, new))


# --- every phase is named in one place of what is legal, and of what follows ----------------------


@pytest.mark.parametrize("function", [phases.legal_actions, phases.decide])
def test_every_phase_has_one_place(function):
    assert sorted(phases_named(function, record)) == sorted({*record.PHASES} - {"OVER"})


def test_both_kernels_name_the_phases_in_the_same_order():
    assert phases_named(phases.legal_actions, record) == phases_named(phases.decide, record)
