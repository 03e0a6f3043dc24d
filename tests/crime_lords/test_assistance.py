"""Modifiers, helpers, muscle, swings, defenders of attacks (sections 9 to 12)."""

from __future__ import annotations

import pytest

from gangland.envs.crime_lords.data import CROOK_IDS, RACKET_IDS
from gangland.envs.crime_lords.state import ASSIST, DEFEND, PLACE

from .scenes import crook, legal, play, racket, scene

DUEL = "CL1 n=2 v=short A=0 ph=MAIN | 0={} | 1={} | centre={} | disc=-"
THREE = "CL1 n=3 v=short A=0 ph=MAIN | 0={} | 1={} | 2={} | centre={} | disc=-"


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


@pytest.mark.rule("CL-9.30", "CL-11.7", "CL-9.32", "CL-15.4", "CL-1.5")
def test_third_parties_have_nothing_but_swings(game):
    state = scene(
        game,
        THREE.format(
            "M1/0/C02t/-/-",
            "M8/0/C01/CHP-N/-",
            "M5/0/C03t(N:C09t,E:C10t)/GNG-Nt,U-C1t/S01,S02",
            "-",
        ),
    )
    play(game, state, "0>TAKE CHP-N, 0>PASS")
    assert (state.seat, legal(game, state)) == (2, {"PASS", "SWING"})
    play(game, state, "2>PASS")
    assert (state.seat, legal(game, state)) == (2, {"PASS", "SWING"})
