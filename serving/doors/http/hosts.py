"""Names under which the server may be called.

A page of somebody else's may let its own name point to this machine (DNS rebinding): a browser then
takes the server for that page's, and its scripts may read everything. But the browser says by which
name it calls, and a name is all that such a page can forge: addresses are as good as ever.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable

LOCAL = ("localhost", "*.localhost")
"""Names of this machine that browsers resolve without asking anybody."""


class Hosts:
    """Which names are this server's.

    Args:
        names: More names: ``play.example.org``, ``*.example.org`` for all below, ``*`` for all.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        found = {name.lower().rstrip(".") for name in (*LOCAL, socket.gethostname(), *names)}
        self.any = "*" in found
        self._exact = {name for name in found if not name.startswith("*")}
        self._endings = tuple(name[1:] for name in found if name.startswith("*."))

    def allow(self, header: str) -> bool:
        """Whether a ``Host`` header names this server."""
        name = _name(header)
        if self.any or name in self._exact or name.endswith(self._endings):
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def _name(header: str) -> str:
    """The header without port and brackets, in lower case."""
    header = header.strip().lower()
    if header.startswith("["):
        inside, bracket, port = header[1:].partition("]")
        return inside if bracket and _is_port(port) else ""
    name, colon, port = header.partition(":")
    return name.rstrip(".") if _is_port(colon + port) else ""


def _is_port(text: str) -> bool:
    return not text or (text[0] == ":" and (text[1:].isdecimal() or not text[1:]))
