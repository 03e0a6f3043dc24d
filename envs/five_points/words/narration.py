"""Names of gangs, tiles, markers and buildings, and sentences.

The sentences say what an action does, and what happened from one decision to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from ...core.game import Game
from ...core.state import State, blank
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
from ..data import COLOURS, TABLES
from ..rules.buildings import building_in_turn
from ..rules.elections import votes
from ..rules.engine import resolve
from ..rules.phases import decide
from ..state import (
    BOSSES,
    BUILDINGS,
    DTYPE,
    ELECTION,
    INCOME,
    MARKERS,
    MAX_SEATS,
    MB_TO,
    MT_CELL,
    MT_TILE,
    NONE,
    NUM_BUILDINGS,
    ROUND_END,
    ROW_SIZE,
    SETUP,
    SIDE,
    SPECIAL,
    SPECIAL_ELECTION,
    ST_TO,
    STOP,
    TURN,
)

GANGS: Final = ("Dead Rabbits", "Bowery Boys", "Roach Guards", "Plug Uglies", "Shirt Tails")
"""Gangs of the district, one a seat."""

ASKED: Final = {
    "SETUP": "put an unseen building on a tile",
    "PLACE": "place a rabble, or pass",
    "BID": "bid on a manipulation marker, or not",
    "MT_TILE": "choose a tile to move",
    "MT_CELL": "choose where the tile moves to",
    "MB_PICK": "choose a building to move",
    "MB_TO": "choose the building's new tile",
    "CM_PICK": "choose a control marker",
    "SPECIAL": "choose a tile for a special election",
    "ST_PICK": "choose a rabble to smuggle",
    "ST_TO": "choose where the rabble goes",
    "ELECT": "choose which of the tied tiles votes next",
    "OVER": "the game is over",
}
"""What the deciding gang does, by phase."""


def tile_name(state: State, tile: int) -> str:
    """A tile by number and kind: ``tile 6 (red factory)``."""
    colour = int(state.colour[tile])
    return f"tile {tile} ({TABLES.colour_names[colour]} {TABLES.colour_kinds[colour]})"


def building_name(state: State, building: int) -> str:
    """A building by name; ``the first building`` while it is unseen."""
    if state.phase == SETUP:
        return ("the first building", "the second building")[building]
    return f"the {TABLES.building_names[int(state.building[building])]}"


MARKER_WORDS: Final = {
    "V1": "1 vote", "V2": "2 votes", "V3": "3 votes on {}", "VB": "a vote a boss",
    "MT": "move a tile", "MB": "move a building", "CM": "a control marker",
    "MJ": "4 VP for most {}", "SE": "special election", "VC": "1 VP a tile",
}  # fmt: skip


def marker_name(state: State, marker: int) -> str:
    """A marker of the row by place and in a few words: ``marker 2 (3 votes on red)``."""
    code = marker_code(state, marker)
    colour = dict(zip(COLOURS, TABLES.colour_names, strict=True)).get(code[2:], "")
    return f"marker {marker + 1} ({MARKER_WORDS[code[:2]].format(colour)})"


def marker_code(state: State, marker: int) -> str:
    """Code of a marker of the row."""
    return TABLES.marker_names[int(state.row[marker])]


def marker_effect(state: State, marker: int) -> str:
    """What a marker of the row does."""
    return TABLES.marker_effects[int(state.row[marker])]


def leader_of(state: State, tile: int) -> int:
    """Sole leader of a tile, or NONE (FP-1.5)."""
    counts = state.rabble[tile, : state.num_seats]
    best = int(counts.max())
    leaders = np.flatnonzero(counts == best)
    return int(leaders[0]) if best > 0 and len(leaders) == 1 else NONE


def count_of(number: int, thing: str, things: str | None = None) -> str:
    """``1 boss``, ``2 bosses``."""
    return f"{number} {thing if number == 1 else (things or thing)}"


def listed(words: Iterable[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    items = list(words)
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


# --- sentences ------------------------------------------------------------------------------------


def describe(game: Game, state: State, action: int) -> str:
    """What an action does, for the seat that decides."""
    if action == PASS_ACTION:
        return f"Pass, as number {state.num_passed + 1} of this round."
    if action == NO_BID:
        return "Do not bid."
    if action == SKIP:
        return "Leave it as it is."
    if action < BID_AT:
        return f"Place a rabble on {tile_name(state, action - PLACE_AT)}."
    if action < TILE_AT:
        marker, k = divmod(action - BID_AT, MAX_BID)
        own = int(state.bids[marker, state.seat])
        total = f", {own + k + 1} in all" if own else ""
        return f"Bid {k + 1} rabble on {marker_name(state, marker)}{total}."
    if action < CELL_AT:
        return _describe_tile(state, action - TILE_AT)
    if action < COLOUR_AT:
        row, column = divmod(action - CELL_AT, SIDE)
        return f"Move {tile_name(state, int(state.picked))} {_beside(state, row, column)}."
    if action < RABBLE_AT:
        return f"Take {_a(TABLES.colour_names[action - COLOUR_AT])} control marker."
    if action < BUILDING_AT:
        tile, offset = divmod(action - RABBLE_AT, MAX_SEATS)
        seat = (int(state.seat) + offset) % int(state.num_seats)
        return f"Smuggle a rabble of the {GANGS[seat]} from {tile_name(state, tile)}."
    return f"Move {building_name(state, action - BUILDING_AT)}."


def _beside(state: State, row: int, column: int) -> str:
    """A cell by its neighbours."""
    words = []
    for tile in range(int(state.num_tiles)):
        r, c = divmod(int(state.cell[tile]), SIDE)
        if tile != state.picked and abs(r - row) + abs(c - column) == 1:
            side = {(1, 0): "above", (-1, 0): "below", (0, 1): "left of", (0, -1): "right of"}
            words.append(f"{side[r - row, c - column]} tile {tile}")
    return listed(words) or f"to row {row}, column {column}"


def _a(word: str) -> str:
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def _describe_tile(state: State, tile: int) -> str:
    name = tile_name(state, tile)
    phase = state.phase
    if phase == SETUP:
        first = int(state.building_tile[0]) == NONE
        return f"Put the {'first' if first else 'second'} building, unseen, on {name}."
    if phase == MT_TILE:
        return f"Move {name}."
    if phase == MB_TO:
        return f"Move {building_name(state, int(state.picked))} to {name}."
    if phase == SPECIAL:
        return f"Hold a special election on {name}."
    if phase == ST_TO:
        gang = GANGS[int(state.picked_seat)]
        return f"Smuggle a rabble of the {gang} to {name}."
    return f"Let {name} vote {('first', 'next')[int(state.num_chosen) > 0]}."


def narrate(game: Game, before: State, action: int, after: State, viewer: int | None) -> list[str]:
    """What happened, in order.

    The decision is played again step by step; what chance brought is read from ``after``, so a
    record without its chance gives the same sentences.
    """
    state = _copy(before)
    actor = GANGS[int(before.seat)]
    said = describe(game, before, action)
    step = decide(state, action)
    # What is taken is narrated with where it goes.
    halfway = after.phase in (MT_CELL, MB_TO, ST_TO) and after.phase != before.phase
    sentences = [] if halfway else [f"The {actor} {said[0].lower()}{said[1:]}"]
    if before.phase == SETUP and step != STOP:
        sentences += _city_opens(after)
    if step == INCOME:
        sentences.append(f"All others have passed, so the {actor} pass as the last.")
    while step != STOP:
        earlier = _copy(state)
        following = resolve(state, step)
        sentences += _tell(earlier, state, step, after)
        step = following
    if after.over:
        sentences += _game_ends(after)
    return sentences


def _copy(state: State) -> State:
    states = blank(DTYPE)
    states[0] = state
    return states[0]


def _city_opens(after: State) -> Iterator[str]:
    places = [
        f"{building_name(after, b)} on {tile_name(after, int(after.building_tile[b]))}"
        for b in range(NUM_BUILDINGS)
    ]
    yield f"The buildings are revealed: {listed(places)}. The rabble is dealt."
    yield _row_sentence(after)


def _row_sentence(after: State) -> str:
    return f"The row: {', '.join(marker_name(after, m) for m in range(ROW_SIZE))}."


def _tell(earlier: State, later: State, step: int, after: State) -> Iterator[str]:
    """Sentences about one step of the round."""
    if step == TURN:
        for k in range(int(earlier.num_passed), int(later.num_passed)):
            yield f"The {GANGS[int(later.pass_order[k])]} have no rabble at hand and pass."
    elif step == INCOME:
        gains = [
            f"{int(later.hq[s] - earlier.hq[s])} to the {GANGS[s]}"
            for s in later.pass_order
            if s >= 0
        ]
        yield f"Rabble from the boroughs: {listed(gains)}."
    elif MARKERS <= step < BUILDINGS:
        yield from _tell_marker(earlier, later, step - MARKERS)
    elif BUILDINGS <= step < SPECIAL_ELECTION:
        yield from _tell_building(earlier, later, step - BUILDINGS)
    elif step == ROUND_END:
        if not later.over:
            starter = GANGS[int(later.start)]
            yield f"Round {int(later.round_number)} begins with the {starter}."
            # The copy may lack the chance; ``after`` is later if a whole round passed by itself.
            if later.round_number == after.round_number:
                yield _row_sentence(after)
    elif step in (SPECIAL_ELECTION, ELECTION):
        queue = earlier.specials if step == SPECIAL_ELECTION else earlier.chosen
        if queue[0] != NONE:
            yield from _tell_election(earlier, later, int(queue[0]), step == SPECIAL_ELECTION)


def _tell_marker(earlier: State, later: State, marker: int) -> Iterator[str]:
    bids = earlier.bids[marker]
    if not bids.any():
        return
    winner = int(np.argmax(bids))
    paid = int(bids[winner])
    yield (
        f"The {GANGS[winner]} win {marker_name(earlier, marker)} with {paid} rabble: "
        f"{marker_effect(earlier, marker)}{_gains(earlier, later, winner)}."
    )


def _tell_building(earlier: State, later: State, turn: int) -> Iterator[str]:
    building = int(building_in_turn(earlier, turn))
    user = leader_of(earlier, int(earlier.building_tile[building]))
    if user != NONE:
        gains = _gains(earlier, later, user)
        yield f"The {GANGS[user]} lead {building_name(earlier, building)}{gains}."


def _gains(earlier: State, later: State, seat: int) -> str:
    """What a seat got from one step, as the end of a sentence."""
    parts = []
    points = int(later.vp[seat] - earlier.vp[seat])
    rabble = int(earlier.boroughs[seat] - later.boroughs[seat])
    if points:
        parts.append(f"{points} VP")
    if rabble > 0:
        parts.append(f"{rabble} rabble back")
    for colour in np.flatnonzero(later.control[seat] - earlier.control[seat]):
        parts.append(f"{_a(TABLES.colour_names[colour])} control marker")
    return f", {listed(parts)}" if parts else ""


def _tell_election(earlier: State, later: State, tile: int, special: bool) -> Iterator[str]:
    seats = range(int(earlier.num_seats))
    counts = [int(votes(earlier, tile, s)) for s in seats]
    best = max(counts)
    title = "Special election" if special else "Election"
    if best == 0:
        yield f"{title} on {tile_name(earlier, tile)}: nobody has a vote."
    else:
        winners = [f"the {GANGS[s]}" for s in seats if counts[s] == best]
        tally = ", ".join(f"{GANGS[s]} {counts[s]}" for s in seats if counts[s])
        yield (
            f"{title} on {tile_name(earlier, tile)}: {tally}. A boss there for {listed(winners)}."
        )
    for s in seats:
        gained = later.control[s] - earlier.control[s]
        prizes = [
            count_of(int(gained[c]), f"{TABLES.colour_names[c]} control marker",
                     f"{TABLES.colour_names[c]} control markers")
            for c in np.flatnonzero(gained)
        ]  # fmt: skip
        points = int(later.vp[s] - earlier.vp[s])
        if points:
            prizes.append(f"{points} VP")
        if prizes:
            yield f"From the neighbours of tile {tile} the {GANGS[s]} get {listed(prizes)}."


def _game_ends(after: State) -> Iterator[str]:
    seats = range(int(after.num_seats))
    five = [f"the {GANGS[s]}" for s in seats if after.boss_count[s] == BOSSES]
    if five:
        yield f"All five bosses of {listed(five)} are on the board: the game ends at once."
    elif after.capped:
        yield f"Round {int(after.round_number)} was the last: the game is scored."
    else:
        yield "The end is reached: the game is scored."
    yield f"Scores: {', '.join(f'{GANGS[s]} {int(after.scores[s])}' for s in seats)}."
    winners = [f"the {GANGS[s]}" for s in seats if after.places[s] == 1]
    yield f"Winners: {listed(winners)}."
