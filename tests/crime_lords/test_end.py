"""Elimination, leaving, the end of the game, options (sections 17, 20 to 22)."""

from __future__ import annotations

import pytest

from gangland.envs.core.errors import OptionError
from gangland.envs.crime_lords.data.tables import RACKET_IDS
from gangland.envs.crime_lords.state import MAIN

from .scenes import legal, play, scene, table

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
