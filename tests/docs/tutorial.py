"""Runs a tutorial as a reader would: its blocks in order, in one folder.

Blocks in ``python`` run in one interpreter, those in ``sh`` in a shell, and those with a title are
written to a file of that name. A comment before a block shortens it for the tests:
``<!-- in tests: 500_000 -> 5_000; --minutes 5 -> --steps 900 -->``. What a comment replaces has to
be there, so that comments cannot outlive what they are about.

Used as a program, ``python tutorial.py PAGE``, it runs the page in the working folder.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BLOCK = re.compile(
    r"(?:^<!-- in tests: (?P<short>.*?) -->\n+)?"
    r'^```(?P<language>\w+)(?: title="(?P<title>[^"]+)")?\n(?P<code>.*?)^```$',
    re.S | re.M,
)


@dataclass(frozen=True)
class Step:
    """One block of a page, shortened for the tests.

    Attributes:
        language: Its language.
        title: The file that it stands for; empty for a block that is run.
        code: Its text.
        line: Line of the page at which its text begins.
    """

    language: str
    title: str
    code: str
    line: int


def steps(text: str) -> Iterator[Step]:
    """The blocks of a page."""
    for match in BLOCK.finditer(text):
        code = shortened(match["code"], match["short"] or "")
        line = text.count("\n", 0, match.start("code")) + 1
        yield Step(match["language"], match["title"] or "", code, line)


def shortened(code: str, replacements: str) -> str:
    """A block with ``A -> B; C -> D`` applied.

    Raises:
        ValueError: If there is nothing to replace.
    """
    for pair in filter(None, replacements.split("; ")):
        old, arrow, new = pair.partition(" -> ")
        if not arrow or old not in code:
            raise ValueError(f"in tests: {pair!r} replaces nothing in:\n{code}")
        code = code.replace(old, new)
    return code


def run(page: Path) -> None:
    """Run a page in the working folder."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    sys.path.insert(0, str(Path.cwd()))
    for step in steps(page.read_text(encoding="utf-8")):
        if step.title:
            Path(step.title).write_text(step.code, encoding="utf-8")
        elif step.language == "python":
            padded = "\n" * (step.line - 1) + step.code
            exec(compile(padded, str(page), "exec"), namespace)
        elif step.language == "sh":
            sys.stdout.flush()
            subprocess.run(["bash", "-e", "-o", "pipefail", "-c", step.code], check=True)


def with_command(folder: Path) -> dict[str, str]:
    """The environment for a tutorial: ``gangland`` and ``python`` are those of the tests."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, arguments in (("gangland", " -m gangland.cli"), ("python", "")):
        program = folder / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}"{arguments} "$@"\n')
        program.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


if __name__ == "__main__":
    run(Path(sys.argv[1]))
