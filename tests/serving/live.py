"""A server in a thread of this process, over real HTTP; it knows the tests' own games."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

from gangland.serving.doors.http.app import create_app
from gangland.serving.doors.http.server import Server, configuration
from gangland.serving.matches.hub import Hub
from gangland.serving.settings import Settings


@contextlib.contextmanager
def live(settings: Settings) -> Iterator[str]:
    """Serve with these settings; gives the address."""
    with running(settings) as (url, _):
        yield url


@contextlib.contextmanager
def running(settings: Settings) -> Iterator[tuple[str, Hub]]:
    """Serve with these settings; gives the address and the matches."""
    app = create_app(settings)
    server = Server(configuration(app, settings, "127.0.0.1", 0), app.state.hub)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 60
    while not server.started:
        assert thread.is_alive()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}", app.state.hub
    finally:
        server.should_exit = True
        thread.join(30)
