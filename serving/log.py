"""The log of a server, on the error stream."""

from __future__ import annotations

import logging

from ..envs.core.presentation.foreign_text import printable


class Harmless(logging.Formatter):
    """Escapes a terminal's control characters: entries quote clients and other machines."""

    def format(self, record: logging.LogRecord) -> str:
        """The entry in lines."""
        return printable(super().format(record), lines=True)


def log_warnings() -> None:
    """Write warnings and errors to the error stream, unless logging is set up already."""
    handler = logging.StreamHandler()
    handler.setFormatter(Harmless("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
