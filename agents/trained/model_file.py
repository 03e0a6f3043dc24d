"""``model.json``: what a checkpoint says of itself, checked before anything in it is used.

A checkpoint may come from anybody. No text in it is taken for a program, an address, a path or
another checkpoint: what is not compared with the game is only shown.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)
from pydantic_core import PydanticCustomError

from ...envs.core.errors import GanglandError, reason_of
from .items import ItemBlock
from .network import Architecture, build

FORMAT_VERSION = 2
MODEL_FILE = "model.json"
WEIGHTS_FILE = "policy.safetensors"

MOST_BYTES = 1_000_000
"""Largest ``model.json`` that is read."""
MOST_LAYERS = 16
"""Most hidden layers of one part of a network."""
MOST_WIDTH = 65_536
"""Largest width of a layer."""
MOST_SIZE = 1_000_000
"""Largest observation, and most actions."""
MOST_WEIGHTS = 2**27
"""Most weights of all roles' networks together: 512 MiB."""
MOST_ROLES = 16
MOST_BLOCKS = 100
MOST_SEATS = 100
MOST_ANCESTORS = 1000
SHOWN = 5
"""Most mistakes named in one error."""


class CheckpointError(GanglandError, ValueError):
    """A checkpoint is missing, damaged, or made for something else."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


def _no_truth_value(value: Any) -> Any:
    if isinstance(value, bool):
        raise PydanticCustomError("number", "must be a number")
    return value


Whole = Annotated[int, BeforeValidator(_no_truth_value)]
Number = Annotated[float, BeforeValidator(_no_truth_value)]
"""Numbers, for which ``true`` is no 1."""
Widths = Annotated[
    list[Annotated[Whole, Field(ge=1, le=MOST_WIDTH)]], Field(max_length=MOST_LAYERS)
]
Text = Annotated[str, Field(max_length=200, pattern=r"^[\x20-\x7e]*$")]
Name = Annotated[str, Field(pattern=r"^[^/\\\x00-\x1f\x7f]{1,60}$")]
Share = Annotated[Number, Field(ge=0.0, le=1.0)]
Count = Annotated[Whole, Field(ge=0, le=2**62)]
Positive = Annotated[Number, Field(ge=0.0, le=1e9)]


class NetworkDescription(_Part):
    """A network, of which every role has one with weights of its own.

    :func:`gangland.agents.trained.network.build` turns it into layers.

    Attributes:
        shared: Widths of the hidden layers that policy and value share, each followed by a ReLU.
        policy: Widths of the policy's own hidden layers.
        value: Widths of the value's own hidden layers.
        items: Blocks of the observation whose rows are read by an encoder of their own, and the
            width of its encodings; see :mod:`gangland.agents.trained.items`.
        chances: Most seats of the game, for a value part that gives how likely each seat is to
            win, as a softmax over the seats; 0 for one that gives the deciding seat's expected
            result alone.
    """

    shared: Widths
    policy: Widths
    value: Widths
    items: Annotated[
        dict[Name, Annotated[Whole, Field(ge=1, le=MOST_WIDTH)]], Field(max_length=MOST_BLOCKS)
    ] = {}
    chances: Annotated[Whole, Field(ge=0, le=MOST_SEATS)] = 0

    @model_validator(mode="after")
    def _first_layer(self) -> Self:
        if self.items and not self.shared:
            raise ValueError("network.items: needs a layer in network.shared")
        return self


class ItemBlockDescription(_Part):
    """A block of similar items; see :class:`gangland.agents.trained.items.ItemBlock`."""

    start: Annotated[Whole, Field(ge=0, le=MOST_SIZE)]
    rows: Annotated[Whole, Field(ge=1, le=MOST_SIZE)]
    numbers: Annotated[Whole, Field(ge=1, le=MOST_SIZE)]
    planes: bool
    actions: list[list[Annotated[Whole, Field(ge=-1, le=MOST_SIZE)]]]

    def check(self, name: str, observation_size: int, num_actions: int) -> None:
        """Make sure that a network with it reads and writes nothing beyond its arrays.

        Raises:
            ValueError: Saying what is wrong.
        """
        stop = self.start + self.rows * self.numbers
        if stop > observation_size:
            raise ValueError(f"item_blocks.{name}: ends at {stop}, must be <= {observation_size}")
        kinds = {len(row) for row in self.actions}
        if len(self.actions) != self.rows or len(kinds) > 1:
            raise ValueError(
                f"item_blocks.{name}.actions: must have {self.rows} rows of the same length"
            )
        named = [action for row in self.actions for action in row if action >= 0]
        if len(set(named)) < len(named) or max(named, default=-1) >= num_actions:
            raise ValueError(
                f"item_blocks.{name}.actions: must be different and below {num_actions}"
            )


class Rating(_Part):
    """How the bot, or a level of it, did against a table of one baseline; only shown."""

    baseline: Text
    players: Annotated[Whole, Field(ge=2, le=100)]
    options: dict[Name, int | str | bool] = {}
    role: Name | None = None
    win_share: Share
    par: Share
    games: Count = 0
    interval: Annotated[list[Share], Field(max_length=2)] = []
    score: float = 0.0
    place: float = 0.0


class Level(_Part):
    """One level of a bot; :mod:`gangland.training.measure.levels` finds them.

    Attributes:
        temperature: How it plays; ``null`` as the bot does unless it is asked to play otherwise.
        ratings: How it did against a table of the next lower level, in each role; the lowest one
            against ``random``.
    """

    temperature: Annotated[Number, Field(ge=0.0, le=1e6)] | None = None
    ratings: Annotated[list[Rating], Field(max_length=MOST_ROLES)]


class Ancestor(_Part):
    """A network that a bot has weights from, or play that it has imitated.

    Attributes:
        network: Digest of its file of weights, or of its name where that is not kept any more.
        steps: Decisions that it learnt from itself, its own ancestors' not counted.
    """

    network: Text
    steps: Count


class SearchRating(_Part):
    """What one search over the bot wins at a table of the bot itself.

    Attributes:
        budget: The search's budget and settings, as behind ``search:BOT?``.
        win_share: Its win share.
        interval: The share's 95 % interval.
        par: What equal players win.
        games: Number of games.
    """

    budget: Text
    win_share: Share
    interval: Annotated[list[Share], Field(min_length=2, max_length=2)]
    par: Share
    games: Count


class Model(_Part):
    """Contents of ``model.json``.

    Attributes:
        game: Name of the game; this and the next four fields must equal the game's own.
        rules_version: Version of its rules.
        observation_size: Numbers of an observation.
        num_actions: Number of actions.
        roles: Roles that seats play, each with a network of its own.
        network: The networks.
        item_blocks: The blocks that ``network.items`` names, as the game has them.
        temperature: How the bot plays unless it is asked to play otherwise: 0 for the likeliest
            action, above 0 it draws from the softmax of ``logits / temperature``.
        ratings: How it did against baselines.
        levels: Its levels, the weakest one first; empty where none were measured.
        steps: Decisions that it learnt from itself.
        lineage: All networks that it has weights from, or play that it has imitated, each once; see
            :func:`decisions_of`.
        search: What a search over it wins at a table of it; ``null`` where it was not measured.
        config: The training configuration, for people to read; only ``--resume`` compares it.
    """

    format_version: Literal[2]
    game: Name
    rules_version: Count
    observation_size: Annotated[Whole, Field(ge=1, le=MOST_SIZE)]
    num_actions: Annotated[Whole, Field(ge=1, le=MOST_SIZE)]
    roles: Annotated[list[Name], Field(min_length=1, max_length=MOST_ROLES)]
    network: NetworkDescription
    item_blocks: Annotated[dict[Name, ItemBlockDescription], Field(max_length=MOST_BLOCKS)] = {}
    options: list[dict[str, int | str | bool]] = []
    temperature: Annotated[Number, Field(ge=0.0, le=1e6)] = 0.0
    steps: Count = 0
    lineage: Annotated[list[Ancestor], Field(max_length=MOST_ANCESTORS)] = []
    iterations: Count = 0
    minutes: Positive = 0.0
    code_version: Text = ""
    config: dict[str, Any] = {}
    ratings: Annotated[list[Rating], Field(max_length=1000)] = []
    levels: dict[Literal["easy", "medium", "hard"], Level] = {}
    search: SearchRating | None = None

    @model_validator(mode="after")
    def _sizes(self) -> Model:
        if len(set(self.roles)) < len(self.roles):
            raise ValueError(f"roles={self.roles!r}: must be different")
        if set(self.item_blocks) != set(self.network.items):
            raise ValueError(
                f"item_blocks={sorted(self.item_blocks)}: must be those of network.items, "
                f"{sorted(self.network.items)}"
            )
        for name, block in self.item_blocks.items():
            block.check(name, self.observation_size, self.num_actions)
        total = len(self.roles) * architecture_of(self.model_dump()).size
        if total > MOST_WEIGHTS:
            raise ValueError(f"network: {total} weights, must be at most {MOST_WEIGHTS}")
        return self


def decisions_of(model: Mapping[str, Any]) -> int:
    """Decisions that a bot and its whole lineage learnt from."""
    inherited = sum(int(one["steps"]) for one in model.get("lineage", []))
    return int(model["steps"]) + inherited


def architecture_of(model: dict[str, Any]) -> Architecture:
    """The layers of one role's network, by the checked contents of ``model.json``."""
    blocks = {
        name: ItemBlock(**{**block, "actions": tuple(map(tuple, block["actions"]))})
        for name, block in model.get("item_blocks", {}).items()
    }
    return build(model["network"], model["observation_size"], model["num_actions"], blocks)


def read_model(path: Path) -> dict[str, Any]:
    """A checked ``model.json``, with what it leaves out filled in.

    Raises:
        CheckpointError: If it cannot be read or holds anything that is not allowed, naming up to
            five fields and what is.
    """
    data = read_bytes(path, MOST_BYTES)
    try:
        values = parse_json(data)
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error
    if not isinstance(values, dict):
        raise CheckpointError(f"{path}: must be a JSON object")
    version = values.get("format_version")
    if version != FORMAT_VERSION:
        raise CheckpointError(
            f"{path}: format_version is {_short(version)}, this package reads {FORMAT_VERSION}"
        )
    try:
        return Model.model_validate(values, strict=True).model_dump()
    except ValidationError as error:
        raise CheckpointError(f"{path}: {explain(error)}") from None


def write_model(path: Path, model: dict[str, Any]) -> None:
    """Write a ``model.json``, in a draft that takes its place once all of it is on the disk."""
    path.write_text(json.dumps(model, indent=1) + "\n", encoding="utf-8")


def read_bytes(path: Path, most: int) -> bytes:
    """A whole file, if it is one and no larger than allowed.

    Raises:
        CheckpointError: If not.
    """
    try:
        if not path.is_file():  # A pipe would keep the reader waiting.
            raise CheckpointError(f"{path} cannot be read: there is no such file")
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {reason_of(error)}") from error
    if len(data) > most:
        raise CheckpointError(f"{path} cannot be read: it must be at most {most} bytes")
    return data


def parse_json(data: bytes) -> Any:
    """JSON in which every key stands once.

    Raises:
        ValueError: If it is not.
        RecursionError: If it is nested too deeply.
    """
    return json.loads(data.decode("utf-8"), object_pairs_hook=_unique)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"key {_short(key)} is given twice")
        found[key] = value
    return found


def explain(error: ValidationError) -> str:
    """What is wrong in a file, in one line: up to :data:`SHOWN` fields and what is allowed."""
    found = []
    for detail in error.errors(include_url=False):
        key = ".".join(str(part) for part in detail["loc"])
        if detail["type"] == "extra_forbidden":
            found.append(f"unknown key {_short(key)}: must not be there")
        elif detail["type"] == "missing":
            found.append(f"{key} is missing")
        elif detail["type"] == "value_error":
            found.append(str(detail["ctx"]["error"]))
        else:
            found.append(f"{key}={_short(detail['input'])}: {detail['msg']}")
    return "; ".join(found[:SHOWN])


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."
