"""The web application: HTTP routes, the WebSocket, the page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from .hosts import Hosts
from .hub import Hub
from .lane import BotLane
from .limits import Guard
from .openapi import describe
from .refusals import HANDLED, problem, response_to
from .routes import router
from .settings import Settings
from .socket import socket_router

WEB = Path(__file__).parent / "web"
"""The page; it is served if it is there."""


def create_app(settings: Settings) -> FastAPI:
    """The application of a server with these settings."""
    hub = Hub(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        resuming = asyncio.create_task(hub.start())
        yield
        resuming.cancel()
        await asyncio.gather(resuming, return_exceptions=True)
        await hub.stop()

    app = FastAPI(
        title="Gangland",
        version="1",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
    )
    app.state.hub = hub
    app.include_router(router)
    app.include_router(socket_router)
    if (WEB / "index.html").is_file():
        app.mount("/", StaticFiles(directory=WEB, html=True), name="page")
    _handle_errors(app)
    app.add_middleware(BotLane, hub=hub)
    if settings.origins:
        from starlette.middleware.cors import CORSMiddleware

        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.origins),
            allow_methods=["GET", "POST"],
            allow_headers=["authorization", "content-type"],
        )
    app.add_middleware(Guard, limits=settings.limits, hosts=Hosts(settings.hosts))
    describe(app)
    return app


def _handle_errors(app: FastAPI) -> None:
    """Every error becomes a ``Problem``; what goes wrong inside stays inside."""

    async def handled(_: Request, error: Exception) -> Response:
        return response_to(error)

    async def internal(_: Request, error: Exception) -> Response:
        # The error goes on to the server, which logs it.
        return problem("internal", "the server has made a mistake")

    for kind in HANDLED:
        app.add_exception_handler(kind, handled)
    app.add_exception_handler(Exception, internal)
