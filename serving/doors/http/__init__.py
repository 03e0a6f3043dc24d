"""The web server: HTTP routes, the WebSocket, and limits on both."""
