"""What a game shows: elements of pictures, pictures as pixels, animations, pages, plain words."""

from __future__ import annotations

import base64
import gzip
import importlib.util
import json
import re
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from gangland.agents.baseline.random import RandomAgent
from gangland.envs import load
from gangland.envs.api.raster import rgb_array, save_gif
from gangland.envs.api.viewer import OPEN, ReplayViewer, in_parts, picture
from gangland.envs.core.errors import IllegalActionError, NotationError
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
from gangland.envs.core.replay import Recorder, Replay
from tests.games import CONFORMING

# --- elements: well-formed, escaped, found by their action ----------------------------------------

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


# --- a game that says nothing of its own: Pig, with a notation for two actions --------------------

FOLDER = Path(__file__).parents[1] / "foreign" / "pig" / "gangland_pig"


@pytest.fixture(scope="module")
def pig():
    spec = importlib.util.spec_from_file_location("gangland_pig_here", FOLDER / "__init__.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Pig()


def position(game):
    state = game.template(players=3)[0]
    state.seat, state.banked[:3], state.total, state.ply = 1, (40, 0, 7), 12, 9
    return state


def test_a_position_is_a_dump_of_its_fields(pig):
    text = pig.position_text(position(pig))
    assert text == (
        'PIG/1 {"ply":9,"num_seats":3,"seat":1,"banked":[40,0,7,0],"total":12,"target":50,'
        '"max_turns":200}'
    )
    again = pig.parse_position(f"  {text} ")
    assert again.tobytes() == position(pig).tobytes()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("HOG/1 {}", "'HOG/1': must begin with PIG/1"),
        ("PIG/1 {", "must be a JSON object of fields"),
        ("PIG/1 [1]", "must be a JSON object of fields"),
        ("PIG/1 " + "[" * 100_000, "must be a JSON object of fields"),
        ('PIG/1 {"rng":"0x5"}', "without rng"),
        ('PIG/1 {"num_seats":2,"colour":1}', "unknown ['colour']"),
        ('PIG/1 {"num_seats":2,"target":9}', "target: must be 10..200"),
    ],
)
def test_a_wrong_position_is_named(pig, text, message):
    with pytest.raises(NotationError) as refused:
        pig.parse_position(text)
    assert message in str(refused.value)


def test_sentences_and_tables(pig):
    state = position(pig)
    assert pig.describe(state, 1) == "Hold."
    assert pig.narrate(state, 0, state, None) == ["Player 1 plays roll."]
    assert pig.text(state, 2).splitlines() == [
        "Player 1 decides.", "banked: [40, 0, 7, 0]", "total: 12", "turns: 0", "target: 50",
        "max_turns: 200",
    ]  # fmt: skip
    state.over, state.seat, state.places[:3] = 1, -1, (1, 3, 2)
    assert pig.text(state, None).startswith("The game is over: Player 0 1., Player 1 3., ")


def test_the_picture_has_a_button_for_each_action(pig):
    tree = ET.fromstring(pig.svg(position(pig), None, [0, 1], "Player 0 plays <hold>."))
    words = ["".join(element.itertext()) for element in tree.iter()]
    assert "Player 0 plays <hold>." in words
    assert [e.get("data-action") for e in tree.iter() if e.get("data-action")] == ["0", "1"]


def test_options_are_read_from_the_fields_of_their_names(pig):
    given = {"players": 4, "target": 60, "max_turns": 30}
    assert pig.read_options(pig.template(**given)[0]) == given


@pytest.mark.parametrize("action", [-1, 2, pytest.param(10**5000, id="endless"), True, "0"])
def test_a_view_knows_its_actions(pig, action):
    view = pig.view(position(pig), 1)
    assert view.action_text(0) == "roll"
    for words in (view.action_text, view.describe):
        with pytest.raises(IllegalActionError, match="pig: action"):
            words(action)


# --- pixels: text where it belongs, in its weight, at any width, from any thread ------------------

WIDTH, HEIGHT = 300, 60


def drawing(content):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="DejaVu Sans, sans-serif">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>{content}</svg>'
    )


def word(more="", x=150, words="Rackets &amp; rum"):
    return drawing(f'<text x="{x}" y="40" font-size="20" fill="#000"{more}>{words}</text>')


def inked(svg):
    """The first and the last column with ink, and how much of it there is."""
    dark = 255 - rgb_array(svg).astype(np.int64).mean(axis=2)
    columns = np.flatnonzero(dark.max(axis=0) > 60)
    return columns[0], columns[-1], dark.sum()


def test_text_starts_is_centred_and_ends_where_it_is_anchored():
    start = inked(word())
    middle = inked(word(' text-anchor="middle"'))
    end = inked(word(' text-anchor="end"'))
    width = start[1] - start[0]
    assert 100 < width < 150
    assert 149 <= start[0] <= 153
    assert abs((middle[0] + middle[1]) / 2 - 150) <= 3
    assert 146 <= end[1] <= 151
    assert abs((end[1] - end[0]) - width) <= 1


def test_weight_and_style_are_fonts():
    plain, bold = inked(word()), inked(word(' font-weight="bold"'))
    assert bold[2] > 1.2 * plain[2]
    italic = rgb_array(word(' font-style="italic"'))
    assert (italic != rgb_array(word())).any()


def test_spacing_and_a_given_length():
    plain = inked(word(x=10))
    spaced = inked(word(' letter-spacing="5"', x=10))
    assert spaced[1] - plain[1] == pytest.approx(5 * (len("Rackets & rum") - 1), abs=2)
    fitted = inked(word(' textLength="60" lengthAdjust="spacingAndGlyphs"', x=10))
    assert fitted[1] == pytest.approx(70, abs=3)


def test_any_width_keeps_the_shape():
    assert rgb_array(word()).shape == (HEIGHT, WIDTH, 3)
    assert rgb_array(word(), width=600).shape == (2 * HEIGHT, 600, 3)


@pytest.mark.parametrize("text", ["", "<p>no</p>", "<svg/>"])
def test_no_picture_is_refused(text):
    with pytest.raises(ValueError, match="must be an SVG picture"):
        rgb_array(text)


@pytest.mark.parametrize("name", CONFORMING)
def test_threads_draw_the_same(name):
    game = load(name)
    state, agent = game.new_state(seed=2), RandomAgent(game)
    pictures = []
    while not game.is_over(state) and len(pictures) < 6:
        pictures.append(game.svg(state, None, game.legal_actions(state)))
        game.apply(state, agent.decide(game.view(state, game.seat_to_act(state))).action)
    alone = [rgb_array(svg, 500) for svg in pictures]
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(lambda svg: rgb_array(svg, 500), pictures * 3))
    for first, second in zip(alone * 3, together, strict=True):
        np.testing.assert_array_equal(first, second)
    assert all(len(np.unique(pixels.reshape(-1, 3), axis=0)) > 5 for pixels in alone)


# --- animations hold their pictures, in order -----------------------------------------------------


def frames_of(path):
    """Pixels of each frame, and how many milliseconds it is shown."""
    with Image.open(path) as image:
        for number in range(image.n_frames):
            image.seek(number)
            yield np.asarray(image.convert("RGB")).astype(np.int64), image.info["duration"]


def test_frames_are_the_pictures(tmp_path):
    game = load("kuhn")
    state = game.new_state(seed=3)
    pictures = [game.svg(state, None)]
    while not game.is_over(state):
        game.apply(state, game.legal_actions(state)[-1])
        pictures.append(game.svg(state, None, (), f"after {int(state.ply)}"))
    path = tmp_path / "game.gif"
    save_gif(path, pictures, [0.5] * (len(pictures) - 1) + [2.0], 300)
    frames = list(frames_of(path))
    assert len(frames) == len(pictures) > 2
    for (pixels, _), drawn in zip(frames, pictures, strict=True):
        wanted = rgb_array(drawn, 300)
        assert pixels.shape == wanted.shape
        assert np.abs(pixels - wanted).mean() < 2
    assert [shown for _, shown in frames] == [500] * (len(pictures) - 1) + [2000]


def test_lower_pictures_have_white_below_and_equal_ones_are_one_frame(tmp_path):
    path = tmp_path / "colours.gif"
    red, blue = (
        document(100, height, rect(0, 0, 100, height, fill))
        for height, fill in ((50, "#c00000"), (80, "#0000c0"))
    )
    save_gif(path, [red, red, blue], [0.1, 0.2, 0.001], 100)
    (first, long), (second, short) = frames_of(path)
    assert first.shape == second.shape == (80, 100, 3)
    assert (long, short) == (300, 20)
    assert np.abs(first[25, 50] - [192, 0, 0]).max() < 8
    assert first[70, 50].min() > 247
    assert np.abs(second[70, 50] - [0, 0, 192]).max() < 8


def test_what_is_no_picture_is_refused(tmp_path):
    with pytest.raises(ValueError, match="must be an SVG picture"):
        save_gif(tmp_path / "no.gif", ["hello"], [1.0], 100)
    assert not list(tmp_path.iterdir())


# --- a page to step through a game holds what the game draws --------------------------------------


def played(name="highcard", **options) -> Replay:
    game = load(name)
    recorder = Recorder(game, 5, **options)
    while not game.is_over(recorder.state):
        legal = game.legal_actions(recorder.state)
        recorder.apply(legal[recorder.state.ply % len(legal)])
    return recorder.replay()


def unpacked(page: str) -> dict:
    """What the page's script makes of what it holds: each view's pictures."""
    packed = re.search(r'atob\("([^"]+)"\)', page)[1]
    game = json.loads(gzip.decompress(base64.b64decode(packed)))
    shown = {}
    for name, changes in game["views"].items():
        parts, shown[name] = [], []
        for first, changed, last in changes:
            parts = [*parts[:first], *changed, *parts[len(parts) - last :]]
            shown[name].append("".join(game["elements"][at] for at in parts))
    return shown


@pytest.mark.parametrize("name", ["highcard", "chicago"])
def test_a_page_holds_every_position_as_every_seat_saw_it(name):
    replay = played(name)
    game = load(name)
    states = list(replay.states(game))
    viewer = ReplayViewer(replay)
    assert len(viewer) == len(states)
    names = [OPEN, *(game.seat_name(states[0], seat) for seat in range(viewer_seats(game, replay)))]
    shown = unpacked(viewer.html())
    assert list(shown) == names
    for view, (_, pictures) in zip([None, *range(9)], shown.items(), strict=False):
        drawn = [picture(replay, states, number, view) for number in range(len(states))]
        assert pictures == drawn


def viewer_seats(game, replay) -> int:
    return game.num_players(game.options.resolve(replay.options))


def test_elements_that_stay_are_held_once():
    first, second = "<svg><a>1</a><b/></svg>", "<svg><a>2</a><b/></svg>"
    parts = in_parts({"one": [first, second, first], "two": []})
    assert parts["views"]["two"] == []
    assert [len(changed) for _, changed, _ in parts["views"]["one"]][1:] == [1, 1]
    assert len(parts["elements"]) == len(set(parts["elements"]))


def test_only_what_was_asked_for_is_in_the_page():
    replay = played()
    game = load("highcard")
    shown = unpacked(ReplayViewer(replay, views=[1]).html())
    assert list(shown) == [game.seat_name(next(replay.states(game)), 1)]


@pytest.mark.parametrize("views", [[], [-1], [0, 17]])
def test_a_view_that_does_not_exist_is_refused(views):
    with pytest.raises(ValueError, match=r"views=.*: must be seats of 0\.\.\d, or None"):
        ReplayViewer(played(), views=views)


def test_a_notebook_shows_the_page_in_a_frame():
    viewer = ReplayViewer(played())
    frame = viewer._repr_html_()
    assert frame.startswith("<iframe srcdoc=")
    assert "<script>" not in frame


def test_the_page_is_written(tmp_path):
    viewer = ReplayViewer(played())
    viewer.save(tmp_path / "game.html")
    assert (tmp_path / "game.html").read_text(encoding="utf-8") == viewer.html()
