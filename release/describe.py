"""Say what a release is: its notes, what an installation brings, checksums, a signature.

``python release/describe.py dist`` writes there, of what ``release/build.py`` has built,

- ``NOTES.md``: the version's entry in ``CHANGELOG.md``;
- ``gangland-VERSION.cdx.json``: a bill of materials (CycloneDX) of the package with the extra
  ``all``: its newest requirements, and theirs, with hashes;
- ``SHA256SUMS`` of all files; ``sha256sum --check SHA256SUMS`` compares;
- with ``--key FILE``, an SSH key, ``SHA256SUMS.sig``, which ``ssh-keygen -Y verify`` checks.

The bill of materials needs uv and the package index.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
import tempfile
import tomllib
from pathlib import Path

from try_wheel import ROOT, TrialError, found_uv, run

SUMS = "SHA256SUMS"
SIGNED_FOR = "gangland"
"""The namespace of the signature, which is no good for anything else."""
CYCLONEDX = "cyclonedx-bom>=7,<8"


def notes(changes: str, version: str) -> str:
    """A version's entry in the changes.

    Raises:
        TrialError: If there is none.
    """
    entry = re.search(rf"^## {re.escape(version)}\b.*\n((?:(?!## ).*\n)*)", changes, re.M)
    if entry is None:
        raise TrialError(f"CHANGELOG.md has no entry ## {version}")
    return f"# Gangland {version}\n\n{entry[1].strip()}\n"


def write_bill(path: Path) -> None:
    """Write the bill of materials.

    Raises:
        TrialError: If there is no uv, or a program fails.
    """
    uv = found_uv()
    if uv is None:
        raise TrialError("no uv: python -m pip install uv")
    project = ROOT / "pyproject.toml"
    with tempfile.TemporaryDirectory() as place:
        pinned = Path(place) / "requirements.txt"
        flags = ["--quiet", "--generate-hashes", "--no-annotate", "--no-header", "--extra", "all"]
        run([uv, "pip", "compile", *flags, project, "--output-file", pinned])
        making = [uv, "tool", "run", "--quiet", "--from", CYCLONEDX, "cyclonedx-py"]
        described = ["--pyproject", project, "--output-reproducible", "--output-file", path]
        run([*making, "requirements", pinned, *described])


def write_sums(folder: Path) -> Path:
    """Write the checksums of all files of a folder, in the format of ``sha256sum``."""
    files = sorted(p for p in folder.iterdir() if p.is_file() and not p.name.startswith(SUMS))
    lines = [f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.name}\n" for p in files]
    sums = folder / SUMS
    sums.write_text("".join(lines), encoding="utf-8")
    return sums


def sign(sums: Path, key: Path) -> None:
    """Sign the checksums with an SSH key; the signature gets the ending ``.sig``.

    Raises:
        TrialError: If ``ssh-keygen`` fails.
    """
    sums.with_name(f"{SUMS}.sig").unlink(missing_ok=True)
    run(["ssh-keygen", "-q", "-Y", "sign", "-f", key.resolve(), "-n", SIGNED_FOR, sums.resolve()])


def main() -> None:
    """Describe what a folder holds."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--key", type=Path, help="SSH key to sign the checksums with.")
    given = parser.parse_args()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version = project["version"]
    if not list(given.folder.glob(f"gangland-{version}*.whl")):
        raise TrialError(f"{given.folder} holds no wheel of gangland {version}: make release")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    (given.folder / "NOTES.md").write_text(notes(changes, version), encoding="utf-8")
    write_bill(given.folder.resolve() / f"gangland-{version}.cdx.json")
    sums = write_sums(given.folder)
    if given.key is not None:
        sign(sums, given.key)
    print(f"{sums}: {'not signed, for want of --key' if given.key is None else 'signed'}")


if __name__ == "__main__":
    try:
        main()
    except TrialError as error:
        sys.exit(f"release: {error}")
