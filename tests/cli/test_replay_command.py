"""``gangland replay``: stepping, views, verification, and bad input."""

from __future__ import annotations

import json

import pytest
from PIL import Image

from gangland.arena import play_table
from gangland.envs import load
from tests.cli.runner import assert_refused, run
from tests.games import GAMES, TOY, long_ones_slow


def replays_of(name, games=3):
    count = load(name).num_players(load(name).options.resolve({}))
    records = play_table(name, ["random"] * count, games, seed=4, replays=True).records
    return records.replays


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text("".join(replay.write() + "\n" for replay in replays_of(TOY)))
    return path


@pytest.fixture
def replay(capsys, monkeypatch):
    def go(*arguments, typed=""):
        return run(capsys, monkeypatch, "replay", *arguments, typed=typed)

    return go


def test_stepping(replay, file):
    length = len(replays_of(TOY)[0].actions)
    done = replay(file, typed="\nn\nb\ne\ns\n2\njump 1\nt\nnext\nq\nn\n")
    assert done.code == 0, done.err
    seen = [
        line.split("/")[0].split()[-1]
        for line in done.out.splitlines()
        if f"/{length} Player" in line
    ]
    assert seen == ["1", "2", "1", f"{length}", "2", "1", "1", "2"]
    assert "game 1 of 3" in done.out
    assert "0 Player 0: random" in done.out
    assert done.out.count("points") >= 3, "the end shows the result"
    assert "not genuine" not in done.err


def test_the_ends_are_not_left_and_nonsense_is_answered(replay, file):
    done = replay(file, typed="b\n99\ne\nn\nfly\n")
    assert done.code == 0
    assert "start of the game; positions are 0 to" in done.out
    assert done.out.count("end of the game; positions are 0 to") == 2
    assert "'fly' is not a command" in done.out


@pytest.mark.parametrize("name", long_ones_slow(GAMES))
def test_by_itself_to_the_end(replay, name, tmp_path):
    path = tmp_path / "one.jsonl"
    recorded = replays_of(name, 1)[0]
    path.write_text(recorded.write())
    done = replay(path, "--auto", 0)
    assert done.code == 0
    length = len(recorded.actions)
    for ply in (1, length // 2, length):
        assert f"{ply}/{length} " in done.out
    game = load(name)
    scores = recorded.verify(game).scores
    assert all(game.score_text(score) in done.out for score in scores)


def test_a_seat_sees_its_own_cards_and_no_rival_choices(replay, file):
    open_table = replay(file, "--auto", 0).out
    seat = replay(file, "--auto", 0, "--seat", 1).out
    tables = [line for line in seat.splitlines() if line and set(line) <= set("0123456789? ")]
    assert all(table.split()[0] == "?" and table.split()[2] == "?" for table in tables)
    assert "?" not in open_table
    headings = [line for line in seat.splitlines() if "/" in line[:3]]
    assert any(line.endswith("Player 0") for line in headings), "a rival's choice is not named"
    assert any("Player 1: " in line for line in headings)
    assert any("Player 0: " in line for line in open_table.splitlines() if "/" in line[:3])


def test_another_game_of_the_file(replay, file):
    done = replay(file, "--game", 3, typed="")
    assert "game 3 of 3" in done.out
    assert f"seed {replays_of(TOY)[2].seed}" in done.out


def test_verify_accepts_genuine_games(replay, file):
    done = replay(file, "--verify")
    assert (done.code, done.out, done.err) == (0, "3 games genuine\n", "")
    assert replay(file, "--verify", "--game", 2).out == "1 game genuine\n"


def tamper(file, number, **changes):
    lines = file.read_text().splitlines()
    data = json.loads(lines[number - 1])
    data.update({key: change(data[key]) for key, change in changes.items()})
    lines[number - 1] = json.dumps(data)
    file.write_text("\n".join(lines))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"actions": lambda a: [1 - a[0], *a[1:]]}, "decision 0"),
        (
            {"chain": lambda c: c[:-1] + ("0" if c[-1] != "0" else "1")},
            "differs from the record after",
        ),
        ({"seed": lambda s: str(int(s) ^ 1)}, "after the start"),
        ({"actions": lambda a: a[:-1], "chain": lambda c: c[:-8]}, "stops before the end"),
        ({"actions": lambda a: [*a, 0]}, "already over"),
        ({"rules_version": lambda v: v + 1}, "rules version 2"),
    ],
)
def test_verify_names_what_is_not_genuine(replay, file, changes, words):
    tamper(file, 2, **changes)
    done = replay(file, "--verify")
    assert done.code == 1
    assert "game 2: not genuine" in done.err
    assert words in done.err
    assert "1 of 3 games not genuine" in done.err
    assert "game 1:" not in done.err
    assert "game 3:" not in done.err
    assert "Traceback" not in done.err


def test_a_game_that_is_not_genuine_can_be_seen_up_to_there(replay, file):
    tamper(file, 1, actions=lambda a: [a[0], 3, 3, 3])
    done = replay(file, typed="e\n")
    assert done.code == 0
    assert "warning: not genuine" in done.err
    assert "1/1 Player" in done.out or "2/2 Player" in done.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--game", "0"], ["0 must be 1..3"]),
        (["--game", "4"], ["4 must be 1..3"]),
        (["--game", "4", "--verify"], ["4 must be 1..3"]),
        (["--seat", "3"], ["'3' must be 0..2 or open"]),
        (["--seat", "mine"], ["'mine' must be 0..2 or open"]),
        (["--auto", "-1"], ["--auto"]),
        (["--auto", "nan"], ["--auto"]),
        (["--auto", "inf"], ["--auto"]),
        (["--auto", "1e300"], ["--auto"]),
        (["--seat", "9" * 5000], ["--seat", "must be 0..2 or open"]),
        (["--game", "9" * 4000], ["must be 1..3"]),
    ],
)
def test_bad_arguments(replay, file, arguments, words):
    done = replay(file, *arguments)
    assert_refused(done, *words)
    assert all(len(line) < 500 for line in done.err.splitlines())


@pytest.fixture
def leduc(tmp_path):
    """Games whose picture changes with every decision."""
    path = tmp_path / "leduc.jsonl"
    path.write_text("".join(one.write() + "\n" for one in replays_of("leduc")))
    return path


def frames_in(path):
    with Image.open(path) as image:
        return image.n_frames


def test_a_game_becomes_an_animation(replay, leduc, tmp_path):
    out = tmp_path / "game.gif"
    count = len(replays_of("leduc")[1].actions) + 1
    done = replay(leduc, "--gif", out, "--game", 2)
    assert done.code == 0, done.err
    assert f"{out}: {count} of {count} positions" in done.out
    assert frames_in(out) == count
    assert replay(leduc, "--gif", out, "--game", 2, "--every", 2, "--auto", 0.1).code == 0
    assert frames_in(out) == len({*range(0, count, 2), count - 1})
    with Image.open(out) as image:
        assert image.info["duration"] == 100
        image.seek(image.n_frames - 1)
        assert image.info["duration"] == 3000
    replay(leduc, "--gif", out, "--every", 100)
    assert frames_in(out) == 2, "the start and the end"


def test_an_animation_has_not_too_many_frames(replay, leduc, tmp_path, monkeypatch):
    monkeypatch.setattr("gangland.commands.replay.FRAMES", 3)
    assert len(replays_of("leduc")[0].actions) > 3
    replay(leduc, "--gif", tmp_path / "game.gif")
    assert 2 <= frames_in(tmp_path / "game.gif") <= 3


def test_an_animation_shows_what_the_seat_may_know(replay, file, tmp_path, monkeypatch):
    shown = []
    monkeypatch.setattr(
        "gangland.envs.api.raster.save_gif",
        lambda path, pictures, *_: (shown.append("".join(pictures)), path.write_bytes(b"")),
    )
    for seat in ("1", "open"):
        assert replay(file, "--gif", tmp_path / "game.gif", "--seat", seat).code == 0
    hidden, everything = (text.count(">?") + text.count(" ?") for text in shown)
    assert hidden > everything == 0


def test_an_animation_of_a_game_that_is_not_genuine_goes_up_to_there(replay, leduc, tmp_path):
    tamper(leduc, 1, actions=lambda a: [a[0], 9])
    done = replay(leduc, "--gif", tmp_path / "game.gif")
    assert done.code == 0
    assert "warning: not genuine" in done.err
    assert frames_in(tmp_path / "game.gif") == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--gif", "game.png"], ["--gif", "game.png must end in .gif"]),
        (["--gif", "none/game.gif"], ["the folder none does not exist"]),
        (["--gif", "."], ["is a folder"]),
        (["--gif", "game.gif", "--game", "4"], ["4 must be 1..3"]),
        (["--gif", "game.gif", "--seat", "3"], ["'3' must be 0..2 or open"]),
        (["--gif", "game.gif", "--every", "0"], ["--every"]),
        (["--gif", "game.gif", "--verify"], ["either --verify or --gif"]),
        (["--every", "2"], ["give --gif OUT.gif"]),
    ],
)
def test_bad_animations(replay, file, tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    assert_refused(replay(file, *arguments), *words)
    assert not list(tmp_path.glob("*.gif"))


def test_bad_files(replay, file, tmp_path):
    assert_refused(replay(tmp_path / "none.jsonl"), "none.jsonl")
    assert_refused(replay(tmp_path), str(tmp_path))
    (tmp_path / "text").write_text("hello\n")
    assert_refused(replay(tmp_path / "text"), "text, line 1", "not a replay")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    assert_refused(replay(tmp_path / "bytes"), "bytes")
    (tmp_path / "empty").write_text("")
    assert_refused(replay(tmp_path / "empty", "--verify"), "holds no replay")
    tamper(file, 1, game=lambda _: "poker")
    for arguments in ([], ["--verify"]):
        refused = replay(file, *arguments)
        assert_refused(refused, "no game 'poker'")
        assert refused.out == ""


def test_another_rules_version_is_refused(replay, file):
    tamper(file, 1, rules_version=lambda v: v + 1)
    assert_refused(replay(file), "recorded with highcard rules version 2", "version 1")


def test_bad_options_in_a_replay_are_refused(replay, file):
    tamper(file, 1, options=lambda o: {**o, "players": 9})
    assert_refused(replay(file), "players=9")


@pytest.mark.parametrize("count", [1, 1000])
def test_players_are_as_many_as_seats(replay, file, count):
    tamper(file, 2, players=lambda _: ["random"] * count)
    words = f"players: there are {count}, must be 0 or 3"
    assert_refused(replay(file, "--game", 2), words)
    done = replay(file, "--verify")
    assert done.code == 1
    assert f"game 2: not genuine: {words}" in done.err
    tamper(file, 2, players=lambda _: [])
    assert replay(file, "--verify").code == 0


@pytest.mark.parametrize("digits", [3000, 6000])
@pytest.mark.parametrize("arguments", [(), ("--verify",)])
@pytest.mark.parametrize("key", ["rules_version", "actions"])
def test_numbers_of_thousands_of_digits_are_cut_short(replay, file, arguments, digits, key):
    text = file.read_text()
    value = {"rules_version": '"rules_version":1', "actions": '"actions":['}[key]
    assert value in text
    file.write_text(text.replace(value, f"{value}{'1' * digits}{',' * (key == 'actions')}"))
    done = replay(file, *arguments, typed="q\n")
    assert done.err
    assert "Traceback" not in done.err
    assert all(len(line) < 500 for line in done.err.splitlines())


def test_what_is_typed_may_have_thousands_of_digits(replay, file):
    done = replay(file, typed=f"{'9' * 5000}\nj {'9' * 5000}\ne\n")
    assert done.code == 0, done.err
    assert done.out.count("is not a command") == 2
    assert all(len(line) < 500 for line in done.out.splitlines())


LONG = "a number of 5000 digits"


@pytest.mark.parametrize(
    "name", ["\x1b]0;title\x07", "\x1b[8mAl", "Al\u202e", "Al\u200b", "\x9b2J"]
)
def test_names_are_escaped(replay, file, name):
    tamper(file, 1, players=lambda names: [name] * len(names))
    done = replay(file, typed="e\n")
    assert done.code == 0, done.err
    assert name not in done.out
    assert ascii(name)[1:-1] in done.out


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("[" * 200_000, "not a replay"),
        ('{"a":' * 200_000, "not a replay"),
        ({"seed": LONG}, "not a replay"),
        ({"seed": "9" * 5000}, "seed="),
        ({"options": {"seed": 5}}, "unknown option seed=5"),
        ({"options": {"self": 5}}, "unknown option self=5"),
        ({"options": {"players": "\x1b[2J"}}, "players="),
    ],
    ids=["lists", "objects", "number", "digits", "seed", "self", "codes"],
)
@pytest.mark.parametrize("arguments", [(), ("--seat", "0")])
def test_crafted_files_are_refused_in_one_line(replay, file, line, words, arguments):
    if isinstance(line, dict):
        line = json.dumps({**json.loads(file.read_text().splitlines()[0]), **line})
    file.write_text(line.replace(f'"{LONG}"', "1" * 5000))
    done = replay(file, *arguments, typed="q\n")
    assert_refused(done, words)
    assert "\x1b" not in done.err
