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

        if not isinstance(error, GanglandError):
            raise
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
