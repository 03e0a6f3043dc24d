"""An observation's numbers about attacks are those that the rules then ask for."""

import numpy as np
import pytest

from gangland.envs import load
from gangland.envs.crime_lords.actions import CROOK_AT, HIT_AT, RACKET_AT, REC_AT, TAKE_AT
from gangland.envs.crime_lords.observation.layout import AT, PRIZE, PRIZE_SIZE, TARGET, TARGET_SIZE
from gangland.envs.crime_lords.state import CENTRE, CROOKS, HIT, LEADER, MAIN, RACKETS

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
