"""The picture, the text and the narration: legible, complete, revealing no secrets."""

from __future__ import annotations

import math
import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
from PIL import ImageFont

from gangland.envs.api.raster import _fonts, rgb_array
from gangland.envs.gangsters.data import BOARD, BUILDING_NAMES, NODE_NAMES
from gangland.envs.gangsters.picture import map as city
from gangland.envs.gangsters.picture import places, svg, tokens
from gangland.envs.gangsters.words import street_map

from .scenes import GAME, chance, phase, play, run, scene
from .test_play import walk

ROOT = "{http://www.w3.org/2000/svg}"


def picture(state, viewer=None):
    return ElementTree.fromstring(GAME.svg(state, viewer, GAME.legal_actions(state), "Red: done."))


def test_the_legend_ends_before_the_panel():
    plain = ImageFont.truetype(_fonts()["DejaVuSans"], 100)
    row = [
        e
        for e in picture(GAME.new_state(1)).iter(f"{ROOT}text")
        if float(e.get("y")) > city.HEIGHT - 30
    ]
    assert {e.text for e in row} >= {"Racketeers", "Commissioner", "Informant"}
    for element in row:
        length = float(element.get("font-size")) * plain.getlength(element.text) / 100
        if element.get("text-anchor") is None:
            assert float(element.get("x")) + length < city.MAP_WIDTH


def words(tree):
    return [element.text or "" for element in tree.iter(f"{ROOT}text")]


def titles(tree):
    return [element.text or "" for element in tree.iter(f"{ROOT}title")]


@pytest.mark.parametrize(
    "options",
    [{}, {"gangs": 2, "max_rounds": 8}, {"police": False, "wheels": True, "max_rounds": 5}],
    ids=str,
)
def test_every_legal_action_is_marked_once_for_its_seat(options):
    for k, state in enumerate(walk(4, **options)):
        if k % 61 and state.revealed:
            continue
        for viewer in (None, *range(state.num_seats)):
            tree = picture(state, viewer)
            marked = [int(e.get("data-action")) for e in tree.iter() if e.get("data-action")]
            mine = not state.over and viewer in (None, state.seat)
            assert sorted(marked) == (GAME.legal_actions(state) if mine else [])


def test_the_map_shows_every_place():
    tree = picture(run(scene(phase="MOVE")))
    shown, named = words(tree), titles(tree)
    asked = {element.get("data-piece") for element in tree.iter()}
    for code, name in zip(NODE_NAMES[101:], BUILDING_NAMES, strict=True):
        assert code in asked
        assert code not in shown
        assert any(title.startswith(f"{name}, $") for title in named)
    for entry in BOARD["spaces"].values():
        assert entry["name"] in named
    for street in ("North Avenue", "The Viaduct", "Broadway"):
        assert street in shown
    shown = {" ".join(label.lines).title() for label in street_map.labels()[1]}
    long = {s["street"] for s in BOARD["segments"] if len(s["spaces"]) > 1}
    assert long <= shown, "a street of several spaces has its name"


def test_nothing_on_the_map_lies_on_a_name_or_a_space():
    """Tiles of buildings neither touch each other nor the spaces of the streets."""
    tiles = [city.tile(b) for b in range(len(BUILDING_NAMES))]
    for k, (left, top, width, height) in enumerate(tiles):
        assert left > 0
        assert left + width < city.MAP_WIDTH
        for other_left, other_top, other_width, other_height in tiles[:k]:
            beside = left + width <= other_left + 1 or other_left + other_width <= left + 1
            assert beside or top + height <= other_top or other_top + other_height <= top
        for x, y in city.XY[: len(BOARD["spaces"])]:
            assert not (left < x < left + width and top < y < top + height)


def covered(state):
    """For each piece on the map what it covers, and how far it stands from its place."""
    here = dict(sorted(tokens.tokens(state, None).items()))
    wanted = {
        node: [tokens.cover(token, tokens.facing(token, node)) for token in there]
        for node, there in here.items()
    }
    found = places.stand(wanted)
    for node, boxes in wanted.items():
        for box, point in zip(boxes, found[node], strict=True):
            yield box.moved(*point), math.dist(point, places.from_home(node, *point)), point


@pytest.mark.parametrize("seed", [1, 9])
def test_pieces_leave_names_and_each_other_readable(seed):
    seen = []
    for k, state in enumerate(walk(seed)):
        if k % 13:
            continue
        stood = list(covered(state))
        for box, far, _ in stood:
            assert not any(box.meets(one) for one in places.printed())
            seen.append(far)
        for (_, _, one), (_, _, other) in combinations(stood, 2):
            assert math.dist(one, other) >= places.APART
    assert len(seen) > 200
    assert sorted(seen)[len(seen) // 2] < tokens.RADIUS, "most stand on their places"
    assert max(seen) < 70


def test_everybody_at_one_place_finds_room():
    box = places.Box(-19, -19, 19, 19)
    for node in (0, 61, city.STREETS, len(city.XY) - 1):
        found = places.stand({node: [box] * 9})[node]
        assert len(set(found)) == 9
        for x, y in found:
            assert not any(box.moved(x, y).meets(one) for one in places.printed())


def test_a_piece_beside_its_place_is_tied_to_it():
    def lines(*changes):
        return GAME.svg(run(scene(*changes, phase="MOVE")), None).count("<line")

    alone = lines("Red.T 2@NA6<NA5")
    assert lines("Red.T 2@NA6<NA5", "Green.T 2@NA6<NA5", "Brown.T 2@NA6<NA5") == alone + 2


def test_all_print_is_large_enough():
    for k, state in enumerate(walk(9)):
        if k % 17 == 0:
            sizes = [float(e.get("font-size")) for e in picture(state).iter(f"{ROOT}text")]
            assert min(sizes) >= city.TEXT


def test_pieces_are_distinct():
    state = run(scene("Red.T 2@G02!", "cop 4@BW5<BW4*Red", "public x2@J17i", "joint J17:Red:2c",
                      "joint J12:Police:1", phase="MOVE"))  # fmt: skip
    tree = picture(state)
    named = titles(tree)
    for title in ("Red Thug 2, criminal", "Red Racketeer 4", "Officer 4, 2 dice, moved by Red",
                  "Informant worth 2", "Commissioner 4", "Yellow Vamp"):  # fmt: skip
        assert title in named
    lit = [e.get("data-now") for e in tree.iter() if e.get("data-piece") == "J17"]
    assert any("On its criminal side." in now for now in lit)
    assert "HQ" in words(tree)
    normal = run(scene("Red.T 2@G02", phase="MOVE"))
    assert "Red Thug 2" in titles(picture(normal))


def test_sides_differ_by_shape_as_well_as_colour():
    """Whoever cannot tell red from green or brown sees whose piece and whose joint it is."""
    state = run(scene("Red.T 2@NA6<NA5", "joint J17:Green:2", "joint J12:Brown:4", phase="MOVE"))
    tree = picture(state)

    def marks(key):
        found = [e for e in tree.iter() if e.get("data-piece") == key]
        return [[m.get("data-mark") for m in e.iter() if m.get("data-mark")] for e in found]

    assert ["0"] in marks("thug")
    assert ["1", "1"] in marks("J17"), "as many as the level"
    assert ["3"] in marks("J12"), "with a number above two"
    shapes = {m.get("data-mark"): m.get("d") for m in tree.iter() if m.get("data-mark")}
    assert len(set(shapes.values())) == len(shapes) == 5


def test_the_place_of_a_crime_is_what_it_is_about():
    state = run(scene("Red.T 4@NA4<NA3", phase="MOVE", dice="2/2/1/1/1"))
    assert picture(state).get("data-focus") is None
    play(state, "move T", "go G02")
    assert phase(state) == "CRIME"
    assert picture(state, 0).get("data-focus") == "G02"
    assert picture(state, 1).get("data-focus") is None


def test_secrets_are_not_drawn():
    def at(*changes):
        state = run(scene(*changes, "Police chits=x1", phase="MOVE"))
        return [GAME.svg(state, seat, [], "") for seat in range(5)]

    first = at("Red $1200", "Red markers=3")
    second = at("Red $1300", "Red markers=8")
    assert [a == b for a, b in zip(first, second, strict=True)] == [False, True, True, True, True]
    assert "$1,200" in first[0]
    assert "$1,200" not in first[1]


def test_a_shootout_is_narrated():
    state = scene("Yellow.T 2@G02", "Brown.T 2@G02", "Red.R 4@NA4<NA3", phase="MOVE",
                  dice="2/2/1/1/1")  # fmt: skip
    run(state, "move R", "go G02", "hit", "end")
    assert "Shootout: Federal Building" in words(picture(state))
    assert "fire at whom? (Red's racketeers)" in " ".join(words(picture(state)))
    play(chance(state, 6, 6, 1, 1, 5, 1), "target Yellow")
    assert phase(state) != "TARGET"


def test_the_offer_is_narrated():
    state = run(scene("Green.R 4@RD3", phase="BUY", dice="-", trade_offers=1))
    play(state, "trade Green", "go J31", "go J10", "pay 300")
    asked = "Green: Red gives Lou's Diner and $300 for Ambassadors' Club: accept?"
    assert asked in " ".join(words(picture(state)))


@pytest.mark.parametrize("seed", [1, 2])
def test_pictures_of_random_positions_become_pixels(seed):
    states = [GAME.clone(state) for state in walk(seed)]
    for state in states[:: len(states) // 3]:
        pixels = rgb_array(GAME.svg(state, None, GAME.legal_actions(state), "x < y & z"), width=400)
        assert pixels.shape[1:] == (400, 3)


def test_texts_do_not_overflow_their_panel():
    for k, state in enumerate(walk(9)):
        if k % 17:
            continue
        for element in picture(state).iter(f"{ROOT}text"):
            x, size = float(element.get("x")), float(element.get("font-size"))
            if element.get("text-anchor") is None and x > svg.X - 4 and element.text:
                assert x + 0.56 * size * len(element.text) < svg.WIDTH, element.text


def test_the_text_view_names_everything():
    state = run(scene("cop 4@BW5<BW4", "public x2@J17i", phase="MOVE"))
    shown = GAME.text(state, None)
    for part in (
        "Round 1: ", "4 Racketeers at Downtown Bus Station", "officer 4 at Broadway 5",
        "Informant worth 2 at Downtown Bus Station", "$1,000",
        "3 joints: Brizelli's Riverside (level 1), Downtown Bus Station (level 1), Lou's Diner",
    ):  # fmt: skip
        assert part in shown
    assert not re.search(r"\b[JG]\d\d\b|[RTV]\d@|x[A-M]\b", shown), "no codes"


def test_the_text_map_has_every_name_and_piece():
    state = run(scene("cop 4@BW5<BW4", "public x2@J17i", phase="MOVE"))
    drawn = GAME.text(state, None).split("\n\n", 3)[3]
    assert max(map(len, drawn.splitlines())) <= street_map.WIDTH
    buildings, streets = street_map.labels()
    taken = {}
    for label in (*buildings, *streets):
        for row, line in enumerate(label.lines):
            for column in range(len(line)):
                cell = (label.at.row + row, label.at.column + column)
                assert taken.setdefault(cell, label) == label, "names lie on each other"
        assert all(line in drawn for line in label.lines)
    places = set(street_map.cells()[: len(BOARD["spaces"])])
    assert not places & set(taken), "a name lies on a space"
    assert [" ".join(label.lines) for label in buildings] == list(BUILDING_NAMES)
    assert "c4" in drawn
    for building, mark in ((15, "R1"), (16, "R1*"), (30, "R1")):
        at = buildings[building].mark
        assert drawn.splitlines()[at.row][at.column :].startswith(mark)
