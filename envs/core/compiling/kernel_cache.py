"""Where machine code is kept, who may have written it there, and what to do if it is damaged.

Loading cached machine code runs it, and Numba's index files are pickles. So a folder is used only
if nobody but its user can have put files there, and a file that is not whole is compiled again.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import pickle
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from . import shipped
from .numba_private import FunctionCache, IndexDataCacheFile

OTHERS = stat.S_IRWXG | stat.S_IRWXO
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
DIGEST_SIZE = 32

SHIPPED = None
"""In place of a source's time in an index that comes with the package: folders carry its hash."""

_private: set[Path] = set()
"""Folders that this process has made for itself."""


# --- folders --------------------------------------------------------------------------------------


@cache
def cache_root() -> Path:
    """Folder of all caches: ``NUMBA_CACHE_DIR``, the user's cache folder, or a temporary one."""
    return next(_roots())


@cache
def trusted(name: str) -> Path:
    """The folder ``name`` in :func:`cache_root`, which only its user can have written to.

    If something else stands there, a folder where the cache would be next, with a warning.
    """
    for root in _roots():
        if root in _private or claim(root / name):
            break
        _warn_of(root / name)
    return root / name


def _roots() -> Iterator[Path]:
    """Where caches may be, the best place first; the last one is this process's own.

    The user answers for the folders that the environment names: they need not be private, as each
    cache in them is. But where everybody may rename everything, a cache could be swapped at any
    time; such a folder is passed over with a warning.
    """
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    for candidate in (chosen, f"{base}/gangland/kernels"):
        if candidate:
            folder = Path(candidate).expanduser()
            with contextlib.suppress(OSError):
                folder.mkdir(parents=True, exist_ok=True)
            if not folder.is_dir() or not os.access(folder, os.W_OK):
                continue
            if _everybody_renames(folder):
                _warn(f"warning: {folder} is not used: everybody may rename what stands in it")
                continue
            yield folder
    folder = Path(tempfile.gettempdir()) / f"gangland-kernels-{_user()}"
    if claim(folder, contents=False):
        yield folder
    else:
        _warn_of(folder)
    yield _private_root()


def claim(folder: Path, *, contents: bool = True) -> bool:
    """Make sure that a folder is there and that only its user can have written to it.

    If it is the user's own, but others may have written to it or to a file in it, it is emptied.

    Args:
        folder: Its parent has to exist.
        contents: Whether the files in it are checked as well. Not needed if the folders in it are
            claimed one by one.

    Returns:
        Whether it can be used; not if it belongs to somebody else, is a link, or no folder.
    """
    for _ in range(2):
        try:
            folder.mkdir(mode=stat.S_IRWXU, exist_ok=True)
            found = folder.lstat()
        except OSError:
            return False
        if not _has_owners():
            return True
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            return False
        closed = not found.st_mode & OTHERS
        if not found.st_mode & OTHERS_WRITE and (not contents or _all_own(folder, closed)):
            return True
        shutil.rmtree(folder, ignore_errors=True)
    return False


def _all_own(folder: Path, closed: bool) -> bool:
    """Whether all that stands in a folder is its user's.

    Args:
        folder: The folder.
        closed: Whether nobody else can open what stands in it; else modes count as well.
    """
    for where, folders, files in os.walk(folder):
        for name in (*folders, *files):
            try:
                found = Path(where, name).lstat()
            except FileNotFoundError:  # Another process of the user has just replaced it.
                continue
            if found.st_uid != os.geteuid() or stat.S_ISLNK(found.st_mode):
                return False
            if not closed and found.st_mode & OTHERS_WRITE:
                return False
    return True


def _everybody_renames(folder: Path) -> bool:
    mode = folder.stat().st_mode
    return _has_owners() and bool(mode & stat.S_IWOTH) and not mode & stat.S_ISVTX


def _has_owners() -> bool:
    """Whether files have a user and a mode, as on POSIX; elsewhere, such folders are private."""
    return hasattr(os, "geteuid")


def _user() -> str:
    # By number: a user in a container may have no name.
    if _has_owners():
        return str(os.geteuid())
    import getpass

    return getpass.getuser()


@cache
def _private_root() -> Path:
    """A new folder of this process's own, which is removed at its end."""
    folder = Path(tempfile.mkdtemp(prefix="gangland-kernels-"))
    _private.add(folder)
    owner = os.getpid()

    def remove() -> None:
        if os.getpid() == owner:  # A forked process ends before the one that made it.
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    _warn("the rules are compiled for this process alone")
    return folder


def _warn_of(folder: Path) -> None:
    _warn(
        f"warning: {folder} is not used: it must be a folder of yours that nobody else may write to"
    )


@cache
def _warn(message: str) -> None:
    print(f"gangland: {message}", file=sys.stderr, flush=True)


# --- files ----------------------------------------------------------------------------------------


def seal(data: bytes) -> bytes:
    """Bytes with a digest in front, by which damage is noticed; no proof of who wrote them."""
    return hashlib.blake2b(data, digest_size=DIGEST_SIZE).digest() + data


def unseal(data: bytes) -> bytes:
    """The bytes that were sealed.

    Raises:
        DamagedError: If they are not what was sealed.
    """
    body = data[DIGEST_SIZE:]
    if seal(body) != data:
        raise DamagedError("not what was written")
    return body


class DamagedError(OSError):
    """A cache file is not as it was written. Numba takes an ``OSError`` as a file that is gone."""


class _SealedFiles(IndexDataCacheFile):  # type: ignore[misc]
    """Numba's index and data files, sealed, so that nothing damaged is unpickled or run."""

    @cached_property
    def index(self) -> dict[Any, str]:
        """Names of the data files as they were when this was first asked for."""
        return self._load_index()

    def _load_index(self) -> dict[Any, str]:
        try:
            version, stamp, overloads = self._read(self._index_path)
        except (OSError, ValueError, TypeError):
            return {}
        fresh = (version, stamp) == (self._version, self._source_stamp)
        return overloads if fresh and isinstance(overloads, dict) else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write(self._index_path, (self._version, self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        return self._read(self._data_path(name))

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), data)

    def _read(self, path: str) -> Any:
        data = unseal(Path(path).read_bytes())
        try:
            return pickle.loads(data)
        except Exception as error:
            raise DamagedError(f"{path}: {error}") from error

    def _write(self, path: str, content: Any) -> None:
        with self._open_for_write(path) as file:
            file.write(seal(self._dump(content)))


class KernelCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache of one function, for which damaged or refused files are a cache miss.

    Machine code that comes with the package (:mod:`.shipped`) stands in for what is not cached.

    Args:
        function: The function.
        name: Of the folder of its module's machine code.
    """

    def __init__(self, function: Any, name: str) -> None:
        super().__init__(function)
        base = self._impl.filename_base
        self._cache_file = _SealedFiles(
            cache_path=self._cache_path,
            filename_base=base,
            source_stamp=self._impl.locator.get_source_stamp(),
        )
        self._shipped = _SealedFiles(
            cache_path=str(shipped.FOLDER / name), filename_base=base, source_stamp=SHIPPED
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function of a signature; ``None`` if there is none that can be used."""
        try:
            found = super().load_overload(sig, target_context)
            if found is None and self.comes_with_the_package(sig):
                target_context.refresh()
                data = self._shipped.load(self._shipped_key(sig))
                found = None if data is None else self._impl.rebuild(target_context, data)
        except Exception:
            # Whatever is wrong with the file: if the rule is wrong, compiling it raises the error.
            return None
        return found

    def comes_with_the_package(self, sig: Any) -> bool:
        """Whether the package has machine code for the arguments ``sig`` that runs here."""
        return shipped.usable() and self._shipped_key(sig) in self._shipped.index

    def _shipped_key(self, sig: Any) -> Any:
        return self._index_key(sig, shipped.Target)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled function, unless the system refuses: the next process compiles then."""
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)


def pack(cached: Path, into: Path) -> None:
    """Make machine code that comes with the package of a folder's cache.

    Args:
        cached: A module's folder in the cache.
        into: Where it is put.
    """
    into.mkdir(parents=True, exist_ok=True)
    for index in cached.rglob("*.nbi"):
        version, _, overloads = pickle.loads(unseal(index.read_bytes()))
        (into / index.name).write_bytes(seal(pickle.dumps((version, SHIPPED, overloads))))
        for name in overloads.values():
            shutil.copyfile(index.with_name(name), into / name)
