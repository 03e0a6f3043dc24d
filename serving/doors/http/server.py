"""Runs the application: everything compiled and loaded before the first client comes."""

from __future__ import annotations

import contextlib
import logging
import socket
import sys

import uvicorn

from ....agents.registry import make
from ....envs import load
from ...matches.hub import Hub
from ...settings import Settings
from .app import create_app
from .connections import protocol


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
    hub = app.state.hub
    for name in hub.games:
        # Compiled or read from the cache here, not while somebody waits.
        hub.bots.bot(name, hub.bots.default(name))
    for name, spec in settings.bots:
        make(spec, load(name))
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    server = Server(configuration(app, settings, host, port), hub, quiet=quiet)
    # Ctrl-C ends the server as it should; uvicorn raises the signal once more afterwards.
    with contextlib.suppress(KeyboardInterrupt):
        server.run()


def configuration(app: object, settings: Settings, host: str, port: int) -> uvicorn.Config:
    """How the server listens: no access log, no version, bounded connections and frames."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        host=host,
        port=port,
        http=protocol(settings),
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        ws_max_size=settings.limits.message,
        ws_max_queue=16,
        backlog=4096,
        timeout_graceful_shutdown=3,
    )


class Server(uvicorn.Server):
    """uvicorn's server; it tells where it is, and whoever waits that it ends.

    Args:
        config: How it listens.
        hub: The matches.
        quiet: Whether to say nothing.
    """

    def __init__(self, config: uvicorn.Config, hub: Hub, *, quiet: bool = True) -> None:
        super().__init__(config)
        self._hub = hub
        self._quiet = quiet

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then say where: the port may have been chosen just now."""
        await super().startup(sockets)
        if self._quiet:
            return
        for listener in self.servers:
            for opened in listener.sockets:
                host, port = opened.getsockname()[:2]
                shown = f"[{host}]" if ":" in host else host
                print(f"Gangland is served at http://{shown}:{port}/", flush=True)
                print("Ctrl-C ends it; matches are kept.", file=sys.stderr, flush=True)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End; requests that wait for news are answered first."""
        self._hub.close()
        await super().shutdown(sockets)
