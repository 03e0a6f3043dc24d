"""Hidden information (section 19), offers (section 16), showdown secrecy."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.crime_lords.state import COMMIT_T, MAIN, OFFER_REPLY

from .scenes import legal, play, scene

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
