"""Responses that no route gives: to errors, with a ``Problem`` as body, and to other methods.

The latter are HEAD and OPTIONS, and those that a path does not have.
"""

from __future__ import annotations

from collections.abc import Sequence

from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Match
from starlette.types import Message, Receive, Scope, Send

from ....envs.core.errors import IllegalActionError, NotationError, OptionError
from ....envs.registry import UnknownGameError
from ...errors import STATUS, Code, ServingError, explain
from ...metrics import ERRORS
from ...protocol import Problem

HANDLED: tuple[type[Exception], ...] = (
    ServingError,
    OptionError,
    NotationError,
    IllegalActionError,
    UnknownGameError,
    RequestValidationError,
    ValidationError,
    HTTPException,
)
"""Errors whose messages clients may see."""

NOT_JSON = "the body must be JSON, with the header content-type: application/json"
"""What is wrong with a body that is sent as anything else, or without the header."""

UNREADABLE = 400
"""FastAPI's status for a body that is not JSON at all; here it is one of the errors in a body."""


def problem(code: Code, message: str, headers: dict[str, str] | None = None) -> Response:
    """A response with a ``Problem``."""
    ERRORS.labels(code).inc()
    body = Problem(code=code, message=message).model_dump_json()
    return Response(body, STATUS[code], headers, media_type="application/json")


def response_to(error: Exception) -> Response:
    """The response to an error of :data:`HANDLED`; other errors are raised again."""
    if isinstance(error, ServingError):
        headers = {}
        if error.retry_after is not None:
            headers["retry-after"] = str(error.retry_after)
        if error.code == "unauthorized":
            headers["www-authenticate"] = "Bearer"
        return problem(error.code, str(error), headers)
    if isinstance(error, (OptionError, NotationError, IllegalActionError)):
        return problem("bad_request", str(error))
    if isinstance(error, UnknownGameError):
        return problem("not_found", str(error))
    if isinstance(error, RequestValidationError) and _not_sent_as_json(error):
        return problem("bad_request", NOT_JSON)
    if isinstance(error, (RequestValidationError, ValidationError)):
        return problem("bad_request", explain(error.errors()))
    if isinstance(error, HTTPException):
        if error.status_code == UNREADABLE:
            return problem("bad_request", "the body cannot be read as JSON")
        codes: dict[int, Code] = {404: "not_found", 413: "too_large"}
        code = codes.get(error.status_code, "bad_request")
        answer = problem(code, str(error.detail), dict(error.headers or {}))
        answer.status_code = error.status_code
        return answer
    raise error


def _not_sent_as_json(error: RequestValidationError) -> bool:
    """Whether a body had another content type: FastAPI then validates its bytes as they are."""
    return any(
        fault["loc"][0] == "body" and isinstance(fault.get("input"), bytes)
        for fault in error.errors()
    )


METHODS = ("GET", "POST")
"""Those that routes name."""


class OtherMethods(BaseRoute):
    """Answers for paths that have a route, but not with the method of the request.

    It stands after all routes and before the page, which takes whatever is left. ``HEAD`` is
    answered like ``GET``, without the body; ``OPTIONS`` with the methods that there are; all else
    with 405.

    Args:
        routes: The routes.
    """

    def __init__(self, routes: Sequence[BaseRoute]) -> None:
        self._routes = routes

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Any path that one of the routes has."""
        known = scope["type"] == "http" and self._methods(scope)
        return (Match.FULL if known else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request.

        Raises:
            HTTPException: 405, with the methods that there are.
        """
        known = self._methods(scope)
        if scope["method"] == "HEAD" and "GET" in known:
            await _without_body(known["GET"], scope, receive, send)
            return
        allowed = {*known, "OPTIONS"} | ({"HEAD"} if "GET" in known else set())
        headers = {"allow": ", ".join(sorted(allowed))}
        if scope["method"] != "OPTIONS":
            raise HTTPException(405, headers=headers)
        await Response(status_code=204, headers=headers)(scope, receive, send)

    def _methods(self, scope: Scope) -> dict[str, BaseRoute]:
        """The methods of a path, with their routes."""
        return {
            method: route
            for method in METHODS
            for route in self._routes
            if route.matches({**scope, "method": method})[0] == Match.FULL
        }


async def _without_body(route: BaseRoute, scope: Scope, receive: Receive, send: Send) -> None:
    """Let the route of GET answer, and keep the body back."""

    async def headers_only(message: Message) -> None:
        if message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await send(message)

    asked = {**scope, "method": "GET"}
    asked.update(route.matches(asked)[1])
    await route.handle(asked, receive, headers_only)
