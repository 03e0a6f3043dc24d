"""The exported policy decides as the one at home, on ten thousand positions of real games."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")

from gangland.agents.trained.model_file import FORMAT_VERSION  # noqa: E402
from gangland.agents.trained.policy import (  # noqa: E402
    CheckpointError,
    PolicyAgent,
    find_checkpoint,
    read_checkpoint,
    shipped_bots,
)
from gangland.agents.trained.weights import shapes_of  # noqa: E402
from gangland.envs import load, make_vec  # noqa: E402
from gangland.serving.bots.onnx_export import export_onnx  # noqa: E402
from tests.agents.checkpoints import write_checkpoint  # noqa: E402
from tests.cli.runner import assert_refused, run  # noqa: E402
from tests.games import slow_but  # noqa: E402

POSITIONS = 10_000
TABLES = 250


def positions(game):
    """Observations, masks and seats of random games, at whatever stage they are."""
    rng = np.random.default_rng(8)
    tables = make_vec(game.name, num_envs=TABLES, seed=8)
    tables.reset()
    found = []
    for _ in range(POSITIONS // TABLES * 3):
        masks = tables.action_masks.copy()
        found.append((tables.observations.copy(), masks, tables.seats.copy()))
        tables.step((rng.random(masks.shape) * masks).argmax(axis=1))
    # Every third step, so that the positions of one table are not neighbours.
    parts = zip(*found[::3], strict=True)
    return [np.concatenate(part) for part in parts]


def session(folder, file, game=None):
    checkpoint = read_checkpoint(folder)
    export_onnx(checkpoint if game is None else checkpoint.fitted(game), file)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    return runtime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])


BOTS = [name for name in shipped_bots() if name.count("/") == 1]
MADE = "made"
"""A bot of random weights that gives one value, as no shipped one does; made by the test."""
FAST = {"chicago/bot", "gangsters/bot", MADE}
"""With one role and with two, and one of a single value."""


@pytest.mark.parametrize("bot", slow_but(FAST, [*BOTS, MADE]))
def test_equal_actions_on_ten_thousand_positions(bot, tmp_path):
    if bot == MADE:
        folder = write_checkpoint(tmp_path / bot, load("chicago"))
    else:
        folder = find_checkpoint(bot)
    game = load(read_checkpoint(folder).model["game"])
    agent = PolicyAgent(game, folder)
    observations, masks, seats = positions(game)
    assert len(masks) == POSITIONS
    assert (masks.sum(axis=1) > 1).mean() > 0.5
    roles = np.array(game.seat_roles(game.options.resolve({})))[seats]
    given = {"observation": observations, "action_mask": masks}
    if len(game.roles) > 1:
        given["role"] = roles.astype(np.int64)
    action, shares, value = session(folder, tmp_path / "bot.onnx", game).run(None, given)

    home = np.full(POSITIONS, -1)
    home_value = np.zeros_like(value)
    for index, role in enumerate(game.roles):
        rows = roles == index
        network = agent.checkpoint.networks[role]
        logits = np.where(masks[rows], network.logits(observations[rows]), -np.inf)
        home[rows] = logits.argmax(axis=1)
        outputs = network.values(observations[rows])
        if agent.gives_chances:
            chances = np.exp(outputs[:, 1:] - outputs[:, 1:].max(1, keepdims=True))
            home_value[rows] = chances / chances.sum(1, keepdims=True)
        else:
            home_value[rows] = outputs[:, 0]
    assert np.array_equal(action, home)
    assert np.abs(value - home_value).max() < 1e-4
    assert (shares[~masks] == 0).all()
    assert np.abs(shares.sum(axis=1) - 1).max() < 1e-5
    assert np.array_equal(shares.argmax(axis=1), action)

    th = pytest.importorskip("torch")
    from gangland.training.learner.network import PolicyNetwork

    for index, role in enumerate(game.roles):
        architecture = agent.checkpoint.networks[role].architecture
        network = PolicyNetwork(architecture, agent.checkpoint.weights[role])
        rows = roles == index
        logits = network.logits(th.from_numpy(observations[rows])).detach()
        logits[~th.from_numpy(masks[rows])] = -th.inf
        assert np.array_equal(action[rows], logits.argmax(dim=1).numpy())


def fake_checkpoint(folder, roles, layout):
    """A checkpoint of the toy's size with random weights."""
    from safetensors.numpy import save_file

    model = {
        "format_version": FORMAT_VERSION,
        "game": "toy",
        "rules_version": 1,
        "observation_size": 12,
        "num_actions": 7,
        "roles": roles,
        "network": layout,
    }
    folder.mkdir()
    (folder / "model.json").write_text(json.dumps(model))
    rng = np.random.default_rng(2)
    shapes = shapes_of(read_checkpoint(folder).model)
    arrays = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    save_file(arrays, folder / "policy.safetensors")
    return read_checkpoint(folder)


@pytest.mark.parametrize(
    "layout",
    [
        {"shared": [9, 8], "policy": [6], "value": []},
        {"shared": [], "policy": [], "value": [5, 4]},
        {"shared": [8], "policy": [], "value": [4], "chances": 5},
    ],
)
def test_every_layout_and_each_rows_own_role(tmp_path, layout):
    roles = ["gang", "police", "judge"]
    checkpoint = fake_checkpoint(tmp_path / "bot", roles, layout)
    ran = session(checkpoint.folder, tmp_path / "bot.onnx")
    rng = np.random.default_rng(3)
    observations = rng.normal(size=(300, 12)).astype(np.float32)
    masks = rng.random((300, 7)) < 0.4
    masks[np.arange(300), rng.integers(0, 7, 300)] = True
    roles = rng.integers(0, 3, 300)
    given = {"observation": observations, "action_mask": masks, "role": roles}
    action, _, last = ran.run(None, given)
    for index, role in enumerate(["gang", "police", "judge"]):
        rows = roles == index
        network = checkpoint.networks[role]
        logits = np.where(masks[rows], network.logits(observations[rows]), -np.inf)
        assert np.array_equal(action[rows], logits.argmax(axis=1))
        outputs = network.values(observations[rows])
        wanted = outputs[:, 0]
        if "chances" in layout:
            shares = np.exp(outputs[:, 1:])
            wanted = shares / shares.sum(1, keepdims=True)
        assert np.abs(last[rows] - wanted).max() < 1e-4


def test_ties_go_to_the_lowest_action(tmp_path):
    """As at home: ties are broken the same way."""
    from safetensors.numpy import load_file, save_file

    layout = {"shared": [], "policy": [], "value": []}
    checkpoint = fake_checkpoint(tmp_path / "bot", ["player"], layout)
    file = checkpoint.folder / "policy.safetensors"
    arrays = load_file(file)
    arrays["player/policy.head.weight"][:] = 0
    arrays["player/policy.head.bias"][:] = 1
    save_file(arrays, file)
    ran = session(checkpoint.folder, tmp_path / "bot.onnx")
    masks = np.array([[0, 0, 1, 1, 0, 1, 0], [0, 0, 0, 0, 0, 1, 1]], bool)
    given = {"observation": np.zeros((2, 12), np.float32), "action_mask": masks}
    assert ran.run(["action"], given)[0].tolist() == [2, 5]


def test_a_missing_layer_is_named(tmp_path):
    from safetensors.numpy import load_file, save_file

    layout = {"shared": [4], "policy": [], "value": []}
    checkpoint = fake_checkpoint(tmp_path / "bot", ["player"], layout)
    file = checkpoint.folder / "policy.safetensors"
    arrays = load_file(file)
    del arrays["player/value.head.bias"]
    save_file(arrays, file)
    with pytest.raises(CheckpointError, match=r"value\.head\.bias"):
        export_onnx(checkpoint, tmp_path / "bot.onnx")
    assert not (tmp_path / "bot.onnx").exists()


def test_command(capsys, monkeypatch, tmp_path):
    file = tmp_path / "bot.onnx"
    assert run(capsys, monkeypatch, "export", "chicago", "--onnx", file).code == 0
    properties = {p.key: json.loads(p.value) for p in onnx.load(file).metadata_props}
    assert properties["game"] == "chicago"
    assert properties["observation_size"] == load("chicago").observation_size
    refused = run(capsys, monkeypatch, "export", "nowhere", "--onnx", file)
    assert_refused(refused, "nowhere", "chicago/bot")
    assert_refused(
        run(capsys, monkeypatch, "export", "chicago", "--onnx", tmp_path / "no" / "bot.onnx"), "no"
    )


def test_export_needs_no_torch(tmp_path):
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from gangland.agents.trained.policy import find_checkpoint, read_checkpoint\n"
        "from gangland.serving.bots.onnx_export import export_onnx\n"
        f"export_onnx(read_checkpoint(find_checkpoint('chicago')), Path({str(tmp_path / 'x')!r}))\n"
        "print('torch' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
