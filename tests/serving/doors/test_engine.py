"""The engine, as a frontend meets it: a process and lines."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gangland.agents.decision import Decision
from gangland.agents.registry import make
from gangland.agents.search.ismcts import TreeSearchAgent
from gangland.agents.seeds import decision_seed, players_key
from gangland.envs import load
from gangland.envs.core.history import History
from gangland.serving.doors.engine import MAX_LINE, Engine
from tests.games import GAMES, TOY, bot_of

ROOT = Path(__file__).resolve().parents[3]
REGISTERED = [name for name in GAMES if name != TOY]


class Talk:
    """A conversation with an engine process."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gangland.cli", "engine", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def __call__(self, line):
        """All lines of the answer."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = []
        while True:
            read = self.process.stdout.readline()
            assert read, self.process.stderr.read()
            answer.append(read.rstrip("\n"))
            if answer[-1].split()[0] not in ("id", "option", "info"):
                return answer

    def last(self, line):
        return self(line)[-1]

    def end(self):
        if self.process.poll() is None:
            self.process.stdin.write("quit\n")
            self.process.stdin.close()
        return self.process.wait(20)


@pytest.fixture(scope="module", params=REGISTERED)
def talk(request):
    conversation = Talk("--game", request.param, "--bot", bot_of(request.param))
    conversation.game = load(request.param)
    conversation.bot = bot_of(request.param)
    yield conversation
    assert conversation.end() == 0


def test_hello_identifies_bot_and_game(talk):
    answer = talk("hello")
    game = talk.game
    assert f"id game {game.name} {game.rules_version}" in answer
    assert f"id bot {talk.bot}" in answer
    options = [json.loads(line.split(" ", 1)[1]) for line in answer if line.startswith("option ")]
    assert [option["name"] for option in options] == [option.name for option in game.options]
    assert answer[-1] == "hello ok gangland-engine/1"


def test_the_engine_plays_a_whole_game_like_its_bot(talk):
    """The frontend keeps the list of actions; the engine plays what the bot plays at home."""
    game, seed = talk.game, 11
    bot = make(talk.bot, game)
    state = game.new_state(seed)
    key = players_key(seed)
    assert talk.last(f"newgame seed {seed}").startswith("newgame ok seats ")
    actions = []
    while not game.is_over(state) and len(actions) < 60:
        where = talk.last("position actions " + " ".join(map(str, actions)))
        assert where == f"position ok ply {state.ply} seat {state.seat}"
        word, number, *notation = talk.last("go").split(" ")
        view = game.view(state, int(state.seat), decision_seed(key, state.ply, state.seat))
        assert (word, int(number)) == ("bestmove", bot.decide(view).action)
        assert " ".join(notation) == game.action_text(state, int(number))
        game.apply(state, int(number))
        actions.append(int(number))


def test_a_position_by_state_is_decided_from_what_the_seat_knows(talk):
    """The true record and the seat's view lead to the same decision, given the same seed."""
    game = talk.game
    state = game.new_state(5)
    rng = np.random.default_rng(0)
    bot = make(talk.bot, game)
    for seed in range(8):
        if game.is_over(state):
            break
        view = game.view(state, int(state.seat), seed)
        for position in (view.to_dict(), game.to_dict(state)):
            talk.last(f"position state {json.dumps(position)}")
            assert int(talk.last(f"go seed {seed}").split()[1]) == bot.decide(view).action
            shown = json.loads(talk.last("view").removeprefix("view ok "))
            assert shown == json.loads(json.dumps(view.to_dict()))
        game.apply(state, int(rng.choice(game.legal_actions(state))))


def test_legal_lists_every_action(talk):
    game = talk.game
    state = game.new_state(3)
    talk.last("newgame seed 3")
    listed = json.loads(talk.last("legal").removeprefix("legal ok "))
    assert [entry["id"] for entry in listed] == game.legal_actions(state)
    for entry in listed:
        assert entry["notation"] == game.action_text(state, entry["id"])
        assert entry["sentence"] == game.describe(state, entry["id"])


def test_a_posted_view_shows_no_other_seat(talk):
    game = talk.game
    state = game.new_state(3)
    seat = int(state.seat)
    talk.last(f"position state {json.dumps(game.view(state, seat).to_dict())}")
    other = (seat + 1) % game.num_seats(state)
    assert talk.last(f"view {other}").startswith("error ")
    posted = {**game.to_dict(state), "viewer": other}
    assert talk.last(f"position state {json.dumps(posted)}").startswith("error viewer=")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("jump", "no command 'jump'"),
        ("newgame seed -1", "must be a number 0.."),
        ("newgame seed 99999999999999999999", "must be a number"),
        ("newgame players", "NAME=VALUE"),
        ("newgame nonsense=1", "nonsense"),
        ("newgame players=99", "players"),
        ("position", "start, actions"),
        ("position actions x", "action 0 'x'"),
        ("position actions 100000", "action 0"),
        ("position state {", "not JSON"),
        ("position state []", "must be an object"),
        ('position state {"game": "tiddlywinks"}', "tiddlywinks"),
        ("go time soon", "must be a number"),
        ("go seed", "must be a number"),
        ("go away", "no 'away'"),
        ("view 77", "must be a number"),
    ],
)
def test_errors_name_the_cause_and_change_nothing(talk, line, words):
    talk.last("newgame seed 9")
    before = talk.last("view")
    answer = talk(line)
    assert len(answer) == 1
    assert answer[0].startswith("error ")
    assert words in answer[0]
    assert talk.last("view") == before
    assert talk.last("ping") == "ping ok"


def test_the_end_of_a_game_is_reported(talk):
    game = talk.game
    rng = np.random.default_rng(1)
    state = game.new_state(2)
    actions = []
    while not game.is_over(state):
        actions.append(int(rng.choice(game.legal_actions(state))))
        game.apply(state, actions[-1])
    talk.last("newgame seed 2")
    where = talk.last("position actions " + " ".join(map(str, actions)))
    assert where == f"position ok ply {state.ply} seat -1"
    assert talk.last("go") == "error the game is over, nobody decides"
    assert talk.last("legal").startswith("error the game is over")
    ended = json.loads(talk.last("view 0").removeprefix("view ok "))
    assert ended["fields"]["over"] == 1


def engine(game="chicago", spec="heuristic"):
    said = []
    return Engine(load(game), spec, said.append), said


def test_options_reach_the_game():
    talker, said = engine()
    talker.command("newgame seed 1 players=3")
    assert said[-1].startswith("newgame ok seats 3 ")


def test_thoughts_of_a_trained_bot_are_probabilities_and_a_chance():
    talker, said = engine(spec="ppo:chicago")
    talker.command("newgame seed 1")
    talker.command("go explain seed 4")
    thoughts = json.loads(said[-2].removeprefix("info "))
    legal = load("chicago").legal_actions(load("chicago").new_state(1))
    assert sorted(map(int, thoughts["probabilities"])) == legal
    assert sum(thoughts["probabilities"].values()) == pytest.approx(1)
    assert 0 < thoughts["chance"] < 1
    best = max(thoughts["probabilities"], key=thoughts["probabilities"].get)
    assert said[-1].startswith(f"bestmove {best} ")


def test_the_transcript_of_the_documentation_is_what_the_engine_says():
    page = (ROOT / "docs" / "engine.md").read_text()
    command = re.search(r"```sh\n(gangland engine .+)\n```", page)[1].split()
    named = dict(zip(command[2::2], command[3::2], strict=True))
    (transcript,) = re.findall(r"```text\n(> .+?)```", page, re.S)
    talker, said = engine(named["--game"], named["--bot"])
    expected = transcript.splitlines()
    for line in expected:
        if line.startswith("> "):
            said.append(line)
            talker.command(line.removeprefix("> "))
    assert len(said) == len(expected)
    for line, shown in zip(said, expected, strict=True):
        if shown.startswith("info "):
            assert rounded(json.loads(line.removeprefix("info "))) == json.loads(shown[5:])
        else:
            assert line == shown


def rounded(thoughts):
    probabilities = {key: round(share, 4) for key, share in thoughts["probabilities"].items()}
    return {"probabilities": probabilities, "chance": round(thoughts["chance"], 4)}


def test_time_goes_to_bots_that_can_use_it(monkeypatch):
    searched = []
    choose = TreeSearchAgent.choose

    def spy(agent, view):
        searched.append(agent.config)
        return choose(agent, view)

    monkeypatch.setattr(TreeSearchAgent, "choose", spy)
    for bot in ("heuristic", "ismcts:20?rollout=random"):
        talker, said = engine(spec=bot)
        talker.command("newgame seed 1")
        talker.command("go")
        talker.command("go time 50")
        assert said[-1].startswith("bestmove ")
    assert [(config.budget.seconds, config.rollout) for config in searched] == [
        (None, "random"),
        (0.05, "random"),
    ]


def test_a_failing_bot_is_an_error_not_the_end(monkeypatch):
    talker, said = engine()
    talker.command("newgame seed 1")

    def fail(view):
        raise RuntimeError("out of\nideas")

    monkeypatch.setattr(talker.agent, "decide", fail)
    assert talker.command("go")
    assert said[-1] == "error internal: RuntimeError: out of ideas"
    monkeypatch.setattr(talker.agent, "decide", lambda view: Decision(10_000))
    assert talker.command("go")
    assert said[-1].startswith("error chicago: agent heuristic chose action 10000")


def test_a_bot_that_remembers_is_shown_the_game_so_far(tmp_path):
    """It needs the actions that led to a position: a state alone has no history."""
    file = tmp_path / "grudge.py"
    file.write_text(
        "needs_history = True\n"
        "def act(view):\n"
        "    return view.legal_actions[len(view.history) % len(view.legal_actions)]\n"
    )
    talker, said = engine(spec=str(file))
    talker.command("newgame seed 1")
    game, played = talker.game, []
    state = game.new_state(1)
    start, lengths = game.clone(state), set()
    for _ in range(30):
        seat, legal = game.seat_to_act(state), game.legal_actions(state)
        talker.command("position start" if not played else f"position actions {join(played)}")
        talker.command("go seed 2")
        length = len(History.of(game, seat, start, played))
        assert int(said[-1].split()[1]) == legal[length % len(legal)]
        lengths.add(length % len(legal))
        played.append(legal[0])
        game.apply(state, legal[0])
    assert len(lengths) > 1
    view = game.view(state, game.seat_to_act(state))
    talker.command(f"position state {json.dumps(view.to_dict())}")
    talker.command("go")
    assert said[-1].startswith("error")
    assert "nobody took note of this game's history" in said[-1]


def join(actions):
    return " ".join(map(str, actions))


def test_long_lines_are_refused():
    talker, said = engine()
    assert talker.command("position actions " + "1 " * MAX_LINE)
    assert said[-1].startswith("error a line of ")


def test_prints_of_a_bot_do_not_reach_the_output(tmp_path):
    """The output belongs to the protocol; everything else goes to the error stream."""
    code = (
        "import sys, os\n"
        "from gangland.agents import registry\n"
        "from gangland.agents.baseline.random import RandomAgent\n"
        "class Chatty(RandomAgent):\n"
        "    def decide(self, view):\n"
        "        print('thinking aloud'); os.write(1, b'bestmove 3\\n')\n"
        "        return super().decide(view)\n"
        "registry.register('chatty', lambda text, game: Chatty(game), 'talks')\n"
        "from gangland.cli import main\n"
        "sys.argv = ['gangland', 'engine', '--bot', 'chatty']\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input="newgame seed 1\ngo seed 2\n",
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("bestmove ")
    assert "thinking aloud" in done.stderr


def test_a_wrong_bot_or_game_ends_with_one_clear_line():
    for arguments in (["--bot", "nobody"], ["--game", "tiddlywinks"]):
        done = subprocess.run(
            [sys.executable, "-m", "gangland.cli", "engine", *arguments],
            input="hello\n",
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2
        assert done.stdout == ""
        assert done.stderr.startswith("error: ")
        assert "Traceback" not in done.stderr
