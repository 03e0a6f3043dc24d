"""The cards and their checks (section 2), the action space (section 23), notation (section 24)."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from gangland.envs.core.errors import NotationError
from gangland.envs.crime_lords.actions import NUM_ACTIONS
from gangland.envs.crime_lords.data.checks import DataError, check_cards
from gangland.envs.crime_lords.data.tables import (
    CARDS_DATA,
    CROOK_POWER,
    CROOK_RESISTANCE,
    LADDER,
    MOB_BONUS,
    RACKET_DISTRICT,
    RACKET_INCOME,
    RACKET_KIND,
    RACKET_POWER,
    RACKET_RESISTANCE,
)
from gangland.envs.crime_lords.words.action_texts import TEXTS


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
