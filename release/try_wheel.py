"""Install the wheel in empty environments, with newest and lowest dependencies, and play.

For every interpreter that is there and both ends of what ``pyproject.toml`` allows::

    python release/try_wheel.py dist/gangland-*.whl

The lowest are the lowest that have wheels for the interpreter; libraries that those require in turn
are the newest that fit. Chicago's rules are compiled, the other games run as plain Python, which
``--compile`` changes. Needs uv and the package index.

Only ``--extras train`` installs torch: at both ends the CPU build of the version that
``constraints.txt`` pins, as older ones on the package index bring gigabytes of CUDA. It comes from
the folder or page in ``PIP_FIND_LINKS``, else from PyTorch's own index. Where neither has a build
for an interpreter, ``--cuda`` takes what the package index has, gigabytes and all.
"""

from __future__ import annotations

import argparse
import json
import os
import re
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
EXTRAS = {"": (), "serve": ("serve", "remote"), "mcp": ("mcp",), "train": ("train",)}
"""Extras that are tried, by a name for the combination."""
TORCH = r"^torch==(\S+)$"
"""In ``constraints.txt``."""
GREETING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-03-26",
        "capabilities": {},
        "clientInfo": {"name": "try_wheel", "version": "1"},
    },
}
"""What a client of MCP says first."""
IMPORTS = """
import importlib, pkgutil
import gangland.training
names = [m.name for m in pkgutil.walk_packages(gangland.training.__path__, "gangland.training.")]
for name in (*names, "gangland.adapters.sb3", "gangland.adapters.gymnasium_vector"):
    if "cluster" not in name:  # on Ray
        importlib.import_module(name)
print(len(names))
"""
"""Imports all that training consists of, and the vector environments."""
COMPILED = ["chicago"]
"""Games whose rules are compiled, where not all are; the others run as plain Python."""


class TrialError(Exception):
    """An environment cannot be made, or the wheel does not work in it."""


def interpreter(version: str) -> Path | None:
    """A Python of this version: of pyenv, or on the path; ``None`` if there is none."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = sorted(pyenv.glob(f"{version}.*/bin/python"))
    on_path = shutil.which(f"python{version}")
    return found[-1] if found else Path(on_path) if on_path else None


def found_uv() -> str | None:
    """The program uv: beside this Python, or on the path."""
    return shutil.which("uv", path=Path(sys.executable).parent) or shutil.which("uv")


def run(command: Sequence[str | Path], given: str = "", **variables: str) -> str:
    """Standard output of a command.

    Args:
        command: The program and its arguments.
        given: Its standard input.
        variables: Added to the environment.

    Raises:
        TrialError: If it fails, with the end of what it said.
    """
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=tempfile.gettempdir(),
        env={**environment, **variables},
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise TrialError(f"{command[0]}: {(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


def install(
    wheel: Path,
    python: Path,
    end: str,
    extras: Sequence[str],
    folder: Path,
    *,
    cuda: bool = False,
) -> Path:
    """An environment with the wheel and what it requires; returns its Python.

    Args:
        wheel: The wheel.
        python: The interpreter.
        end: ``newest`` or ``lowest``.
        extras: Extras of the wheel.
        folder: Where the environment is made.
        cuda: Take torch from the package index.
    """
    uv = found_uv()
    if uv is None:
        raise TrialError("no uv: python -m pip install uv")
    pinned = folder / "constraints.txt"
    flags = ["--quiet", "--only-binary", ":all:", "--python", python]
    links = _torch_links() if "train" in extras and not cuda else []
    if links:
        flags += [*links, "--override", _torch_override(folder)]
    wanted = [word for extra in extras for word in ("--extra", extra)]
    compiling = [uv, "pip", "compile", *flags, "--resolution", ENDS[end], *wanted]
    run([*compiling, ROOT / "pyproject.toml", "--output-file", pinned])
    run([uv, "venv", "--quiet", "--python", python, folder / "venv"])
    own = folder / "venv" / "bin" / "python"
    named = f"gangland[{','.join(extras)}] @ {wheel.resolve().as_uri()}"
    installing = [uv, "pip", "install", "--quiet", "--only-binary", ":all:", "--python", own]
    installing += links
    run([*installing, "--constraint", pinned, named])
    return own


def _torch_links() -> list[str]:
    """Where uv looks for CPU builds of torch."""
    links = os.environ.get("PIP_FIND_LINKS")
    return ["--find-links", links] if links else ["--torch-backend", "cpu"]


def _torch_override(folder: Path) -> Path:
    """A file for uv that demands the CPU build of the version in ``constraints.txt``."""
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    version = re.findall(TORCH, pinned, re.M)[0].partition("+")[0]
    file = folder / "torch.txt"
    file.write_text(f"torch=={version}+cpu\n", encoding="utf-8")
    return file


def try_training(python: Path, folder: Path) -> dict[str, Any]:
    """Import all of training, train for five seconds, and let the bot play.

    Args:
        python: The Python of an environment with the extra ``train``.
        folder: For compiled rules and the run.

    Returns:
        Versions of libraries, and the decisions that the bot learned from.

    Raises:
        TrialError: If anything fails.
    """
    cache = {"NUMBA_CACHE_DIR": str(folder / "kernels")}
    report: dict[str, Any] = {"modules": int(run([python, "-c", IMPORTS], **cache))}
    for library in ("numpy", "gymnasium", "torch", "stable-baselines3", "tensorboard"):
        asked = f"from importlib.metadata import version; print(version({library!r}))"
        report[library] = run([python, "-c", asked]).strip()
    few = ["--device", "cpu", "--set", "evaluation.every=0", "--set", "evaluation.final_games=20"]
    command = [python.with_name("gangland"), "train", "chicago", "--minutes", "0.083", *few]
    run([*command, "--out", folder / "run"], **cache)
    model = max((folder / "run").rglob("model.json"), key=lambda path: path.stat().st_mtime)
    report["decisions"] = json.loads(model.read_text(encoding="utf-8"))["steps"]
    return report


def try_mcp(python: Path) -> dict[str, Any]:
    """The first answer of ``gangland mcp``.

    Args:
        python: The Python of an environment with the extra ``mcp``.

    Raises:
        TrialError: If it does not answer.
    """
    line = json.dumps(GREETING) + "\n"
    return dict(json.loads(run([python.with_name("gangland"), "mcp"], given=line))["result"])


def try_extra(
    python: Path, folder: Path, name: str, compiled: Sequence[str] | None
) -> dict[str, Any]:
    """What the environment of one combination of extras can do.

    Args:
        python: The environment's Python.
        folder: For what is written.
        name: Of the combination, a key of :data:`EXTRAS`.
        compiled: Games whose rules are compiled; ``None``: all.
    """
    if name == "train":
        return try_training(python, folder)
    report = try_in(python, folder, compiled=compiled)
    if name == "mcp":
        report["mcp"] = try_mcp(python)["serverInfo"]
    return report


def try_in(
    python: Path, folder: Path, *, compiled: Sequence[str] | None = COMPILED
) -> dict[str, Any]:
    """What ``smoke.py`` reported in an environment: versions, and matches of all games.

    Args:
        python: The environment's Python.
        folder: For compiled rules.
        compiled: Games that are compiled, ``None`` for all; the others run as plain Python.
    """
    listed = json.loads(run([python.with_name("gangland"), "games", "--json"]))
    games = [game["name"] for game in listed]
    if missing := set(compiled or COMPILED).difference(games):
        raise TrialError(f"gangland games: {games} without {sorted(missing)}")
    compiled = games if compiled is None else compiled
    cache = {"NUMBA_CACHE_DIR": str(folder / "kernels")}
    report = json.loads(run([python, SMOKE, *compiled], **cache))
    others = [name for name in games if name not in compiled]
    if others:
        report |= json.loads(run([python, SMOKE, *others], NUMBA_DISABLE_JIT="1"))
    return dict(report)


def main() -> None:
    """Try every interpreter, end and combination of extras."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--python", nargs="+", default=PYTHONS, help="Versions of Python.")
    parser.add_argument("--ends", nargs="+", default=list(ENDS), choices=list(ENDS))
    parser.add_argument(
        "--extras",
        nargs="+",
        default=[name for name in EXTRAS if name != "train"],
        choices=list(EXTRAS),
    )
    parser.add_argument("--compile", action="store_true", help="Compile all games.")
    parser.add_argument(
        "--cuda", action="store_true", help="Take torch from the package index, not for CPUs."
    )
    wanted = parser.parse_args()
    compiled = None if wanted.compile else COMPILED
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
                        own = install(
                            wanted.wheel,
                            python,
                            end,
                            EXTRAS[name],
                            Path(folder),
                            cuda=wanted.cuda,
                        )
                        report = try_extra(own, Path(folder), name, compiled)
                        print(f"{title}: {json.dumps(report)}", flush=True)
                    except TrialError as error:
                        failed += 1
                        print(f"{title}: FAILED\n{error}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
