"""Runs the command line in this process, as the installed program would."""

from __future__ import annotations

import io
import signal
import sys
from dataclasses import dataclass

from gangland.cli import main
from tests import games  # noqa: F401  (registers the toy game)


@dataclass
class Outcome:
    code: int
    out: str
    err: str


def run(capsys, monkeypatch, *arguments, typed=""):
    """Exit code and output of ``gangland ARGUMENTS`` with these lines typed."""
    monkeypatch.setattr(sys, "argv", ["gangland", *map(str, arguments)])
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    capsys.readouterr()
    code = 0
    ctrl_c = signal.getsignal(signal.SIGINT)
    try:
        main()
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 0 if error.code is None else 1
    finally:
        signal.signal(signal.SIGINT, ctrl_c)
    out, err = capsys.readouterr()
    lines = [line for line in err.splitlines(True) if not line.startswith("gangland: compil")]
    return Outcome(code, out, "".join(lines))


def assert_refused(outcome, *words):
    """Exit code 2 and one clear line (click adds how the command is used)."""
    assert outcome.code == 2, (outcome.code, outcome.out, outcome.err)
    assert "Traceback" not in outcome.err
    lines = [line for line in outcome.err.splitlines() if line.lower().startswith("error: ")]
    assert len(lines) == 1, outcome.err
    for word in words:
        assert word in outcome.err, outcome.err
