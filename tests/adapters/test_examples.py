"""The examples run: in a short form, as programs of their own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agents.servers import Model

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def run(name, *words, cwd):
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, EXAMPLES / name, *map(str, words)],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-3000:]
    return done.stdout


@pytest.mark.slow
def test_sb3_maskable_ppo(tmp_path):
    pytest.importorskip("sb3_contrib", reason="needs gangland[train]")
    words = ["--steps", 3072, "--tables", 8, "--games", 20, "--every", 1]
    shown = run("sb3_maskable_ppo.py", *words, "--rivals", "random", cwd=tmp_path)
    assert re.search(r"one seat against random: [\d.]+% before, [\d.]+% after", shown)
    shown = run("sb3_maskable_ppo.py", *words, "--opponents", "random", cwd=tmp_path)
    assert re.search(r"one seat against heuristic: [\d.]+% before, [\d.]+% after", shown)


@pytest.mark.slow
def test_continue_from_bot(tmp_path):
    pytest.importorskip("sb3_contrib", reason="needs gangland[train]")
    small = ["--set", "ppo.tables=16", "--set", "ppo.steps=32", "--set", "evaluation.every=0"]
    words = ["--steps", 1000, *small, "--games", 20]
    shown = run("continue_from_bot.py", *words, cwd=tmp_path)
    assert re.search(r"wins [\d.]+% \([\d.]+% to [\d.]+%\) with 4 of chicago/bot$", shown.strip())
    (found,) = (tmp_path / "runs" / "continued" / "checkpoints").glob("step-*/model.json")
    assert json.loads(found.read_text())["lineage"]


@pytest.mark.slow
def test_own_network(tmp_path):
    pytest.importorskip("torch", reason="needs gangland[train]")
    words = ["--games", 5, "--passes", 2, "--eval-games", 5]
    shown = run("own_network.py", *words, cwd=tmp_path)
    passes = re.findall(r"^pass \d: ([\d.]+)% of [\d,]+ decisions$", shown, re.M)
    assert float(passes[1]) > float(passes[0])
    assert re.search(r"^wins [\d.]+% against heuristic$", shown, re.M)


def test_cleanrl_ppo(tmp_path):
    pytest.importorskip("tensorboard", reason="needs gangland[train]")
    words = ["--total-decisions", 2048, "--num-envs", 32, "--num-steps", 32, "--eval-games", 10]
    shown = run("cleanrl_ppo.py", *words, cwd=tmp_path)
    assert re.search(r"^2,048 decisions: wins [\d.]+% against heuristic$", shown, re.M)
    assert list((tmp_path / "runs" / "cleanrl").glob("events.*"))


def test_openspiel_ismcts(tmp_path):
    pytest.importorskip("pyspiel", reason="needs gangland[openspiel]")
    game = "gangland_chicago(players=2,turn_cap=6)"
    words = ["--game", game, "--games", 2, "--simulations", 3]
    assert re.search(r"ISMCTS won \d of 2 games", run("openspiel_ismcts.py", *words, cwd=tmp_path))


def test_rllib_ppo(tmp_path):
    pytest.importorskip("ray.rllib", reason="needs gangland[rllib]; see docs/testing.md")
    words = ["--option", "players=2", "--minutes", 0.01, "--batch", 200, "--games", 10]
    shown = run("rllib_ppo.py", *words, cwd=tmp_path)
    assert re.search(r"^before: \{'player': [\d.]+\}$", shown, re.M)
    assert re.search(r"^after: \{'player': [\d.]+\}$", shown, re.M)


def test_llm_match(tmp_path):
    pytest.importorskip("httpx", reason="needs gangland[remote]")
    model = Model()
    url = f"http://127.0.0.1:{model.server.server_port}/v1"
    words = ["--players", 2, "--option", "turn_cap=6", "--url", url, "--model", "small"]
    shown = run("llm_match.py", *words, cwd=tmp_path)
    model.server.shutdown()
    model.server.server_close()
    assert re.search(r"won \d+% of 2 games against heuristic", shown)
    assert re.search(r"\d+ decisions, 0 of them by random", shown)
    lines = (tmp_path / "transcript.jsonl").read_text().splitlines()
    assert len(lines) == len(model.asked)
    assert all(json.loads(line)["action"] is not None for line in lines)


def test_every_example_is_run_by_a_test():
    text = Path(__file__).read_text()
    for example in EXAMPLES.glob("*.py"):
        assert f'"{example.name}"' in text, example.name
