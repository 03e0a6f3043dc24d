"""The observation (section 19), against one written again from the specification's table."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.chicago import state as s
from gangland.envs.chicago.data import FULL_DECK, POINTS

from .scenes import GAME, all_walks, drawing, play, rolling, scene

BLOCKS = (
    *(("hand", 12), ("seats", 102), ("discards", 12), ("pile", 1), ("unowned", 12)),
    *(("unseen", 12), ("phase", 6), ("payment", 3), ("flipped", 12), ("target", 12)),
    *(("joker", 2), ("turns", 1), ("options", 3)),
)


def blocks(observation):
    """The observation cut into the blocks of the table."""
    found, at = {}, 0
    for name, size in BLOCKS:
        found[name] = observation[at : at + size]
        at += size
    assert at == len(observation) == 190
    return found


def one_hot(size, index):
    return np.eye(size)[index] if index >= 0 else np.zeros(size)


def expected(state, seat):
    """Section 19's table, block by block."""
    n = int(state.num_seats)
    deciding = state.seat == seat and not state.over
    laid = np.zeros(12)
    laid[:9] = state.payment
    on_table = laid * deciding + one_hot(12, int(state.joker))
    owner = state.owner.astype(int)
    seats = np.zeros((6, 17))
    for k in range(n):
        other = (seat + k) % n
        size = state.hands[other].sum() + (laid.sum() if state.seat == other != seat else 0)
        mine = owner == other
        seats[k] = [1, size / 13, state.men[other] / 5, *mine, POINTS[mine].sum() / 120, 0]
        seats[k, 16] = state.current == other
    unowned = (owner == s.NONE) & (np.arange(12) != state.flipped)
    price = [state.price / 60, state.paid / 60, state.last_paid / 10] if deciding else [0, 0, 0]
    return {
        "hand": state.hands[seat] / 4,
        "seats": seats.ravel(),
        "discards": state.discards / 4,
        "pile": (state.pile.sum() + unowned.sum()) / 54,
        "unowned": unowned,
        "unseen": (FULL_DECK - state.hands[seat] - state.discards - on_table) / 4,
        "phase": one_hot(6, int(state.phase) if deciding else -1),
        "payment": price,
        "flipped": one_hot(12, int(state.flipped)),
        "target": one_hot(12, int(state.target)),
        "joker": one_hot(2, int(state.joker) - s.RED_JOKER if state.joker >= 0 else -1),
        "turns": state.turns / state.turn_cap,
        "options": [state.bribe_price / 60, state.hand_limit / 10, state.deck_end],
    }


@pytest.mark.rule("CU-19.1", "CU-13.2")
def test_every_number_of_the_observation():
    phases = set()
    for number, (_, _, state) in enumerate(all_walks(games=1)):
        paying = state.paid > 0 or state.joker != s.NONE
        if number % 7 and not paying and not state.over:
            continue
        phases.add(GAME.phases[state.phase])
        for seat in range(state.num_seats):
            found = blocks(GAME.observe(state, seat))
            for name, values in expected(state, seat).items():
                np.testing.assert_allclose(found[name], values, atol=1e-6, err_msg=name)
    assert phases == set(GAME.phases)


@pytest.mark.rule("CU-19.1")
def test_self_comes_first_and_absent_seats_are_zero():
    state = scene(n=3, hands={0: "2", 1: "33", 2: "444"}, men={0: 1, 1: 2, 2: 3}, own={2: "KS"})
    rows = blocks(GAME.observe(state, 1))["seats"].reshape(6, 17)
    assert rows[:, 0].tolist() == [1, 1, 1, 0, 0, 0]
    np.testing.assert_allclose(rows[:3, 1] * 13, [2, 3, 1], atol=1e-5)
    np.testing.assert_allclose(rows[:3, 2] * 5, [2, 3, 1], atol=1e-5)
    assert rows[1, 3 + 2] == 1
    assert rows[:, 16].tolist() == [0, 0, 1, 0, 0, 0]
    assert not rows[3:].any()


@pytest.mark.rule("CU-19.1", "CU-13.4")
def test_phase_and_payment_are_seen_by_the_deciding_seat_alone():
    paying = play(drawing("JH", hands={0: "2789"}), "pay 9")
    hiring = rolling([2], "hire", hands={0: "349"})
    bribed = play(scene({"bribe": 25}, hands={0: "B", 1: "369T"}, own={1: "KH"}), "mob KH")
    for state, phase in ((paying, s.PAY_TERR), (hiring, s.PAY_HIRE), (bribed, s.BRIBE)):
        for seat in range(5):
            found = blocks(GAME.observe(state, seat))
            if seat == state.seat:
                assert found["phase"].argmax() == phase
                assert found["payment"][0] > 0
            else:
                assert not found["phase"].any()
                assert not found["payment"].any()
    # A flipped territory and an announced joker are seen by all (CU-13.4).
    assert blocks(GAME.observe(paying, 3))["flipped"][3] == 1
    assert blocks(GAME.observe(bribed, 3))["target"][5] == 1
    assert blocks(GAME.observe(bribed, 3))["joker"].tolist() == [0, 1]
