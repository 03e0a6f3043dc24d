"""Requests to the API: tokens, errors and retries."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from ..envs.core.errors import GanglandError, MissingDependencyError
from ..serving.errors import Code
from ..serving.protocol import PREFIX

if TYPE_CHECKING:
    import httpx

Model = TypeVar("Model", bound=BaseModel)

PAUSES = (0.3, 1.0, 2.0)
"""Seconds before a request that only reads is repeated, if the server does not say."""
LONGEST_WAIT = 30.0
"""The most seconds for which the server lets a request wait."""


class ClientError(GanglandError, RuntimeError):
    """The server refused a request, or could not be reached.

    Attributes:
        code: The protocol's code; ``unavailable`` also if the server cannot be reached.
        status: HTTP status; 0 if there was no answer.
        retry_after: Seconds after which another try may succeed, if the server said so.
    """

    def __init__(
        self, code: Code, message: str, *, status: int = 0, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.code: Code = code
        self.status = status
        self.retry_after = retry_after


class Connection:
    """The API of one server over HTTP.

    Args:
        server: Address, such as ``http://127.0.0.1:8000``.
        timeout: Seconds to wait for an answer, in addition to the waiting time that a request
            itself asks for.
        retries: How often a request that only reads is repeated if the server is busy or cannot
            be reached.

    Raises:
        MissingDependencyError: Without httpx.
    """

    def __init__(self, server: str, timeout: float = 60.0, retries: int = len(PAUSES)) -> None:
        try:
            import httpx
        except ImportError as error:
            raise MissingDependencyError(
                "gangland.client needs httpx: pip install 'gangland[remote]'"
            ) from error
        self.base = server.rstrip("/") + PREFIX
        self.retries = retries
        self._httpx = httpx
        self._http = httpx.Client(timeout=httpx.Timeout(timeout + LONGEST_WAIT, connect=10.0))

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def call(
        self,
        model: type[Model],
        method: Literal["GET", "POST"],
        path: str,
        *,
        body: BaseModel | dict[str, Any] | None = None,
        token: str | None = None,
        query: dict[str, Any] | None = None,
    ) -> Model:
        """Send a request to the API.

        Args:
            model: Type of the answer.
            method: ``POST`` changes something.
            path: Below ``/api/v1``.
            body: Sent as JSON; defaults of a message are left out.
            token: Names the seat that asks.
            query: Parameters; those that are ``None`` are left out.

        Raises:
            ClientError: If the server refuses or cannot be reached.
        """
        if isinstance(body, BaseModel):
            body = body.model_dump(mode="json", exclude_unset=True)
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        query = {key: value for key, value in (query or {}).items() if value is not None}
        for tried in range(self.retries + 1):
            try:
                answer = self._once(method, path, json=body, headers=headers, params=query)
                return _read(model, answer)
            except ClientError as error:
                busy = error.code in ("unavailable", "too_many")
                if method != "GET" or not busy or tried == self.retries:
                    raise
                pause = PAUSES[min(tried, len(PAUSES) - 1)]
                time.sleep(pause if error.retry_after is None else error.retry_after)
        raise AssertionError("a request ends with an answer or an error")

    def _once(self, method: str, path: str, **more: Any) -> httpx.Response:
        try:
            return self._http.request(method, self.base + path, **more)
        except (self._httpx.HTTPError, self._httpx.InvalidURL) as error:
            why = str(error) or type(error).__name__
            raise ClientError("unavailable", f"{self.base} cannot be reached: {why}") from error


def _read(model: type[Model], answer: httpx.Response) -> Model:
    """An answer as a message, or as the error that it holds."""
    if answer.is_success:
        try:
            return model.model_validate_json(answer.content)
        except ValidationError as error:
            raise ClientError(
                "internal", f"{answer.url} sent an answer that this version does not know: {error}"
            ) from error
    try:
        problem = answer.json()
    except ValueError:
        problem = {}
    problem = problem if isinstance(problem, dict) else {}
    code: Code = problem["code"] if problem.get("code") in get_args(Code) else "internal"
    after = answer.headers.get("retry-after", "")
    raise ClientError(
        code,
        str(problem.get("message", answer.reason_phrase)),
        status=answer.status_code,
        retry_after=float(after) if after.isdigit() else None,
    )
