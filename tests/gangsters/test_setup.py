"""Overview, components and set-up (G-1, G-2, G-3; G-X01 to G-X04)."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.gangsters.data import BOARD, DATA, NODE_NAMES, SUBWAYS
from gangland.envs.gangsters.state import NONE

from .scenes import (
    GAME,
    cash,
    chance,
    commissioner,
    gos,
    joint,
    legal,
    phase,
    piece,
    play,
    run,
    scene,
    seat,
    setup_scene,
)

PRICES = {code: entry["price"] for entry in BOARD["buildings"].values() for code in [entry["code"]]}
TWELVE = (
    "J10:Red", "J39:Green", "J38:Yellow", "J37:Brown",
    "J23:Red", "J36:Green", "J35:Yellow", "J34:Brown",
    "J31:Red", "J33:Green", "J32:Yellow", "J22:Brown",
)  # fmt: skip


def ns(state):
    return [text for text in legal(state) if text.startswith("n ")]


@pytest.mark.rule("G-1.1", "G-1.2", "G-19.1", "G-19.2")
def test_the_flagship_is_four_gangs_and_the_police():
    state = GAME.new_state(0)
    assert GAME.num_seats(state) == 5
    chosen = GAME.options.resolve({})
    assert GAME.agent_names(chosen) == ("gang_0", "gang_1", "gang_2", "gang_3", "police")
    for gangs in (2, 3, 4):
        chosen = GAME.options.resolve({"gangs": gangs, "police": False})
        assert GAME.agent_names(chosen) == tuple(f"gang_{k}" for k in range(gangs))
        assert GAME.num_seats(GAME.new_state(0, gangs=gangs, police=False)) == gangs


@pytest.mark.rule("G-1.4", "G-2.19")
def test_reconstructions_say_so_in_the_files():
    assert "RECONSTRUCTION" in BOARD["note"]
    assert {entry["name_source"] for entry in BOARD["buildings"].values()} == {"F", "R"}
    for table in ("guard_hit_min", "crime_level", "forced_sale", "actions_per_turn", "trade"):
        assert "R" in DATA[table]["basis"]
    assert "R" in DATA["officers_basis"]
    assert "guard_dice R" in DATA["joint_colours_basis"]


@pytest.mark.rule("G-3.1", "G-2.15", "G-2.18")
def test_the_board_is_empty_at_first():
    state = GAME.new_state(4)
    assert phase(state) == "PICK"
    assert (state.cop_at == NONE).all()
    assert (state.public_at == NONE).all()
    assert (state.holder == NONE).all()
    assert (state.chit_slot == NONE).all()
    assert (state.owner == NONE).all()
    assert not state.informant.any()
    assert len(state.holder) == 9
    assert len(state.pawns) == 4


@pytest.mark.rule("G-3.2")
def test_purchase_order_is_a_random_permutation():
    orders = {tuple(GAME.new_state(seed).order.tolist()) for seed in range(300)}
    assert len(orders) == 24


@pytest.mark.rule("G-3.3", "G-X01", "G-2.5")
def test_joint_picks():
    state = setup_scene()
    play(state, "go J01")
    order = [seat(state)]
    for code in ("J16", "J17", "J18"):
        play(state, f"go {code}")
        order.append(seat(state))
    assert order == ["Green", "Yellow", "Brown", "Red"]
    colours = {PRICES[code] for code in gos(state)}
    assert colours == {400, 300, 200, 100}
    play(state, "go J10", "go J19", "go J20", "go J21")
    assert seat(state) == "Red"
    assert {PRICES[code] for code in gos(state)} == {100}
    assert joint(state, "J01") == "Red:1"


@pytest.mark.rule("G-X02", "G-20.1", "G-3.4")
def test_cheapest_joint_when_none_is_affordable():
    brown = [f"J{n}" for n in range(31, 40)]
    owners = ("Green", "Yellow", "Brown")
    rounds = [f"{code}:{owners[k % 3]}" for k, code in enumerate(brown)]
    picks = [*rounds, "J01:Red", "J10:Red"]
    state = setup_scene(*picks, order="Green,Yellow,Brown,Red")
    assert joint(state, "J23") == "Red:1"
    assert cash(state, "Red") == 1800
    assert cash(state, "Green") == 1100 - 300 + 1900
    assert (phase(state), seat(state)) == ("SET_R", "Green")


@pytest.mark.rule("G-X03", "G-3.5", "G-2.8", "G-2.10")
def test_gang_purchase():
    state = setup_scene(*TWELVE)
    assert (phase(state), seat(state), cash(state, "Red")) == ("SET_R", "Red", 2300)
    assert ns(state) == [f"n {n}" for n in range(1, 7)]
    six = GAME.clone(state)
    play(six, "n 6")
    assert (seat(six), cash(six, "Red")) == ("Green", 0)
    assert six.strength[0].tolist() == [6, 1, 1]
    play(state, "n 5")
    assert (phase(state), cash(state, "Red")) == ("SET_T", 800)
    assert ns(state) == ["n 1", "n 2", "n 3"]
    play(state, "n 2")
    assert cash(state, "Red") == 400
    assert state.strength[0].tolist() == [5, 2, 1]


@pytest.mark.rule("G-2.10")
@pytest.mark.parametrize(
    ("strength", "cost"), [(1, 100), (2, 300), (3, 600), (4, 1000), (5, 1500), (6, 2100)]
)
def test_cost_of_a_strength(strength, cost):
    state = setup_scene(*TWELVE)
    before = cash(state, "Red")
    thug = 200 if strength == 6 else 0  # the only Thug that is left to buy, and the Vamp
    play(state, f"n {strength}")
    assert before - cash(state, "Red") == cost + thug


def until_police(state):
    while phase(state) in ("SET_R", "SET_T"):
        play(state, "n 2")
    return state


@pytest.mark.rule("G-X04", "G-3.6", "G-2.17")
def test_commissioner_purchase():
    state = until_police(setup_scene(*TWELVE))
    assert (phase(state), seat(state)) == ("SET_C", "Police")
    assert ns(state) == legal(state) == [f"n {n}" for n in range(1, 6)]
    play(state, "n 5")
    assert (cash(state, "Police"), commissioner(state)) == (200, "5@-")
    assert "Police" not in {joint(state, f"G{n:02}") for n in range(1, 13)}


@pytest.mark.rule("G-3.7", "G-3.8", "G-3.9", "G-2.9")
@pytest.mark.parametrize("face", [1, 4, 6])
def test_placing_and_the_commissioners_subway(face):
    state = until_police(setup_scene(*TWELVE))
    play(state, "n 3")
    places = []
    owned = (("J10", "J23", "J31"), ("J39", "J36", "J33"), ("J38", "J35", "J32"),
             ("J37", "J34", "J22"))  # fmt: skip
    for side, codes in zip(("Red", "Green", "Yellow", "Brown"), owned, strict=True):
        assert (phase(state), seat(state)) == ("PLACE", side)
        assert gos(state) == set(codes)
        assert not state.revealed
        places += [codes[0], codes[0], codes[2]]
        if side == "Brown":
            chance(state, face)
        play(state, *(f"go {code}" for code in places[-3:]))
    assert state.revealed
    assert piece(state, "Red.R") == "2@J10"
    assert piece(state, "Red.V") == "1@J31"
    assert commissioner(state) == f"3@{NODE_NAMES[SUBWAYS[face - 1]]}"
    assert not state.criminal.any()
    assert state.round_number == 1
    assert cash(state, "Police") == 1700 - 600


@pytest.mark.rule("G-3.9")
def test_no_salary_before_the_first_cop_turn():
    state = run(scene(phase="MOVE", pawns="Green"), "end")
    assert cash(state, "Police") == 700


@pytest.mark.rule("G-2.7", "G-2.12", "G-2.16", "G-2.13")
def test_sides_dice_publics_and_levels():
    state = GAME.new_state(1)
    assert [GAME.seat_name(state, k) for k in range(5)] == [
        "Red", "Green", "Yellow", "Brown", "Police",
    ]  # fmt: skip
    assert state.dice.shape == (5,)
    assert state.public_at.shape == (4,)
    assert DATA["informant"]["chits"] == ["x1", "x2", "x3"]
    assert {p["id"]: (p["value"], p["chit"]) for p in DATA["publics"]} == {
        "x1a": (1, "x1"), "x1b": (1, "x1"), "x2": (2, "x2"), "x3": (3, "x3"),
    }  # fmt: skip
    assert DATA["joint_level_max"]["value"] == 9


@pytest.mark.rule("G-17.1")
def test_chance_is_uniform():
    rng = np.random.default_rng(7)
    starts = []
    for seed in range(120):
        state = GAME.new_state(seed)
        while not state.revealed:
            GAME.apply(state, int(rng.choice(GAME.legal_actions(state))))
        starts.append((int(state.c_at), int(state.active)))
    for column in zip(*starts, strict=True):
        counts = np.unique(column, return_counts=True)[1]
        expected = 120 / len(counts)
        chi = float(((counts - expected) ** 2 / expected).sum())
        assert len(counts) in (4, 6)
        assert chi < 24  # 0.9998 quantile of chi-square with five degrees of freedom


@pytest.mark.rule("G-17.1")
def test_a_draw_from_one_item_is_no_chance_event():
    state = run(scene(phase="MOVE", pawns="Green", police=False))
    play(chance(state, 3, 1, 4, 1, 5), "end", "end")
    assert state.dice.tolist() == [3, 1, 4, 1, 5]


@pytest.mark.rule("G-3.1")
@pytest.mark.parametrize("police", [True, False])
def test_everything_begins_off_the_board_and_in_its_cup(police):
    state = GAME.new_state(3, police=police)
    for field in ("at", "came", "owner", "cop_at", "cop_came", "cop_mover", "cop_share", "holder",
                  "slot_of", "slot_seat", "public_at", "public_came", "chit_slot", "c_at", "c_came",
                  "fight", "sharer", "mover", "asked", "active"):  # fmt: skip
        assert (state[field] == -1).all(), field
    assert state.cash.tolist() == [0, 0, 0, 0, 1700 * police]
