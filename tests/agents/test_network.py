"""One description of a network, three runners: NumPy, torch and ONNX compute the same."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.agents.trained.items import NO_ACTION, ItemBlock, item_blocks
from gangland.agents.trained.network import PARTS, build
from gangland.agents.trained.numpy_network import NumpyNetwork
from gangland.envs import load
from gangland.envs.crime_lords.data import CARDS_DATA
from gangland.envs.gangsters.observation.layout import BUILDING_CODES

OBSERVATION, ACTIONS, ROWS = 12, 7, 300
LAYOUTS = [
    {"shared": [9, 8], "policy": [6], "value": []},
    {"shared": [], "policy": [], "value": [5, 4]},
    {"shared": [10], "policy": [6, 5], "value": [3], "chances": 4},
]
BLOCKS = {
    "tiles": ItemBlock(1, 3, 2, True, ((4, 0), (2, -1), (-1, 6))),
    "cards": ItemBlock(7, 2, 2, False, ((5,), (3,))),
    "seats": ItemBlock(8, 4, 1, False, ((), (), (), ())),
}
ENCODED = [{}, {"tiles": 5}, {"cards": 3, "tiles": 4, "seats": 2}]


def network_of(layout):
    return {"chances": 0, **layout}


def weights_of(architecture, seed=2):
    rng = np.random.default_rng(seed)
    return {
        name: rng.normal(size=shape).astype(np.float32)
        for name, shape in architecture.shapes.items()
    }


def some_observations(seed=3):
    """With zeros, as games have them."""
    rng = np.random.default_rng(seed)
    inputs = rng.normal(size=(ROWS, OBSERVATION)).astype(np.float32)
    inputs[rng.random(inputs.shape) < 0.5] = 0.0
    return inputs


def run_numpy(architecture, weights, inputs):
    network = NumpyNetwork(architecture, weights)
    logits, values = network.logits_and_values(inputs)
    assert np.array_equal(logits, network.logits(inputs))
    assert np.array_equal(values, network.values(inputs))
    return logits, values


def run_torch(architecture, weights, inputs):
    th = pytest.importorskip("torch")
    from gangland.training.learner.network import PolicyNetwork

    network = PolicyNetwork(architecture, weights)
    with th.no_grad():
        logits, values = network.logits_and_values(th.from_numpy(inputs))
        assert th.equal(logits, network.logits(th.from_numpy(inputs)))
    return logits.numpy(), values.numpy()


def run_onnx(architecture, weights, inputs):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    from gangland.serving.bots.onnx_export import network_model

    model = network_model(architecture, weights)
    session = runtime.InferenceSession(model.SerializeToString())
    logits, values = session.run(["logits", "values"], {"inputs": inputs})
    return logits, values


@pytest.mark.parametrize(
    "layout",
    [
        {**layout, "items": items}
        for layout in LAYOUTS
        for items in ENCODED
        if layout["shared"] or not items
    ],
    ids=str,
)
def test_all_runners_agree(layout):
    architecture = build(network_of(layout), OBSERVATION, ACTIONS, BLOCKS)
    weights, inputs = weights_of(architecture), some_observations()
    logits, values = run_numpy(architecture, weights, inputs)
    assert logits.shape == (ROWS, ACTIONS)
    assert values.shape == (ROWS, 1 + layout.get("chances", 0))
    assert logits.dtype == values.dtype == np.float32
    for run in (run_torch, run_onnx):
        other_logits, other_values = run(architecture, weights, inputs)
        np.testing.assert_allclose(other_logits, logits, atol=5e-5, rtol=1e-4)
        np.testing.assert_allclose(other_values, values, atol=5e-5, rtol=1e-4)


def test_it_is_the_network_by_hand():
    """Written out once more, with plain matrix products in double precision."""
    architecture = build(network_of(LAYOUTS[0]), OBSERVATION, ACTIONS)
    weights, inputs = weights_of(architecture), some_observations()
    names = [name for name in ("shared.0", "shared.1", "policy.0") if f"{name}.weight" in weights]
    x = inputs.astype(np.float64)
    for name in names:
        x = x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
        x = np.maximum(x, 0.0)
    wanted = x @ weights["policy.head.weight"].T + weights["policy.head.bias"]
    logits, _ = run_numpy(architecture, weights, inputs)
    np.testing.assert_allclose(logits, wanted, atol=5e-5, rtol=1e-4)


def test_items_are_read_by_hand():
    """The second network of each block written out with loops, in double precision."""
    layout = {"shared": [9], "policy": [6], "value": [], "items": {"tiles": 5, "cards": 3}}
    architecture = build(network_of(layout), OBSERVATION, ACTIONS, BLOCKS)
    weights, inputs = weights_of(architecture), some_observations()

    def linear(part, x):
        return weights[f"{part}.weight"].astype(float) @ x + weights[f"{part}.bias"]

    for row in range(5):
        x = inputs[row].astype(float)
        items = {
            # Planes: both numbers of a tile stand three apart.
            "tiles": [x[[1, 4]], x[[2, 5]], x[[3, 6]]],
            "cards": [x[7:9], x[9:11]],
        }
        encoded = {
            name: [
                np.maximum(linear(f"items.{name}.encode", item) + place, 0.0)
                for item, place in zip(rows, weights[f"items.{name}.place.weight"], strict=True)
            ]
            for name, rows in items.items()
        }
        first = linear("shared.0", x)
        for name, rows in encoded.items():
            first += linear(f"items.{name}.pool", np.mean(rows, axis=0))
        features = np.maximum(linear("policy.0", np.maximum(first, 0.0)), 0.0)
        wanted = linear("policy.head", features)
        for name, rows in encoded.items():
            for item, actions in zip(rows, BLOCKS[name].actions, strict=True):
                key = linear(f"items.{name}.key", item)
                joined = np.maximum(key + linear(f"items.{name}.query", features), 0.0)
                for action, logit in zip(
                    actions, linear(f"items.{name}.head", joined), strict=True
                ):
                    if action >= 0:
                        wanted[action] += logit
        logits, _ = run_numpy(architecture, weights, inputs[row : row + 1])
        np.testing.assert_allclose(logits[0], wanted, atol=5e-4, rtol=1e-4)


def test_a_row_does_not_depend_on_its_batch():
    layout = {"shared": [200], "policy": [33], "value": [7]}
    architecture = build(network_of(layout), OBSERVATION, ACTIONS)
    weights, inputs = weights_of(architecture), some_observations()
    logits, values = run_numpy(architecture, weights, inputs)
    for rows in (slice(0, 1), slice(7, 8), slice(100, 137), slice(None, None, -1)):
        part, of_part = run_numpy(architecture, weights, np.ascontiguousarray(inputs[rows]))
        assert np.array_equal(part, logits[rows])
        assert np.array_equal(of_part, values[rows])


@pytest.mark.parametrize("layout", [LAYOUTS[1], {**LAYOUTS[2], "items": ENCODED[2]}], ids=str)
def test_a_logit_does_not_depend_on_which_others_are_asked_for(layout):
    architecture = build(network_of(layout), OBSERVATION, ACTIONS, BLOCKS)
    network = NumpyNetwork(architecture, weights_of(architecture))
    inputs = some_observations()
    asked = np.random.default_rng(5).random((ROWS, ACTIONS)) < 0.3
    asked[:10], asked[10:20] = False, True
    all_logits, some = network.logits(inputs), network.logits(inputs, asked)
    assert np.array_equal(some[asked], all_logits[asked])
    assert np.isfinite(some).all()


def test_names_of_parameters_are_those_of_checkpoints():
    layout = {"shared": [9], "policy": [], "value": [5]}
    architecture = build(network_of(layout), OBSERVATION, ACTIONS)
    assert architecture.shapes == {
        "shared.0.weight": (9, 12),
        "shared.0.bias": (9,),
        "policy.head.weight": (7, 9),
        "policy.head.bias": (7,),
        "value.0.weight": (5, 9),
        "value.0.bias": (5,),
        "value.head.weight": (1, 5),
        "value.head.bias": (1,),
    }
    assert {name.split(".")[0] for name in architecture.shapes} == set(PARTS)
    assert architecture.size == sum(map(np.prod, architecture.shapes.values()))


# --- actions on items belong to the very row: their words name what it stands for -----------------

PIECES = {
    "five_points": {
        "tiles": lambda row: (f"place {row}", f"tile {row}", f"rabble {row}/"),
        "row": lambda row: (f"bid {row}+",),
        "buildings": lambda row: (f"building {row}",),
    },
    "crime_lords": {
        "crooks": lambda row: (f"C{row + 1:02}",),
        "rackets": lambda row: (CARDS_DATA["rackets"][row]["id"],),
    },
    "gangsters": {
        "inside": lambda row: (f"go {BUILDING_CODES[row]}",),
        "joints": lambda row: (f"go J{row + 1:02}",),
        "officers": lambda row: tuple(f"{w} {(*range(1, 10), 'U')[row]}" for w in ("cop", "play")),
        "publics": lambda row: tuple(
            f"{w} {('x1a', 'x1b', 'x2', 'x3')[row]}" for w in ("public", "flip")
        ),
    },
}


@pytest.mark.parametrize("name", PIECES)
def test_words_name_the_row(name):
    game = load(name)
    blocks = item_blocks(game)
    rows = [
        (action, block, row)
        for block in PIECES[name]
        for row, actions in enumerate(blocks[block].actions)
        for action in actions
        if action != NO_ACTION
    ]
    rng, met = np.random.default_rng(0), set()
    for seed in range(4):
        state = game.new_state(seed)
        for _ in range(1500):
            if state.over:
                break
            legal = np.flatnonzero(game.action_mask(state))
            allowed = set(legal.tolist())
            for action, block, row in rows:
                if action not in allowed:
                    continue
                text = game.action_text(state, action)
                text = text.removeprefix("TAKE ").removeprefix("REC ").removeprefix("HIT ")
                assert text.startswith(PIECES[name][block](row)), (text, block, row)
                met.add(block)
            game.compiled.apply(state, int(rng.choice(legal)))
    assert met == set(PIECES[name])


def test_seats_are_counted_from_the_decider():
    """Row k of a block of seats is the seat k places on."""
    game = load("chicago")
    actions = item_blocks(game)["seats"].actions
    state = game.new_state(3)
    rng, met = np.random.default_rng(0), 0
    while not state.over:
        legal = np.flatnonzero(game.action_mask(state))
        for row, (action,) in enumerate(actions):
            if action in legal:
                seat = (int(state.seat) + row) % 5
                assert game.action_text(state, action) == f"hit {seat}"
                met += 1
        game.compiled.apply(state, int(rng.choice(legal)))
    assert met
