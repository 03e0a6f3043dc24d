"""Success numbers, incomes and counts: the tables E-01, E-25 and E-32, and CL-20.1 to CL-20.3.

An observation's numbers about attacks are those that the rules then ask for.
"""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs import load
from gangland.envs.core.kernel import kernel
from gangland.envs.core.state import State
from gangland.envs.crime_lords.actions import CROOK_AT, HIT_AT, RACKET_AT, REC_AT, TAKE_AT
from gangland.envs.crime_lords.observation.layout import AT, PRIZE, PRIZE_SIZE, TARGET, TARGET_SIZE
from gangland.envs.crime_lords.rules.mob.derived import (
    count_gain,
    refresh_counts,
    refresh_rackets,
)
from gangland.envs.crime_lords.state import CENTRE, CROOKS, HIT, LEADER, MAIN, RACKETS, int64

from .scenes import legal, play, scene

NUMBERS = (
    "CL1 n=3 v=short A=0 ph=MAIN | 0=M8/30/C01t(E:C05t(E:C17t),W:C09t)/CAS-N,CAS-E,NUM-N,GNG-Nt/-"
    " | 1=M1/30/C02t(N:C07t(N:C10u1t(N:C32)),E:C16t,S:C04t)/CAS-S,FCL-N,LSH-N,COP-Nt/-"
    " | 2=M4/30/C03t(E:C20t)/SMG-S/- | centre=C27,CHP-N,GNG-E,U-C2 | disc=-"
)


@pytest.mark.rule(
    "CL-9.4", "CL-9.10", "CL-9.11", "CL-10.2", "CL-10.3", "CL-10.4", "CL-10.5", "CL-10.6",
    "CL-11.1", "CL-11.3", "CL-11.4", "CL-11.5", "CL-12.3", "CL-12.4", "CL-12.5",
)  # fmt: skip
@pytest.mark.parametrize(
    ("announcement", "leader", "number"),
    [
        ("REC C10", "C05", 2),
        ("REC C10", "C01", 5),
        ("REC C16", "C01", -18),
        ("REC C27", "C09", 3),
        ("REC C20", "C01", -7),
        ("HIT C16", "C01", 8),
        ("HIT C02", "C01", -12),
        ("HIT C07", "C01", -2),
        ("HIT C10", "C05", 0),
        ("HIT C32", "C17", 11),
        ("HIT C27", "C17", 10),
        ("TAKE CHP-N", "C05", 7),
        ("TAKE FCL-N", "C05", 2),
        ("TAKE CAS-S", "C05", 3),
        ("TAKE U-C2", "C09", -2),
        ("TAKE GNG-E", "C17", 5),
    ],
)
def test_success_numbers(game, announcement, leader, number):
    state = scene(game, NUMBERS)
    play(game, state, f"0>{announcement}")
    if int(state.leader) < 0:
        play(game, state, f"0>{leader}")
    assert state.number == number


@pytest.mark.rule("CL-10.1", "CL-5.1", "CL-5.8", "CL-11.2", "CL-12.1")
def test_leaders_and_targets(game):
    state = scene(game, NUMBERS)
    assert "REC C02" not in legal(game, state)
    play(game, state, "0>TAKE CHP-N")
    assert legal(game, state) == {"C01", "C05", "C17", "C09"}
    state = scene(game, NUMBERS)
    play(game, state, "0>REC C04")
    # Only Boss C01 (6 + 2) is stronger than C04 (5): the choice is made for him.
    assert game.action_text(state, int(state.leader) + 144) == "C01"
    assert [int(i) for i in state.mob_income[:3]] == [13, 13, 5]
    state = scene(game, NUMBERS)
    play(game, state, "0>HIT C05")
    assert game.phases[int(state.phase)] == "LEADER"
    assert legal(game, state) == {"C01", "C17", "C09"}  # nobody attacks himself


@pytest.mark.rule("CL-12.1")
def test_the_only_crook_with_a_token_is_no_target_of_his_own(game):
    position = (
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/0/C02{}(E:C05t)/-/- | 1=M8/0/C01(E:C10)/-/- "
        "| centre=C27 | disc=-"
    )
    hits = {"HIT C01", "HIT C10", "HIT C27"}
    alone = legal(game, scene(game, position.format("")))
    assert {a for a in alone if a.startswith("HIT")} == hits
    both = legal(game, scene(game, position.format("t")))
    assert {a for a in both if a.startswith("HIT")} == hits | {"HIT C05"}


@pytest.mark.rule("CL-11.2")
def test_city_hall_leads_takeovers_of_precincts(game):
    position = (
        "CL1 n=2 v=short A=0 ph=MAIN | 0=M1/0/C05/U-C1{}/- | 1=M8/0/C02t/COP-S/- "
        "| centre=COP-N,CAS-N | disc=-"
    )
    with_token = legal(game, scene(game, position.format("t")))
    assert {a for a in with_token if a.startswith("TAKE")} == {"TAKE COP-N", "TAKE COP-S"}
    without = legal(game, scene(game, position.format("")))
    assert not any(a.startswith("TAKE") for a in without)


@pytest.mark.rule("CL-7.3", "CL-7.4", "CL-7.5", "CL-2.15")
@pytest.mark.parametrize(
    ("rackets", "mob", "crook", "income"),
    [
        ("CAS-N,LSH-N,GNG-N", "M1", "C01", 12),
        ("NUM-N,NUM-S,NUM-E", "M1", "C01", 11),
        ("NUM-N,NUM-S,NUM-E", "M1", "C11", 14),
        ("FCL-N,NUM-N", "M1", "C01", 7),
        ("CAS-S,NUM-S,GNG-S,U-S1", "M4", "C01", 17),
        ("U-S2,SMG-N,SMG-S,SMG-W", "M1", "C01", 19),
        ("U-E1,SMG-E", "M1", "C01", 10),
        ("LSH-C,GNG-Cx", "M1", "C01", 5),
    ],
)
def test_income(game, rackets, mob, crook, income):
    state = scene(
        game,
        f"CL1 n=2 v=short A=0 ph=START | 0={mob}/50/{crook}/{rackets}/- | 1=M8/50/C02/-/- "
        "| centre=C27,C28,C29,C30 | disc=- | deck=C31",
    )
    assert state.treasury[0] == 50 + income - int(state.due[0])
    assert not state.blocked.any()


SIX = "CAS-N,CAS-S,CAS-E,NUM-N,LSH-N,SMG-N"


@pytest.mark.rule("CL-20.1", "CL-20.2", "CL-20.3", "CL-2.5")
@pytest.mark.parametrize(
    ("one", "two", "centre", "count"),
    [
        ("NUM-S,CHP-S,FCL-N", "-", "-", 9),
        ("NUM-S,CHP-N,FCL-N", "-", "-", 7),
        ("NUM-S,CHP-S,FCL-N", "CAS-W", "-", 8),
        ("FCL-N", "CHP-N", "-", 9),
        ("-", "-", "CAS-W,CHP-N,FCL-N", 9),
    ],
)
def test_count(game, one, two, centre, count):
    line = (
        "CL1 n=3 v=short A=0 ph=MAIN{} | 0=M1/9/C01/" + SIX + f"/- | 1=M2/9/C02/{one}/- "
        f"| 2=M3/9/C03/{two}/- | centre={centre} | disc=-"
    )
    assert game.parse_position(line.format("")).count[0] == count
    assert game.parse_position(line.format(" bonus_counts=false")).count[0] == 6


# --- by how much a Racket raises a count, against the counts before and after ---------------------

DEALS = 40


@kernel
def recount(state: State) -> None:
    """Work the counts of all seats out from who holds which Racket."""
    for seat in range(state.num_seats):
        refresh_rackets(state, seat)
    refresh_counts(state)


@kernel
def gain_of(state: State, seat: int, racket: int) -> int:
    """Leaf kernels can only be called by kernels."""
    return int64(count_gain(state, seat, racket))


def count(state):
    """The counts of all seats."""
    recount(state)
    return state.count.copy()


@pytest.mark.rule("CL-20.1", "CL-20.2", "CL-20.3")
@pytest.mark.parametrize("bonus_counts", [True, False])
def test_what_a_racket_adds_to_a_count(game, bonus_counts):
    """Rackets are dealt at random, most to seat 0; it then takes each of the others."""
    rng = np.random.default_rng(6)
    gains = set()
    for _ in range(DEALS):
        state = game.new_state(1, players=3, bonus_counts=bonus_counts)
        state.racket_loc[:] = rng.choice(
            [-1, 0, 1, 2], len(state.racket_loc), p=[0.3, 0.4, 0.2, 0.1]
        )
        before = count(state)
        for racket in np.flatnonzero(state.racket_loc != 0):
            after = game.clone(state)
            after.racket_loc[racket] = 0
            gain = int(count(after)[0] - before[0])
            assert gain_of(state, 0, int(racket)) == gain
            gains.add(gain)
    assert gains == ({1, 2, 3, 4} if bonus_counts else {1})


# --- observations ---------------------------------------------------------------------------------


GAME = load("crime_lords")
TWELFTHS = 12


def walk(seed, **options):
    """Positions of a random game."""
    rng = np.random.default_rng(seed)
    state = GAME.new_state(seed, **options)
    while not state.over:
        yield state
        GAME.apply(state, int(rng.choice(GAME.legal_actions(state))))


def row(state, seat, first, size, card):
    """A card's row: float32 ``(size,)``."""
    at = first + size * card
    return GAME.observe(state, seat)[at : at + size]


def target(state, crook):
    return row(state, int(state.seat), AT.targets, TARGET_SIZE, crook)


def prize(state, racket):
    return row(state, int(state.seat), AT.prizes, PRIZE_SIZE, racket)


def best_leader(state):
    """The strongest own Crook with a token."""
    own = [c for c in range(CROOKS) if state.crook_loc[c] == state.seat and state.token[c]]
    return max(own, key=lambda c: (int(state.strength[c]), -c), default=None)


def scaled(number):
    """A number to roll as an observation holds it."""
    return min(4.0, max(-4.0, int(number) / TWELFTHS))


def announced(state, action, leader):
    """The position after an attack has been announced with this leader."""
    after = GAME.clone(state)
    GAME.apply(after, action)
    if after.phase == LEADER and after.seat == state.seat:
        lead = CROOK_AT + leader
        assert lead in GAME.legal_actions(after)
        GAME.apply(after, lead)
    return after


@pytest.mark.parametrize("seed", range(3))
def test_the_number_observed_is_the_number_asked_for(seed):
    compared = {REC_AT: 0, HIT_AT: 0, TAKE_AT: 0}
    for k, state in enumerate(walk(seed, players=4)):
        if state.phase != MAIN or k % 5:
            continue
        leader = best_leader(state)
        legal = GAME.legal_actions(state)
        for first, count, kind, field in (
            (REC_AT, CROOKS, target, TARGET.recruit),
            (HIT_AT, CROOKS, target, TARGET.hit),
            (TAKE_AT, RACKETS, prize, PRIZE.take),
        ):
            cards = [a - first for a in legal if first <= a < first + count]
            for card in cards[:4]:
                if leader is None or (first != TAKE_AT and state.crook_loc[card] == state.seat):
                    continue
                after = announced(state, first + card, leader)
                if after.attacking and after.leader == leader:
                    assert kind(state, card)[field] == pytest.approx(scaled(after.number))
                    compared[first] += 1
    assert min(compared.values()) > 5


def test_each_leader_has_his_number():
    compared = 0
    for state in (state for seed in range(6) for state in walk(seed, players=4)):
        if state.phase != LEADER or (state.kind == HIT and state.owner == state.seat):
            continue
        for action in GAME.legal_actions(state):
            after = GAME.clone(state)
            GAME.apply(after, action)
            if not after.attacking or after.attacks != state.attacks:
                continue
            if CROOK_AT <= action < CROOK_AT + CROOKS:
                seen = target(state, action - CROOK_AT)[TARGET.lead]
            elif RACKET_AT <= action < RACKET_AT + RACKETS:
                seen = prize(state, action - RACKET_AT)[PRIZE.lead]
            else:
                continue
            assert seen == pytest.approx(scaled(after.number))
            compared += 1
    assert compared > 30


def test_who_holds_what_is_seen_from_ones_own_seat():
    for k, state in enumerate(walk(2, players=3)):
        if k % 50:
            continue
        for crook in range(CROOKS):
            loc = int(state.crook_loc[crook])
            seen = target(state, crook)
            held = [bool(seen[k]) for k in (TARGET.own, TARGET.rival, TARGET.centre)]
            assert held == [loc == state.seat, loc >= 0 and loc != state.seat, loc == CENTRE]


def test_numbers_stand_in_ones_own_turn_alone():
    for k, state in enumerate(walk(4, players=4)):
        if state.phase != MAIN or k % 20:
            continue
        for seat in range(4):
            seen = GAME.observe(state, seat)[AT.prizes :].reshape(RACKETS, PRIZE_SIZE)
            others = state.racket_loc != state.seat
            rows = seen[others & ((state.racket_loc >= 0) | (state.racket_loc == CENTRE))]
            assert rows[:, PRIZE.gain].any() == (seat == state.seat)
