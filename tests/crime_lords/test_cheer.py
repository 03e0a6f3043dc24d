"""Nephew Nico cheers when his Boss leads an attack whose roll succeeds (CL-2.15, CL-9.37)."""

from __future__ import annotations

import pytest

from .scenes import crook, play, scene, table

NICO = 28


@pytest.mark.rule("CL-2.15", "CL-9.37", "CL-12.2")
def test_a_hit_on_an_own_crook_has_no_roll_that_could_succeed(game):
    state = scene(
        game,
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/30/C02t(E:C29u1,W:C32)/-/- | 1=M8/20/C01t/-/- "
        "| centre=- | disc=-",
    )
    play(game, state, "0>HIT C32")
    assert state.success
    assert state.roll == 0
    # His superior loses a subordinate and gets a marker of his own.
    assert table(game, state).startswith("0=M1/30/C02u1(E:C29u1)/-/- |")


@pytest.mark.rule("CL-2.15", "CL-9.37")
@pytest.mark.parametrize(("total", "markers"), [(7, 0), (12, 1)])
def test_he_cheers_when_the_roll_of_his_boss_succeeds(game, total, markers):
    state = scene(
        game,
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/0/C02t(E:C29u1)/-/- | 1=M8/0/C01/-/- "
        "| centre=NUM-E | disc=-",
        (total,),
        backouts=2,
    )
    play(game, state, "0>TAKE NUM-E")
    assert state.number >= 7
    assert state.roll == total
    assert state.unhappy[NICO] == markers


@pytest.mark.rule("CL-9.37")
def test_he_does_not_cheer_when_a_lieutenant_leads(game):
    state = scene(
        game,
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/0/C02(E:C29u1,W:C12t)/-/- | 1=M8/0/C01/-/- "
        "| centre=NUM-E | disc=-",
        (2,),
        backouts=2,
    )
    play(game, state, "0>TAKE NUM-E")
    assert (state.leader, state.boss[0]) == (crook("C12"), crook("C02"))
    assert state.success
    assert state.roll == 2
    assert state.unhappy[NICO] == 1


@pytest.mark.rule("CL-2.15", "CL-9.37")
def test_he_does_not_cheer_for_another_boss(game):
    state = scene(
        game,
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/0/C02t/-/- | 1=M8/0/C01(E:C29u1)/-/- "
        "| centre=NUM-E | disc=-",
        (2,),
        backouts=2,
    )
    play(game, state, "0>TAKE NUM-E")
    assert state.leader == state.boss[0]
    assert state.success
    assert state.roll == 2
    assert state.unhappy[NICO] == 1


@pytest.mark.rule("CL-2.15", "CL-9.37")
@pytest.mark.parametrize(("before", "after"), [(2, 1), (1, 0), (0, 0)])
def test_one_marker_goes_and_nobody_elses(game, before, after):
    state = scene(
        game,
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/0/C02t(E:C29,W:C36)/-/- | 1=M8/0/C01/-/- "
        "| centre=CAS-N | disc=-",
        (2,),
        backouts=2,
    )
    state.unhappy[NICO] = before
    state.unhappy[crook("C36")] = 1
    play(game, state, "0>TAKE CAS-N")
    assert state.success
    assert state.unhappy[NICO] == after
    assert state.unhappy[crook("C36")] == 1
