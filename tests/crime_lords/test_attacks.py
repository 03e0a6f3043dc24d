"""Attacks beyond the worked examples: dice, showdown, outcomes (sections 9 to 12)."""

from __future__ import annotations

import pytest

from gangland.envs.crime_lords.state import COMMIT_A, COMMIT_D, COMMIT_T, MAIN

from .scenes import crook, legal, play, racket, roll_totals, scene, table

LADDER = (*range(13), 14, 16, 18, 20, 25, 30)
WAYS = {total: 6 - abs(total - 7) for total in range(2, 13)}
"""How many of the 36 throws of two dice give each total."""


DUEL = "CL1 n=2 v=short A=0 ph=MAIN | 0={} | 1={} | centre={} | disc=-"


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


@pytest.mark.rule("CL-10.11", "CL-5.10")
def test_a_recruit_may_stand_where_somebody_has_just_moved_from(game):
    """Only the one who moves may not stay where he is (CL-14.2)."""
    line = DUEL.format("M8/30/C02t(N:C16t,E:C05)/-/-", "M4/0/C03/-/-", "C27")
    state = scene(game, line, totals=(2,))
    play(game, state, "0>MOVE, 0>C05.E, 0>REC C27, 0>FOR 9")
    assert "C02.N" in legal(game, state)
    play(game, state, "0>C02.N")
    assert "C02(N:C27,E:C05(E:C16u1))" in table(game, state)


@pytest.mark.rule("CL-10.11", "CL-5.11")
def test_a_recruit_after_a_gift_displaces_nobody(game):
    """A gift may cost its receiver a card in a clash; who does not fit below a recruit is lost."""
    line = DUEL.format(
        "M6/30/C02t(E:C05t(E:C17),W:C36t)/CAS-N/-",
        "M4/0/C03(N:C07(N:C16(E:C10t(N:C34,E:C32u1t))))/-/-",
        "-",
    )
    state = scene(game, line, totals=(9,))
    play(game, state, "0>OFFER, 0>P+1, 0>C36, 0>AMT 0, 0>PASS, 0>AMT 0, 1>YES, 1>C03.S")
    play(game, state, "0>REC C10, 0>C05, 0>FOR 2, 0>C05.N")
    assert (state.phase, state.seat) == (MAIN, 0)
    assert "C05(N:C10t(N:C34),E:C17)" in table(game, state)
    assert "centre=C32" in table(game, state)


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
