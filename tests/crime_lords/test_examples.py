"""The specification's worked examples that have a start, decisions and an end (section 29)."""

from __future__ import annotations

import pytest

from .scenes import check_example

EXAMPLES = [
    pytest.param(
        # Showdown: 10 For, 5 Against
        "CL1 n=3 v=short A=0 ph=MAIN | 0=M8/30/C02t(E:C01t)/-/- | "
        "1=M4/30/C03t(N:C07(N:C16(N:C32)))/-/- | 2=M2/30/C04t/-/- | centre=- | disc=-",
        "0>REC C32, 0>C01, 0>FOR 7, 1>AG 5, 2>FOR 3, 0>C01.E",
        "5 10",
        (10,),
        "0=M8/23/C02t(E:C01(E:C32))/-/- | 1=M4/25/C03t(N:C07(N:C16))/-/- | 2=M2/27/C04t/-/- | "
        "centre=- | disc=-",
        "seat 0, phase MAIN",
        id="E-02",
        marks=pytest.mark.rule("CL-9.20", "CL-9.22", "CL-10.2", "CL-10.4"),
    ),
    pytest.param(
        # 11 fails whatever the number
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/30/C01t/-/- | 1=M4/30/C03t/-/- | centre=C10 | disc=-",
        "0>REC C10, 0>FOR 11, 1>PASS",
        "8 19",
        (11,),
        "0=M1/19/C01/-/- | 1=M4/30/C03t/-/- | centre=C10 | disc=-",
        "seat 0, phase MAIN",
        id="E-03",
        marks=pytest.mark.rule("CL-9.4", "CL-9.20"),
    ),
    pytest.param(
        # Back-out gives tokens back and costs no 10 G
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M8/30/C02t(E:C05t)/-/- | 1=M4/30/C03t(N:C07t)/NUM-S/- | "
        "centre=C20 | disc=-",
        "0>TAKE NUM-S, 0>C05, 1>C03, 0>BACKOUT, 0>END",
        "2 -6",
        (),
        "0=M8/40/C02t(E:C05t)/-/- | 1=M4/30/C03t(N:C07t)/NUM-S/- | centre=C20 | disc=-",
        "turn over, seat 1 is next",
        id="E-04",
        marks=pytest.mark.rule("CL-9.21", "CL-4.6"),
    ),
    pytest.param(
        # Protector, helpers and muscle in turn
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M8/30/C02t(E:C05t(E:C17t),W:C09)/GNG-Nt,NUM-N/- | "
        "1=M4/30/C03t(N:C07t(N:C25t))/CAS-N,COP-Nt/- | centre=- | disc=-",
        "0>TAKE CAS-N, 0>C02, 1>C07, 0>FOR 8, 1>AG 4, 0>C05, 0>PASS, 1>C25, 1>PASS, 0>GNG-N, "
        "0>PASS, 1>COP-N, 0>C17",
        "3 -2 2 7 5 7 4 7",
        (6,),
        "0=M8/22/C02(E:C05(E:C17),W:C09)/CAS-N,NUM-N,GNG-N/- | "
        "1=M4/26/C03t(N:C07(N:C25))/COP-N/- | centre=- | disc=-",
        "seat 0, phase MAIN",
        id="E-05",
        marks=pytest.mark.rule(
            "CL-9.15",
            "CL-9.30",
            "CL-11.3",
            "CL-11.4",
            "CL-11.5",
            "CL-11.6",
            "CL-11.7",
            "CL-11.8",
            "CL-11.9",
        ),
    ),
    pytest.param(
        # No protector: only muscle defends; a third Boss interferes
        "CL1 n=3 v=short A=0 ph=MAIN | 0=M8/20/C01t/CAS-N/- | "
        "1=M4/0/C03t(N:C07t)/NUM-N,GNG-Nt,COP-St/- | 2=M3/0/C04t/-/- | centre=- | disc=-",
        "0>TAKE NUM-N, 1>PASS, 0>FOR 6, 2>PASS, 1>GNG-N, 2>BSWING",
        "4 10 8 1",
        (),
        "0=M8/14/C01/CAS-N/- | 1=M4/0/C03t(N:C07t)/NUM-N,GNG-N,COP-St/- | 2=M3/0/C04/-/- | "
        "centre=- | disc=-",
        "seat 0, phase MAIN",
        id="E-06",
        marks=pytest.mark.rule("CL-11.7", "CL-11.9", "CL-9.31", "CL-9.6"),
    ),
    pytest.param(
        # Recruit with a subordinate who must change sides
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M6/30/C02t(E:C05t)/CAS-N/- | "
        "1=M4/0/C03(N:C07(N:C16(W:C10u1t(W:C32u1t))))/-/- | centre=- | disc=-",
        "0>REC C10, 0>C05, 0>FOR 2, 0>C05.N, 0>C10.E",
        "12 14",
        (9,),
        "0=M6/28/C02t(E:C05(N:C10t(E:C32t)))/CAS-N/- | 1=M4/0/C03(N:C07(N:C16))/-/- | centre=- | "
        "disc=-",
        "seat 0, phase MAIN",
        id="E-07",
        marks=pytest.mark.rule("CL-10.3", "CL-10.6", "CL-10.10", "CL-10.11", "CL-5.11"),
    ),
    pytest.param(
        # A subordinate lost by overlap
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M6/30/C02t(E:C05t(E:C17))/CAS-N/- | "
        "1=M4/0/C03(N:C07(N:C16(E:C10t(N:C34,E:C32u1t))))/-/- | centre=- | disc=-",
        "0>REC C10, 0>C05, 0>FOR 2, 0>C05.N",
        "10 12",
        (9,),
        "0=M6/28/C02t(E:C05(N:C10t(N:C34),E:C17))/CAS-N/- | 1=M4/0/C03(N:C07(N:C16))/-/- | "
        "centre=C32 | disc=-",
        "seat 0, phase MAIN",
        id="E-08",
        marks=pytest.mark.rule("CL-5.11", "CL-10.11"),
    ),
    pytest.param(
        # Recruited, but there is no place
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M8/30/C02t(N:C21,E:C05t(E:C25),S:C22)/-/- | "
        "1=M4/30/C03t/-/- | centre=C10 | disc=-",
        "0>REC C10, 0>C05, 0>FOR 6, 1>PASS",
        "4 10",
        (9,),
        "0=M8/24/C02t(N:C21,E:C05(E:C25),S:C22)/-/- | 1=M4/30/C03t/-/- | centre=C10 | disc=-",
        "seat 0, phase MAIN",
        id="E-09",
        marks=pytest.mark.rule("CL-10.11", "CL-10.12", "CL-5.10"),
    ),
    pytest.param(
        # Hit: hide-out, then the helper
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/30/C02t(E:C04t(E:C17t))/-/- | "
        "1=M4/30/C03t(N:C07t(N:C19u1t(N:C32u2),E:C33))/-/- | centre=- | disc=-",
        "0>HIT C19, 0>C04, 0>AMT 5, 0>PASS, 1>C19, 0>C17",
        "-3 2 -1 7",
        (8,),
        "0=M1/25/C02t(E:C04(E:C17))/-/- | 1=M4/30/C03t(N:C07t(N:C19u2(N:C32u2),E:C33))/-/- | "
        "centre=- | disc=-",
        "seat 0, phase MAIN",
        id="E-10",
        marks=pytest.mark.rule(
            "CL-12.3",
            "CL-12.4",
            "CL-12.5",
            "CL-12.6",
            "CL-12.7",
            "CL-12.8",
            "CL-12.9",
            "CL-12.10",
            "CL-9.30",
        ),
    ),
    pytest.param(
        # Hit first, promotion after
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M8/30/C01t(E:C17t)/-/- | "
        "1=M4/30/C03t(N:C15u1(N:C25u1,E:C30u2),S:C27)/-/- | centre=- | disc=-",
        "0>HIT C15, 0>C17, 0>AMT 5, 1>C03.N",
        "3 8",
        (8,),
        "0=M8/25/C01t(E:C17+2)/-/- | 1=M4/30/C03u1t(N:C25u1,S:C27)/-/- | centre=- | disc=C15,C30",
        "seat 0, phase MAIN",
        id="E-11",
        marks=pytest.mark.rule("CL-6.8", "CL-12.11", "CL-5.12", "CL-5.16", "CL-12.13"),
    ),
    pytest.param(
        # Warning shot
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/30/C04t/-/- | 1=M4/30/C03u2(N:C20u2(N:C34))/-/- | "
        "centre=- | disc=-",
        "0>HIT C20, 0>AMT 1",
        "0 1",
        (),
        "0=M1/29/C04/-/- | 1=M4/30/C03u2(N:C20u2(N:C34))/-/- | centre=- | disc=-",
        "seat 0, phase MAIN",
        id="E-12a",
        marks=pytest.mark.rule("CL-12.9"),
    ),
    pytest.param(
        # One G more is a real attempt
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/30/C04t/-/- | 1=M4/30/C03u2(N:C20u2(N:C34))/-/- | "
        "centre=- | disc=-",
        "0>HIT C20, 0>AMT 2",
        "0 2",
        (3,),
        "0=M1/28/C04/-/- | 1=M4/30/C03u2/-/- | centre=- | disc=C20",
        "seat 1, phase REASSIGN {C03.N, C03.E, C03.S, C03.W}",
        id="E-12b",
        marks=pytest.mark.rule("CL-12.9", "CL-12.10", "CL-6.5"),
    ),
    pytest.param(
        # Power gain +2
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M8/0/C01(E:C17t)/-/- | 1=M4/0/C03/-/- | centre=C05+1 | "
        "disc=-",
        "0>HIT C05",
        "6",
        (3,),
        "0=M8/0/C01(E:C17+2)/-/- | 1=M4/0/C03/-/- | centre=- | disc=C05",
        "seat 0, phase MAIN",
        id="E-13a",
        marks=pytest.mark.rule("CL-12.13"),
    ),
    pytest.param(
        # Power gain with HIT_FAME
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M8/5/C01(E:C36+2t)/-/- | 1=M4/0/C03/-/- | centre=C09 | "
        "disc=-",
        "0>HIT C09, 0>AMT 5",
        "3 8",
        (5,),
        "0=M8/0/C01(E:C36+5)/-/- | 1=M4/0/C03/-/- | centre=- | disc=C09",
        "seat 0, phase MAIN",
        id="E-13b",
        marks=pytest.mark.rule("CL-12.13", "CL-2.15"),
    ),
    pytest.param(
        # Gang War after a failed Hit on a Boss
        "CL1 n=3 v=short A=0 ph=MAIN | 0=M1/30/C01t(E:C17t,W:C02t)/GNG-N/- | "
        "1=M7/10/C10u1(N:C30)/NUM-S/- | 2=M4/0/C04t/-/- | centre=- | disc=-",
        "0>HIT C10, 0>C01, 0>AMT 5, 0>C02, 1>PASS, 0>PASS",
        "-4 1 7",
        (9,),
        "0=M1/25/C01t(E:C17t,W:C02t)/GNG-N/- | 1=M7/10/C10u2t(N:C30t)/NUM-S/- | "
        "2=M4/0/C04t/-/- | centre=- | disc=-",
        "turn over, seat 1 is next",
        id="E-14",
        marks=pytest.mark.rule(
            "CL-13.1",
            "CL-13.2",
            "CL-13.3",
            "CL-13.4",
            "CL-13.5",
            "CL-13.6",
            "CL-13.7",
            "CL-13.8",
            "CL-13.9",
            "CL-13.10",
            "CL-13.11",
            "CL-13.12",
            "CL-12.4",
        ),
    ),
    pytest.param(
        # Boss killed, new Boss, a third Mob drawn in
        "CL1 n=4 v=short A=0 ph=MAIN | 0=M8/20/C01t(E:C17,W:C02t)/-/- | "
        "1=M5/10/C10(N:C15u1(N:C32u1),E:C25u2)/NUM-S/- | 2=M4/20/C04/-/- | "
        "3=M2/20/C05(E:C30)/CAS-N/- | centre=- | disc=-",
        "0>HIT C10, 0>C01, 0>AMT 5, 0>C02, 1>C15, 1>KEEP, 1>C15.N, 1>HIT C30, 1>C15, "
        "1>AMT 5, 1>PASS, 3>PASS, 0>PASS, 1>PASS",
        "-3 2 8, 8 13",
        (8, 7),
        "0=M8/15/C01t(E:C17t,W:C02t)/-/- | 1=M5/5/C15+1t(N:C32u1t)/NUM-S/- | 2=M4/20/C04/-/- | "
        "3=M2/20/C05u1t/CAS-N/- | centre=- | disc=C10,C25,C30",
        "turn over, seat 1 is next",
        id="E-15",
        marks=pytest.mark.rule(
            "CL-13.4",
            "CL-13.5",
            "CL-13.6",
            "CL-13.7",
            "CL-13.8",
            "CL-13.9",
            "CL-13.10",
            "CL-13.11",
            "CL-13.12",
            "CL-5.14",
            "CL-12.13",
        ),
    ),
    pytest.param(
        # Short of pay: one G each
        "CL1 n=2 v=short A=0 ph=START | "
        "0=M4/0/C06(N:C20,E:C17u1(E:C32u2),S:C27u1)/CAS-N,NUM-N,GNG-N/- | 1=M2/5/C05/-/- | "
        "centre=C10,C11,C12,CHP-N | disc=- | deck=C13,C14",
        "0>C20, 0>C17",
        "",
        (),
        "0=M4/0/C06(N:C20u1,E:C17u2(E:C32u2))/CAS-N,NUM-N,GNG-N/- | 1=M2/5/C05/-/- | "
        "centre=C10,C11,C12,C13,C27,CHP-N | disc=-",
        "seat 0, phase MAIN",
        id="E-16",
        marks=pytest.mark.rule("CL-7.6", "CL-7.7", "CL-7.8", "CL-7.9", "CL-6.5"),
    ),
    pytest.param(
        # Short of pay: one in full
        "CL1 n=2 v=short A=0 ph=START | 0=M4/2/C06(N:C20,E:C17u1,S:C27u1)/CAS-N,NUM-N,GNG-N/- | "
        "1=M2/5/C05/-/- | centre=C10,C11,C12,CHP-N | disc=- | deck=C13,C14",
        "0>C17, 0>FULL, 0>C27",
        "",
        (),
        "0=M4/0/C06(N:C20u2,E:C17u1,S:C27u2)/CAS-N,NUM-N,GNG-N/- | 1=M2/5/C05/-/- | "
        "centre=C10,C11,C12,C13,CHP-N | disc=-",
        "seat 0, phase MAIN",
        id="E-16b",
        marks=pytest.mark.rule("CL-7.8"),
    ),
    pytest.param(
        # The Boss himself short
        "CL1 n=2 v=short A=0 ph=START | 0=M4/1/C06u1(N:C20,S:C27u1)/NUM-N/- | 1=M2/5/C05/-/- | "
        "centre=C10,C11,C12,CHP-N | disc=- | deck=C13,C14",
        "",
        "",
        (),
        "0=M4/0/C06u2(N:C20u2)/NUM-N/- | 1=M2/5/C05/-/- | centre=C10,C11,C12,C13,C27,CHP-N | "
        "disc=-",
        "seat 0, phase MAIN",
        id="E-17",
        marks=pytest.mark.rule("CL-7.8", "CL-7.9"),
    ),
    pytest.param(
        # Ledger House credit
        "CL1 n=2 v=short A=0 ph=START | 0=M7/1/C06(N:C20,E:C17)/CAS-N/- | 1=M2/5/C05/-/- | "
        "centre=C10,C11,C12,CHP-N | disc=- | deck=C13,C14",
        "",
        "",
        (),
        "0=M7/6/C06(N:C20,E:C17)/CAS-N/- | 1=M2/5/C05/-/- | centre=C10,C11,C12,CHP-N | disc=-",
        "seat 0, phase PAY_WHO {C17, C20}",
        id="E-18",
        marks=pytest.mark.rule("CL-7.7"),
    ),
    pytest.param(
        # Draw with the Downtowners
        "CL1 n=2 v=short A=1 ph=START | 0=M7/1/C06/-/- | 1=M2/50/C05/-/- | centre=C10 | disc=- | "
        "deck=S03,C13,S08,CHP-N,NUM-N,S12,C14,C15",
        "",
        "",
        (),
        "0=M7/1/C06/-/- | 1=M2/43/C05/-/S03,S08,S12 | centre=C10,C13,NUM-N,CHP-N | disc=-",
        "seat 1, phase MAIN",
        id="E-19",
        marks=pytest.mark.rule("CL-8.1", "CL-8.2", "CL-8.3", "CL-8.4"),
    ),
    pytest.param(
        # A Special drawn with four in the centre
        "CL1 n=2 v=short A=0 ph=START | 0=M1/50/C06/-/- | 1=M2/50/C05/-/- | "
        "centre=C10,C11,C12,C13 | disc=- | deck=S03,C14",
        "0>SHOW",
        "",
        (),
        "0=M1/42/C06/-/S03! | 1=M2/50/C05/-/- | centre=C10,C11,C12,C13 | disc=-",
        "seat 0, phase MAIN",
        id="E-19b",
        marks=pytest.mark.rule("CL-8.2", "CL-15.2"),
    ),
    pytest.param(
        # Drop takes the subtree and forfeits the 10 G
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/12/C02(N:C07u1t(N:C16+1u2t(E:C32)),S:C27)/GNG-N/- | "
        "1=M2/50/C05/-/- | centre=- | disc=-",
        "0>DROP, 0>C07, 0>END",
        "",
        (),
        "0=M1/12/C02t(S:C27t)/GNG-Nt/- | 1=M2/50/C05/-/- | centre=C07,C16+1,C32 | disc=-",
        "turn over, seat 1 is next",
        id="E-20",
        marks=pytest.mark.rule("CL-14.4", "CL-4.6", "CL-6.6"),
    ),
    pytest.param(
        # Move: promotion, one subordinate displaced
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/12/C02(N:C07(N:C16u2t(W:C25,E:C30)),E:C15u1t)/-/- | "
        "1=M2/50/C05/-/- | centre=- | disc=-",
        "0>MOVE, 0>C16, 0>C02.W",
        "",
        (),
        "0=M1/12/C02(N:C07,E:C15u1t,W:C16u1(S:C30,W:C25))/-/- | 1=M2/50/C05/-/- | centre=- | "
        "disc=-",
        "seat 0, phase MAIN",
        id="E-21",
        marks=pytest.mark.rule("CL-14.1", "CL-14.2", "CL-5.11", "CL-5.16"),
    ),
    pytest.param(
        # Move: a demotion that is the last straw
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/12/C02(N:C07(N:C16t),E:C15u2t(E:C25))/-/- | "
        "1=M2/50/C05/-/- | centre=- | disc=-",
        "0>MOVE, 0>C15, 0>C07.W, 0>C16.N",
        "",
        (),
        "0=M1/12/C02(N:C07(N:C16t(N:C25)))/-/- | 1=M2/50/C05/-/- | centre=- | disc=C15",
        "seat 0, phase MAIN",
        id="E-21b",
        marks=pytest.mark.rule("CL-5.16", "CL-6.9", "CL-5.12"),
    ),
    pytest.param(
        # Double-Cross
        "CL1 n=2 v=short A=0 ph=MAIN | "
        "0=M4/3/C03u1(N:C05t(N:C20u2(N:C32),W:C25u1),E:C09u1,S:C27u2)/-/- | 1=M2/50/C04/-/- | "
        "centre=- | disc=-",
        "0>DOUBLE, 0>C05.S, 0>C09.E",
        "",
        (),
        "0=M4/3/C05+1(E:C09u2(E:C32u1),S:C25u1)/-/- | 1=M2/50/C04/-/- | centre=- | "
        "disc=C03,C20,C27",
        "seat 0, phase MAIN",
        id="E-22",
        marks=pytest.mark.rule("CL-5.17", "CL-5.14", "CL-12.13", "CL-6.9"),
    ),
    pytest.param(
        # Retirement
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M4/20/C03u1(N:C09u2t(N:C32),E:C05u1,S:C27u2)/-/- | "
        "1=M2/50/C04/-/- | centre=- | disc=-",
        "0>RETIRE, 0>C09.N",
        "",
        (),
        "0=M4/4/C09(N:C32,E:C05u1,S:C27u2)/-/- | 1=M2/50/C04/-/- | centre=- | disc=C03",
        "seat 0, phase MAIN",
        id="E-23",
        marks=pytest.mark.rule("CL-5.18", "CL-5.14"),
    ),
    pytest.param(
        # A weak heir loses the strong Lieutenants
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M4/20/C03u1(N:C09u2,E:C05u1(E:C35),S:C27u2t)/-/- | "
        "1=M2/50/C04/-/- | centre=- | disc=-",
        "0>RETIRE",
        "",
        (),
        "0=M4/4/C27/-/- | 1=M2/50/C04/-/- | centre=C05,C09,C35 | disc=C03",
        "seat 0, phase MAIN",
        id="E-23b",
        marks=pytest.mark.rule("CL-5.14", "CL-5.5"),
    ),
    pytest.param(
        # A failed Hit wipes out a Mob; spoils
        "CL1 n=3 v=short A=0 ph=MAIN | 0=M8/20/C01t(E:C17t,W:C02t)/GNG-Nt/- | "
        "1=M5/10/C10u2/NUM-S,NUM-N,CAS-W,GNG-Et,COP-C/S03,S04 | 2=M4/20/C04/-/- | centre=- | "
        "disc=-",
        "0>HIT C10, 0>C17, 0>AMT 5, 0>CAS-W, 0>C17, 0>GNG-E, 0>GNG-E, 0>NUM-N, 0>PASS",
        "-3 2",
        (3,),
        "0=M8/15/C01t(E:C17t,W:C02t)/CAS-W,NUM-N,GNG-Nt,GNG-E/- | 1=OUT | 2=M4/20/C04/-/- | "
        "centre=NUM-S,COP-C | disc=C10,S03,S04",
        "turn over, seat 2 is next",
        id="E-24",
        marks=pytest.mark.rule("CL-17.2", "CL-17.4", "CL-17.5", "CL-13.3", "CL-13.11", "CL-13.12"),
    ),
    pytest.param(
        # One short: a refusal
        "CL1 n=3 v=5 A=1 ph=MAIN | 0=M8/20/C01/CAS-N,CAS-E,NUM-S,NUM-W/- | "
        "1=M5/10/C10/LSH-N,SMG-E,SMG-S,FCL-C/- | 2=M4/20/C04/CHP-N/- | centre=- | disc=-",
        "1>END, 1>YES, 0>PASS",
        "",
        (),
        "0=M8/20/C01/CAS-N,CAS-E,NUM-S,NUM-W/- | 1=M5/20/C10t/FCL-C,LSH-N,SMG-S,SMG-E/- | "
        "2=M4/20/C04/CHP-N/- | centre=- | disc=-",
        "turn over, seat 2 is next",
        id="E-26",
        marks=pytest.mark.rule("CL-20.6"),
    ),
    pytest.param(
        # One short: agreement
        "CL1 n=3 v=5 A=1 ph=MAIN | 0=M8/20/C01/CAS-N,CAS-E,NUM-S,NUM-W/- | "
        "1=M5/10/C10/LSH-N,SMG-E,SMG-S,FCL-C/- | 2=M4/20/C04/CHP-N/- | centre=- | disc=-",
        "1>END, 1>YES, 0>YES",
        "",
        (),
        "0=M8/20/C01/CAS-N,CAS-E,NUM-S,NUM-W/- | 1=M5/20/C10t/FCL-C,LSH-N,SMG-S,SMG-E/- | "
        "2=M4/20/C04/CHP-N/- | centre=- | disc=-",
        "game over, winners 0, 1",
        id="E-26b",
        marks=pytest.mark.rule("CL-20.6"),
    ),
    pytest.param(
        # Throwing the game is masked
        "CL1 n=3 v=5 A=1 ph=MAIN | 0=M8/20/C01/CAS-N,CAS-E,NUM-S,NUM-W/- | "
        "1=M5/10/C10/LSH-N,SMG-E/- | 2=M4/20/C04/CHP-N/- | centre=- | disc=-",
        "1>OFFER, 1>P+2, 1>LSH-N, 1>AMT 0",
        "",
        (),
        "0=M8/20/C01/CAS-N,CAS-E,NUM-S,NUM-W/- | 1=M5/10/C10/LSH-N,SMG-E/- | "
        "2=M4/20/C04/CHP-N/- | centre=- | disc=-",
        "seat 1, phase OFFER_ASK {CAS-N, CAS-E, NUM-S, NUM-W, BACKOUT}",
        id="E-27",
        marks=pytest.mark.rule("CL-16.11"),
    ),
    pytest.param(
        # A sold Crook and a clash
        "CL1 n=2 v=short A=0 ph=MAIN | "
        "0=M1/30/C02t(N:C05t(N:C15u2t(N:C25t,E:C32u1t,W:C34)))/-/- | "
        "1=M8/20/C01t(N:C07t,E:C20(E:C36))/-/- | centre=- | disc=-",
        "0>OFFER, 0>P+1, 0>C15, 0>AMT 0, 0>PASS, 0>AMT 6, 1>YES, 1>C01.S, 1>C20",
        "",
        (),
        "0=M1/36/C02t(N:C05t)/-/- | 1=M8/14/C01t(N:C07t,S:C15(E:C32t,S:C25t,W:C34))/-/- | "
        "centre=C20,C36 | disc=-",
        "seat 0, phase MAIN",
        id="E-28",
        marks=pytest.mark.rule("CL-16.6", "CL-16.10", "CL-5.13", "CL-5.16"),
    ),
    pytest.param(
        # Hush Money
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/30/C02t/-/S01 | 1=M8/20/C01t/-/S02,S12 | "
        "centre=CHP-S | disc=-",
        "0>TAKE CHP-S, 0>PASS, 1>PASS, 0>S01, 1>YES",
        "6",
        (10,),
        "0=M1/30/C02/-/- | 1=M8/20/C01t/-/S02 | centre=CHP-S | disc=S01,S12",
        "seat 0, phase MAIN",
        id="E-29",
        marks=pytest.mark.rule("CL-15.5", "CL-9.32"),
    ),
    pytest.param(
        # Outgrowing the superior
        "CL1 n=2 v=short A=0 ph=START | "
        "0=M5/30/C15(N:C17+3u2(N:C27),S:C21u1(S:C25+1u1))/CAS-N/- | 1=M2/5/C05/-/- | "
        "centre=C10,C11,C12,CHP-N | disc=- | deck=C13,C14",
        "0>C21.W",
        "",
        (),
        "0=M5/22/C15(S:C21u1(S:C25+1u1,W:C27))/CAS-N/- | 1=M2/5/C05/-/- | "
        "centre=C10,C11,C12,C13,CHP-N | disc=C17",
        "seat 0, phase MAIN",
        id="E-33",
        marks=pytest.mark.rule("CL-5.6", "CL-6.1", "CL-6.5"),
    ),
    pytest.param(
        # Bentley Grimes and Lucky Lemieux
        "CL1 n=3 v=short A=0 ph=MAIN | 0=M1/30/C02t(E:C28t,W:C05t)/-/- | "
        "1=M8/20/C01t(E:C16)/CAS-N/- | 2=M5/8/C03(N:C09t)/-/- | centre=CHP-N | disc=-",
        "0>TAKE CHP-N, 0>C05, 0>FOR 12, 1>PASS, 2>AG 5, 2>PASS, 2>SWING, 0>YES",
        "1 8 4",
        (7, 4),
        "0=M1/18/C02t(E:C28,W:C05)/CHP-N/- | 1=M8/20/C01t(E:C16)/CAS-N/- | "
        "2=M5/3/C03(N:C09)/-/- | centre=- | disc=-",
        "seat 0, phase MAIN",
        id="E-34",
        marks=pytest.mark.rule("CL-9.31", "CL-9.36"),
    ),
    pytest.param(
        # Hitting an own Crook
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/30/C02(E:C05u1(E:C20u2t(E:C32u1)))/-/- | "
        "1=M8/20/C01t/-/- | centre=- | disc=-",
        "0>HIT C05, 0>C02.E",
        "0",
        (),
        "0=M1/30/C02u1(E:C32)/-/- | 1=M8/20/C01t/-/- | centre=- | disc=C05,C20",
        "seat 0, phase MAIN",
        id="E-35",
        marks=pytest.mark.rule("CL-12.2", "CL-6.8"),
    ),
    pytest.param(
        # Enough Rackets inside a war is not yet a win
        "CL1 n=3 v=3 A=0 ph=MAIN | 0=M8/20/C01t(E:C02t)/CAS-N,CAS-S/- | "
        "1=M5/10/C29/NUM-S,NUM-N/- | 2=M4/20/C04/-/- | centre=- | disc=-",
        "0>HIT C04, 0>C01, 0>AMT 5, 0>C02, 2>PASS, 0>HIT C29, 0>C01, 0>AMT 5, 0>PASS, "
        "0>NUM-S, 0>PASS, 2>PASS, 0>PASS",
        "-5 0 6, 4 9",
        (7, 5),
        "0=M8/10/C01t(E:C02t)/CAS-N,CAS-S,NUM-S/- | 1=OUT | 2=M4/20/C04u1t/-/- | centre=NUM-N | "
        "disc=C29",
        "game over, winners 0",
        id="E-37",
        marks=pytest.mark.rule("CL-13.14", "CL-13.8", "CL-17.4"),
    ),
    pytest.param(
        # Visit, Weakness cheer, Heat's On
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M4/30/C02u1t(N:C10u2t,E:C18u1)/U-W1/S05 | "
        "1=M8/20/C01t/-/- | centre=CAS-E | disc=-",
        "0>VISIT, 0>C10, 0>S05, 0>TAKE CAS-E, 0>FOR 7, 1>PASS",
        "3 10",
        (6,),
        "0=M4/23/C02(N:C10,E:C18)/CAS-E,U-W1/- | 1=M8/20/C01t/-/- | centre=- | disc=S05",
        "seat 0, phase MAIN",
        id="E-38",
        marks=pytest.mark.rule("CL-14.6", "CL-6.2", "CL-6.3", "CL-2.15", "CL-15.6"),
    ),
]


@pytest.mark.parametrize(("start", "decisions", "numbers", "totals", "end", "then"), EXAMPLES)
def test_example(game, start, decisions, numbers, totals, end, then):
    check_example(game, start, decisions, numbers, totals, end, then)
