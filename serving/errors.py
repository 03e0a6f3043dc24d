"""Errors: what clients see of them, a code, a message and an HTTP status; and the server's log."""

from __future__ import annotations

import logging
from typing import Any, Literal

from ..envs.core.errors import GanglandError
from ..envs.core.presentation.foreign_text import printable

Code = Literal[
    "bad_request",
    "unauthorized",
    "not_found",
    "illegal_action",
    "not_your_turn",
    "stale_decision",
    "conflict",
    "too_large",
    "too_many",
    "unavailable",
    "internal",
]

STATUS: dict[Code, int] = {
    "bad_request": 422,
    "unauthorized": 401,
    "not_found": 404,
    "illegal_action": 409,
    "not_your_turn": 409,
    "stale_decision": 409,
    "conflict": 409,
    "too_large": 413,
    "too_many": 429,
    "unavailable": 503,
    "internal": 500,
}
"""HTTP status of each code."""


class ServingError(GanglandError):
    """A request cannot be served.

    Attributes:
        code: Kind of the error, for programs.
        retry_after: Seconds after which the request may succeed, if known.
    """

    def __init__(self, code: Code, message: str, *, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.code: Code = code
        self.retry_after = retry_after

    @property
    def status(self) -> int:
        """The HTTP status."""
        return STATUS[self.code]


class NoSuchMatchError(ServingError):
    """There is no match of this name."""

    def __init__(self) -> None:
        super().__init__("not_found", "there is no such match")


def explain(errors: Any) -> str:
    """Pydantic's validation errors in one line, without the values that were sent."""
    found: dict[str, list[str]] = {}
    for error in errors:
        # Of a union, each kind of value that was tried has an error, and its name in the place.
        parts = [str(part) for part in error["loc"] if part not in ("body", "query", *_KINDS)]
        # What one of our own validators raised has a prefix of pydantic's.
        says = str(error["msg"]).removeprefix("Value error, ")
        if error["type"] == "union_tag_invalid":
            parts.append(str(error["ctx"]["discriminator"]).strip("'"))
            given = repr(error["ctx"]["tag"][:40])
            says = f"{given} must be one of {error['ctx']['expected_tags']}"
        elif error["type"] == "union_tag_not_found":
            parts.append(str(error["ctx"]["discriminator"]).strip("'"))
            says = "must be given"
        found.setdefault(".".join(parts), []).append(says)
    lines = []
    for where, told in found.items():
        first, *others = dict.fromkeys(told)
        says = " or ".join([first, *(other.removeprefix("Input should be ") for other in others)])
        lines.append(f"{where}: {says}" if where else says)
    return "; ".join(lines[:5])


_KINDS = ("bool", "int", "str", "constrained-int", "constrained-str")


class Harmless(logging.Formatter):
    """Escapes a terminal's control characters: entries quote clients and other machines."""

    def format(self, record: logging.LogRecord) -> str:
        """The entry in lines."""
        return printable(super().format(record), lines=True)


def log_warnings() -> None:
    """Write warnings and errors to the error stream, unless logging is set up already."""
    handler = logging.StreamHandler()
    handler.setFormatter(Harmless("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
