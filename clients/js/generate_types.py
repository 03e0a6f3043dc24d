"""TypeScript types of every message, made from ``docs/openapi.json``.

Run it after a change of the protocol::

    python clients/js/generate_types.py

What clients send is written with optional fields where the protocol has defaults; what the server
sends always carries every field.
"""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
OPENAPI = ROOT / "docs" / "openapi.json"
TARGET = Path(__file__).resolve().parent / "types" / "protocol.d.ts"
WIDTH = 96
HEADER = (
    "// Made from docs/openapi.json by clients/js/generate_types.py; changes belong there.\n"
    "// Messages of the protocol; docs/serving.md describes them.\n"
)
PLAIN = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean"}

Schema = dict[str, Any]


def type_of(schema: Schema) -> str:
    """The TypeScript type of a JSON Schema.

    Args:
        schema: A schema of the kinds that the protocol uses.

    Raises:
        ValueError: For a schema of another kind.
    """
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " | ".join(dict.fromkeys(type_of(part) for part in schema[union]))
    kind = schema.get("type")
    if kind == "array" and "prefixItems" in schema:
        return f"[{', '.join(type_of(part) for part in schema['prefixItems'])}]"
    if kind == "array":
        inner = type_of(schema["items"])
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if kind == "object":
        values = schema.get("additionalProperties", True)
        return f"Record<string, {'unknown' if values is True else type_of(values)}>"
    if kind == "null":
        return "null"
    if kind in PLAIN:
        return PLAIN[kind]
    raise ValueError(f"no TypeScript type for {schema}")


def is_request(schema: Schema) -> bool:
    """Whether clients send it: unknown fields are refused."""
    return schema.get("additionalProperties") is False


def comment(text: str, indent: str = "") -> str:
    """A documentation comment; empty without a text."""
    words = " ".join(text.replace("``", "`").replace(":class:", "").split())
    if not words:
        return ""
    if len(indent) + len(words) + 7 <= WIDTH:
        return f"{indent}/** {words} */\n"
    lines = textwrap.wrap(words, WIDTH - len(indent) - 3)
    return f"{indent}/**\n" + "".join(f"{indent} * {line}\n" for line in lines) + f"{indent} */\n"


def interface(name: str, schema: Schema) -> str:
    """One message as an interface."""
    required = schema.get("required", []) if is_request(schema) else schema["properties"]
    fields = "".join(
        f"{comment(field.get('description', ''), '  ')}"
        f"  {key}{'' if key in required else '?'}: {type_of(field)};\n"
        for key, field in schema["properties"].items()
    )
    return f"{comment(schema.get('description', ''))}export interface {name} {{\n{fields}}}\n"


def union(name: str, text: str, members: list[str]) -> str:
    """A union of messages."""
    return f"{comment(text)}export type {name} =\n  | " + "\n  | ".join(members) + ";\n"


def generate(openapi: Schema) -> str:
    """The text of ``protocol.d.ts``.

    Args:
        openapi: The OpenAPI description of the server.
    """
    schemas: dict[str, Schema] = openapi["components"]["schemas"]
    fields = {name: schema["properties"] for name, schema in schemas.items()}
    sent = [name for name in schemas if is_request(schemas[name]) and "type" in fields[name]]
    received = [name for name in schemas if not is_request(schemas[name]) and "ref" in fields[name]]
    parts = [interface(name, schema) for name, schema in schemas.items()]
    parts.append(union("ClientMessage", "What a client sends over the WebSocket.", sent))
    parts.append(union("ServerMessage", "What the server sends over the WebSocket.", received))
    return "\n".join([HEADER, *parts])


if __name__ == "__main__":
    TARGET.write_text(generate(json.loads(OPENAPI.read_text(encoding="utf-8"))), encoding="utf-8")
