"""Kernels of the search agent: a tree of one observer's information sets, over any game's rules.

The tree is a set of flat arrays, one row for each node; a node is the sequence of actions that
leads to it. Nothing is allocated while searching.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from ...envs.core.compiling.pointers import KernelPointer
from ...envs.core.kernel import kernel
from ...envs.core.rng import mix, stream
from ..baseline.heuristic_kernels import signature_of_choose

ROOT = 0
NONE = -1
TRUST = 0.5
"""Part of the prior that lies on the play-out policy's own decision."""


class Rules(NamedTuple):
    """Kernels that a search calls: four of a game's, and the play-out policy."""

    apply: Any
    legal_actions: Any
    redact: Any
    resample_hidden: Any
    choose: Any


OF_THE_GAME = Rules._fields[:-1]
"""Names of the kernels that are the game's."""


class Tree(NamedTuple):
    """The nodes. What a row holds before a node is added there does not matter.

    Attributes:
        first_child: Int64 ``(rows,)``: a node, or ``NONE``.
        next_sibling: Int64 ``(rows,)``: a node, or ``NONE``.
        actions: Int64 ``(rows,)``: the action that leads to the node.
        visits: Int64 ``(rows,)``: iterations that passed the node.
        available: Int64 ``(rows,)``: visits of the parent while the action was legal.
        values: Float64 ``(rows, seats)``: sums of rewards, one entry for each seat.
    """

    first_child: Any
    next_sibling: Any
    actions: Any
    visits: Any
    available: Any
    values: Any


class Scratch(NamedTuple):
    """Arrays that iterations write over.

    Attributes:
        mask: Bool ``(actions,)``: what is legal for the deciding seat.
        child_of: Int64 ``(actions,)``: for legal actions the node that each leads to, or ``NONE``.
        path: Int64 ``(rows,)``: the nodes passed, from the root on.
    """

    mask: Any
    child_of: Any
    path: Any


class Settings(NamedTuple):
    """How to search.

    Attributes:
        exploration: Weight of the confidence term.
        guided: Whether the play-out policy is worth a prior.
        depth: Most decisions of a play-out.
    """

    exploration: float
    guided: bool
    depth: int


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


@kernel(leaf=True)
def play_out(rules: Rules, table: Any, known: Any, mask: Any, seed: np.uint64, limit: int) -> int:
    """Let the play-out policy decide for every seat until the game ends or ``limit`` decisions.

    Args:
        rules: Of the game.
        table: Records of shape ``(1,)``, played on in place.
        known: Records of shape ``(1,)``, scratch: what the deciding seat knows.
        mask: Bool of shape ``(actions,)``, scratch.
        seed: Of the policy's decisions.
        limit: Most decisions.

    Returns:
        Decisions played.
    """
    plies = 0
    while table[0].over == 0 and plies < limit:
        seat = table[0].seat
        rules.legal_actions(table[0], mask)
        known[0] = table[0]
        rules.redact(known[0], seat)
        action = rules.choose(known[0], seat, mask, stream(seed, np.uint64(plies)))
        rules.apply(table[0], action)
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


@kernel(leaf=True)
def select(
    tree: Tree, node: int, mover: int, mask: Any, likely: int, exploration: float, child_of: Any
) -> int:
    """The action that the mover tries next: best of value and of what the prior leaves untried.

    The confidence term is that of PUCT (Silver et al., "Mastering the game of Go without human
    knowledge", 2017): half of the prior lies on the play-out policy's own decision, the rest on
    all legal ones alike. Actions that are legal in some positions only count the visits of the
    node while they were legal (Cowling et al. 2012). An untried action is worth as much as its
    node.

    Args:
        tree: The nodes.
        node: Where the mover decides.
        mover: The deciding seat.
        mask: Bool of shape ``(actions,)``: what is legal for it.
        likely: What the play-out policy would do; ``NONE``: no idea, the prior is uniform.
        exploration: Weight of the confidence term.
        child_of: Filled; see :class:`Scratch`.

    Returns:
        The action.
    """
    legal = 0
    for action in range(len(mask)):
        if mask[action]:
            child_of[action] = NONE
            legal += 1
    child = tree.first_child[node]
    while child != NONE:
        if mask[tree.actions[child]]:
            child_of[tree.actions[child]] = child
            tree.available[child] += 1
        child = tree.next_sibling[child]
    passed = max(1, tree.visits[node])
    worth = tree.values[node, mover] / passed
    spread = 1.0 / legal if likely == NONE else (1.0 - TRUST) / legal
    best, highest = NONE, -np.inf
    for action in range(len(mask)):
        if mask[action]:
            prior = spread + TRUST if action == likely else spread
            child = child_of[action]
            if child == NONE:
                score = worth + exploration * prior * np.sqrt(passed)
            else:
                visits = tree.visits[child]
                score = tree.values[child, mover] / visits + (
                    exploration * prior * np.sqrt(tree.available[child]) / (1 + visits)
                )
            if score > highest:
                best, highest = action, score
    return best


@kernel(leaf=True)
def add_node(tree: Tree, node: int, parent: int, action: int) -> None:
    """Write a node that nobody has visited yet, as its parent's first child."""
    tree.first_child[node] = NONE
    tree.next_sibling[node] = tree.first_child[parent]
    tree.first_child[parent] = node
    tree.actions[node] = action
    tree.visits[node] = 0
    tree.available[node] = 1
    tree.values[node, :] = 0.0


@kernel(leaf=True)
def descend(
    rules: Rules,
    settings: Settings,
    tree: Tree,
    nodes: int,
    scratch: Scratch,
    table: Any,
    known: Any,
    seed: np.uint64,
) -> tuple[int, int]:
    """Play down the tree to a decision that it does not hold yet, and add that decision.

    Each mover decides by its own value (max^n).

    Args:
        rules: Of the game.
        settings: How to search.
        tree: The nodes.
        nodes: How many there are.
        scratch: The path is filled from the root on.
        table: Records of shape ``(1,)``, played on in place.
        known: Records of shape ``(1,)``, scratch: what the mover knows.
        seed: Of the play-out policy's decisions.

    Returns:
        Nodes of the path, and nodes of the tree now.
    """
    node, length = ROOT, 1
    scratch.path[0] = ROOT
    while table[0].over == 0 and length < len(scratch.path):
        mover = table[0].seat
        rules.legal_actions(table[0], scratch.mask)
        likely = NONE
        if settings.guided:
            known[0] = table[0]
            rules.redact(known[0], mover)
            likely = rules.choose(known[0], mover, scratch.mask, stream(seed, np.uint64(length)))
        action = select(
            tree, node, mover, scratch.mask, likely, settings.exploration, scratch.child_of
        )
        rules.apply(table[0], action)
        child = scratch.child_of[action]
        new = child == NONE
        if new:
            child = nodes
            nodes += 1
            add_node(tree, child, node, action)
        scratch.path[length] = child
        length += 1
        node = child
        if new:
            break
    return length, nodes


@kernel(leaf=True)
def back_up(tree: Tree, path: Any, rewards: Any) -> None:
    """Count a visit of all nodes passed, and add the rewards to them.

    Args:
        tree: The nodes.
        path: Int64: the nodes passed.
        rewards: Of each seat, ``(seats,)``.
    """
    for node in path:
        tree.visits[node] += 1
        for seat in range(tree.values.shape[1]):
            tree.values[node, seat] += rewards[seat]


@kernel
def search(
    rules: Rules,
    settings: Settings,
    tree: Tree,
    nodes: int,
    scratch: Scratch,
    tables: Any,
    root: Any,
    seat: int,
    seed: np.uint64,
    first: int,
    last: int,
    wins: Any,
) -> int:
    """Grow the tree by the iterations numbered ``first`` to ``last - 1``.

    One iteration: a position drawn from what ``seat`` knows, the tree down to a decision that it
    does not hold yet, that decision added, the game played out, its rewards added to all nodes
    passed, and the shares of the win to the action that was tried first.

    Args:
        rules: Of the game.
        settings: How to search.
        tree: The nodes.
        nodes: How many there are, the root among them.
        scratch: Written over.
        tables: Records of shape ``(2,)``, scratch.
        root: Records of shape ``(1,)``: what ``seat`` knows; not changed.
        seat: Who searches.
        seed: Of all chance.
        first: The first iteration.
        last: One more than the last.
        wins: Float64 of shape ``(actions, seats)``: sums of shares of the win, one entry for each
            seat.

    Returns:
        Nodes now.
    """
    table, known = tables[0:1], tables[1:2]
    for iteration in range(first, last):
        bits = stream(seed, np.uint64(iteration))
        table[0] = root[0]
        rules.resample_hidden(table[0], seat, bits)
        length, nodes = descend(rules, settings, tree, nodes, scratch, table, known, bits)
        play_out(rules, table, known, scratch.mask, bits, settings.depth)
        back_up(tree, scratch.path[:length], table[0].rewards)
        if length > 1:
            add_win(table[0], wins[tree.actions[scratch.path[1]]])
    return nodes


def signature_of_search(rules: dict[str, Any], record: Any) -> Any:
    """Numba's signature of :func:`search`.

    Args:
        rules: Signatures of the game's kernels by name.
        record: Numba's type of the game's record.
    """
    states = types.Array(record, 1, "C")
    flags = types.Array(types.boolean, 1, "C")
    ints = types.Array(types.int64, 1, "C")
    table = types.Array(types.float64, 2, "C")
    number = types.int64
    signatures = [rules[name] for name in OF_THE_GAME] + [signature_of_choose(record)]
    return number(
        types.NamedTuple([KernelPointer(each) for each in signatures], Rules),
        types.NamedTuple([types.float64, types.boolean, number], Settings),
        types.NamedTuple([*[ints] * 5, table], Tree),
        number,
        types.NamedTuple([flags, ints, ints], Scratch),
        states,
        states,
        number,
        types.uint64,
        number,
        number,
        table,
    )
