"""SVG pictures as pixels, through ThorVG; animations of them, and a window that shows them.

ThorVG draws a table in a few milliseconds, straight into an array. What its SVG loader does not
know is written out first: text that is anchored at its middle or its end is moved to where it
starts, and a weight or a style becomes the name of a font. Patterns, which the pictures use as
faint textures only, are left out. Where a picture is transparent, it is white.

Reference: https://www.thorvg.org
"""

from __future__ import annotations

import html
import os
import re
import threading
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import MissingDependencyError

_SIZE = re.compile(r'<svg\b[^>]*?\bwidth="([\d.]+)"[^>]*?\bheight="([\d.]+)"')
_TEXT = re.compile(r"<text\b([^>]*)>([^<]*)</text>")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_STYLE = (
    "text-anchor",
    "font-weight",
    "font-style",
    "letter-spacing",
    "textLength",
    "lengthAdjust",
)
_STARTS = {"start": 0.0, "middle": 0.5, "end": 1.0}
_MEASURED = 100
SIZES = 2
"""Sizes of pictures whose memory is kept; one of Gangsters takes 7 MB."""
_drawing = threading.Lock()
if hasattr(os, "register_at_fork"):
    # A fork waits for the picture that another thread draws: its lock would never open in the
    # new process.
    os.register_at_fork(
        before=_drawing.acquire,
        after_in_parent=_drawing.release,
        after_in_child=_drawing.release,
    )


def rgb_array(svg: str, width: int | None = None) -> NDArray[np.uint8]:
    """Pixels of an SVG picture: uint8 of shape ``(height, width, 3)``.

    Args:
        svg: The picture, as the games draw it.
        width: Width in pixels; by default the picture's own.

    Raises:
        MissingDependencyError: If the ``render`` extra is not installed.
        ValueError: If the text is no SVG picture.
    """
    engine = _engine()
    columns, rows = picture_size(svg, width)
    plain = _TEXT.sub(lambda match: _plain_text(match[0]), svg)
    # The engine is one for all threads.
    with _drawing:
        return engine.draw(plain, columns, rows)


def picture_size(svg: str, width: int | None = None) -> tuple[int, int]:
    """Width and height in pixels of an SVG picture.

    Args:
        svg: The picture.
        width: Width in pixels; by default the picture's own.

    Raises:
        ValueError: If the text is no SVG picture.
    """
    found = _SIZE.search(svg)
    if found is None:
        raise ValueError(f"{svg[:40]!r}: must be an SVG picture with a width and a height")
    own_width, own_height = float(found[1]), float(found[2])
    columns = round(own_width) if width is None else width
    return columns, round(own_height * columns / own_width)


class _Engine:
    """ThorVG, with the fonts of the pictures."""

    def __init__(self) -> None:
        try:
            import PIL  # noqa: F401 (which measures the text)
            import thorvg_cython
        except ImportError as error:
            raise MissingDependencyError(
                "pictures need ThorVG and Pillow: pip install 'gangland[render]'"
            ) from error
        self._library: Any = thorvg_cython
        self._engine = thorvg_cython.Engine()
        for name, path in _fonts().items():
            thorvg_cython.Text.font_load_data(name, path.read_bytes(), "ttf")
        self._canvas = lru_cache(SIZES)(self._new_canvas)

    def draw(self, svg: str, width: int, height: int) -> NDArray[np.uint8]:
        library = self._library
        picture = library.Picture()
        if picture.load_data(svg.encode(), "svg") != library.Result.SUCCESS:
            raise ValueError(f"{svg[:40]!r}: must be an SVG picture")
        picture.set_size(width, height)
        canvas = self._canvas(width, height)
        canvas.add(picture)
        canvas.draw()
        canvas.sync()
        canvas.remove(picture)
        drawn = np.frombuffer(canvas, np.uint8).reshape(height, width, 4)
        pixels = np.empty((height, width, 3), np.uint8)
        for channel in range(3):  # A fifth of the time of one copy of all three.
            pixels[..., channel] = drawn[..., channel]
        return pixels

    def _new_canvas(self, width: int, height: int) -> Any:
        """White paper, kept for the next picture of this size: new memory is slow to touch."""
        library = self._library
        canvas = library.SwCanvas(width, height, library.Colorspace.ABGR8888)
        paper = library.Shape()
        paper.append_rect(0, 0, width, height, 0, 0)
        paper.set_fill_color(255, 255, 255, 255)
        canvas.add(paper)
        return canvas


@cache
def _engine() -> _Engine:
    return _Engine()


@lru_cache(4096)
def _plain_text(found: str) -> str:
    """A text element by what ThorVG's loader knows: where it starts, its size and its font."""
    head, words = _TEXT.fullmatch(found).groups()  # type: ignore[union-attr]
    given = dict(_ATTRIBUTE.findall(head))
    shown = html.unescape(words)
    font = _font(given)
    size, spacing = float(given.get("font-size", 16)), float(given.get("letter-spacing", 0))
    length = _length(font, shown) * size + spacing * len(shown)
    if "textLength" in given:
        size *= float(given["textLength"]) / length
        length = float(given["textLength"])
    x = float(given.get("x", 0)) - _STARTS[given.get("text-anchor", "start")] * length
    kept = {key: value for key, value in given.items() if key not in _STYLE}
    kept |= {"font-size": f"{size:g}", "font-family": font}
    if not spacing:
        return _element(kept, x, shown)
    ends = [_length(font, shown[:k]) * size + spacing * k for k in range(len(shown))]
    return "".join(_element(kept, x + end, letter) for end, letter in zip(ends, shown, strict=True))


def _element(attributes: dict[str, str], x: float, words: str) -> str:
    written = "".join(
        f' {key}="{value}"' for key, value in (attributes | {"x": f"{x:.2f}"}).items()
    )
    # The loader knows no entities.
    return f"<text{written}><![CDATA[{words.replace(']]>', '')}]]></text>"


def _font(attributes: Mapping[str, str]) -> str:
    """Name of the font of a text element."""
    style = "Bold" * (attributes.get("font-weight") == "bold")
    style += "Oblique" * (attributes.get("font-style") == "italic")
    return f"DejaVuSans-{style}" if style else "DejaVuSans"


def _length(font: str, words: str) -> float:
    """Length of a text in a font of size 1."""
    return float(_measure(font).getlength(words)) / _MEASURED


@cache
def _measure(font: str) -> Any:
    from PIL import ImageFont

    return ImageFont.truetype(str(_fonts()[font]), _MEASURED)


@cache
def _fonts() -> dict[str, Path]:
    """Font files of Matplotlib by name, so that text shows on machines without any fonts.

    Raises:
        MissingDependencyError: If Matplotlib is not installed.
    """
    found = find_spec("matplotlib")
    if found is None or found.origin is None:
        raise MissingDependencyError(
            "pictures need the fonts of Matplotlib: pip install 'gangland[render]'"
        )
    folder = Path(found.origin).parent / "mpl-data" / "fonts" / "ttf"
    names = ("DejaVuSans", "DejaVuSans-Bold", "DejaVuSans-Oblique", "DejaVuSans-BoldOblique")
    return {name: folder / f"{name}.ttf" for name in names}


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


class Window:
    """Shows pixels until it is closed.

    Args:
        title: Title of the window.

    Raises:
        MissingDependencyError: If the ``render`` extra is not installed.
    """

    def __init__(self, title: str) -> None:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        try:
            import pygame
        except ImportError as error:
            raise MissingDependencyError(
                "a window needs pygame: pip install 'gangland[render]'"
            ) from error
        self._pygame: Any = pygame
        self._title = title
        self._surface: Any = None
        pygame.display.init()

    def show(self, pixels: NDArray[np.uint8]) -> None:
        """Show a picture: uint8 of shape ``(height, width, 3)``."""
        pygame = self._pygame
        size = (pixels.shape[1], pixels.shape[0])
        if self._surface is None or self._surface.get_size() != size:
            self._surface = pygame.display.set_mode(size)
            pygame.display.set_caption(self._title)
        pygame.surfarray.blit_array(self._surface, np.swapaxes(pixels, 0, 1))
        pygame.display.flip()
        pygame.event.pump()

    def close(self) -> None:
        """Close the window."""
        self._pygame.display.quit()
