"""Animated GIF pictures of games, from their SVG pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .raster import picture_size, rgb_array

COLOURS = 128
"""Colours of an animation, the same in all frames, so that only what changes is stored."""

SAMPLED = 3
"""Frames from which its colours are chosen, evenly spread."""


def save_gif(path: Path, pictures: Sequence[str], seconds: Sequence[float], width: int) -> None:
    """Write an animated GIF, which starts again at its end.

    Pictures that are the same as the one before are shown as one frame for longer.

    Args:
        path: The file.
        pictures: SVG pictures, as the games draw them; at least one. Those that are less high than
            the highest have white below.
        seconds: How long each is shown, of the same length; GIF knows hundredths, and browsers at
            least two.
        width: Width in pixels.

    Raises:
        MissingDependencyError: If the ``render`` extra is not installed.
        ValueError: If a picture is no SVG picture.
        OSError: If the file cannot be written.
    """
    height = max(picture_size(picture, width)[1] for picture in pictures)
    palette = _palette(pictures, width, height)
    frames = [
        _frame(picture, width, height).quantize(palette=palette, dither=0) for picture in pictures
    ]
    frames[0].save(
        path,
        format="GIF",
        save_all=True,
        append_images=frames[1:],
        duration=[max(20, round(1000 * each)) for each in seconds],
        loop=0,
        optimize=True,
    )


def _frame(picture: str, width: int, height: int) -> Any:
    """A picture on white paper, as an image of Pillow."""
    from PIL import Image

    paper = Image.new("RGB", (width, height), "white")
    paper.paste(Image.fromarray(rgb_array(picture, width)), (0, 0))
    return paper


def _palette(pictures: Sequence[str], width: int, height: int) -> Any:
    """An image whose palette suits all pictures."""
    from PIL import Image

    last = len(pictures) - 1
    chosen = sorted({round(last * k / (SAMPLED - 1)) for k in range(SAMPLED)})
    sheet = Image.new("RGB", (width, height * len(chosen)))
    for k, number in enumerate(chosen):
        sheet.paste(_frame(pictures[number], width, height), (0, k * height))
    return sheet.quantize(COLOURS)
