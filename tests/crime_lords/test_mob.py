"""The Mob on its grid beyond the worked examples (sections 5 and 6)."""

from __future__ import annotations

import pytest

from gangland.envs.core.kernel import kernel
from gangland.envs.core.state import State
from gangland.envs.crime_lords.conformance import violations
from gangland.envs.crime_lords.data import CROOK_IDS, CROOK_POWER
from gangland.envs.crime_lords.rules.mob.grid import strongest
from gangland.envs.crime_lords.state import (
    CLASH,
    DISCARD,
    DISPLACE,
    MAIN,
    NEW_BOSS,
    OFFER_REPLY,
    REASSIGN,
    REORG,
    WAR,
)

from .scenes import crook, legal, play, scene, table


def chain(names, side):
    """Crooks in one line, each the superior of the next."""
    term = names[-1]
    for name in reversed(names[:-1]):
        term = f"{name}({side}:{term})"
    return term


@pytest.mark.rule("CL-5.7", "CL-5.3")
@pytest.mark.parametrize(("side", "x", "y"), [("N", 0, 1), ("E", 1, 0), ("S", 0, -1), ("W", -1, 0)])
def test_all_crooks_in_one_line(game, side, x, y):
    text = (
        f"CL1 n=2 v=short A=0 ph=MAIN | 0=M6/200/{chain(CROOK_IDS, side)}/-/- | 1=OUT "
        "| centre=- | disc=- | deck=-"
    )
    state = scene(game, text)
    assert (state.crooks[0], state.depth[crook("C36")]) == (36, 35)
    assert [(state.x[c], state.y[c]) for c in range(36)] == [(c * x, c * y) for c in range(36)]
    assert state.due[0] == CROOK_POWER.sum() - 1 + 2  # Gimpy is due nothing
    assert violations(game, state) == []
    assert game.position_text(state) == text
    # Who stands at an end has three sides free, who stands between two has two.
    assert [int(s).bit_count() for s in state.free_sides] == [3] + [2] * 34 + [3]


@pytest.mark.rule("CL-5.7", "CL-10.11", "CL-5.10")
@pytest.mark.parametrize(
    ("side", "x", "y", "places"),
    [
        ("N", 0, 34, "C01.N C01.E C01.W"),
        ("E", 34, 0, "C01.N C01.E C01.S"),
        ("S", 0, -34, "C01.E C01.S C01.W"),
        ("W", -34, 0, "C01.N C01.S C01.W"),
    ],
)
def test_a_recruit_at_the_far_end_of_a_long_line(game, side, x, y, places):
    names = [name for name in CROOK_IDS if name not in ("C01", "C03", "C27")]
    state = scene(
        game,
        f"CL1 n=2 v=short A=0 ph=MAIN | 0=M6/30/{chain([*names, 'C01t'], side)}/-/- "
        "| 1=M4/0/C03/-/- | centre=C27 | disc=- | deck=-",
        totals=(2,),
    )
    play(game, state, "0>REC C27, 0>FOR 9")
    assert legal(game, state) == set(places.split())
    play(game, state, f"0>C01.{side}")
    assert (state.x[crook("C27")], state.y[crook("C27")]) == (x, y)
    assert (state.crooks[0], state.depth[crook("C27")]) == (35, 34)
    assert violations(game, state) == []


@pytest.mark.rule("CL-5.4", "CL-5.10", "CL-5.5", "CL-14.2")
@pytest.mark.parametrize(
    ("mob", "places"),
    [
        # The picture of the rulebook: north of the Boss closes north of his Lieutenants beside.
        ("C02(N:C16,E:C05,W:C07,S:C27t)", "C16.N C05.E C05.S C07.S C07.W"),
        ("C02(E:C05,W:C07,S:C27t)", "C02.N C05.N C05.E C05.S C07.N C07.S C07.W"),
        # Touching is illegal whatever the Power; a Crook does not touch his own superior.
        ("C02(E:C05(E:C32),N:C27t)", "C02.W C02.S C05.N C05.S"),
        ("C02(E:C05(N:C10(N:C16)),W:C27t)", "C02.S C05.E C05.S C10.E C16.N C16.E C16.W"),
        # Only under a stronger one: 4 + 3 for the Boss, then 4 and 3.
        ("C10(E:C16t(E:C20(E:C27)))", "C10.N C10.S C10.W"),
        ("C10(E:C16(E:C20t))", "C10.N C10.S C10.W C16.N C16.S"),
        # Not below himself, with all who stand there.
        ("C02(E:C05t(E:C10(E:C27)),W:C07)", "C02.N C02.S"),
        ("C02(E:C05(E:C10t(E:C27)),W:C07)", "C02.N C02.S C05.N C05.S C07.N C07.S C07.W"),
    ],
)
def test_legal_places(game, mob, places):
    """The one with a token moves; where he stands now is no new place."""
    state = scene(
        game,
        f"CL1 n=2 v=short A=0 ph=MAIN | 0=M1/12/{mob}/-/- | 1=M2/50/C06/-/- | centre=- | disc=-",
    )
    play(game, state, "0>MOVE")
    assert legal(game, state) == set(places.split())


@pytest.mark.rule("CL-14.2", "CL-4.11", "CL-14.1")
@pytest.mark.parametrize(
    ("mob", "moves"),
    [
        # All sides are taken, one by himself, and nobody else is stronger.
        ("C02(N:C05t,E:C06,S:C08,W:C15)", False),
        # Those below him close the Boss's sides, but they would be lifted.
        ("C02(E:C05t(N:C27,S:C25),W:C10)", True),
        ("C02(E:C05(N:C27t,S:C25),W:C10)", True),
        # Nobody is stronger but the Boss, who has one side, his own.
        ("C10(E:C16t(E:C20),N:C17,S:C22,W:C23)", False),
        ("C10(E:C16(E:C20t),N:C17,W:C23)", True),
        ("C10(E:C16(E:C20),N:C17t,S:C22,W:C23)", True),
        # The Boss does not move, nor who has no token.
        ("C10t(E:C16(E:C20))", False),
    ],
)
def test_who_can_move(game, mob, moves):
    state = scene(
        game,
        f"CL1 n=2 v=short A=0 ph=MAIN | 0=M1/12/{mob}/-/- | 1=M2/50/C03/-/- | centre=- | disc=-",
    )
    assert ("MOVE" in legal(game, state)) == moves


@pytest.mark.rule("CL-5.11", "CL-14.3")
def test_displaced_crooks_take_another_side_of_the_same_superior(game):
    """Level by level: who can keeps his side, the others choose or are lost."""
    state = scene(
        game,
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M6/30/C02(E:C05,W:C10t(W:C34(W:C32u1)))/-/- "
        "| 1=M4/0/C03/-/- | centre=- | disc=-",
    )
    play(game, state, "0>MOVE, 0>C05.E")
    # C10 at (2, 0): west of him is C05.
    assert (state.phase, legal(game, state)) == (DISPLACE, {"C10.N", "C10.E", "C10.S"})
    play(game, state, "0>C10.N")
    # C34 at (2, 1): C32 keeps west unless it touches, and (1, 1) is next to C05.
    assert (state.phase, legal(game, state)) == (DISPLACE, {"C34.N", "C34.E"})
    play(game, state, "0>C34.E")
    assert table(game, state).startswith("0=M6/30/C02(E:C05(E:C10u1(N:C34(E:C32u1))))/-/-")


@pytest.mark.rule("CL-5.12", "CL-5.10", "CL-12.11")
def test_orphans_are_placed_strongest_first(game):
    """Of two with the same Power the lower id comes first; own Power counts, with counters."""
    state = scene(
        game,
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M8/30/C01t/-/- "
        "| 1=M4/30/C03(N:C05(N:C16,E:C27+3,W:C10(W:C34)))/-/- | centre=- | disc=-",
        totals=(2,),
    )
    play(game, state, "0>HIT C05, 0>AMT 5")
    order = []
    while state.phase == REASSIGN:
        assert state.seat == 1
        order.append(CROOK_IDS[state.root])
        game.apply(state, game.legal_actions(state)[-1])
    assert order == ["C27", "C10", "C16"]
    assert state.crook_loc[crook("C34")] == 1
    assert violations(game, state) == []


@pytest.mark.rule("CL-5.14", "CL-5.15", "CL-6.4", "CL-6.10", "CL-6.1")
@pytest.mark.parametrize(
    ("choice", "first", "mob"),
    [
        # KEEP: who reports to the new Boss is placed anew, the other Lieutenants stay.
        ("KEEP", ["C16"], "1=M4/30/C05(E:C10u1(E:C27u1))"),
        ("REBUILD", ["C10", "C16", "C27"], "1=M4/30/C05("),
    ],
)
def test_the_mob_under_a_new_boss(game, choice, first, mob):
    state = scene(
        game,
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M8/30/C01t(N:C02t)/-/- "
        "| 1=M4/30/C03(N:C05u1(N:C16),E:C10(E:C27))/-/- | centre=- | disc=-",
        totals=(2,),
    )
    play(game, state, "0>HIT C03, 0>C01, 0>AMT 5, 0>C02")
    assert (state.phase, state.seat) == (NEW_BOSS, 1)
    assert legal(game, state) == {"C05", "C10", "C16", "C27"}
    assert list(state.unhappy[[crook(c) for c in ("C05", "C10", "C16", "C27")]]) == [2, 1, 1, 1]
    play(game, state, "1>C05")
    assert (state.phase, legal(game, state)) == (REORG, {"KEEP", "REBUILD"})
    play(game, state, f"1>{choice}")
    assert state.unhappy[crook("C05")] == 0
    order = []
    while state.phase == REASSIGN:
        order.append(CROOK_IDS[state.root])
        if len(order) == 1 and choice == "KEEP":
            assert table(game, state).split(" | ")[1].startswith(mob)
        game.apply(state, game.legal_actions(state)[0])
    assert order == first
    assert state.boss[1] == crook("C05")
    assert (state.x[crook("C05")], state.y[crook("C05")]) == (0, 0)
    assert violations(game, state) == []


@pytest.mark.rule("CL-5.16", "CL-6.2")
@pytest.mark.parametrize(
    ("decisions", "marks"),
    [
        # C16 rises: one less, never below 0; C20 below him is nobody's Lieutenant.
        ("0>C16, 0>C02.W", {"C16": 1, "C20": 2, "C05": 1}),
        # C05 falls: one more.
        ("0>C05, 0>C07.N", {"C05": 2, "C16": 2, "C20": 2}),
        # A Lieutenant who stays one.
        ("0>C05, 0>C02.W", {"C05": 1, "C16": 2, "C20": 2}),
    ],
)
def test_promoted_and_demoted(game, decisions, marks):
    state = scene(
        game,
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M4/12/C02(N:C07+1,E:C05u1t(E:C16u2t(E:C20u2)))/-/- "
        "| 1=M2/50/C04/-/- | centre=- | disc=-",
    )
    play(game, state, f"0>MOVE, {decisions}")
    while state.phase == DISPLACE:
        game.apply(state, game.legal_actions(state)[0])
    assert {name: state.unhappy[crook(name)] for name in marks} == marks


@pytest.mark.rule("CL-5.16", "CL-6.2", "CL-6.1")
@pytest.mark.parametrize(
    ("mob", "decisions", "end"),
    [
        # Mom Parker, the first of all, rises; and stays below while another one rises.
        ("C02(E:C05(E:C01u2t))", "0>MOVE, 0>C02.N", "C02(N:C01u1,E:C05)"),
        ("C02(E:C05(E:C01u1(E:C27u2t)))", "0>MOVE, 0>C02.N", "C02(N:C27u1,E:C05(E:C01u1))"),
    ],
)
def test_the_first_crook_is_a_lieutenant_like_any_other(game, mob, decisions, end):
    state = scene(
        game,
        f"CL1 n=2 v=short A=0 ph=MAIN | 0=M4/12/{mob}/-/- | 1=M2/50/C04/-/- | centre=- | disc=-",
    )
    play(game, state, decisions)
    assert table(game, state).startswith(f"0=M4/12/{end}/-/-")


@pytest.mark.rule("CL-5.16", "CL-6.2", "CL-10.10", "CL-16.10")
def test_who_comes_from_elsewhere_is_neither_demoted_nor_promoted_anew(game):
    line = (
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M8/30/{}/-/- "
        "| 1=M4/0/C03(N:C10u2t(N:C32u1))/-/- | centre=- | disc=-"
    )
    # A Lieutenant there, deeper here: one marker less for the new Mob, none more.
    below = scene(game, line.format("C02(E:C05t)"), totals=(2,))
    play(game, below, "0>REC C10, 0>FOR 16, 0>C05.E")
    assert "0=M8/14/C02(E:C05(E:C10u1t(N:C32)))/-/-" in table(game, below)
    # A Lieutenant there and here.
    beside = scene(game, line.format("C02t"), totals=(2,))
    play(game, beside, "0>REC C10, 0>FOR 12, 0>C02.E")
    assert "0=M8/18/C02(E:C10u1t(N:C32))/-/-" in table(game, beside)
    # Given by his owner, who had him as a Lieutenant, to stand below C05.
    given = scene(game, line.format("C02(E:C05t)").replace("A=0", "A=1"))
    play(game, given, "1>OFFER, 1>P+1, 1>C10, 1>PASS, 1>AMT 0, 0>YES, 0>C05.E")
    assert "0=M8/30/C02(E:C05t(E:C10u1(N:C32)))/-/-" in table(game, given)


@pytest.mark.rule("CL-5.17", "CL-5.18", "CL-4.11", "CL-6.9", "CL-12.13")
def test_an_heir_with_three_markers_leaves_before_he_rises(game):
    line = (
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M4/{}/C03(N:C05u2t(N:C20t),E:C09,S:C27)/-/- "
        "| 1=M2/50/C04/-/- | centre=- | disc=-"
    )
    state = scene(game, line.format(15))
    # 2 x (6 + 2) is more than 15; only Lieutenants with a token may rise.
    assert "RETIRE" not in legal(game, state)
    assert "RETIRE" in legal(game, scene(game, line.format(16)))
    play(game, state, "0>DOUBLE")
    assert (state.phase, state.seat) == (NEW_BOSS, 0)
    assert legal(game, state) == {"C09", "C20", "C27"}
    assert table(game, state).endswith("disc=C03,C05")
    assert (state.war_start, state.treasury[0], state.acted) == (0, 15, 1)
    two = scene(game, line.format(16).replace("C09", "C09t"))
    play(game, two, "0>RETIRE")
    assert legal(game, two) == {"C05", "C09"}
    play(game, two, "0>C09")
    assert (two.treasury[0], two.counters[crook("C09")], two.unhappy[crook("C05")]) == (0, 0, 2)


@pytest.mark.rule("CL-5.13", "CL-16.10")
def test_what_may_be_lost_in_a_clash(game):
    """Who stands on or next to a cell around the superior: not the Boss, nor who is above him."""
    state = scene(
        game,
        "CL1 n=2 v=short A=0 ph=MAIN "
        "| 0=M1/30/C02t(N:C05t(N:C15u2t(N:C25t,E:C32u1t,W:C34)))/-/- "
        "| 1=M8/20/C01t(N:C07t(N:C22),E:C20(E:C36),W:C31)/-/- | centre=- | disc=-",
    )
    play(game, state, "0>OFFER, 0>P+1, 0>C15, 0>AMT 0, 0>PASS, 0>AMT 6")
    assert (state.phase, state.seat) == (OFFER_REPLY, 1)
    play(game, state, "1>YES")
    # C25 has only the south; C32 has no side left, for C20 is next to his.
    assert (state.phase, legal(game, state)) == (CLASH, {"C32", "C07", "C20", "C31"})
    play(game, state, "1>C20")
    # Now C32 stands in the east, and C34 has no side because of C31.
    assert (state.phase, legal(game, state)) == (CLASH, {"C34", "C07", "C31"})
    play(game, state, "1>C34")
    assert "1=M8/14/C01t(N:C07t(N:C22),S:C15(E:C32t,S:C25t),W:C31)/-/-" in table(game, state)
    assert table(game, state).endswith("centre=C20,C34,C36 | disc=-")


@pytest.mark.rule("CL-1.5", "CL-2.15", "CL-14.7")
def test_the_needle_finds_who_is_neither_boss_nor_lieutenant(game):
    """Own Power at most 3: a Crook of a rival, deeper than his Lieutenants."""
    state = scene(
        game,
        "CL1 n=3 v=short A=0 ph=MAIN | 0=M1/9/C02(N:C24t(N:C32))/-/- "
        "| 1=M2/9/C27(N:C17(N:C20u2,E:C16,W:C25+1),S:C34)/-/- | 2=M4/9/C04(E:C21(E:C22+1))/-/- "
        "| centre=C30 | disc=-",
    )
    play(game, state, "0>ABIL")
    assert legal(game, state) == {"C20", "C25"}
    play(game, state, "0>C20")
    # His third marker: he leaves town, not to the centre, and SETTLE goes on.
    assert state.crook_loc[crook("C20")] == DISCARD
    assert (state.token[crook("C24")], state.acted, state.phase) == (0, 1, MAIN)
    assert "ABIL" not in legal(game, state)
    alone = scene(
        game,
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/9/C02(N:C24t)/-/- | 1=M2/9/C27(N:C20)/-/- "
        "| centre=C30 | disc=-",
    )
    assert "ABIL" not in legal(game, alone)


@pytest.mark.rule("CL-6.5", "CL-6.6", "CL-6.9", "CL-15.6", "CL-6.1")
def test_settling_goes_on_until_nobody_leaves(game):
    """A demotion that follows from a departure is the next one's third marker."""
    state = scene(
        game,
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/9/C02/-/S08 "
        "| 1=M2/9/C03(N:C16u2(N:C20u2(N:C34+1)),E:C05u1)/-/- | centre=- | disc=-",
    )
    play(game, state, "0>S08, 0>C16")
    assert (state.phase, state.seat, state.root) == (REASSIGN, 1, crook("C20"))
    assert state.crook_loc[crook("C16")] == DISCARD
    play(game, state, "1>C03.N")
    # C20 has become a Lieutenant: one marker less.
    assert table(game, state).split(" | ")[1] == "1=M2/9/C03(N:C20u1(N:C34+1),E:C05u1)/-/-"
    assert state.settle_pay == 0


@pytest.mark.rule("CL-6.9", "CL-5.16", "CL-6.5")
@pytest.mark.parametrize(
    ("turn", "decisions", "end"),
    [
        # The Boss is shot, one marker each; C10's demotion is his third: he leaves town.
        (
            "A=0 ph=MAIN | 0=M8/30/C01t(N:C02t)/-/- "
            "| 1=M4/30/C03(N:C05,W:C07,E:C10u1(E:C16u1))/-/-",
            "0>HIT C03, 0>C01, 0>AMT 5, 0>C02",
            "1=M4/30/C05t(N:C07u1t,E:C16u1t)/-/-",
        ),
        # Nobody is paid, two markers each; what brings C10 to three is no pay any more.
        (
            "A=1 ph=START | 0=M8/30/C01(N:C02)/-/- | 1=M4/0/C03u1(N:C05,W:C07,E:C10(E:C16))/-/-",
            "",
            "1=M4/0/C05(N:C07u2,E:C16u1)/-/-",
        ),
    ],
)
def test_a_second_round_of_settling(game, turn, decisions, end):
    """Who rose in the first round does not rise again in the second."""
    state = scene(
        game,
        f"CL1 n=2 v=short {turn} | centre=C27,C28,C29,C30 | disc=- | deck=C31",
        totals=(2,),
    )
    play(game, state, decisions)
    play(game, state, "1>C05, 1>REBUILD, 1>C05.N, 1>C07.N, 1>C05.E")
    assert end in table(game, state)
    assert state.crook_loc[crook("C10")] == DISCARD


@pytest.mark.rule("CL-5.14", "CL-4.3")
def test_the_last_one_left_is_boss_without_a_question(game):
    state = scene(
        game,
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M8/30/C01t(N:C02t)/-/- | 1=M4/0/C10(N:C27)/-/- "
        "| centre=- | disc=-",
        totals=(2,),
    )
    play(game, state, "0>HIT C10, 0>C01, 0>AMT 5, 0>C02")
    assert (state.boss[1], state.phase, state.seat) == (crook("C27"), WAR, 1)


@kernel
def strongest_of(state: State, seat: int) -> int:
    """Leaf kernels can only be called by kernels."""
    return strongest(state, seat)


@pytest.mark.rule("CL-5.1")
@pytest.mark.parametrize(
    ("mob", "found"),
    [
        # The strongest; the Boss bonus counts, and Power counters do.
        ("C02t(E:C29t,W:C12t,S:C10)", "C02"),
        ("C20t(E:C10t)", "C20"),
        ("C02(E:C17t,W:C27+2t)", "C27"),
        # Who has no token does not count.
        ("C02(E:C29t,W:C12t,S:C10)", "C12"),
        # The first of equals.
        ("C02(E:C16t,W:C10t,S:C29t)", "C10"),
        # The first Crook of all is one like any other, and the last one is no measure.
        ("C01t(E:C27t)", "C01"),
        ("C02(E:C27t(E:C34))", "C27"),
        ("C02", None),
    ],
)
def test_the_strongest_own_crook_with_a_token(game, mob, found):
    state = scene(
        game,
        f"CL1 n=2 v=short A=0 ph=MAIN | 0=M1/0/{mob}/-/- | 1=M8/0/C03t(E:C36+2t)/-/- "
        "| centre=- | disc=-",
    )
    assert strongest_of(state, 0) == (-1 if found is None else crook(found))
