"""``gangland play``: leaving, going on later, taking back, and asking for rules."""

from __future__ import annotations

import dataclasses
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gangland.commands.shared import saved_games
from gangland.commands.shared.rules_text import rules_text
from gangland.envs import load
from gangland.envs.core.replay import read_replays
from gangland.serving.texts import translator
from tests.cli.runner import assert_refused, run
from tests.games import TOY

GAME = "chicago"


@pytest.fixture
def play(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def go(*arguments, typed=""):
        return run(capsys, monkeypatch, "play", *arguments, typed=typed)

    return go


def kept():
    return read_replays(saved_games.own_file())


def test_a_game_that_was_left_goes_on_as_if_it_had_not_been(play, tmp_path):
    arguments = ("--game", GAME, "--bots", "random", "--seed", 8)
    whole, file = tmp_path / "whole", tmp_path / "file"
    play(*arguments, "--save", whole, typed="1\n" * 900)
    left = play(*arguments, "--save", file, typed="1\n" * 4 + "q\n")
    assert f"gangland play --resume {file}" in left.out
    assert not saved_games.own_file().exists(), "it has a file of its own"
    first = read_replays(file)[0]
    for _ in range(2):
        done = play("--resume", file, typed="1\n" * 3 + "q\n")
        assert done.code == 0, done.err
        assert "0 Capone: you" in done.out
        assert done.out.count("· ") > 3, "how things stand is told"
    (later,) = read_replays(file)
    assert later.actions[: len(first.actions)] == first.actions
    assert len(later.actions) > len(first.actions)
    done = play("--resume", file, typed="1\n" * 900)
    assert "The game is over" in done.out or "ended by the cap" in done.out
    assert read_replays(file) == read_replays(whole)
    assert_refused(play("--resume", file), "no game of a person that is not over")


def test_without_a_file_the_last_game_is_kept(play):
    assert_refused(play("--resume"), "no game has been left")
    for seed in (1, 2):
        left = play("--game", TOY, "--seed", seed, typed="q\n")
        assert "Continue it: gangland play --resume\n" in left.out
    assert [replay.seed for replay in kept()] == [1, 2]
    done = play("--resume", "--delay", "0", typed="1\n" * 9)
    assert "seed 2" in done.out
    assert "The game is over" in done.out
    assert [replay.seed for replay in kept()] == [1], "what is over is not kept"
    assert "seed 1" in play("--resume", typed="").out, "the end of the input is as leaving"
    assert [replay.seed for replay in kept()] == [1]


def test_only_so_many_are_kept_and_none_of_those_that_watch(play, monkeypatch):
    monkeypatch.setattr(saved_games, "KEPT", 2)
    for seed in range(4):
        play("--game", TOY, "--seed", seed, typed="q\n")
    assert [replay.seed for replay in kept()] == [2, 3]
    play("--game", TOY, "--seat", "none", "--seed", 9)
    assert [replay.seed for replay in kept()] == [2, 3]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--game", TOY), "--game"),
        (("--seed", 1), "--seed"),
        (("--bots", "random"), "--bots"),
        (("--option", "players=3"), "--option"),
    ],
)
def test_going_on_changes_nothing(play, arguments, word):
    play("--game", TOY, typed="q\n")
    assert_refused(play(*arguments, "--resume"), f"leave {word} out")


def test_a_files_program_starts_only_if_the_person_says_so(play, tmp_path):
    file, trace = tmp_path / "file", tmp_path / "trace"
    play("--game", TOY, "--seed", 1, "--save", file, typed="q\n")
    (replay,) = read_replays(file)
    players = [one if one == "human" else f"cmd:touch {trace}" for one in replay.players]
    strange = dataclasses.replace(replay, players=tuple(players))
    file.write_text(strange.write() + "\n")
    for typed in ("", "n\n"):
        refused = play("--resume", file, typed=typed)
        assert refused.code != 0
        assert f"cmd:touch {trace}" in refused.out
        assert not trace.exists()
    play("--resume", file, typed="y\nq\n")
    assert trace.exists()


def test_a_damaged_save_is_refused(play, tmp_path):
    file = tmp_path / "file"
    play("--game", TOY, "--seed", 1, "--save", file, typed="q\n")
    (replay,) = read_replays(file)
    text = file.read_text()
    file.write_text(text.replace(replay.chain, "0" * len(replay.chain)))
    assert_refused(play("--resume", file), "differs from the record")
    file.write_text("{")
    assert_refused(play("--resume", file), "not a replay")
    assert_refused(play("--resume", tmp_path / "nothing"), "nothing")


@pytest.mark.parametrize(
    "players", [["human"], ["human"] + ["random"] * 999, ["random"] * 3 + ["human"]]
)
def test_a_save_names_a_player_for_each_seat(play, tmp_path, players):
    file = tmp_path / "file"
    play("--game", TOY, "--seed", 1, "--save", file, typed="q\n")
    kept = json.loads(file.read_text())
    file.write_text(json.dumps({**kept, "players": players}))
    done = play("--resume", file, typed="1\n" * 100)
    assert_refused(done, f"players: there are {len(players)}, must be 0 or 3")


def test_undo_takes_the_last_own_decision_back_and_what_followed(play, tmp_path):
    plain, back = tmp_path / "plain", tmp_path / "back"
    arguments = ("--game", GAME, "--bots", "random", "--seed", 21)
    first = play(*arguments, typed="undo\nq\n")
    assert "no decision of yours to take back" in first.out
    play(*arguments, "--save", plain, typed="2\n1\n1\n1\n1\n")
    done = play(*arguments, "--save", back, typed="2\n1\nundo\nundo\n2\n1\n1\n1\n1\n")
    assert done.out.count("You take your last decision back.") == 2
    assert read_replays(back) == read_replays(plain)
    log = play(*arguments, typed="2\n1\nundo\nundo\nlog\nq\n").out.rsplit("> ", 1)[0]
    assert "Capone" not in log.rsplit("> ", 1)[1].replace("Capone (0)", "")


def test_rules_can_be_read(play):
    shown = play(
        "--game", GAME, typed="rules\nrules 2\nrules battle dice\nrules 99\nrules xyzzy\nq\n"
    )
    chapters = rules_text(GAME)
    for line in (*chapters, *rules_text(GAME, "2"), *rules_text(GAME, "battle dice")):
        assert line in shown.out
    assert len(chapters) > 5
    assert any("battle" in line.lower() for line in rules_text(GAME, "battle dice"))
    assert not any("**" in line or "`" in line for line in rules_text(GAME, "2"))
    assert "rules 99: there are chapters 1 to" in shown.out
    assert "no rule with 'xyzzy'" in shown.out
    first, *others = rules_text(GAME, "cu-5.1")[::-1]
    assert first.startswith("  CU-5.1: "), "the exact wording comes last"
    assert any("CU-5.1" in line for line in others), "before it, how it is told"
    assert "without written rules" in play("--game", TOY, typed="rules\nq\n").out


# A shell makes what it puts into the background ignore SIGINT, and children inherit that; in a
# terminal Ctrl-C is heeded, also where these tests run in the background.
IN_A_TERMINAL = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from gangland.cli import cli
cli(sys.argv[1:], prog_name="gangland")
"""


class Terminal:
    """The real program in a terminal."""

    def __init__(self, *arguments, home):
        self.end, other = pty.openpty()
        environment = {**os.environ, "XDG_STATE_HOME": str(home), "COLUMNS": "100", "TERM": "dumb"}
        command = [sys.executable, "-c", IN_A_TERMINAL, "play", *map(str, arguments)]
        self.process = subprocess.Popen(
            command, stdin=other, stdout=other, stderr=other, env=environment
        )
        os.close(other)

    def read_until(self, form, seconds=120):
        """What is shown until it ends in a match of ``form``."""
        shown, deadline = "", time.monotonic() + seconds
        while not re.search(form + r"\Z", shown):
            assert time.monotonic() < deadline, shown
            if select.select([self.end], [], [], 1.0)[0]:
                try:
                    shown += os.read(self.end, 65536).decode(errors="replace")
                except OSError:  # Linux: the other end is closed.
                    break
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown).replace("\r\n", "\n")

    def interrupt(self):
        """As Ctrl-C does, once the program waits for a line.

        CPython loses an interrupt that comes between the prompt and the read: a person presses
        Ctrl-C again, a test waits until the process sleeps.
        """
        asleep, deadline = 0, time.monotonic() + 120
        while asleep < 3:
            assert time.monotonic() < deadline, "it never waits"
            time.sleep(0.1)
            stat = Path(f"/proc/{self.process.pid}/stat").read_text()
            asleep = asleep + 1 if stat.rpartition(")")[2].split()[0] == "S" else 0
        self.process.send_signal(signal.SIGINT)

    def type(self, line):
        os.write(self.end, f"{line}\n".encode())

    def close(self):
        self.process.wait(60)
        os.close(self.end)
        return self.process.returncode


@pytest.mark.slow
def test_gangsters_in_a_real_terminal(tmp_path):
    prompt = r"Red \(0\)> "
    terminal = Terminal("--game", "gangsters", "--bots", "random", "--seed", 3, home=tmp_path)
    shown = terminal.read_until(prompt)
    for words in ("Round 0: Red, choose a joint", "NORTH AVENUE", "Pawn", "Map: + crossing"):
        assert words in shown
    assert not re.search(r"\b[JG]\d\d\b|[RTV]\d@|\bx[A-M]\b", shown), "names, not codes"
    terminal.type("1")
    second = terminal.read_until(prompt)
    name = re.search(r"· (.*) is Red's\.", second)[1]
    assert f"1 joint: {name} (level 1)" in second
    terminal.type("undo")
    again = terminal.read_until(prompt)
    assert "You take your last decision back." in again
    assert "1 joint: " + name not in again
    terminal.type("rules racketeers")
    assert re.search(r"\[G-[\d.]+", terminal.read_until(prompt))
    terminal.type("1")
    terminal.read_until(prompt)
    terminal.type("q")
    assert "Continue it: gangland play --resume" in terminal.read_until("never")
    assert terminal.close() == 0
    terminal = Terminal("--resume", home=tmp_path)
    assert f"1 joint: {name} (level 1)" in terminal.read_until(prompt)
    terminal.interrupt()
    assert "Kept." in terminal.read_until("never")
    assert terminal.close() == 0


def test_the_terminal_speaks_german(play, tmp_path, capsys, monkeypatch):
    file = tmp_path / "file"
    arguments = ("--game", GAME, "--bots", "random", "--seed", 8, "--language", "de")
    shown = play(*arguments, "--save", file, typed="1\n1\nlog\nrules\nq\n")
    assert shown.code == 0, shown.err
    say = translator(load(GAME), "de")
    log = set(re.findall(r"^· (.+)$", shown.out, re.M))
    assert len(log) > 3
    english = play("--game", GAME, "--bots", "random", "--seed", 8, typed="1\n1\nlog\nrules\nq\n")
    told = set(re.findall(r"^· (.+)$", english.out, re.M))
    assert log == {say.translate(line) for line in told} != told
    assert rules_text(GAME, language="de")[0] in shown.out
    question = re.search(r"\n\n(.+)\n +1  ", english.out)[1]
    assert say.translate(question) != question
    assert say.translate(question) in shown.out
    seen = run(capsys, monkeypatch, "replay", file, "--seat", 0, "--language", "de", typed="n\nn\n")
    assert log & set(re.findall(r"^· (.+)$", seen.out, re.M))
    assert_refused(play(*arguments[:-1], "xx"), "--language", f"{GAME} speaks en, de")
