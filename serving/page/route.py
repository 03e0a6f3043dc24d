"""The page at ``/``: plain files, served as they are."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

WEB = Path(__file__).parent / "web"


def add_page(app: FastAPI) -> None:
    """Serve the page's files for every path that is no other route's."""
    app.mount("/", StaticFiles(directory=WEB, html=True), name="page")
