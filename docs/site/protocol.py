"""The pages on the server's protocol, made from ``docs/openapi.json``."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Schema = dict[str, Any]

ENDPOINTS_HEAD = """\
# HTTP API

Every endpoint of `gangland serve`, generated from its OpenAPI description. [Serving](serving.md)
introduces the protocol with examples, the [messages](messages.md) page lists the fields of every
message, and [Swagger UI](swagger.html) shows the same description as an interactive page, without
any network.

Every endpoint can also answer with an error: a [`Problem`](messages.md#problem) with one of the
status codes that [Serving](serving.md#the-protocol) lists.
"""

MESSAGES_HEAD = """\
# Messages

The JSON messages of the protocol `gangland/1`, over HTTP and the WebSocket, with all of their
fields. Generated from the schema, which the server offers as JSON Schema at `GET /api/v1/schema`.
[Serving](serving.md) introduces the protocol, the [HTTP API](http_api.md) page lists the endpoints.
"""

SWAGGER = Path(__file__).resolve().parent / "assets" / "swagger.html"


def endpoints_page(description: Schema) -> str:
    """All endpoints, each with its parameters, body and answer."""
    parts = [ENDPOINTS_HEAD]
    for path, methods in description["paths"].items():
        for method, endpoint in methods.items():
            parts.append("\n".join(_endpoint(method, path, endpoint)))
    return "\n\n".join(parts) + "\n"


def messages_page(description: Schema) -> str:
    """All messages with their fields, in alphabetical order."""
    schemas = description["components"]["schemas"]
    parts = [MESSAGES_HEAD]
    parts += ["\n".join(_message(name, schemas[name])) for name in sorted(schemas)]
    return "\n\n".join(parts) + "\n"


def swagger_page(description: Schema) -> str:
    """Swagger UI with the description in the page, as a page from a file may not fetch it."""
    # In a script "</" could end it.
    text = json.dumps(description).replace("</", "<\\/")
    return SWAGGER.read_text(encoding="utf-8").replace("SPECIFICATION", text)


def _endpoint(method: str, path: str, endpoint: Schema) -> Iterator[str]:
    yield f"## {method.upper()} {path.replace('{', '&#123;').replace('}', '&#125;')}"
    yield ""
    yield _text(endpoint.get("description", ""))
    body = endpoint.get("requestBody", {}).get("content", {}).get("application/json")
    if body:
        yield f"\n**Body:** {_kind(body['schema'])}"
    for status, answer in endpoint["responses"].items():
        if status.startswith("2"):
            content = answer.get("content", {})
            kinds = [_kind(kind["schema"]) for kind in content.values() if kind.get("schema")]
            yield f"\n**Answer:** {' or '.join(kinds) or 'empty'} ({status})"
    if endpoint.get("parameters"):
        yield "\n| parameter | in | type | meaning |\n|---|---|---|---|"
        for parameter in endpoint["parameters"]:
            schema = parameter["schema"]
            said = parameter.get("description") or schema.get("description", "")
            name = f"`{parameter['name']}`"
            yield f"| {name} | {parameter['in']} | {_kind(schema)} | {_cell(said)} |"


def _message(name: str, schema: Schema) -> Iterator[str]:
    yield f"## {name}"
    yield ""
    yield _text(schema.get("description", ""))
    if "properties" in schema:
        required = schema.get("required", ())
        yield "\n| field | type | required | meaning |\n|---|---|---|---|"
        for field, kind in schema["properties"].items():
            needed = "yes" if field in required else ""
            yield f"| `{field}` | {_kind(kind)} | {needed} | {_cell(kind.get('description', ''))} |"


def _kind(schema: Schema) -> str:
    """The type of a value in a few words, with links to messages."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[`{name}`](messages.md#{name.lower()})"
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(_kind(kind) for kind in schema[key]))
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    kind = schema.get("type", "any")
    if kind == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_kind(schema['additionalProperties'])}"
    default = f", default `{json.dumps(schema['default'])}`" if schema.get("default") else ""
    return f"{kind}{_limits(schema)}{default}"


def _limits(schema: Schema) -> str:
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    if low is not None and high is not None:
        return f", {low} to {high}"
    if low is not None:
        return f", at least {low}"
    if "maxLength" in schema:
        return f", at most {schema['maxLength']} characters"
    return ""


def _text(text: str) -> str:
    return html.escape(text, quote=False).replace("``", "`")


def _cell(text: str) -> str:
    return " ".join(_text(text).split()).replace("|", "&#124;")
