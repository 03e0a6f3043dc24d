"""Ways in: HTTP and WebSocket, standard input and output, the Model Context Protocol."""
