"""A fast path for the stateless bot endpoint, which programs call thousands of times."""

from __future__ import annotations

from urllib.parse import parse_qs

from pydantic_core import from_json
from starlette.types import ASGIApp, Receive, Scope, Send

from ...bots.service import BotService
from ...errors import ServingError
from ...protocol import PREFIX, BotRequest
from .responses import HANDLED, NOT_JSON, response_to

BOTS = f"{PREFIX}/bots/"


class BotEndpoint:
    """Middleware that answers ``POST /bots/{game}`` before FastAPI's routing.

    FastAPI's routing takes longer than evaluating a small network. The route with the same path
    only describes the endpoint for OpenAPI.

    Args:
        app: The application, for all other requests.
        service: The bots.
    """

    def __init__(self, app: ASGIApp, service: BotService) -> None:
        self.app = app
        self.service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        path = scope.get("path", "")
        if scope["type"] != "http" or scope["method"] != "POST" or not path.startswith(BOTS):
            await self.app(scope, receive, send)
            return
        try:
            body = await self._answer(scope, receive)
        except HANDLED as error:
            await response_to(error)(scope, receive, send)
            return
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _answer(self, scope: Scope, receive: Receive) -> bytes:
        if not is_json(scope):
            raise ServingError("bad_request", NOT_JSON)
        parts: list[bytes] = []
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ServingError("bad_request", "the request is incomplete")
            parts.append(message.get("body", b""))
            more = message.get("more_body", False)
        asked = _read(b"".join(parts))
        bot = asked.bot
        if bot is None and scope["query_string"]:
            query = parse_qs(scope["query_string"].decode("latin-1"))
            bot = query.get("bot", [None])[-1]
        answer = await self.service.positions.reply(scope["path"][len(BOTS) :], asked, bot)
        return answer.model_dump_json().encode()


def is_json(scope: Scope) -> bool:
    """Whether a request's content type is JSON.

    Pages of other origins can send other content types without the browser asking this server.
    """
    kinds = [value for name, value in scope["headers"] if name == b"content-type"]
    kind = kinds[0].split(b";")[0].strip().lower() if len(kinds) == 1 else b""
    return kind == b"application/json" or (
        kind.startswith(b"application/") and kind.endswith(b"+json")
    )


def _read(body: bytes) -> BotRequest:
    asked = BotRequest.model_validate_json(body)
    # Pydantic takes NaN for a number. Beside base64, which is slow to search, there are no numbers
    # that could be NaN; elsewhere capitals are rare, and one is found much sooner than a word.
    if (
        not isinstance(asked.observation, str)
        and (b"N" in body or b"I" in body)
        and (b"NaN" in body or b"Infinity" in body)
    ):
        try:
            from_json(body, allow_inf_nan=False)
        except ValueError as error:
            raise ServingError("bad_request", f"the body is not JSON: {error}") from error
    return asked
