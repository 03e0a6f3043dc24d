"""Build a release into ``dist/``: source distribution, wheel, and the package of clients/js.

The wheel is built from the source distribution, which shows that nothing is missing there::

    python release/build.py

Nothing is published. ``python release/describe.py`` adds notes, a bill of materials and checksums;
``python release/try_wheel.py`` installs the wheel in empty environments.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CLIENT = ROOT / "clients" / "js"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = tuple(PROJECT["tool"]["setuptools"]["package-dir"].values())
"""Folders whose files are all in the wheel."""
LEFT_OUT = (".ci/", ".github/", ".gitignore")
"""Tracked files that the source distribution does not need."""


class ReleaseError(Exception):
    """What was built is not what it should be."""


def version() -> str:
    """The version, which Python's and JavaScript's packages share.

    Raises:
        ReleaseError: If they do not.
    """
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    init = (ROOT / "gangland" / "__init__.py").read_text(encoding="utf-8")
    found = {
        "pyproject.toml": re.findall(r'^version = "(.+)"', text, re.M)[0],
        "gangland.__version__": re.findall(r'^__version__ = "(.+)"', init, re.M)[0],
        "clients/js/package.json": json.loads((CLIENT / "package.json").read_text())["version"],
    }
    if len(set(found.values())) != 1:
        raise ReleaseError(f"versions differ: {found}")
    return found["pyproject.toml"]


def tracked(*folders: str) -> list[str]:
    """Files that git knows or would add, below folders of the project; all without any."""
    command = ["git", "ls-files", "-co", "--exclude-standard", *folders]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in done.stdout.splitlines() if (ROOT / name).is_file()]


def check_sdist(path: Path) -> int:
    """Number of files in a source distribution.

    Raises:
        ReleaseError: If a tracked file is missing, or something built is inside.
    """
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    missing = [n for n in tracked() if n not in names and not n.startswith(LEFT_OUT)]
    if missing:
        raise ReleaseError(f"{path.name} lacks {missing[:10]}")
    strange = [n for n in names if "node_modules" in n or "__pycache__" in n]
    if strange:
        raise ReleaseError(f"{path.name} has {strange[:10]}")
    return len(names)


def check_wheel(path: Path) -> int:
    """Number of files in a wheel.

    Raises:
        ReleaseError: If a tracked file of a package is missing, or other folders are inside.
    """
    names = set(zipfile.ZipFile(path).namelist())
    wanted = [n if n.startswith("gangland/") else f"gangland/{n}" for n in tracked(*PACKAGES)]
    missing = [name for name in wanted if name not in names]
    if missing:
        raise ReleaseError(f"{path.name} lacks {missing[:10]}")
    tops = {name.split("/")[0] for name in names if ".dist-info" not in name}
    if tops != {"gangland"}:
        raise ReleaseError(f"{path.name} installs {sorted(tops)}")
    return len(names)


def build(out: Path, *, isolated: bool = True) -> tuple[Path, Path]:
    """Build and check source distribution and wheel.

    Args:
        out: Folder for both.
        isolated: Build with the newest setuptools, from the package index.

    Returns:
        The source distribution and the wheel.
    """
    command = [sys.executable, "-m", "build", "--outdir", str(out)]
    flags = [] if isolated else ["--no-isolation"]
    with open(out / "build.log", "w", encoding="utf-8") as log:  # noqa: PTH123
        done = subprocess.run(
            [*command, *flags], cwd=ROOT, stdout=log, stderr=subprocess.STDOUT, check=False
        )
    if done.returncode:
        raise ReleaseError((out / "build.log").read_text(encoding="utf-8")[-3000:])
    (out / "build.log").unlink()
    (sdist,), (wheel,) = out.glob("*.tar.gz"), out.glob("*.whl")
    check_sdist(sdist)
    check_wheel(wheel)
    return sdist, wheel


def main() -> None:
    """Build everything and say what came out."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument(
        "--no-isolation", action="store_true", help="Use the setuptools that is installed."
    )
    wanted = parser.parse_args()
    made = version()
    shutil.rmtree(wanted.out, ignore_errors=True)
    wanted.out.mkdir(parents=True)
    build(wanted.out, isolated=not wanted.no_isolation)
    npm = shutil.which("npm")
    if npm is None:
        print("no npm: the package of clients/js is not built")
    else:
        pack = [npm, "pack", "--silent", "--ignore-scripts", "--pack-destination"]
        subprocess.run(
            [*pack, str(wanted.out.resolve())], cwd=CLIENT, check=True, stdout=subprocess.DEVNULL
        )
    print(f"gangland {made}:")
    for path in sorted(wanted.out.iterdir()):
        print(f"  {path}  {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    try:
        main()
    except ReleaseError as error:
        sys.exit(f"release: {error}")
