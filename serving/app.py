"""The web application: HTTP routes, the WebSocket, the page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from ..envs.core.errors import IllegalActionError, NotationError, OptionError
from ..envs.registry import UnknownGameError
from .hub import Hub
from .limits import Guard, problem
from .openapi import describe
from .problems import Code, ServingError, explain
from .routes import fast_routes, router
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
    app.router.routes.extend(fast_routes)
    app.include_router(router)
    app.include_router(socket_router)
    if (WEB / "index.html").is_file():
        app.mount("/", StaticFiles(directory=WEB, html=True), name="page")
    _handle_errors(app)
    if settings.origins:
        from starlette.middleware.cors import CORSMiddleware

        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.origins),
            allow_methods=["GET", "POST"],
            allow_headers=["authorization", "content-type"],
        )
    app.add_middleware(Guard, limits=settings.limits)
    describe(app)
    return app


def _handle_errors(app: FastAPI) -> None:
    """Every error becomes a ``Problem``; what goes wrong inside stays inside."""

    async def serving(_: Request, error: Exception) -> Response:
        assert isinstance(error, ServingError)
        headers = {}
        if error.retry_after is not None:
            headers["retry-after"] = str(error.retry_after)
        if error.code == "unauthorized":
            headers["www-authenticate"] = "Bearer"
        return problem(error.code, str(error), headers)

    async def wrong(_: Request, error: Exception) -> Response:
        return problem("bad_request", str(error))

    async def unknown(_: Request, error: Exception) -> Response:
        return problem("not_found", str(error))

    async def invalid(_: Request, error: Exception) -> Response:
        assert isinstance(error, (RequestValidationError, ValidationError))
        return problem("bad_request", explain(error.errors()))

    async def http(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        codes: dict[int, Code] = {404: "not_found", 413: "too_large"}
        code = codes.get(error.status_code, "bad_request")
        answer = problem(code, str(error.detail), dict(error.headers or {}))
        answer.status_code = error.status_code
        return answer

    async def internal(_: Request, error: Exception) -> Response:
        # The error goes on to the server, which logs it.
        return problem("internal", "the server has made a mistake")

    app.add_exception_handler(ServingError, serving)
    for kind in (OptionError, NotationError, IllegalActionError):
        app.add_exception_handler(kind, wrong)
    app.add_exception_handler(UnknownGameError, unknown)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(ValidationError, invalid)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(Exception, internal)
