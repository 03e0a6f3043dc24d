"""The browser example: the exported network decides in the page as it does in Python.

Needs a Chromium, Node and the example's packages (``npm ci`` in ``examples/onnx_web``); nothing is
downloaded here.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api")
pytest.importorskip("onnx")

from tests.browser import NEEDED, browser, new_page

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "onnx_web"
POSITIONS = 60

pytestmark = [
    NEEDED,
    pytest.mark.skipif(shutil.which("node") is None, reason="no Node on this machine"),
    pytest.mark.skipif(
        not (EXAMPLE / "node_modules").is_dir(), reason="npm ci has not run in examples/onnx_web"
    ),
]


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The built example, served."""
    folder = tmp_path_factory.mktemp("onnx_web")
    for name in ("build.mjs", "index.html", "main.js", "style.css", "package.json"):
        shutil.copy(EXAMPLE / name, folder)
    (folder / "node_modules").symlink_to(EXAMPLE / "node_modules")
    subprocess.run(["node", "build.mjs"], cwd=folder, check=True)
    prepare = [sys.executable, str(EXAMPLE / "prepare.py"), "--positions", str(POSITIONS)]
    subprocess.run(prepare, cwd=folder, check=True)
    handler = partial(Quiet, directory=str(folder / "dist"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_the_network_decides_in_the_page_as_in_python(address):
    with browser() as chromium:
        page = new_page(chromium)
        wrong, strangers = [], []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda m: wrong.append(m.text) if m.type == "error" else None)
        page.on(
            "request",
            lambda r: (
                None
                if r.url.startswith((address, "data:", f"blob:{address}"))
                else strangers.append(r.url)
            ),
        )
        page.goto(address)
        page.wait_for_selector("#check:has-text('the same as in Python')")
        same = page.locator("#check").inner_text()
        assert same == f"{POSITIONS} of {POSITIONS} decisions are the same as in Python."
        page.locator("#choices button").first.click()
        page.wait_for_selector("#choices button.best")
        page.click("#next")
        page.wait_for_selector("#choices button:not(:disabled)")
        assert wrong == []
        assert strangers == []
