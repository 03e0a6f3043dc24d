"""Bots that live elsewhere play the games that they play at home."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from gangland.agents.outside import remote
from gangland.agents.outside.checks import positions
from gangland.agents.outside.remote import EngineAgent, EngineClient, HttpAgent, RemoteAgentError
from gangland.agents.registry import make
from gangland.arena import play_table
from gangland.envs import load
from gangland.envs.core.errors import GanglandError, IllegalActionError
from gangland.envs.core.history import History
from gangland.envs.core.view import NoHistoryError, View
from tests.games import GAMES, TOY, bot_of, slow_but

httpx = pytest.importorskip("httpx")


def command(game, bot):
    words = [sys.executable, "-m", "gangland.cli", "engine", "--game", game, "--bot", bot]
    return shlex.join(words)


GAMES_PLAYED = 2


def games_of(game, table, **arguments):
    result = play_table(game, table, GAMES_PLAYED, seed=3, replays=True, **arguments)
    return [replay.actions for replay in result.records.replays]


@pytest.mark.parametrize(
    ("game", "first"),
    slow_but(
        {("chicago", True), ("gangsters", True)},
        product([name for name in GAMES if name != TOY], (True, False)),
    ),
)
def test_an_engine_plays_the_same_games_as_the_bot_itself(game, first):
    seats = load(game).num_players(load(game).options.resolve({}))
    # Two of a kind would be one player to the arena, and deal the seats otherwise.
    strong = "ismcts:4?rollout=random" if bot_of(game) == "random" else bot_of(game)
    bot, other = (strong, "random") if first else ("random", strong)
    others = [other] * (seats - 1)
    local = games_of(game, [bot, *others])
    assert len(local) >= GAMES_PLAYED
    assert games_of(game, [f"cmd:{command(game, bot)}", *others]) == local


def test_an_engine_with_a_network_plays_the_same_games_from_two_threads():
    table = ["ppo:chicago?temperature=1", *["heuristic"] * 4]
    away = [f"cmd:{command('chicago', table[0])}", *table[1:]]
    assert games_of("chicago", away, workers=2) == games_of("chicago", table)


def script(tmp_path, body):
    """An engine of one's own: ``reply(line)`` gives the answer to a line."""
    file = tmp_path / "engine.py"
    file.write_text(
        "import sys, time, json\n"
        f"{body}\n"
        "for line in sys.stdin:\n"
        "    line = line.strip()\n"
        "    if line == 'quit': break\n"
        "    print(reply(line), flush=True)\n"
    )
    return shlex.join([sys.executable, str(file)])


POLITE = (
    "def reply(line):\n"
    "    if line == 'hello':\n"
    "        return 'id game chicago 2\\nhello ok gangland-engine/1'\n"
    "    if line.startswith('position'): return 'position ok'\n"
    "    return {go}\n"
)


def deciding(game, seed=1):
    state = game.new_state(seed)
    return game.view(state, int(state.seat), 5)


def test_an_engine_in_any_language_needs_five_commands(tmp_path):
    """The least that an engine has to answer: hello, position, go."""
    game = load("chicago")
    first = deciding(game).legal_actions[0]
    go = f"'info whatever it likes\\nbestmove {first} and a remark'"
    agent = make(f"cmd:{script(tmp_path, POLITE.format(go=go))}", game)
    assert agent.decide(deciding(game)).action == first


@pytest.mark.parametrize(
    ("go", "error", "words"),
    [
        ("'bestmove 65000'", IllegalActionError, "chose action 65000"),
        ("'bestmove many'", RemoteAgentError, "must be 'bestmove NUMBER'"),
        ("'error no idea'", RemoteAgentError, "no idea"),
        ("sys.exit('tired of it')", RemoteAgentError, "exit code 1: tired of it"),
    ],
)
def test_misbehaving_engines_are_named(tmp_path, go, error, words):
    game = load("chicago")
    agent = make(f"cmd:{script(tmp_path, POLITE.format(go=go))}", game)
    with pytest.raises(error, match=words):
        agent.decide(deciding(game))


def test_the_last_words_of_an_engine_are_waited_for(tmp_path, monkeypatch):
    """They are read by a thread of its own, which may come late on a busy machine."""
    read = remote._read_complaints

    def late(stream, complaints):
        time.sleep(0.5)
        read(stream, complaints)

    monkeypatch.setattr(remote, "_read_complaints", late)
    words = shlex.split(script(tmp_path, POLITE.format(go="sys.exit('tired of it')")))
    client = EngineClient(words)
    with pytest.raises(RemoteAgentError, match="exit code 1: tired of it"):
        client.ask("go")


def test_a_silent_engine_times_out(tmp_path):
    words = shlex.split(script(tmp_path, POLITE.format(go="time.sleep(60)")))
    client = EngineClient(words, answer_seconds=0.5)
    started = time.monotonic()
    with pytest.raises(RemoteAgentError, match=r"no answer within 0\.5 s"):
        client.ask("go")
    assert time.monotonic() - started < 10
    with pytest.raises(RemoteAgentError):
        client.ask("ping")


@pytest.mark.parametrize(
    ("go", "words"),
    [
        ("sys.stdout.write('x' * 10**6) and ''", "line of more than 65,536 characters"),
        ("[print('info more') for _ in range(10**9)]", r"no answer within 1 s"),
    ],
)
def test_an_engine_that_never_stops_talking_is_ended(tmp_path, go, words):
    client = EngineClient(shlex.split(script(tmp_path, POLITE.format(go=go))), answer_seconds=1.0)
    with pytest.raises(RemoteAgentError, match=words):
        client.ask("go")
    assert client._lines.qsize() <= remote.MOST_LINES
    with pytest.raises(RemoteAgentError):
        client.ask("ping")


def test_engines_for_another_game_or_protocol_are_refused(tmp_path):
    game = load("chicago")
    other = "def reply(line): return 'id game poker 1\\nhello ok gangland-engine/1'"
    with pytest.raises(RemoteAgentError, match="plays poker 1, must play chicago 2"):
        make(f"cmd:{script(tmp_path, other)}", game)
    later = "def reply(line): return 'hello ok gangland-engine/9'"
    with pytest.raises(RemoteAgentError, match="gangland-engine/9"):
        make(f"cmd:{script(tmp_path, later)}", game)
    with pytest.raises(RemoteAgentError, match="cannot be started"):
        make("cmd:/no/such/program", game)
    with pytest.raises(RemoteAgentError, match="needs a command"):
        make("cmd:", game)


def test_the_process_is_stopped_with_its_agent(tmp_path):
    agent = EngineAgent(load("chicago"), script(tmp_path, POLITE.format(go="''")))
    process = agent._engine._process
    assert process.poll() is None
    del agent
    assert process.wait(10) == 0


# --- web addresses --------------------------------------------------------------------------------


@pytest.fixture
def endpoint():
    """A server that answers with ``reply(path, body)``: status and text."""
    state = {"reply": None, "asked": []}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state["asked"].append(body)
            status, text = state["reply"](self.path, body)
            data = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    state["url"] = f"http://127.0.0.1:{server.server_port}"
    yield state
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["heuristic", pytest.param("random", marks=pytest.mark.slow)])
def test_a_web_bot_plays_the_same_games_as_the_bot_itself(endpoint, bot):
    game = load("chicago")
    agent = make(bot, game)

    def reply(path, body):
        state = dict(body["state"])
        seat = state.pop("viewer")
        view = View(game, game.from_dict(state), seat, body["seed"])
        return 200, json.dumps({"type": "bot", "action": agent.decide(view).action})

    endpoint["reply"] = reply
    others = [{"heuristic": "random", "random": "heuristic"}[bot]] * 4
    away = games_of("chicago", [f"{endpoint['url']}/bots/it?bot={bot}", *others])
    assert away == games_of("chicago", [bot, *others])


def test_a_web_bot_is_sent_only_what_its_seat_knows(endpoint):
    game = load("chicago")
    state = game.new_state(4)
    view = game.view(state, int(state.seat), 2**64 - 1)
    action = view.legal_actions[-1]
    endpoint["reply"] = lambda path, body: (200, json.dumps({"action": action}))
    assert make(endpoint["url"], game).decide(view).action == action
    (body,) = endpoint["asked"]
    assert body["seed"] == 2**64 - 1
    sent = {key: value for key, value in body["state"].items() if key != "legal"}
    assert sent == json.loads(json.dumps(view.to_dict()))
    assert body["state"]["fields"]["rng"] == "0x0000000000000000"


@pytest.mark.parametrize(
    ("status", "text", "error", "words"),
    [
        (200, '{"action": 65000}', IllegalActionError, "chose action 65000"),
        (200, '{"action": "end"}', RemoteAgentError, "must be an integer"),
        (200, '{"action": true}', RemoteAgentError, "must be an integer"),
        (200, "[]", RemoteAgentError, "must be an integer"),
        (200, "<html>", RemoteAgentError, "no JSON"),
        (422, '{"message": "no bot"}', RemoteAgentError, "status 422 no bot"),
        (503, "busy", RemoteAgentError, "status 503"),
    ],
)
def test_misbehaving_web_bots_are_named(endpoint, status, text, error, words):
    game = load("chicago")
    endpoint["reply"] = lambda path, body: (status, text)
    with pytest.raises(error, match=words):
        make(endpoint["url"], game).decide(deciding(game))


def test_unreachable_addresses_are_named():
    game = load("chicago")
    agent = make("http://127.0.0.1:1/bots/it", game)
    with pytest.raises(RemoteAgentError, match=r"http://127\.0\.0\.1:1/bots/it"):
        agent.decide(deciding(game))
    for spec in ("http:", "http://", "https:///bots"):
        with pytest.raises(RemoteAgentError):
            make(spec, game)


def test_a_slow_web_bot_times_out(endpoint):
    def reply(path, body):
        time.sleep(2)
        return 200, '{"action": 0}'

    endpoint["reply"] = reply
    agent = HttpAgent(load("chicago"), endpoint["url"], seconds=0.3)
    with pytest.raises(RemoteAgentError, match=endpoint["url"]):
        agent.decide(deciding(load("chicago")))


def test_a_missing_httpx_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(GanglandError, match="gangland\\[remote\\]"):
        HttpAgent(load("chicago"), "http://127.0.0.1:1")


def test_remote_specs_are_listed():
    from gangland.agents.registry import KINDS

    assert {"cmd", "http", "https"} <= set(KINDS)
    assert remote.ENGINE_PROTOCOL == "gangland-engine/1"


def test_served_bots_play_the_same_games_as_local_ones(tmp_path):
    """The stateless endpoint of ``gangland serve``, asked over the wire."""
    pytest.importorskip("fastapi")
    from gangland.serving.settings import Limits, Settings
    from tests.serving.servers import live

    settings = Settings(f"sqlite:///{tmp_path / 'm.db'}", games=("chicago",), limits=Limits(rate=0))
    others = ["random"] * 4
    with live(settings) as url:
        for bot in ("heuristic", "ppo:chicago/bot"):
            away = games_of("chicago", [f"{url}/api/v1/bots/chicago?bot={bot}", *others])
            assert away == games_of("chicago", [bot, *others])
        with pytest.raises(RemoteAgentError, match="status 422 no bot"):
            games_of("chicago", [f"{url}/api/v1/bots/chicago?bot=cmd:true", *others])


RUNS = {"python": ("bot.py", sys.executable), "js": ("bot.js", shutil.which("node"))}


@pytest.mark.parametrize("language", RUNS)
def test_the_documentations_engine_plays_whole_games(tmp_path, language):
    page = (Path(__file__).resolve().parents[3] / "docs" / "engine.md").read_text(encoding="utf-8")
    blocks = re.findall(rf"```{language}\n(.*?)```", page, re.S)
    (code,) = [block for block in blocks if "stdin" in block]
    name, program = RUNS[language]
    if program is None:
        pytest.skip(f"there is nothing to run {name} with")
    (tmp_path / name).write_text(code, encoding="utf-8")
    spec = f"cmd:{shlex.join([program, str(tmp_path / name)])}"
    played = games_of("chicago", [spec, *["random"] * 4])
    assert len(played) >= GAMES_PLAYED


@pytest.mark.parametrize("name", [name for name in GAMES if name != TOY])
def test_bots_are_sent_what_is_legal_and_on_request_what_a_network_sees(endpoint, tmp_path, name):
    game = load(name)
    view = deciding(game)
    action = view.legal_actions[-1]
    legal = [{"id": a, "notation": view.action_text(a)} for a in view.legal_actions]
    file = tmp_path / "position.json"
    wanting = (
        "def reply(line):\n"
        "    if line == 'hello':\n"
        f"        return 'id game {name} {game.rules_version}\\nid wants observation\\n'"
        " 'hello ok gangland-engine/1'\n"
        "    if line.startswith('position'):\n"
        f"        open({str(file)!r}, 'w').write(line.removeprefix('position state '))\n"
        "        return 'position ok'\n"
        f"    return 'bestmove {action}'\n"
    )
    assert make(f"cmd:{script(tmp_path, wanting)}", game).decide(view).action == action
    endpoint["reply"] = lambda path, body: (200, json.dumps({"action": action}))
    for url in (endpoint["url"], f"{endpoint['url']}/bot?x=1#observation"):
        assert make(url, game).decide(view).action == action
    plain, seen = (body["state"] for body in endpoint["asked"])
    assert seen == json.loads(file.read_text())
    assert plain == {**json.loads(json.dumps(view.to_dict())), "legal": legal}
    assert {key: seen[key] for key in plain} == plain
    assert np.array_equal(np.array(seen["observation"], np.float32), view.observation)
    assert np.array_equal(seen["action_mask"], view.action_mask)
    # What a bot is sent can be sent on to an engine or a server of this package.
    assert game.from_dict(seen).tobytes() == view.known.tobytes()


def test_bots_are_sent_the_game_so_far_on_request(endpoint, tmp_path):
    """In any number of games at a time: the history is all that tells one from another."""
    game = load("chicago")
    file = tmp_path / "positions.jsonl"
    remembers = (
        "def reply(line):\n"
        "    global position\n"
        "    if line == 'hello':\n"
        "        return 'id game chicago 2\\nid wants history observation\\n'"
        " 'hello ok gangland-engine/1'\n"
        "    if line.startswith('position'):\n"
        "        position = json.loads(line.removeprefix('position state '))\n"
        f"        print(json.dumps(position), file=open({str(file)!r}, 'a'))\n"
        "        return 'position ok'\n"
        '    return f\'bestmove {position["legal"][0]["id"]}\'\n'
    )
    spec = f"cmd:{script(tmp_path, remembers)}"
    played = play_table(game, [spec, *["random"] * 4], 5, seed=3, replays=True).records.replays
    sent = [json.loads(line) for line in file.read_text().splitlines()]
    expected = []
    for replay in played:
        state = game.new_state(replay.seed, **replay.options)
        start = game.clone(state)
        for ply, action in enumerate(replay.actions):
            seat = game.seat_to_act(state)
            if replay.players[seat] == spec:
                past = History.of(game, seat, start, replay.actions[:ply])
                pairs = zip(past.actions, past.sentences, strict=True)
                expected.append([[own, *lines] for own, lines in pairs])
            game.apply(state, action)
    assert len(expected) > 50
    found = [[[one["action"], *one["sentences"]] for one in each["history"]] for each in sent]
    assert sorted(map(repr, found)) == sorted(map(repr, expected))
    assert all("observation" in each for each in sent)

    view = positions(game, 1, seed=1)[-1]
    endpoint["reply"] = lambda path, body: (200, json.dumps({"action": view.legal_actions[0]}))
    for wants in ("history", "history,observation"):
        agent = make(f"{endpoint['url']}#{wants}", game)
        assert agent.needs_history
        agent.decide(view)
    last, more = (body["state"] for body in endpoint["asked"])
    assert [tuple(each["sentences"]) for each in last["history"]] == [*view.history.sentences]
    assert {*more} - {*last} == {"observation", "action_mask"}
    with pytest.raises(NoHistoryError, match="nobody took note"):
        agent.decide(deciding(game))


def test_a_bot_that_wants_what_there_is_not_is_named(endpoint, tmp_path):
    game = load("chicago")
    odd = POLITE.replace("hello ok", "id wants rubies\\nhello ok")
    for spec in (f"cmd:{script(tmp_path, odd.format(go='0'))}", endpoint["url"] + "#rubies"):
        with pytest.raises(RemoteAgentError, match="wants 'rubies'; there are 'observation', 'h"):
            make(spec, game).decide(deciding(game))
