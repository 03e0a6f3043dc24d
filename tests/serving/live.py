"""A server in a thread of this process, over real HTTP; it knows the tests' own games."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

import uvicorn

from gangland.serving.app import create_app
from gangland.serving.server import configuration
from gangland.serving.settings import Settings


@contextlib.contextmanager
def live(settings: Settings) -> Iterator[str]:
    """Serve with these settings; gives the address."""
    server = uvicorn.Server(configuration(create_app(settings), settings, "127.0.0.1", 0))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 60
    while not server.started:
        assert thread.is_alive()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(30)
