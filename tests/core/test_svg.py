"""Elements of pictures: well-formed, escaped, found by their action."""

import xml.etree.ElementTree as ET

import pytest

from gangland.envs.core.presentation.svg import (
    Marks,
    attributes,
    clickable,
    document,
    number,
    rect,
    seat_mark,
    text,
)

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("value", "words"), [(3, "3"), (3.0, "3"), (2.5, "2.5"), (1 / 3, "0.33"), (-0.001, "-0")]
)
def test_numbers_are_short(value, words):
    assert number(value) == words


def test_attributes_are_written_as_svg_has_them():
    assert attributes(stroke_width=1.25, class_="a", rx=None) == ' stroke-width="1.25" class="a"'
    assert attributes(label='a "b" & <c>') == " label='a \"b\" &amp; &lt;c&gt;'"


def test_a_picture_is_well_formed():
    words = 'Moran & <Capone> "Al"'
    content = rect(1, 2, 3.25, 4, "#fff", 2, stroke="red") + text(5, 6, words, 12, "red", "end")
    root = ET.fromstring(document(100, 50.5, content))
    assert root.tag == f"{SVG}svg"
    assert root.get("viewBox") == "0 0 100 50.5"
    shape, line = root
    assert shape.attrib == {
        "x": "1", "y": "2", "width": "3.25", "height": "4", "rx": "2", "fill": "#fff",
        "stroke": "red",
    }  # fmt: skip
    assert line.text == words
    assert (line.get("text-anchor"), line.get("font-size")) == ("end", "12")


def test_corners_and_anchors_are_left_out_where_they_are_plain():
    assert "rx" not in rect(0, 0, 1, 1, "red")
    assert "anchor" not in text(0, 0, "a", 1, "red")


def test_legal_actions_are_groups_with_a_title():
    group = ET.fromstring(clickable(7, "Hit <him> & run", rect(0, 0, 1, 1, "red")))
    assert group.get("data-action") == "7"
    assert group[0].text == "Hit <him> & run"
    assert group[1].tag == "rect"


def test_marks_wrap_legal_actions_only():
    marks = Marks(frozenset({2, 5}), lambda action: f"action {action}")
    assert marks.of(range(4)) == [2]
    assert marks.wrap(3, "<g/>") == "<g/>"
    assert marks.wrap(5, "<g/>") == clickable(5, "action 5", "<g/>")


def test_marks_of_seats_have_shapes_of_their_own():
    marks = [ET.fromstring(seat_mark(seat, 3, 4.5, 6, "red")) for seat in range(8)]
    assert len({mark.get("d") for mark in marks}) == 8
    assert {mark.get("transform") for mark in marks} == {"translate(3 4.5) scale(1)"}
    assert [mark.get("data-mark") for mark in marks] == [str(seat) for seat in range(8)]
