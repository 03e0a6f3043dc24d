"""Gang War beyond the worked examples (section 13), elimination and spoils (section 17)."""

from __future__ import annotations

import pytest

from gangland.envs.crime_lords.data import RACKET_IDS
from gangland.envs.crime_lords.state import (
    ASSIST,
    CENTRE,
    DEFEND,
    DISCARD,
    JOIN_FOR,
    MAIN,
    REROLL,
    SPOILS,
    SPOILS_PAY,
    WAR,
)

from .scenes import crook, legal, play, roll_totals, scene, table

BRAWL = (
    "CL1 n=4 v=short A=0 ph=MAIN | 0=M8/30/C32(N:C01t)/GNG-N/- | 1=M5/30/C34(E:C02t)/GNG-E/- "
    "| 2=M4/30/C27(E:C20)/GNG-S/- | 3=M7/0/C30(E:C22)/-/- | centre=C26 | disc=- | deck=C35"
)
"""Weak Bosses in reach: C01 on C34 6 - 2 - 10 + 4, in the war C02 on C32 6 - 3 - 10 + 5."""


def tokens(state, names):
    return [int(state.token[crook(name)]) for name in names.split()]


def brawl(game, line=BRAWL):
    """War between seats 0 and 1: a failed attempt on the Boss of seat 1, who has the war turn."""
    state = scene(game, line, totals=(12,))
    play(game, state, "0>HIT C34, 0>AMT 5")
    assert (state.roll, state.phase, state.seat) == (12, WAR, 1)
    assert tokens(state, "C32 C01 C34 C02 C27 C20") == [1, 1, 1, 1, 0, 0]
    assert not state.racket_token.any()
    assert (state.war_in, state.wars) == (0b11, 1)
    assert state.unhappy[crook("C34")] == 1
    return state


@pytest.mark.rule("CL-17.6", "CL-13.12")
def test_a_war_with_nobody_left_is_not_wound_up(game):
    """The game is over at once: nobody gets a new token as at the end of a war."""
    line = (
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M8/30/C32(N:C01t)/GNG-N/- | 1=M5/30/C34/GNG-E/- "
        "| centre=- | disc=- | deck=C35"
    )
    state = scene(game, line, totals=(12,))
    play(game, state, "0>HIT C34, 0>AMT 5")
    assert (state.phase, state.seat) == (WAR, 1)
    roll_totals(state, 2)
    play(game, state, "1>PASS, 0>HIT C34, 0>C01, 0>AMT 5, 1>PASS")
    assert state.over
    assert list(state.places[:2]) == [1, 2]
    assert tokens(state, "C32 C01") == [1, 0]


@pytest.mark.rule("CL-13.9", "CL-13.1", "CL-13.6", "CL-13.7", "CL-12.4", "CL-12.5")
def test_a_boss_attacked_inside_the_war_starts_no_other(game):
    state = brawl(game)
    roll_totals(state, 12, 12)
    decisions = (
        "1>PASS, 0>HIT C02, 0>C01, 0>AMT 0, 1>PASS, 1>HIT C32, 1>C02, 1>AMT 5, 0>PASS"
    )  # fmt: skip
    assert play(game, state, decisions) == "9, -2 3"
    assert state.roll == 12
    assert (state.wars, state.war_in, state.war_start) == (1, 0b11, 0)
    # C01 spent his token and has no new one, nor has C02.
    assert tokens(state, "C32 C01 C34 C02") == [1, 0, 1, 0]
    assert state.unhappy[crook("C32")] == 1
    assert (state.phase, state.seat) == (WAR, 0)


@pytest.mark.rule("CL-13.10", "CL-13.11", "CL-12.9", "CL-13.8", "CL-13.1")
def test_a_warning_shot_is_a_war_turn_and_no_pass(game):
    state = brawl(game)
    rng = state.rng
    # C32 on a Boss: 3 - 2 - 10 + 4 + 5.
    assert play(game, state, "1>PASS, 0>HIT C34, 0>C32, 0>AMT 0, 0>PASS, 1>PASS") == "0"
    assert (state.phase, state.seat, state.war_passes) == (WAR, 1, 0)
    assert tokens(state, "C32 C01 C34 C02") == [0, 1, 1, 1]
    assert state.unhappy[crook("C34")] == 1
    # C34 on the Boss of a third Mob, who has a bodyguard: 2 - 4 - 10 - 5 + 5.
    assert play(game, state, "1>HIT C27, 1>C34, 1>AMT 0, 1>PASS") == "-12"
    assert (state.war_in, state.wars, tokens(state, "C27 C20")) == (0b11, 1, [0, 0])
    assert state.rng == rng
    # It takes two passes in succession.
    assert (state.phase, state.seat) == (WAR, 0)
    play(game, state, "0>PASS, 1>PASS")
    assert (state.war, state.war_in, state.active) == (0, 0, 1)


@pytest.mark.rule("CL-13.8", "CL-13.10", "CL-13.11", "CL-13.12", "CL-13.3", "CL-4.6")
def test_who_has_no_token_passes_by_himself(game):
    state = brawl(game)
    roll_totals(state, 12)
    assert play(game, state, "1>HIT C20, 1>C02, 1>AMT 0") == "8"
    # The attempt failed, yet it draws seat 2 in, who follows the one who just acted.
    assert (state.war_in, state.unhappy[crook("C20")]) == (0b111, 1)
    assert tokens(state, "C27 C20 C30 C22") == [1, 1, 0, 0]
    play(game, state, "2>PASS, 0>PASS, 1>HIT C32, 1>AMT 0, 0>PASS")
    assert tokens(state, "C34 C02") == [0, 0]
    # Two have passed since that shot, the third has nobody to send.
    play(game, state, "2>PASS, 0>PASS")
    assert not state.war
    assert tokens(state, "C32 C01 C34 C02 C27 C20 C30 C22") == [1] * 6 + [0, 0]
    assert not state.racket_token.any()
    assert state.treasury[0] == 25
    assert (state.active, state.phase) == (1, MAIN)


@pytest.mark.rule("CL-13.10", "CL-13.11")
def test_passing_by_oneself_is_one_pass(game):
    state = brawl(game)
    roll_totals(state, 12, 12)
    play(game, state, "1>HIT C20, 1>C02, 1>AMT 0, 2>PASS, 0>PASS, 1>HIT C20, 1>AMT 0, 2>C20")
    # Seat 1 has nobody left; C01 shoots, seat 1 passes, and the two others are both asked.
    play(game, state, "2>PASS, 0>HIT C22, 0>C01, 0>AMT 0")
    assert (state.war_in, state.seat) == (0b1111, 2)
    play(game, state, "2>PASS")
    assert (state.war, state.seat) == (1, 3)
    play(game, state, "3>PASS")
    assert (state.war, state.seat) == (1, 0)
    play(game, state, "0>PASS")
    assert not state.war


@pytest.mark.rule("CL-13.6", "CL-13.8", "CL-13.7")
def test_war_turns_go_round_in_seat_order(game):
    state = brawl(game)
    assert legal(game, state) == {"PASS"} | {
        f"HIT {name}" for name in ("C32", "C01", "C27", "C20", "C30", "C22")
    }
    roll_totals(state, 12)
    # Seat 0 draws seat 3 in; the next participant after seat 0 is seat 1.
    play(game, state, "1>PASS, 0>HIT C22, 0>C01, 0>AMT 0, 1>PASS, 3>PASS")
    assert (state.war_in, tokens(state, "C30 C22")) == (0b1011, [1, 1])
    assert (state.phase, state.seat) == (WAR, 0)


@pytest.mark.rule("CL-13.13", "CL-9.31", "CL-9.32", "CL-9.36", "CL-15.4", "CL-15.5")
def test_what_works_in_a_war(game):
    line = BRAWL.replace("C34(E:C02t)/GNG-E/-", "C34(E:C02t,W:C28)/GNG-E/S01,S03")
    line = line.replace("C32(N:C01t)/GNG-N/-", "C32(N:C01t)/GNG-N/S02,S12,S04")
    line = line.replace("C27(E:C20)/GNG-S/-", "C27(E:C09t)/GNG-S/-")
    state = scene(game, line, totals=(12, 12, 11))
    play(game, state, "0>HIT C34, 0>AMT 5, 2>PASS, 2>PASS")
    assert (state.phase, state.seat) == (WAR, 1)
    assert all(text == "PASS" or text.startswith("HIT ") for text in legal(game, state))
    play(game, state, "1>HIT C01, 1>C02, 1>AMT 0")  # 6 - 6 + 5
    assert (state.phase, legal(game, state)) == (ASSIST, {"PASS", "S01"})
    play(game, state, "1>S01, 0>PASS")
    assert (state.number, state.phase) == (13, JOIN_FOR)
    play(game, state, "2>SWING")
    assert (state.number, state.phase) == (17, DEFEND)
    assert legal(game, state) == {"PASS", "C01", "S02"}
    play(game, state, "0>S02, 0>PASS, 0>PASS")  # C01 may hide out in each round
    assert (state.number, state.roll, state.phase) == (9, 12, REROLL)
    play(game, state, "1>YES")
    assert (state.roll, state.war, state.seat) == (11, 1, 0)
    assert tokens(state, "C28") == [0]


@pytest.mark.rule("CL-13.15", "CL-13.11", "CL-17.2", "CL-17.4", "CL-12.10")
def test_after_the_war_comes_the_seat_beside_its_starter(game):
    """Seat 0 starts the war and is wiped out in it by seat 1, whose turn is the next one."""
    state = scene(
        game,
        "CL1 n=3 v=short A=0 ph=MAIN | 0=M8/30/C27u2t/GNG-Nt,NUM-S/S01 | 1=M5/30/C34(E:C02)/-/- "
        "| 2=M4/30/C20/-/- | centre=C26 | disc=- | deck=C35",
        totals=(12, 12),
    )
    play(game, state, "0>HIT C34, 0>AMT 5, 0>S01, 1>HIT C27, 1>C02, 1>AMT 5, 0>PASS")
    assert (state.phase, state.seat) == (SPOILS, 1)
    assert legal(game, state) == {"GNG-N", "NUM-S"}
    play(game, state, "1>NUM-S")
    assert (state.phase, legal(game, state)) == (SPOILS_PAY, {"PASS", "C34"})
    play(game, state, "1>PASS")
    assert not state.alive[0]
    assert (state.war, state.active, state.phase) == (0, 1, MAIN)
    assert tokens(state, "C34 C02") == [1, 1]
    assert table(game, state).endswith("centre=C26,C35,GNG-N | disc=C27,S01")


@pytest.mark.rule("CL-17.2", "CL-17.4", "CL-12.11", "CL-17.1")
def test_who_drives_the_last_one_away_has_wiped_the_mob_out(game):
    """The Boss is shot, and the one who is left takes it as his third marker."""
    state = scene(
        game,
        "CL1 n=3 v=short A=0 ph=MAIN | 0=M8/30/C01t(N:C02t)/-/- "
        "| 1=M5/9/C10(N:C27u2)/NUM-S,NUM-N/- | 2=M4/30/C20/-/- | centre=C26 | disc=- | deck=C35",
        totals=(2,),
    )
    play(game, state, "0>HIT C10, 0>C01, 0>AMT 5, 0>C02")
    assert (state.phase, state.seat, legal(game, state)) == (SPOILS, 0, {"NUM-S", "NUM-N"})
    assert not state.alive[1]


@pytest.mark.rule("CL-17.2", "CL-17.4")
def test_a_mob_without_rackets_leaves_no_spoils(game):
    """Rackets of others and of the centre are none of his."""
    state = scene(
        game,
        "CL1 n=3 v=short A=0 ph=MAIN | 0=M8/30/C01t(N:C02t)/GNG-Nt/- | 1=M5/9/C10(N:C27u2)/-/- "
        "| 2=M4/30/C20/NUM-S/- | centre=C26,NUM-N | disc=- | deck=C35",
        totals=(2,),
    )
    play(game, state, "0>HIT C10, 0>C01, 0>AMT 5, 0>C02")
    assert not state.alive[1]
    assert (state.phase, state.seat) == (MAIN, 2)  # both tokens of seat 0 are spent


@pytest.mark.rule("CL-17.2", "CL-17.5", "CL-12.2")
def test_who_ruins_his_own_mob_leaves_no_spoils(game):
    """The Boss takes the killing of his only Lieutenant as his third marker."""
    state = scene(
        game,
        "CL1 n=3 v=short A=0 ph=MAIN | 0=M1/30/C02u2t(W:C32)/NUM-S,NUM-N/- | 1=M8/20/C01t/-/- "
        "| 2=M5/20/C03t/-/- | centre=- | disc=-",
    )
    play(game, state, "0>HIT C32")
    assert not state.alive[0]
    assert (state.phase, state.seat) == (MAIN, 1)
    assert table(game, state).endswith("centre=C04,C05,NUM-N,NUM-S | disc=C02,C32")


@pytest.mark.rule("CL-17.6", "CL-17.5", "CL-20.7", "CL-13.14", "CL-17.1")
@pytest.mark.parametrize("marked", ["", "u2"])
def test_the_last_rival_leaves_no_spoils(game, marked):
    """Nobody is asked for a Racket: the game is over, and what the Mob had is on the table."""
    state = scene(
        game,
        f"CL1 n=3 v=short A=0 ph=MAIN | 0=M8/20/C01t(E:C02t)/CAS-N/- | 1=M5/10/C29{marked}/"
        "NUM-Sx,NUM-N,GNG-Et/S03,S04! | 2=OUT | centre=- | disc=-",
        totals=(2 if not marked else 12,),
    )
    play(game, state, "0>HIT C29, 0>C01, 0>AMT 5, 0>C02")
    assert state.over
    assert not state.capped
    assert list(state.places[:2]) == [1, 2]
    assert state.winners == 1
    assert "1=OUT" in table(game, state)
    assert table(game, state).endswith("centre=NUM-N,NUM-S,GNG-E | disc=C29,S03,S04")
    assert state.racket_loc[RACKET_IDS.index("CAS-N")] == 0
    assert not state.racket_token.any()
    assert not state.blocked.any()
    assert (state.crook_loc == CENTRE).sum() == 0
    assert state.crook_loc[crook("C29")] == DISCARD


@pytest.mark.rule("CL-17.6", "CL-17.7", "CL-17.8", "CL-20.7")
def test_the_last_one_wins_in_any_seat(game):
    line = (
        "CL1 n=3 v=short A=1 ph=MAIN allow_quit=true | 0=M5/10/C29/NUM-S/- "
        "| 1=M8/20/C01t(E:C02t)/-/- | 2=OUT | centre=- | disc=-"
    )
    shot = scene(game, line, totals=(2,))
    play(game, shot, "1>HIT C29, 1>C01, 1>AMT 5, 1>C02")
    gone = scene(game, line)
    game.drop_out(gone, 0)
    play(game, gone, "1>DROP")
    assert gone.winners == shot.winners == 0b010
    left = scene(game, line)
    play(game, left, "1>QUIT")
    assert left.winners == 0b001
    for state in (shot, gone, left):
        assert (state.over, state.capped, state.seat) == (1, 0, -1)


@pytest.mark.rule("CL-17.5", "CL-7.5", "CL-5.9", "CL-17.7")
def test_what_comes_to_the_centre_is_bare(game):
    """Tokens, blocks, markers and hands go; who takes a card up again finds it as printed."""
    state = scene(
        game,
        "CL1 n=3 v=short A=0 ph=MAIN allow_quit=true | 0=M4/30/C03t(N:C07+1u1t(N:C32t))/"
        "CAS-Nx,LSH-N,GNG-Ntx,U-C1t/S03,S08! | 1=M1/9/C02t/-/- | 2=M5/9/C04/-/- "
        "| centre=- | disc=- | deck=C31",
    )
    play(game, state, "0>QUIT")
    for name in ("CAS-N", "LSH-N", "GNG-N", "U-C1"):
        racket = RACKET_IDS.index(name)
        assert state.racket_loc[racket] == CENTRE
        assert (state.racket_token[racket], state.blocked[racket]) == (0, 0)
    assert list(state.income[[RACKET_IDS.index("CAS-N"), RACKET_IDS.index("GNG-N")]]) == [5, 1]
    for name in ("C03", "C07", "C32"):
        assert state.crook_loc[crook(name)] == CENTRE
        assert (state.token[crook(name)], state.unhappy[crook(name)]) == (0, 0)
        assert (state.superior[crook(name)], state.placed[crook(name)]) == (-1, 0)
    assert state.counters[crook("C07")] == 1
    assert (state.treasury[0], state.ledger[0], state.hidden[0], state.boss[0]) == (0, 0, 0, -1)
    roll_totals(state, 2)
    play(game, state, "1>TAKE GNG-N, 1>PASS, 2>PASS")
    assert "GNG-N/" in table(game, state)
