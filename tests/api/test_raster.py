"""Pictures as pixels: text where it belongs, in its weight, at any width, from any thread."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from gangland.agents.baseline.random import RandomAgent
from gangland.envs import load
from gangland.envs.api.raster import rgb_array
from tests.games import CONFORMING

WIDTH, HEIGHT = 300, 60


def picture(content):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="DejaVu Sans, sans-serif">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>{content}</svg>'
    )


def word(more="", x=150, words="Rackets &amp; rum"):
    return picture(f'<text x="{x}" y="40" font-size="20" fill="#000"{more}>{words}</text>')


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
