"""Errors on the command line: one clear line, exit code 2. Warnings hold nothing that is obeyed."""

from __future__ import annotations

import contextlib
import io
import logging
import signal
import sys
import warnings
from collections.abc import Iterator

import click

from .commands.shared.common import INTERRUPTED
from .commands.shared.terminal import message

_format_warning = warnings.formatwarning


@contextlib.contextmanager
def friendly() -> Iterator[None]:
    """Turn click's and the package's own errors into a line on the error stream and an exit code.

    They may quote the command line, a file, or what another machine has answered.
    """
    try:
        yield
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(shown)
        print(message(shown.getvalue(), lines=True), end="", file=sys.stderr)
        sys.exit(error.exit_code)
    except click.Abort as error:  # Ctrl-C, or no answer to a question
        interrupted = isinstance(error.__cause__, KeyboardInterrupt)
        if interrupted:
            _ignore_interrupts()
        click.echo("Aborted!", err=True)
        sys.exit(INTERRUPTED if interrupted else 1)
    except SystemExit as error:
        if error.code == INTERRUPTED:
            _ignore_interrupts()
        raise
    except Exception as error:
        # Imported late: ``gangland --help`` must not pay for it.
        from .envs.core.errors import GanglandError

        if not isinstance(error, GanglandError):
            raise
        print(f"error: {message(str(error))}", file=sys.stderr)
        sys.exit(2)


def _ignore_interrupts() -> None:
    """Once one Ctrl-C has set the exit code, a second one must not end the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def escape_warnings() -> None:
    """Let warnings of Python and of libraries' loggers print nothing that a terminal obeys."""
    warnings.formatwarning = _escaped_warning  # type: ignore[assignment]
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(_Escaped())


def _escaped_warning(*arguments: object) -> str:
    from .envs.core.presentation.foreign_text import printable

    return printable(_format_warning(*arguments), lines=True)  # type: ignore[arg-type]


class _Escaped(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        from .serving.errors import Harmless

        return Harmless().format(record)
