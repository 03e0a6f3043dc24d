"""The route of the page: static files at ``/``."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

WEB = Path(__file__).parent / "web"


def add_page(app: FastAPI) -> None:
    """Serve the page's files for all paths that have no other route."""
    app.mount("/", StaticFiles(directory=WEB, html=True), name="page")
