"""SVG pictures as pixels, through resvg."""

from __future__ import annotations

import io
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import MissingDependencyError


def png(svg: str, width: int | None = None) -> bytes:
    """A PNG file of an SVG picture.

    Args:
        svg: The picture.
        width: Width in pixels; by default the picture's own.

    Raises:
        MissingDependencyError: If the ``render`` extra is not installed.
    """
    try:
        import resvg_py
    except ImportError as error:
        raise MissingDependencyError(
            "pictures need resvg and Pillow: pip install 'gangland[render]'"
        ) from error
    size: dict[str, Any] = {} if width is None else {"width": width}
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, font_files=list(_fonts()), **size))


def rgb_array(svg: str, width: int | None = None) -> NDArray[np.uint8]:
    """Pixels of an SVG picture: uint8 of shape ``(height, width, 3)``.

    Raises:
        MissingDependencyError: If the ``render`` extra is not installed.
    """
    data = png(svg, width)
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


@cache
def _fonts() -> tuple[str, ...]:
    """Font files of Matplotlib, so that text shows on machines without any fonts."""
    found = find_spec("matplotlib")
    if found is None or found.origin is None:
        return ()
    folder = Path(found.origin).parent / "mpl-data" / "fonts" / "ttf"
    return tuple(str(path) for path in sorted(folder.glob("DejaVuS*.ttf")))
