"""What an observation holds of buildings and of the ends of moves."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.gangsters import actions as act
from gangland.envs.gangsters.data import (
    BUILDINGS,
    COLOUR,
    COLOUR_COUNT,
    GRAY,
    JOINTS_TO_WIN,
    NEIGHBOURS,
    NODE_NAMES,
    OFFICER_DICE,
    PRICE,
    STREETS,
    SUBWAYS,
)
from gangland.envs.gangsters.data.reach import BY_SUBWAY, DISTANCE, FIRST_NODES, ON_FOOT, REACH
from gangland.envs.gangsters.observation.layout import (
    AT,
    BUILDING,
    BUILDING_SIZE,
    PIECE_ENDS,
    PIECE_ENDS_SIZE,
    POLICE_ENDS,
    POLICE_ENDS_SIZE,
    PUBLIC_ENDS,
    PUBLIC_ENDS_SIZE,
)
from gangland.envs.gangsters.state import (
    COMM_DEST,
    COP_DEST,
    DEST,
    GANGS,
    MOVE,
    NONE,
    POLICE,
    PUBLIC_DEST,
    R,
    T,
    V,
)

from .scenes import GAME, run, scene
from .test_movement import walks
from .test_play import walk

# --- buildings: whose, who stands there, who may go there -----------------------------------------


def column(state, field, seat=None):
    """One number of every building's row: float32 ``(51,)``."""
    seen = GAME.observe(state, state.seat if seat is None else seat)
    rows = seen[AT.buildings : AT.buildings + BUILDINGS * BUILDING_SIZE]
    return rows.reshape(BUILDINGS, BUILDING_SIZE)[:, field]


def nodes_of(words):
    """The nodes that three words of bits stand for."""
    return {
        first + bit
        for first, word in zip(FIRST_NODES, words, strict=True)
        for bit in range(63)
        if int(word) >> bit & 1
    }


def destinations(state):
    """The buildings among the destinations that are legal."""
    mask = GAME.action_mask(state)[act.GO + STREETS : act.GO + STREETS + BUILDINGS]
    return set(np.flatnonzero(mask))


def reached(state):
    """The buildings that the observation says what is moving may go to."""
    field = {
        DEST: BUILDING.reach + state.piece,
        PUBLIC_DEST: BUILDING.reach_publics + state.piece,
        COMM_DEST: BUILDING.reach_commissioner,
    }[state.phase]
    return set(np.flatnonzero(column(state, field)))


@pytest.mark.rule("G-23.1", "G-6.1", "G-6.8")
@pytest.mark.parametrize("transfers", [ON_FOOT, BY_SUBWAY])
def test_the_table_of_walks_is_what_the_rules_say(transfers):
    """Against the walker written from the rules' text, from every place by every way."""
    for node, name in enumerate(NODE_NAMES):
        for came in range(1 + int((NEIGHBOURS[node] >= 0).sum())):
            facing = NODE_NAMES[NEIGHBOURS[node, came - 1]] if came else None
            for steps in (1, 2, 3, 5, 6) if node % 4 else (4,):
                routes = walks(
                    name, steps, facing=facing, transfers=transfers, through=(), about=()
                )
                found = nodes_of(REACH[transfers, node, came, steps])
                assert found == {NODE_NAMES.index(route[-1]) for route in routes}


@pytest.mark.rule("G-23.1")
def test_what_moves_may_go_where_the_rules_let_it():
    """Against the legal destinations of whole games."""
    seen = {DEST: 0, PUBLIC_DEST: 0, COMM_DEST: 0}
    for seed in range(6):
        for state in walk(seed, max_rounds=12):
            if state.over or state.phase not in seen or not 1 <= state.steps <= 6:
                continue
            seen[state.phase] += 1
            if state.phase == PUBLIC_DEST:
                owned = (state.owner != NONE) & (state.owner != POLICE)
                assert reached(state) & set(np.flatnonzero(owned)) == destinations(state)
            else:
                # The rules also know walks through buildings of one's own.
                assert reached(state) <= destinations(state)
    assert min(seen.values()) > 10


@pytest.mark.rule("G-23.1")
def test_officers_who_may_come_to_a_building_follow_from_their_dice():
    """Where an officer may end, which takes a crime (G-6.10), and he alone moves."""
    compared = 0
    for seed in range(12):
        for state in walk(seed, max_rounds=12):
            if state.over or state.phase != COP_DEST or not 1 <= state.steps <= 6:
                continue
            alone = GAME.clone(state)
            alone.cop_done[np.arange(10) != state.piece] = 1
            assert destinations(state) <= set(
                np.flatnonzero(column(alone, BUILDING.reach_officers))
            )
            compared += len(destinations(state))
    assert compared > 10


def test_nobody_may_go_anywhere_before_the_dice_are_rolled():
    fields = [BUILDING.reach, BUILDING.reach_publics, BUILDING.reach_officers]
    rolled = run(scene(phase="MOVE", dice="1/2/3/4/5"))
    assert any(column(rolled, field).any() for field in fields)
    rolled.dice[:] = 0
    assert not any(column(rolled, field).any() for field in fields)


def test_a_piece_that_has_acted_goes_nowhere():
    state = run(scene(phase="MOVE", dice="4/4/4/4/5"))
    assert state.phase == MOVE
    for piece in range(3):
        assert column(state, BUILDING.reach + piece).any()
        state.acted[0, piece] = 1
        assert not column(state, BUILDING.reach + piece).any()


def test_a_building_is_described_as_the_seat_sees_it():
    state = run(scene("Red.T 3@J31!", "joint J31:Red:4c", phase="MOVE"))
    joint = 30
    assert column(state, BUILDING.own)[joint] == 1.25
    assert column(state, BUILDING.rival)[joint] == 0
    assert column(state, BUILDING.own, seat=1)[joint] == 0
    assert column(state, BUILDING.rival, seat=1)[joint] == 1.25
    for seat in range(GANGS + 1):
        own = seat == 0
        assert column(state, BUILDING.lit, seat)[joint] == 1
        assert column(state, BUILDING.strength + 1, seat)[joint] == pytest.approx(own * 3 / 9)
        assert column(state, BUILDING.thugs, seat)[joint] == pytest.approx((not own) * 3 / 9)
        assert column(state, BUILDING.own_criminals, seat)[joint] == pytest.approx(own / 3)
        assert column(state, BUILDING.criminals, seat)[joint] == pytest.approx((not own) / 3)


# --- the ends of moves: the best that each piece may reach ----------------------------------------


def rows(state, at, count, size):
    """Float32 ``(count, size)`` of what the seat that decides is shown."""
    return GAME.observe(state, state.seat)[at : at + count * size].reshape(count, size)


def states(seeds, *phases):
    """Decisions of whole games, after the dice of the turn are rolled."""
    for seed in seeds:
        for state in walk(seed, max_rounds=12):
            if not state.over and state.phase in phases and state.dice[3]:
                yield state


def ends(transfers, node, came, steps):
    """The nodes in which a walk can end, from the table that is held above to the rules."""
    way = 0 if came == NONE else 1 + list(NEIGHBOURS[node]).index(came)
    return sorted(nodes_of(REACH[transfers, node, way, steps]))


def owner(state, node):
    return NONE if node < STREETS else state.owner[node - STREETS]


def joint(node):
    return node >= STREETS and COLOUR[node - STREETS] != GRAY


def worth(state, node):
    """In $1,800."""
    return float(PRICE[node - STREETS]) * float(state.level[node - STREETS]) / 1800


def share(state, gang, colour):
    return float(((state.owner == gang) & (colour == COLOUR)).sum() / COLOUR_COUNT[colour])


def rises(state, node):
    """Whether the deciding gang may raise its joint at a node, and can pay."""
    if not joint(node) or owner(state, node) != state.seat:
        return False
    building = node - STREETS
    owned = ((state.owner == state.seat) & (COLOUR[building] == COLOUR)).sum()
    level = state.level[building]
    return level < min(9, owned) and state.cash[state.seat] >= PRICE[building]


def buys(state, node):
    """Whether the deciding gang could buy the joint at a node."""
    free = joint(node) and owner(state, node) == NONE
    return bool(free and state.cash[state.seat] >= PRICE[node - STREETS])


def members(state, node, counts):
    """Strengths of the pieces at a node for which ``counts(gang, piece)``."""
    return sum(
        int(state.strength[gang, piece])
        for gang in range(state.gangs)
        for piece in (R, T, V)
        if state.at[gang, piece] == node and counts(gang, piece)
    )


def police_near(state, node):
    dice = [
        int(OFFICER_DICE[k])
        for k in range(10)
        if state.cop_at[k] != NONE and DISTANCE[state.cop_at[k], node] <= 6
    ]
    if state.c_at != NONE and DISTANCE[state.c_at, node] <= 6:
        dice.append(int(state.c_strength))
    return sum(dice)


def progress(state, gang):
    """A rival's way to victory: joints or one colour; its cash is not known."""
    joints = int((state.owner == gang).sum()) / JOINTS_TO_WIN
    return min(max(joints, *(share(state, gang, colour) for colour in range(GRAY))), 1.0)


def wanted_of_piece(state, there):
    """What is shown of a piece that may go to these nodes."""
    seat = state.seat
    free = [n for n in there if n >= STREETS and owner(state, n) == NONE]
    paid = [n for n in free if buys(state, n)]
    own = [n for n in there if owner(state, n) == seat]
    rivals = [n for n in there if owner(state, n) not in (NONE, seat, POLICE)]
    others = [g for g in range(state.gangs) if g != seat]
    met = {piece: [g for g in others if state.at[g, piece] in there] for piece in (R, T, V)}
    crowd = [members(state, n, lambda g, p: g != seat and p != V) for n in there]
    return {
        PIECE_ENDS.ends: bool(there),
        PIECE_ENDS.joint: max((PRICE[n - STREETS] / 600 for n in free if joint(n)), default=0),
        PIECE_ENDS.affordable: max((PRICE[n - STREETS] / 600 for n in paid), default=0),
        PIECE_ENDS.colour: max((share(state, seat, COLOUR[n - STREETS]) for n in paid), default=0),
        PIECE_ENDS.rise: max((worth(state, n) for n in own if rises(state, n)), default=0),
        PIECE_ENDS.extort: bool(free),
        PIECE_ENDS.own: bool(own),
        PIECE_ENDS.seduce: bool(met[R]),
        PIECE_ENDS.seduce + 1: bool(met[T]),
        PIECE_ENDS.leader: max(
            (progress(state, g) for g in {*met[R], *met[T], *met[V]}), default=0
        ),
        PIECE_ENDS.members: max(crowd, default=0) / 9,
        PIECE_ENDS.worth: max((worth(state, n) for n in rivals), default=0),
        PIECE_ENDS.headquarters: any(owner(state, n) == POLICE for n in there),
        PIECE_ENDS.safest: min((police_near(state, n) for n in there), default=0) / 9,
    }


@pytest.mark.rule("G-23.1", "G-5.2", "G-5.3")
def test_the_best_that_pieces_may_reach():
    compared = dict.fromkeys(
        ("joint", "affordable", "rise", "seduce", "leader", "worth", "headquarters", "safest"), 0
    )
    for state in states(range(4), MOVE):
        if state.seat == POLICE:
            continue
        shown = rows(state, AT.piece_ends, 3, PIECE_ENDS_SIZE)
        for piece in (R, T, V):
            node = state.at[state.seat, piece]
            there = []
            if node != NONE and not state.acted[state.seat, piece]:
                came, die = state.came[state.seat, piece], state.dice[piece]
                there = ends(BY_SUBWAY, node, came, die)
                price = PRICE[node - STREETS] / 600 if buys(state, node) else 0
                assert shown[piece, PIECE_ENDS.buys_here] == pytest.approx(price)
                assert shown[piece, PIECE_ENDS.rises_here] == rises(state, node)
            for field, number in wanted_of_piece(state, there).items():
                assert shown[piece, field] == pytest.approx(float(number)), field
            for name in compared:
                compared[name] += shown[piece, getattr(PIECE_ENDS, name)] > 0
    assert min(compared.values()) > 5, compared


@pytest.mark.rule("G-23.1", "G-6.8")
def test_the_ends_of_the_piece_that_moves_are_those_of_the_steps_that_are_left():
    compared = 0
    for state in states(range(3), DEST):
        if not 1 <= state.steps <= 6 or state.node == NONE:
            continue
        transfers = ON_FOOT if state.transferred else BY_SUBWAY
        there = ends(transfers, state.node, state.facing, state.steps)
        shown = rows(state, AT.piece_ends, 3, PIECE_ENDS_SIZE)[state.piece]
        for field, number in wanted_of_piece(state, there).items():
            assert shown[field] == pytest.approx(float(number)), field
        assert shown[PIECE_ENDS.buys_here] == shown[PIECE_ENDS.rises_here] == 0
        compared += bool(there)
    assert compared > 50


@pytest.mark.rule("G-23.1", "G-10.1")
def test_the_joints_that_publics_leave_and_may_reach():
    own = here = 0
    for state in states(range(6), MOVE, PUBLIC_DEST):
        moving = state.piece if state.phase == PUBLIC_DEST else NONE
        for public, shown in enumerate(rows(state, AT.public_ends, 4, PUBLIC_ENDS_SIZE)):
            at, die = state.public_at[public], int(state.dice[3])
            there = []
            if public == moving:
                if 1 <= state.steps <= 6 and state.node != NONE:
                    there = ends(ON_FOOT, state.node, state.facing, state.steps)
            elif at != NONE and not state.public_moved[public]:
                there = ends(ON_FOOT, at, state.public_came[public], die)
            elif at == NONE and state.active != POLICE and not state.new_public:
                there = ends(ON_FOOT, SUBWAYS[die - 1], NONE, die - 1)
            mine = [n for n in there if joint(n) and owner(state, n) == state.seat]
            now = worth(state, at) if at != NONE and joint(at) and owner(state, at) != NONE else 0
            is_mine = at != NONE and owner(state, at) == state.seat
            assert shown[PUBLIC_ENDS.ends] == bool(there)
            best = max((worth(state, n) for n in mine), default=0)
            assert shown[PUBLIC_ENDS.own] == pytest.approx(best)
            assert shown[PUBLIC_ENDS.own_here] == pytest.approx(now if is_mine else 0)
            assert shown[PUBLIC_ENDS.rival_here] == pytest.approx(0 if is_mine else now)
            own += bool(mine)
            here += now > 0
    assert min(own, here) > 20


def wanted_of_police(state, there):
    """What is shown of an officer, or the Commissioner, who may go to these nodes."""
    seat, crimes = state.seat, state.criminal
    lit = [n for n in there if joint(n) and owner(state, n) != NONE and state.lit[n - STREETS]]
    raids = [worth(state, n) for n in lit if owner(state, n) != seat]
    own = [worth(state, n) for n in lit if owner(state, n) == seat]
    rivals = [members(state, n, lambda g, p: g != seat and crimes[g, p]) for n in there]
    mine = [members(state, n, lambda g, p: g == seat and crimes[g, p]) for n in there]
    return {
        POLICE_ENDS.ends: bool(there),
        POLICE_ENDS.raid: max(raids, default=0),
        POLICE_ENDS.own_lit: max(own, default=0),
        POLICE_ENDS.criminals: max(rivals, default=0) / 9,
        POLICE_ENDS.own_criminals: max(mine, default=0) / 9,
        POLICE_ENDS.unowned: any(owner(state, n) == NONE for n in there if n >= STREETS),
    }


@pytest.mark.rule("G-23.1")
def test_what_officers_and_the_commissioner_may_find():
    compared = dict.fromkeys(("raid", "own_lit", "criminals", "own_criminals", "unowned"), 0)
    commissioner = 0
    for played in states(range(8), MOVE, COP_DEST, COMM_DEST):
        # Crimes are rare in random games.
        state = GAME.clone(played)
        state.lit[(state.owner != NONE) & (state.owner != POLICE)] = 1
        state.criminal[:, T] = state.at[:, T] != NONE
        shown = rows(state, AT.police_ends, 11, POLICE_ENDS_SIZE)
        for row in range(11):
            there = []
            moves = state.phase == (COMM_DEST if row == 10 else COP_DEST)
            if moves and row in (10, state.piece):
                if 1 <= state.steps <= 6 and state.node != NONE:
                    foot = row < 10 or state.transferred
                    transfers = ON_FOOT if foot else BY_SUBWAY
                    there = ends(transfers, state.node, state.facing, state.steps)
            elif row < 10:
                if state.cop_at[row] != NONE and not state.cop_done[row]:
                    at, came = state.cop_at[row], state.cop_came[row]
                    there = ends(ON_FOOT, at, came, state.dice[4])
            elif state.active == POLICE and state.c_at != NONE and not state.moved_c:
                there = ends(BY_SUBWAY, state.c_at, state.c_came, state.dice[0])
            want = wanted_of_police(state, there)
            for field, number in want.items():
                assert shown[row, field] == pytest.approx(float(number)), (row, field)
            commissioner += row == 10 and bool(there)
            for name in compared:
                compared[name] += shown[row, getattr(POLICE_ENDS, name)] > 0
    assert min(*compared.values(), commissioner) > 5, (compared, commissioner)


def test_nothing_is_shown_before_the_dice_are_rolled():
    rolled = run(scene("Red.T 3@J31!", "joint J31:Red:4c", phase="MOVE", dice="1/2/3/4/5"))
    first, last = AT.piece_ends, AT.police_ends + 11 * POLICE_ENDS_SIZE
    assert GAME.observe(rolled, 0)[first:last].any()
    rolled.dice[:] = 0
    assert not GAME.observe(rolled, 0)[first:last].any()


def test_only_the_gang_whose_turn_it_is_sees_the_ends_of_its_pieces():
    state = run(scene(phase="MOVE", dice="4/4/4/4/5"))
    size = 3 * PIECE_ENDS_SIZE
    shown = [GAME.observe(state, seat)[AT.piece_ends : AT.piece_ends + size] for seat in range(5)]
    assert shown[0].reshape(3, -1)[:, PIECE_ENDS.ends].all()
    assert not any(numbers.any() for numbers in shown[1:])
