"""A game and an agent of another distribution use every interface of ours.

Both wheels are built and installed by pip into an empty environment, beside nothing of this source
tree. Packages of others are borrowed from the environment that runs the tests.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import time
import urllib.request
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PIG = Path(__file__).parent / "pig"
FOLDERS = (
    "gangland",
    "envs",
    "agents",
    "training",
    "serving",
    "checkpoints",
    "configs",
    "arena",
    "adapters",
)
NOT_SOURCES = shutil.ignore_patterns("__pycache__", "*.egg-info", "build")


@dataclass
class Place:
    """The empty environment, and a folder to work in."""

    python: Path
    folder: Path

    def run(self, *arguments, check=True):
        """Run the environment's Python; neither the path nor the folder leads to this tree."""
        hidden = ("PYTHONPATH", "VIRTUAL_ENV", "NUMBA_DISABLE_JIT")
        kept = {key: value for key, value in os.environ.items() if key not in hidden}
        done = subprocess.run(
            [self.python, *map(str, arguments)],
            cwd=self.folder,
            env=kept | {"NUMBA_CACHE_DIR": str(self.folder / "kernels"), "COLUMNS": "200"},
            capture_output=True,
            text=True,
            check=False,
        )
        if check:
            assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-5000:]
            assert "Warning" not in done.stderr, done.stderr
        return done

    def gangland(self, *arguments):
        """Run a command of the command line."""
        return self.run("-m", "gangland.cli", *arguments).stdout

    def lists(self, *commands):
        """What several commands print, in one process."""
        text = self.code(
            f"""
            from gangland.cli import cli
            for words in {[line.split() for line in commands]!r}:
                cli(words, standalone_mode=False)
                print("-- the end")
            """
        )
        return text.split("-- the end\n")[:-1]

    def code(self, text):
        """Run Python code."""
        return self.run("-c", textwrap.dedent(text)).stdout


def build(source, folder):
    """The wheel of a source folder, built offline."""
    command = ["pip", "wheel", "-q", "--no-deps", "--no-index", "--no-build-isolation"]
    subprocess.run([sys.executable, "-m", *command, "-w", folder, source], check=True)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("foreign")
    # Copies, as building leaves its traces in the sources.
    ours = folder / "ours"
    for name in FOLDERS:
        if (ROOT / name).exists():
            shutil.copytree(ROOT / name, ours / name, ignore=NOT_SOURCES)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, ours)
    shutil.copytree(PIG, folder / "pig", ignore=NOT_SOURCES)
    wheels = folder / "wheels"
    build(ours, wheels)
    build(folder / "pig", wheels)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    install = ["-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index"]
    subprocess.run([sys.executable, *install, *sorted(wheels.glob("*.whl"))], check=True)
    (packages,) = (folder / "venv" / "lib").glob("python*/site-packages")
    others = [path for path in sys.path if path.endswith("site-packages")]
    (packages / "others.pth").write_text("\n".join(others))
    work = folder / "work"
    work.mkdir()
    return Place(python, work)


def test_pig_is_one_small_folder():
    files = [path for path in PIG.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    lines = sum(len(path.read_text().splitlines()) for path in files)
    assert lines <= 200, lines
    assert len(files) == 5


def test_both_are_installed_and_nothing_of_this_tree_is_used(place):
    wheels = sorted((place.folder.parent / "wheels").glob("*.whl"))
    assert len(wheels) == 2
    inside = [name for wheel in wheels for name in zipfile.ZipFile(wheel).namelist()]
    assert "gangland/envs/testing/run.py" in inside
    assert not any("pig" in name for name in inside if name.startswith("gangland/"))
    text = place.code("import gangland.envs, gangland_pig as p; print(gangland.envs.__file__, p)")
    assert str(ROOT) not in text
    assert text.count(str(place.folder.parent / "venv")) == 2


def test_lists(place):
    commands = "games", "games pig --json", "agents --game pig", "agents --game chicago"
    games, facts, agents, others = place.lists(*commands)
    assert "pig  Pig" in games
    assert "chicago  Dominate" in games
    (facts,) = json.loads(facts)
    assert [option["name"] for option in facts["options"]] == ["players", "target", "max_turns"]
    assert "  hold    rolls until POINTS are at stake (gangland-pig" in (
        re.sub(" +", lambda gap: gap[0][:4], agents)
    )
    assert "hold[:POINTS]" in agents
    assert "hold  " not in others.split("in general")[0]


def test_environments(place):
    text = place.code(
        """
        import warnings
        import gymnasium
        import numpy as np
        import gangland.envs
        import gangland.envs.pig_v0
        from gangland.envs import make_vec, pig_v0

        print(pig_v0.__doc__.splitlines()[0])
        env = pig_v0.env(players=3)
        env.reset(seed=1)
        total = 0
        for agent in env.agent_iter():
            observation, reward, termination, truncation, info = env.last()
            total += reward
            over = termination or truncation
            mask = observation["action_mask"]
            env.step(None if over else int(env.action_space(agent).sample(mask)))
        print("played", env.metadata["name"], abs(total) < 1e-6)
        tables = make_vec("pig", 64, seed=3, threads=2)
        tables.reset()
        ended = 0
        for k in range(300):
            tables.step(np.full(64, k % 5 == 4, np.int64))
            ended += tables.dones.sum()
        print("tables", ended > 64)
        single = gymnasium.make("gangland/Pig-v0")
        _, info = single.reset(seed=2)
        ended = False
        while not ended:
            _, reward, terminated, truncated, info = single.step(int(single.action_space.sample()))
            ended = terminated or truncated
        print("single", abs(reward))
        against = gymnasium.make("gangland/Pig-v0", seat=1, opponents="hold:15")
        against.reset(seed=1)
        print(against.unwrapped._bots)
        """
    )
    assert text.splitlines() == [
        "Pig, the environment.",
        "played pig_v0 True",
        "tables True",
        "single 1.0",
        "[<Hold hold:15>]",
    ]


@pytest.mark.slow
def test_arena_and_replay(place):
    arena = ["arena", "--game", "pig", "--agents", "hold,hold:5,random", "--games", "120"]
    text = place.gangland(*arena, "--quiet", "--json", "-", "--replays", "pig.jsonl")
    names = {row["spec"]: row["win"]["share"] for row in json.loads(text)["agents"]}
    assert set(names) == {"hold", "hold:5", "random"}
    assert names["hold"] > names["random"]
    assert place.run("-m", "gangland.cli", "replay", "pig.jsonl", "--verify").returncode == 0
    assert "Player 0 plays roll." in place.gangland("replay", "pig.jsonl", "--auto", "0")


@pytest.mark.slow
def test_play(place):
    text = place.gangland("play", "--game", "pig", "--seat", "none", "--bots", "hold", "--seed", 1)
    assert "Player 0 plays roll." in text
    assert re.search(r"  1\. Player [01] \(hold\) +\d+ points", text)


def test_a_checkpoint_reaches_no_foreign_agent(place):
    text = place.code(
        """
        from gangland.agents.registry import UnknownAgentError, make, make_built_in
        from gangland.envs import load
        print(make("hold", load("pig")))
        try:
            make_built_in("hold", load("pig"))
        except UnknownAgentError as error:
            print(error)
        """
    )
    assert text.splitlines() == [
        "<Hold hold>",
        "no agent 'hold' for a file to name: must be one of random",
    ]


@pytest.mark.slow
def test_bench(place):
    text = place.gangland("bench", "--game", "pig", "--no-training", "--no-serving")
    assert "env() steps/s" in text


@pytest.mark.slow
def test_five_seconds_of_training(place):
    pytest.importorskip("sb3_contrib")
    (place.folder / "pig.yaml").write_text("game: pig\nminutes: 0.083\n")
    few = ["--set", "evaluation.final_games=40", "--set", "evaluation.every=0"]
    text = place.gangland("train", "pig.yaml", "--out", "runs/pig", *few, "--device", "cpu")
    assert "gangland arena --game pig --agents ppo:runs/pig,random" in text
    table = ["arena", "--game", "pig", "--table", "ppo:runs/pig,hold", "--games", "40"]
    text = json.loads(place.gangland(*table, "--quiet", "--json", "-"))
    assert {row["spec"] for row in text["agents"]} == {"ppo:runs/pig", "hold"}
    short = ["--out", "runs/short", "--steps", "2000", *few[:1], "evaluation.final_games=0"]
    assert "ppo:runs/short" in place.gangland("train", "pig", *short, "--device", "cpu")


@pytest.mark.slow
def test_a_served_match(place):
    pytest.importorskip("fastapi")
    arguments = ["serve", "--game", "pig", "--port", "0", "--db", place.folder / "matches.db"]
    log = (place.folder / "serve.log").open("w+")
    process = subprocess.Popen(
        [place.python, "-m", "gangland.cli", *map(str, arguments)],
        cwd=place.folder,
        env={**os.environ, "NUMBA_CACHE_DIR": str(place.folder / "kernels"), "PYTHONPATH": ""},
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
    )
    try:
        url = process.stdout.readline().split()[-1].rstrip("/") + "/api/v1"
        _play_match(url)
    finally:
        process.terminate()
        process.wait()
        log.seek(0)
        print(log.read()[-3000:])
        log.close()


def _play_match(url):
    def ask(path, body=None, token=""):
        request = urllib.request.Request(url + path, headers={"content-type": "application/json"})
        if token:
            request.add_header("authorization", f"Bearer {token}")
        if body is not None:
            request.data = json.dumps(body).encode()
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)

    seats = [{"kind": "human", "name": "Ann"}, {"kind": "bot", "bot": "hold"}]
    made = ask("/matches", {"game": "pig", "seats": seats, "options": {"target": 20}})
    token = made["tokens"][0]["token"]
    path = f"/matches/{made['match']}"
    view = ask(f"{path}/view?svg=false", token=token)
    until = time.monotonic() + 300
    rolled = 0
    while view["status"] != "finished":
        assert time.monotonic() < until
        more = f"?svg=false&wait=20&since={view['next_event']}"
        if view["decision"] is None:
            view = ask(f"{path}/view{more}", token=token)
        else:
            rolled = (rolled + 1) % 4
            action = view["legal"][rolled == 0]["id"]
            chosen = {"decision": view["decision"], "action": action}
            view = ask(f"{path}/actions{more}", chosen, token)
    assert sorted(row["place"] for row in view["result"]["standings"]) == [1, 2]
    assert "banks the total" in json.dumps(ask("/games/pig/rules"))


@pytest.mark.slow
def test_conformance_by_the_plugin_of_pytest(place):
    few = ["-p", "gangland.pytest_plugin", "--gangland-game", "pig", "-k", "law or caps"]
    done = place.run("-m", "pytest", "-q", *few, check=False)  # PettingZoo warns of itself
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-5000:]
    assert re.search(r"^\d+ passed", done.stdout, re.M), done.stdout


@pytest.mark.slow
def test_conformance(place):
    done = place.run("-m", "gangland.envs.testing", "pig", check=False)
    assert done.returncode == 0, done.stdout[-5000:]
    assert " passed" in done.stdout
    assert "failed" not in done.stdout
