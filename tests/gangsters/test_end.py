"""Rounds, end of turn, victory, options and bounds (G-4, G-15 to G-20, G-25)."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from gangland.envs.gangsters.data import BOARD, NODE, NODE_NAMES
from gangland.envs.gangsters.state import (
    E_BRIBES,
    E_DOUBLES,
    E_EXTORTION,
    E_HQ_BOUGHT,
    E_LEVEL,
    E_OFFICERS,
    E_ORGANISED,
    E_PAYOFFS,
    E_PLAYED,
    E_PUBLICS,
    E_RAIDS,
    E_SALARY,
    E_STOPS,
    E_TURNS,
    NONE,
    PHASES,
    POLICE,
    WIN_CASH,
    WIN_COLOUR,
    WIN_HQ,
    WIN_JOINTS,
)

from .scenes import (
    GAME,
    cash,
    chance,
    cop,
    joint,
    legal,
    phase,
    piece,
    play,
    public,
    run,
    scene,
)
from .test_play import walk

RAID = ("cop 4@LP1<xF", "joint J17:Red:2c", "public x3@J17")
RAID_16 = (("Police markers=4", *RAID), {"dice": "1/1/1/1/3"}, ["cop 4", "go J17", "yes"])
STOP_14 = (("Green markers=4", *RAID), {"dice": "1/1/1/1/3"}, ["cop 4", "go J17", "yes"])
PLAY_17 = (
    ("Red markers=6", "cop 6@SD2<SD1", "joint J05:Brown:1c", "public x2@J05"),
    {"phase": "COP_GANG", "dice": "1/1/1/1/2"},
    ["play 6", "go J05"],
)
BRIBE_12 = ((), {"phase": "COP_GANG", "dice": "1/1/1/1/3"}, ["bribe"])
MONEY = (
    ("Red.T 2@G01", "public x2@J17", "cop 4@NA6<NA5", "first_cop"),
    {"phase": "MOVE", "dice": "1/3/1/1/1", "pawns": "Green"},
    ["stay T", "end"],
)
HEADQUARTERS = (
    ("commissioner 4@J12",),
    {"active": "Police", "phase": "POLICE_BUY", "dice": "-"},
    ["buy"],
)
RED_JOINTS = "J01:Red:1 J02:Red:1 J03:Red:1 J04:Red:1"


@pytest.mark.rule("G-15.1", "G-8.5", "G-9.16")
def test_what_leaves_at_the_end_of_a_turn():
    state = scene("public x2@J16 x3@G01", "Green.T 2@J16!", "cop 4@J12 5@BW5<BW4",
                  "joint J23:Yellow:1c", phase="MOVE")  # fmt: skip
    chance(state, *[1] * 5)
    run(state)
    # Guards of J16 fire three dice at Green's Thug, who answers with two.
    play(chance(state, 1, 1, 1, 1, 1), "end")
    assert public(state, "x2") == "-"
    assert (cop(state, "4"), cop(state, "5")) == ("-", "BW5")
    assert joint(state, "J23") == "Yellow:1"


@pytest.mark.rule("G-15.2", "G-15.5", "G-1.3")
def test_a_gang_wins_only_on_its_own_turn_and_complete():
    rich = run(scene("Green $10500", phase="MOVE"), "end")
    assert not rich.over
    for letter, out in (("T", "0@-"), ("V", "0@-")):
        state = run(scene("Red $10500", f"Red.{letter} {out}", phase="MOVE"), "end")
        assert not state.over
    state = run(scene("Red $10500", phase="MOVE"), "end")
    assert state.over
    assert state.rewards.tolist() == [1.0, -0.25, -0.25, -0.25, -0.25]


@pytest.mark.rule("G-15.3", "G-1.3")
@pytest.mark.parametrize(
    ("last", "wins"), [("J04:Red:1", True), ("J04:-", False), ("J04:Police:1", False)]
)
def test_every_joint_of_one_colour(last, wins):
    joints = RED_JOINTS.replace("J04:Red:1", last)
    state = run(scene(f"joint {joints}", phase="MOVE"), "end")
    assert bool(state.over) is wins


@pytest.mark.rule("G-1.3")
@pytest.mark.parametrize(("count", "wins"), [(9, False), (10, True)])
def test_ten_joints(count, wins):
    joints = ["J30", "J33", "J34", "J35", "J36", "J38", "J39"][: count - 3]
    owned = " ".join(f"{code}:Red:1" for code in joints)
    state = run(scene(f"joint {owned}", phase="MOVE"), "end")
    assert bool(state.over) is wins


@pytest.mark.rule("G-15.4")
@pytest.mark.parametrize(
    ("money", "marker", "place", "wins"),
    [(10000, "4", "NA4", True), (9000, "4", "NA4", False), (10000, "5", "NA4", False),
     (10000, "4", "-", False)],
)  # fmt: skip
def test_police_victory_by_cash(money, marker, place, wins):
    state = scene(f"Police ${money}", f"Police markers={marker}", "cop 4@BW5<BW4", "first_cop",
                  f"commissioner {4 if place != '-' else 0}@{place}", active="Police",
                  phase="POLICE_PUBLIC" if place != "-" else "POLICE_BUY",
                  dice="1/1/1" if place != "-" else "-", salary_every_move=False)  # fmt: skip
    if place == "-":
        state.c_strength, state.cash[POLICE] = 3, money
        state.phase, state.dice[0] = PHASES.index("POLICE_PUBLIC"), 1
        state.dice[3] = state.dice[4] = 1
    run(state)
    while not state.over and state.active == POLICE:
        play(state, "end")
    assert bool(state.over) is wins


SEVEN = "joint J12:Police:1 J13:Police:1 J14:Police:1 G01:Police:1 G02:Police:1 G03:Police:1 "


@pytest.mark.rule("G-15.4")
def test_the_untouchables_are_loyal_to_nobody():
    state = scene("Police $10000", "Police markers=5", "cop U@BW5<BW4", active="Police",
                  phase="POLICE_PUBLIC", dice="1/1/1")  # fmt: skip
    run(state)
    while state.active == POLICE:
        play(state, "end")
    assert not state.over


@pytest.mark.rule("G-15.4")
@pytest.mark.parametrize("officer", [1, 9])
def test_any_loyal_officer_will_do(officer):
    state = scene("Police $10000", f"Police markers={officer}", f"cop {officer}@BW5<BW4",
                  active="Police", phase="POLICE_PUBLIC", dice="1/1/1")  # fmt: skip
    run(state)
    while not state.over and state.active == POLICE:
        play(state, "end")
    assert state.over
    assert state.win_kind == WIN_CASH


@pytest.mark.rule("G-1.3", "G-15.4")
@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        (("Red $10000",), WIN_CASH),
        (("joint J30:Red:1 J33:Red:1 J34:Red:1 J35:Red:1 J36:Red:1 J38:Red:1 J39:Red:1",),
         WIN_JOINTS),
        ((f"joint {RED_JOINTS}",), WIN_COLOUR),
        (("Police $10000", "Police markers=4", "cop 4@BW5<BW4"), WIN_CASH),
        ((SEVEN + "G04:Police:1", "Police markers=4", "cop 4@BW5<BW4"), WIN_HQ),
    ],
)  # fmt: skip
def test_by_what_a_seat_has_won(changes, kind):
    where = {"phase": "MOVE"}
    if "Police" in changes[0]:
        where = {"active": "Police", "phase": "POLICE_PUBLIC", "dice": "1/1/1"}
    state = run(scene(*changes, "public x2@J12", **where), "end")
    assert (state.over, state.win_kind, state.places[state.active]) == (1, kind, 1)


@pytest.mark.rule("G-25.1")
@pytest.mark.parametrize(
    ("scenes", "counts"),
    [
        (RAID_16, {E_RAIDS: 1, E_DOUBLES: 1, E_PAYOFFS: 1200}),
        (STOP_14, {E_STOPS: 1}),
        (PLAY_17, {E_PLAYED: 1, E_RAIDS: 1, E_PAYOFFS: 500}),
        (BRIBE_12, {E_BRIBES: 1}),
        (MONEY, {E_EXTORTION: 300, E_ORGANISED: 600, E_SALARY: 300, E_TURNS: 1, E_LEVEL: 1,
                 E_OFFICERS: 1, E_PUBLICS: 1}),
        (HEADQUARTERS, {E_HQ_BOUGHT: 1}),
    ],
)  # fmt: skip
def test_what_is_counted_for_the_validation(scenes, counts):
    changes, where, actions = scenes
    state = run(scene(*changes, **where), *actions)
    found = {event: int(n) for event, n in enumerate(state.events) if n}
    assert found == counts


@pytest.mark.rule("G-15.7", "G-15.5")
def test_losers_rank_by_progress():
    state = scene("Red $10500", "Green $5000", "Yellow $2000", "Brown $5000", "Police $600",
                  "joint G01:Police:1 G02:Police:1 G03:Police:1", phase="MOVE")  # fmt: skip
    run(state, "end")
    # Yellow has 3 of the 8 Yellow joints: .375; the police 3 of 7 headquarters: .429.
    assert state.places.tolist() == [1, 2, 5, 2, 4]
    assert state.scores.tolist() == [12600, 6300, 4725, 6300, 5400]


@pytest.mark.rule("G-15.6", "G-15.7", "G-19.10")
def test_a_truncated_game_is_ranked_but_pays_nothing():
    state = scene("Green $5000", "Yellow $2000", "Brown $9000", phase="MOVE", police=False,
                  max_rounds=1)  # fmt: skip
    run(state, "end")
    assert state.capped
    assert not state.rewards.any()
    assert state.places[:4].tolist() == [4, 2, 3, 1]


@pytest.mark.rule("G-20.11")
def test_the_safety_stop():
    state = run(scene(phase="MOVE", max_rounds=2))
    state.ply = 250 * 2 * 5 - 2
    play(state, "recruit R")
    assert not state.over
    play(state, "recruit T")
    assert state.over
    assert state.capped
    assert not state.rewards.any()


def rounds_of(seed, **options):
    """Active seats of each complete round."""
    found = {}
    for state in walk(seed, **options):
        if state.revealed and not state.over:
            seats = found.setdefault(int(state.round_number), [])
            if not seats or seats[-1] != state.active:
                seats.append(int(state.active))
    return [seats for _, seats in sorted(found.items())][:-1]


@pytest.mark.rule("G-4.2", "G-2.18", "G-16.5")
def test_every_gang_moves_once_a_round_then_the_police():
    rounds = rounds_of(2)
    assert len(rounds) > 3
    for seats in rounds:
        # A turn without a decision is not seen; the order of the others is a draw.
        assert len(set(seats)) == len(seats)
        assert POLICE not in seats[:-1]
    assert len({tuple(seats[:-1]) for seats in rounds}) > 1


@pytest.mark.rule("G-16.5", "G-19.4")
def test_without_random_order_the_purchase_order_stands():
    options = {"gangs": 3, "police": False, "random_order": False, "max_rounds": 8}
    order = GAME.new_state(6, **options).order[:3].tolist()
    rounds = rounds_of(6, **options)
    assert len(rounds) == 7
    for seats in rounds:
        assert seats == [gang for gang in order if gang in seats]
    assert any(len(seats) == 3 for seats in rounds)


GANG_PARTS = ({"BUY", "TRADE_GIVE", "TRADE_TAKE", "TRADE_CASH", "TRADE_ANSWER"},
              {"COP_GANG", "COP_POLICE", "COP_ACTIVE", "COP_ENTRY", "COP_DEST", "COP_VIA", "STOP",
               "RAID_OR_ARREST"},
              {"MOVE", "COUNT", "DEST", "CRIME", "PUBLIC_DEST"},
              {"TARGET", "RETURN", "ALLOC"})  # fmt: skip
POLICE_PARTS = ({"POLICE_BUY"}, {"INFORMANTS"},
                {"POLICE_MOVE", "COP_ENTRY", "COP_DEST", "COP_VIA", "STOP", "COMM_ENTRY",
                 "COMM_DEST", "COUNT"},
                {"POLICE_PUBLIC"}, {"TARGET", "RETURN", "ALLOC"})  # fmt: skip


@pytest.mark.rule("G-4.3", "G-4.4", "G-5.7", "G-4.6")
@pytest.mark.parametrize("options", [{}, {"police": False, "max_rounds": 15}], ids=str)
def test_parts_of_a_turn_in_order(options):
    turn, part, seen = None, 0, set()
    for state in walk(11, **options):
        if state.over or not state.revealed:
            continue
        parts = POLICE_PARTS if state.active == POLICE else GANG_PARTS
        now = (int(state.round_number), int(state.active))
        part = part if now == turn else 0
        turn = now
        places = [k for k, names in enumerate(parts) if phase(state) in names]
        if places:
            assert places[0] >= part
            part = places[0]
            seen.add(phase(state))
        offers = any(text.startswith("trade") for text in legal(state))
        assert not offers or phase(state) == "BUY"
    assert len(seen) > 10


LATE = ("public x2@LP2<LP1i x3@NA5<NA4i", "cop 4@BW6<BW5 9@BW9<BW8", "Red.T 2@G01",
        "Red.V 1@G02", "Brown.T 2@LP2", "Police $900", "Red markers=4")  # fmt: skip


@pytest.mark.rule("G-4.5", "G-20.2")
@pytest.mark.parametrize(
    ("menu", "begun", "asked"),
    [
        ("COP_GANG", [], ["COP_GANG", "COP_POLICE", "MOVE"]),
        ("COP_POLICE", [], ["COP_POLICE", "MOVE"]),
        ("COP_ACTIVE", [], ["COP_ACTIVE", "MOVE"]),
        ("MOVE", [], ["MOVE"]),
        ("MOVE", ["stay T", "public x3"], ["MOVE"]),
        ("INFORMANTS", [], ["INFORMANTS", "POLICE_MOVE", "POLICE_PUBLIC"]),
        ("INFORMANTS", ["public x3"], ["INFORMANTS", "POLICE_MOVE"]),
        ("POLICE_MOVE", ["cop 9"], ["POLICE_MOVE", "POLICE_PUBLIC"]),
        ("POLICE_PUBLIC", ["public x3"], ["POLICE_PUBLIC"]),
    ],
)
def test_a_late_seat_that_declines_everything_is_through_at_once(menu, begun, asked):
    """What a clock plays when it runs out: no piece moves, nobody is hired, nothing is bought."""
    where = {"phase": menu, "dice": "1/1/1/1/1", "police": menu != "COP_ACTIVE", "pawns": "Green"}
    if menu in ("INFORMANTS", "POLICE_MOVE", "POLICE_PUBLIC"):
        where |= {"active": "Police", "dice": "1/1/1", "pawns": "-"}
    state = run(scene(*LATE, **where), *begun)
    before = GAME.clone(state)
    late = []
    while phase(state) not in ("BUY", "POLICE_BUY"):
        late.append(phase(state))
        play(state, "end")
    assert late == asked
    for field in ("at", "strength", "owner", "level", "holder", "cop_at", "public_at", "informant",
                  "c_at", "c_strength", "chit_slot"):  # fmt: skip
        assert (state[field] == before[field]).all(), field
    extorted = 100 * ("stay T" in begun)
    assert state.cash[:4].tolist() == [1000 + extorted, 1000, 1000, 1000]


@pytest.mark.rule("G-4.5", "G-20.2")
def test_whatever_is_asked_in_the_timed_portion_can_be_declined():
    late = {"COP_GANG", "COP_POLICE", "COP_ACTIVE", "STOP", "DOUBLE", "SHARE", "MOVE", "CRIME",
            "INFORMANTS", "POLICE_MOVE", "POLICE_PUBLIC"}  # fmt: skip
    seen = set()
    for state in itertools.chain(walk(21), walk(22)):
        if not state.over and phase(state) in late:
            outside = phase(state) == "POLICE_MOVE" and state.c_at == NONE
            assert ("end" in legal(state)) is not outside  # G-14.18
            seen.add(phase(state))
    assert {"COP_GANG", "COP_POLICE", "MOVE", "INFORMANTS", "POLICE_MOVE"} <= seen


@pytest.mark.rule("G-25.1")
def test_invariants_at_the_end_of_every_turn():
    before = None
    for state in walk(31):
        turn = (int(state.round_number), int(state.active), int(state.over))
        new = before not in (None, turn) and state.revealed and not state.over
        before = turn
        if not new or phase(state) not in ("BUY", "POLICE_BUY"):
            continue
        for node in state.cop_at[state.cop_at >= 101]:
            assert state.owner[node - 101] == POLICE
        crimes = {int(n) for n in state.at[state.criminal.astype(bool)]}
        assert crimes.isdisjoint({int(n) for n in state.public_at if n != NONE})
        for b in np.flatnonzero(state.lit):
            assert 101 + b in state.public_at


@pytest.mark.rule("G-25.1")
@pytest.mark.slow
def test_random_play_is_won_by_the_police_and_their_salary():
    """As the specification has it, whose numbers of rounds are of its own options."""
    results = []
    for seed in range(30):
        for state in walk(seed):  # noqa: B007 (the last one is looked at)
            pass
        results.append((int(state.places.argmin()), int(state.win_kind), int(state.round_number)))
    assert {(seat, kind) for seat, kind, _ in results} == {(POLICE, 1)}
    assert 8 <= np.median([rounds for *_, rounds in results]) <= 11


@pytest.mark.rule("G-19.9", "G-18.2")
def test_open_cash():
    assert "$1,000" not in GAME.text(run(scene("Green $700", phase="MOVE")), 1)
    shown = GAME.text(run(scene("Green $700", phase="MOVE", open_cash=True)), 1)
    assert shown.count("$1,000") == 3


@pytest.mark.rule("G-20.2", "G-20.3")
def test_every_piece_can_always_move():
    for code in ("xA", "RD5", "G04", "J36"):
        facings = ["", *(f"<{n}" for n in BOARD["spaces"][code]["adj"])] if code == "RD5" else [""]
        for facing, die in itertools.product(facings, range(1, 7)):
            state = run(scene(f"Red.T 2@{code}{facing}", "joint J36:-", phase="MOVE",
                              dice="/".join([str(die)] * 5)))  # fmt: skip
            assert "move T" in legal(state)
            play(state, "move T")
            assert phase(state) == "DEST" or piece(state, "Red.T") != f"2@{code}"
    assert NODE_NAMES[NODE["G04"]] == "G04"


@pytest.mark.rule("G-20.7")
def test_a_penniless_police_player_gets_a_commissioner():
    state = scene("commissioner 0@-", "Police $0", active="Police", phase="POLICE_BUY", dice="-",
                  salary_every_move=False)  # fmt: skip
    run(chance(state, 3, 1, 1))
    assert (state.c_strength, NODE_NAMES[state.c_at]) == (1, "BW2")
    assert cash(state, "Police") == 0
