"""A decision counts once: of equal requests one is accepted, and a kill loses nothing."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
import threading
import time
from collections import Counter

import httpx
import pytest

from gangland.envs import load
from gangland.envs.core.replay import Replay
from gangland.serving.settings import Limits, Settings
from tests.serving.client import BOT, HUMAN, Client, human
from tests.serving.servers import running, serving
from tests.toy.game import HighCard

# --- many equal requests at the same moment -------------------------------------------------------

POSTS = 50


async def race(url, match, token):
    """Answers to equal decisions, all of which are under way before one is answered."""
    limits = httpx.Limits(max_connections=POSTS)
    async with httpx.AsyncClient(base_url=url, limits=limits, timeout=60) as http:
        request = {
            "json": {"decision": 0, "action": 0},
            "headers": {"authorization": f"Bearer {token}"},
        }
        posts = (http.post(f"/api/v1/matches/{match}/actions", **request) for _ in range(POSTS))
        return await asyncio.gather(*posts)


@pytest.mark.parametrize("races", [3, pytest.param(24, marks=pytest.mark.slow)])
def test_of_fifty_equal_decisions_one_is_accepted(tmp_path, races):
    free = Limits(rate=0.0, connections_each=0)
    settings = Settings(f"sqlite:///{tmp_path / 'matches.db'}", limits=free)
    with running(settings) as (url, hub), httpx.Client(base_url=url, timeout=60) as http:
        client = Client(http)
        for _ in range(races):
            match, tokens = client.create(HighCard.name, [HUMAN, HUMAN, HUMAN])
            answers = asyncio.run(race(url, match, tokens[0]))
            assert Counter(answer.status_code for answer in answers) == {200: 1, 409: POSTS - 1}
            refused = {answer.json()["code"] for answer in answers if answer.status_code == 409}
            assert refused == {"stale_decision"}
            stored = hub.disk.storage.read(match)[1]
            assert len([entry for entry in stored if entry.seat == 0]) == 1


# --- a server that is killed in the middle of matches goes on where it stood ----------------------

MATCHES = 3


class Player(threading.Thread):
    """Plays its seat until the server is gone; remembers the last view that it was sent."""

    def __init__(self, url, match, token):
        super().__init__(daemon=True)
        self.url, self.match, self.token = url, match, token
        self.events = []
        self.last = None

    def run(self):
        with httpx.Client(base_url=self.url, timeout=30) as http:
            client = Client(http)
            try:
                self.note(client.view(self.match, self.token))
                while self.last["status"] != "finished":
                    view = self.last
                    more = {"since": len(self.events)}
                    if view["decision"] is None:
                        more |= {"after": view["version"], "wait": 5}
                        self.note(client.view(self.match, self.token, **more))
                        continue
                    choice = view["legal"][-1]["id"]
                    self.note(client.act(self.match, self.token, view["decision"], choice, **more))
            except httpx.HTTPError:
                return  # killed

    def note(self, view):
        self.events += view["events"]
        self.last = view


def test_nothing_is_lost_and_clocks_go_on_when_the_server_is_killed(tmp_path):
    arguments = ["--game", "chicago", "--rate", "0", "--db", str(tmp_path / "m.db")]
    players = []
    with serving(*arguments) as (server, client):
        for k in range(MATCHES):
            seats = [human(f"Person {k}"), *[BOT] * 4]
            match, tokens = client.create("chicago", seats)
            players.append(Player(server.url, match, tokens[0]))
        waiting, _ = client.create("chicago", [{"kind": "open"}, *[BOT] * 4])
        clock = {"per_decision": 2.0, "strikes": 1000}
        timed, late = client.create("chicago", [human("Ann"), *[BOT] * 4], clock=clock)
        client.asked(timed, late[0])
        for player in players:
            player.start()
        deadline = time.monotonic() + 60
        while min(len(player.events) for player in players) < 25:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        server.kill()
        for player in players:
            player.join(30)
            assert not player.is_alive()
    assert any(player.last["status"] == "playing" for player in players)
    with serving(*arguments) as (server, client):
        assert_the_clock_ran(tmp_path / "m.db", client, timed, late[0])
        assert client.get(f"/matches/{waiting}")["status"] == "waiting"
        seat = client.post(f"/matches/{waiting}/join", {"name": "Late"})
        assert client.view(waiting, seat["token"])["status"] == "playing"
        for player in players:
            now = client.view(player.match, player.token)
            assert now["version"] >= player.last["version"]
            assert now["events"][: len(player.events)] == player.events
            if now["version"] == player.last["version"]:
                assert now["legal"] == player.last["legal"]
                assert now["decision"] == player.last["decision"]
            final = client.play_out(player.match, {0: player.token})[0]
            assert final["events"][: len(player.events)] == player.events
            replay = client.get(f"/matches/{player.match}/replay")["replay"]
            Replay.read(json.dumps(replay)).verify(load("chicago"))
        rows = client.get("/leaderboard", game="chicago")["rows"]
        assert {row["player"] for row in rows} >= {f"Person {k}" for k in range(MATCHES)}
        assert all(row["matches"] == 1 for row in rows if not row["bot"])
        assert server.stop() == 0
        assert not any("Traceback" in line for line in server.errors), server.errors


def assert_the_clock_ran(file, client, match, token):
    """After a restart nobody has to look at a match for its clock to run."""
    late = "select count(*) from journal where match = ? and entry like '%clock%'"
    deadline = time.monotonic() + 60
    with contextlib.closing(sqlite3.connect(file)) as database:
        while not database.execute(late, (match,)).fetchone()[0]:
            assert time.monotonic() < deadline
            time.sleep(0.1)
    # Stored first, then shown: the view may be a moment behind.
    view = client.view(match, token)
    while not any(event["kind"] == "clock" for event in view["events"]):
        assert time.monotonic() < deadline, view
        view = client.view(match, token, after=view["version"], wait=1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--db", "/nowhere/at/all.db"], "the database cannot be opened"),
        (["--db", "dbase://x"], "the database cannot be opened"),
        (["--game", "chess"], "no game 'chess'"),
        (["--bot", "chicago=oracle"], "no agent 'oracle'"),
        (["--bot", "oracle"], "must be GAME=SPEC"),
    ],
)
def test_invalid_options_end_with_a_one_line_error(tmp_path, arguments, words, monkeypatch):
    from click.testing import CliRunner

    from gangland.cli import cli
    from gangland.envs.core.errors import GanglandError

    monkeypatch.chdir(tmp_path)
    more = [] if "--game" in arguments else ["--game", "chicago"]
    done = CliRunner().invoke(cli, ["serve", *more, *arguments])
    assert done.exit_code != 0
    said = done.output + str(done.exception)
    assert words in said
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        assert isinstance(done.exception, GanglandError)
