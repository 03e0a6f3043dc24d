"""Elimination, leaving, who wins, the end of the game, options (sections 17, 20 to 22)."""

from __future__ import annotations

import pytest

from gangland.envs.core.errors import OptionError
from gangland.envs.crime_lords.data import RACKET_IDS
from gangland.envs.crime_lords.state import AGREE, MAIN

from .scenes import legal, play, racket, scene, table

# --- who wins at the end of a turn ----------------------------------------------------------------

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


# --- elimination, leaving, other ends -------------------------------------------------------------

RANKING = (
    "CL1 n=3 v=short A=2 ph=MAIN T=3 max_rounds=1 | 0=M7/{}/C06(N:C36)/CAS-N,CAS-S,CAS-E/- "
    "| 1=M7/{}/{}/NUM-N,NUM-S,NUM-W/- | 2=M7/80/C01(N:C05)/CHP-N,LSH-N,SMG-E/- "
    "| centre=- | disc=-"
)


@pytest.mark.rule("CL-20.9", "CL-20.11", "CL-20.4")
@pytest.mark.parametrize(
    ("money", "boss", "winners", "rewards"),
    [
        (2, "C02(N:C09)", [1], [-0.5, 1.0, -0.5]),
        (30, "C07(N:C32)", [0, 1], [0.25, 0.25, -0.5]),
        (29, "C07(N:C32)", [0], [1.0, -0.5, -0.5]),
        (31, "C07(N:C32)", [1], [-0.5, 1.0, -0.5]),
    ],
)
def test_stalemate_ranking(game, money, boss, winners, rewards):
    """E-36: count, then Power, then money; those who tie share."""
    state = scene(game, RANKING.format(30, money, boss), acted=1)
    play(game, state, "2>END")
    assert list(state.count[:3]) == [4, 4, 3]
    assert [s for s in range(3) if state.places[s] == 1] == winners
    assert list(state.rewards[:3]) == rewards
    assert state.capped == 1
    assert game.result(state).win_shares[winners[0]] == 1 / len(winners)


LEAVING = (
    "CL1 n=3 v=short A=0 ph=MAIN allow_quit=true | 0=M4/30/C03t(N:C07+1u1t(N:C32))/CAS-Sx,GNG-St/"
    "S03,S08! | 1=M1/9/C02/-/- | 2=M5/9/C04/-/- | centre=- | disc=- | deck=C31"
)


@pytest.mark.rule("CL-17.7", "CL-17.8", "CL-17.9", "CL-4.5")
def test_leaving(game):
    """E-41, by QUIT and by the administrative call."""
    state = scene(game, LEAVING)
    assert "QUIT" in legal(game, state)
    play(game, state, "0>QUIT")
    wanted = "0=OUT | 1=M1/0/C02u1/-/- | 2=M5/9/C04/-/- | centre=C03,C07+1,C31,C32,CAS-S,GNG-S"
    assert table(game, state) in (
        f"{wanted} | disc=S03,S08",
        wanted.replace("C31,", "").replace("M1/0/C02u1", "M1/0/C02") + " | disc=S03,S08",
        f"{wanted.replace('C02u1', 'C02')} | disc=S03,S08",
    )
    assert state.active == 1
    assert state.required == 11
    other = scene(game, LEAVING)
    game.drop_out(other, 0)
    assert not other.alive[0]
    assert other.active == 1
    third = scene(game, LEAVING)
    game.drop_out(third, 2)
    assert third.alive[2]
    play(game, third, "0>DROP, 0>C32")
    assert not third.alive[2]
    assert third.seat == 0
    with pytest.raises(OptionError, match="seat=2"):
        game.drop_out(third, 2)


@pytest.mark.rule("CL-17.8")
def test_who_leaves_decides_nothing_any_more(game):
    """He has money and yet is not asked for it; he is out when the attack is over."""
    line = (
        "CL1 n=3 v=short A=0 ph=MAIN | 0=M8/9/C03t/-/- | 1=M1/30/C02t/CAS-N/- | 2=M5/9/C04/-/- "
        "| centre=- | disc=-"
    )
    state = scene(game, line)
    play(game, state, "0>TAKE CAS-N, 1>PASS")
    game.drop_out(state, 1)
    play(game, state, "0>PASS, 2>PASS")
    assert not state.alive[1]
    assert (state.phase, state.seat) == (MAIN, 0)


@pytest.mark.rule("CL-17.6", "CL-20.7", "CL-17.1", "CL-17.3")
def test_the_last_mob_wins_at_once(game):
    state = scene(
        game,
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M8/20/C01t(E:C02t)/-/- | 1=M5/10/C29/NUM-S/S03 "
        "| centre=- | disc=-",
        totals=(4,),
    )
    play(game, state, "0>HIT C29, 0>C01, 0>AMT 5, 0>C02")
    assert state.over
    assert list(state.places[:2]) == [1, 2]
    assert not state.capped


@pytest.mark.rule("CL-17.2", "CL-17.4", "CL-17.5")
def test_pay_wipes_out_without_spoils(game):
    state = game.parse_position(
        "CL1 n=3 v=short A=0 ph=START | 0=M1/0/C02u2/NUM-S/S03 | 1=M8/50/C01/-/- "
        "| 2=M2/50/C03/-/- | centre=C27,C28,C29,C30 | disc=- | deck=C31,C32"
    )
    if state.phase != MAIN:
        play(game, state, "0>PASS")
    assert not state.alive[0]
    assert state.racket_loc[RACKET_IDS.index("NUM-S")] == -2
    assert state.crook_loc[1] == -2
    assert state.active == 1


@pytest.mark.rule("CL-20.8")
def test_other_end_modes(game):
    line = (
        "CL1 n=3 v=2 A=0 ph=MAIN end_mode={} | 0=M1/9/C01/CAS-N,CAS-S,NUM-E/- | 1=M8/50/C02/-/- "
        "| 2=M2/50/C03/-/- | centre=C27,C28,C29,C30 | disc=- | deck=C31,C32"
    )
    domination = game.parse_position(line.format("domination"))
    play(game, domination, "0>END")
    assert domination.over
    assert domination.places[0] == 1
    standing = game.parse_position(line.format("last_standing"))
    play(game, standing, "0>END")
    assert not standing.over


@pytest.mark.rule("CL-20.10")
@pytest.mark.parametrize(
    ("end_mode", "places"), [("rackets", [2, 1, 3]), ("last_standing", [1, 2, 3])]
)
def test_the_cap_on_decisions_ranks_but_pays_nobody(game, end_mode, places):
    """Ranked as by CL-20.9: by count, or by Crooks and Rackets; but nobody has won."""
    state = game.parse_position(
        f"CL1 n=3 v=11 A=0 ph=MAIN end_mode={end_mode} | 0=M1/9/C01(N:C09)/CAS-N,NUM-E/- "
        "| 1=M8/50/C02/CAS-S,NUM-S,SMG-E/- | 2=M2/50/C03/-/- | centre=C27,C28,C29,C30 | disc=-"
    )
    state.max_decisions = 2
    play(game, state, "0>END")
    assert not state.over
    game.apply(state, game.legal_actions(state)[0])
    assert state.over
    assert state.capped == 2
    assert state.places[:3].tolist() == places
    assert not state.rewards.any()
    assert game.is_truncated(state)


@pytest.mark.rule("CL-20.5", "CL-20.12", "CL-1.1")
def test_several_win_together(game):
    state = scene(
        game,
        "CL1 n=3 v=1 A=2 ph=MAIN | 0=M1/9/C01/CAS-N/- | 1=M8/50/C02/NUM-S,CHP-E/- "
        "| 2=M2/50/C03/-/- | centre=- | disc=-",
    )
    play(game, state, "2>END")
    assert list(state.places[:3]) == [1, 1, 3]
    assert not state.capped


@pytest.mark.rule("CL-21.1", "CL-21.2", "CL-21.3", "CL-21.5", "CL-20.4", "CL-2.16")
def test_options(game):
    state = game.new_state(0)
    assert (state.num_seats, state.required, state.start_money) == (5, 9, 50)
    long = (14, 14, 13, 12, 11, 9, 9)
    short = (11, 11, 10, 9, 8, 7, 7)
    for players in range(2, 9):
        for words, row in (("long", long), ("short", short)):
            template = game.template(players=players, victory=words)[0]
            assert template.required == row[players - 2]
    assert game.template(victory="long", victory_target=5)[0].required == 5
    game.template(trade=False, offers_per_turn=6)
    game.template(players=8, auction_crooks=3, auction_rackets=5)
    for bad, name in (
        ({"players": 9}, "players=9: must be 2..8"),
        ({"players": 8, "auction_crooks": 4}, "auction_crooks=4"),
        ({"players": 8, "auction_rackets": 7}, "auction_rackets=7"),
        ({"max_rounds": 0}, "max_rounds=0: must be 1..500"),
        ({"victory": "huge"}, "victory='huge'"),
        ({"cops": 1}, "cops"),
    ):
        with pytest.raises(OptionError, match=name):
            game.template(**bad)
    assert game.options.resolve({})["trade"] is True
    assert game.read_options(state) == game.options.resolve({})
