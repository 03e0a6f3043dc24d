"""The turn and MAIN (section 4), Specials and abilities (sections 14 and 15)."""

from __future__ import annotations

import pytest

from gangland.envs.crime_lords.state import HUSH, MAIN, WINDOW

from .scenes import legal, play, scene, table

FULL = (
    "CL1 n=3 v=short A=0 ph=MAIN offers=2 | 0=M6/17/C06(N:C05u1t,E:C25t)/CAS-W,U-C2/S01,S06!,S08"
    " | 1=M5/0/C07(W:C33t)/GNG-N/- | 2=M1/5/C04(E:C28)/-/- | centre=C32,COP-S | disc=-"
)
WANTED = (
    "END, HIT C04, HIT C05, HIT C07, HIT C25, REC C28, HIT C28, REC C32, HIT C32, HIT C33, "
    "TAKE GNG-N, TAKE COP-S, MOVE, DROP, VISIT, ABIL, DOUBLE, RETIRE, BUGLE, SHOW, S06, S08"
)


@pytest.mark.rule(
    "CL-4.11", "CL-4.2", "CL-4.9", "CL-4.10", "CL-5.8", "CL-5.18", "CL-14.2", "CL-14.8",
    "CL-15.4", "CL-15.6", "CL-16.3",
)  # fmt: skip
def test_a_complete_mask(game):
    """E-39."""
    state = scene(game, FULL)
    assert legal(game, state) == set(WANTED.split(", "))
    move = scene(game, FULL)
    play(game, move, "0>MOVE, 0>C25")
    assert legal(game, move) == {"C05.N", "C05.E", "C05.W", "C06.S", "C06.W"}
    recruit = scene(game, FULL)
    play(game, recruit, "0>REC C32")
    assert legal(game, recruit) == {"C05", "C25"}


@pytest.mark.rule("CL-14.8", "CL-4.6")
def test_the_bugle_once_a_turn(game):
    state = scene(game, FULL)
    play(game, state, "0>BUGLE")
    assert state.treasury[0] == 12
    assert state.unhappy[4] == 0
    assert "BUGLE" not in legal(game, state)
    assert state.acted


@pytest.mark.rule("CL-14.7", "CL-14.9", "CL-4.8", "CL-19.2")
def test_stealing_is_a_private_event(game):
    state = scene(game, FULL)
    play(game, state, "0>ABIL, 0>P+2")
    assert (state.treasury[0], state.treasury[2]) == (20, 2)
    assert (state.ledger[0], state.ledger[2]) == (17, 5)
    assert (state.private[0], state.private[2]) == (1, 1)
    assert state.token[24] == 0


@pytest.mark.rule("CL-14.10", "CL-4.7")
def test_without_a_token_nothing_that_needs_one(game):
    state = scene(game, FULL.replace("u1t", "u1").replace("C25t", "C25"))
    found = legal(game, state)
    assert not any(a.startswith(("HIT", "REC", "TAKE")) for a in found)
    assert not found & {"MOVE", "VISIT", "ABIL", "DOUBLE", "RETIRE"}
    play(game, state, "0>S06")
    assert legal(game, state) == {"C06", "C05", "C25"}
    play(game, state, "0>C25")
    assert state.token[24] == 1


WINDOWS = (
    "CL1 n=3 v=short A=1 ph=START | 0=M1/20/C02(E:C05t)/-/S08 | 1=M2/20/C03t(E:C10u2)/-/S03"
    " | 2=M4/20/C04/-/S12,S05 | centre=C27,C28,C29,C30 | disc=- | deck=C31"
)


@pytest.mark.rule("CL-4.1", "CL-15.1", "CL-15.4", "CL-15.5", "CL-15.7", "CL-1.6", "CL-1.4")
def test_the_start_window_runs_once_in_seat_order(game):
    state = game.parse_position(WINDOWS)
    assert (state.phase, state.seat) == (WINDOW, 1)
    play(game, state, "1>S03")
    assert (state.phase, state.seat) == (HUSH, 2)
    play(game, state, "2>YES")
    assert state.treasury[1] == 20  # cancelled
    assert (state.phase, state.seat) == (WINDOW, 2)
    play(game, state, "2>S05")
    assert (state.phase, state.seat) == (WINDOW, 0)
    assert state.heat == 2
    play(game, state, "0>S08")
    # The only target is C10, whose third marker drives him away; then seat 1's turn goes on.
    assert state.crook_loc[9] == -3
    assert (state.phase, state.seat) == (MAIN, 1)
    assert not state.acted
    assert "OFFER" not in legal(game, state)


@pytest.mark.rule("CL-4.3", "CL-4.4")
def test_nobody_is_asked_without_a_choice(game):
    state = game.parse_position(WINDOWS.replace("S08", "-").replace("S03", "-"))
    assert (state.phase, state.seat) == (WINDOW, 2)
    state = game.parse_position(WINDOWS.replace("/S08", "/S02").replace("/S03", "/S11"))
    assert (state.phase, state.seat) == (WINDOW, 2)


SPECIALS = (
    "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/20/C02u2(E:C05t)/-/{} | 1=M2/5/C03(E:C10t,W:C15)/CAS-N/-"
    " | centre=- | disc=C07"
)


@pytest.mark.rule("CL-15.6", "CL-5.9")
@pytest.mark.parametrize(
    ("special", "choice", "field", "index", "value"),
    [
        ("S03", None, "treasury", 0, 32),
        ("S04", None, "treasury", 0, 25),
        ("S06", None, "token", 1, 1),
        ("S07", None, "crook_loc", 6, -2),
        ("S08", "C15", "unhappy", 14, 1),
        ("S09", None, "unhappy", 1, 0),
        ("S10", None, "token", 9, 0),
        ("S11", None, "blocked", 0, 1),
    ],
)
def test_effects_of_specials(game, special, choice, field, index, value):
    state = scene(game, SPECIALS.format(special))
    play(game, state, f"0>{special}" + (f", 0>{choice}" if choice else ""))
    assert state[field][index] == value
    assert (state.special_loc == 0).sum() == 0
    assert state.acted


@pytest.mark.rule("CL-15.8", "CL-9.31")
def test_swings_only_in_attacks(game):
    state = scene(
        game,
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M3/0/C09t/-/- | 1=M2/5/C03/CAS-N/- | centre=- | disc=-",
    )
    assert not legal(game, state) & {"SWING", "BSWING"}


@pytest.mark.rule("CL-21.4", "CL-4.1")
def test_tokens_at_the_start_or_at_the_end(game):
    line = (
        "CL1 n=2 v=short A=0 ph=START{} | 0=M1/20/C02/GNG-N/- | 1=M2/50/C03/-/- "
        "| centre=C27,C28,C29,C30 | disc=- | deck=C31,C32,C33"
    )
    state = game.parse_position(line.format(" retoken=start"))
    assert state.token[1]
    play(game, state, "0>TAKE GNG-S, 0>PASS" if "TAKE GNG-S" in legal(game, state) else "0>END")
    state = game.parse_position(line.format(""))
    assert not state.token[1]
    play(game, state, "0>END")
    assert state.token[1]
    assert state.racket_token[35]
    # Ten G for a turn without action: 20 + 1 income - 9 pay + 10.
    assert table(game, state).startswith("0=M1/22/C02t/GNG-Nt/-")
