"""What an observation holds of buildings: whose, who stands there, who may go there."""

import numpy as np
import pytest

from gangland.envs.gangsters import actions as act
from gangland.envs.gangsters.data.reach import BY_SUBWAY, FIRST_NODES, ON_FOOT, REACH
from gangland.envs.gangsters.data.tables import BUILDINGS, NEIGHBOURS, NODE_NAMES, STREETS
from gangland.envs.gangsters.observation.layout import AT, BUILDING, BUILDING_SIZE
from gangland.envs.gangsters.state import (
    COMM_DEST,
    COP_DEST,
    DEST,
    GANGS,
    MOVE,
    NONE,
    POLICE,
    PUBLIC_DEST,
)

from .scenes import GAME, run, scene
from .test_movement import walks
from .test_play import walk


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


def ends(state):
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
                assert reached(state) & set(np.flatnonzero(owned)) == ends(state)
            else:
                # The rules also know walks through buildings of one's own.
                assert reached(state) <= ends(state)
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
            assert ends(state) <= set(np.flatnonzero(column(alone, BUILDING.reach_officers)))
            compared += len(ends(state))
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
