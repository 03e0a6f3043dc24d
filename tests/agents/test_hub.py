"""Checkpoints on the Hugging Face Hub: its real client, a small hub of our own, and its cache."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from gangland.agents.trained.hub import HubAddress, download
from gangland.agents.trained.model_file import CheckpointError
from gangland.agents.trained.policy import find_checkpoint
from tests.agents.servers import JsonHandler

pytest.importorskip("huggingface_hub", reason="needs gangland[hub]")

SHIPPED = find_checkpoint("chicago")
FILES = ("README.md", "model.json", "policy.safetensors")


class Hub:
    """As much of the Hub's HTTP interface as its client needs for one small model."""

    def __init__(self):
        self.files, self.asked, hub = {}, [], self

        class Handler(JsonHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                hub.asked.append(f"GET {self.path}")
                path = self.path.split("?")[0]
                if path.startswith("/api/models/org/bot"):
                    siblings = [{"rfilename": name} for name in hub.files]
                    tree = [
                        {"type": "file", "path": n, "size": len(d), "oid": hub.etag(n)}
                        for n, d in hub.files.items()
                    ]
                    facts = {"id": "org/bot", "sha": hub.commit, "siblings": siblings}
                    self.reply(tree if "/tree/" in path else facts)
                elif "/resolve/" in path:
                    self.file(path.split("/resolve/")[1].split("/", 1)[1])
                else:
                    self.send_error(404)

            def do_HEAD(self):
                self.file(self.path.split("/resolve/")[1].split("/", 1)[1])

            def do_POST(self):
                hub.asked.append(f"POST {self.path}")
                if self.headers.get("Transfer-Encoding") == "chunked":
                    data = b""
                    while size := int(self.rfile.readline(), 16):
                        data += self.rfile.read(size)
                        self.rfile.readline()
                    self.rfile.readline()
                else:
                    data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                if self.path == "/api/repos/create":
                    self.reply({"url": f"{hub.url}/org/bot", "id": "org/bot"})
                elif "/preupload/" in self.path:
                    files = [
                        {"path": f["path"], "uploadMode": "regular", "shouldIgnore": False}
                        for f in json.loads(data)["files"]
                    ]
                    self.reply({"files": files})
                elif "/commit/" in self.path:
                    for line in data.splitlines():
                        entry = json.loads(line)
                        if entry["key"] == "file":
                            content = base64.b64decode(entry["value"]["content"])
                            hub.files[entry["value"]["path"]] = content
                    answer = {"commitUrl": f"{hub.url}/org/bot/commit/{hub.commit}"}
                    self.reply(answer | {"commitOid": hub.commit, "success": True})
                else:
                    self.reply({})

            def file(self, name):
                hub.asked.append(f"{self.command} {name}")
                if name not in hub.files:
                    self.send_response(404)
                    self.send_header("X-Error-Code", "EntryNotFound")
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                self.send_response(200)
                self.send_header("ETag", f'"{hub.etag(name)}"')
                self.send_header("X-Repo-Commit", hub.commit)
                self.send_header("Content-Length", str(len(hub.files[name])))
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(hub.files[name])

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def etag(self, name):
        return hashlib.sha1(self.files[name]).hexdigest()

    @property
    def commit(self):
        named = sorted((name, self.etag(name)) for name in self.files)
        return hashlib.sha1(repr(named).encode()).hexdigest()


@pytest.fixture
def hub():
    made = Hub()
    yield made
    made.server.shutdown()
    made.server.server_close()


def gangland(tmp_path, *words, **variables):
    """A command, in a process of its own: the client reads its environment when it is imported."""
    environment = {
        **os.environ,
        "HF_HOME": str(tmp_path / "hf"),
        "HF_TOKEN": "hf_sesame",
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "COLUMNS": "200",
        **variables,
    }
    return subprocess.run(
        [sys.executable, "-m", "gangland.cli", *words],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_bot_goes_to_the_hub_and_comes_back(hub, tmp_path):
    trained = tmp_path / "trained"
    shutil.copytree(SHIPPED, trained)
    (trained / "trainer.pt").write_bytes(b"the state of the training")
    done = gangland(tmp_path, "hub", "push", str(trained), "hf://org/bot/v1", HF_ENDPOINT=hub.url)
    assert done.returncode == 0, done.stderr
    assert "/org/bot/commit/" in done.stdout
    assert set(hub.files) == {f"v1/{name}" for name in FILES}
    for name in FILES:
        assert hub.files[f"v1/{name}"] == (SHIPPED / name).read_bytes()

    words = ["hub", "pull", "hf://org/bot/v1", "--out", str(tmp_path / "bot")]
    done = gangland(tmp_path, *words, HF_ENDPOINT=hub.url)
    assert done.returncode == 0, done.stderr
    for name in FILES:
        assert (tmp_path / "bot" / name).read_bytes() == (SHIPPED / name).read_bytes()
    assert gangland(tmp_path, *words, HF_ENDPOINT=hub.url).returncode != 0  # it is there already

    # From now on from the cache alone.
    asked = len(hub.asked)
    table = "ppo:hf://org/bot/v1,random,random"
    arena = ["arena", "--table", table, "--games", "3", "--option", "players=3"]
    done = gangland(tmp_path, *arena, HF_ENDPOINT=hub.url, HF_HUB_OFFLINE="1")
    assert done.returncode == 0, done.stderr
    assert "ppo:hf://org/bot/v1" in done.stdout
    assert len(hub.asked) == asked
    done = gangland(tmp_path, "hub", "pull", "hf://org/other", "--out", "x", HF_HUB_OFFLINE="1")
    assert done.returncode != 0
    assert "hf://org/other cannot be downloaded" in done.stderr


@pytest.mark.parametrize(
    "words", [["push", "chicago", "hf://org/bot"], ["pull", "hf://org/bot", "--out", "x"]]
)
def test_a_hub_that_cannot_be_reached_is_one_clear_line(tmp_path, words):
    done = gangland(tmp_path, "hub", *words, HF_ENDPOINT="http://127.0.0.1:9")
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    error = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert len(error) == 1
    assert "hf://org/bot cannot be" in error[0]


def cached(home: Path, damage=None):
    """A bot in the client's cache, as a download leaves it."""
    root = home / "hf" / "hub" / "models--org--bot"
    commit = "0" * 40
    (root / "refs").mkdir(parents=True)
    (root / "refs" / "main").write_text(commit)
    folder = root / "snapshots" / commit
    folder.mkdir(parents=True)
    for name in FILES:
        data = (SHIPPED / name).read_bytes()
        (folder / name).write_bytes(damage(name, data) if damage else data)


def with_a_command(name, data):
    if name != "model.json":
        return data
    model = json.loads(data)
    model["command"] = "cmd:touch FILE"
    return json.dumps(model).encode()


DAMAGED = {
    "command": (with_a_command, "unknown key 'command'"),
    "weights": (lambda name, data: data[:-9] if name == "policy.safetensors" else data, "policy"),
    "no model": (lambda name, data: b"{" if name == "model.json" else data, "model.json"),
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_what_comes_from_the_hub_is_checked_like_every_checkpoint(tmp_path, kind):
    damage, words = DAMAGED[kind]
    cached(tmp_path, damage)
    pulled = ["hub", "pull", "hf://org/bot", "--out", str(tmp_path / "out")]
    arena = ["arena", "--table", "ppo:hf://org/bot,random", "--option", "players=2"]
    for command in (pulled, arena) if kind == "command" else (pulled,):
        done = gangland(tmp_path, *command, HF_HUB_OFFLINE="1")
        assert done.returncode != 0
        assert words in done.stderr, done.stderr
        assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.slow  # the first test ends so
def test_a_bot_of_the_cache_plays_without_a_network(tmp_path):
    cached(tmp_path)
    arena = ["arena", "--table", "ppo:hf://org/bot,random", "--games", "2", "--option", "players=2"]
    done = gangland(tmp_path, *arena, HF_HUB_OFFLINE="1")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("hf://org/name", ("org/name", None, "")),
        ("hf://org/name/", ("org/name", None, "")),
        ("hf://org/na-me.1@v2/chicago/bot", ("org/na-me.1", "v2", "chicago/bot")),
    ],
)
def test_addresses(text, parts):
    address = HubAddress.parse(text)
    assert (address.repository, address.revision, address.folder) == parts


@pytest.mark.parametrize(
    "text",
    ["hf://", "hf://org", "hf://org/name/../x", "hf://org/..", "hf:///x/y", "hf://org/name@", "x"],
)
def test_bad_addresses_are_named(text):
    with pytest.raises(CheckpointError, match="must be hf://ORG/NAME"):
        HubAddress.parse(text)
    with pytest.raises(CheckpointError, match="must be hf://ORG/NAME"):
        download(text)


def test_without_the_library_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(Exception, match=r"gangland\[hub\]"):
        find_checkpoint("hf://org/name")
