"""The table as an SVG picture: city, row of markers, buildings, seats."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from functools import partial
from typing import Final

from ...core.game import Game
from ...core.presentation.svg import Marks, document, element, piece, sentence, text
from ...core.state import NO_SEAT, State
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
from ..data import BUILDINGS, COLOURS, TABLES
from ..state import (
    BUILDING_STAGE,
    ELECT,
    MARKER_STAGE,
    MAX_SEATS,
    MB_TO,
    NONE,
    NUM_BUILDINGS,
    NUM_COLOURS,
    OVER,
    PHASES,
    ROW_SIZE,
    SETUP,
    SIDE,
)
from ..words.narration import ASKED, GANGS, building_name, leader_of, marker_effect
from .pieces import (
    GOLD,
    INK,
    MUTED,
    PAPER,
    SILHOUETTES,
    TILE_COLOURS,
    TILE_DARKS,
    boss,
    box,
    chip,
    cube,
    seat_panel,
    star,
    token,
)

WIDTH: Final = 1400
HEIGHT: Final = 920
CITY: Final = (20, 64, 850, 640)
"""Left, top, width and height of the city."""
PANEL_X: Final = 890
PANEL_WIDTH: Final = 490
SEATS_Y: Final = 760
LARGEST_TILE: Final = 156


def svg(
    game: Game, state: State, viewer: int | None, legal: Sequence[int] = (), last: str = ""
) -> str:
    """The picture; elements that stand for an action of ``legal`` carry ``data-action``."""
    marks = Marks(frozenset(map(int, legal)), partial(game.describe, state))
    shown = textwrap.shorten(last, 170, placeholder=" …")
    parts = [
        _background(),
        _title(state),
        _city(state, marks),
        _question(state, marks),
        _row(state, marks),
        _buildings(state, marks),
        _supply(state, marks),
        *(seat_panel(state, seat, WIDTH, SEATS_Y) for seat in range(state.num_seats)),
        sentence(last, [text(24, HEIGHT - 12, shown, 13, MUTED, font_style="italic")]),
    ]
    return document(WIDTH, HEIGHT, "".join(parts))


def _background() -> str:
    left, top, width, height = CITY
    return (
        '<defs><radialGradient id="night" cx="0.35" cy="0.4" r="0.9">'
        '<stop offset="0" stop-color="#4a3d30"/><stop offset="1" stop-color="#1d1712"/>'
        '</radialGradient><pattern id="cobbles" width="26" height="16" '
        'patternUnits="userSpaceOnUse"><path d="M0 0.5H26M0 8.5H26M6 0V8M19 8V16" '
        'stroke="#000" stroke-opacity="0.16" fill="none"/>'
        "</pattern></defs>"
        + box(0, 0, WIDTH, HEIGHT, "#1b1510", 0)
        + box(left, top, width, height, "url(#night)", 14, "#6b573f", 1.5)
        + box(left, top, width, height, "url(#cobbles)", 14)
    )


def _title(state: State) -> str:
    passed = [int(state.pass_order[k]) for k in range(state.num_passed)]
    order = "".join(boss(WIDTH - 160 + 28 * k, 48, seat, 24) for k, seat in enumerate(passed))
    if passed:
        order += text(WIDTH - 184, 42, "passed", 15.4, MUTED, "end", font_style="italic")
        order = piece("passed", order)
    return (
        text(24, 42, "FIVE POINTS", 30, GOLD, font_weight="bold")
        + text(256, 42, "Gangs of New York", 16, MUTED, font_style="italic")
        + piece("round", _round(state))
        + order
    )


def _round(state: State) -> str:
    words = f"Round {int(state.round_number)} of at most {int(state.max_rounds)}"
    return text(CITY[0] + CITY[2], 42, words, 16, PAPER, "end")


# --- the city -------------------------------------------------------------------------------


def _city(state: State, marks: Marks) -> str:
    spots = [divmod(int(state.cell[t]), SIDE) for t in range(state.num_tiles)]
    targets = [divmod(a - CELL_AT, SIDE) for a in sorted(marks.legal) if CELL_AT <= a < COLOUR_AT]
    rows = [r for r, _ in spots + targets]
    columns = [c for _, c in spots + targets]
    left, top, width, height = CITY
    across, down = max(columns) - min(columns) + 1, max(rows) - min(rows) + 1
    size = min(LARGEST_TILE, (width - 24) / across, (height - 24) / down)
    x0 = left + (width - size * across) / 2 - size * min(columns)
    y0 = top + (height - size * down) / 2 - size * min(rows)
    drawn = []
    for row, column in targets:
        number = CELL_AT + SIDE * row + column
        inner = box(
            6, 6, 88, 88, "#ffd35a", 8, GOLD, 2.5, fill_opacity=0.12, stroke_dasharray="8 6"
        ) + text(50, 56, "here", 15.4, GOLD, "middle")
        drawn.append(_at(x0 + size * column, y0 + size * row, size, marks.wrap(number, inner)))
    for tile, (row, column) in enumerate(spots):
        drawn.append(_at(x0 + size * column, y0 + size * row, size, _tile(state, tile, marks)))
    return element("g", "".join(drawn), data_region="map", data_name="The city")


def _at(x: float, y: float, size: float, inner: str) -> str:
    return f'<g transform="translate({x:.1f} {y:.1f}) scale({size / 100:.4f})">{inner}</g>'


def _tile(state: State, tile: int, marks: Marks) -> str:
    """One tile in a 100 x 100 box."""
    colour = int(state.colour[tile])
    picked_tile = state.building_tile[state.picked] if state.phase == MB_TO else state.picked
    picked = state.picked != NONE and picked_tile == tile
    number = next((a for a in (PLACE_AT + tile, TILE_AT + tile) if a in marks.legal), None)
    edge, line = (GOLD, 3.2) if number is not None else (TILE_DARKS[colour], 2)
    if picked:
        edge, line = "#ffffff", 4
    ground = (
        box(2, 2, 96, 96, TILE_COLOURS[colour], 8, edge, line)
        + f'<path d="{SILHOUETTES[colour]}" fill="{TILE_DARKS[colour]}" fill-opacity="0.55" '
        'fill-rule="evenodd"/>' + text(7, 17, str(tile), 14, "#fff", font_weight="bold")
    )
    drawn = (
        piece(f"tile:{COLOURS[colour]}", ground, *_tile_now(state, tile))
        + _banner(state, tile, marks)
        + _people(state, tile, marks)
        + _marks(state, tile)
    )
    # Where a tile stands for an action, so does all that lies on it.
    return drawn if number is None else marks.wrap(number, drawn)


def _tile_now(state: State, tile: int) -> list[str]:
    """Who has how much rabble on a tile, and who leads it."""
    counts = [
        f"{GANGS[s]} {int(state.rabble[tile, s])}"
        for s in range(int(state.num_seats))
        if state.rabble[tile, s]
    ]
    leader = leader_of(state, tile)
    return [
        f"Tile {tile}. " + (", ".join(counts) + "." if counts else "No rabble."),
        f"The {GANGS[leader]} lead it." if leader != NONE else "",
    ]


def _banner(state: State, tile: int, marks: Marks) -> str:
    for building in range(NUM_BUILDINGS):
        if state.building_tile[building] != tile:
            continue
        unseen = state.phase == SETUP
        name = "unseen" if unseen else TABLES.building_names[int(state.building[building])]
        number = BUILDING_AT + building
        edge, lit = (GOLD, 2) if number in marks.legal else ("#d8c9a5", 0.8)
        first, _, second = name.rpartition(" ")
        lines = [words for words in (first, second) if words]
        inner = box(30, 4, 67, 4 + 15 * len(lines), INK, 3, edge, lit)
        for k, words in enumerate(lines):
            narrow = (
                {"textLength": 62, "lengthAdjust": "spacingAndGlyphs"} if len(words) > 7 else {}
            )
            inner += text(63.5, 16.5 + 15 * k, words, 14, PAPER, "middle", font_weight="bold",
                          **narrow)  # fmt: skip
        key = "building" if unseen else f"building:{BUILDINGS[int(state.building[building])]}"
        inner = piece(key, inner)
        return marks.wrap(number, inner)
    return ""


def _people(state: State, tile: int, marks: Marks) -> str:
    """Bosses, then rabble cubes in rows; counts instead of cubes in a crowd."""
    seats = range(int(state.num_seats))
    standing = [s for s in seats if state.bosses[tile, s]]
    parts = [
        piece("boss", boss(14 + 18 * k, 43, s, 22), f"Of the {GANGS[s]}.")
        for k, s in enumerate(standing)
    ]
    first = RABBLE_AT + MAX_SEATS * tile
    numbers = {
        s: first + (s - int(state.seat)) % len(seats) for s in seats if state.rabble[tile, s]
    }
    # Rows of cubes run into one another: gangs to choose from need a place of their own each.
    crowd = int(state.total[tile]) > 21 or not marks.legal.isdisjoint(numbers.values())
    few = int(state.total[tile]) <= 10
    step, per_line, size = (17.2, 5, 15.5) if few else (12.4, 7, 11)
    place = 0
    for k, (seat, number) in enumerate(numbers.items()):
        count = int(state.rabble[tile, seat])
        lit = number in marks.legal
        if crowd:
            x, y = 8.0 + 42 * (k % 2), 46.0 + 14 * (k // 2)
            group = box(x - 2, y - 1.5, 39, 13, INK, 3, GOLD, 1) if lit else ""
            group += cube(x, y, seat, 10, lit) + text(x + 12, y + 10, f"×{count}", 14, "#fff")
        else:
            cubes = []
            for _ in range(count):
                x, y = 7 + step * (place % per_line), 46 + step * (place // per_line)
                cubes.append(cube(x, y, seat, size, lit))
                place += 1
            group = "".join(cubes)
        group = piece("rabble", group, f"{count} of the {GANGS[seat]}.")
        parts.append(marks.wrap(number, group))
    return "".join(parts)


def _marks(state: State, tile: int) -> str:
    """Total, special elections, ties, order of voting."""
    parts = []
    if state.total[tile]:
        votes = str(int(state.total[tile]))
        width = 21 if len(votes) == 1 else 30
        total = box(97.5 - width, 76.5, width, 21, INK, 10.5, fill_opacity=0.8)
        total += text(97.5 - width / 2, 92, votes, 15.4, PAPER, "middle", font_weight="bold")
        parts.append(piece("total", total))
    specials = [i for i in range(state.num_specials) if state.specials[i] == tile]
    stars = (star(85 - 24 * k, 46, 16, GOLD, str(i + 1)) for k, i in enumerate(specials))
    parts += [piece("special", mark) for mark in stars]
    chosen = [i for i in range(state.num_chosen) if state.chosen[i] == tile]
    if chosen:
        parts.append(
            f'<circle cx="87" cy="66" r="11" fill="#fff" stroke="{INK}"/>'
            + text(87, 71, f"{chosen[0] + 1}.", 14, INK, "middle", font_weight="bold")
        )
    elif state.phase == ELECT and state.tied >> tile & 1:
        parts.append(box(3.6, 3.6, 92.8, 92.8, "none", 7, "#fff", 1.2, stroke_dasharray="5 4"))
    return "".join(parts)


def _question(state: State, marks: Marks) -> str:
    """Who decides what, with the buttons that have no place on the board."""
    y = CITY[1] + CITY[3] + 10
    parts = [box(CITY[0], y, CITY[2], 34, "#2a211a", 8, "#6b573f", 1)]
    if state.seat == NO_SEAT:
        winners = [GANGS[s] for s in range(state.num_seats) if state.places[s] == 1]
        parts.append(text(CITY[0] + 16, y + 24, f"Won by: {', '.join(winners)}", 18.6, GOLD))
        return "".join(parts)
    seat = int(state.seat)
    parts.append(boss(CITY[0] + 22, y + 29, seat, 24))
    words = f"{GANGS[seat]}: {ASKED[PHASES[state.phase]]}"
    parts.append(text(CITY[0] + 42, y + 24, words, 18.6, PAPER))
    x = CITY[0] + CITY[2] - 10
    for number, label in ((SKIP, "leave it"), (NO_BID, "no bid"), (PASS_ACTION, "pass")):
        if number in marks.legal:
            x -= 96
            inner = box(x, y + 2, 90, 30, "#3d3226", 6, GOLD, 1.5)
            inner += text(x + 45, y + 22, label, 15.4, GOLD, "middle", font_weight="bold")
            parts.append(marks.wrap(number, inner))
    return "".join(parts)


# --- the panel ------------------------------------------------------------------------------

ROW_Y: Final = 64
CARD: Final = 100
BUILDINGS_Y: Final = ROW_Y + 4 * CARD + 8
SUPPLY_Y: Final = BUILDINGS_Y + 2 * 66 + 8


def _row(state: State, marks: Marks) -> str:
    if state.phase == SETUP:
        return box(PANEL_X, ROW_Y, PANEL_WIDTH, CARD - 6, "#2a211a", 8, "#6b573f", 1) + text(
            PANEL_X + 16,
            ROW_Y + 52,
            "Four manipulation markers are drawn after the setup.",
            14,
            MUTED,
        )
    return "".join(_marker(state, marker, marks) for marker in range(ROW_SIZE))


def _marker(state: State, marker: int, marks: Marks) -> str:
    x, y = PANEL_X, ROW_Y + CARD * marker
    current = state.stage == MARKER_STAGE + marker
    over = state.stage >= BUILDING_STAGE or state.phase in (ELECT, OVER)
    past = over or MARKER_STAGE + marker < state.stage < BUILDING_STAGE
    parts = [
        box(x, y, PANEL_WIDTH, CARD - 6, "#2a211a", 8, GOLD if current else "#6b573f", 1 + current),
        token(int(state.row[marker]), x + 8, y + 8),
        text(x + 98, y + 23, f"{marker + 1}.", 15.4, MUTED, font_weight="bold"),
    ]
    effect = marker_effect(state, marker)
    lines = enumerate(textwrap.wrap(effect, 44)[:2])
    elements = (text(x + 120, y + 23 + 16 * k, line, 15.4, PAPER) for k, line in lines)
    parts.append(sentence(effect, elements))
    place = x + 98
    for seat in range(state.num_seats):
        count = int(state.bids[marker, seat])
        if count:
            lead = count == state.bids[marker].max()
            parts.append(cube(place, y + 45, seat, 14))
            parts.append(
                text(
                    place + 18,
                    y + 58,
                    str(count),
                    15.4,
                    GOLD if lead else PAPER,
                    font_weight="bold",
                )
            )
            place += 46
    first = BID_AT + MAX_BID * marker
    bids = [a for a in range(first, first + MAX_BID) if a in marks.legal]
    step = min(56, (PANEL_WIDTH - 106) / max(1, len(bids)))
    parts += [
        chip(a, marks.describe(a), x + 98 + step * k, y + 60, f"+{a - first + 1}", step - 2, 32)
        for k, a in enumerate(bids)
    ]
    faded = piece(f"marker:{TABLES.marker_names[int(state.row[marker])]}", "".join(parts))
    return f'<g opacity="0.45">{faded}</g>' if past else faded


def _buildings(state: State, marks: Marks) -> str:
    return "".join(_building(state, building, marks) for building in range(NUM_BUILDINGS))


def _building(state: State, building: int, marks: Marks) -> str:
    x, y = PANEL_X, BUILDINGS_Y + 66 * building
    current = state.stage == BUILDING_STAGE + building or BUILDING_AT + building in marks.legal
    edge = GOLD if current else "#6b573f"
    parts = [box(x, y, PANEL_WIDTH, 60, "#2a211a", 8, edge, 1 + current)]
    tile = int(state.building_tile[building])
    where = f"tile {tile}" if tile != NONE else "not placed yet"
    if state.phase == SETUP:
        words = f"{building_name(state, building)}: {where}"
        parts.append(text(x + 16, y + 36, words, 15, MUTED))
        return piece("building", "".join(parts))
    kind = int(state.building[building])
    effect = TABLES.building_effects[kind]
    shown = textwrap.shorten(effect, 62, placeholder=" …")
    parts += [
        box(x + 8, y + 8, 44, 44, "#cdbb94", 6, "#000", 1.5),
        f'<path d="M{x + 16} {y + 46}v-18l14-13 14 13v18h-9v-11h-10v11z" fill="{INK}"/>',
        text(x + 64, y + 26, TABLES.building_names[kind], 15, PAPER, font_weight="bold"),
        sentence(effect, [text(x + 64, y + 46, shown, 15.4, MUTED)]),
        text(x + PANEL_WIDTH - 12, y + 25, where, 15.4, MUTED, "end"),
    ]
    leader = leader_of(state, tile)
    if leader != NONE:
        parts.append(boss(x + PANEL_WIDTH - 112, y + 28, leader, 20))
    now = f"The {GANGS[leader]} lead its tile." if leader != NONE else "Nobody leads its tile."
    return piece(f"building:{BUILDINGS[kind]}", "".join(parts), now)


def _supply(state: State, marks: Marks) -> str:
    """Piles of control markers."""
    height = CITY[1] + CITY[3] + 44 - SUPPLY_Y
    parts = [
        box(PANEL_X, SUPPLY_Y, PANEL_WIDTH, height, "#2a211a", 8, "#6b573f", 1),
        text(PANEL_X + 16, SUPPLY_Y + 24, "Control markers left", 15.4, MUTED),
    ]
    for colour in range(NUM_COLOURS):
        x, y = PANEL_X + 70 + 118 * colour, SUPPLY_Y + height / 2 + 12
        number = COLOUR_AT + colour
        left = int(state.supply[colour])
        discs = range(min(4, (left + 2) // 3))
        edge, line = (GOLD, 2) if number in marks.legal else (INK, 1.2)
        pile = "".join(
            f'<ellipse cx="{x}" cy="{y + 12 - 7 * k}" rx="30" ry="16" '
            f'fill="{TILE_COLOURS[colour]}" stroke="{edge}" stroke-width="{line}"/>'
            for k in discs
        )
        top = y + 12 - 7 * max(0, len(discs) - 1)
        pile += text(
            x, top + 6, str(left), 18, "#fff" if left else MUTED, "middle", font_weight="bold"
        )
        pile = piece("control", pile, f"{left} {TABLES.colour_names[colour]} ones are left.")
        parts.append(marks.wrap(number, pile))
    return "".join(parts)
