"""A plain window for ``render_mode="human"``, through pygame."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import MissingDependencyError


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
