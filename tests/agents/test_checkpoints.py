"""Checkpoints of unknown origin: they run nothing, and what is damaged is refused by name."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest

from gangland.agents import registry
from gangland.agents.registry import UnknownAgentError, make_built_in, policy_spec
from gangland.agents.trained.model_file import (
    MODEL_FILE,
    WEIGHTS_FILE,
    CheckpointError,
    read_bytes,
)
from gangland.agents.trained.policy import PolicyAgent, find_checkpoint, read_checkpoint
from gangland.agents.trained.whole import whole_file, whole_folder
from gangland.envs import load
from tests.agents.checkpoints import (
    HOSTILE,
    change_model,
    damages,
    fill,
    named_by,
    write_checkpoint,
)
from tests.cli.runner import assert_refused, run
from tests.games import TOY, views_of

GAME = load(TOY)
DAMAGES = damages()
NAMED = named_by()


def test_whole_ones_are_played(tmp_path):
    views = views_of(TOY, tables=20, plies=1)
    agent = PolicyAgent(GAME, write_checkpoint(tmp_path, GAME))
    assert views.masks[range(20), agent.decide_batch(views).actions].all()


def test_there_are_many_ways_to_damage_one():
    assert len(DAMAGES) >= 80


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_damaged_is_refused_by_name(tmp_path, damage):
    folder = write_checkpoint(tmp_path / "bot", GAME)
    DAMAGES[damage](folder)
    with pytest.raises(CheckpointError) as refused:
        PolicyAgent(GAME, folder)
    message = str(refused.value)
    assert NAMED.get(damage, "cannot be read") in message or damage == "text a list"
    assert str(folder) in message
    assert "\n" not in message
    assert len(message) < 1500


PLAY_ALL = """
import sys
from pathlib import Path
import faulthandler
from tests import games
from tests.agents.checkpoints import damages, write_checkpoint
from tests.games import views_of
from gangland.agents.trained.policy import CheckpointError, PolicyAgent
from gangland.envs import load
game = load("highcard")
views = views_of("highcard", tables=200, plies=1)
for number, (name, damage) in enumerate(damages().items()):
    folder = write_checkpoint(Path(sys.argv[1]) / str(number), game)
    damage(folder)
    try:
        PolicyAgent(game, folder).decide_batch(views)
    except CheckpointError:
        print("refused")
    else:
        print("played", name)
"""


def test_none_of_them_ends_the_process(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", PLAY_ALL, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    assert done.stdout.splitlines() == ["refused"] * len(DAMAGES)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("name", [MODEL_FILE, "policy.safetensors"])
def test_a_pipe_keeps_nobody_waiting(tmp_path, name):
    folder = write_checkpoint(tmp_path, GAME)
    (folder / name).unlink()
    os.mkfifo(folder / name)
    with pytest.raises(CheckpointError, match="no"):
        PolicyAgent(GAME, folder)
    with pytest.raises(CheckpointError, match="no such file"):
        read_bytes(folder / name, 10)


# --- blocks of items ------------------------------------------------------------------------------

ITEMS = load("chicago")
"""Its observation has a block of six seats, whose rows are read by an encoder."""

BLOCK_DAMAGES = {
    "ends at": {"start": 185},
    "must have 6 rows": {"actions": [[-1]] * 5},
    "of the same length": {"actions": [[-1]] * 5 + [[3, 4]]},
    "must be different": {"actions": [[3]] * 6},
    "below 66": {"actions": [[-1]] * 5 + [[66]]},
    "greater than or equal to -1": {"actions": [[-2]] * 6},
    "greater than or equal to 1": {"rows": 0},
    "valid boolean": {"planes": 1},
    "other item_blocks: seats": {"start": 13},
}


@pytest.mark.parametrize("message", BLOCK_DAMAGES)
def test_a_block_of_items_fits_or_is_refused(tmp_path, message):
    folder = write_checkpoint(tmp_path / "bot", ITEMS, items={"seats": 4})
    views = views_of("chicago", tables=20, plies=5)
    assert len(PolicyAgent(ITEMS, folder).decide_batch(views).actions) == len(views)
    model = json.loads((folder / MODEL_FILE).read_text())
    block = {**model["item_blocks"]["seats"], **BLOCK_DAMAGES[message]}
    change_model(folder, item_blocks={"seats": block})
    with pytest.raises(CheckpointError, match=message) as refused:
        PolicyAgent(ITEMS, folder)
    assert "item_blocks" in str(refused.value)


@pytest.mark.parametrize("blocks", [{}, {"seats": None, "cards": None}])
def test_blocks_are_those_that_the_network_names(tmp_path, blocks):
    folder = write_checkpoint(tmp_path / "bot", ITEMS, items={"seats": 4})
    seats_block = json.loads((folder / MODEL_FILE).read_text())["item_blocks"]["seats"]
    change_model(folder, item_blocks=dict.fromkeys(blocks, seats_block))
    with pytest.raises(CheckpointError, match=r"must be those of network\.items"):
        PolicyAgent(ITEMS, folder)


def test_items_need_a_shared_layer(tmp_path):
    folder = write_checkpoint(tmp_path / "bot", ITEMS, items={"seats": 4})
    change_model(folder, network__shared=[])
    with pytest.raises(CheckpointError, match=r"needs a layer in network\.shared"):
        PolicyAgent(ITEMS, folder)


# --- texts ----------------------------------------------------------------------------------------


@pytest.fixture
def asked(monkeypatch):
    """Every kind of agent but trained ones is watched; returns what they were asked for."""
    asked = []
    for prefix, kind in registry.KINDS.items():
        if prefix != "ppo":
            spy = registry.AgentKind(prefix, kind.usage, kind.doc, lambda *a: asked.append(a))
            monkeypatch.setitem(registry.KINDS, prefix, spy)
    return asked


def test_an_advisor_is_refused_and_not_asked(tmp_path, asked):
    folder, file = tmp_path / "bot", tmp_path / "touched"
    write_checkpoint(folder, GAME)
    change_model(folder, network__advisor=f"cmd:touch {file}")
    with pytest.raises(CheckpointError, match=r"unknown key 'network\.advisor'"):
        registry.make(f"ppo:{folder}", GAME)
    assert asked == []
    assert not file.exists()


CHANGES = {
    "config": lambda text: {
        "start_from": text,
        "imitation": {"until": text},
        "league": {"baselines": [text]},
        "evaluation": {"baselines": [text]},
    },
    "options": lambda text: [{"players": text}],
    "ratings": lambda text: [{"baseline": text, "players": 3, "win_share": 0.5, "par": 0.5}],
    "lineage": lambda text: [{"network": text, "steps": 1}],
    "code_version": lambda text: text,
    "game": lambda text: text,
    "command": lambda text: text,
}
"""Where a text may stand in ``model.json``, and where it may not."""


@pytest.mark.parametrize("text", HOSTILE, ids=repr)
@pytest.mark.parametrize("key", CHANGES)
def test_no_text_runs_anything(tmp_path, asked, key, text):
    folder, file = tmp_path / "bot", tmp_path / "touched"
    write_checkpoint(folder, GAME)
    change_model(folder, **{key: CHANGES[key](fill(text, folder, file))})
    one_line = key in ("ratings", "lineage", "code_version")
    refused = key in ("game", "command") or (one_line and "\n" in text)
    with pytest.raises(CheckpointError) if refused else nullcontext():
        registry.make(f"ppo:{folder}", GAME).decide_batch(views_of(TOY, tables=3, plies=1))
    assert asked == []
    assert not file.exists()


@pytest.mark.parametrize("spec", HOSTILE, ids=repr)
def test_files_can_name_built_in_agents_only(spec):
    with pytest.raises(UnknownAgentError, match="must be one of random, heuristic, "):
        make_built_in(spec, GAME)


def test_built_in_agents():
    for spec in ("random", "heuristic", "heuristic:reckless"):
        assert make_built_in(spec, GAME).spec == spec


def test_what_is_refused_is_refused_on_the_command_line(capsys, monkeypatch, tmp_path):
    folder, file = tmp_path / "bot", tmp_path / "touched"
    hostile = {"command": f"cmd:touch {file}"}
    change_model(write_checkpoint(folder, GAME), **hostile)
    spec = f"ppo:{folder}"
    for words in (
        ("play", "--game", TOY, "--bots", spec),
        ("arena", "--game", TOY, "--agents", f"{spec},random", "--games", 2),
        ("engine", "--game", TOY, "--bot", spec),
        ("export", folder, "--onnx", tmp_path / "bot.onnx"),
    ):
        assert_refused(run(capsys, monkeypatch, *words), "unknown key 'command'")
    monkeypatch.setattr(
        "gangland.agents.trained.policy._shipped_root", lambda: tmp_path / "shipped"
    )
    change_model(write_checkpoint(tmp_path / "shipped" / TOY / "v1", GAME), **hostile)
    assert_refused(run(capsys, monkeypatch, "agents", "--game", TOY), "unknown key 'command'")
    assert not file.exists()


def test_unknown_numbers_of_inputs_are_not_multiplied(tmp_path):
    import numpy as np

    network = read_checkpoint(write_checkpoint(tmp_path, GAME)).networks["player"]
    for shape in ((2, 3), (2, GAME.observation_size + 1), (GAME.observation_size,)):
        for ask in (network.logits, network.values):
            with pytest.raises(ValueError, match=rf"must be \(B, {GAME.observation_size}\)"):
                ask(np.zeros(shape, np.float32))


def test_the_note_of_the_configuration_may_hold_anything(tmp_path):
    folder = write_checkpoint(tmp_path, GAME)
    change_model(folder, config={"ppo": {"learning_rate": float("inf")}, "since": ["later"]})
    PolicyAgent(GAME, folder)


def test_defaults_are_filled_in(tmp_path):
    folder = write_checkpoint(tmp_path, GAME)
    model = json.loads((folder / MODEL_FILE).read_text())
    del model["network"]["chances"]
    (folder / MODEL_FILE).write_text(json.dumps(model))
    network = read_checkpoint(folder).model["network"]
    assert network["chances"] == 0


@pytest.mark.parametrize("old", ["hint", "hint_weight", "hint_scale"])
def test_names_of_earlier_formats_are_refused(tmp_path, old):
    folder = write_checkpoint(tmp_path, GAME)
    change_model(folder, **{f"network__{old}": None})
    with pytest.raises(CheckpointError, match=f"unknown key 'network.{old}'"):
        read_checkpoint(folder)
    change_model(folder, format_version=1)
    with pytest.raises(CheckpointError, match="format_version is 1, this package reads 2"):
        read_checkpoint(folder)


def test_half_as_long_plays_nearly_the_same(capsys, monkeypatch, tmp_path):
    folder, half = write_checkpoint(tmp_path / "bot", GAME), tmp_path / "half"
    assert run(capsys, monkeypatch, "export", folder, "--half", half).code == 0
    before, after = (path / WEIGHTS_FILE for path in (folder, half))
    whole, rounded = read_checkpoint(folder).weights, read_checkpoint(half).weights
    numbers = sum(array.size for layers in whole.values() for array in layers.values())
    assert before.stat().st_size - after.stat().st_size == pytest.approx(2 * numbers, abs=64)
    for role, layers in whole.items():
        for name, array in layers.items():
            other = rounded[role][name]
            assert other.dtype == np.float32
            assert np.array_equal(other, array.astype(np.float16))
            assert not np.array_equal(other, array)
    views = views_of(TOY, tables=20, plies=1)
    one, two = (read_checkpoint(path).networks["player"] for path in (folder, half))
    seen = views.observations[:20]
    assert np.allclose(one.logits(seen), two.logits(seen), rtol=0.01, atol=0.05)
    assert not np.array_equal(one.logits(seen), two.logits(seen))
    assert views.masks[range(20), PolicyAgent(GAME, half).decide_batch(views).actions].all()

    # Again, into the same place: what is there stays.
    kept = (half / MODEL_FILE).read_bytes()
    assert_refused(run(capsys, monkeypatch, "export", folder, "--half", half), "half", "exists")
    assert (half / MODEL_FILE).read_bytes() == kept
    assert_refused(
        run(capsys, monkeypatch, "export", folder, "--half", tmp_path / "no" / "half"), "no/half"
    )
    assert_refused(run(capsys, monkeypatch, "export", folder), "--onnx", "--half")


def test_what_float16_cannot_hold_is_not_written(tmp_path):
    from safetensors.numpy import load_file, save_file

    folder = write_checkpoint(tmp_path / "bot", GAME)
    arrays = load_file(folder / WEIGHTS_FILE)
    arrays["player/policy.head.bias"][0] = -70000
    save_file(arrays, folder / WEIGHTS_FILE)
    with pytest.raises(CheckpointError, match=r"player/policy.head.bias holds 70000"):
        read_checkpoint(folder).write_half(tmp_path / "half")
    assert not (tmp_path / "half").exists()


def test_a_full_disk_leaves_nothing_behind(monkeypatch, tmp_path):
    checkpoint = read_checkpoint(write_checkpoint(tmp_path / "bot", GAME))

    def full(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(CheckpointError, match=r"half cannot be written: No space left"):
            checkpoint.write_half(tmp_path / "half")
    assert [path.name for path in tmp_path.iterdir()] == ["bot"]
    checkpoint.write_half(tmp_path / "half")
    assert read_checkpoint(tmp_path / "half").model == checkpoint.model


def test_a_checkpoint_is_also_found_by_the_spec_of_its_agent():
    assert find_checkpoint("ppo:chicago") == find_checkpoint("chicago")


def test_a_shipped_bot_keeps_its_name_where_a_folder_has_it_too(tmp_path, monkeypatch):
    shutil.copytree(find_checkpoint("five_points"), tmp_path / "chicago")
    monkeypatch.chdir(tmp_path)
    shipped = read_checkpoint(find_checkpoint("chicago"))
    assert shipped.model["game"] == "chicago"
    assert policy_spec(Path("chicago")) == "ppo:./chicago"
    found = read_checkpoint(find_checkpoint(policy_spec(Path("chicago"))))
    assert found.model["game"] == "five_points"


@pytest.mark.parametrize("name", ["a,b", "a?b", " a", "a ", "a\x1b[31mb", "a\nb"])
def test_a_folder_that_no_spec_can_name_is_refused(name):
    with pytest.raises(UnknownAgentError, match="must have no comma, question mark, control"):
        policy_spec(Path(name))


# --- files and folders are complete, or as they were ----------------------------------------------


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def break_off(writer):
    """Begin to write, and fail."""
    with writer as draft:
        (draft / "second" if draft.is_dir() else draft).write_text("sec")
        raise RuntimeError("power")


def test_a_file_takes_the_place_of_an_earlier_one(tmp_path):
    path = tmp_path / "notes.json"
    for text in ("first", "second"):
        with whole_file(path) as draft:
            draft.write_text(text)
        assert path.read_text() == text
    assert names(tmp_path) == ["notes.json"]


def test_a_file_that_was_not_finished_leaves_the_earlier_one(tmp_path):
    path = tmp_path / "notes.json"
    path.write_text("first")
    with pytest.raises(RuntimeError, match="power"):
        break_off(whole_file(path))
    assert path.read_text() == "first"
    assert names(tmp_path) == ["notes.json"]


def test_a_folder_takes_the_place_of_an_earlier_one(tmp_path):
    folder = tmp_path / "bot"
    for name in ("first", "second"):
        with whole_folder(folder) as draft:
            (draft / name).write_text(name)
        assert names(folder) == [name]
    assert names(tmp_path) == ["bot"]


def test_a_folder_that_was_not_finished_leaves_the_earlier_one(tmp_path):
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "first").write_text("first")
    with pytest.raises(RuntimeError, match="power"):
        break_off(whole_folder(folder))
    assert names(folder) == ["first"]
    assert names(tmp_path) == ["bot"]
