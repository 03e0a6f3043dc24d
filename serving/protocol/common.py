"""What all messages share: the protocol's name, limits, and the form of an error."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from ..errors import Code

PROTOCOL: Literal["gangland/1"] = "gangland/1"
PREFIX = "/api/v1"
MAX_NAME = 40
MAX_SPEC = 120
MAX_SEATS = 16
SAFE_INTEGER = 2**53 - 1
"""Largest integer that every JSON reader keeps exactly."""

OptionJson = bool | int | Annotated[str, Field(max_length=64)]
Options = Annotated[dict[Annotated[str, Field(max_length=64)], OptionJson], Field(max_length=64)]
Spec = Annotated[str, Field(min_length=1, max_length=MAX_SPEC)]
Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME, pattern=r"^[^\x00-\x1f\x7f]+$")]
SeatNumber = Annotated[int, Field(ge=0, lt=MAX_SEATS)]
Count = Annotated[int, Field(ge=0, le=SAFE_INTEGER)]
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
