"""All messages as JSON Schema."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from . import common, games, lessons, matches, play, websocket
from .common import PROTOCOL, Message, Request
from .websocket import SocketRequest

BASES = (Message, Request, SocketRequest)
"""Base classes, which are not messages themselves."""


def json_schema() -> dict[str, Any]:
    """JSON Schema of every message, by name under ``$defs``."""
    kinds = [
        kind
        for module in (common, games, lessons, matches, play, websocket)
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, (Message, Request))
    ]
    models = [model for model in dict.fromkeys(kinds) if model not in BASES]
    adapters: list[Any] = [TypeAdapter(model) for model in models]
    _, definitions = TypeAdapter.json_schemas(
        [(model.__name__, "validation", a) for model, a in zip(models, adapters, strict=True)]
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": PROTOCOL,
        **definitions,
    }
