"""Rules that the worked examples only touch: attacks, cheers, new Bosses, pay, deck, limits."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.agents.baseline.heuristic import HeuristicAgent
from gangland.envs.crime_lords.conformance import violations
from gangland.envs.crime_lords.state import MAIN, NEW_BOSS, REASSIGN, REORG, WAR

from .scenes import crook, legal, play, scene, table


@pytest.mark.rule("CL-9.35", "CL-9.37", "CL-11.10", "CL-9.2")
def test_a_winning_boss_cheers_nephew_nico(game):
    state = scene(
        game,
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/30/C02t(E:C29u2)/-/- | 1=M8/0/C01/-/- "
        "| centre=CHP-S | disc=-",
        totals=(5,),
    )
    play(game, state, "0>TAKE CHP-S, 0>PASS")
    assert state.roll == 5
    assert state.racket_loc[26] == 0
    # One marker for the Boss's success, one for the Chop Shop, his Weakness.
    assert state.unhappy[28] == 0


RECRUIT = (
    "CL1 n=2 v=short A=0 ph=MAIN | 0=M8/0/C01t(E:C05t,W:C20t)/-/- "
    "| 1=M4/0/C03(N:C07(N:C16t(N:C32u1)))/-/- | centre=- | disc=-"
)


@pytest.mark.rule("CL-10.7", "CL-10.8", "CL-10.9", "CL-9.1", "CL-9.3")
def test_one_helper_and_the_superior_against_him(game):
    state = scene(game, RECRUIT, totals=(10,))
    play(game, state, "0>REC C32, 0>C01")
    assert state.token[0] == 0
    assert state.number == 8 - 1 + 2
    play(game, state, "0>PASS")
    assert legal(game, state) == {"PASS", "C05", "C20"}
    play(game, state, "0>C05")
    assert legal(game, state) == {"PASS", "C16"}
    play(game, state, "1>C16")
    # 9 + 5 - 4 = 10; a roll of 10 would do, so the next test looks at a failure.
    assert state.number == 10
    assert state.success
    failed = scene(game, RECRUIT, totals=(11,))
    play(game, failed, "0>REC C32, 0>C01, 0>PASS, 0>C05, 1>PASS")
    assert failed.crook_loc[31] == 1
    assert failed.unhappy[31] == 1
    assert (failed.phase, failed.seat) == (MAIN, 0)
    assert "TAKE CHP-S" not in legal(game, failed)
    assert "REC C32" in legal(game, failed)  # any number of attacks


@pytest.mark.rule("CL-10.13", "CL-1.5", "CL-5.2")
def test_the_robbed_mob_is_not_rearranged(game):
    state = scene(game, RECRUIT, totals=(3,))
    play(game, state, "0>REC C32, 0>C01, 0>PASS, 0>PASS, 1>PASS, 0>C05.N")
    assert table(game, state).split(" | ")[1] == "1=M4/0/C03(N:C07(N:C16t))/-/-"
    assert list(state.depth[[0, 4, 31, 2, 6, 15]]) == [0, 1, 2, 0, 1, 2]
    assert state.subordinates[0] == 2
    assert (state.x[31], state.y[31]) == (1, 1)


@pytest.mark.rule("CL-9.7", "CL-9.8", "CL-12.6")
def test_no_deals_during_an_attack_and_no_way_back_from_a_hit(game):
    state = scene(
        game,
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/30/C02t/-/- | 1=M8/9/C01/-/- | centre=C10 | disc=-",
    )
    assert "OFFER" in legal(game, state)
    hit = game.clone(state)
    play(game, hit, "0>HIT C10")
    assert legal(game, hit) == {f"AMT {x}" for x in range(6)}
    play(game, state, "0>REC C10")
    assert "BACKOUT" in legal(game, state)
    assert "OFFER" not in legal(game, state)


@pytest.mark.rule("CL-5.14", "CL-5.15", "CL-12.12", "CL-13.13", "CL-13.15", "CL-12.11")
def test_a_mob_without_a_boss_may_be_rebuilt(game):
    state = scene(
        game,
        "CL1 n=3 v=short A=0 ph=MAIN | 0=M8/20/C01t(E:C02t)/GNG-Nt/S03 "
        "| 1=M5/10/C10(N:C15(N:C32),E:C25)/NUM-S/S08,S12 | 2=M4/20/C04/-/- | centre=C27 | disc=-",
        totals=(8,),
    )
    play(game, state, "0>HIT C10, 0>C01, 0>AMT 5, 0>C02")
    assert (state.phase, state.seat) == (NEW_BOSS, 1)
    play(game, state, "1>C25")
    assert state.phase == REORG
    keep = game.clone(state)
    play(game, keep, "1>KEEP")
    assert keep.crook_loc[14] == -2  # C15 is stronger than Boss C25 (3): nobody can hold him
    play(game, state, "1>REBUILD")
    assert state.phase == REASSIGN or state.war
    while state.phase == REASSIGN:
        game.apply(state, game.legal_actions(state)[0])
    assert (state.phase, state.seat) == (WAR, 1)
    # Only Hits on other Mobs: no own, no centre Crooks, no Specials, no deals.
    assert legal(game, state) == {"PASS", "HIT C01", "HIT C02", "HIT C04"}
    late = game.clone(state)
    late.turn = 1
    play(game, late, "1>PASS, 0>PASS")
    assert late.active == 1


@pytest.mark.rule("CL-6.4", "CL-6.7", "CL-6.10", "CL-7.1", "CL-7.9")
def test_an_unpaid_boss_leaves_without_mob_wide_markers(game):
    state = game.parse_position(
        "CL1 n=2 v=short A=0 ph=START | 0=M1/0/C02u2(E:C05,W:C07)/-/- | 1=M2/5/C03/-/- "
        "| centre=C10,C11,C12,CHP-N | disc=- | deck=C13,C14"
    )
    assert (state.phase, state.seat) == (NEW_BOSS, 0)
    assert legal(game, state) == {"C05", "C07"}
    assert (state.crook_loc[1], state.unhappy[1]) == (-2, 0)
    assert list(state.unhappy[[4, 6]]) == [2, 2]  # not paid at all, nothing on top
    assert state.treasury[0] == 0
    play(game, state, "0>C05, 0>KEEP")
    assert state.unhappy[4] == 0


@pytest.mark.rule("CL-8.5", "CL-2.2", "CL-6.6")
def test_an_empty_deck_is_not_refilled(game):
    state = game.parse_position(
        "CL1 n=2 v=short A=0 ph=START | 0=M1/9000/C02t(E:C05t)/-/- | 1=M2/5/C03/-/- "
        "| centre=- | disc=C13,C14,S03 | deck=-"
    )
    assert (state.phase, state.seat) == (MAIN, 0)
    assert state.treasury[0] == 9000 - 14
    assert table(game, state).endswith("centre=- | disc=C13,C14,S03")


@pytest.mark.rule("CL-14.3", "CL-14.1", "CL-5.11")
def test_a_subordinate_without_a_side_is_lost(game):
    state = scene(
        game,
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M6/30/C02t(E:C05t(E:C17),W:C10t(N:C34t,W:C32u1t))/-/- "
        "| 1=M4/0/C03/-/- | centre=- | disc=-",
    )
    play(game, state, "0>MOVE, 0>C10, 0>C05.N")
    assert table(game, state).startswith("0=M6/30/C02t(E:C05t(N:C10u1(N:C34t),E:C17))/-/-")
    assert table(game, state).endswith("centre=C32 | disc=-")


@pytest.mark.rule("CL-5.7", "CL-4.4", "CL-5.4", "CL-7.1")
def test_a_grid_of_any_length_keeps_the_laws(game):
    chain = "C33"
    for name in ("C27", "C20", "C16", "C07"):
        chain = f"{name}(E:{chain})"
    state = scene(
        game,
        f"CL1 n=2 v=short A=0 ph=MAIN | 0=M6/30/C02t(E:{chain})/-/- | 1=M4/0/C03/-/- "
        "| centre=- | disc=-",
    )
    assert state.x[32] == 5
    rng = np.random.default_rng(3)
    for _ in range(300):
        assert not violations(game, state)
        if state.over:
            break
        assert len(game.legal_actions(state)) >= 2
        game.apply(state, int(rng.choice(game.legal_actions(state))))


@pytest.mark.rule("CL-21.6", "CL-21.3")
def test_there_are_no_other_options(game):
    assert set(game.options.names) == {
        "players", "victory", "victory_target", "bonus_counts", "end_mode", "agreement", "trade",
        "offers_per_turn", "show_specials", "auction_crooks", "auction_rackets", "bid_money",
        "start_money", "retoken", "max_backouts", "max_rounds", "max_decisions", "open_money",
        "allow_quit",
    }  # fmt: skip


@pytest.mark.rule("CL-1.9")
def test_advice_of_the_rulebook_wins_against_random_play(game):
    """Section 28: the bot of section 27 won 200 of 200 games against four random seats."""
    agent = HeuristicAgent(game, "specified")
    rng = np.random.default_rng(0)
    won = 0
    for seed in range(8):
        state = game.new_state(seed)
        while not state.over:
            if state.seat == seed % 5:
                action = agent.decide(game.view(state, int(state.seat), seed)).action
            else:
                action = int(rng.choice(game.legal_actions(state)))
            game.apply(state, action)
        won += state.places[seed % 5] == 1
    assert won >= 7


# --- Nephew Nico cheers when his Boss leads an attack whose roll succeeds -------------------------

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
