"""Animations of games hold their pictures, in order."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from gangland.envs import load
from gangland.envs.api.animation import save_gif
from gangland.envs.api.raster import rgb_array
from gangland.envs.core.presentation.svg import document, rect


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
    for (pixels, _), picture in zip(frames, pictures, strict=True):
        wanted = rgb_array(picture, 300)
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
