"""The picture: marks for the legal actions, the owners' colours, nothing that is hidden."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from PIL import ImageFont

from gangland.envs import load
from gangland.envs.api.raster import _fonts
from gangland.envs.chicago.actions import BATTLE, HIT, MOB, RAID
from gangland.envs.chicago.data import CODES, GANGSTERS, NAMES
from gangland.envs.chicago.picture.map import COLOURS, NEUTRAL, district_points
from gangland.envs.chicago.state import BLACK_JOKER, BRIBE, NONE, PAY_TERR, PHASES, RED_JOKER
from tests.chicago.scenes import legal, play, scene
from tests.games import random_positions, slow_but

GAME = load("chicago")
SVG = "{http://www.w3.org/2000/svg}"
FRAME = (16, 70, 816, 690)
RAISED = 1.35
"""How much the page may enlarge small print."""
# A low bribe and a small hand bring every kind of question about.
OPTIONS = {"bribe": 10, "hand_limit": 3}


def picture(state, viewer, actions=(), last=""):
    return ET.fromstring(GAME.svg(state, viewer, actions, last))


def marked(root):
    return [int(e.get("data-action")) for e in root.iter() if e.get("data-action") is not None]


def words(root):
    """All that is written, titles included."""
    return [e.text for e in root.iter() if e.text]


def fills(root):
    """Fill of each territory's polygon by code."""
    return {
        e.get("data-territory"): e.get("fill")
        for e in root.iter(f"{SVG}polygon")
        if e.get("data-territory")
    }


def many_positions(players, every=11):
    """Every so many positions of a random game, and all in which somebody is to pay."""
    for k, step in enumerate(random_positions(GAME, 0, players=players, **OPTIONS)):
        state = step[3]
        if k % every == 0 or state.phase in (PAY_TERR, BRIBE) or state.over:
            yield state


def test_the_number_of_a_discard_ends_before_the_next_card():
    state = GAME.new_state(1)
    state.discards[:] = 4
    root, bold = picture(state, None), ImageFont.truetype(_fonts()["DejaVuSans-Bold"], 100)
    frame = next(e for e in root.iter(f"{SVG}rect") if e.get("width") == "166")
    edge = float(frame.get("x")) + float(frame.get("width"))
    for group in root.iter(f"{SVG}g"):
        numbers = [e for e in group.iter(f"{SVG}text") if e.text == "×4"]
        if len(numbers) != 1:
            continue
        number = numbers[0]
        at, size = float(number.get("x")), float(number.get("font-size"))
        end = at + RAISED * size * bold.getlength("×4") / 100
        cards = [float(e.get("x")) for e in root.iter(f"{SVG}rect") if e.get("width") == "22"]
        assert end + 1 <= min([x for x in cards if x > at], default=edge)


@pytest.mark.parametrize("territory", range(len(NAMES)))
@pytest.mark.parametrize(
    ("joker", "notice"),
    [(NONE, "TURNED UP: "), (RED_JOKER, "POLICE RAID"), (BLACK_JOKER, "MOB ATTACK")],
)
def test_a_notice_fits_its_pill_and_the_pill_the_map(territory, joker, notice):
    state, bold = GAME.new_state(1), ImageFont.truetype(_fonts()["DejaVuSans-Bold"], 100)
    state.owner[territory] = NONE if joker == NONE else 0
    state["flipped" if joker == NONE else "target"] = territory
    state.joker = joker
    pill, label = next(
        (pill, label)
        for group in picture(state, None).iter(f"{SVG}g")
        for pill, label in pairwise(group)
        if label.tag == f"{SVG}text" and label.text.startswith(notice)
    )
    length = float(label.get("font-size")) * bold.getlength(label.text) / 100
    left, width = float(pill.get("x")), float(pill.get("width"))
    assert length + 8 <= width
    assert FRAME[0] < left
    assert left + width < FRAME[2]


@pytest.mark.parametrize("players", slow_but([2, 5], range(2, 7)))
def test_every_legal_action_is_marked_once(players):
    phases = set()
    for state in many_positions(players):
        phases.add(PHASES[state.phase])
        now = GAME.legal_actions(state)
        for viewer in {None, None if state.over else int(state.seat)}:
            root = picture(state, viewer, now, "last")
            assert sorted(marked(root)) == now
            for element in root.iter():
                action = element.get("data-action")
                if action is not None:
                    assert element.find(f"{SVG}title").text == GAME.describe(state, int(action))
                    assert element.get("cursor") == "pointer"
        assert marked(picture(state, None)) == []
    assert phases >= {"MAIN", "PAY_TERR", "BRIBE", "DISCARD", "OVER"}


def test_only_the_seat_that_decides_sees_choices():
    state = GAME.new_state(5)
    seat = GAME.seat_to_act(state)
    now = GAME.legal_actions(state)
    assert marked(picture(state, seat, now))
    assert marked(picture(state, (seat + 1) % 5, now)) == []


@pytest.mark.parametrize("players", range(2, 7))
def test_territories_have_their_owners_colours(players):
    owned = 0
    for state in many_positions(players, every=23):
        shown = fills(picture(state, None))
        assert list(shown) == list(CODES)
        for code, owner in zip(CODES, state.owner.tolist(), strict=True):
            assert shown[code] == (NEUTRAL if owner < 0 else COLOURS[owner])
            owned += owner >= 0
    assert owned > 100


@pytest.mark.rule("CU-13.1", "CU-13.4", "CU-13.6")
@pytest.mark.parametrize("players", slow_but([4], [2, 4, 6]))
def test_pictures_hold_what_the_viewer_may_know(players):
    """The true record, a redacted one and one with the hidden cards redrawn look the same."""
    for k, state in enumerate(many_positions(players, every=29)):
        for seat in range(players):
            seen = GAME.svg(state, seat)
            assert GAME.svg(GAME.redact(state, seat), seat) == seen
            assert GAME.svg(GAME.resample_hidden(state, seat, k), seat) == seen


@pytest.mark.rule("CU-13.1")
def test_hands_are_open_to_their_owner_alone():
    """With no discards, faces are the small ones of the empty discards and the viewer's own."""
    state = scene(n=3, hands={0: "55B", 1: "9TA", 2: "2"}, own={1: "JS"})

    def faces(viewer):
        found = {}
        for word in words(picture(state, viewer)):
            if re.fullmatch(r"\$\d+|A|JOKER", word):
                found[word] = found.get(word, 0) + 1
        return {word: count - (word != "JOKER") for word, count in found.items()}

    def held(viewer):
        return {word: count for word, count in faces(viewer).items() if count}

    assert held(0) == {"$5": 2, "JOKER": 1}
    assert held(1) == {"$9": 1, "$10": 1, "A": 1}
    assert held(2) == {"$2": 1}
    assert held(None) == {"$2": 1, "$5": 2, "$9": 1, "$10": 1, "A": 1, "JOKER": 1}
    assert "5 points · $19 cash" in words(picture(state, 1))
    assert "5 points · 3 cards" in words(picture(state, 0))


@pytest.mark.rule("CU-13.4", "CU-13.6")
def test_a_payment_in_progress_is_the_payers_own_affair():
    state = scene(
        phase="PAY_TERR", acted=1, flip="KD", price=20, paid=0, hands={0: "5589TT", 1: "3"}
    )
    play(state, "pay T")
    assert "paid $10 of $20" in words(picture(state, 0))
    assert "0 points · $37 cash" in words(picture(state, 0))
    for viewer in (1, 2):
        seen = words(picture(state, viewer))
        assert not [word for word in seen if word.startswith("paid")]
        assert "0 points · 6 cards" in seen
        assert "TURNED UP: $20" in seen
        assert "Capone: pay $20 for Lakeshore?" in seen


def test_questions_in_words():
    bribed = {"n": 3, "phase": "BRIBE", "actor": 1, "target": "JS", "own": {1: "JS"}}
    state = scene({"bribe": 25}, **bribed, price=25, paid=0, joker="R", hands={1: "8TT"})
    for viewer in (None, 0, 1, 2):
        seen = words(picture(state, viewer))
        assert "O'Banion: a bribe of $25 to keep Loop?" in seen
        assert "POLICE RAID" in seen
    state = scene({"bribe": 25}, **bribed, price=25, paid=0, joker="B", hands={1: "8TT"})
    assert "MOB ATTACK" in words(picture(state, 2))
    state = scene(n=2, phase="DISCARD", acted=1, hands={0: "2233445"})
    assert "Capone drops cards down to 5" in words(picture(state, 0))
    assert "Capone goes on with the turn" in words(picture(state, 1))


def test_a_turn_begins_with_what_is_possible():
    own = {1: "QH"}
    for men, choices in ((1, "hire, draw or battle"), (0, "hire or draw"), (5, "draw or battle")):
        seen = words(picture(scene(n=2, men={0: men}, own=own), 1))
        assert f"Capone begins the turn: {choices}" in seen


def test_one_district_stands_for_several_actions():
    state = scene(n=2, hands={0: "RB"}, own={1: "QH"})
    x = CODES.index("QH")
    root = picture(state, 0, GAME.legal_actions(state))
    badges = {
        int(e.get("data-action")): [t.text for t in e.iter(f"{SVG}text")]
        for e in root.iter(f"{SVG}g")
        if e.get("data-action")
    }
    assert badges[BATTLE + x] == ["BATTLE"]
    assert badges[RAID + x] == ["RAID"]
    assert badges[MOB + x] == ["MOB"]
    state = scene(n=2, hands={0: "A"}, own={1: "QH"})
    assert legal(state) == ["hire", "draw", "battle QH", "hit 1"]
    root = picture(state, 0, GAME.legal_actions(state))
    (district,) = (e for e in root.iter(f"{SVG}g") if e.get("data-action") == str(BATTLE + x))
    assert NAMES[x] in [t.text for t in district.iter(f"{SVG}text")]
    assert HIT in marked(root)


def test_the_end_shows_scores_and_crowns():
    for players in (2, 6):
        *_, state = many_positions(players, every=10_000)
        assert state.over
        root = picture(state, 0)
        result = GAME.result(state)
        for score, place in zip(result.scores, result.places, strict=True):
            assert f"{score} in all · place {place}" in words(root)
        crowns = [e for e in root.iter(f"{SVG}use") if e.get("href") == "#cu-crown"]
        assert len(crowns) == result.places.count(1)
        assert not [word for word in words(root) if "decides" in word]


def test_text_is_escaped_and_long_events_are_shortened():
    state = GAME.new_state(1)
    assert 'Now <"&> then' in words(picture(state, None, (), 'Now <"&> then'))
    lines = [w for w in words(picture(state, None, (), "bang " * 200)) if w.startswith("bang")]
    assert len(lines) == 2
    assert lines[1].endswith("…")


def test_pictures_are_small_and_of_one_size():
    for players in (2, 6):
        for state in many_positions(players, every=40):
            source = GAME.svg(state, None, GAME.legal_actions(state), "x" * 200)
            assert len(source.encode()) < 60_000
            assert "<script" not in source
            root = ET.fromstring(source)
            assert (root.get("width"), root.get("height")) == ("1200", "800")
            assert root.get("viewBox") == "0 0 1200 800"


def test_a_full_hand_of_cards_and_all_marks_fit_the_size():
    """The largest picture: all jokers, Aces and money in one hand, eleven rival territories."""
    own = {1: " ".join(CODES[:11]), 0: CODES[11]}
    hand = "2222333344445555666677778888999TTTTAAAARB"
    state = scene(n=6, hands={0: hand}, own=own, men={0: 5, 1: 5, 2: 5, 3: 5, 4: 5, 5: 5})
    source = GAME.svg(state, 0, GAME.legal_actions(state), "x" * 200)
    assert len(source.encode()) < 60_000
    assert sorted(marked(ET.fromstring(source))) == GAME.legal_actions(state)


def test_districts_tile_the_city():
    """Every border runs between two districts, the outer ones along the frame and the shore."""
    edges = {}
    area = 0.0
    for name in NAMES:
        corners = district_points(name)
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
            edges[a, b] = edges.get((a, b), 0) + 1
            area += (a[0] * b[1] - b[0] * a[1]) / 2
            for x, y in (a, b):
                assert FRAME[0] <= x <= FRAME[2]
                assert FRAME[1] <= y <= FRAME[3]
    assert set(edges.values()) == {1}, "two districts lie upon each other"
    outer = [edge for edge in edges if edge[::-1] not in edges]
    outline = sum((a[0] * b[1] - b[0] * a[1]) / 2 for a, b in outer)
    assert area == pytest.approx(outline)
    assert len({a for a, _ in outer}) == len(outer)


def test_six_colours_for_six_gangsters():
    assert len(set(COLOURS)) == len(GANGSTERS) == 6
