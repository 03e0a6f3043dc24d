"""The examples of docs/serving.md run, each against a real server."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser import CHROMIUM, browser
from tests.serving.servers import serving

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.S)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    database = tmp_path_factory.mktemp("docs") / "m.db"
    with serving("--game", "chicago", "--rate", "0", "--db", str(database)) as (found, _):
        yield found


def run(command, server, **more):
    environment = {**os.environ, "GANGLAND": server.url}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=300, **more
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_curl(server):
    if shutil.which("curl") is None:
        pytest.skip("there is no curl")
    (code,) = [block for block in blocks("sh") if "curl" in block]
    out = run(["sh", "-c", code], server)
    first, last = out[: out.index("}{") + 1], out[out.index("}{") + 1 :]
    assert json.loads(first)["decision"] == 0
    assert "Chicago Underworld" in json.loads(first)["text"]
    assert json.loads(last)["decision"] == 1


def test_python(server):
    match, position = blocks("py")
    out = run([sys.executable, "-c", match], server)
    assert "The match is over" in out
    assert "'place': 1" in out
    assert run([sys.executable, "-c", position], server).strip()


def transpiler():
    """What makes JavaScript of TypeScript here; needed in tests only."""
    own = ROOT / "examples" / "onnx_web" / "node_modules" / ".bin" / "esbuild"
    return str(own) if own.exists() else shutil.which("esbuild")


def test_typescript_in_a_browser(server, tmp_path):
    esbuild = transpiler()
    if esbuild is None:
        pytest.skip("there is no esbuild")
    pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("there is no chromium")
    (code,) = blocks("ts")
    source = tmp_path / "play.ts"
    source.write_text(code, encoding="utf-8")
    script = run([esbuild, str(source), "--format=esm"], server)
    with browser() as launched:
        # The page's own policy allows no scripts but the server's.
        page = launched.new_context(bypass_csp=True).new_page()
        page.goto(f"{server.url}/api/v1/schema")
        printed = []
        page.on("console", lambda message: printed.append(message.text))
        final = page.evaluate(
            """async ([script, server]) => {
                const url = URL.createObjectURL(new Blob([script], {type: "text/javascript"}));
                const {playMatch} = await import(url);
                return playMatch(server, (view) => view.legal[0]);
            }""",
            [script, server.url],
        )
    assert final["status"] == "finished"
    assert final["result"]["standings"][0]["place"] == 1
    assert any("The match is over" in text for text in printed)


def test_every_endpoint_is_documented():
    described = json.loads((ROOT / "docs" / "openapi.json").read_text(encoding="utf-8"))
    page = PAGE.replace("`.../return`", "/matches/{match}/return")
    for path in described["paths"]:
        assert path.removeprefix("/api/v1") in page, path
