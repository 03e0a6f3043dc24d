"""Corners of the rules that a mutation campaign found no test for: mostly the first Crook, C01."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.crime_lords.state import PHASES

from .scenes import crook, legal, play, scene

TRADE = "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/9/{}/CAS-N/- | 1=M8/9/C04({})/-/- | centre=- | disc=-"


@pytest.mark.rule("CL-16.5", "CL-16.9")
def test_the_first_crook_can_be_asked_for(game):
    state = scene(game, TRADE.format("C02", "W:C01t"))
    play(game, state, "0>OFFER, 0>P+1, 0>PASS, 0>AMT 0, 0>C01")
    # Neither a card nor money was given: what it may cost is asked.
    assert (PHASES[state.phase], state.asked) == ("OFFER_PRICE", crook("C01"))


@pytest.mark.rule("CL-16.6", "CL-16.7")
def test_the_first_crook_leaves_his_place_to_the_one_who_is_asked_for(game):
    """C03 is too strong for C01's Mob mates; only the side on which C01 stands can hold him."""
    state = scene(game, TRADE.format("C02(N:C01t,E:C36,S:C35,W:C34)", "W:C03t"))
    play(game, state, "0>OFFER, 0>P+1, 0>PASS, 0>AMT 0")
    assert "C03" not in legal(game, state)
    play(game, state, "0>BACKOUT, 0>OFFER, 0>P+1, 0>C01, 0>AMT 0")
    assert "C03" in legal(game, state)


@pytest.mark.rule("CL-12.13", "CL-5.1")
def test_power_gained_by_a_kill_counts_at_once(game):
    line = (
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/9/C02(E:C33t)/-/- | 1=M8/9/C04/-/- "
        "| centre=C30 | disc=-"
    )
    state = scene(game, line, [2])
    leader = crook("C33")
    before = int(state.strength[leader])
    play(game, state, "0>HIT C30, 0>AMT 5")
    assert state.crook_loc[crook("C30")] == -3
    assert state.counters[leader] == 2  # C30 was stronger
    assert state.strength[leader] == before + 2
    assert state.dirty == 0
    again = game.parse_position(game.position_text(state))
    assert again.strength.tolist() == state.strength.tolist()


@pytest.mark.rule("CL-5.14", "CL-13.10")
def test_the_first_crook_can_be_the_heir(game):
    line = (
        "CL1 n=3 v=short A=0 ph=MAIN | 0=M1/30/C02t(E:C01t,W:C12t)/-/- | 1=M8/30/C04/CAS-N/- "
        "| 2=M5/9/C03t/-/- | centre=- | disc=-"
    )
    state = scene(game, line)
    play(game, state, "0>RETIRE, 0>C01")
    assert (PHASES[state.phase], state.boss[0]) == ("MAIN", crook("C01"))


@pytest.mark.rule("CL-4.3", "CL-19.3")
def test_who_bids_in_the_opening_is_known_to_all(game):
    """Nobody has a Mob yet, and nobody may leave the game: the question is open all the same."""
    state = game.new_state(3, allow_quit=False)
    rng = np.random.default_rng(3)
    phases = set()
    while PHASES[state.phase].startswith("AUC"):
        phases.add(PHASES[state.phase])
        for seat in range(game.num_seats(state)):
            assert game.redact(state, seat).seat == state.seat
        game.apply(state, int(rng.choice(game.legal_actions(state))))
    assert "AUC_BID" in phases


@pytest.mark.rule("CL-17.5")
def test_a_seat_that_left_has_nothing(game):
    line = (
        "CL1 n=3 v=short A=0 ph=MAIN allow_quit=true | 0=M1/30/C02t/-/- | 1=M8/30/C04/CAS-N/- "
        "| 2=M5/9/C03t/-/- | centre=- | disc=-"
    )
    state = scene(game, line)
    play(game, state, "0>QUIT")
    while state.alive[0]:
        game.apply(state, game.legal_actions(state)[0])
    assert [int(state[name][0]) for name in ("treasury", "ledger", "funds", "hidden")] == [0] * 4
