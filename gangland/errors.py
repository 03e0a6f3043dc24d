"""Errors on the command line: one clear line, exit code 2."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator


@contextlib.contextmanager
def friendly() -> Iterator[None]:
    """Turn the package's own errors into a line on the error stream and exit code 2."""
    try:
        yield
    except Exception as error:
        # Imported late: ``gangland --help`` must not pay for it.
        from .envs.core.errors import GanglandError
        from .envs.core.foreign_text import printable

        if not isinstance(error, GanglandError):
            raise
        # It may quote a file, or what another machine has answered.
        print(f"error: {printable(str(error), lines=True)}", file=sys.stderr)
        sys.exit(2)
