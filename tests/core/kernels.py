"""A small project of kernels, in processes and with a cache of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import gangland.envs

ROOT = Path(gangland.envs.__file__).resolve().parents[1]


@dataclass
class Done:
    out: str
    err: str


def copy_project(folder):
    """A copy of the core with a package of two files, where one kernel calls the other."""
    root = folder / "gangland"
    (root / "envs" / "pair").mkdir(parents=True)
    shutil.copytree(ROOT / "envs" / "core", root / "envs" / "core")
    shutil.copy(ROOT / "gangland" / "__init__.py", root / "__init__.py")
    (root / "envs" / "__init__.py").touch()
    (root / "envs" / "pair" / "__init__.py").touch()
    (root / "envs" / "pair" / "rule.py").write_text(
        "from ..core.kernel import kernel\n\n@kernel\ndef called(x):\n    return x + 1\n"
    )
    (root / "envs" / "pair" / "game.py").write_text(
        "from ..core.kernel import kernel\nfrom .rule import called\n\n"
        "@kernel\ndef caller(x):\n    return called(x) * 10\n"
    )
    return folder


def run(project, code, **variables):
    """Run code that imports the copy; its cache is ``project/cache`` unless a variable says so."""
    with start(project, code, **variables) as process:
        out, err = process.communicate()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args, out, err)
    return Done(out, err)


def start(project, code, **variables):
    """Start such code."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(project),
        "NUMBA_CACHE_DIR": str(project / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",
        **variables,
    }
    return subprocess.Popen(
        [sys.executable, "-S", "-c", SITE + code],
        env=environment,
        cwd=project,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


# Packages without the editable install's import hook, so that the copy is what is imported.
SITE = f"import sys; sys.path += {[p for p in sys.path if 'site-packages' in p]!r}\n"
CALL = textwrap.dedent(
    """
    from gangland.envs.pair.game import caller
    print(caller(1), caller.stats.cache_hits.total())
    """
)
