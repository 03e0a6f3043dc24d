"""``gangland play``: whole games by typed lines, what a seat is shown, and bad input."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from gangland.agents.baseline.random import RandomAgent
from gangland.agents.decision import Decision
from gangland.agents.outside.human import Quit
from gangland.agents.registry import make
from gangland.commands.shared.session import Session
from gangland.envs import load
from gangland.envs.core.replay import read_replays
from tests.cli.runner import assert_refused, run
from tests.crime_lords.scenes import scene
from tests.crime_lords.test_secret_decisions import SHOWDOWN, blur
from tests.games import GAMES, TOY, long_ones_slow


@pytest.fixture
def play(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def go(*arguments, game=TOY, typed=""):
        return run(capsys, monkeypatch, "play", "--game", game, *arguments, typed=typed)

    return go


@pytest.mark.parametrize("name", long_ones_slow(GAMES))
def test_a_whole_game_by_first_choices(play, name, tmp_path):
    file = tmp_path / "games.jsonl"
    arguments = ("--bots", "random", "--seed", 8, "--save", file)
    done = play(*arguments, game=name, typed="1\n" * 3000)
    assert done.code == 0, done.err
    assert "seed 8" in done.out
    game = load(name)
    (replay,) = read_replays(file)
    result = replay.verify(game)
    assert replay.players == ("human", *["random"] * (len(result.places) - 1))
    after = done.out[done.out.index("decisions.") :].splitlines()[1:]
    order = sorted(range(len(result.places)), key=lambda seat: result.places[seat])
    for seat, row in zip(order, after, strict=False):
        assert row.split(".")[0].strip() == str(result.places[seat])
        assert row.endswith(f" {game.score_text(result.scores[seat])}")
        assert ("(you)" in row) == (seat == 0)
    again = play(*arguments, game=name, typed="1\n" * 3000)
    assert again.out == done.out
    assert read_replays(file) == [replay, replay], "the file keeps every game"


@pytest.mark.parametrize("name", GAMES)
def test_what_is_typed_may_have_thousands_of_digits(play, name):
    number = "9" * 5000
    typed = "\n".join([number, f"#{number}", f"-{number}", f"log {number}", "svg a\0b", "quit", ""])
    done = play("--seed", 1, game=name, typed=typed)
    assert (done.code, done.err) == (0, "")
    assert done.out.count("shows what can be typed") == 3


def test_the_person_is_told_what_happens_and_can_ask(play, tmp_path):
    picture = tmp_path / "table.svg"
    questions = ["?", "log", "hint", "hint random", "hint nobody", "svg", f"svg {picture}"]
    questions += ["svg /no/where/x.svg", "log x"]
    typed = "\n".join([*questions, "swap", "1", "log 1", "1", "1", ""])
    done = play("--bots", "heuristic:reckless", "--seed", 1, "--seat", 1, typed=typed)
    assert done.code == 0
    for words in (
        "0 Player 0: heuristic:reckless",
        "1 Player 1: you",
        "hint [AGENT]",
        "heuristic would play",
        "50%  keep",
        "no hint: no agent 'nobody'",
        "svg needs the name of a file",
        f"written to {picture}",
        "/no/where/x.svg: No such file",
        "log x: must be a number",
        "· Player 1 plays swap.",
        "Player 1 (you)",
    ):
        assert words in done.out, words
    assert ElementTree.fromstring(picture.read_text()).tag.endswith("svg")
    assert done.out.count("· Player 0 plays") >= 1


def test_the_table_shows_the_own_card_only(play):
    """In the toy, ``?`` stands for a hidden card."""
    done = play("--seed", 3, typed="1\n1\n1\n1\n")
    tables = [line for line in done.out.splitlines() if line and set(line) <= set("0123456789? ")]
    running = tables[:-1]
    assert running
    for table in running:
        own, *others = table.split()
        assert own.isdigit()
        assert set(others) == {"?"}


def test_hints_and_questions_do_not_change_the_game(play, tmp_path):
    plain, chatty = tmp_path / "plain", tmp_path / "chatty"
    arguments = ("--bots", "random", "--seed", 21)
    play(*arguments, "--save", plain, typed="2\n" * 6)
    play(*arguments, "--save", chatty, typed="hint\nhint random\ntable\n2\n" * 6)
    assert plain.read_text() == chatty.read_text()


@pytest.mark.parametrize("typed", ["", "quit\n", "hint\n", "nonsense\n"])
def test_leaving_saves_what_was_played(play, typed, tmp_path):
    file = tmp_path / "game.jsonl"
    done = play("--seed", 5, "--save", file, typed=typed)
    assert done.code == 0
    assert "The game stops after 0 decisions." in done.out
    assert "--seed 5" in done.out
    assert read_replays(file)[0].actions == ()


def test_ctrl_c_ends_cleanly_and_saves(tmp_path, capsys):
    game = load(TOY)

    def read(prompt):
        raise KeyboardInterrupt

    session = Session(game, 2, [make("heuristic", game)] * 2, 1, read=read)
    assert session.run() is False
    assert len(session.recorder.actions) >= 1
    session.save(tmp_path / "game.jsonl")
    assert read_replays(tmp_path / "game.jsonl")[0].actions == tuple(session.recorder.actions)
    assert "The game stops after" in capsys.readouterr().out


def test_watching_bots(play):
    done = play("--seat", "none", "--bots", "heuristic,random,heuristic:fickle", "--seed", 2)
    assert done.code == 0
    assert "?" not in done.out, "the watcher sees the open table"
    assert "The game is over after" in done.out
    for spec in ("heuristic", "random", "heuristic:fickle"):
        assert f"({spec})" in done.out


def test_the_seed_is_printed_and_random_by_default(play):
    seeds = {play(typed="quit\n").out.splitlines()[0] for _ in range(3)}
    assert len(seeds) == 3
    assert all(line.startswith("High card, seed ") for line in seeds)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--seat", "3"], ["'3' must be 0..2 or none"]),
        (["--seat", "-1"], ["'-1' must be 0..2 or none"]),
        (["--seat", "4", "--option", "players=4"], ["must be 0..3"]),
        (["--bots", "random,nobody"], ["no agent 'nobody'"]),
        (["--bots", "random,random,random"], ["3 agents given, must be 1 or 2"]),
        (["--seat", "none", "--bots", "random,random"], ["must be 1 or 3"]),
        (["--option", "players=1"], ["players=1: must be 2..4"]),
        (["--option", "size=1"], ["unknown option size=1"]),
        (["--seed", "-1"], ["--seed"]),
        (["--seed", "x"], ["'x' is not a valid"]),
        (["--delay", "-1"], ["--delay"]),
        (["--save", "/no/such/place/a"], ["folder /no/such/place does not exist"]),
    ],
)
def test_bad_input(play, arguments, words):
    assert_refused(play(*arguments), *words)


def test_unknown_game(play):
    assert_refused(play(game="poker"), "no game 'poker'")


def test_a_bot_that_breaks_the_rules_is_named(play):
    done = play("--bots", "heuristic:cheat", "--seed", 1, typed="swap\n" * 9)
    assert_refused(done, "agent heuristic:cheat chose action 0")


class Scripted(RandomAgent):
    """Makes the next decision of a script that all seats share; leaves at its end."""

    def __init__(self, game, script):
        super().__init__(game)
        self.script = script

    def decide(self, view):
        if not self.script:
            raise Quit
        return Decision(view.game.parse_action(view.known, self.script.pop(0)))


def test_it_does_not_show_whether_a_rival_decided_in_secret(monkeypatch, capsys):
    """Seat 2 is asked for a commitment only if it has money: neither words nor pauses tell."""
    shown, plies = [], []
    for money, decisions in ((3, "FOR 12, PASS, PASS, AG 4"), (0, "FOR 12, PASS, AG 4")):
        game = load("crime_lords")
        state = scene(game, SHOWDOWN.format(money))
        blur(state, 2, 3)
        script = ["TAKE CAS-N", *decisions.split(", ")]
        monkeypatch.setattr(game, "new_state", lambda *_, state=state, **__: state)
        monkeypatch.setattr("time.sleep", lambda seconds: print(f"pause of {seconds} s"))
        bots = [Scripted(game, script) for _ in range(3)]
        session = Session(game, 1, bots, 0, delay=0.5)
        session.agents[1] = Scripted(game, script)
        session.run()
        plies.append(len(session.recorder.actions))
        shown.append(capsys.readouterr().out.splitlines()[:-1])
        assert any("The money is shown" in line for line in shown[-1])
    assert plies == [5, 4]
    assert shown[0] == shown[1]
