"""A bot in one Python file plays like any other agent, and its mistakes are named."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from click.testing import CliRunner

from gangland.agents.outside.bot_file import BotFileError
from gangland.agents.registry import UnknownAgentError, make, make_built_in
from gangland.arena import play_table
from gangland.cli import cli
from gangland.commands import play
from gangland.envs import load
from tests.games import TOY

GAME = load(TOY)
ACT = "def act(view):\n"


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def written(text, name="mine.py"):
        Path(name).write_text(text)
        return name

    return written


def asked(path):
    view = GAME.view(GAME.new_state(1), int(GAME.new_state(1).seat), seed=5)
    return make(path, GAME).decide(view)


def test_it_plays_wherever_a_spec_is_accepted(write):
    path = write("def act(view):\n    return view.legal_actions[-1]\n")
    assert make(path, GAME).spec == path
    result = play_table(TOY, [path, *["random"] * 2], games=21, seed=1)
    assert result.of(path).games == 21
    again = play_table(TOY, [f"py:{path}", *["random"] * 2], games=21, seed=1, workers=2)
    assert again.of(f"py:{path}").win == result.of(path).win
    assert pickle.loads(pickle.dumps(make(path, GAME))).spec == path


def test_it_may_import_what_lies_beside_it_and_return_a_decision(write):
    write("FIRST = 0\n", "beside_it.py")
    text = "from beside_it import FIRST\nfrom gangland.agents import Decision\n"
    path = write(f"{text}def act(view):\n    return Decision(view.legal_actions[FIRST])\n", "a.py")
    assert asked(path).action == GAME.view(GAME.new_state(1), 0, seed=5).legal_actions[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "def act(view):\n    x = 1\n    return view.nothing\n",
            r"mine\.py:3: AttributeError: .*nothing",
        ),
        (
            "def act(view):\n    return None\n",
            r"mine\.py:1: act returned None: must be one of .*here \d",
        ),
        (
            "def act(view):\n    return 10**9\n",
            r"mine\.py:1: act returned 1000000000: must be one of",
        ),
        ("def act(view):\n    return 'pass'\n", r"mine\.py:1: act returned 'pass': must be one of"),
        ("def act(view):\n    exit('stop')\n", r"mine\.py:2: SystemExit: stop"),
        ("exit(3)\n", r"mine\.py:1: SystemExit: 3"),
        ("act = lambda view: 10**9\n", r"mine\.py:1: act returned"),
        ("from functools import partial\nact = partial(int, 10**9)\n", r"mine\.py: TypeError"),
        ("import nothing_at_all\n", r"mine\.py:1: ModuleNotFoundError: .*nothing_at_all"),
        ("def act(view)\n", r"mine\.py:1: SyntaxError: expected ':'$"),
        ("def decide(view): ...\n", r"mine\.py: has no function act\(view\)"),
        ("act = 3\n", r"mine\.py: has no function act\(view\)"),
    ],
)
def test_mistakes_name_the_file_and_the_line(write, text, message):
    with pytest.raises(BotFileError, match=message) as refused:
        asked(write(text))
    assert len(str(refused.value).splitlines()) == 1


def test_a_mistake_is_found_from_another_folder_too(write, tmp_path, monkeypatch):
    agent = make(write(ACT + "    return view.nothing\n"), GAME)
    monkeypatch.chdir(tmp_path.parent)
    view = GAME.view(GAME.new_state(1), int(GAME.new_state(1).seat), seed=5)
    with pytest.raises(BotFileError, match=r"^mine\.py:2: AttributeError"):
        agent.decide(view)


def test_a_mistake_in_another_file_is_not_placed_in_the_bot(write, tmp_path):
    (tmp_path / "beside.py").write_text("\n\n\ndef oops(\n")
    with pytest.raises(BotFileError, match=r"mine\.py:1: SyntaxError: .*beside\.py, line 4"):
        asked(write("import beside\n" + ACT + "    return 0\n"))


def test_a_name_without_its_ending_is_recognised(write):
    path = write(ACT + "    return 0\n")
    with pytest.raises(UnknownAgentError, match=rf"is {path} meant\?"):
        make(path.removesuffix(".py"), GAME)
    with pytest.raises(UnknownAgentError, match="must be one of"):
        make("x" * 5000, GAME)


def test_a_file_that_is_not_there_is_named(write):
    with pytest.raises(BotFileError, match=r"nowhere\.py: there is no such file"):
        make("nowhere.py", GAME)


def test_no_file_may_name_one(write):
    path = write("raise SystemExit('ran')\n")
    for spec in (path, f"py:{path}"):
        with pytest.raises(UnknownAgentError, match="for a file to name"):
            make_built_in(spec, GAME)


def test_a_new_bot_plays(write):
    runner = CliRunner()
    done = runner.invoke(cli, ["new-bot", "fresh"])
    assert done.exit_code == 0, done.output
    assert "--bots fresh.py" in done.output
    assert play_table(TOY, ["fresh.py", *["random"] * 2], games=9, seed=1).of("fresh.py").games == 9
    assert "commas separate agents" in runner.invoke(cli, ["new-bot", "a,b"]).output
    assert "fresh.py exists" in runner.invoke(cli, ["new-bot", "fresh.py"]).output
    assert "no folder nowhere" in runner.invoke(cli, ["new-bot", "nowhere/fresh"]).output


def test_a_saved_game_that_names_one_is_asked_about(monkeypatch):
    asked_about = []
    monkeypatch.setattr(play.click, "confirm", lambda *_, **__: asked_about.append(1))
    play._ask_for_outside(["heuristic", "mine.py", "py:mine.py", "ppo:chicago"], Path("game.json"))
    assert len(asked_about) == 2
