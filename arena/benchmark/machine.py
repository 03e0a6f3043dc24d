"""What numbers were measured on: processor, cores, versions."""

from __future__ import annotations

import os
import platform
import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def processor() -> str:
    """Name of the processor, in plain characters."""
    return re.sub(r"[^ \w().,@/+-]", "", _name(), flags=re.ASCII)[:200]


def _name() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            if "model name" in line:
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def cores() -> int:
    """Cores of the machine."""
    return os.cpu_count() or 1


def version_of(package: str) -> str | None:
    """Version of an installed distribution; ``None`` if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
