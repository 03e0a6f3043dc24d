"""Attacks beyond the worked examples: modifiers, helpers, muscle, swings, dice (9 to 12)."""

from __future__ import annotations

import pytest

from gangland.envs.crime_lords.data import CROOK_IDS, RACKET_IDS
from gangland.envs.crime_lords.state import (
    ASSIST,
    COMMIT_A,
    COMMIT_D,
    COMMIT_T,
    DEFEND,
    MAIN,
    PLACE,
)

from .scenes import legal, play, roll_totals, scene, table

LADDER = (*range(13), 14, 16, 18, 20, 25, 30)
WAYS = {total: 6 - abs(total - 7) for total in range(2, 13)}
"""How many of the 36 throws of two dice give each total."""


def crook(name):
    return CROOK_IDS.index(name)


def racket(name):
    return RACKET_IDS.index(name)


DUEL = "CL1 n=2 v=short A=0 ph=MAIN | 0={} | 1={} | centre={} | disc=-"
THREE = "CL1 n=3 v=short A=0 ph=MAIN | 0={} | 1={} | 2={} | centre={} | disc=-"


@pytest.mark.rule("CL-9.5", "CL-9.4", "CL-9.6", "CL-9.35")
@pytest.mark.parametrize(
    ("number", "chances"),
    [
        (-1, 0), (1, 0), (2, 1), (3, 3), (4, 6), (5, 10), (6, 15), (7, 21), (8, 26), (9, 30),
        (10, 33), (11, 33), (12, 33), (20, 33),
    ],
)  # fmt: skip
def test_chances_by_success_number(game, number, chances):
    """All totals are tried; who fails keeps his target, who never rolls draws nothing."""
    last = scene(game, DUEL.format("M1/9/C01t/-/-", "M4/9/C03/-/-", "C10"))
    play(game, last, "0>REC C10, 0>PASS")
    last.number = number
    ways = 0
    for total, throws in WAYS.items():
        state = game.clone(last)
        roll_totals(state, total)
        rng = state.rng
        play(game, state, "1>PASS")
        ways += throws * int(state.success)
        assert (state.phase == MAIN) == (not state.success)
        assert (state.rng == rng) == (number < 2)
        assert state.roll == (total if number >= 2 else 0)
        assert state.unrolled == (number < 2)
    assert ways == chances


@pytest.mark.rule("CL-9.6", "CL-9.5", "CL-12.9", "CL-10.9", "CL-11.10")
@pytest.mark.parametrize(
    ("mine", "rival", "decisions", "end"),
    [
        ("C27t", "C03(N:C07)", "0>HIT C07, 0>AMT 0", "1=M4/9/C03(N:C07)/CAS-N/-"),
        ("C02t", "C03(N:C07)", "0>REC C07, 0>PASS, 1>PASS", "1=M4/9/C03(N:C07)/CAS-N/-"),
        ("C27t", "C03(N:C07)", "0>TAKE CAS-N, 0>PASS, 1>PASS", "1=M4/9/C03(N:C07)/CAS-N/-"),
    ],
)
def test_a_number_below_two_is_not_rolled(game, mine, rival, decisions, end):
    state = scene(game, DUEL.format(f"M1/9/{mine}/-/-", f"M4/9/{rival}/CAS-N/-", "-"))
    rng = state.rng
    play(game, state, decisions)
    assert state.number < 2
    assert (state.rng, state.roll, state.unrolled) == (rng, 0, 1)
    assert end in table(game, state)
    assert not state.success
    assert (state.phase, state.seat) == (MAIN, 0)


@pytest.mark.rule("CL-9.5", "CL-9.23")
@pytest.mark.parametrize(("against", "number", "succeeds"), [(10, 10, True), (11, 9, False)])
def test_what_is_above_ten_is_a_buffer(game, against, number, succeeds):
    """N = 20: ten G Against change nothing, the eleventh does."""
    state = scene(
        game, DUEL.format("M1/40/C01t/-/-", "M4/40/C03/NUM-N/-", "-"), totals=(10,)
    )  # fmt: skip
    play(game, state, "0>TAKE NUM-N, 0>FOR 12")
    state.number += 3
    play(game, state, f"1>AG {against}")
    assert state.number == number
    assert bool(state.success) == succeeds


@pytest.mark.rule(
    "CL-2.15", "CL-9.11", "CL-10.2", "CL-10.3", "CL-10.4", "CL-10.5", "CL-10.6", "CL-11.1",
    "CL-11.2", "CL-11.3", "CL-11.4", "CL-11.5", "CL-12.3", "CL-12.4", "CL-12.5",
)  # fmt: skip
@pytest.mark.parametrize(
    ("mine", "rival", "announcement", "number"),
    [
        # Recruitment: leader, MOB_RECRUIT, SELF_RECRUIT, Weakness with aliases.
        ("M1/0/C03t/-", "M4/0/C01/-", "REC C10", 9 - 1 + 1),
        ("M6/0/C03t/-", "M4/0/C01/-", "REC C10", 8 - 1 + 1 + 2),
        ("M1/0/C10t/-", "M4/0/C01/-", "REC C27", 7 - 5 + 3),
        ("M1/0/C08t/-", "M4/0/C01/-", "REC C27", 8 - 5 - 2),
        ("M1/0/C02t/U-W1", "M4/0/C01/-", "REC C10", 9 - 1 + 4),
        ("M1/0/C02t/U-N1", "M4/0/C01/-", "REC C10", 9 - 1),
        ("M1/0/C02t/CAS-N", "M4/0/C01/-", "REC C26", 9 - 3),
        ("M1/0/C02t/CAS-N", "M4/0/C01/CAS-S,CAS-E", "REC C10", 9 - 1 + 4),
        ("M1/0/C02t/CAS-N", "M4/0/C01(N:C10)/CAS-S", "REC C10", 9 - 1 - 10),
        ("M1/0/C02t/CAS-N", "M4/0/C01(N:C10)/CAS-S,U-W1", "REC C10", 9 - 1 - 10 - 4),
        ("M1/0/C02t/-", "M4/0/C01(N:C10u2)/-", "REC C10", 9 - 1 - 10 + 4),
        ("M1/0/C03t/-", "M4/0/C01(N:C02(N:C10))/-", "REC C10", 9 - 1 + 1 - 5 - 3),
        ("M8/0/C03t/-", "M1/0/C02(N:C07(N:C10))/-", "REC C10", 8 - 1 + 1 - 5 - 3),
        ("M8/0/C03t/-", "M4/0/C01(N:C07(N:C05(N:C10)))/-", "REC C10", 8 - 1 + 1),
        # Takeover: MOB_TAKE by type and district, SELF_TAKE, DEF_TAKE, districts and types.
        ("M1/0/C04t/-", "M8/0/C01/-", "TAKE COP-N", 8 - 7 + 3),
        ("M1/0/C04t/-", "M8/0/C01/-", "TAKE CAS-N", 8 - 7),
        ("M1/0/C15t/-", "M8/0/C01/-", "TAKE U-C2", 7 - 6 + 2),
        ("M1/0/C15t/-", "M8/0/C01/-", "TAKE CAS-N", 7 - 7),
        ("M1/0/C21t/-", "M8/0/C01/-", "TAKE CAS-N", 6 - 7 + 2),
        ("M1/0/C06t/-", "M8/0/C01/-", "TAKE CAS-N", 8 - 7 + 2),
        ("M1/0/C02t(N:C06)/-", "M8/0/C01/-", "TAKE CAS-N", 9 - 7),
        ("M1/0/C02t/-", "M8/0/C01(N:C19)/CAS-S", "TAKE CAS-S", 9 - 6 - 2),
        ("M1/0/C02t(N:C19)/-", "M8/0/C01/CAS-S", "TAKE CAS-S", 9 - 6),
        ("M1/0/C02t/-", "M8/0/C01/CAS-S,U-S1", "TAKE CAS-S", 9 - 6 - 2 - 2),
        ("M1/0/C02t/-", "M8/0/C01/CAS-S,U-S1", "TAKE U-S1", 9 - 6 - 2),
        ("M1/0/C02t/-", "M8/0/C01/CAS-N,U-S1", "TAKE CAS-N", 9 - 7),
        ("M1/0/C02t/U-S1", "M8/0/C01/CAS-S", "TAKE CAS-S", 9 - 6 + 2),
        ("M1/0/C02t/U-N1", "M8/0/C01/U-E1", "TAKE U-S1", 9 - 6),
        ("M1/0/C02t/CAS-N,CAS-S", "M8/0/C01/CAS-E,CAS-W", "TAKE CAS-E", 9 - 5 + 4 - 2),
        ("M1/0/C02t/CAS-Nx,NUM-W", "M8/0/C01/SMG-W,CHP-W", "TAKE SMG-W", 9 - 7 + 2 - 2),
        ("M1/0/C02t/-", "M8/0/C01/CAS-N,NUM-W", "TAKE CAS-W", 9 - 8),
        ("M1/0/C05/U-C1t", "M8/0/C01/-", "TAKE COP-C", 4 - 8 + 2),
        ("M1/0/C05(N:C04)/U-C1t", "M8/0/C01/COP-N", "TAKE COP-N", 4 - 7 + 3),
        # Hit: guards, bodyguards, subordinates, Boss, MOB_HIT, SELF_HIT.
        ("M1/0/C02t/-", "M4/0/C01(N:C08,E:C27,S:C23,W:C31)/-", "HIT C27", 9 - 2 - 5),
        ("M1/0/C02t/-", "M4/0/C01(N:C08,E:C27,S:C23,W:C31)/-", "HIT C08", 9 - 5 - 5),
        ("M1/0/C02t(N:C23)/-", "M4/0/C01(N:C27)/-", "HIT C27", 9 - 2),
        ("M1/0/C02t/-", "M4/0/C01/-", "HIT C35", 9 - 1 - 6),
        ("M1/0/C02t/-", "M4/0/C03(N:C16,E:C20)/-", "HIT C03", 9 - 8 - 10 - 10),
        ("M1/0/C02t/-", "M4/0/C03(N:C07(N:C16))/-", "HIT C03", 9 - 8 - 10),
        ("M1/0/C02t/-", "M4/0/C03(N:C07(N:C16))/-", "HIT C07", 9 - 5 - 5 - 5 - 4),
        ("M1/0/C02t/-", "M4/0/C03(N:C05(N:C10))/-", "HIT C10", 9 - 4),
        ("M8/0/C17t(N:C01)/-", "M4/0/C03(N:C10+1)/-", "HIT C10", 5 - 5 + 2 + 2 + 5),
        ("M4/0/C02t(N:C17)/-", "M4/0/C03(N:C10)/-".replace("M4", "M8"), "HIT C10", 8 - 4),
    ],
)
def test_modifiers(game, mine, rival, announcement, number):
    loose = [
        name for name in (*CROOK_IDS, *RACKET_IDS) if name in announcement and name not in rival
    ]
    centre = ",".join(loose) or "-"
    state = scene(game, DUEL.format(f"{mine}/-", f"{rival}/-", centre))
    play(game, state, f"0>{announcement}")
    assert state.number == number


@pytest.mark.rule("CL-9.31", "CL-15.8", "CL-2.15", "CL-9.30")
@pytest.mark.parametrize(
    ("seats", "decisions", "numbers"),
    [
        # Bentley Grimes: For by the attacker and third parties, Against by owner and third parties.
        (("M1/0/C02t(E:C09t)/-/-", "M8/0/C01/-/-", "M5/0/C03/-/-"),
         "0>TAKE CHP-N, 0>C02, 0>PASS, 0>SWING", "5 9"),
        (("M1/0/C02t/-/-", "M8/0/C01/-/-", "M5/0/C03(N:C09t)/-/-"),
         "0>TAKE CHP-N, 0>PASS, 2>SWING", "5 9"),
        (("M1/0/C02t/-/-", "M8/0/C01/-/-", "M5/0/C03(N:C09t)/-/-"),
         "0>TAKE CHP-N, 0>PASS, 2>PASS, 2>SWING", "5 1"),
        (("M1/0/C02t/-/-", "M8/0/C01(E:C09t)/CHP-N/-", "M5/0/C03/-/-"),
         "0>TAKE CHP-N, 1>PASS, 0>PASS, 1>SWING", "5 1"),
        (("M1/0/C02t/-/-", "M8/0/C01(E:C07)/-/-", "M5/0/C03(N:C09t)/-/-"),
         "0>HIT C07, 2>SWING", "0 4"),
        (("M1/0/C02t/-/-", "M8/0/C01(E:C07)/-/-", "M5/0/C03(N:C09t)/-/-"),
         "0>REC C07, 0>PASS, 2>PASS, 2>SWING", "-7 -11"),
        # The North Side Mob's Boss, whoever attacks and owns, with his bonus.
        (("M3/0/C04t(E:C05t)/-/-", "M8/0/C01/-/-", "M5/0/C03/-/-"),
         "0>TAKE CHP-N, 0>C05, 0>PASS, 0>BSWING", "1 8"),
        (("M1/0/C02t/-/-", "M8/0/C01/-/-", "M3/0/C04t/-/-"),
         "0>TAKE CHP-N, 0>PASS, 2>BSWING", "5 12"),
        (("M1/0/C02t/-/-", "M8/0/C01/-/-", "M3/0/C04t/-/-"),
         "0>TAKE CHP-N, 0>PASS, 2>PASS, 2>BSWING", "5 -2"),
        (("M1/0/C02t/-/-", "M8/0/C01/-/-", "M3/0/C10+1t/-/-"),
         "0>TAKE CHP-N, 0>PASS, 2>BSWING", "5 12"),
        (("M1/0/C02t/-/-", "M3/0/C04t/CHP-N/-", "M5/0/C03/-/-"),
         "0>TAKE CHP-N, 1>PASS, 0>PASS, 1>BSWING", "5 -2"),
        (("M1/0/C02t/-/-", "M8/0/C01/CHP-N/-", "M3/0/C04t/-/-"),
         "0>TAKE CHP-N, 0>PASS, 2>BSWING", "5 12"),
    ],
)  # fmt: skip
def test_swings(game, seats, decisions, numbers):
    centre = "-" if any("CHP-N" in seat for seat in seats) else "CHP-N"
    state = scene(game, THREE.format(*seats, centre))
    assert play(game, state, decisions) == numbers
    swinger = crook("C09") if " SWING" in f" {decisions.rpartition('>')[2]}" else None
    if swinger is not None:
        assert not state.token[swinger]
    else:
        seat = int(decisions.rpartition(", ")[2][0])
        assert not state.token[state.boss[seat]]


@pytest.mark.rule("CL-9.31", "CL-11.7", "CL-15.8", "CL-4.3", "CL-10.7", "CL-11.2", "CL-11.9")
@pytest.mark.parametrize(
    ("seats", "decisions"),
    [
        # The North Side Mob's Boss: other districts, other attacks, no token.
        (("M1/0/C02t/-/-", "M8/0/C01/-/-", "M3/0/C04t/-/-"), "0>TAKE CHP-S, 0>PASS"),
        (("M1/0/C02t/-/-", "M8/0/C01/-/-", "M3/0/C04/-/-"), "0>TAKE CHP-N, 0>PASS"),
        (("M1/0/C02t/-/-", "M8/0/C01/-/-", "M3/0/C04t/-/-"), "0>REC C27, 0>PASS"),
        (("M1/0/C02t/-/-", "M8/0/C01/-/-", "M3/0/C04t/-/-"), "0>HIT C27"),
        (("M1/0/C02t/-/-", "M8/0/C01/-/-", "M3/0/C04(E:C05t)/-/-"), "0>TAKE CHP-N, 0>PASS"),
        # Bentley Grimes without a token.
        (("M1/0/C02t/-/-", "M8/0/C01/-/-", "M5/0/C03(N:C09)/-/-"), "0>TAKE CHP-N, 0>PASS"),
        # Muscle: other districts, no token, third parties, other attacks.
        (("M1/0/C02t/GNG-Et/-", "M8/0/C01/-/-", "M5/0/C03/-/-"), "0>TAKE CHP-N, 0>PASS"),
        (("M1/0/C02t/GNG-N,U-C1/-", "M8/0/C01/-/-", "M5/0/C03/-/-"), "0>TAKE CHP-N, 0>PASS"),
        (("M1/0/C02t/-/-", "M8/0/C01/-/-", "M5/0/C03/GNG-Nt,U-C1t/-"), "0>TAKE CHP-N, 0>PASS"),
        (("M1/0/C02t/-/-", "M8/0/C01/GNG-Nt/-", "M5/0/C03/-/-"), "0>TAKE CHP-N, 0>PASS"),
        (("M1/0/C02t/GNG-Nt,U-C1t/-", "M8/0/C01/-/-", "M5/0/C03/-/-"), "0>HIT C27"),
        (("M1/0/C02t/GNG-Nt,U-C1t/-", "M8/0/C01/-/-", "M5/0/C03/-/-"), "0>REC C27, 0>PASS"),
        # The type that roams is not the one in hand.
        (("M5/0/C02t/COP-Et/-", "M8/0/C01/-/-", "M1/0/C03/-/-"), "0>TAKE CHP-N, 0>PASS"),
        (("M1/0/C02t(E:C05)/GNG-Et/-", "M8/0/C01/-/-", "M4/0/C03/-/-"), "0>TAKE CHP-N, 0>PASS"),
        (("M1/0/C02t/COP-Et/-", "M8/0/C01(E:C05)/-/-", "M4/0/C03/-/-"), "0>TAKE CHP-N, 0>PASS"),
        # A Racket leads: nobody is below it.
        (("M1/0/C02(E:C05)/U-C1t/-", "M8/0/C01/-/-", "M4/0/C03/-/-"), "0>TAKE COP-N, 0>PASS"),
        # Helpers are below the leader, not above and not beside him.
        (("M1/0/C02(E:C05t,W:C16)/-/-", "M8/0/C01/-/-", "M4/0/C03/-/-"), "0>TAKE CHP-N, 0>PASS"),
    ],
)
def test_who_has_nothing_to_add_is_not_asked(game, seats, decisions):
    state = scene(game, THREE.format(*seats, "CHP-N,CHP-S,COP-N,C27"))
    play(game, state, decisions)
    # Thrown, or below 2: what is left is to place a recruit.
    assert not state.attacking or (state.roll and state.phase == PLACE)


@pytest.mark.rule("CL-11.7", "CL-11.8", "CL-2.15", "CL-5.1", "CL-11.9")
@pytest.mark.parametrize(
    ("mine", "rival", "decisions", "numbers"),
    [
        # The Wreckers' gangs act everywhere, with 2 more; Sarge adds 1.
        ("M5/0/C05t/GNG-Et", "M8/0/C01/-", "0>TAKE CHP-N, 0>PASS, 0>GNG-E", "2 7"),
        ("M5/0/C05t(E:C13)/GNG-Et", "M8/0/C01/-", "0>TAKE CHP-N, 0>PASS, 0>GNG-E", "2 8"),
        ("M1/0/C05t(E:C13)/GNG-Nt", "M8/0/C01/-", "0>TAKE CHP-N, 0>PASS, 0>GNG-N", "6 9"),
        ("M5/0/C05t/COP-Nt", "M8/0/C01/-", "0>TAKE CHP-N, 0>PASS, 0>COP-N", "4 7"),
        ("M1/0/C02t/-", "M5/0/C01/CHP-N,GNG-Et", "0>TAKE CHP-N, 0>PASS, 1>GNG-E", "5 0"),
        ("M1/0/C02t/-", "M8/0/C01(E:C13)/CHP-N,GNG-Nt", "0>TAKE CHP-N, 0>PASS, 1>GNG-N", "3 0"),
        # Captain Shepherd's Precincts act everywhere.
        ("M1/0/C05t/COP-St", "M8/0/C01/-", "0>TAKE CHP-N, 0>PASS, 0>COP-S", "4 7"),
        ("M1/0/C02t/-", "M8/0/C01(N:C05)/CHP-N,COP-St", "0>TAKE CHP-N, 0>PASS, 1>COP-S", "5 2"),
        # City Hall in any district, on either side.
        ("M1/0/C02t/U-C1t", "M8/0/C01/-", "0>TAKE CHP-N, 0>PASS, 0>U-C1", "5 9"),
        ("M1/0/C02t/-", "M8/0/C01/CHP-N,U-C1t", "0>TAKE CHP-N, 0>PASS, 1>U-C1", "5 1"),
        # The attacked Racket itself.
        ("M1/0/C02t/-", "M8/0/C01/GNG-Nt", "0>TAKE GNG-N, 0>PASS, 1>GNG-N", "5 3"),
    ],
)
def test_muscle(game, mine, rival, decisions, numbers):
    centre = "-" if any(name in rival for name in ("CHP-N", "GNG-N")) else "CHP-N"
    state = scene(game, DUEL.format(f"{mine}/-", f"{rival}/-", centre))
    assert play(game, state, decisions) == numbers
    assert not state.racket_token[racket(decisions.rpartition(">")[2])]


HELP = "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/0/{}/-/- | 1=M8/0/C01/-/- | centre=C27,CAS-N | disc=-"


@pytest.mark.rule("CL-12.7", "CL-10.7", "CL-11.6", "CL-2.15", "CL-5.8", "CL-1.5")
@pytest.mark.parametrize(
    ("mob", "decisions", "offered", "helper", "numbers", "more"),
    [
        # Hit: one Crook below the leader, at any depth, SELF_HIT included.
        ("C02t(E:C04t(E:C05(E:C17t),S:C20t),W:C10t)", "0>HIT C27, 0>C04", "C17 C20", "C17",
         "3 11", ""),
        ("C02t(E:C04t(E:C17t,S:C20t),W:C10t)", "0>HIT C27, 0>C02", "C04 C10 C17 C20", "C20",
         "7 10", ""),
        # Recruitment: one Crook below the leader and Zebrini, wherever he stands.
        ("C02t(E:C04t(E:C17t,S:C20t),W:C18t)", "0>REC C27, 0>C04, 0>PASS", "C17 C18 C20", "C20",
         "0 3", "C18"),
        ("C02t(E:C04t(E:C17t,S:C20t),W:C18t)", "0>REC C27, 0>C04, 0>PASS", "C17 C18 C20", "C18",
         "0 3", "C17 C20"),
        ("C02t(E:C18t(E:C20t))", "0>REC C27, 0>C18, 0>PASS", "C20", "C20", "-2 1", ""),
        ("C02t(E:C10t,W:C08t)", "0>REC C27, 0>C02, 0>PASS", "C08 C10", "C10", "4 11", ""),
        ("C02t(E:C10t,W:C08t)", "0>REC C27, 0>C02, 0>PASS", "C08 C10", "C08", "4 7", ""),
        # Takeover: any number.
        ("C02t(E:C06t(E:C17t,S:C20t),W:C10t)", "0>TAKE CAS-N, 0>C02, 0>PASS", "C06 C10 C17 C20",
         "C06", "2 9", "C10 C17 C20"),
        ("C02t(E:C06t(E:C17t,S:C20t),W:C10t)", "0>TAKE CAS-N, 0>C06, 0>PASS", "C17 C20",
         "C20", "0 3", "C17"),
    ],
)  # fmt: skip
def test_helpers(game, mob, decisions, offered, helper, numbers, more):
    state = scene(game, HELP.format(mob), totals=(12,))
    begun = play(game, state, decisions)
    assert legal(game, state) == {"PASS", *offered.split()}
    game.apply(state, game.parse_action(state, helper))
    assert f"{begun} {state.number}" == numbers
    assert not state.token[crook(helper)]
    if more:
        assert (state.phase, legal(game, state)) == (ASSIST, {"PASS", *more.split()})
    else:
        assert not state.attacking


@pytest.mark.rule("CL-12.8", "CL-10.8", "CL-11.9", "CL-9.15")
@pytest.mark.parametrize(
    ("decisions", "defenders", "defender", "numbers"),
    [
        ("0>HIT C19, 0>AMT 0", "C19", "C19", "1 -2"),
        ("0>REC C19, 0>PASS", "C07", "C07", "2 -3"),
        ("0>TAKE CAS-N, 1>C07, 0>PASS", "C19 C25", "C19", "-5 -8"),
        ("0>TAKE CAS-N, 1>C03, 0>PASS", "C07 C19 C25", "C25", "-8 -10"),
    ],
)
def test_defenders(game, decisions, defenders, defender, numbers):
    state = scene(
        game,
        DUEL.format("M1/9/C02t/-/-", "M4/0/C03t(N:C07t(N:C19t(N:C25t)))/CAS-N/-", "-"),
    )
    begun = play(game, state, decisions)
    assert (state.phase, state.seat) == (DEFEND, 1)
    assert legal(game, state) == {"PASS", *defenders.split()}
    game.apply(state, game.parse_action(state, defender))
    assert f"{begun.split()[-1]} {state.number}" == numbers
    assert not state.token[crook(defender)]


@pytest.mark.rule("CL-9.15", "CL-5.8", "CL-9.2")
def test_any_crook_with_a_token_protects_a_racket(game):
    state = scene(
        game, DUEL.format("M1/9/C02t/-/-", "M4/0/C03t(N:C07(N:C19t))/CAS-N/-", "C27,CHP-N")
    )
    free = game.clone(state)
    play(game, state, "0>TAKE CAS-N")
    assert (state.seat, legal(game, state)) == (1, {"PASS", "C03", "C19"})
    # No protector in the centre and in other attacks.
    for decisions in ("TAKE CHP-N", "REC C27", "REC C19"):
        other = game.clone(free)
        play(game, other, f"0>{decisions}")
        assert (other.phase, other.seat) == (COMMIT_A, 0)


@pytest.mark.rule("CL-9.20", "CL-9.22", "CL-9.23", "CL-9.24", "CL-1.5")
def test_the_showdown_in_order(game):
    state = scene(
        game,
        "CL1 n=5 v=short A=1 ph=MAIN | 0=M1/30/C02/-/- | 1=M8/17/C01t/-/- | 2=M5/3/C03/-/- "
        "| 3=M2/31/C04/CAS-N/- | 4=OUT | centre=- | disc=-",
    )
    every = {f"{side} {x}" for side in ("FOR", "AG") for x in range(1, 11)}
    play(game, state, "1>TAKE CAS-N")
    assert (state.phase, state.seat) == (COMMIT_A, 1)
    assert legal(game, state) == {"PASS", "BACKOUT"} | {f"FOR {x}" for x in LADDER if 0 < x <= 17}
    play(game, state, "1>FOR 16")
    assert (state.phase, state.seat) == (COMMIT_D, 3)
    assert legal(game, state) == {"PASS"} | {f"AG {x}" for x in LADDER if 0 < x <= 30}
    play(game, state, "3>AG 12")
    assert (state.phase, state.seat) == (COMMIT_T, 2)
    assert legal(game, state) == {"PASS"} | {
        f"{side} {x}" for side in ("FOR", "AG") for x in (1, 2, 3)
    }
    assert (state.number, state.acted) == (1, 0)
    play(game, state, "2>FOR 2")
    assert (state.phase, state.seat) == (COMMIT_T, 0)
    assert legal(game, state) == {"PASS"} | every
    assert list(state.treasury[:4]) == [30, 17, 3, 31]
    play(game, state, "0>AG 4")
    assert state.number == 1 + 16 - 12 + 2 - 4
    assert list(state.treasury[:4]) == list(state.ledger[:4]) == [26, 1, 1, 19]
    assert list(state.commitments[:4]) == [-4, 16, 2, -12]
    assert state.acted


@pytest.mark.rule("CL-9.21", "CL-9.8")
def test_backing_out_bars_the_target_and_is_capped(game):
    state = scene(
        game, DUEL.format("M8/30/C02t/-/-", "M4/30/C03(N:C07)/NUM-S,NUM-N/-", "C20,CAS-N")
    )
    play(game, state, "0>REC C20, 0>BACKOUT")
    found = legal(game, state)
    assert "REC C20" not in found
    assert {"HIT C20", "REC C07", "TAKE NUM-S"} <= found
    play(game, state, "0>TAKE NUM-S, 0>BACKOUT")
    found = legal(game, state)
    assert not {"REC C20", "TAKE NUM-S"} & found
    assert {"TAKE NUM-N", "TAKE CAS-N", "REC C07"} <= found
    assert (state.token[crook("C02")], state.acted, state.backouts) == (1, 0, 2)
    once = game.clone(state)
    play(game, state, "0>TAKE NUM-N")
    assert "BACKOUT" not in legal(game, state)
    # In the next turn of his nothing is barred.
    play(game, once, "0>END, 1>END")
    assert once.active == 0
    assert {"REC C20", "TAKE NUM-S"} <= legal(game, once)
    play(game, once, "0>TAKE NUM-N, 1>PASS")
    assert "BACKOUT" in legal(game, once)


REROLL = "M1/9/C02(E:C05t,W:C28{})/-/-"


@pytest.mark.rule("CL-9.36", "CL-15.8", "CL-2.15")
def test_one_second_throw_after_a_failure(game):
    line = DUEL.format(REROLL.format("t"), "M4/0/C03(N:C07)/-/-", "NUM-N")
    state = scene(game, line, totals=(4, 3))
    play(game, state, "0>TAKE NUM-N, 0>C05, 0>FOR 2")  # 5 - 4 + 2 = 3
    assert legal(game, state) == {"YES", "PASS"}
    passed = game.clone(state)
    play(game, state, "0>YES")
    assert (state.roll, state.racket_loc[racket("NUM-N")]) == (3, 0)
    assert not state.token[crook("C28")]
    play(game, passed, "0>PASS")
    assert (passed.roll, passed.racket_loc[racket("NUM-N")]) == (4, -2)
    assert passed.token[crook("C28")]
    # Not after a success, a number that is not rolled, without a token, nor for the other side.
    for totals, mob, decisions in (
        ((3,), "t", "0>C05, 0>FOR 2"), ((), "t", "0>C05, 0>PASS"), ((4,), "", "0>FOR 2"),
    ):  # fmt: skip
        other = scene(game, line.replace("C28t", f"C28{mob}"), totals=totals)
        play(game, other, f"0>TAKE NUM-N, {decisions}")
        assert other.phase == MAIN
    rival = DUEL.format("M1/9/C05t/-/-", "M4/0/C03(N:C28t)/-/-", "NUM-N")
    other = scene(game, rival, totals=(12,))
    play(game, other, "0>TAKE NUM-N, 0>FOR 2")
    assert other.phase == MAIN


@pytest.mark.rule("CL-10.11", "CL-5.10", "CL-5.8")
def test_a_recruit_stands_at_or_below_the_leader(game):
    line = DUEL.format("M8/9/C02(E:C05t(E:C16),W:C07)/-/-", "M4/0/C03/-/-", "C27")
    state = scene(game, line, totals=(2,))
    play(game, state, "0>REC C27, 0>FOR 9")
    # Below C05 (Power 5) and C16 (4); not under the Boss, nor under C07 beside.
    assert legal(game, state) == {
        "C05.N", "C05.S", "C16.N", "C16.E", "C16.S",
    }  # fmt: skip
    play(game, state, "0>C16.S")
    assert "C05t" not in table(game, state)
    assert "C16(S:C27)" in table(game, state)


@pytest.mark.rule("CL-10.10", "CL-5.9", "CL-6.2", "CL-5.16")
def test_a_recruit_brings_all_with_him(game):
    line = DUEL.format(
        "M8/9/C02t/CAS-N/-",
        "M4/0/C03(N:C07(N:C05(N:C10+1u2t(E:C32+2u1t,N:C34))))/-/-",
        "C27",
    )
    state = scene(game, line, totals=(2,))
    play(game, state, "0>REC C10, 0>PASS, 0>C02.N")
    # One marker for the new Mob, one for the new Lieutenant; tokens and counters come along.
    assert "0=M8/9/C02(N:C10+1t(N:C34,E:C32+2t))/CAS-N/-" in table(game, state)
    assert "1=M4/0/C03(N:C07(N:C05))/-/-" in table(game, state)
    centre = scene(game, line, totals=(2,))
    play(game, centre, "0>REC C27, 0>PASS, 0>C02.S")
    assert "C02(S:C27)" in table(game, centre)


@pytest.mark.rule("CL-10.12", "CL-10.11", "CL-5.9", "CL-6.4")
def test_a_rivals_crook_without_a_place_goes_to_the_centre(game):
    line = DUEL.format(
        "M8/30/C02t(N:C21,E:C05t(E:C25),S:C22)/CAS-N/-",
        "M4/30/C03t(N:C07(N:C16(N:C10u2t(N:C32+1t))))/-/-",
        "-",
    )
    state = scene(game, line, totals=(9,))
    play(game, state, "0>REC C10, 0>C05, 0>FOR 6, 1>PASS")
    assert state.success
    assert table(game, state) == (
        "0=M8/24/C02t(N:C21,E:C05(E:C25),S:C22)/CAS-N/- | 1=M4/30/C03t(N:C07(N:C16))/-/- "
        "| centre=C10,C32+1 | disc=-"
    )
    for name in ("C10", "C32"):
        assert (state.token[crook(name)], state.unhappy[crook(name)]) == (0, 0)
    assert (state.phase, state.seat) == (MAIN, 0)


@pytest.mark.rule("CL-12.13", "CL-12.2", "CL-5.1")
@pytest.mark.parametrize(
    ("mine", "rival", "decisions", "counters"),
    [
        # Boss bonuses count for neither: 4 against 5, 4 against 4, 5 against 4.
        ("C15t", "C03(N:C05)", "0>HIT C05, 0>AMT 5", 2),
        ("C15t", "C03(N:C10)", "0>HIT C10, 0>AMT 5", 1),
        ("C15+1t", "C03(N:C10)", "0>HIT C10, 0>AMT 5", 2),
        ("C15+2t", "C03(N:C05)", "0>HIT C05, 0>AMT 5", 2),
        ("C15+1t", "C03(N:C05+1)", "0>HIT C05, 0>AMT 5", 2),
        # An own Crook brings no Power.
        ("C15t(N:C27)", "C03", "0>HIT C27", 0),
    ],
)
def test_power_for_a_kill(game, mine, rival, decisions, counters):
    state = scene(game, DUEL.format(f"M8/30/{mine}/-/-", f"M4/30/{rival}/-/-", "-"), totals=(2,))
    play(game, state, decisions)
    assert state.crook_loc[crook(decisions.split()[1].rstrip(","))] == -3
    assert state.counters[crook("C15")] == counters


@pytest.mark.rule("CL-6.7", "CL-12.10", "CL-12.11", "CL-6.4")
def test_nobody_in_the_centre_is_unhappy(game):
    line = DUEL.format("M8/30/C02t/-/S08", "M4/30/C03(N:C07)/-/-", "C27,C09+1")
    failed = scene(game, line, totals=(12,))
    play(game, failed, "0>HIT C27, 0>AMT 5")
    assert failed.roll == 12
    assert (failed.crook_loc[crook("C27")], failed.unhappy[crook("C27")]) == (-2, 0)
    assert (failed.phase, failed.settle_mob) == (MAIN, -1)
    killed = scene(game, line, totals=(2,))
    play(game, killed, "0>HIT C09, 0>AMT 5")
    assert (killed.crook_loc[crook("C09")], killed.counters[crook("C09")]) == (-3, 0)
    assert not killed.unhappy.any()
    # Grudge has one target only, and it is not in the centre.
    play(game, killed, "0>S08")
    assert list(killed.unhappy.nonzero()[0]) == [crook("C07")]


@pytest.mark.rule("CL-5.9", "CL-7.5", "CL-11.10", "CL-11.3")
def test_what_a_racket_that_is_taken_over_keeps(game):
    line = DUEL.format("M8/30/C02t/-/-", "M4/0/C03/GNG-Ntx/-", "-")
    state = scene(game, line, totals=(2,))
    play(game, state, "0>TAKE GNG-N, 0>FOR 5, 1>PASS")
    assert "0=M8/25/C02/GNG-Ntx/-" in table(game, state)
