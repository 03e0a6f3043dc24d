"""Checkpoints that no training has made: small ones that are whole, and ways to damage them."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from gangland.agents.trained.items import described, item_blocks
from gangland.agents.trained.model_file import FORMAT_VERSION, MODEL_FILE, WEIGHTS_FILE
from gangland.agents.trained.policy import identity
from gangland.agents.trained.weights import shapes_of

SMALL = {
    "shared": [9],
    "policy": [6],
    "value": [5],
    "chances": 0,
}


def write_checkpoint(folder: Path, game: Any, *, seed: int = 0, **network: Any) -> Path:
    """A checkpoint of random weights."""
    from safetensors.numpy import save

    blocks = described(item_blocks(game))
    model = {
        "format_version": FORMAT_VERSION,
        **identity(game),
        "network": {**SMALL, **network},
        "item_blocks": {name: blocks[name] for name in network.get("items", {})},
    }
    rng = np.random.default_rng(seed)
    arrays = {
        name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes_of(model).items()
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / WEIGHTS_FILE).write_bytes(save(arrays))
    (folder / MODEL_FILE).write_text(json.dumps(model))
    return folder


def change_model(folder: Path, **changes: Any) -> None:
    """Set fields of ``model.json``; a dot, written as two underscores, leads into ``network``."""
    path = folder / MODEL_FILE
    model = json.loads(path.read_text())
    for key, value in changes.items():
        outer, _, inner = key.partition("__")
        if inner:
            model[outer][inner] = value
        else:
            model[outer] = value
    path.write_text(json.dumps(model))


# --- weights --------------------------------------------------------------------------------------

FIRST = "player/shared.0.weight"
HEAD = "player/policy.head.weight"
BIAS = "player/policy.head.bias"
BIAS = "player/value.0.bias"

Arrays = dict[str, np.ndarray]


def _set(name: str, change: Callable[[np.ndarray], np.ndarray]) -> Callable[[Arrays], None]:
    def edit(arrays: Arrays) -> None:
        arrays[name] = np.ascontiguousarray(change(arrays[name]))

    return edit


def _put(name: str, value: float) -> Callable[[Arrays], None]:
    def edit(arrays: Arrays) -> None:
        arrays[name].flat[-1] = value

    return edit


def _without(name: str) -> Callable[[Arrays], None]:
    def edit(arrays: Arrays) -> None:
        del arrays[name]

    return edit


def _rename(old: str, new: str) -> Callable[[Arrays], None]:
    def edit(arrays: Arrays) -> None:
        arrays[new] = arrays.pop(old)

    return edit


def _swap(one: str, two: str) -> Callable[[Arrays], None]:
    def edit(arrays: Arrays) -> None:
        arrays[one], arrays[two] = arrays[two], arrays[one]

    return edit


def _narrow_everywhere(arrays: Arrays) -> None:
    """As if trained for fewer inputs: the layers fit each other."""
    arrays[FIRST] = np.ascontiguousarray(arrays[FIRST][:, :3])


def _five_actions(arrays: Arrays) -> None:
    arrays[HEAD] = np.ones((5, arrays[HEAD].shape[1]), np.float32)
    arrays[BIAS] = np.ones(5, np.float32)


def _two_values(arrays: Arrays) -> None:
    arrays["player/value.head.weight"] = np.ones((2, 5), np.float32)
    arrays["player/value.head.bias"] = np.ones(2, np.float32)


ARRAYS: dict[str, tuple[Callable[[Arrays], None], str]] = {
    "float64": (_set(FIRST, lambda a: a.astype(np.float64)), FIRST),
    "uint16": (_set(FIRST, lambda a: a.astype(np.uint16)), FIRST),
    "int32": (_set(FIRST, lambda a: a.astype(np.int32)), FIRST),
    "bool": (_set(BIAS, lambda a: a > 0), BIAS),
    "transposed": (_set(FIRST, lambda a: a.T), FIRST),
    "too narrow": (_narrow_everywhere, FIRST),
    "too wide": (_set(FIRST, lambda a: np.hstack([a, a])), FIRST),
    "a layer too small": (_set(FIRST, lambda a: a[:-1]), FIRST),
    "five actions": (_five_actions, HEAD),
    "more actions": (_set(HEAD, lambda a: np.vstack([a, a])), HEAD),
    "short bias": (_set(BIAS, lambda a: a[:1]), BIAS),
    "two values": (_two_values, "player/value.head.weight"),
    "flat": (_set(FIRST, np.ravel), FIRST),
    "0-d": (_set(BIAS, lambda a: np.float32(1.0).reshape(())), BIAS),
    "3-d": (_set(FIRST, lambda a: a[None]), FIRST),
    "empty": (_set(FIRST, lambda a: a[:0]), FIRST),
    "no columns": (_set(FIRST, lambda a: a[:, :0]), FIRST),
    "nan": (_put(FIRST, np.nan), FIRST),
    "infinity": (_put(HEAD, np.inf), HEAD),
    "minus infinity": (_put(BIAS, -np.inf), BIAS),
    "missing": (_without(BIAS), BIAS),
    "value missing": (_without("player/value.0.weight"), "player/value.0.weight"),
    "nothing": (lambda arrays: arrays.clear(), FIRST),
    "extra": (lambda arrays: arrays.update(more=np.ones(3, np.float32)), "'more'"),
    "another role": (_rename(BIAS, "dealer/policy.head.bias"), BIAS),
    "renamed": (_rename(FIRST, "player/shared.00.weight"), FIRST),
    "a path": (_rename(FIRST, "../../player/shared.0.weight"), FIRST),
    "swapped": (_swap(FIRST, HEAD), FIRST),
    "bias missing": (_without(BIAS), BIAS),
    "bias too short": (_set(BIAS, lambda a: a[:-1]), BIAS),
    "bias too long": (_set(BIAS, lambda a: np.tile(a, 9)), BIAS),
    "bias empty": (_set(BIAS, lambda a: a[:0]), BIAS),
    "bias a column": (_set(BIAS, lambda a: a[:, None]), BIAS),
    "bias 0-d": (_set(BIAS, lambda a: np.float32(1.0).reshape(())), BIAS),
    "bias float64": (_set(BIAS, lambda a: a.astype(np.float64)), BIAS),
    "bias nan": (_put(BIAS, np.nan), BIAS),
}
"""Damage to tensors, with what the error names."""


def damage_arrays(folder: Path, edit: Callable[[Arrays], None]) -> None:
    from safetensors.numpy import load, save

    path = folder / WEIGHTS_FILE
    arrays = {name: array.copy() for name, array in load(path.read_bytes()).items()}
    edit(arrays)
    path.write_bytes(save(arrays))


def _header(change: Callable[[dict[str, Any]], None]) -> Callable[[bytes], bytes]:
    def edit(data: bytes) -> bytes:
        (length,) = struct.unpack("<Q", data[:8])
        header = json.loads(data[8 : 8 + length])
        change(header)
        text = json.dumps(header).encode()
        return struct.pack("<Q", len(text)) + text + data[8 + length :]

    return edit


def _twice(data: bytes) -> bytes:
    """The first tensor's entry stands twice, the same both times."""
    (length,) = struct.unpack("<Q", data[:8])
    text = data[8 : 8 + length].strip()
    name, entry = next(iter(json.loads(text).items()))
    text = b"{" + json.dumps({name: entry})[1:-1].encode() + b"," + text[1:]
    return struct.pack("<Q", len(text)) + text + data[8 + length :]


BYTES: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda data: data[: len(data) // 2],
    "cut in the header": lambda data: data[:40],
    "no bytes": lambda data: b"",
    "longer": lambda data: data + b"\0" * 64,
    "much longer": lambda data: data + b"\0" * 2_000_000,
    "header too long": lambda data: struct.pack("<Q", len(data) * 2) + data[8:],
    "header endless": lambda data: struct.pack("<Q", 2**63) + data[8:],
    "header short": lambda data: struct.pack("<Q", 20) + data[8:],
    "no JSON": lambda data: struct.pack("<Q", 4) + b"text" + data,
    "nested": lambda data: struct.pack("<Q", 50_000) + b"[" * 50_000,
    "twice": _twice,
    "negative width": _header(lambda h: h[FIRST].update(shape=[-9, -24])),
    "huge": _header(lambda h: h[FIRST].update(shape=[2**40, 2**40])),
    "offsets beyond": _header(lambda h: h[FIRST].update(data_offsets=[0, 2**40])),
    "offsets reversed": _header(lambda h: h[FIRST].update(data_offsets=[400, 0])),
    "overlapping": _header(lambda h: h[FIRST].update(h[HEAD])),
    "unknown type": _header(lambda h: h[FIRST].update(dtype="F128")),
    "shape in words": _header(lambda h: h[FIRST].update(shape="all")),
}
"""Damage to the file of weights."""


# --- model.json -----------------------------------------------------------------------------------

FIELDS: dict[str, tuple[dict[str, Any], str]] = {
    "wrong game": ({"game": "chess"}, "game is 'chess', the game has 'highcard'"),
    "game a path": ({"game": "../../etc"}, "game="),
    "rules": ({"rules_version": 99}, "rules_version is 99"),
    "observation": ({"observation_size": 3}, "observation_size is 3"),
    "observation in words": ({"observation_size": "24"}, "observation_size='24'"),
    "observation a fraction": ({"observation_size": 24.0}, "observation_size=24.0"),
    "observation true": ({"observation_size": True}, "observation_size=True"),
    "observation huge": ({"observation_size": 2**60}, "observation_size="),
    "no actions": ({"num_actions": 0}, "num_actions=0"),
    "actions": ({"num_actions": 5}, "num_actions is 5"),
    "no roles": ({"roles": []}, "roles=[]"),
    "another role": ({"roles": ["dealer"]}, "roles is ['dealer']"),
    "a role more": ({"roles": ["player", "guest"]}, "roles is ['player', 'guest']"),
    "a role twice": ({"roles": ["player", "player"]}, "must be different"),
    "roles in words": ({"roles": "player"}, "roles='player'"),
    "many roles": ({"roles": [f"r{k}" for k in range(999)]}, "roles="),
    "negative width": ({"network__shared": [-9]}, "network.shared.0=-9"),
    "width zero": ({"network__shared": [0]}, "network.shared.0=0"),
    "width in words": ({"network__policy": ["6"]}, "network.policy.0='6'"),
    "width huge": ({"network__value": [2**62]}, "network.value.0="),
    "weights huge": ({"network__shared": [65_536] * 16}, "weights, must be at most"),
    "another width": ({"network__shared": [10]}, "player/shared.0.weight"),
    "a layer more": ({"network__policy": [6, 6]}, "player/policy.1.weight"),
    "a layer less": ({"network__value": []}, "player/value.0.weight"),
    "layers endless": ({"network__shared": [1] * 100_000}, "network.shared="),
    "temperature nan": ({"temperature": float("nan")}, "temperature=nan"),
    "temperature in words": ({"temperature": "1"}, "temperature='1'"),
    "temperature negative": ({"temperature": -1.0}, "temperature=-1.0"),
    "a part more": ({"network__critic": [3]}, "unknown key 'network.critic'"),
    "a field more": ({"command": "touch x"}, "unknown key 'command'"),
    "no network": ({"network": None}, "network=None"),
    "version": ({"format_version": "1"}, "format_version is '1'"),
    "steps negative": ({"steps": -1}, "steps=-1"),
    "colours in a rating": (
        {"ratings": [{"baseline": "\x1b[31m", "players": 3, "win_share": 0.1, "par": 0.3}]},
        "ratings.0.baseline",
    ),
    "too large": ({"config": {"x": "y" * 2_000_000}}, "at most 1000000 bytes"),
}
"""Fields of ``model.json``, with what the error names."""

TEXTS: dict[str, Callable[[str], bytes]] = {
    "no JSON": lambda text: b"{",
    "a list": lambda text: b"[]",
    "empty": lambda text: b"",
    "no text": lambda text: b"\xff\xfe" + text.encode(),
    "nested": lambda text: b'{"config":' + b"[" * 200_000,
    "twice": lambda text: text.replace("{", '{"game": "chess", ', 1).encode(),
    "a number too long": lambda text: text.replace("1", "1" * 5000, 1).encode(),
}
"""What stands in the place of ``model.json``."""


HOSTILE = [
    "cmd:touch FILE",
    " cmd:touch FILE",
    "heuristic\ncmd:touch FILE",
    "http://127.0.0.1:9/bots/x",
    "llm:http://127.0.0.1:9/v1?model=x",
    "ppo:hf://org/name",
    "https://127.0.0.1:9/bots/x",
    "ppo:ITSELF",
    "ppo:chicago",
    "ismcts:1000000",
    "../..",
    "/etc/passwd",
    "heuristic:../../x",
    "heuristic:",
    "heuristic:nobody",
    "heuristic:specified?x=1",
    "human",
    "os:system",
    "",
]
"""What no file may have run or looked for. FILE and ITSELF are filled in."""


def fill(text: str, folder: Path, file: Path) -> str:
    return text.replace("FILE", str(file)).replace("ITSELF", str(folder))


def damages() -> dict[str, Callable[[Path], None]]:
    """Every way to damage a checkpoint folder of :func:`write_checkpoint`, by name."""
    found: dict[str, Callable[[Path], None]] = {}
    for name, (edit, _) in ARRAYS.items():
        found[f"tensor {name}"] = lambda folder, edit=edit: damage_arrays(folder, edit)
    for name, change in BYTES.items():
        found[f"file {name}"] = lambda folder, change=change: _rewrite(
            folder / WEIGHTS_FILE, change
        )
    for name, (fields, _) in FIELDS.items():
        found[f"field {name}"] = lambda folder, fields=fields: change_model(folder, **fields)
    for name, write in TEXTS.items():
        found[f"text {name}"] = lambda folder, write=write: (folder / MODEL_FILE).write_bytes(
            write((folder / MODEL_FILE).read_text())
        )
    found["weights gone"] = lambda folder: (folder / WEIGHTS_FILE).unlink()
    found["weights a folder"] = lambda folder: (
        (folder / WEIGHTS_FILE).unlink(),
        (folder / WEIGHTS_FILE).mkdir(),
    )
    return found


def named_by() -> dict[str, str]:
    """What the error has to name, by the name of the damage, where that is one thing."""
    words = {f"tensor {name}": word for name, (_, word) in ARRAYS.items()}
    return words | {f"field {name}": word for name, (_, word) in FIELDS.items()}


def _rewrite(path: Path, change: Callable[[bytes], bytes]) -> None:
    path.write_bytes(change(path.read_bytes()))
