"""What all messages share: the protocol's name, limits, and the form of an error."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from ...envs.core.presentation.foreign_text import is_hidden
from ..errors import Code

PROTOCOL: Literal["gangland/1"] = "gangland/1"
PREFIX = "/api/v1"
MAX_NAME = 40
MAX_SPEC = 120
MAX_SEATS = 16
SAFE_INTEGER = 2**53 - 1
"""Largest integer that every JSON reader keeps exactly."""


def _legible(name: str) -> str:
    """A person's name as it was given.

    Raises:
        ValueError: Naming a character that nobody would see.
    """
    hidden = next((character for character in name if is_hidden(character)), None)
    if hidden is not None:
        known = unicodedata.name(hidden, "a control character")
        raise ValueError(f"U+{ord(hidden):04X} ({known}) cannot be seen and must be left out")
    if not name.strip():
        raise ValueError("must hold more than white space")
    return name


Flag = Annotated[bool, Field(strict=True)]
OptionJson = Flag | Annotated[int, Field(strict=True)] | Annotated[str, Field(max_length=64)]
Options = Annotated[dict[Annotated[str, Field(max_length=64)], OptionJson], Field(max_length=64)]
Spec = Annotated[str, Field(min_length=1, max_length=MAX_SPEC)]
Name = Annotated[
    str,
    Field(
        min_length=1,
        max_length=MAX_NAME,
        description="Without control and format characters, and not of white space alone.",
    ),
    AfterValidator(_legible),
]
SeatNumber = Annotated[int, Field(ge=0, lt=MAX_SEATS, strict=True)]
Count = Annotated[int, Field(ge=0, le=SAFE_INTEGER, strict=True)]
Status = Literal["waiting", "playing", "finished", "expired"]


class Request(BaseModel):
    """What a client sends: unknown keys are refused by name."""

    model_config = ConfigDict(extra="forbid")


class Message(BaseModel):
    """What the server sends."""

    protocol: Literal["gangland/1"] = PROTOCOL


class Problem(Message):
    """An error. ``code`` is for programs, ``message`` for people."""

    type: Literal["error"] = "error"
    code: Code
    message: str
    ref: int | None = None
