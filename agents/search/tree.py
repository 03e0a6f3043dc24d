"""Kernels of the search agent: a tree of one observer's information sets, over any game's rules.

The tree is a set of flat arrays, one row a node; a node is the sequence of actions that leads to
it. Nothing is allocated while searching.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from ...envs.core.compiling.pointers import KernelPointer
from ...envs.core.kernel import kernel
from ...envs.core.rng import mix, stream

ROOT = 0
NONE = -1
TRUST = 0.5
"""Part of the prior that lies on the play-out policy's own decision."""


@kernel
def choose_random(known: Any, seat: int, mask: Any, seed: np.uint64) -> int:
    """Uniform legal decision; plays out games that have no heuristic."""
    count = 0
    for action in range(len(mask)):
        count += mask[action]
    chosen = np.int64(((mix(seed) >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))
    for action in range(len(mask)):
        if mask[action]:
            if chosen == 0:
                return action
            chosen -= 1
    return NONE


@kernel
def play_out(
    apply: Any,
    legal_actions: Any,
    redact: Any,
    choose: Any,
    table: Any,
    known: Any,
    mask: Any,
    seed: np.uint64,
    limit: int,
) -> int:
    """Let ``choose`` decide for every seat until the game ends or ``limit`` decisions.

    Args:
        table: Records of shape ``(1,)``, played on in place.
        known: Records of shape ``(1,)``, scratch: what the deciding seat knows.

    Returns:
        Decisions played.
    """
    plies = 0
    while table[0].over == 0 and plies < limit:
        seat = table[0].seat
        legal_actions(table[0], mask)
        known[0] = table[0]
        redact(known[0], seat)
        apply(table[0], choose(known[0], seat, mask, stream(seed, np.uint64(plies))))
        plies += 1
    return plies


@kernel
def add_win(state: Any, wins: Any) -> None:
    """Add each seat's share of the win; all have the same one where nobody is paid.

    That is so after a game that was cut off, by its own cap or by the limit of a play-out, and
    where all seats share the first place.

    Args:
        state: Record at the end of a play-out.
        wins: Float64 of shape ``(seats,)``.
    """
    n = state.num_seats
    paid, winners = False, 0
    for seat in range(n):
        paid |= state.rewards[seat] != 0.0
        winners += 1 if state.places[seat] == 1 else 0
    for seat in range(n):
        if not paid or winners == 0:
            wins[seat] += 1.0 / n
        elif state.places[seat] == 1:
            wins[seat] += 1.0 / winners


@kernel
def select(
    first_child: Any,
    next_sibling: Any,
    actions: Any,
    visits: Any,
    available: Any,
    values: Any,
    node: int,
    mover: int,
    mask: Any,
    likely: int,
    exploration: float,
    child_of: Any,
) -> int:
    """The action that the mover tries next: best of value and of what the prior leaves untried.

    The confidence term is that of PUCT (Silver et al., "Mastering the game of Go without human
    knowledge", 2017): half of the prior lies on the play-out policy's own decision, the rest on
    all legal ones alike. Actions that are legal in some positions only count the visits of the
    node while they were legal (Cowling et al. 2012). An untried action is worth as much as its
    node.

    Args:
        likely: What the play-out policy would do; ``NONE``: no idea, the prior is uniform.
        child_of: Int64 of shape ``(actions,)``, filled for legal actions: the node that an action
            leads to, or ``NONE``.

    Returns:
        The action.
    """
    legal = 0
    for action in range(len(mask)):
        if mask[action]:
            child_of[action] = NONE
            legal += 1
    child = first_child[node]
    while child != NONE:
        if mask[actions[child]]:
            child_of[actions[child]] = child
            available[child] += 1
        child = next_sibling[child]
    passed = max(1, visits[node])
    worth = values[node, mover] / passed
    spread = 1.0 / legal if likely == NONE else (1.0 - TRUST) / legal
    best, highest = NONE, -np.inf
    for action in range(len(mask)):
        if mask[action]:
            prior = spread + TRUST if action == likely else spread
            child = child_of[action]
            if child == NONE:
                score = worth + exploration * prior * np.sqrt(passed)
            else:
                score = values[child, mover] / visits[child] + (
                    exploration * prior * np.sqrt(available[child]) / (1 + visits[child])
                )
            if score > highest:
                best, highest = action, score
    return best


@kernel
def search(
    apply: Any,
    legal_actions: Any,
    redact: Any,
    resample_hidden: Any,
    choose: Any,
    root: Any,
    seat: int,
    seed: np.uint64,
    nodes: int,
    first: int,
    last: int,
    exploration: float,
    guided: bool,
    depth: int,
    scratch: Any,
    mask: Any,
    child_of: Any,
    path: Any,
    first_child: Any,
    next_sibling: Any,
    actions: Any,
    visits: Any,
    available: Any,
    values: Any,
    wins: Any,
) -> int:
    """Grow the tree by the iterations numbered ``first`` to ``last - 1``.

    One iteration: a position drawn from what ``seat`` knows, the tree down to a decision that it
    does not hold yet (each mover by its own value: max^n), that decision added, the game played
    out by ``choose``, its rewards added to all nodes passed, and the shares of the win to the
    action that was tried first.

    Args:
        root: Records of shape ``(1,)``: what ``seat`` knows; not changed.
        nodes: Nodes so far, the root among them.
        guided: Whether ``choose`` is worth a prior.
        depth: Most decisions of a play-out.
        scratch: Records of shape ``(2,)``.
        mask: Bool of shape ``(actions,)``, scratch.
        child_of: Int64 of shape ``(actions,)``, scratch.
        path: Int64 of shape ``(rows,)``, scratch.
        first_child: Int64 of shape ``(rows,)``; as are the next four.
        values: Float64 of shape ``(rows, seats)``: sums of rewards, one entry a seat.
        wins: Float64 of shape ``(actions, seats)``: sums of shares of the win, one entry a seat.

    Returns:
        Nodes now.
    """
    seats = values.shape[1]
    table, known = scratch[0:1], scratch[1:2]
    for iteration in range(first, last):
        bits = stream(seed, np.uint64(iteration))
        table[0] = root[0]
        resample_hidden(table[0], seat, bits)
        node, length = ROOT, 1
        path[0] = ROOT
        while table[0].over == 0:
            mover = table[0].seat
            legal_actions(table[0], mask)
            likely = NONE
            if guided:
                known[0] = table[0]
                redact(known[0], mover)
                likely = choose(known[0], mover, mask, stream(bits, np.uint64(length)))
            action = select(
                first_child,
                next_sibling,
                actions,
                visits,
                available,
                values,
                node,
                mover,
                mask,
                likely,
                exploration,
                child_of,
            )
            child = child_of[action]
            new = child == NONE
            if new:
                child = nodes
                nodes += 1
                first_child[child] = NONE
                next_sibling[child] = first_child[node]
                first_child[node] = child
                actions[child] = action
                visits[child] = 0
                available[child] = 1
                values[child, :] = 0.0
            apply(table[0], action)
            node = child
            path[length] = node
            length += 1
            if new or length == len(path):
                break
        play_out(apply, legal_actions, redact, choose, table, known, mask, bits, depth)
        for k in range(length):
            visits[path[k]] += 1
            for other in range(seats):
                values[path[k], other] += table[0].rewards[other]
        if length > 1:
            add_win(table[0], wins[actions[path[1]]])
    return nodes


def signature_of_choose(record: Any) -> Any:
    """Signature of a heuristic kernel for a game's record."""
    return types.int64(record, types.int64, types.Array(types.boolean, 1, "C"), types.uint64)


def signature_of_search(pointers: dict[str, Any], record: Any) -> Any:
    """Signature of :func:`search` for a game's kernel signatures and record."""
    states = types.Array(record, 1, "C")
    flags = types.Array(types.boolean, 1, "C")
    ints = types.Array(types.int64, 1, "C")
    number = types.int64
    return types.int64(
        *(pointers[name] for name in ("apply", "legal_actions", "redact", "resample_hidden")),
        KernelPointer(signature_of_choose(record)),
        states,
        number,
        types.uint64,
        number,
        number,
        number,
        types.float64,
        types.boolean,
        number,
        states,
        flags,
        *[ints] * 7,
        *[types.Array(types.float64, 2, "C")] * 2,
    )
