"""A server whose errors about arguments are one line each, without the library's own words."""

from __future__ import annotations

from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import ValidationError

from ...errors import explain


class PlainErrors(MCPServer[Any]):
    """Names the arguments that are wrong, and what is allowed."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool by name.

        Raises:
            ToolError: If there is none, or its arguments are wrong, or the tool refuses them.
        """
        known = {tool.name: tool.input_schema["properties"] for tool in await self.list_tools()}
        unknown = sorted(set(arguments) - set(known.get(name, arguments)))
        if unknown:
            allowed = ", ".join(known[name]) or "none"
            raise ToolError(f"{name}: unknown argument {', '.join(unknown)}: must be {allowed}")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(f"{name}: {explain(error.__cause__.errors())}") from error
            raise
