"""Strict types and lint over the whole project."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MAPPED = ("envs", "agents", "arena", "training", "serving", "checkpoints", "configs", "adapters")


def run(*command, cwd=ROOT):
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def test_lint():
    run("ruff", "check", ".")


def test_format():
    run("ruff", "format", "--check", ".")


def test_types(tmp_path):
    """The folders are put where the package mapping puts them, as mypy knows no mapping.

    What mypy has found out is kept for all checkouts: other packages are nearly all of its work.
    """
    pytest.importorskip("mypy")
    package = tmp_path / "gangland"
    package.mkdir()
    for entry in (ROOT / "gangland").iterdir():
        (package / entry.name).symlink_to(entry)
    for folder in MAPPED:
        if (ROOT / folder / "__init__.py").exists():
            (package / folder).symlink_to(ROOT / folder)
    kept = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    cache = str(kept / "gangland" / "mypy")
    config = str(ROOT / "pyproject.toml")
    run("mypy", "--config-file", config, "--cache-dir", cache, "-p", "gangland", cwd=tmp_path)
