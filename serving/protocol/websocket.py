"""Messages of the WebSocket."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from .common import Count, Flag, Message, Problem, Request
from .play import Act, EndMatch, Hint, HintRequest, Leave, Say, View


class SocketRequest(Request):
    """A message of a WebSocket client; ``ref`` comes back in the answer."""

    ref: Count | None = None


class Hello(SocketRequest):
    """The first message: who the client is, and what its views are to contain."""

    type: Literal["hello"]
    token: Annotated[str, Field(max_length=200)] | None = None
    since: Count = 0
    svg: Flag = True
    text: Flag = False
    observation: Flag = False
    state: Flag = False


class SocketAct(SocketRequest, Act):
    """As ``POST .../actions``."""

    type: Literal["act"]


class SocketUndo(SocketRequest):
    """As ``POST .../undo``."""

    type: Literal["undo"]


class SocketHint(SocketRequest, HintRequest):
    """As ``POST .../hint``."""

    type: Literal["hint"]


class SocketLeave(SocketRequest, Leave):
    """As ``POST .../leave``."""

    type: Literal["leave"]


class SocketReturn(SocketRequest):
    """As ``POST .../return``."""

    type: Literal["return"]


class SocketConcede(SocketRequest):
    """As ``POST .../concede``."""

    type: Literal["concede"]


class SocketEnd(SocketRequest, EndMatch):
    """As ``POST .../end``."""

    type: Literal["end"]


class SocketBegin(SocketRequest):
    """As ``POST .../begin``."""

    type: Literal["begin"]


class SocketSay(SocketRequest, Say):
    """As ``POST .../say``."""

    type: Literal["say"]


class Ping(SocketRequest):
    """Answered with :class:`Pong`."""

    type: Literal["ping"]


class Pong(Message):
    """Answer to :class:`Ping`."""

    type: Literal["pong"] = "pong"
    ref: int | None = None


Command = (
    Hello
    | SocketAct
    | SocketUndo
    | SocketHint
    | SocketLeave
    | SocketReturn
    | SocketConcede
    | SocketEnd
    | SocketBegin
    | SocketSay
    | Ping
)
"""What a client sends."""

ClientMessage = Annotated[Command, Field(discriminator="type")]
ServerMessage = Annotated[View | Hint | Problem | Pong, Field(discriminator="type")]

CLIENT_MESSAGE: TypeAdapter[Command] = TypeAdapter(ClientMessage)
SERVER_MESSAGE: TypeAdapter[View | Hint | Problem | Pong] = TypeAdapter(ServerMessage)


class _Reference(BaseModel):
    """The ``ref`` of a message that need not be valid in anything else."""

    ref: Count | None = None


def ref_of(text: str) -> int | None:
    """The ``ref`` of a client's message that has been refused; ``None`` if it has no valid one."""
    try:
        return _Reference.model_validate_json(text).ref
    except ValidationError:
        return None


def server_message(text: str | bytes) -> View | Hint | Problem | Pong | None:
    """A message of the server; ``None`` if it is of a type that a later version has added.

    Raises:
        pydantic.ValidationError: If it is none.
    """
    try:
        return SERVER_MESSAGE.validate_json(text)
    except ValidationError as error:
        if [fault["type"] for fault in error.errors()] == ["union_tag_invalid"]:
            return None
        raise
