"""Files and folders written whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """A place to write a folder, which then takes the place of an earlier one.

    It is renamed once everything in it is on the disk, so that a folder of the final name is
    complete, whenever the process is killed. If anything is raised, an earlier folder stays.
    """
    draft = folder.with_name(f".draft-{folder.name}")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    try:
        yield draft
        for path in (*draft.rglob("*"), draft):
            _flush(path)
        shutil.rmtree(folder, ignore_errors=True)
        draft.rename(folder)
        _flush(folder.parent)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A place to write a file, which then takes the place of an earlier one.

    It is renamed once it is on the disk. If anything is raised, an earlier file stays.
    """
    draft = path.with_name(f".draft-{os.getpid()}-{path.name}")
    try:
        yield draft
        _flush(draft)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _flush(path: Path) -> None:
    """Make sure that a file or folder has reached the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
