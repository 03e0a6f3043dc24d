"""The web applications: HTTP routes, the WebSocket, the page, and their OpenAPI description.

A server that offers bots alone has an application of its own.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, get_args

from fastapi import FastAPI, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from starlette.types import Lifespan

from ....envs.core.presentation.sentences import listed
from ...bots.service import BotService
from ...matches.hub import Hub
from ...page.texts import WEB, languages
from ...protocol import PROTOCOL, BotRequest, Command, json_schema
from ...settings import Settings
from .endpoint import BotEndpoint
from .game_routes import router as games
from .limits import Guard, Hosts
from .operations import Measured, operations
from .responses import HANDLED, OtherMethods, problem, response_to
from .routes import router
from .websocket import socket_router


def create_app(settings: Settings, clock: Callable[[], float] = time.monotonic) -> FastAPI:
    """The application of a server.

    Args:
        settings: The server's settings.
        clock: Returns seconds, for the rate limits.
    """
    hub = Hub(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        resuming = asyncio.create_task(hub.start())
        yield
        resuming.cancel()
        await asyncio.gather(resuming, return_exceptions=True)
        await hub.stop()

    app = bare_app(lifespan)
    app.state.hub = hub
    app.state.clock = clock
    app.include_router(games)
    app.include_router(router)
    app.include_router(socket_router)
    app.include_router(operations)
    app.routes.append(OtherMethods(list(app.routes)))
    add_page(app)
    guard(app, settings, hub, clock)
    describe(app)
    return app


def create_bots_app(settings: Settings) -> FastAPI:
    """The application of a server that offers bots and has no matches; they are loaded.

    Args:
        settings: The server's settings; it uses no database.

    Raises:
        GanglandError: If an offered bot cannot be used.
    """
    service = BotService(settings)
    service.warm_up()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await service.stop()

    app = bare_app(lifespan)
    app.state.hub = service
    app.include_router(games)
    app.include_router(operations)
    app.routes.append(OtherMethods(list(app.routes)))
    guard(app, settings, service, time.monotonic)
    describe(app)
    return app


def bare_app(lifespan: Lifespan[FastAPI]) -> FastAPI:
    """An application without routes."""
    return FastAPI(
        title="Gangland",
        version="1",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
    )


def guard(
    app: FastAPI, settings: Settings, service: BotService, clock: Callable[[], float]
) -> None:
    """Add what stands before the routes: errors, limits, measurements, the fast path to bots."""
    _handle_errors(app)
    app.add_middleware(BotEndpoint, service=service)
    app.add_middleware(Guard, limits=settings.limits, hosts=Hosts(settings.hosts), clock=clock)
    # Around the guard: a page of another origin is to read why it was refused.
    if settings.origins:
        from fastapi.middleware.cors import CORSMiddleware

        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.origins),
            allow_methods=["GET", "POST"],
            allow_headers=["authorization", "content-type"],
            expose_headers=["retry-after"],
        )
    app.add_middleware(Measured)


def _handle_errors(app: FastAPI) -> None:
    """Answer every error with a ``Problem`` that reveals no internals."""

    async def handled(_: Request, error: Exception) -> Response:
        return response_to(error)

    async def internal(_: Request, error: Exception) -> Response:
        # Starlette raises the error again, and uvicorn logs it.
        return problem("internal", "internal server error")

    for kind in HANDLED:
        app.add_exception_handler(kind, handled)
    app.add_exception_handler(Exception, internal)


LANGUAGES = "texts/languages.json"
"""Where the page finds the list of catalogues."""


def add_page(app: FastAPI) -> None:
    """Serve the page's files for all paths that have no other route."""
    app.add_api_route(f"/{LANGUAGES}", languages, include_in_schema=False)
    app.mount("/", StaticFiles(directory=WEB, html=True), name="page")


REFERENCE = "#/components/schemas/"


def describe(app: FastAPI) -> None:
    """Add all messages of the WebSocket to ``app.openapi()``, under ``components``."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            hello, *later = (kind.__name__ for kind in get_args(Command))
            made = get_openapi(
                title=app.title,
                version=app.version,
                description=f"Protocol {PROTOCOL}. The WebSocket at /api/v1/matches/{{match}}/ws "
                f"takes {hello} first, then {listed(later)}; it sends View, Hint, Problem and "
                "Pong.",
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
