"""Replays: written, read, verified; tampering and drift are seen and placed."""

from __future__ import annotations

import json

import pytest

from gangland.envs import load
from gangland.envs.core.replay import Recorder, Replay, ReplayError, read_replays, record
from tests.games import TOY

GAME = load(TOY)


@pytest.fixture
def replay():
    recorder = Recorder(GAME, seed=5, names=("a", "b", "c", "d"), players=4)
    while not GAME.is_over(recorder.state):
        recorder.apply(GAME.legal_actions(recorder.state)[-1])
    return recorder.replay()


def changed(replay, **values):
    return Replay.read(json.dumps({**json.loads(replay.write()), **values}))


def test_round_trip(replay):
    assert "\n" not in replay.write()
    again = Replay.read(replay.write())
    assert again == replay
    assert again.verify(GAME).places
    assert len(list(again.steps(GAME))) == len(replay.actions)
    assert record(GAME, 5, list(replay.actions), players=4).chain == replay.chain


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"seed": 6}, "after the start"),
        ({"actions": [1, 2, 1, 3, 1, 3, 1, 3]}, "after decision 1"),
        ({"actions": [1, 3, 1]}, "9 links for 3 decisions"),
        ({"rules_version": 99}, "rules version 99"),
    ],
)
def test_tampering_is_seen_and_placed(replay, values, message):
    with pytest.raises(ReplayError, match=message):
        changed(replay, **values).verify(GAME)


def test_a_changed_link_is_seen(replay):
    chain = replay.chain
    flipped = chain[:16] + ("0" if chain[16] != "0" else "1") + chain[17:]
    with pytest.raises(ReplayError, match="after decision 1"):
        changed(replay, chain=flipped).verify(GAME)


def test_illegal_and_surplus_decisions_are_named(replay):
    with pytest.raises(ReplayError, match=r"decision 0: .*action 3"):
        changed(replay, actions=[3]).verify(GAME)
    with pytest.raises(ReplayError, match="already over"):
        changed(replay, actions=[*replay.actions, 0]).verify(GAME)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("hello", "not a replay: is not JSON from character 1 on$"),
        ("[]", "JSON object"),
        ('{"format":"chess"}', "format"),
        ('{"format":"gangland-replay/2","game":3}', "game=3: must be of type str"),
    ],
)
def test_unreadable_lines_are_named(line, message):
    with pytest.raises(ReplayError, match=message):
        Replay.read(line)


def test_unknown_keys_and_wrong_seeds_are_named(replay):
    with pytest.raises(ReplayError, match="surprise"):
        changed(replay, surprise=1)
    with pytest.raises(ReplayError, match="seed=-1"):
        changed(replay, seed=-1)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("actions", ["draw"], "actions: must be integers"),
        ("actions", [True], "actions: must be integers"),
        ("actions", [-1], "actions: must be integers"),
        ("actions", [10**4000], "actions: must be integers"),
        ("rules_version", 10**4000, "rules_version, actions: must be integers"),
        ("players", ["a", "b", "c", 4], "players: must be texts"),
        ("players", ["a", "b", "c", None], "players: must be texts"),
        ("game", ["x" * 5000], r"game=\['x{150}.*\.\.\.: must be of type str"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_values_of_other_kinds_are_named(replay, key, value, message):
    with pytest.raises(ReplayError, match=message) as refused:
        changed(replay, **{key: value})
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize(
    "seed", [2**64, "18446744073709551616", "", "5.0", "\u0663", True, None, 5.0]
)
def test_what_is_no_seed_of_64_bits_is_refused(replay, seed):
    with pytest.raises(ReplayError, match=r"seed=.*: must be 0..18446744073709551615"):
        changed(replay, seed=seed)


def test_a_replay_outlives_programs_whose_numbers_have_53_bits():
    """JavaScript reads every number as a double; the page writes the file from what it has read."""
    recorder = Recorder(GAME, seed=2**64 - 1)
    while not GAME.is_over(recorder.state):
        recorder.apply(GAME.legal_actions(recorder.state)[0])
    line = recorder.replay().write()
    passed_on = json.dumps(json.loads(line, parse_int=lambda digits: int(float(digits))))
    again = Replay.read(passed_on)
    assert again.seed == 2**64 - 1
    assert again.verify(GAME).places
    assert Replay.read(line.replace(f'"{2**64 - 1}"', f"{2**64 - 1}")) == again


def test_files_name_the_line(tmp_path, replay):
    file = tmp_path / "games.jsonl"
    file.write_text(f"{replay.write()}\n\n{replay.write()}\n")
    assert read_replays(file) == [replay, replay]
    file.write_text(f"{replay.write()}\nnonsense\n")
    with pytest.raises(ReplayError, match=r"games.jsonl, line 2: not a replay"):
        read_replays(file)
    file.write_text("\n")
    with pytest.raises(ReplayError, match="holds no replay"):
        read_replays(file)
    with pytest.raises(ReplayError, match="absent"):
        read_replays(tmp_path / "absent.jsonl")


def test_a_file_with_a_byte_order_mark_is_read(tmp_path, replay):
    file = tmp_path / "games.jsonl"
    file.write_text(replay.write() + "\n", encoding="utf-8-sig")
    assert read_replays(file) == [replay]
