"""The OpenAPI description: FastAPI's, with the WebSocket's messages added."""

from __future__ import annotations

import json
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from ...protocol import PROTOCOL, BotRequest, json_schema

REFERENCE = "#/components/schemas/"


def describe(app: FastAPI) -> None:
    """Add all messages of the WebSocket to ``app.openapi()``, under ``components``."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            made = get_openapi(
                title=app.title,
                version=app.version,
                description=f"Protocol {PROTOCOL}. The WebSocket at /api/v1/matches/{{match}}/ws "
                "takes Hello first, then SocketAct, SocketUndo, SocketHint, SocketLeave, "
                "SocketReturn, SocketConcede, SocketEnd, SocketBegin and Ping; it sends View, "
                "Hint, Problem and Pong.",
                routes=app.routes,
            )
            schemas = made["components"]["schemas"]
            moved = json.dumps(json_schema()["$defs"]).replace("#/$defs/", REFERENCE)
            for name, schema in json.loads(moved).items():
                schemas.setdefault(name, schema)
            app.openapi_schema = made
        return app.openapi_schema

    assert BotRequest.__name__ in json_schema()["$defs"]
    app.openapi = openapi  # type: ignore[method-assign]


def write(app: FastAPI) -> str:
    """The description as ``docs/openapi.json`` contains it."""
    return json.dumps(app.openapi(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"
