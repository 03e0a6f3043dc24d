"""``gangland check-client``: good clients pass, and each fault is named."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")
pytest.importorskip("websockets")

ROOT = Path(__file__).resolve().parents[2]
NODE = shutil.which("node")

START = """
import json, os, sys, time
import httpx
import websockets
from websockets.sync.client import connect

path = f"/api/v1/matches/{os.environ['GANGLAND_MATCH']}"
token = os.environ["GANGLAND_TOKEN"]
http = httpx.Client(
    base_url=os.environ["GANGLAND"] + path,
    headers={"authorization": f"Bearer {token}"},
    timeout=60,
)
since = 0

def chosen(view):
    return {"decision": view["decision"], "action": view["legal"][0]["id"]}
"""
HTTP = f"""{START}
def look():
    while True:
        answer = http.get("/view", params={{"svg": False, "wait": 20, "since": since}})
        if answer.status_code not in (429, 503):
            return answer.json()
        time.sleep(int(answer.headers["retry-after"]))

view = look()
known = set(view)
while view["status"] != "finished":
    since = view["next_event"]
    if view["decision"] is not None:
        act = chosen(view)
        try:
            http.post("/actions", json=act, params={{"svg": False}}).raise_for_status()
        except httpx.TransportError:
            pass
    view = look()
"""
LIVE = f"""{START}
def play():
    global since
    with connect("ws" + os.environ["GANGLAND"].removeprefix("http") + path + "/ws") as socket:
        hello = {{"type": "hello", "token": token, "since": since, "svg": False}}
        socket.send(json.dumps(hello))
        while True:
            view = json.loads(socket.recv())
            if view["type"] != "view":
                continue
            since = view["next_event"]
            if view["status"] == "finished":
                sys.exit()
            if view["decision"] is not None:
                socket.send(json.dumps({{"type": "act", **chosen(view)}}))

while True:
    try:
        play()
    except websockets.ConnectionClosed:
        time.sleep(0.1)
"""
SEND = 'socket.send(json.dumps({"type": "act", **chosen(view)}))'
BOTH = LIVE.replace(SEND, "post(chosen(view))").replace(
    "def play():",
    """def post(act):
    try:
        http.post("/actions", json=act, params={"svg": False})
    except httpx.TransportError:
        pass

def play():""",
)
"""Views come over the WebSocket, actions go over HTTP."""

SEAT = """
import os
from gangland.client import Client
from gangland.client.seat import Seat

client = Client(os.environ["GANGLAND"])
seat = Seat(client.connection, os.environ["GANGLAND_MATCH"], os.environ["GANGLAND_TOKEN"])
"""
OURS_HTTP = f"{SEAT}seat.play(lambda view: view.legal[0])\n"
OURS_LIVE = f"""{SEAT}
with seat.live(svg=False) as live:
    for view in live:
        if view.decision is not None:
            live.act(view.decision, view.legal[0].id)
"""
OURS_JS = """
import { Gangland } from "PACKAGE";

const { GANGLAND, GANGLAND_MATCH: match, GANGLAND_TOKEN: token } = process.env;
const gangland = new Gangland(GANGLAND);
gangland.tokens.keep({ match, seat: Number(process.env.GANGLAND_SEAT), token });
const seat = gangland.seat(match);
await seat.view({ svg: false });
const live = seat.live(
  {
    onview(view) {
      if (view.status === "finished") live.close();
      else if (view.decision !== null) live.act(view.decision, view.legal[0].id).catch(() => {});
    },
  },
  { svg: false },
);
""".replace("PACKAGE", (ROOT / "clients" / "js" / "src" / "index.js").as_uri())

PLAYS = "plays the match to its end"
LEGAL = "sends legal actions, for decisions that it was shown"
TOKEN = "keeps its token out of addresses"
BUSY = "repeats a refused read, once Retry-After is over"
UNKNOWN = "ignores fields, kinds of events and messages that it does not know"
CUT = "connects again when cut off, and asks for the events after its last"
LOST = "goes on when the answer to an action is lost"
LATE = "goes on when the answer to an action is late"
ALL = [PLAYS, LEGAL, TOKEN, BUSY, UNKNOWN, CUT, LOST, LATE]
WHERE = {"LATE": "faults", "RETRY_AFTER": "observer", "RECONNECT": "observer"}


def check(*command, more=(), **constants):
    """The checks that failed, those that were not seen, and all that was said.

    The command runs in a process of its own: a server in this one would share its streams.

    Args:
        command: The client.
        more: Further options.
        constants: Other values of constants of ``faults`` and ``observer``.
    """
    program = [
        "import sys",
        "from gangland.serving.doors.check import faults, observer",
        *(f"{WHERE[name]}.{name} = {value!r}" for name, value in constants.items()),
        "from gangland.cli import main",
        "main()",
    ]
    options = ["--option", "players=2", *more]
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "\n".join(program),
            "check-client",
            *options,
            "--",
            *map(str, command),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    lines = done.stdout.splitlines()
    outcomes = {line[10:]: line[:8].strip() for line in lines if line[10:] in ALL}
    assert list(outcomes) == ALL, done.stdout
    failed, unseen = (
        {name for name in ALL if outcomes[name] == outcome} for outcome in ("failed", "not seen")
    )
    assert done.returncode == bool(failed), done.stdout
    return failed, unseen, done.stdout


def client(tmp_path, text, *changes):
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    program = tmp_path / "client.py"
    program.write_text(text)
    return sys.executable, program


@pytest.mark.parametrize(
    ("text", "unseen"),
    [(HTTP, {CUT}), (LIVE, {BUSY}), (BOTH, {BUSY}), (OURS_HTTP, {CUT}), (OURS_LIVE, {BUSY})],
    ids=["HTTP", "WebSocket", "both", "Seat.play", "Live"],
)
def test_clients_that_keep_the_protocol_pass(tmp_path, text, unseen):
    failed, not_seen, output = check(*client(tmp_path, text))
    assert failed == set(), output
    assert not_seen == unseen


@pytest.mark.skipif(NODE is None, reason="no node on this machine")
def test_the_javascript_client_passes(tmp_path):
    program = tmp_path / "client.mjs"
    program.write_text(OURS_JS)
    known = subprocess.run(
        [NODE, "-p", "typeof WebSocket"], capture_output=True, text=True, check=True
    )
    flags = [] if known.stdout.strip() == "function" else ["--experimental-websocket"]
    failed, not_seen, output = check(NODE, *flags, program)
    assert failed == not_seen == set(), output


STRICT = '    view = look()\n    assert set(view) == known, "unknown fields"\n'
KINDS = """    view = look()
    assert {event["kind"] for event in view["events"]} <= {"game", "seat", "clock", "undo", "end"}
"""


@pytest.mark.parametrize(
    ("text", "old", "new", "wanted", "said"),
    [
        (HTTP, '["id"]}', '["id"] + 10_000}', {PLAYS, LEGAL}, "decision 0: illegal_action: "),
        (HTTP, '"action": view["legal"][0]["id"]', '"move": 1', {PLAYS, LEGAL}, "bad_request"),
        (HTTP, "            pass", "            raise", {PLAYS, LOST}, "before the answer"),
        (
            HTTP,
            "            pass",
            '            act["decision"] += 1\n            http.post("/actions", json=act)',
            {LEGAL},
            "but was shown none after",
        ),
        (HTTP, "        time.sleep", "        sys.exit", {PLAYS, BUSY}, "refused with 503"),
        (HTTP, "    view = look()\n", STRICT, {PLAYS, UNKNOWN}, "was sent unknown_field"),
        (HTTP, "    view = look()\n", KINDS, {PLAYS, UNKNOWN}, "unknown_kind of an event"),
        (LIVE, " " * 16 + "continue", " " * 16 + "raise SystemExit(view)", {PLAYS, UNKNOWN},
         "or an unknown_message"),
        (HTTP, '"since": since}', '"since": since, "token": token}', {TOKEN}, "&token=TOKEN: "),
        (HTTP, 'view["status"] != "finished"', "not since", {PLAYS, UNKNOWN}, "code 0 after 1"),
        (HTTP, "view = look()\nk", 'view = look()\nhttp.post("/leave")\nk', {PLAYS}, "to a bot"),
        (HTTP, "view = look()\nk", 'view = look()\nhttp.post("/end")\nk', {PLAYS}, "agreed to end"),
        (LIVE, '"since": since', '"since": 0', {CUT}, "sent since 0; must be next_event"),
        (LIVE, '"since": since', '"since": since and since + 9', {CUT}, "must be next_event"),
        (LIVE, "        time.sleep(0.1)", "        raise", {PLAYS, CUT}, "its WebSocket was cut"),
    ],
    ids=[
        "an illegal action", "a message that is none", "a lost answer as the end",
        "a decision that nobody asked for", "no second try", "unknown fields refused",
        "unknown kinds refused", "unknown messages refused",
        "a token in an address", "one decision", "leaving", "agreeing to end", "all events again",
        "events left out", "no second connection",
    ],
)  # fmt: skip
def test_what_a_client_does_wrong_is_said(tmp_path, text, old, new, wanted, said):
    failed, _, output = check(*client(tmp_path, text, (old, new)), LATE=0.1)
    assert failed == wanted, output
    assert said in output


def test_a_client_that_asks_too_soon_is_named(tmp_path):
    hasty = ("        time.sleep", "        str")
    failed, _, output = check(*client(tmp_path, HTTP, hasty), RETRY_AFTER=600)
    assert failed == {BUSY}
    assert "it asked again 2 times before that" in output


def test_a_client_that_connects_too_late_is_named(tmp_path):
    failed, _, output = check(*client(tmp_path, LIVE), RECONNECT=0.05)
    assert failed == {CUT}
    assert "must take 0.05 at most" in output


def test_a_client_that_gives_up_waiting_is_named(tmp_path):
    patience = ("timeout=60", "timeout=8")
    lost_only = ("httpx.TransportError", "httpx.RemoteProtocolError")
    failed, _, output = check(*client(tmp_path, HTTP, patience, lost_only), LATE=600.0)
    assert failed == {PLAYS, LATE}, output
    assert "the answer to an action came late" in output


def test_the_time_is_limited(tmp_path):
    waiting = client(tmp_path, "import time; time.sleep(600)")
    failed, unseen, output = check(*waiting, more=["--seconds", "0.01"])
    assert failed == {PLAYS}
    assert unseen == {*ALL} - {PLAYS}
    assert "the time of 0.01 s was over after 0 accepted actions" in output


def test_a_command_that_is_not_there_is_named(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "gangland.cli", "check-client", "--", str(tmp_path / "nothing")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "nothing': No such file or directory" in done.stderr


def test_without_a_command_the_match_waits_until_it_is_interrupted():
    process = subprocess.Popen(
        [sys.executable, "-m", "gangland.cli", "check-client"], stdout=subprocess.PIPE, text=True
    )
    lines = [process.stdout.readline() for _ in range(4)]
    assert [line.partition("=")[0] for line in lines] == [
        "GANGLAND", "GANGLAND_MATCH", "GANGLAND_SEAT", "GANGLAND_TOKEN",
    ]  # fmt: skip
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=300)[0]
    assert process.returncode == 1
    assert f"  failed  {PLAYS}\n          interrupted after 0 accepted actions\n" in output
