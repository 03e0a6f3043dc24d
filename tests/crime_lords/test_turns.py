"""Turn, Specials, pay and draw beyond the worked examples (sections 4, 7, 8, 14, 15)."""

from __future__ import annotations

import pytest

from gangland.envs.crime_lords.state import HUSH, MAIN, PAY_HOW, PAY_WHO, WINDOW

from .scenes import after_dice, crook, legal, play, racket, roll_totals, scene, table

HAND = (
    "CL1 n=3 v=short A=0 ph=MAIN | 0=M1/20/C02u2(E:C05,W:C07u1t)/CHP-N/{} "
    "| 1=M2/5/C03t(E:C10t,W:C15)/CAS-N,LSH-Nx/- | 2=M4/30/C04(N:C20t)/U-S1/- "
    "| centre=C30,NUM-N | disc=C08,C34"
)


@pytest.mark.rule("CL-15.6", "CL-15.1", "CL-5.8", "CL-6.7")
@pytest.mark.parametrize(
    ("special", "targets"),
    [
        ("S04", "P+1 P+2"),
        ("S06", "C02 C05"),
        ("S07", "C08 C34"),
        ("S08", "C10 C15 C20"),
        ("S09", "C02 C07"),
        ("S10", "C10 C20"),
        ("S11", "CAS-N U-S1"),
    ],
)
def test_targets_of_specials(game, special, targets):
    state = scene(game, HAND.format(special))
    play(game, state, f"0>{special}")
    assert legal(game, state) == set(targets.split())


@pytest.mark.rule("CL-15.6", "CL-15.1")
@pytest.mark.parametrize(
    ("special", "old", "new"),
    [
        ("S06", "C02u2(E:C05,W:C07u1t)", "C02t(E:C05t)"),
        ("S07", "disc=C08,C34", "disc=S03"),
        ("S08", "(E:C10t,W:C15)", ""),
        ("S09", "C02u2(E:C05,W:C07u1t)", "C02"),
        ("S10", "(E:C10t,W:C15)", "(E:C10)"),
        ("S11", "CAS-N,LSH-Nx", "CAS-Nx"),
    ],
)
def test_a_special_without_a_target_cannot_be_played(game, special, old, new):
    line = HAND.format(special).replace("(N:C20t)/U-S1", "/-")
    assert special in legal(game, scene(game, line))
    assert special not in legal(game, scene(game, line.replace(old, new)))


@pytest.mark.rule("CL-15.6", "CL-6.6", "CL-19.2", "CL-7.1", "CL-7.5", "CL-5.9")
def test_what_specials_do(game):
    def played(special, target):
        state = scene(game, HAND.format(special))
        play(game, state, f"0>{special}" + f", 0>{target}" * bool(target))
        assert state.special_loc[state.special_loc != -1].max() < 0
        assert (state.hidden[0], state.acted) == (0, 1)
        return state

    rich = played("S03", "")
    assert (rich.treasury[0], rich.ledger[0], rich.private[0]) == (32, 32, 0)
    # A robber gets no more than there is; the others see no sum.
    robbed = played("S04", "P+1")
    assert (list(robbed.treasury[:3]), list(robbed.ledger[:3])) == ([25, 0, 30], [20, 5, 30])
    assert list(robbed.private[:3]) == [1, 1, 0]
    assert list(played("S04", "P+2").treasury[:3]) == [28, 5, 22]
    assert played("S06", "C05").token[crook("C05")] == 1
    back = played("S07", "C08")
    assert (back.crook_loc[crook("C08")], back.counters[crook("C08")]) == (-2, 0)
    assert played("S08", "C15").unhappy[crook("C15")] == 1
    cheered = played("S09", "C02")
    assert list(cheered.unhappy[[crook("C02"), crook("C07")]]) == [0, 1]
    assert played("S09", "C07").unhappy[crook("C07")] == 0
    assert list(played("S10", "C10").token[[crook("C10"), crook("C20")]]) == [0, 1]
    raided = played("S11", "CAS-N")
    assert raided.blocked[racket("CAS-N")]
    assert (raided.income[racket("CAS-N")], raided.mob_income[1]) == (0, 0)


@pytest.mark.rule("CL-15.6", "CL-15.2")
def test_of_two_copies_the_shown_one_goes_first(game):
    state = scene(game, HAND.format("S09,S09!"))
    play(game, state, "0>S09, 0>C02")
    left = [s for s in range(16) if state.special_loc[s] == 0]
    assert [int(state.shown[s]) for s in left] == [0]
    assert (state.hidden[0], len(left)) == (1, 1)
    hidden = scene(game, HAND.format("S09,S09"))
    play(game, hidden, "0>S09, 0>C02")
    first, second = [
        s for s in range(16) if scene(game, HAND.format("S09,S09")).special_loc[s] == 0
    ]
    assert (hidden.special_loc[first], hidden.special_loc[second], hidden.hidden[0]) == (-3, 0, 1)
    shown = scene(game, HAND.format("S09,S09"))
    play(game, shown, "0>SHOW")
    assert (list(shown.shown[[first, second]]), shown.hidden[0]) == ([1, 0], 1)
    assert "SHOW" in legal(game, shown)
    closed = scene(game, HAND.format("S09").replace("ph=MAIN", "ph=MAIN show_specials=false"))
    assert "SHOW" not in legal(game, closed)


@pytest.mark.rule("CL-15.6", "CL-4.1", "CL-4.11", "CL-17.7")
def test_heats_on_lasts_until_ones_next_turn(game):
    line = HAND.format("S05").replace("ph=MAIN", "ph=MAIN allow_quit=true")
    state = scene(game, line + " | deck=C35,C36,C33,C32")
    assert "OFFER" in legal(game, state)
    play(game, state, "0>S05")
    assert "OFFER" not in legal(game, state)
    gone = game.clone(state)
    play(game, state, "0>END")
    assert (state.active, state.heat) == (1, 0)
    assert "OFFER" not in legal(game, state)
    while state.active != 0:
        end = (
            game.parse_action(state, "END") if state.phase == MAIN else game.legal_actions(state)[0]
        )
        game.apply(state, int(end))
    assert state.heat == -1
    play(game, gone, "0>QUIT")
    assert gone.heat == -1
    assert gone.active == 1


@pytest.mark.rule("CL-15.5", "CL-15.7", "CL-13.13")
def test_hush_money_is_asked_of_others_only(game):
    """The player himself, and who has none, are not asked; the first YES is the last word."""
    own = scene(game, HAND.format("S03,S12"))
    play(game, own, "0>S03")
    assert (own.treasury[0], own.phase) == (32, MAIN)
    state = scene(game, HAND.format("S03").replace("U-S1/-", "U-S1/S12!"))
    play(game, state, "0>S03")
    assert (state.phase, state.seat, legal(game, state)) == (HUSH, 2, {"PASS", "YES"})
    passed = game.clone(state)
    play(game, passed, "2>PASS")
    assert (passed.treasury[0], passed.phase) == (32, MAIN)
    play(game, state, "2>YES")
    assert (state.treasury[0], state.phase) == (20, MAIN)
    assert table(game, state).endswith("disc=C08,C34,S03,S12")


@pytest.mark.rule("CL-14.7", "CL-2.15", "CL-18.3", "CL-7.5", "CL-15.6")
@pytest.mark.parametrize(("total", "blocked"), [(7, 1), (8, 0)])
def test_arson(game, total, blocked):
    state = scene(
        game, HAND.format("-").replace("C07u1t", "C30t").replace("centre=C30", "centre=C31")
    )
    roll_totals(state, total)
    rng = state.rng
    play(game, state, "0>ABIL")
    assert legal(game, state) == {"CAS-N", "U-S1"}
    play(game, state, "0>CAS-N")
    assert state.rng == after_dice(rng, 2)
    assert state.arson_roll == total
    assert list(state.blocked[[racket("CAS-N"), racket("U-S1")]]) == [blocked, 0]
    # CAS-N and LSH-N, blocked as it is, are a pair: 5 + 1.
    assert state.mob_income[1] == (0 if blocked else 6)
    assert (state.token[crook("C30")], state.acted) == (0, 1)


@pytest.mark.rule("CL-14.7", "CL-14.6", "CL-14.8", "CL-4.11", "CL-2.15")
def test_cash_visit_and_bugle(game):
    state = scene(
        game,
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/20/C02u2(E:C05,S:C10u2t,W:C34t)/U-W1,U-C2/- "
        "| 1=M2/5/C03t/-/- | centre=- | disc=-",
    )
    play(game, state, "0>ABIL")
    assert (state.treasury[0], state.ledger[0], state.token[crook("C34")]) == (23, 23, 0)
    play(game, state, "0>VISIT")
    assert (state.unhappy[crook("C10")], state.token[crook("C10")]) == (1, 0)
    assert "VISIT" not in legal(game, state)
    play(game, state, "0>BUGLE, 0>C02")
    assert (state.treasury[0], state.unhappy[crook("C02")]) == (18, 1)
    assert "BUGLE" not in legal(game, state)
    poor = scene(game, HAND.format("-").replace("M1/20", "M1/4").replace("CHP-N", "U-C2"))
    assert "BUGLE" not in legal(game, poor)


PAY = (
    "CL1 n=2 v=short A=0 ph=START | 0=M{}/{}/C06(N:C05u1,E:C10,S:C25,W:C34(W:C32))/-/- "
    "| 1=M2/5/C03/-/- | centre=C11,C12,C13,CHP-N | disc=- | deck=C14,C15"
)
"""Seat 0 owes 7 or 6 to C06, 5 to C05, 4 to C10, 2 to C25, 1 to C34, nothing to C32."""


@pytest.mark.rule("CL-7.6", "CL-7.7", "CL-7.8", "CL-7.9", "CL-7.1")
def test_who_is_paid_one_is_topped_up_in_turn(game):
    state = scene(game, PAY.format(4, 18))
    # Purse 18, the Boss 7: 11 for a due of 12.
    assert (state.phase, legal(game, state)) == (PAY_WHO, {"C05", "C10", "C25", "C34"})
    assert state.short_pays == 1
    play(game, state, "0>C10")
    assert (state.phase, legal(game, state)) == (PAY_HOW, {"FULL", "ONE"})
    play(game, state, "0>ONE, 0>C34")  # due 1: in full without a question
    play(game, state, "0>C25, 0>ONE, 0>FULL")  # C05 is the last one
    # 3 G are left: they go to C10, who was the first of the two to be paid one.
    assert (state.phase, state.seat) == (MAIN, 0)
    assert state.treasury[0] == 0
    assert state.ledger[0] == 0
    assert [int(state.unhappy[crook(c)]) for c in ("C06", "C05", "C10", "C25", "C34", "C32")] == [
        0, 1, 0, 1, 0, 0,
    ]  # fmt: skip


@pytest.mark.rule("CL-7.8", "CL-19.2")
def test_what_was_paid_shows_when_all_is_paid(game):
    state = scene(game, PAY.format(7, 13))
    play(game, state, "0>C10, 0>ONE")
    assert (state.num_part_paid, state.paid_total > 0) == (1, True)
    known = game.redact(state, 1)
    fields = (known.boss_paid, known.num_part_paid, known.paid_total, known.pay_who)
    assert fields == (0, 0, 0, -1)
    assert not known.paid_how.any()
    assert not known.paid_order.any()


@pytest.mark.rule("CL-7.6", "CL-7.7", "CL-7.8", "CL-7.9")
@pytest.mark.parametrize(
    ("mob", "money", "left", "asked"),
    [(4, 19, 0, False), (4, 20, 1, False), (7, 14, 0, False), (7, 15, 1, False), (7, 13, 13, True)],
)
def test_who_can_pay_all_is_not_asked(game, mob, money, left, asked):
    """19 G with a bonus of 2, 18 with the Ledger House's 1, who have 4 G free."""
    state = scene(game, PAY.format(mob, money))
    assert (state.phase == PAY_WHO) == asked
    assert state.treasury[0] == left
    if not asked:
        assert not state.unhappy[crook("C10")]


@pytest.mark.rule("CL-7.7", "CL-7.8", "CL-6.5", "CL-6.10", "CL-7.9")
def test_free_money_first_and_nothing_is_left(game):
    """Two G and four free: the Boss takes all six of them, the rest has two markers each."""
    state = scene(game, PAY.format(7, 2))
    assert state.phase == MAIN
    assert state.treasury[0] == 0
    marks = [int(state.unhappy[crook(c)]) for c in ("C06", "C10", "C25", "C34", "C32")]
    assert marks == [0, 2, 2, 2, 0]
    # His third from pay: to the centre.
    assert state.crook_loc[crook("C05")] == -2
    little = scene(game, PAY.format(7, 0))
    assert little.unhappy[crook("C06")] == 1
    none = scene(game, PAY.format(4, 0))
    assert none.unhappy[crook("C06")] == 2


@pytest.mark.rule("CL-8.1", "CL-8.2", "CL-8.4", "CL-8.5")
@pytest.mark.parametrize(
    ("mob", "centre", "deck", "seen", "hand", "left"),
    [
        # One card, more while there are fewer than four; Specials do not count.
        ("M1", "C10,C11", "C12,S03,C13,C14", "C10,C11,C12,C13", "S03", "C14"),
        ("M1", "C10,C11,C12,C13,C14", "C15,C16", "C10,C11,C12,C13,C14,C15", "-", "C16"),
        ("M1", "C10,C11,C12,C13", "S03,C16", "C10,C11,C12,C13", "S03", "C16"),
        ("M1", "CAS-N,NUM-N,C10", "S03,LSH-N,C12", "C10,CAS-N,NUM-N,LSH-N", "S03", "C12"),
        # An empty deck ends it.
        ("M1", "-", "C12,S03", "C12", "S03", "-"),
        ("M2", "C10,C11,C12", "C13", "C10,C11,C12,C13", "-", "-"),
        # One more for the Downtowners, whatever it is.
        ("M2", "C10,C11,C12", "C13,C14,C15", "C10,C11,C12,C13,C14", "-", "C15"),
        ("M2", "C10,C11,C12", "C13,S03,C15", "C10,C11,C12,C13", "S03", "C15"),
    ],
)
def test_the_draw(game, mob, centre, deck, seen, hand, left):
    state = scene(
        game,
        f"CL1 n=2 v=short A=0 ph=START | 0={mob}/50/C06/-/- | 1=M5/5/C03/-/- | centre={centre} "
        f"| disc=C01 | deck={deck}",
    )
    assert f"/C06/-/{hand} |" in table(game, state)
    assert f"centre={seen} | disc=C01" in table(game, state)
    assert f"deck={left}" in game.position_text(state)
    assert state.hidden[0] == (hand != "-")


@pytest.mark.rule("CL-4.1", "CL-15.4", "CL-4.3", "CL-21.4")
def test_the_window_asks_again_until_a_pass(game):
    """Any-time cards only, A first; a token at the start comes after it, before pay."""
    line = (
        "CL1 n=3 v=short A=2 ph=START{} | 0=M1/20/C02/-/S03,S09 | 1=M2/20/C03/-/S06,S11 "
        "| 2=M4/20/C04/GNG-N/S03,S04 | centre=C27,C28,C29,C30 | disc=- | deck=C31"
    )
    state = scene(game, line.format(" retoken=start"))
    assert (state.phase, state.seat, legal(game, state)) == (WINDOW, 2, {"PASS", "S03"})
    assert not state.token[crook("C04")]
    play(game, state, "2>S03")
    # S09 needs a marker; S04 is for one's own turn.
    assert (state.phase, state.seat, legal(game, state)) == (WINDOW, 0, {"PASS", "S03"})
    play(game, state, "0>PASS")
    assert (state.phase, state.seat, state.treasury[2]) == (MAIN, 2, 20 + 12 + 1 - 7)
    assert (state.token[crook("C04")], state.racket_token[racket("GNG-N")]) == (1, 1)
    assert {"S04", "S03"} & legal(game, state) == {"S04"}


@pytest.mark.rule("CL-4.10", "CL-4.1")
def test_nothing_is_in_progress_at_main(game):
    """Fields of procedures hold their neutral values: none of them reveals an earlier one."""
    state = scene(game, HAND.format("-"))
    for name in (
        "lot", "bidder", "owner", "leader", "target", "attacker", "protector", "settle_mob",
        "responsible", "heir", "place_seat", "root", "under", "left_superior", "spoils_of",
        "spoils_by", "war_at", "war_target", "special", "special_by", "special_target",
        "ability_by", "pay_who", "partner", "given", "asked", "heat",
    ):  # fmt: skip
        assert state[name] == -1, name
    assert (state.stack_size, state.war, state.attacking, state.turn) == (0, 0, 0, 1)
    assert (state.superior[state.crook_loc == -2] == -1).all()
    assert not state.stack.any()
    opened = game.new_state(3)
    assert (opened.bidder, opened.active, opened.heat) == (-1, -1, -1)
    assert (opened.aside == -1).all()
    assert (opened.boss == -1).all()


ACTIVE = (
    "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/40/C02u1t(E:C05t,W:C34t)/U-W1,U-C2,CHP-N/S03,S09 "
    "| 1=M2/5/C03t/-/- | centre=C27 | disc=- | deck=C30,C31"
)


@pytest.mark.rule("CL-4.6", "CL-14.6", "CL-14.7", "CL-14.8", "CL-15.2", "CL-5.18")
@pytest.mark.parametrize(
    ("decisions", "spent"),
    [
        ("", -10),
        ("0>OFFER, 0>P+1, 0>PASS, 0>AMT 0, 0>PASS", -10),
        ("0>OFFER, 0>BACKOUT", -10),
        ("0>REC C27, 0>C02, 0>BACKOUT", -10),
        ("0>VISIT", 0),
        ("0>BUGLE", 5),
        ("0>ABIL", -3),
        ("0>MOVE, 0>C05, 0>C02.N", 0),
        ("0>DROP, 0>C05", 0),
        ("0>SHOW, 0>S03", 0),
        ("0>S09", 0),
        ("0>S03", -12),
        ("0>OFFER, 0>P+1, 0>CHP-N, 0>AMT 0, 0>PASS, 0>AMT 0", 0),
        ("0>RETIRE, 0>C05", 18),
        ("0>HIT C27, 0>C34, 0>AMT 0", 0),
        ("0>REC C27, 0>C05, 0>PASS, 1>PASS", 0),
    ],
)
def test_ten_for_a_turn_without_action(game, decisions, spent):
    state = scene(game, ACTIVE)
    roll_totals(state, 12)
    play(game, state, decisions)
    assert (state.phase, state.seat) == (MAIN, 0)
    play(game, state, "0>END")
    assert state.treasury[0] == 40 - spent


@pytest.mark.rule("CL-4.3", "CL-4.4", "CL-4.6")
def test_who_can_only_end_his_turn_is_not_asked(game):
    line = (
        "CL1 n=2 v=short A=1 ph=MAIN trade=false | 0=M1/20/C02{}/-/- | 1=M2/30/C03(E:C05)/-/- "
        "| centre=- | disc=- | deck=-"
    )
    # Without a token, a card or trade there is nothing but END, and that is an idle turn.
    state = scene(game, line.format(""))
    play(game, state, "1>END")
    assert (state.active, state.seat, state.turn) == (1, 1, 3)
    assert state.treasury[0] == 20 - 9 + 10
    busy = scene(game, line.format("t"))
    play(game, busy, "1>END")
    assert (busy.active, busy.turn) == (0, 2)


@pytest.mark.rule("CL-14.6", "CL-4.11", "CL-14.7", "CL-2.15")
def test_who_may_visit_or_set_fire(game):
    line = (
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/20/C02u1t(N:C10u1t,E:C05u1,S:C16u1t,W:C23t)/CAS-N/- "
        "| 1=M2/5/C03/{}/- | centre=NUM-S | disc=-"
    )
    state = scene(game, line.format("-"))
    play(game, state, "0>VISIT")
    assert legal(game, state) == {
        "C02",
        "C10",
    }  # C05 has no token, C16 shuns Fight Clubs, C23 is glad
    for rackets, fire in (("-", False), ("CHP-Nx", False), ("CHP-N", True)):
        other = scene(game, line.format(rackets).replace("C23t", "C30t"))
        assert ("ABIL" in legal(game, other)) == fire
