"""The interfaces: HTTP and WebSocket, the engine on standard input and output, MCP."""
