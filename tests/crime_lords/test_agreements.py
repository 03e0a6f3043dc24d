"""Who wins at the end of a turn, and the options (sections 20 and 21)."""

from __future__ import annotations

import pytest

from gangland.envs.core.errors import OptionError
from gangland.envs.crime_lords.state import AGREE, MAIN

from .scenes import legal, play, racket, scene

AGREEMENT = (
    "CL1 n=4 v=4 A={} ph=MAIN{} | 0=M8/20/C01/CAS-N,NUM-E,LSH-S/- | 1=M5/10/C10/{}/- "
    "| 2=M4/20/C04/CHP-N,FCL-E,SMG-S/- | 3=M7/20/C03/{}/- | centre=- | disc=- "
    "| deck=C20,C21,C22,C23,C24,C25,C26,C27,C28,C30,C31"
)


THREE_OF_ONE = "NCL-N,GNG-E,COP-W"


@pytest.mark.rule("CL-20.6", "CL-20.5", "CL-1.4")
def test_all_who_are_one_short_are_asked_in_turn(game):
    state = scene(game, AGREEMENT.format(3, "", "-", THREE_OF_ONE))
    play(game, state, "3>END")
    assert (state.phase, state.seat, legal(game, state)) == (AGREE, 3, {"PASS", "YES"})
    play(game, state, "3>YES, 0>YES")
    assert (state.phase, state.seat) == (AGREE, 2)
    agreed = game.clone(state)
    play(game, agreed, "2>YES")
    assert agreed.over
    assert list(agreed.places[:4]) == [1, 4, 1, 1]
    assert list(agreed.rewards[:4]) == pytest.approx([1 / 9, -1 / 3, 1 / 9, 1 / 9])
    play(game, state, "2>PASS")
    assert (state.refused, state.active) == (0b1101, 0)
    # The same set is not asked again; another one is, and the memory is cleared.
    play(game, state, "0>END")
    assert (state.phase, state.active) == (MAIN, 1)
    state.racket_loc[racket("COP-W")] = -2
    state.racket_token[racket("COP-W")] = 0
    state.dirty = 15
    play(game, state, "1>END")
    assert (state.phase, state.seat, state.refused) == (AGREE, 2, 0)
    play(game, state, "2>PASS")
    assert (state.refused, state.active, state.phase) == (0b0101, 2, MAIN)


@pytest.mark.rule("CL-20.6", "CL-20.8", "CL-20.5", "CL-17.1")
@pytest.mark.parametrize(
    ("options", "second", "third", "over"),
    [
        ("", "-", "-", None),  # seats 0 and 2
        (" agreement=false", "-", "-", False),
        (" end_mode=last_standing", "-", "-", False),
        (" end_mode=domination", "-", "-", False),
        ("", THREE_OF_ONE + ",U-W1", "-", True),  # somebody has reached it
    ],
)
def test_when_there_is_nothing_to_agree_on(game, options, second, third, over):
    state = scene(game, AGREEMENT.format(0, options, second, third))
    play(game, state, "0>END")
    if over is None:
        assert (state.phase, state.seat) == (AGREE, 0)
    else:
        assert state.over == over
        assert state.phase != AGREE


@pytest.mark.rule("CL-20.6")
def test_one_alone_has_nobody_to_agree_with(game):
    line = AGREEMENT.format(0, "", "-", "-").replace("CHP-N,FCL-E,SMG-S", "CHP-N")
    state = scene(game, line)
    play(game, state, "0>END")
    assert (state.active, state.phase, state.refused) == (1, MAIN, 0)


@pytest.mark.rule("CL-20.8", "CL-20.9", "CL-20.5")
@pytest.mark.parametrize(
    ("mine", "over"),
    [("C01(N:C20)/CAS-N,CAS-S,NUM-E", True), ("C01(N:C20)/CAS-N,CAS-S", False)],
)
def test_domination_is_more_than_all_others_together(game, mine, over):
    """Five cards against four win, four against four do not; cards in the centre do not count."""
    state = scene(
        game,
        f"CL1 n=3 v=2 A=1 ph=MAIN end_mode=domination | 0=M1/9/{mine}/- | 1=M8/50/C02/NUM-N/- "
        "| 2=M2/50/C03/CHP-N/- | centre=C27,C28,C29,C30 | disc=- | deck=C31,C32",
    )
    play(game, state, "1>END")
    assert bool(state.over) == over
    if over:
        assert state.winners == 1
        assert not state.capped


@pytest.mark.rule("CL-20.9", "CL-20.10", "CL-20.8")
@pytest.mark.parametrize(
    ("mode", "winner"),
    [("rackets", 1), ("last_standing", 0), ("domination", 0)],
)
def test_what_a_cap_counts(game, mode, winner):
    """By Rackets the count, in the other modes Crooks plus Rackets; turns of all are counted."""
    line = (
        f"CL1 n=3 v=9 A=0 ph=MAIN T={{}} max_rounds=2 end_mode={mode} "
        "| 0=M1/50/C32(N:C34,E:C35)/CAS-N/- | 1=M8/50/C36/NUM-N,NUM-S/- "
        "| 2=M2/50/C33/-/- | centre=C27,C28,C29,C30 | disc=- | deck=C31,C20"
    )
    early = scene(game, line.format(5))
    play(game, early, "0>END")
    assert (early.over, early.turn) == (0, 6)
    state = scene(game, line.format(6))
    play(game, state, "0>END")
    assert (state.over, state.capped) == (1, 1)
    assert [s for s in range(3) if state.places[s] == 1] == [winner]


@pytest.mark.rule("CL-21.3", "CL-21.2", "CL-21.1", "CL-21.5")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 1}, "players=1: must be 2..8"),
        ({"players": 9}, "players=9: must be 2..8"),
        ({"victory": "huge"}, "victory='huge': must be short or long"),
        ({"victory_target": 0}, "victory_target=0: must be"),
        ({"victory_target": 53}, "victory_target=53: must be"),
        ({"bonus_counts": "maybe"}, "bonus_counts='maybe'"),
        ({"end_mode": "sudden"}, "must be rackets or domination or last_standing"),
        ({"agreement": 2}, "agreement=2"),
        ({"trade": "on"}, "trade='on'"),
        ({"offers_per_turn": -1}, "offers_per_turn=-1: must be 0..6"),
        ({"offers_per_turn": 7}, "offers_per_turn=7: must be 0..6"),
        ({"show_specials": None}, "show_specials=None"),
        ({"auction_crooks": 0}, "auction_crooks=0: must be 1"),
        ({"auction_crooks": 7}, "auction_crooks=7: must be 1..6 with 5 players"),
        ({"auction_rackets": -1}, "auction_rackets=-1: must be 0"),
        ({"auction_rackets": 11}, "auction_rackets=11: must be 0..10 with 5 players"),
        ({"players": 2, "auction_crooks": 17, "auction_rackets": 26},
         "auction_rackets=26: must be 0..25 with 2 players and auction_crooks=17"),
        ({"bid_money": 26}, "bid_money=26: must be 0..25"),
        ({"start_money": 501}, "start_money=501: must be 0..500"),
        ({"retoken": "never"}, "retoken='never': must be end or start"),
        ({"max_backouts": 11}, "max_backouts=11: must be 0..10"),
        ({"max_rounds": 501}, "max_rounds=501: must be 1..500"),
        ({"max_decisions": 99}, "max_decisions=99: must be 100..10000000"),
        ({"open_money": 1.5}, "open_money=1.5"),
        ({"allow_quit": "no"}, "allow_quit='no'"),
        ({"max_round": 3}, "max_round"),
    ],
)  # fmt: skip
def test_bad_options_are_named(game, options, message):
    with pytest.raises(ValueError, match=message) as caught:
        game.template(**options)
    assert isinstance(caught.value, OptionError)


@pytest.mark.rule("CL-21.3", "CL-21.2", "CL-20.4")
def test_the_ends_of_all_ranges_are_valid(game):
    for options in (
        {"players": 2, "auction_crooks": 17, "auction_rackets": 25},
        {"players": 5, "auction_crooks": 6, "auction_rackets": 10},
        {"players": 8, "auction_crooks": 3, "auction_rackets": 6},
        {"players": 7, "auction_rackets": 0, "bid_money": 0, "start_money": 0},
        {"victory_target": 1, "offers_per_turn": 0, "max_backouts": 0, "max_rounds": 1},
        {"victory_target": 52, "offers_per_turn": 6, "max_backouts": 10, "max_rounds": 500},
        {"trade": False, "offers_per_turn": 6, "max_decisions": 100, "bid_money": 25},
        {"start_money": 500, "max_decisions": 10_000_000, "victory": "long"},
    ):
        state = game.template(**options)[0]
        assert {k: game.read_options(state)[k] for k in options} == options
    target = game.template(victory="long", victory_target=3)[0]
    assert target.required == 3
    none = scene(game, AGREEMENT.format(0, " trade=false offers_per_turn=6", "-", "-"))
    assert "OFFER" not in legal(game, none)
