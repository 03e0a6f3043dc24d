"""Scenes of the specification's worked examples, set by its text notation, and random games.

Base position of ``scene``: layout of the rules, colours b g r o for tile numbers mod 4, round 2,
start seat 0, empty board, 6 rabble in every HQ, buildings BE on T0 and TA on the last tile.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from gangland.envs import load
from gangland.envs.five_points.data import LAYOUTS, TILES
from gangland.envs.five_points.rules import engine as rounds
from gangland.envs.five_points.state import BUILDINGS, MARKERS, SPECIAL_ELECTION, TURN
from gangland.envs.five_points.words import notation
from tests.scenes import legal_texts, play_texts

GAME = load("five_points")
play = partial(play_texts, GAME)
legal = partial(legal_texts, GAME)

DIGITS = "0123456789abcdefghijk"


def pieces(text):
    """``"5 0x7 1x2; 6 0x2"``: two lines of counts by seat, as ``{5: {0: 7, 1: 2}, 6: {0: 2}}``."""
    found = {}
    for line in filter(None, (part.strip() for part in text.split(";"))):
        key, *counts = line.split()
        found[int(key)] = {int(c.split("x")[0]): int(c.split("x")[1]) for c in counts}
    return found


def digits(counts, n):
    return "".join(DIGITS[counts.get(seat, 0)] for seat in range(n))


def scene_text(
    n=5,
    rabble="",
    bosses="",
    buildings=None,
    hq=None,
    row="V1 V2 V3b CM",
    bids="",
    passed="",
    actor=0,
    vp=None,
    control=None,
    supply=None,
    flat=None,
    v3=None,
    vb=None,
    special=(),
    round_number=2,
    phase="PLACE",
    **options,
):
    """The line of notation of a scene; arguments are differences from the base position."""
    seats = range(n)
    board, on_tiles, bid = pieces(rabble), pieces(bosses), pieces(bids)
    hq = {seat: (hq or {}).get(seat, 6) for seat in seats}
    used = {
        seat: sum(c.get(seat, 0) for c in (*board.values(), *bid.values())) + hq[seat]
        for seat in seats
    }
    control = {seat: (control or {}).get(seat, "0000") for seat in seats}
    piles = [
        (supply or {}).get(colour, 12 - sum(int(control[seat][c]) for seat in seats))
        for c, colour in enumerate("bgro")
    ]
    tiles = ",".join(
        f"{'bgro'[t % 4]}{LAYOUTS[n, t] // 9}{LAYOUTS[n, t] % 9}"
        f":{digits(board.get(t, {}), n)}:{digits(on_tiles.get(t, {}), n)}"
        for t in range(TILES[n])
    )
    fields = {
        "n": n,
        "round": round_number,
        "start": 0,
        "phase": phase,
        "actor": actor,
        "last": int(len(passed) == n - 1),
        "tiles": tiles,
        "bld": buildings or f"BE@0,TA@{TILES[n] - 1}",
        "hq": ",".join(str(hq[seat]) for seat in seats),
        "bor": ",".join(str(20 - used[seat]) for seat in seats),
        "vp": ",".join(str((vp or {}).get(seat, 0)) for seat in seats),
        "cm": ",".join(control[seat] for seat in seats),
        "pile": "".join(DIGITS[p] for p in piles),
        "row": ",".join(row.split()),
        "bids": ",".join(digits(bid.get(m, {}), n) for m in range(4)),
        "pass": ",".join(passed) or "-",
        "flat": ",".join(str((flat or {}).get(seat, 0)) for seat in seats),
        "cv": ",".join(
            "".join(str(int((v3 or {}).get(seat) == colour)) for colour in "bgro") for seat in seats
        ),
        "vb": ",".join(str((vb or {}).get(seat, 0)) for seat in seats),
        "spec": ",".join(str(t) for t in special) or "-",
        "stage": "-",
        "sel": "-",
        "tied": "-",
        "chosen": "-",
    }
    if options:
        fields["opt"] = ",".join(f"{name}:{value}" for name, value in options.items())
    return " ".join(["FP/1", *(f"{key}={value}" for key, value in fields.items())])


def _at(step, texts, **scene):
    reader = notation.PositionReader(scene_text(**scene))
    state = notation.read_fields(GAME, reader)
    rounds.advance(state, step)
    return play(state, *texts)


def at_turn(*texts, **scene):
    """The placement turn of ``actor`` begins; then the given actions."""
    return _at(TURN, texts, **scene)


def at_markers(*texts, **scene):
    """The resolution of M0 begins, income already taken; then the given actions."""
    return _at(MARKERS, texts, **{"passed": "01234", **scene})


def at_buildings(*texts, **scene):
    """The building stage begins; then the given actions."""
    return _at(BUILDINGS, texts, **{"passed": "01234", **scene})


def at_elections(*texts, **scene):
    """The election stage begins; then the given actions."""
    return _at(SPECIAL_ELECTION, texts, **{"passed": "01234", **scene})


def phase(state):
    return GAME.phases[state.phase]


def seats(state, field):
    """A field by seat, as a list."""
    return state[field][: state.num_seats].tolist()


def bosses_on(state, tile):
    """Seats with a boss on a tile."""
    return [seat for seat in range(5) if state.bosses[tile, seat]]


def rabble_on(state, tile):
    return state.rabble[tile, : state.num_seats].tolist()


def random_game(seed, state=None, prefer=(), **options):
    """Yield the state at every decision and at the end; the record is the same object.

    ``prefer``: phases at which ``skip`` is avoided.
    """
    chance = np.random.default_rng(seed)
    state = GAME.new_state(seed, **options) if state is None else state
    yield state
    while not state.over:
        legal = GAME.legal_actions(state)
        if GAME.phases[state.phase] in prefer and len(legal) > 1:
            legal = [action for action in legal if action != 2]
        GAME.apply(state, int(chance.choice(legal)))
        yield state
