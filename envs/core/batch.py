"""Generic kernels over arrays of records: the games' rules come in as function arguments.

They work on rows ``first .. last - 1`` so that threads can share a batch; Numba's function types
keep them cached across processes at no cost in speed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types

from .codes import FITS, encode_row
from .compiling.lanes import OWN_CACHE, fetch_ahead
from .kernel import kernel
from .rng import mix, stream

LEGAL = -1
"""What ``first_illegal`` returns when every action is legal."""


@kernel
def first_illegal(masks: Any, actions: Any) -> int:
    """The first row whose action is outside its mask; ``LEGAL`` if there is none."""
    num_actions = masks.shape[1]
    for i in range(len(actions)):
        if actions[i] < 0 or actions[i] >= num_actions or not masks[i, actions[i]]:
            return i
    return LEGAL


@kernel
def look_batch(
    legal_actions: Any,
    observe: Any,
    states: Any,
    observations: Any,
    masks: Any,
    seats: Any,
    first: int,
    last: int,
) -> None:
    """Fill observation, mask and deciding seat of each table."""
    for i in range(first, last):
        seat = states[i].seat
        seats[i] = seat
        if seat >= 0:
            observe(states[i], seat, observations[i])
            legal_actions(states[i], masks[i])
        else:
            observations[i, :] = 0.0
            masks[i, :] = False


@kernel
def mask_batch(
    legal_actions: Any, states: Any, masks: Any, seats: Any, first: int, last: int
) -> None:
    """Fill mask and deciding seat of each table, as :func:`look_batch`, without observations."""
    for i in range(first, last):
        seat = states[i].seat
        seats[i] = seat
        if seat >= 0:
            legal_actions(states[i], masks[i])
        else:
            masks[i, :] = False


@kernel
def reset_batch(
    reset: Any,
    template: Any,
    states: Any,
    table_seeds: Any,
    episodes: Any,
    first: int,
    last: int,
) -> None:
    """Start the next game of each table: ``template[0]`` with the table's next seed."""
    for i in range(first, last):
        states[i] = template[0]
        reset(states[i], stream(table_seeds[i], episodes[i]))
        episodes[i] += 1


@kernel
def step_batch(
    apply: Any,
    legal_actions: Any,
    observe: Any,
    reset: Any,
    template: Any,
    states: Any,
    table_seeds: Any,
    episodes: Any,
    actions: Any,
    observations: Any,
    codes: Any,
    scales: Any,
    whole: Any,
    masks: Any,
    seats: Any,
    rewards: Any,
    dones: Any,
    truncations: Any,
    scores: Any,
    places: Any,
    lengths: Any,
    final_states: Any,
    truncating: int,
    first: int,
    last: int,
) -> int:
    """Play one legal decision at each table; finished tables start again at once.

    ``truncating`` is the bit set of the caps that pay nobody; ``final_states`` keeps the last
    position of games that end by one of them.

    Observations go to ``observations``, float32 ``(N, observation_size)``, if ``codes`` has no
    rows; else, as bytes, to ``codes``, uint8 ``(N, size)``. ``scales`` and ``whole`` are those of
    :class:`gangland.envs.core.codes.ObservationCodes`.

    Returns:
        A table whose observation cannot be coded; ``FITS`` if there is none.
    """
    wrong = FITS
    far = (last - first) * states.itemsize > OWN_CACHE
    numbers = np.empty(observations.shape[1], np.float32)
    for i in range(first, last):
        if far and i + 1 < last:
            fetch_ahead(states, i + 1)
            fetch_ahead(masks, i + 1)
        state = states[i]
        apply(state, actions[i])
        dones[i] = state.over != 0
        truncations[i] = False
        if state.over != 0:
            if truncating >> state.capped & 1:
                truncations[i] = True
                final_states[i] = state
            for seat in range(rewards.shape[1]):
                rewards[i, seat] = state.rewards[seat]
                scores[i, seat] = state.scores[seat]
                places[i, seat] = state.places[seat]
            lengths[i] = state.ply
            states[i] = template[0]
            reset(states[i], stream(table_seeds[i], episodes[i]))
            episodes[i] += 1
        else:
            rewards[i, :] = 0.0
        seat = states[i].seat
        seats[i] = seat
        if len(codes) == 0:
            observe(states[i], seat, observations[i])
        else:
            observe(states[i], seat, numbers)
            if not encode_row(numbers, scales, whole, codes[i]):
                wrong = i
        legal_actions(states[i], masks[i])
    return wrong


@kernel
def apply_batch(apply: Any, states: Any, actions: Any, first: int, last: int) -> None:
    """Play one decision at each table that is not over; no look, no new game."""
    for i in range(first, last):
        if states[i].over == 0:
            apply(states[i], actions[i])


@kernel
def legal_row(legal_actions: Any, states: Any, row: int, mask: Any) -> None:
    """Legal actions of one table."""
    legal_actions(states[row], mask)


@kernel
def observe_row(observe: Any, states: Any, row: int, seat: int, out: Any) -> None:
    """Observation of any seat at one table."""
    observe(states[row], seat, out)


@kernel
def observe_batch(observe: Any, states: Any, rows: Any, seats: Any, observations: Any) -> None:
    """Fill ``observations`` with what ``seats`` observe at the tables ``rows``."""
    for k in range(len(rows)):
        observe(states[rows[k]], seats[k], observations[k])


@kernel
def redact_batch(redact: Any, states: Any, rows: Any, seats: Any, known: Any) -> None:
    """Copy the records of ``rows`` to ``known``, without what their ``seats`` may not know."""
    for k in range(len(rows)):
        known[k] = states[rows[k]]
        redact(known[k], seats[k])


@kernel
def sample_legal(masks: Any, seeds: Any, actions: Any, first: int, last: int) -> None:
    """Uniform legal actions; advances each row's seed."""
    for i in range(first, last):
        seeds[i] += np.uint64(0x9E3779B97F4A7C15)
        actions[i] = pick_legal(masks[i], mix(seeds[i]))


@kernel
def random_rollout(
    apply: Any, legal_actions: Any, state: Any, mask: Any, seed: np.uint64, limit: int
) -> int:
    """Play uniform legal decisions until the game ends or ``limit`` of them; returns how many."""
    bits = np.uint64(seed)
    plies = 0
    while state.over == 0 and plies < limit:
        legal_actions(state, mask)
        bits += np.uint64(0x9E3779B97F4A7C15)
        apply(state, pick_legal(mask, mix(bits)))
        plies += 1
    return plies


@kernel(leaf=True)
def pick_legal(mask: Any, bits: np.uint64) -> int:
    """The legal action that 64 random bits choose; 0 if there is none, as after the end."""
    count = np.int32(0)
    for action in range(len(mask)):
        count = np.int32(count + mask[action])  # 32 bits: twice the lanes
    if count == 0:
        return 0
    left = np.int64(((bits >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))
    action = 0
    left -= mask[0]
    while left >= 0:  # no branch on the mask: nothing predicts it
        action += 1
        left -= mask[action]
    return action


_i8 = types.int64
_flags = types.Array(types.boolean, 1, "C")
_masks = types.Array(types.boolean, 2, "C")
_vector = types.Array(types.float32, 1, "C")
_vectors = types.Array(types.float32, 2, "C")
_ints = types.Array(types.int64, 1, "C")
_rewards = types.Array(types.float64, 2, "C")
_seeds = types.Array(types.uint64, 1, "C")
_scores = types.Array(types.int32, 2, "C")
_places = types.Array(types.int8, 2, "C")
_codes = types.Array(types.uint8, 2, "C")
_coding = (_vectors, _codes, _vectors, _ints)
"""Observations or their codes, and what they are coded by."""

Pointers = dict[str, Any]

SIGNATURES: dict[str, Callable[[Pointers, Any], Any]] = {
    "look_batch": lambda p, states: types.void(
        p["legal_actions"], p["observe"], states, _vectors, _masks, _ints, _i8, _i8
    ),
    "mask_batch": lambda p, states: types.void(p["legal_actions"], states, _masks, _ints, _i8, _i8),
    "reset_batch": lambda p, states: types.void(
        p["reset"], states, states, _seeds, _seeds, _i8, _i8
    ),
    "step_batch": lambda p, states: types.int64(
        p["apply"],
        p["legal_actions"],
        p["observe"],
        p["reset"],
        states,
        states,
        _seeds,
        _seeds,
        _ints,
        *_coding,
        _masks,
        _ints,
        _rewards,
        _flags,
        _flags,
        _scores,
        _places,
        _ints,
        states,
        _i8,
        _i8,
        _i8,
    ),
    "apply_batch": lambda p, states: types.void(p["apply"], states, _ints, _i8, _i8),
    "legal_row": lambda p, states: types.void(p["legal_actions"], states, _i8, _flags),
    "observe_row": lambda p, states: types.void(p["observe"], states, _i8, _i8, _vector),
    "observe_batch": lambda p, states: types.void(p["observe"], states, _ints, _ints, _vectors),
    "redact_batch": lambda p, states: types.void(p["redact"], states, _ints, _ints, states),
    "random_rollout": lambda p, states: types.int64(
        p["apply"], p["legal_actions"], states.dtype, _flags, types.uint64, _i8
    ),
}
"""Signature of each generic kernel for a game's function pointers and record array."""
