"""The list of games: found in folders and entry points; what is broken stops nothing else."""

from __future__ import annotations

import importlib
import os
import pickle
import shutil
import subprocess
import sys
import textwrap

import gymnasium
import pytest

import gangland.envs
from gangland.envs import game_names, load, registry
from gangland.envs.registration import gymnasium_id, pettingzoo_id
from gangland.envs.registry import ENTRIES, UnknownGameError
from tests.core.kernels import ROOT, SITE
from tests.games import CALIBRATION, GAMES, OURS, TOY, chosen_games

over_games = pytest.mark.parametrize("name", GAMES)


# --- our own games --------------------------------------------------------------------------------


def test_every_folder_with_a_game_is_listed():
    folders = {path.parent.name for path in (ROOT / "envs").glob("*/game.py")} - {"core"}
    assert folders == set(OURS)
    assert len(OURS) >= 4


def test_a_new_folder_is_a_game_without_an_edit(tmp_path):
    """The toy, copied into a copy of ``envs/``, is there by name, as a module and in Gymnasium."""
    package = tmp_path / "gangland"
    shutil.copytree(ROOT / "gangland", package)
    shutil.copytree(ROOT / "envs", package / "envs")
    package_folder = package / "envs" / "high_card"
    shutil.copytree(ROOT / "tests" / "toy", package_folder)
    source = (package_folder / "game.py").read_text()
    (package_folder / "game.py").write_text(source.replace('"highcard"', '"high_card"'))
    with (package_folder / "__init__.py").open("a") as file:
        file.write("\nVERSION = 3\n")
    code = (
        "from gangland.envs import game_names, load, high_card_v3\n"
        "from gangland.envs.registration import gymnasium_id\n"
        "import gymnasium\n"
        "print(game_names(), load('high_card'), high_card_v3.env, gymnasium_id('high_card'))\n"
        "print(gymnasium.spec('gangland/HighCard-v3').kwargs)\n"
    )
    warned = run(tmp_path, code).stdout
    assert "'high_card'" in warned
    assert "<HighCard high_card rules v1> <function env" in warned
    assert "gangland/HighCard-v3" in warned


@over_games
def test_version_modules_are_derived(name):
    module = importlib.import_module(f"gangland.envs.{name}_v0")
    game = load(name)
    env = module.env()
    assert env.unwrapped.game is game
    assert module.raw_env().metadata["name"] == f"{name}_v0"
    assert getattr(gangland.envs, f"{name}_v0") is module
    assert f"{name}_v0" in dir(gangland.envs)
    assert pickle.loads(pickle.dumps(module.env)) is module.env


@over_games
def test_the_page_of_a_version_module_says_what_the_environment_is(name):
    page = importlib.import_module(f"gangland.envs.{name}_v0").__doc__
    game = load(name)
    env = gangland.envs.registration.entry_points(name)[1]()
    for agent in env.possible_agents:
        assert f"``{agent}``" in page
        space = env.observation_space(agent)
        shape = f"({space['observation'].shape[0]},), float32)"
        assert f'"observation": Box({space["observation"].low[0]:g}, ' in page
        assert shape in page
        assert f"``Discrete({env.action_space(agent).n})``" in page
    for option in game.options:
        assert f"``{option.name}``" in page
    assert game.title in page.splitlines()[0]


def test_another_version_is_refused_by_name():
    with pytest.raises(ModuleNotFoundError, match=r"its version is now gangland\.envs\.chicago_v0"):
        importlib.import_module("gangland.envs.chicago_v7")
    with pytest.raises(ImportError, match="poker_v0"):
        importlib.import_module("gangland.envs.poker_v0")
    with pytest.raises(AttributeError, match="poker_v0"):
        _ = gangland.envs.poker_v0


def test_identifiers():
    assert gymnasium_id("five_points") == "gangland/FivePoints-v0"
    assert pettingzoo_id("five_points") == "gangland/five_points-v0"
    assert gymnasium.spec(gymnasium_id(TOY)).kwargs == {"game": TOY}


def test_names_that_are_unknown_taken_or_none():
    with pytest.raises(UnknownGameError, match="no game 'poker': there are chicago, "):
        load("poker")
    with pytest.raises(ValueError, match=r"is gangland\.envs\.chicago\.game:Chicago"):
        gangland.envs.register("chicago", "elsewhere:Chicago")
    for name in ("Pig", "pig game", "_pig", ""):
        with pytest.raises(ValueError, match="lower-case words"):
            gangland.envs.register(name, "elsewhere:Pig")


def test_a_class_of_another_name_is_refused(monkeypatch):
    entry = registry.Entry("low_card", "tests.toy.game:HighCard")
    monkeypatch.setitem(ENTRIES, "low_card", entry)
    with pytest.raises(TypeError, match="calls itself 'highcard'"):
        load("low_card")


def test_tests_of_a_game_that_is_not_there_are_an_error():
    assert chosen_games(None) == [*OURS, *CALIBRATION, TOY]
    assert not set(CALIBRATION) & set(game_names())
    assert set(CALIBRATION) <= set(game_names(calibration=True))
    assert chosen_games("highcard,chicago") == ["chicago", TOY]
    with pytest.raises(pytest.UsageError, match=r"no game 'typo', there are chicago, .*highcard"):
        chosen_games("chicago,typo")


# --- other distributions --------------------------------------------------------------------------


def run(folder, code, **options):
    """Run code beside what stands in a folder, as if it were installed there."""
    environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}
    # Packages without the editable install's import hook if there is a copy to import.
    start = [sys.executable, *(["-S"] if (folder / "gangland").exists() else [])]
    code = (SITE if (folder / "gangland").exists() else "") + code
    return subprocess.run(
        [*start, "-c", code],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=options.get("check", True),
    )


def install(folder, name, points, **files):
    """A distribution as pip leaves it: entry points, and modules."""
    info = folder / f"{name}-1.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.5\n")
    (info / "entry_points.txt").write_text(textwrap.dedent(points))
    for module, source in files.items():
        (folder / f"{module}.py").write_text(textwrap.dedent(source))


TABLE = """
    import tests.toy.game

    class Table(tests.toy.game.HighCard):
        name = "table_game"
    """

NAMES = "from gangland.envs import game_names, load\nprint(game_names())\n"


def test_a_game_of_another_distribution_is_like_our_own(tmp_path):
    install(tmp_path, "table-pack", "[gangland.games]\ntable_game_v2 = table:Table", table=TABLE)
    code = NAMES + (
        "import gymnasium\n"
        "from gangland.envs import table_game_v2\n"
        "print(load('table_game'), table_game_v2.env().unwrapped.metadata['name'])\n"
        "print(gymnasium.spec('gangland/TableGame-v2').kwargs)\n"
    )
    done = run(tmp_path, code)
    listed, made, spec = done.stdout.splitlines()
    assert listed == str([*OURS, "table_game"])
    assert made == "<Table table_game rules v1> table_game_v2"
    assert spec == "{'game': 'table_game'}"
    assert done.stderr == ""


BROKEN = {
    "missing": ("nowhere:Game", "ModuleNotFoundError: No module named 'nowhere'"),
    "no_class": ("table:Chair", "has no attribute 'Chair'"),
    "number": ("other:NUMBER", "no subclass of gangland.envs.core.game.Game"),
    "half": ("other:Half", "it does not declare title, rules_version, "),
    "renamed": ("table:Table", "the class calls itself 'table_game'"),
    "stops": ("stops:Game", "SystemExit: 3"),
}
OTHER = """
    from gangland.envs.core.game import Game

    NUMBER = 3

    class Half(Game):
        name = "half"
    """


def test_a_broken_game_is_named_and_stops_nothing(tmp_path):
    points = "".join(f"{name} = {target}\n" for name, (target, _) in BROKEN.items())
    install(
        tmp_path,
        "broken-pack",
        f"[gangland.games]\n{points}table_game = table:Table\n",
        table=TABLE,
        other=OTHER,
        stops="raise SystemExit(3)",
    )
    done = run(tmp_path, NAMES)
    assert done.stdout.strip() == str([*OURS, "table_game"])
    for name, (target, reason) in BROKEN.items():
        (line,) = [text for text in done.stderr.splitlines() if f" {name} = {target} of" in text]
        assert "PluginWarning: gangland.games: " in line
        assert "of broken-pack 1.5 cannot be used: " in line
        assert reason in line
    named = run(tmp_path, "from gangland.envs import load\nload('missing')", check=False)
    assert "PluginError: gangland.games: missing = nowhere:Game of broken-pack" in named.stderr


def test_our_names_win_and_both_sides_are_named(tmp_path):
    points = (
        "[gangland.games]\nchicago = table:Table\nchicago_v1 = table:Table\nPig = table:Table\n"
    )
    install(tmp_path, "one-pack", points + "table_game = table:Table\n", table=TABLE)
    install(tmp_path, "two-pack", "[gangland.games]\ntable_game = table:Elsewhere\n")
    done = run(tmp_path, NAMES + "print(load('chicago'), load('table_game'))\n")
    assert done.stdout.splitlines()[1].startswith("<Chicago chicago rules")
    assert "<Table table_game rules v1>" in done.stdout
    warned = [line for line in done.stderr.splitlines() if "PluginWarning" in line]
    assert len(warned) == 4
    for words in (
        "chicago = table:Table of one-pack 1.5 cannot be used: gangland has the name 'chicago'",
        "chicago_v1 = table:Table of one-pack 1.5 cannot be used: gangland has a game",
        "Pig = table:Table of one-pack 1.5 cannot be used: 'Pig' is no name",
        "table_game = table:Elsewhere of two-pack 1.5 cannot be used: one-pack 1.5 has the name",
    ):
        assert any(words in line for line in warned), words


AGENTS = """
    from gangland.agents.base import Agent
    from gangland.agents.decision import Decision
    from gangland.agents.registry import AgentKind

    class Last(Agent):
        \"\"\"The last legal action.\"\"\"

        def __init__(self, argument, game):
            self.argument = argument

        def decide(self, view):
            return Decision(view.legal_actions[-1])

    LAST = AgentKind("last", "last[:N]", "the last legal action", Last, games=["chicago"])
    CHOOSY = AgentKind("choosy", "choosy:WHAT", "needs to be told", Last)

    def nobody(argument, game):
        \"\"\"Nobody at all.\"\"\"
    """


def test_an_agent_of_another_distribution_is_like_our_own(tmp_path):
    points = """
        [gangland.agents]
        last = lasts:LAST
        choosy = lasts:CHOOSY
        other = lasts:LAST
        nobody = lasts:nobody
        lost = nowhere:Agent
        number = lasts:__name__
        heuristic = lasts:Last
        """
    install(tmp_path, "agent-pack", points, lasts=AGENTS)
    code = (
        "from gangland.agents.registry import kinds, make, make_built_in, specs\n"
        "from gangland.envs import load\n"
        "from gangland.envs.core.errors import GanglandError\n"
        "game = load('chicago')\n"
        "print(*list(kinds())[-4:])\n"
        "print(make('last:3', game), make('last:3', game).argument, make('heuristic', game))\n"
        "print([spec for spec in specs(game) if spec[:4] not in ('bot:', 'ppo:')])\n"
        "print('last' in specs(load('gangsters')), specs(game)['last'])\n"
        "for maker, spec in ((make, 'nobody'), (make, 'lost'), (make_built_in, 'last')):\n"
        "    try:\n        maker(spec, game)\n"
        "    except GanglandError as error:\n        print(error)\n"
    )
    done = run(tmp_path, code)
    lines = done.stdout.splitlines()
    assert lines[0] == "llm choosy last nobody"
    assert lines[1] == "<Last last:3> 3 <HeuristicAgent heuristic>"
    assert lines[2] == "['random', 'heuristic', 'heuristic:specified', 'last', 'nobody']"
    assert lines[3] == "False the last legal action (agent-pack 1.5)"
    assert lines[4] == "nobody: its factory made None, must be an Agent"
    assert lines[5].startswith("no agent 'lost': must be one of random, ")
    assert "last[:N]" in lines[5]
    assert lines[6] == (
        "no agent 'last' for a file to name: must be one of random, heuristic, heuristic:specified"
    )
    for words in (
        "lost = nowhere:Agent of agent-pack 1.5 cannot be used: ModuleNotFoundError",
        "number = lasts:__name__ of agent-pack 1.5 cannot be used: 'lasts' is neither an AgentKind",
        "other = lasts:LAST of agent-pack 1.5 cannot be used: its prefix is 'last', must be",
        "heuristic = lasts:Last of agent-pack 1.5 cannot be used: gangland has the name",
    ):
        assert any(words in line for line in done.stderr.splitlines()), words
