"""Folders as files in memory, which go from machine to machine."""

from __future__ import annotations

from pathlib import Path

from ..agents.trained.whole import whole_folder

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
    with whole_folder(folder) as draft:
        for name, data in files.items():
            path = draft / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
