"""Folders as files in memory, which go from machine to machine, and folders written as a whole."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

Files = dict[str, bytes]
"""A folder's files by their path in it."""


def files_of(folder: Path) -> Files:
    """All files of a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def write_files(folder: Path, files: Files) -> None:
    """Write a folder, whole or not at all."""
    with whole(folder) as draft:
        for name, data in files.items():
            path = draft / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


@contextmanager
def whole(folder: Path) -> Iterator[Path]:
    """A place to write a folder, which then takes the place of an earlier one."""
    draft = folder.with_name(f".draft-{folder.name}")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    try:
        yield draft
        shutil.rmtree(folder, ignore_errors=True)
        draft.rename(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
