"""What operators need: whether the server is alive and ready, and what it does."""

from __future__ import annotations

import asyncio
import hmac
import time
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import PlainTextResponse, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...bots.service import BotService
from ...errors import ServingError
from ...metrics import CONTENT_TYPE, REQUESTS, exposition, of
from .endpoint import BOTS
from .game_routes import PROBLEMS

operations = APIRouter(tags=["operation"], responses=PROBLEMS)
bearer = HTTPBearer(auto_error=False, description="The operator's token for the metrics.")

REMEMBERED = 1.0
"""Seconds for which an answer of ``/readyz`` holds: anybody may ask, and the database is asked."""

TEXT: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/plain": {"schema": {"type": "string"}}}, "description": "Yes."}
}
"""Answers in plain text; problems are JSON, as everywhere."""

METHODS = frozenset(("GET", "HEAD", "POST", "OPTIONS"))


@operations.get(
    "/healthz", response_class=Response, responses=TEXT, summary="Whether the server is alive"
)
async def healthz() -> Response:
    """Whether the process answers at all; if not, it should be restarted."""
    return PlainTextResponse("ok")


@operations.get(
    "/readyz", response_class=Response, responses=TEXT, summary="Whether the server is ready"
)
async def readyz(request: Request) -> Response:
    """Whether it can play matches now; if not, requests should go elsewhere."""
    service: BotService = request.app.state.hub
    known: _Readiness | None = getattr(request.app.state, "readiness", None)
    if known is None or time.monotonic() - known.at > REMEMBERED:
        known = request.app.state.readiness = _Readiness(service)
    why = await asyncio.shield(known.why)
    if why:
        raise ServingError("unavailable", why)
    return PlainTextResponse("ok")


class _Readiness:
    """One check of the server, shared by all who ask meanwhile."""

    def __init__(self, service: BotService) -> None:
        self.at = time.monotonic()
        self.why = service.tasks.start(service.unready())


@operations.get("/metrics", response_class=Response, responses=TEXT)
async def metrics(
    request: Request, token: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]
) -> Response:
    """Metrics for Prometheus; only with the token that the operator has chosen."""
    wanted = request.app.state.hub.settings.metrics_token
    if not wanted:
        raise ServingError(
            "not_found", "no metrics: the server has been started without --metrics-token"
        )
    given = token.credentials if token is not None else ""
    if not hmac.compare_digest(given.encode(), wanted.encode()):
        raise ServingError("unauthorized", "the metrics need the operator's token")
    return Response(await asyncio.to_thread(exposition), headers={"content-type": CONTENT_TYPE})


class Measured:
    """Middleware that measures how long requests take.

    Args:
        app: The application.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, sending)
        finally:
            method = scope["method"] if scope["method"] in METHODS else "other"
            waits = "yes" if b"wait=" in scope["query_string"] else "no"
            took = time.perf_counter() - began
            of(REQUESTS, _route(scope), method, str(status), waits).observe(took)


def _route(scope: Scope) -> str:
    """The pattern of the path; what clients put into paths must not become a label."""
    route: Any = scope.get("route")
    pattern = getattr(route, "path", None)
    if pattern:
        return str(pattern)
    if scope["path"].startswith(BOTS):
        return f"{BOTS}{{game}}"
    return "page" if scope.get("path_params") is not None else "refused"
