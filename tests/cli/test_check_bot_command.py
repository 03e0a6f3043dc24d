"""``gangland check-bot``: good bots pass, and each fault is named."""

from __future__ import annotations

import shlex
import sys
from textwrap import dedent

import pytest
from click.testing import CliRunner

from gangland.cli import cli
from gangland.envs import load

ENGINE = """
import json
import sys

position = None
for line in sys.stdin:
    command, _, rest = line.strip().partition(" ")
    if command == "hello":
        print(f"id game highcard {VERSION}", "hello ok gangland-engine/1", sep="\\n", flush=True)
    elif command == "position":
        try:
            given = json.loads(rest.partition(" ")[2])
            given["legal"]
        except (ValueError, KeyError):
            print("error not a position", flush=True)
            continue
        position = given
        print("position ok", flush=True)
    elif command == "go":
        print("bestmove", position["legal"][0]["id"], flush=True)
    elif command == "quit":
        break
    else:
        print("error unknown command", flush=True)
""".replace("{VERSION}", str(load("highcard").rules_version))

LEGAL = 'position["legal"][0]["id"]'


def check(bot, *more):
    done = CliRunner().invoke(cli, ["check-bot", bot, "--game", "highcard", *more])
    failed = [line[8:] for line in done.output.splitlines() if line.startswith("failed")]
    assert done.exit_code == bool(failed), done.output
    return failed, done.output


def engine(tmp_path, *changes):
    text = ENGINE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    program = tmp_path / "engine.py"
    program.write_text(text)
    return f"cmd:{shlex.join([sys.executable, str(program)])}"


def bot_file(tmp_path, name, body):
    path = tmp_path / f"{name}.py"
    path.write_text(dedent(body))
    return str(path)


def test_an_engine_that_keeps_the_protocol_passes(tmp_path):
    failed, output = check(engine(tmp_path))
    assert failed == []
    assert output.count("   ok  ") == 11


@pytest.mark.parametrize("bot", ["random", "heuristic"])
def test_agents_of_the_package_pass(bot):
    if bot == "heuristic":
        done = CliRunner().invoke(cli, ["check-bot", bot, "--game", "chicago", "--games", "1"])
        assert done.exit_code == 0, done.output
        return
    assert check(bot, "--option", "players=3")[0] == []


@pytest.mark.parametrize(
    ("changes", "wanted", "said"),
    [
        ((LEGAL, "99999"), "decides legally", "99999"),
        ((LEGAL, f"{LEGAL}, end=''"), "decides legally", "no answer"),
        (
            ('        print("error unknown command", flush=True)', "        pass"),
            "refuses a command that it does not know, and goes on",
            "no answer within",
        ),
        (
            ('            print("error not a position", flush=True)', "            raise"),
            "refuses a position that is not JSON, and goes on",
            "ended with exit code 1",
        ),
        (("        break", "        sys.exit(3)"), "ends on quit", "exit code 3"),
        (
            ('sep="\\n", flush=True)', 'sep="\\n", flush=True); print("ready")'),
            "ends on quit",
            "said 'ready' without being asked",
        ),
    ],
)  # fmt: skip
def test_what_an_engine_does_wrong_is_said(tmp_path, monkeypatch, changes, wanted, said):
    monkeypatch.setattr("gangland.agents.outside.checks.SECONDS", 1.0)
    monkeypatch.setattr("gangland.agents.outside.remote.ANSWER_SECONDS", 1.0)
    failed, output = check(engine(tmp_path, changes))
    assert wanted in failed
    assert said in output


def test_an_engine_that_does_not_end_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr("gangland.agents.outside.checks.END_SECONDS", 3.0)
    failed, output = check(
        engine(tmp_path, ("        break", "        import time; time.sleep(60)"))
    )
    assert "ends on quit" in failed
    assert "still runs after 3 s" in output


def test_what_a_file_does_wrong_is_said(tmp_path):
    passing = bot_file(tmp_path, "last", "def act(view): return view.legal_actions[-1]")
    assert check(passing)[0] == []
    writes = "def act(view): view.action_mask[:] = True; return view.legal_actions[0]"
    failed, output = check(bot_file(tmp_path, "mask", writes))
    assert failed[0] == "decides legally"
    illegal = bot_file(tmp_path, "none", "def act(view): return -1")
    failed, output = check(illegal)
    assert failed[0] == "decides legally"
    assert "at decision" in output
    assert "must be one of view.legal_actions" in output


def test_where_a_file_hangs_is_said_at_ctrl_c(tmp_path):
    hangs = bot_file(tmp_path, "hangs", "def act(view): raise KeyboardInterrupt")
    done = CliRunner().invoke(cli, ["check-bot", hangs, "--game", "highcard"])
    assert done.exit_code == 1
    assert f"interrupted at {hangs}:1: def act(view): raise KeyboardInterrupt" in done.output


def test_memory_is_found(tmp_path):
    body = """
        from collections import Counter
        seen = Counter()
        def act(view):
            seen[view.seed] += 1
            return view.legal_actions[seen[view.seed] % len(view.legal_actions)]
    """
    failed, output = check(bot_file(tmp_path, "remembers", body))
    assert "decides alike when asked again" in failed
    assert "with the same seed" in output
