"""Conservation laws of Five Points (FP-2.3, FP-2.4, FP-8.4, FP-9.9; invariants of FP-21.1)."""

from __future__ import annotations

from collections.abc import Iterable

from ..core.game import Game
from ..core.state import State
from .state import NO_HOLES, NONE

Cell = tuple[int, int]

SCORED = ({"max_rounds": 1},)
"""Options with which a random game ends by a cap that is scored (FP-14.9)."""


def violations(game: Game, state: State) -> list[str]:
    """What is wrong with a position, in words; empty if it obeys every law."""
    wrong = []
    n = int(state.num_seats)
    held = state.rabble.sum(axis=0) + state.bids.sum(axis=0) + state.hq + state.boroughs
    if held.tolist() != [20] * n + [0] * (5 - n):
        wrong.append(f"rabble by seat {held.tolist()}")
    if min(state.rabble.min(), state.bids.min(), state.hq.min(), state.boroughs.min()) < 0:
        wrong.append("rabble below zero")
    markers = state.control.sum(axis=0) + state.supply
    if markers.tolist() != [int(state.control_markers)] * 4 or state.supply.min() < 0:
        wrong.append(f"control markers by colour {markers.tolist()}")
    if state.bosses.max() > 1 or (state.bosses.sum(axis=0) != state.boss_count).any():
        wrong.append(f"bosses {state.boss_count.tolist()}")
    if state.boss_count.max() > 5 or (state.boss_count.max() == 5 and not state.over):
        wrong.append("five bosses, but the game goes on")
    if (state.rabble.sum(axis=1) != state.total).any():
        wrong.append(f"totals {state.total.tolist()}")
    if (state.vp < 0).any():
        wrong.append(f"victory points {state.vp.tolist()}")
    wrong += city_violations(state)
    passed = state.pass_order[: state.num_passed].tolist()
    if sorted(passed) != [s for s in range(n) if state.pass_place[s]]:
        wrong.append(f"passing order {passed}")
    if len(passed) < n and max(state.flat_votes.max(), state.boss_votes.max()) > 0:
        wrong.append("votes of markers before all have passed")
    for queue, length in (("chosen", state.num_chosen), ("specials", state.num_specials)):
        if (state[queue][length:] != NONE).any():
            wrong.append(f"{queue} goes on after its end: {state[queue].tolist()}")
    return wrong


def city_violations(state: State) -> list[str]:
    """What is wrong with the cells of the tiles (FP-8.1, FP-8.4)."""
    cells = {divmod(int(cell), 9) for cell in state.cell[: state.num_tiles]}
    if len(cells) != state.num_tiles:
        return ["two tiles on one cell"]
    wrong = []
    for axis in (0, 1):
        low = min(cell[axis] for cell in cells)
        if low != (9 - (max(cell[axis] for cell in cells) - low + 1)) // 2:
            wrong.append("the city is not centred")
    if state.move_rule == NO_HOLES and not is_one_piece_without_holes(cells):
        wrong.append("the city is in pieces or has a hole")
    return wrong


def spread(start: Cell, allowed: set[Cell]) -> set[Cell]:
    """All of ``allowed`` that hangs together with ``start``."""
    reached, frontier = {start}, [start]
    while frontier:
        r, c = frontier.pop()
        for near in ((r, c + 1), (r, c - 1), (r + 1, c), (r - 1, c)):
            if near in allowed and near not in reached:
                reached.add(near)
                frontier.append(near)
    return reached


def is_one_piece_without_holes(cells: Iterable[Cell]) -> bool:
    """FP-8.4 (a) and (b), literally: a flood fill of the tiles and one of the empty cells."""
    tiles = set(cells)
    if spread(next(iter(tiles)), tiles) != tiles:
        return False
    frame = {(r, c) for r in range(-1, 10) for c in range(-1, 10)}
    empty = frame - tiles
    return spread((-1, -1), empty) == empty
