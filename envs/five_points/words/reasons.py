"""What speaks for an action by the rules of thumb of the heuristics, from what everybody sees."""

from __future__ import annotations

import numpy as np

from ...core.game import Game
from ...core.state import State
from ..actions import (
    BID_AT,
    BUILDING_AT,
    CELL_AT,
    COLOUR_AT,
    MAX_BID,
    NO_BID,
    PASS_ACTION,
    PLACE_AT,
    RABBLE_AT,
    SKIP,
    TILE_AT,
)
from ..data import PASS_INCOME
from ..rules.scoring import BOSS_POINTS, CONTROL_POINTS
from ..state import ELECT, MT_TILE, NONE, SETUP, SPECIAL
from .narration import GANGS, count_of, leader_of, marker_effect, tile_name


def reason(game: Game, state: State, action: int) -> str:
    """A sentence or two for the deciding seat."""
    if action == PASS_ACTION:
        return _pass(state)
    if action == NO_BID:
        return (
            "Rabble spent on a bid is gone from the tiles: bid only for a marker that changes "
            "who wins."
        )
    if action == SKIP:
        return "Leave it if every change helps a rival more than you."
    if action < BID_AT:
        return _place(state, action - PLACE_AT)
    if action < TILE_AT:
        return _bid(state, action - BID_AT)
    if action < CELL_AT:
        return _tile(state, action - TILE_AT)
    if action < COLOUR_AT:
        return (
            "Where a tile lies decides which tiles are its neighbours, and neighbours of an "
            "election bring control markers."
        )
    if action < RABBLE_AT:
        colour = action - COLOUR_AT
        left = int(state.supply[colour])
        return (
            f"A control marker is worth {CONTROL_POINTS} points, and a set of all colours more. "
            f"{count_of(left, 'marker', 'markers')} of this colour left; the game ends when a "
            "pile is empty."
        )
    if action < BUILDING_AT:
        return (
            "Take away the follower that decides a majority, or bring your own to where one is "
            "missing."
        )
    return "A building helps whoever leads its tile: move it to where you lead alone."


def _pass(state: State) -> str:
    place = int(state.num_passed)
    income = int(PASS_INCOME[state.num_seats, place])
    last = place == state.num_seats - 2
    words = f"Whoever passes as number {place + 1} gets up to {income} rabble of his boroughs."
    if last:
        words += " The last one has one turn more and names tied elections."
    return words


def _counts(state: State, tile: int) -> tuple[int, int, int]:
    """Own rabble, the most of a rival, and whose that is."""
    counts = state.rabble[tile, : state.num_seats].astype(int)
    seat = int(state.seat)
    others = np.delete(counts, seat)
    rival = int(np.argmax(others)) if len(others) else NONE
    return int(counts[seat]), int(others.max(initial=0)), rival + (rival >= seat)


def _place(state: State, tile: int) -> str:
    own, most, rival = _counts(state, tile)
    full = int(state.total[tile]) + 1 >= int(state.total.max())
    name = tile_name(state, tile)
    if own + 1 > most:
        words = f"You would lead {name} with {own + 1} to {most}"
    elif own + 1 == most:
        words = f"You would draw level with the {GANGS[rival]} on {name}"
    else:
        words = f"The {GANGS[rival]} would still lead {name} with {most} to {own + 1}"
    election = (
        f", and it would be among the fullest, where elections are held: a boss is {BOSS_POINTS} "
        "points."
        if full
        else ". Only the fullest tiles vote, so it may wait."
    )
    return words + election


def _bid(state: State, offset: int) -> str:
    marker, k = divmod(offset, MAX_BID)
    left = int(state.hq[state.seat]) - k - 1
    return (
        f"What it does: {marker_effect(state, marker)}. It would leave you {left} rabble at "
        "hand; only "
        "the highest bid wins."
    )


def _tile(state: State, tile: int) -> str:
    if state.phase == SETUP:
        return "Nobody knows which building it is; a tile in the middle has the most neighbours."
    if state.phase == MT_TILE:
        return "Move a tile that a rival leads away from where it helps him, or your own together."
    own, most, rival = _counts(state, tile)
    if state.phase in (SPECIAL, ELECT):
        lead = leader_of(state, tile)
        if lead == state.seat:
            return f"You lead {tile_name(state, tile)} with {own} to {most}: let it vote now."
        return (
            f"You have {own} there, the {GANGS[rival]} {most}: votes of markers must make up for "
            "that."
        )
    return "Bring it to where one follower more decides who leads."
