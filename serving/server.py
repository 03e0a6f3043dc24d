"""Runs the application: everything compiled and loaded before the first client comes."""

from __future__ import annotations

import contextlib
import logging
import sys

import uvicorn

from ..agents.registry import make
from ..envs import load
from .app import create_app
from .settings import Settings


def serve(settings: Settings, host: str, port: int, *, quiet: bool = False) -> None:
    """Serve until interrupted.

    Args:
        settings: What the operator decided.
        host: Address to listen at.
        port: Port; 0 takes a free one.
        quiet: Whether to say nothing but warnings.

    Raises:
        GanglandError: If the database or an offered bot cannot be used.
    """
    app = create_app(settings)
    for name in app.state.hub.games:
        _ = app.state.hub.game(name).compiled
    for name, spec in settings.bots:
        make(spec, load(name))
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    server = uvicorn.Server(configuration(app, settings, host, port))
    if not quiet:
        _announce(server)
    # Ctrl-C ends the server as it should; uvicorn raises the signal once more afterwards.
    with contextlib.suppress(KeyboardInterrupt):
        server.run()


def configuration(app: object, settings: Settings, host: str, port: int) -> uvicorn.Config:
    """How the server listens: no access log, no version, bounded frames."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws_max_size=settings.limits.message,
        ws_max_queue=16,
        backlog=4096,
        timeout_graceful_shutdown=3,
    )


def _announce(server: uvicorn.Server) -> None:
    """Say where the server is, once it listens: the port may have been chosen just now."""
    starting = server.startup

    async def startup(*arguments: object, **more: object) -> None:
        await starting(*arguments, **more)  # type: ignore[arg-type]
        for listener in server.servers:
            for socket in listener.sockets:
                host, port = socket.getsockname()[:2]
                shown = f"[{host}]" if ":" in host else host
                print(f"Gangland is served at http://{shown}:{port}/", flush=True)
                print("Ctrl-C ends it; matches are kept.", file=sys.stderr, flush=True)

    server.startup = startup  # type: ignore[method-assign]
