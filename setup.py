"""The list of packages, which pyproject.toml cannot express: all those in its mapped folders."""

import tomllib
from pathlib import Path

from setuptools import find_packages, setup

ROOT = Path(__file__).resolve().parent
FOLDERS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-dir"]

setup(
    packages=[
        ".".join(filter(None, (package, inner)))
        for package, folder in FOLDERS.items()
        for inner in ("", *find_packages(str(ROOT / folder)))
    ]
)
