"""The application of a server that offers bots and has no matches."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from ....bots.service import BotService
from ....settings import Settings
from ..app import bare_app, guard
from ..game_routes import router
from ..methods import OtherMethods
from ..openapi import describe
from ..operations import operations


def create_bots_app(settings: Settings) -> FastAPI:
    """The application, with its bots loaded.

    Args:
        settings: The server's settings; it uses no database.

    Raises:
        GanglandError: If an offered bot cannot be used.
    """
    service = BotService(settings)
    service.warm_up()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await service.stop()

    app = bare_app(lifespan)
    app.state.hub = service
    app.include_router(router)
    app.include_router(operations)
    app.routes.append(OtherMethods(list(app.routes)))
    guard(app, settings, service, time.monotonic)
    describe(app)
    return app
