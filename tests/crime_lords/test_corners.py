"""Corners of the rules that a mutation run found no test for: mostly the first Crook, C01."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.crime_lords.state import PHASES

from .scenes import crook, legal, play, scene, table

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


@pytest.mark.rule("CL-5.11", "CL-14.3")
def test_who_stands_below_the_first_crook_goes_with_him(game):
    line = (
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/9/C02(N:C01t(N:C05))/-/- | 1=M8/9/C04/-/- "
        "| centre=- | disc=-"
    )
    state = scene(game, line)
    play(game, state, "0>MOVE, 0>C02.E")
    assert PHASES[state.phase] == "MAIN"
    assert "0=M1/9/C02(E:C01(N:C05))/-/-" in table(game, state)


@pytest.mark.rule("CL-5.11", "CL-5.4")
def test_nobody_goes_along_to_the_cell_of_the_first_crook(game):
    """C27 stands south of C05; where C05 goes, C01 himself is south of him."""
    line = (
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/9/C01(E:C05t(S:C27))/-/- | 1=M8/9/C04/-/- "
        "| centre=- | disc=-"
    )
    state = scene(game, line)
    play(game, state, "0>MOVE, 0>C01.N")
    assert PHASES[state.phase] == "DISPLACE"
    assert legal(game, state) == {"C05.N", "C05.E", "C05.W"}


@pytest.mark.rule("CL-5.12", "CL-5.14")
def test_the_first_crook_is_the_strongest_to_be_placed(game):
    """Nobody is paid, and the Boss leaves: C01 and C27 are placed below the next one, C01 first."""
    line = (
        "CL1 n=2 v=short A=0 ph=START | 0=M1/0/C04u1(N:C02,E:C27,W:C01)/-/- | 1=M8/20/C03/-/- "
        "| centre=- | disc=-"
    )
    state = scene(game, line)
    play(game, state, "0>C02, 0>REBUILD")
    assert (PHASES[state.phase], state.root) == ("REASSIGN", crook("C01"))
    play(game, state, "0>C02.S")
    assert (PHASES[state.phase], state.root) == ("REASSIGN", crook("C27"))
    assert {"C01.E", "C01.S", "C01.W"} <= legal(game, state)


@pytest.mark.rule("CL-20.6", "CL-17.5")
def test_who_is_out_is_not_one_short(game):
    """One Racket wins: whoever has none is one short, but not a Mob that is out."""
    line = "CL1 n=3 v=1 A=0 ph=MAIN | 0=M1/9/C02/-/- | 1=OUT | 2=M5/9/C03/-/- | centre=- | disc=-"
    state = scene(game, line)
    play(game, state, "0>END, 0>YES, 2>YES")
    assert state.over
    assert list(state.places[:3]) == [1, 3, 1]


@pytest.mark.rule("CL-9.20", "CL-9.24")
def test_a_second_showdown_begins_anew(game):
    """Who says nothing commits nothing, and all are asked again."""
    line = (
        "CL1 n=3 v=short A=0 ph=MAIN | 0=M1/30/C02(E:C05t,N:C10t,W:C16t)/-/- "
        "| 1=M8/30/C01/CAS-N,NUM-E/- | 2=M5/30/C03/-/- | centre=- | disc=-"
    )
    state = scene(game, line, [12])
    play(game, state, "0>TAKE CAS-N, 0>C05, 0>FOR 16, 1>AG 3, 2>AG 2")
    assert (PHASES[state.phase], state.treasury.tolist()[:3]) == ("MAIN", [14, 27, 28])
    play(game, state, "0>TAKE NUM-E")
    assert (PHASES[state.phase], state.number) == ("LEADER", 0)
    play(game, state, "0>C10")
    number = int(state.number)
    play(game, state, "0>PASS, 1>PASS, 2>PASS")
    assert (state.number, state.treasury.tolist()[:3]) == (number, [14, 27, 28])


@pytest.mark.rule("CL-16.4", "CL-16.11", "CL-4.3")
def test_an_offer_of_which_nothing_is_left_but_to_withdraw_ends_by_itself(game):
    """One Racket wins: it cannot be given for nothing, and there is nothing to ask for."""
    line = (
        "CL1 n=3 v=1 A=0 ph=MAIN | 0=M1/9/C02/CAS-N/- | 1=M8/9/C04/-/- | 2=M5/9/C03/-/- "
        "| centre=- | disc=-"
    )
    state = scene(game, line)
    play(game, state, "0>OFFER, 0>P+1, 0>CAS-N, 0>AMT 0")
    assert (PHASES[state.phase], state.seat, state.deals) == ("MAIN", 0, 0)


@pytest.mark.rule("CL-14.6", "CL-14.8")
@pytest.mark.parametrize(("action", "own"), [("VISIT", {"C02", "C10"}), ("BUGLE", {"C02", "C10"})])
def test_only_ones_own_crooks_are_cheered(game, action, own):
    line = (
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M4/30/C02u1t(N:C10u2t,E:C18)/U-W1,U-C2/- "
        "| 1=M8/20/C01t(N:C16u1t,E:C05u1t)/-/- | centre=- | disc=-"
    )
    state = scene(game, line)
    play(game, state, f"0>{action}")
    assert legal(game, state) == own


@pytest.mark.rule("CL-17.6", "CL-4.5")
def test_the_turn_passes_over_all_who_are_out(game):
    """Six Mobs of eight."""
    out = " | ".join(f"{seat}=OUT" for seat in range(1, 7))
    line = (
        f"CL1 n=8 v=short A=0 ph=MAIN | 0=M1/9/C02/-/- | {out} | 7=M5/9/C03/-/- | centre=- | disc=-"
    )
    state = scene(game, line)
    play(game, state, "0>END")
    assert (PHASES[state.phase], state.active, state.seat) == ("MAIN", 7, 7)


@pytest.mark.rule("CL-10.4", "CL-10.5", "CL-2.15")
def test_the_first_seats_crooks_are_recruited_like_others(game):
    """A Lieutenant of seat 0 is as hard to get as one of seat 1."""
    line = (
        "CL1 n=3 v=short A=2 ph=MAIN | {}=M1/9/C02(N:C10)/-/- | {}=M2/9/C03/-/- "
        "| 2=M8/9/C01t/-/- | centre=- | disc=-"
    )
    numbers = set()
    for order in ((0, 1), (1, 0)):
        text = line.format(*order)
        parts = text.split(" | ")
        state = scene(game, " | ".join([parts[0], *sorted(parts[1:4]), *parts[4:]]))
        play(game, state, "2>REC C10")
        numbers.add(int(state.number))
    assert len(numbers) == 1


@pytest.mark.rule("CL-14.7", "CL-15.6")
def test_a_special_played_before_is_no_matter_to_an_ability(game):
    """Shakedown is aimed at a player, the needle after it at a Crook."""
    line = (
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/9/C02(N:C24t)/-/S04 "
        "| 1=M2/9/C27(N:C17(N:C20,E:C25))/-/- | centre=- | disc=-"
    )
    state = scene(game, line)
    play(game, state, "0>S04, 0>ABIL")
    assert legal(game, state) == {"C20", "C25"}


@pytest.mark.rule("CL-16.10", "CL-14.2")
def test_who_joins_may_take_a_place_that_somebody_left(game):
    """Only who moves himself may not go back to where he stood."""
    line = (
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/9/C02(N:C05t)/-/- | 1=M8/9/C01(E:C10t)/-/- "
        "| centre=- | disc=-"
    )
    state = scene(game, line)
    play(game, state, "0>MOVE, 0>C02.E, 0>OFFER, 0>P+1, 0>AMT 0, 0>C10, 0>AMT 0, 1>YES")
    assert PHASES[state.phase] == "GIFT_PLACE"
    assert "C02.N" in legal(game, state)


@pytest.mark.rule("CL-4.3", "CL-11.7")
def test_that_a_racket_can_help_is_known_to_all(game):
    """Who has one in the district is openly asked for assistance."""
    line = (
        "CL1 n=3 v=short A=0 ph=MAIN | 0=M1/0/C02t/GNG-Nt/- | 1=M8/0/C01/CAS-N/- "
        "| 2=M5/0/C03/-/- | centre=- | disc=-"
    )
    state = scene(game, line, backouts=2)
    play(game, state, "0>TAKE CAS-N")
    assert (PHASES[state.phase], state.seat) == ("ASSIST", 0)
    assert "GNG-N" in legal(game, state)
    for viewer in range(3):
        assert game.redact(state, viewer).seat == 0


@pytest.mark.rule("CL-5.16", "CL-6.2", "CL-10.10")
def test_a_lieutenant_of_the_first_seat_stays_one_when_he_is_recruited(game):
    """He cheers up for the new Mob, but he is not promoted."""
    line = (
        "CL1 n=2 v=short A=1 ph=MAIN | 0=M4/0/C02(N:C10u2)/-/- | 1=M8/30/C01t/-/- "
        "| centre=- | disc=-"
    )
    state = scene(game, line, [2])
    play(game, state, "1>REC C10, 1>FOR 12, 1>C01.N")
    assert state.crook_loc[crook("C10")] == 1
    assert state.unhappy[crook("C10")] == 1


@pytest.mark.rule("CL-14.2")
def test_the_first_crook_of_a_rival_makes_no_place_to_move_to(game):
    """Boss C02 alone is stronger than C05; all his sides are closed."""
    line = (
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/9/C02(N:C05t,S:C08(E:C27,W:C25))/-/- "
        "| 1=M8/9/C04(E:C01)/-/- | centre=- | disc=-"
    )
    state = scene(game, line)
    assert "MOVE" not in legal(game, state)
