"""Hidden information (section 19), offers (section 16), showdown secrecy."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.crime_lords.state import COMMIT_T, MAIN, OFFER_ASK, OFFER_PRICE, OFFER_REPLY

from .scenes import crook, legal, play, racket, scene, table

SHOWDOWN = (
    "CL1 n=4 v=short A=0 ph=MAIN | 0=M1/30/C02t/-/- | 1=M8/30/C01/CAS-N/- "
    "| 2=M5/{}/C03/-/- | 3=M2/30/C04/-/- | centre=- | disc=- | deck=C10"
)


@pytest.mark.rule("CL-19.3", "CL-4.3", "CL-9.20", "CL-9.22", "CL-9.23", "CL-19.1")
def test_a_showdown_tells_nothing_before_the_reveal(game):
    """E-40."""
    one, two = scene(game, SHOWDOWN.format(3)), scene(game, SHOWDOWN.format(0))
    for state in (one, two):
        state.ledger[2] = 3
        state.private[2] = 1
        play(game, state, "0>TAKE CAS-N")
    play(game, one, "0>FOR 12, 1>PASS, 2>PASS")
    play(game, two, "0>PASS, 1>AG 12")
    for state in (one, two):
        assert (state.phase, state.seat) == (COMMIT_T, 3)
        assert max(a for a in legal(game, state) if a.startswith("FOR 1")) == "FOR 10"
    assert game.observe(one, 3).tobytes() == game.observe(two, 3).tobytes()
    assert game.action_mask(one).tobytes() == game.action_mask(two).tobytes()
    for state in (one, two):
        play(game, state, "3>PASS")
    assert game.observe(one, 3).tobytes() != game.observe(two, 3).tobytes()
    assert list(one.commitments[:4]) == [12, 0, 0, 0]
    assert one.treasury[0] == 18


@pytest.mark.rule("CL-7.2", "CL-15.2", "CL-19.2")
def test_money_and_hands_are_hidden(game):
    line = (
        "CL1 n=2 v=short A=0 ph=MAIN{} | 0=M1/30/C02t/-/S03 | 1=M8/31/C01/CAS-N/S04,S05! "
        "| centre=- | disc=-"
    )
    state = scene(game, line.format(""))
    known = game.redact(state, 0)
    assert known.treasury[1] == 0
    assert known.treasury[0] == 30
    assert (known.special_loc == 1).sum() == 1
    assert known.hidden[1] == 1
    assert (known.deck == -1).all()
    sample = game.resample_hidden(state, 0, 3)
    assert sample.treasury[1] == 31  # the ledger is exact without private events
    assert (sample.special_loc == 1).sum() == 2
    hands = {game.resample_hidden(state, 0, s).special_loc.tobytes() for s in range(40)}
    assert len(hands) > 3
    opened = scene(game, line.format(" open_money=true"))
    assert game.redact(opened, 0).treasury[1] == 31


OFFER = (
    "CL1 n=3 v=short A=0 ph=MAIN | 0=M1/30/C02t/CAS-N/S03,S08! | 1=M8/20/C01/NUM-S/S04!,S05 "
    "| 2=M2/50/C03/-/- | centre=- | disc=- | deck=C10,S06"
)


@pytest.mark.rule(
    "CL-16.1", "CL-16.2", "CL-16.4", "CL-16.5", "CL-16.8", "CL-16.9", "CL-16.10", "CL-16.14",
    "CL-15.3", "CL-4.6", "CL-1.8",
)  # fmt: skip
def test_an_offer_is_between_two(game):
    state = scene(game, OFFER)
    play(game, state, "0>OFFER, 0>P+1")
    assert legal(game, state) == {"PASS", "CAS-N", "S03", "S08"}
    play(game, state, "0>S03, 0>AMT 0")
    assert legal(game, state) == {"PASS", "NUM-S", "S04", "BACKOUT"}
    play(game, state, "0>NUM-S, 0>AMT 20")
    assert (state.phase, state.seat) == (OFFER_REPLY, 1)
    third = game.redact(state, 2)
    assert (third.phase, third.seat, third.given, third.price) == (MAIN, 0, -1, 0)
    known = game.redact(state, 1)
    assert known.special_loc[2] == 0  # the partner sees the face
    assert game.resample_hidden(state, 1, 5).special_loc[2] == 0
    refused = game.clone(state)
    play(game, refused, "1>PASS")
    assert not refused.acted
    assert refused.partner == -1
    play(game, state, "1>YES")
    assert state.special_loc[2] == 1
    assert state.racket_loc[6] == 0
    assert list(state.treasury[:2]) == [50, 0]
    assert list(state.ledger[:2]) == [30, 20]
    assert list(state.private[:3]) == [1, 1, 0]
    assert (state.hidden[0], state.hidden[1]) == (0, 2)
    assert state.acted


@pytest.mark.rule("CL-16.3", "CL-16.9", "CL-21.3")
def test_gifts_and_limits(game):
    state = scene(game, OFFER)
    play(game, state, "0>OFFER, 0>P+2, 0>CAS-N, 0>AMT 5, 0>PASS")
    # A gift without a Crook is carried out at once.
    assert state.racket_loc[0] == 2
    assert state.treasury[2] == 55
    play(game, state, "0>OFFER, 0>BACKOUT")
    assert "OFFER" not in legal(game, state)
    poor = scene(game, OFFER)
    play(game, poor, "0>OFFER, 0>P+1, 0>CAS-N, 0>AMT 0, 0>PASS, 0>AMT 25")
    assert (poor.phase, poor.seat) == (MAIN, 0)  # 20 G do not cover 25: refused
    assert poor.racket_loc[0] == 0
    closed = scene(game, OFFER.replace("ph=MAIN", "ph=MAIN trade=false"))
    assert "OFFER" not in legal(game, closed)


@pytest.mark.rule("CL-16.11", "CL-16.12", "CL-16.13")
def test_both_may_reach_the_count(game):
    line = (
        "CL1 n=2 v=3 A=0 ph=MAIN | 0=M1/9/C02/CAS-N,CAS-S,{}/- | 1=M8/9/C01/NUM-S,CHP-E/- "
        "| centre=- | disc=-"
    )
    throw = scene(game, line.format("U-E1,SMG-N").replace("v=3", "v=5"))
    play(game, throw, "0>OFFER, 0>P+1, 0>PASS, 0>AMT 0")
    assert "NUM-S" not in legal(game, throw)  # 4 + 1 reach 5, the partner would have one
    fair = scene(game, line.format("U-E1"))
    play(game, fair, "0>OFFER, 0>P+1, 0>U-E1, 0>AMT 0")
    assert "PASS" not in legal(game, fair)
    assert "NUM-S" in legal(game, fair)


@pytest.mark.rule("CL-16.6", "CL-16.7", "CL-14.5")
def test_only_crooks_with_a_token_and_a_place(game):
    state = scene(
        game,
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/9/C02(N:C05,E:C10t,W:C01t)/-/- | 1=M8/9/C04/-/- "
        "| centre=- | disc=-",
    )
    play(game, state, "0>OFFER, 0>P+1")
    # C05 has no token; C01 (6) is below C04's 7 under his bonus.
    assert legal(game, state) == {"PASS", "C10", "C01"}
    play(game, state, "0>C10, 0>AMT 0, 0>PASS, 0>AMT 0, 1>YES, 1>C04.E")
    assert state.crook_loc[9] == 1
    assert not state.token[9]


@pytest.mark.rule("CL-19.3")
def test_observations_of_all_seats_are_bounded_and_hide_other_phases(game):
    state = game.new_state(4)
    rng = np.random.default_rng(4)
    for _ in range(200):
        if state.over:
            break
        for seat in range(5):
            seen = game.observe(state, seat)
            assert np.abs(seen).max() <= 8
            assert (seen[:48].any()) == (seat == state.seat)
        game.apply(state, int(rng.choice(game.legal_actions(state))))


HAND = (
    "CL1 n=3 v=short A=0 ph=MAIN | 0=M1/20/C02u2(E:C05,W:C07u1t)/CHP-N/{} "
    "| 1=M2/5/C03t(E:C10t,W:C15)/CAS-N,LSH-Nx/- | 2=M4/30/C04(N:C20t)/U-S1/- "
    "| centre=C30,NUM-N | disc=C08,C34"
)


@pytest.mark.rule("CL-4.6", "CL-16.2", "CL-16.4", "CL-16.5", "CL-16.9")
def test_a_void_offer_ends_where_nothing_is_asked(game):
    """Nothing given, nothing asked: it ends at OFFER_ASK, without a price and without an answer."""
    state = scene(game, HAND.format("S03"))
    play(game, state, "0>OFFER, 0>P+1, 0>PASS, 0>AMT 0")
    assert (state.phase, state.seat) == (OFFER_ASK, 0)
    asked = game.clone(state)
    play(game, state, "0>PASS")
    assert (state.phase, state.seat) == (MAIN, 0)
    assert (state.acted, state.offers, state.deals, state.partner) == (0, 1, 0, -1)
    play(game, state, "0>END")
    assert state.treasury[0] == 30  # it was no action
    # With something asked there is a price; money alone has none and is given at once.
    play(game, asked, "0>CAS-N")
    assert (asked.phase, asked.seat) == (OFFER_PRICE, 0)
    play(game, asked, "0>AMT 0")
    assert (asked.phase, asked.seat) == (OFFER_REPLY, 1)
    gift = scene(game, HAND.format("S03"))
    play(game, gift, "0>OFFER, 0>P+1, 0>PASS, 0>AMT 5, 0>PASS")
    assert (gift.phase, gift.acted, list(gift.treasury[:2])) == (MAIN, 1, [15, 10])
    swap = scene(game, HAND.format("S03"))
    play(game, swap, "0>OFFER, 0>P+1, 0>PASS, 0>AMT 5, 0>CAS-N")
    assert (swap.phase, swap.seat) == (OFFER_REPLY, 1)  # who gives money names no price
    cancelled = scene(game, HAND.format("S03"))
    play(game, cancelled, "0>OFFER, 0>P+1, 0>CHP-N, 0>AMT 5, 0>BACKOUT")
    assert (cancelled.phase, cancelled.acted, cancelled.racket_loc[racket("CHP-N")]) == (MAIN, 0, 0)


@pytest.mark.rule("CL-16.4", "CL-16.8", "CL-16.9", "CL-16.14", "CL-1.5")
def test_whom_and_what_an_offer_may_name(game):
    line = HAND.format("S03,S08!").replace("2=M4/30/C04(N:C20t)/U-S1/-", "2=OUT")
    state = scene(game, line.replace("LSH-Nx/-", "LSH-Nx/S05,S09!"))
    play(game, state, "0>OFFER")
    assert legal(game, state) == {"P+1", "BACKOUT"}
    play(game, state, "0>P+1")
    assert legal(game, state) == {"PASS", "CHP-N", "S03", "S08", "C07"}
    play(game, state, "0>S08")
    assert legal(game, state) == {f"AMT {x}" for x in (*range(13), 14, 16, 18, 20)}
    play(game, state, "0>AMT 0")
    assert legal(game, state) == {"PASS", "BACKOUT", "CAS-N", "LSH-N", "S09", "C10"}
    play(game, state, "0>LSH-N, 0>AMT 5")
    assert (state.phase, state.seat, legal(game, state)) == (OFFER_REPLY, 1, {"PASS", "YES"})
    play(game, state, "1>YES")
    assert (list(state.treasury[:2]), list(state.ledger[:2])) == ([25, 0], [20, 5])
    # A block changes hands with its Racket, a shown Special stays shown.
    assert "CHP-N,LSH-Nx/S03" in table(game, state).replace("LSH-Nx,CHP-N", "CHP-N,LSH-Nx")
    assert "CAS-N/S05,S08!,S09!" in table(game, state)
    assert state.deals == 1


@pytest.mark.rule("CL-16.6", "CL-16.7", "CL-16.10", "CL-5.16", "CL-5.9")
def test_crooks_are_swapped(game):
    """Both bring those below; who named them spends a token, all lose a marker, none is demoted."""
    state = scene(
        game,
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/9/C02(N:C05u1t(N:C20u2t),S:C16)/-/- "
        "| 1=M8/9/C01(E:C10u2t(E:C27t),W:C07)/-/- | centre=- | disc=-",
    )
    play(game, state, "0>OFFER, 0>P+1, 0>C05, 0>AMT 0, 0>C10, 0>AMT 0, 1>YES")
    assert state.seat == 1
    assert legal(game, state) == {f"C01.{side}" for side in "NES"}
    play(game, state, "1>C01.N")
    assert state.seat == 0
    assert legal(game, state) == {f"C02.{side}" for side in "NEW"}
    play(game, state, "0>C02.W, 0>C10.N")
    assert table(game, state) == (
        "0=M1/9/C02(S:C16,W:C10u1(N:C27t))/-/- | 1=M8/9/C01(N:C05(N:C20u1t),W:C07)/-/- "
        "| centre=- | disc=-"
    )
    assert not state.private.any()  # no money moved


@pytest.mark.rule("CL-16.10", "CL-16.7", "CL-6.4", "CL-5.9")
def test_a_crook_for_whom_the_swap_leaves_no_place(game):
    """C16 was to go under C05, the only one who is stronger; but C05 is what is asked for."""
    state = scene(
        game,
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/9/C02(N:C16+1u1t(N:C32u2t))/-/- "
        "| 1=M8/9/C27(E:C05+1t,W:C25)/-/- | centre=- | disc=-",
    )
    play(game, state, "0>OFFER, 0>P+1, 0>C16, 0>AMT 0, 0>C05, 0>AMT 0, 1>YES")
    assert state.seat == 0
    assert legal(game, state) == {f"C02.{side}" for side in "NESW"}
    assert list(state.token[[crook("C16"), crook("C32")]]) == [0, 0]
    play(game, state, "0>C02.E")
    assert table(game, state) == (
        "0=M1/9/C02(E:C05+1)/-/- | 1=M8/9/C27(W:C25)/-/- | centre=C16+1,C32 | disc=-"
    )


DEAL = (
    "CL1 n=3 v={} A={} ph=MAIN{} | 0=M1/9/C01/{}/- | 1=M2/9/C02/{}/- | 2=M3/9/C03/{}/- "
    "| centre=- | disc=-"
)


@pytest.mark.rule("CL-16.11", "CL-20.1", "CL-20.2", "CL-20.3")
@pytest.mark.parametrize(
    ("mine", "theirs", "third", "card", "count"),
    [
        # A third of a type that nobody else has any more: 1 + 1.
        ("CAS-N,CAS-S,U-W1", "CAS-E", "-", "CAS-E", 5),
        ("CAS-N,CAS-S,U-W1", "CAS-E,CAS-C", "-", "CAS-E", 4),
        ("CAS-N,CAS-S,U-W1", "CAS-E", "CAS-C", "CAS-E", 4),
        ("U-S1,U-S2,LSH-W", "U-E1", "-", "U-E1", 4),  # one-offs are no type
        # A fourth of a district in which no other has more than one: 1 + 2.
        ("CAS-N,NUM-N,LSH-N", "CHP-N,GNG-N", "COP-N", "CHP-N", 6),
        ("CAS-N,NUM-N,LSH-N", "CHP-N,GNG-N,COP-N", "-", "CHP-N", 4),
        ("CAS-N,NUM-N,LSH-N", "CHP-N", "GNG-N,COP-N", "CHP-N", 4),
        ("CAS-N,NUM-N", "CHP-N", "-", "CHP-N", 3),
        # Both at once: four more, the most that one Racket brings.
        ("CAS-S,CAS-E,NUM-N,LSH-N,U-N1", "CAS-N", "-", "CAS-N", 9),
    ],
)
def test_bonuses_count_before_a_deal(game, mine, theirs, third, card, count):
    """Seat 0 must not reach the count alone by a Racket, asked for or given; below it he may."""
    for target, allowed in ((count, False), (count + 1, True)):
        asked = scene(game, DEAL.format(target, 0, "", mine, theirs, third))
        play(game, asked, "0>OFFER, 0>P+1, 0>PASS, 0>AMT 5")
        assert (card in legal(game, asked)) == allowed
        assert "PASS" in legal(game, asked)
        given = scene(game, DEAL.format(target, 1, "", mine, theirs, third))
        play(game, given, f"1>OFFER, 1>P+2, 1>{card}, 1>AMT 5")
        assert ("PASS" in legal(game, given)) == allowed


@pytest.mark.rule("CL-16.11", "CL-20.8")
@pytest.mark.parametrize(
    ("option", "target", "allowed"),
    [
        (" end_mode=last_standing", 5, True),
        (" end_mode=domination", 5, True),
        (" bonus_counts=false", 5, True),
        (" bonus_counts=false", 4, False),
    ],
)
def test_where_bonuses_or_rackets_decide_nothing(game, option, target, allowed):
    state = scene(game, DEAL.format(target, 0, option, "CAS-N,CAS-S,U-W1", "CAS-E", "-"))
    play(game, state, "0>OFFER, 0>P+1, 0>PASS, 0>AMT 5")
    assert ("CAS-E" in legal(game, state)) == allowed


@pytest.mark.rule("CL-16.11", "CL-16.12")
def test_both_may_get_there_and_who_is_there_stays(game):
    line = (
        "CL1 n=2 v={} A=0 ph=MAIN | 0=M1/9/C01/CAS-N,CAS-S,NUM-W/- "
        "| 1=M2/9/C02/NUM-S,NUM-E,CAS-E/- | centre=- | disc=-"
    )
    both = scene(game, line.format(4))
    play(game, both, "0>OFFER, 0>P+1, 0>NUM-W, 0>AMT 0")
    # NUM-W for CAS-E makes three of a type for each; as a gift it makes five for seat 1 alone.
    assert legal(game, both) == {"BACKOUT", "CAS-E", "NUM-S", "NUM-E"}
    # Who has enough before the deal does not get there by it.
    enough = scene(game, line.format(3))
    play(game, enough, "0>OFFER, 0>P+1, 0>NUM-W, 0>AMT 0")
    assert legal(game, enough) == {"PASS", "BACKOUT", "CAS-E", "NUM-S", "NUM-E"}


@pytest.mark.rule("CL-16.6", "CL-5.10", "CL-5.8")
@pytest.mark.parametrize(
    ("theirs", "offered"),
    [
        # Only under a stronger one with a free side: a Boss of 5 + 1 holds both, one of 4 + 1 C10.
        ("C06", "C05 C10"),
        ("C15", "C10"),
        ("C15(N:C20,E:C21,S:C22,W:C23)", ""),
        ("C15(N:C20,E:C21,S:C22,W:C07)", "C10"),
        ("C27", ""),
    ],
)
def test_no_crook_is_offered_who_would_have_no_place(game, theirs, offered):
    state = scene(
        game,
        f"CL1 n=2 v=short A=0 ph=MAIN | 0=M1/9/C02t(N:C05t,E:C10t,S:C16)/CAS-N/- "
        f"| 1=M7/9/{theirs}/-/- | centre=- | disc=-",
    )
    play(game, state, "0>OFFER, 0>P+1")
    assert legal(game, state) == {"PASS", "CAS-N", *offered.split()}
