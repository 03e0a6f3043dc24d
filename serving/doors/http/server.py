"""Runs the application, after everything has been compiled and loaded."""

from __future__ import annotations

import contextlib
import socket
import sys

import uvicorn
from websockets import http11 as handshake

from ....envs.core.errors import GanglandError, reason_of
from ...bots.service import BotService
from ...errors import log_warnings
from ...settings import Settings
from .app import create_app, create_bots_app
from .connections import protocol

KEEP_ALIVE = 75
"""Seconds after which an idle connection is closed: later than clients and proxies close theirs, so
that no request is on its way then."""


class AddressError(GanglandError, OSError):
    """A server cannot listen at an address."""


def serve(settings: Settings, host: str, port: int, *, quiet: bool = False) -> None:
    """Serve until interrupted.

    Args:
        settings: The server's settings.
        host: Address to listen on.
        port: Port; 0 picks a free one.
        quiet: Whether to print warnings only.

    Raises:
        GanglandError: If the address, the database or an offered bot cannot be used.
    """
    check_address(host, port)
    server = prepare(settings, host, port, quiet=quiet)
    # Ctrl-C is the normal way to stop; uvicorn raises the signal again after shutting down.
    with contextlib.suppress(KeyboardInterrupt):
        server.run()


def serve_bots(settings: Settings, host: str, port: int, *, quiet: bool = False) -> None:
    """Serve bots without matches until interrupted; see :func:`serve`."""
    check_address(host, port)
    app = create_bots_app(settings)
    log_warnings()
    config = configuration(app, settings, host, port)
    server = Server(config, app.state.hub, quiet=quiet, matches=False)
    with contextlib.suppress(KeyboardInterrupt):
        server.run()


def check_address(host: str, port: int) -> None:
    """Make sure that a server can listen there, before anything is loaded.

    Raises:
        AddressError: If it cannot.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        reason = reason_of(error)
        raise AddressError(f"cannot listen on {host}, port {port}: {reason}") from error


def prepare(settings: Settings, host: str, port: int, *, quiet: bool = False) -> Server:
    """A server that is ready to run, with its bots loaded; see :func:`serve`."""
    app = create_app(settings)
    hub = app.state.hub
    # Compile or read from the cache now, not while a client waits.
    hub.warm_up()
    log_warnings()
    return Server(configuration(app, settings, host, port), hub, quiet=quiet)


def configuration(app: object, settings: Settings, host: str, port: int) -> uvicorn.Config:
    """uvicorn's configuration: no access log, no version header, limited connections and frames."""
    # A handshake's headers have been read by then: a second, smaller limit leaves it unanswered.
    handshake.MAX_LINE_LENGTH = handshake.MAX_NUM_HEADERS = settings.limits.head_size
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
        timeout_keep_alive=KEEP_ALIVE,
        backlog=4096,
        timeout_graceful_shutdown=3,
    )


class Server(uvicorn.Server):
    """uvicorn's server, which also prints its address and answers waiting requests at shutdown.

    Args:
        config: uvicorn's configuration.
        service: The games and bots, and perhaps matches.
        quiet: Whether to print nothing.
        matches: Whether there are matches.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        service: BotService,
        *,
        quiet: bool = True,
        matches: bool = True,
    ) -> None:
        super().__init__(config)
        self._service = service
        self._quiet = quiet
        self._matches = matches

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then print the address, whose port may have been picked just now."""
        await super().startup(sockets)
        if self._quiet:
            return
        for listener in self.servers:
            for opened in listener.sockets:
                announce(opened, matches=self._matches)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Shut down; requests that wait for changes are answered first."""
        self._service.close()
        await super().shutdown(sockets)


def announce(listener: socket.socket, *, matches: bool = True) -> None:
    """Print the address of a listening socket, and how to stop: what becomes of matches if any."""
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    print(f"Gangland is served at http://{shown}:{port}/", flush=True)
    kept = "; matches are kept" if matches else ""
    print(f"Press Ctrl-C to stop{kept}.", file=sys.stderr, flush=True)
