"""The web application: HTTP routes, the WebSocket, the page."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.responses import Response
from starlette.types import Lifespan

from ...bots.service import BotService
from ...matches.hub import Hub
from ...page.route import add_page
from ...settings import Settings
from .game_routes import router as games
from .hosts import Hosts
from .limits import Guard
from .methods import OtherMethods
from .openapi import describe
from .operations import Measured, operations
from .responses import HANDLED, problem, response_to
from .routes import router
from .stateless.endpoint import BotEndpoint
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
