"""The server: every registered game over HTTP and WebSocket, standard input and output, and MCP."""
