"""A client of a Gangland server: its games, bots and matches over HTTP and WebSocket.

Needs the extra ``remote``::

    from gangland.client import Client, bot, human

    with Client("http://127.0.0.1:8000") as client:
        ann, = client.create("chicago", [human("Ann"), bot(), bot()], options={"players": 3})
        with ann.live() as live:
            for view in live:
                if view.decision is not None:
                    live.act(view.decision, view.legal[0].id)

Answers are the models of :mod:`gangland.serving.protocol`; ``docs/serving.md`` describes them.
"""

from __future__ import annotations

from .connection import ClientError
from .live import Live
from .seat import Seat, SeatTokens
from .server import OPEN, Client, bot, human

__all__ = ["OPEN", "Client", "ClientError", "Live", "Seat", "SeatTokens", "bot", "human"]
