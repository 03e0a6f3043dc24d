"""Folders of training runs: as files in memory, which go from machine to machine, and their lock.

Two training runs in one folder would remove each other's checkpoints.
"""

from __future__ import annotations

import contextlib
import os
import platform
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from ..agents.trained.whole import whole_folder
from ..envs.core.errors import GanglandError

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


LOCK_FILE = ".lock"
HOLDER_FILE = ".lock-holder"
"""Names the process that holds the lock; some systems let nobody else read a locked file."""


class RunError(GanglandError, RuntimeError):
    """A training run cannot be started as asked."""


@contextlib.contextmanager
def folder_lock(out: Path) -> Iterator[None]:
    """Lock a run's folder, which is created if necessary.

    The lock belongs to the operating system and ends with the process, however that ends. Its
    file stays: removing it would let two processes lock two files of the same name.

    Raises:
        RunError: If another training holds the folder, naming its process; or if it cannot be
            locked.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        lock = FileLock(out / LOCK_FILE)
        lock.acquire(timeout=0)
    except Timeout:
        raise RunError(
            f"{out} is in use by {_holder(out)}: wait for it, end it, or take another folder"
        ) from None
    except OSError as error:
        raise RunError(f"{out} cannot be locked for a training: {error}") from error
    try:
        (out / HOLDER_FILE).write_text(f"process {os.getpid()} on {platform.node()}\n")
        yield
    finally:
        lock.release()


def _holder(out: Path) -> str:
    with contextlib.suppress(OSError, ValueError):
        text = (out / HOLDER_FILE).read_text()[:200].strip()
        if text.isprintable() and text:
            return text
    return "another process"
