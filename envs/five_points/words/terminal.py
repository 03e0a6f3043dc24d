"""The table as text for a terminal."""

from __future__ import annotations

from ...core.game import Game
from ...core.state import NO_SEAT, State
from ..data import BUILDINGS, COLOURS, TABLES
from ..rules.scoring import leader_of_tammany, score
from ..state import (
    ELECT,
    MARKER_STAGE,
    NONE,
    NUM_BUILDINGS,
    NUM_COLOURS,
    PHASES,
    ROW_SIZE,
    SETUP,
    SIDE,
)
from .narration import ASKED, GANGS, building_name, marker_effect, marker_name

CELL_WIDTH = 19


def text(game: Game, state: State, viewer: int | None) -> str:
    """The table: city, row of markers, seats. Everything shown is public (FP-13.2)."""
    return "\n".join([*_head(state), "", *_city(state), "", *_row(state), *_seats(state)])


def _head(state: State) -> list[str]:
    who = (
        "the game is over"
        if state.seat == NO_SEAT
        else f"s{state.seat} {GANGS[int(state.seat)]}: {ASKED[PHASES[state.phase]]}"
    )
    supply = " ".join(f"{COLOURS[c]}{state.supply[c]}" for c in range(NUM_COLOURS))
    return [
        f"Round {state.round_number}  {who}",
        f"Start seat s{state.start}  Control markers left: {supply}",
    ]


def _city(state: State) -> list[str]:
    """The tiles as a map: number and colour, marks, bosses; then rabble by seat."""
    rows = sorted({int(state.cell[t]) // SIDE for t in range(state.num_tiles)})
    columns = [int(state.cell[t]) % SIDE for t in range(state.num_tiles)]
    lines = [
        "     " + "".join(f"c{c}".ljust(CELL_WIDTH) for c in range(min(columns), max(columns) + 1))
    ]
    for row in rows:
        above, below = [], []
        for column in range(min(columns), max(columns) + 1):
            tile = _tile_at(state, SIDE * row + column)
            above.append("" if tile == NONE else _title(state, tile))
            below.append("" if tile == NONE else _contents(state, tile))
        lines.append(f"r{row}   " + "".join(part.ljust(CELL_WIDTH) for part in above).rstrip())
        lines.append("     " + "".join(part.ljust(CELL_WIDTH) for part in below).rstrip())
    return lines


def _tile_at(state: State, cell: int) -> int:
    for tile in range(state.num_tiles):
        if state.cell[tile] == cell:
            return tile
    return NONE


def _title(state: State, tile: int) -> str:
    name = f"T{tile}{COLOURS[state.colour[tile]]}"
    for building in range(NUM_BUILDINGS):
        if state.building_tile[building] == tile:
            code = "??" if state.phase == SETUP else BUILDINGS[state.building[building]]
            name += f" {code}"
    if tile in state.specials[: state.num_specials]:
        name += " SE"
    if tile in state.chosen[: state.num_chosen]:
        name += " votes"
    elif state.phase == ELECT and state.tied >> tile & 1:
        name += " tied"
    if tile == state.picked:
        name += " *"
    return name


def _contents(state: State, tile: int) -> str:
    n = int(state.num_seats)
    bosses = "".join(str(s) for s in range(n) if state.bosses[tile, s])
    crowd = " ".join(f"{s}:{state.rabble[tile, s]}" for s in range(n) if state.rabble[tile, s])
    return " ".join(filter(None, (crowd, f"B{bosses}" if bosses else ""))) or "."


def _row(state: State) -> list[str]:
    if state.phase == SETUP:
        return ["The row of markers is not drawn yet."]
    lines = []
    for marker in range(ROW_SIZE):
        bids = [
            f"s{s} {state.bids[marker, s]}"
            for s in range(state.num_seats)
            if state.bids[marker, s] > 0
        ]
        now = ">" if state.stage == MARKER_STAGE + marker else " "
        name = marker_name(state, marker)
        lines.append(f"{now}{name:9} {marker_effect(state, marker)}  [{', '.join(bids) or '-'}]")
    for building in range(NUM_BUILDINGS):
        effect = TABLES.building_effects[int(state.building[building])]
        tile = state.building_tile[building]
        lines.append(f" T{tile:<8} {building_name(state, building)}: {effect}")
    return [*lines, ""]


def _seats(state: State) -> list[str]:
    tammany = leader_of_tammany(state)
    lines = ["   gang          HQ bor boss  VP  b  g  r  o  votes             passed score"]
    for s in range(state.num_seats):
        control = " ".join(f"{state.control[s, c]:2}" for c in range(NUM_COLOURS))
        passed = f"{state.pass_place[s]}." if state.pass_place[s] else "-"
        mark = ">" if s == state.seat else " "
        counts = f"{state.hq[s]:2} {state.boroughs[s]:3} {state.boss_count[s]:4} {state.vp[s]:3}"
        ending = f"{_votes(state, s):17} {passed:6} {score(state, s, tammany)}"
        lines.append(f"{mark}s{s} {GANGS[s]:12} {counts} {control}  {ending}")
    return lines


def _votes(state: State, seat: int) -> str:
    parts = [f"+{state.flat_votes[seat]}"] if state.flat_votes[seat] else []
    parts += [
        f"+{3 * state.colour_votes[seat, c]}{COLOURS[c]}"
        for c in range(NUM_COLOURS)
        if state.colour_votes[seat, c]
    ]
    if state.boss_votes[seat]:
        parts.append(f"+{state.boss_votes[seat]}/boss")
    return " ".join(parts) or "-"
