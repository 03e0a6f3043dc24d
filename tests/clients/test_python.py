"""The Python client against a real server, with connections that break."""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("httpx")
pytest.importorskip("fastapi")

from gangland.client import OPEN, Client, ClientError, SeatTokens, bot, human
from gangland.client.live import pause
from gangland.envs.core.errors import MissingDependencyError
from gangland.serving.protocol import Clock, SeatToken
from tests.serving.servers import serving

ROOT = Path(__file__).resolve().parents[2]
TABLE = {"options": {"players": 2}}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    database = str(tmp_path_factory.mktemp("client") / "m.db")
    with serving("--game", "chicago", "--rate", "0", "--db", database) as (made, _):
        yield made.url


@pytest.fixture
def client(server):
    with Client(server) as made:
        yield made


class Proxy:
    """Passes connections on to a server; :meth:`cut` ends them all."""

    def __init__(self, url):
        self.target = url.rpartition("/")[2].split(":")
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        self.ends = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near = self.listening.accept()[0]
            except OSError:
                return
            far = socket.create_connection((self.target[0], int(self.target[1])))
            self.ends += [near, far]
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one, other):
        try:
            while data := one.recv(65536):
                other.sendall(data)
        except OSError:
            pass
        self._end(one)
        self._end(other)

    def _end(self, one):
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)

    def cut(self):
        ends, self.ends = self.ends, []
        for one in ends:
            self._end(one)


def test_games_rules_tables_and_bots_are_listed(client):
    assert [game.game for game in client.games().games] == ["chicago"]
    assert client.game("chicago").max_players == 6
    assert len(client.rules("chicago").sections) > 3
    assert len(client.table("chicago", {"players": 3}).roles) == 3
    assert client.leaderboard("chicago", limit=3).game == "chicago"
    (seat,) = client.create("chicago", [human("Ann"), bot("random")], **TABLE)
    view = seat.view(wait=20, state=True)
    answer = client.ask("chicago", bot="random", state=view.state)
    assert answer.action in [legal.id for legal in view.legal]
    seen = seat.view(observation=True).observation
    asked = {"bot": "ppo:chicago/bot", "legal": [legal.id for legal in view.legal], "seed": 1}
    answer = client.ask("chicago", observation=np.array(seen), **asked)
    assert answer == client.ask("chicago", observation=seen, **asked)


def test_a_match_over_http(client):
    clock = Clock(per_decision=600)
    (seat,) = client.create("chicago", [human("Ann"), bot("random")], clock=clock, **TABLE)
    final = seat.play(lambda view: view.legal[0])
    assert final.result.standings[0].place == 1
    assert client.match(seat.match).status == "finished"
    assert seat.match in [m.match for m in client.matches("chicago", status="finished").matches]
    assert client.replay(seat.match).replay["game"] == "chicago"
    assert seat.frame(0, viewer=1).viewer == 1


def test_a_match_over_http_goes_on_after_a_lost_answer(client, monkeypatch):
    whole, acted = client.connection._once, []

    def losing(method, path, **more):
        answer = whole(method, path, **more)
        if path.endswith("/actions"):
            acted.append(more["json"]["decision"])
            if len(acted) == 2:
                raise ClientError("unavailable", "the connection was lost")
        return answer

    (seat,) = client.create("chicago", [human("Ann"), bot("random")], **TABLE)
    monkeypatch.setattr(client.connection, "_once", losing)
    assert seat.play(lambda view: view.legal[0]).status == "finished"
    assert acted == list(range(len(acted)))


def test_a_live_match_goes_on_after_lost_connections(server):
    between = Proxy(server)
    with Client(between.url) as client:
        (seat,) = client.create("chicago", [human("Ann"), bot("random")], **TABLE)
        numbers, decisions = [], 0
        with seat.live(svg=False) as live:
            for view in live:
                numbers += [event.n for event in view.events]
                if view.decision is not None:
                    decisions += 1
                    if decisions in (2, 5):
                        between.cut()
                    live.act(view.decision, view.legal[0].id)
                    if decisions in (3, 6):
                        between.cut()
        assert view.status == "finished"
        assert numbers == list(range(len(numbers)))
        assert len(numbers) == view.next_event
    between.listening.close()


def test_hint_undo_leave_and_return(client):
    (seat,) = client.create("chicago", [human("Ann"), bot("random")], **TABLE)
    first = seat.view(wait=20)
    hint = seat.hint("random")
    assert hint.decision == first.decision
    seat.act(first.decision, hint.action.notation)
    assert any(event.kind == "undo" for event in seat.undo().events)
    assert seat.leave("random").away
    with pytest.raises(ClientError) as refused:
        seat.act(999, 0)
    assert refused.value.code in ("stale_decision", "not_your_turn", "conflict")


def test_talking_agreeing_to_end_conceding_and_rematches(client):
    ann, bob = client.create("chicago", [human("Ann"), human("Bob")], **TABLE)
    assert bob.say("hello").events[-1].text == "Bob says: Hello!"
    assert ann.end().seats[0].agrees
    assert not ann.end(agree=False).seats[0].agrees
    bob.end()
    assert ann.end().result.ending == "agreed"
    again = ann.rematch()
    assert (again.seat, bob.view().rematch.match) == (0, again.match)
    assert client.seat(again.match).token == ann.token
    assert again.view().status == "waiting"
    assert again.begin().status == "playing"
    assert again.concede().seats[0].conceded
    with pytest.raises(ClientError) as late:
        bob.rematch()
    assert late.value.code == "conflict"


def test_tokens_are_kept_in_a_file_of_ones_own(server, tmp_path):
    kept, three = tmp_path / "tokens.json", {"players": 3}
    with Client(server, tokens=kept) as client:
        (seat,) = client.create("chicago", [human("Ann"), OPEN, bot("random")], options=three)
        friend = Client(server).join(seat.match, "Bob")
        assert friend.seat == 1
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    with Client(server, tokens=kept) as again:
        assert again.seat(seat.match).view(svg=False).viewer == 0
        assert again.seat(seat.match, 1).view(svg=False).viewer is None
        again.tokens.forget(seat.match)
        assert again.seat(seat.match).view(svg=False).viewer is None
    assert json.loads(kept.read_text()) == []


def test_what_is_refused_is_an_error_with_the_protocols_code(client):
    with pytest.raises(ClientError) as missing:
        client.game("chess")
    assert (missing.value.code, missing.value.status) == ("not_found", 404)
    (seat,) = client.create("chicago", [human("Ann"), bot("random")], **TABLE)
    with seat.live() as live:
        views = iter(live)
        view = next(view for view in views if view.decision is not None)
        live.act(view.decision, 9999)
        with pytest.raises(ClientError) as illegal:
            list(views)
    assert illegal.value.code == "illegal_action"
    client.tokens.keep(SeatToken(match=seat.match, seat=0, token="wrong"))
    with pytest.raises(ClientError) as wrong:
        next(iter(client.seat(seat.match).live()))
    assert wrong.value.code == "unauthorized"
    with pytest.raises(ClientError) as nowhere:
        Client("http://127.0.0.1:9", retries=0).games()
    assert (nowhere.value.code, nowhere.value.status) == ("unavailable", 0)


def test_reading_is_repeated_while_a_server_is_busy(client, monkeypatch):
    whole, asked = client.connection._once, []

    def busy(method, path, **more):
        asked.append(method)
        if len(asked) % 3:
            raise ClientError("unavailable", "busy", status=503, retry_after=0.0)
        return whole(method, path, **more)

    monkeypatch.setattr(client.connection, "_once", busy)
    assert client.games().games
    assert asked == ["GET"] * 3
    with pytest.raises(ClientError):
        client.table("chicago")
    assert asked == ["GET"] * 3 + ["POST"]


def test_pauses_double_up_to_ten_seconds():
    assert [pause(tried, 1.0) for tried in (0, 1, 2, 10)] == [0.3, 0.6, 1.2, 10.0]
    assert pause(0, 0.0) == 0.15


def test_tokens_of_other_seats_of_a_match_stay():
    tokens = SeatTokens()
    for seat, token in ((1, "b"), (0, "a"), (1, "c")):
        tokens.keep(SeatToken(match="m", seat=seat, token=token))
    assert tokens.find("m").token == "a"
    assert tokens.find("m", 1).token == "c"
    assert tokens.find("n") is None


@pytest.mark.parametrize("missing", ["httpx", "websockets"])
def test_a_missing_library_is_named(monkeypatch, missing):
    client = Client("http://127.0.0.1:9")
    for name in [name for name in sys.modules if name.partition(".")[0] == missing]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(MissingDependencyError, match=missing):
        _ = Client("http://127.0.0.1:9") if missing == "httpx" else client.seat("m").live()


def test_the_example(server):
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "client" / "play.py"), server],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert "The match is over" in done.stdout
    assert "\n1 " in done.stdout


def test_the_example_in_the_docs(server):
    (code,) = re.findall(r"```py\n(.*?)```", (ROOT / "docs" / "clients.md").read_text(), re.S)
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "GANGLAND": server},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert "The match is over" in done.stdout
