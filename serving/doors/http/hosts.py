"""Host names that the server answers to.

A hostile web page can make its own host name point to this machine (DNS rebinding). A browser then
takes this server for the page's own, and lets its scripts read everything. But the browser sends
that name in the ``Host`` header, so unknown names are refused. IP addresses cannot be used for this
attack and are always accepted.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable

LOCAL = ("localhost", "*.localhost")
"""Names that browsers resolve to this machine without asking a DNS server."""


class Hosts:
    """The host names of this server.

    Args:
        names: Further names: ``play.example.org``, ``*.example.org`` for all subdomains, ``*`` for
            every name.
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
