"""The JavaScript client: its types, its own tests against a real server, its package, its example.

They need Node; nothing is downloaded. The check by ``tsc`` needs ``npm ci`` in ``clients/js``.
"""

from __future__ import annotations

import http.server
import importlib.util
import json
import os
import shutil
import subprocess
import tarfile
import threading
from functools import partial
from pathlib import Path

import pytest

from gangland import __version__
from tests.browser import NEEDED, browser
from tests.serving.servers import serving

ROOT = Path(__file__).resolve().parents[2]
CLIENT = ROOT / "clients" / "js"
NODE = shutil.which("node")
TSC = CLIENT / "node_modules" / ".bin" / "tsc"

needs_node = pytest.mark.skipif(NODE is None, reason="no node on this machine")
needs_npm = pytest.mark.skipif(shutil.which("npm") is None, reason="no npm on this machine")
needs_tsc = pytest.mark.skipif(not TSC.exists(), reason="no tsc: run npm ci in clients/js")


def run(*command, cwd=CLIENT, **variables):
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
    return done.stdout


class Files(http.server.SimpleHTTPRequestHandler):
    """The client's folder as a web server gives it out."""

    def log_message(self, *_):
        """Be quiet."""


@pytest.fixture(scope="module")
def page():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=CLIENT)) as web:
        threading.Thread(target=web.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{web.server_port}"
        web.shutdown()


@pytest.fixture(scope="module")
def server(page, tmp_path_factory):
    database = str(tmp_path_factory.mktemp("js") / "m.db")
    with serving("--game", "chicago", "--rate", "0", "--db", database, "--cors", page) as (made, _):
        yield made.url


@pytest.fixture(scope="module")
def generator():
    found = importlib.util.spec_from_file_location("generate_types", CLIENT / "generate_types.py")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_types_of_messages_are_up_to_date(generator):
    openapi = json.loads(generator.OPENAPI.read_text(encoding="utf-8"))
    made = generator.generate(openapi)
    assert made == generator.TARGET.read_text(encoding="utf-8"), (
        "run: python clients/js/generate_types.py"
    )
    openapi["components"]["schemas"]["View"]["properties"]["mood"] = {"type": "string"}
    assert generator.generate(openapi) != made


def test_the_socket_messages_are_the_protocols(generator):
    from gangland.serving.protocol import CLIENT_MESSAGE, SERVER_MESSAGE

    text = generator.TARGET.read_text(encoding="utf-8")
    for name, adapter in (("ClientMessage", CLIENT_MESSAGE), ("ServerMessage", SERVER_MESSAGE)):
        members = text.split(f"export type {name} =\n  | ")[1].split(";")[0].split("\n  | ")
        schema = adapter.json_schema()
        assert sorted(members) == sorted(
            str(part["$ref"]).rpartition("/")[2] for part in schema["oneOf"]
        )


def test_the_version_is_the_packages():
    assert json.loads((CLIENT / "package.json").read_text())["version"] == __version__


@needs_node
def test_in_node_against_a_real_server(server):
    known = run(NODE, "-p", "typeof WebSocket").strip() == "function"
    flags = [] if known else ["--experimental-websocket"]
    files = [str(path) for path in sorted((CLIENT / "test").glob("*.test.js"))]
    output = run(NODE, *flags, "--test", *files, GANGLAND=server)
    assert "# fail 0" in output or "ℹ fail 0" in output


@needs_tsc
def test_strict_types_and_declarations_are_up_to_date(tmp_path):
    run(str(TSC), "--outDir", str(tmp_path))
    made = {path.name: path.read_text() for path in tmp_path.glob("*.d.ts")}
    kept = {path.name: path.read_text() for path in (CLIENT / "types").glob("*.d.ts")}
    kept.pop("protocol.d.ts")
    assert made == kept, "run: npm run build"


CONSUMER = """
import { Gangland, type Seat } from "gangland-client";
import type { View } from "gangland-client/protocol";

export async function play(server: string): Promise<View> {
  const { seats } = await new Gangland(server).create({
    game: "chicago", seats: [{ kind: "human", name: "Ann" }, { kind: "bot" }],
  });
  const seat: Seat = seats[0]!;
  const live = seat.live({
    onview: (view) => {
      if (view.decision !== null) void live.act(view.decision, view.legal[0]!.id);
      if (view.status === "finished") live.close();
    },
  });
  // @ts-expect-error A seat is a person's, a bot's or open.
  await new Gangland(server).create({ game: "chicago", seats: [{ kind: "ghost" }] });
  // @ts-expect-error There is no such field.
  return (await seat.view({ wait: 1 })).mood;
}
"""


@needs_node
@needs_npm
def test_the_package_holds_what_it_needs(tmp_path):
    fresh = tmp_path / "clone"  # Nothing is installed in it, as the README has it.
    shutil.copytree(CLIENT, fresh, ignore=shutil.ignore_patterns("node_modules", "*.tgz"))
    run("npm", "pack", "--pack-destination", str(tmp_path), cwd=fresh)
    (package,) = tmp_path.glob("*.tgz")
    with tarfile.open(package) as archive:
        names = {name.removeprefix("package/") for name in archive.getnames()}
    wanted = {path.relative_to(CLIENT).as_posix() for path in (CLIENT / "src").glob("*.js")}
    wanted |= {path.relative_to(CLIENT).as_posix() for path in (CLIENT / "types").glob("*.d.ts")}
    assert names == wanted | {"package.json", "README.md", "LICENSE"}
    user = tmp_path / "user"
    user.mkdir()
    (user / "package.json").write_text('{"type": "module", "private": true}')
    run("npm", "install", "--offline", "--no-audit", "--no-fund", str(package), cwd=user)
    code = "import('gangland-client').then((m) => console.log(Object.keys(m).join()))"
    assert "Gangland,GanglandError" in run(NODE, "-e", code, cwd=user)
    if TSC.exists():
        (user / "play.ts").write_text(CONSUMER)
        flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022"]
        run(str(TSC), *flags, "--lib", "es2022,dom,dom.iterable", "play.ts", cwd=user)


@NEEDED
def test_a_page_of_an_origin_that_is_not_allowed_is_told_how_to_allow_it(page, server):
    pytest.importorskip("playwright.sync_api")
    other = page.replace("127.0.0.1", "localhost")
    with browser() as chromium:
        tab = chromium.new_page()
        tab.goto(f"{other}/example/index.html?server={server}")
        tab.wait_for_function(
            "() => document.getElementById('status').textContent.includes('reached')"
        )
        output = tab.inner_text("#status")
        assert output.startswith(f"{server.rstrip('/')} cannot be reached")
        assert output.endswith(f"gangland serve --cors {other}")


@NEEDED
@pytest.mark.slow
def test_the_example_plays_in_a_browser(page, server):
    pytest.importorskip("playwright.sync_api")
    with browser() as chromium:
        tab = chromium.new_page()
        problems = []
        tab.on("pageerror", lambda error: problems.append(str(error)))
        tab.goto(f"{page}/example/index.html?server={server}")
        tab.wait_for_selector("#actions button", timeout=60_000)
        assert tab.locator("#table svg").count() == 1
        match = tab.evaluate("location.hash")
        for _ in range(400):
            output = tab.inner_text("#status")
            if " wins with " in output:
                break
            tab.evaluate("document.querySelector('#actions button')?.click()")
            tab.wait_for_timeout(20)
            if len(problems) == 0 and tab.locator("#log li").count() == 12:
                tab.reload()  # goes on as the same seat
                tab.wait_for_selector("#actions button", timeout=60_000)
        assert " wins with " in output
        assert tab.evaluate("location.hash") == match
        assert problems == []
