"""Install the wheel in empty environments, with newest and lowest dependencies, and play.

For every interpreter that is there and both ends of what ``pyproject.toml`` allows::

    python release/try_wheel.py dist/gangland-*.whl

The lowest are the lowest that have wheels for the interpreter; libraries that those require in turn
are the newest that fit. Chicago's rules are compiled, the other games run as plain Python, which
``--compile`` changes. Needs uv and the package index; torch is never installed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SMOKE = Path(__file__).with_name("smoke.py")
PYTHONS = ("3.11", "3.12", "3.13")
ENDS = {"newest": "highest", "lowest": "lowest-direct"}
"""What uv calls the two ends."""
EXTRAS = {"": (), "serve": ("serve", "remote")}
"""Extras that are tried, by a name for the combination."""
COMPILED = ["chicago"]
INTERPRETED = ["crime_lords", "five_points", "gangsters"]


class TrialError(Exception):
    """An environment cannot be made, or the wheel does not work in it."""


def interpreter(version: str) -> Path | None:
    """A Python of this version: of pyenv, or on the path; ``None`` if there is none."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = sorted(pyenv.glob(f"{version}.*/bin/python"))
    on_path = shutil.which(f"python{version}")
    return found[-1] if found else Path(on_path) if on_path else None


def run(command: Sequence[str | Path], **variables: str) -> str:
    """Standard output of a command.

    Raises:
        TrialError: If it fails, with the end of what it said.
    """
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=tempfile.gettempdir(),
        env={**environment, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise TrialError(f"{command[0]}: {(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


def install(wheel: Path, python: Path, end: str, extras: Sequence[str], folder: Path) -> Path:
    """An environment with the wheel and what it requires; returns its Python.

    Args:
        wheel: The wheel.
        python: The interpreter.
        end: ``newest`` or ``lowest``.
        extras: Extras of the wheel.
        folder: Where the environment is made.
    """
    uv = shutil.which("uv")
    if uv is None:
        raise TrialError("no uv: python -m pip install uv")
    pinned = folder / "constraints.txt"
    flags = ["--quiet", "--only-binary", ":all:", "--python", python]
    wanted = [word for extra in extras for word in ("--extra", extra)]
    compiling = [uv, "pip", "compile", *flags, "--resolution", ENDS[end], *wanted]
    run([*compiling, ROOT / "pyproject.toml", "--output-file", pinned])
    run([uv, "venv", "--quiet", "--python", python, folder / "venv"])
    own = folder / "venv" / "bin" / "python"
    named = f"gangland[{','.join(extras)}] @ {wheel.resolve().as_uri()}"
    installing = [uv, "pip", "install", "--quiet", "--only-binary", ":all:", "--python", own]
    run([*installing, "--constraint", pinned, named])
    return own


def try_in(python: Path, folder: Path, *, compiled: Sequence[str] = COMPILED) -> dict[str, Any]:
    """What ``smoke.py`` told in an environment: versions, and matches of all games.

    Args:
        python: The environment's Python.
        folder: For compiled rules.
        compiled: Games that are compiled; the others run as plain Python.
    """
    cache = {"NUMBA_CACHE_DIR": str(folder / "kernels")}
    told = json.loads(run([python, SMOKE, *compiled], **cache))
    others = [name for name in COMPILED + INTERPRETED if name not in compiled]
    if others:
        told |= json.loads(run([python, SMOKE, *others], NUMBA_DISABLE_JIT="1"))
    listed = run([python.with_name("gangland"), "games"])
    if "chicago" not in listed:
        raise TrialError(f"gangland games: {listed}")
    return dict(told)


def main() -> None:
    """Try every interpreter, end and combination of extras."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--python", nargs="+", default=PYTHONS, help="Versions of Python.")
    parser.add_argument("--ends", nargs="+", default=list(ENDS), choices=list(ENDS))
    parser.add_argument("--extras", nargs="+", default=list(EXTRAS), choices=list(EXTRAS))
    parser.add_argument("--compile", action="store_true", help="Compile all games.")
    wanted = parser.parse_args()
    compiled = COMPILED + INTERPRETED if wanted.compile else COMPILED
    failed = 0
    for version in wanted.python:
        python = interpreter(version)
        if python is None:
            print(f"{version}: no such interpreter, not tried")
            continue
        for end in wanted.ends:
            for name in wanted.extras:
                title = f"{version} {end} [{name}]"
                with tempfile.TemporaryDirectory() as folder:
                    try:
                        own = install(wanted.wheel, python, end, EXTRAS[name], Path(folder))
                        told = try_in(own, Path(folder), compiled=compiled)
                        print(f"{title}: {json.dumps(told)}", flush=True)
                    except TrialError as error:
                        failed += 1
                        print(f"{title}: FAILED\n{error}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
