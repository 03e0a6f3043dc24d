"""The route of the page: static files at ``/``."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from .texts import languages

WEB = Path(__file__).parent / "web"
LANGUAGES = "texts/languages.json"
"""Where the page finds the list of catalogues."""


def add_page(app: FastAPI) -> None:
    """Serve the page's files for all paths that have no other route."""
    app.add_api_route(f"/{LANGUAGES}", languages, include_in_schema=False)
    app.mount("/", StaticFiles(directory=WEB, html=True), name="page")
