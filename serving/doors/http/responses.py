"""Errors as HTTP responses; the body is a ``Problem``."""

from __future__ import annotations

from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from pydantic import ValidationError
from starlette.exceptions import HTTPException

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
