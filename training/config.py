"""Training configuration: one pydantic model that holds every hyper-parameter."""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ..agents.heuristic import has_heuristic
from ..agents.model_file import Layout, Widths
from ..envs import load
from ..envs.core.errors import GanglandError
from ..envs.registry import ENTRIES

DEFAULT_MINUTES = 5
"""Length of a training of a game that has no configuration of its own."""


class ConfigError(GanglandError, ValueError):
    """A configuration has an unknown key or a value that is not allowed."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", validate_assignment=True)


class Linear(_Strict):
    """A value that goes in a straight line from ``start`` to ``end`` over the training.

    Attributes:
        start: Value at the beginning.
        end: Value from the fraction ``until`` of the training on.
        until: Fraction of the training, in (0, 1], at which ``end`` is reached.
    """

    start: float
    end: float
    until: Annotated[float, Field(gt=0.0, le=1.0)] = 1.0

    def __call__(self, progress: float) -> float:
        """Value at a progress from 0 to 1."""
        return self.start + (self.end - self.start) * min(1.0, max(0.0, progress) / self.until)


Schedule = float | Linear


def value_at(schedule: Schedule, progress: float) -> float:
    """Value of a constant or a line at a progress from 0 (begin) to 1 (end of training)."""
    return schedule(progress) if isinstance(schedule, Linear) else float(schedule)


class NetworkConfig(Layout):
    """A network for each role; :class:`~gangland.agents.model_file.Layout` with defaults."""

    model_config = ConfigDict(validate_assignment=True)

    shared: Widths = Field(default=[256])
    policy: Widths = Field(default=[128])
    value: Widths = Field(default=[128])
    activation: Literal["tanh", "relu"] = "tanh"


class PPOConfig(_Strict):
    """Proximal policy optimisation (Schulman et al., 2017), all seats learning at once.

    Attributes:
        tables: Tables stepped side by side.
        steps: Decisions a table and rollout; a rollout holds ``tables * steps`` decisions.
        epochs: Passes over each rollout.
        batch_size: Decisions a minibatch, about: minibatches are made equally large.
        learning_rate: Of Adam; a number or a line.
        entropy: Entropy coefficient; a number or a line.
        clip_range: Clipping of the probability ratio; a number or a line.
        gamma: Discount from one own decision to the next.
        gae_lambda: Of the generalised advantage estimate (Schulman et al., 2016).
        value_coefficient: Weight of the value loss.
        max_grad_norm: Gradient norm at which gradients are clipped.
        target_kl: Ends an update's passes beyond 1.5 times this divergence; ``null``: never.
        averaging: Factor, each update, on the old weights in the moving average that is evaluated,
            frozen and saved; 0: the latest weights themselves.
    """

    tables: Annotated[int, Field(ge=2)] = 512
    steps: Annotated[int, Field(ge=1)] = 64
    epochs: Annotated[int, Field(ge=1)] = 4
    batch_size: Annotated[int, Field(ge=2)] = 4096
    learning_rate: Schedule = Linear(start=1e-3, end=1e-4)
    entropy: Schedule = Linear(start=0.02, end=0.002)
    clip_range: Schedule = 0.2
    gamma: Annotated[float, Field(gt=0.0, le=1.0)] = 1.0
    gae_lambda: Annotated[float, Field(ge=0.0, le=1.0)] = 0.95
    value_coefficient: Annotated[float, Field(ge=0.0)] = 0.5
    max_grad_norm: Annotated[float, Field(gt=0.0)] = 0.5
    target_kl: Annotated[float | None, Field(gt=0.0)] = None
    averaging: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.0


class ShapingConfig(_Strict):
    """Potential-based shaping (Ng, Harada and Russell, 1999), which leaves the best play as it is.

    Attributes:
        potential: ``module:function`` of a kernel ``potential(state, seat) -> float``.
        weight: Factor; a number or a line (to zero, so that it anneals to nothing).
    """

    potential: str = Field(pattern=r"^[\w.]+:\w+$")
    weight: Schedule = Linear(start=1.0, end=0.0, until=0.5)


class ImitationConfig(_Strict):
    """Learning from a teacher first: a start where self-play from nothing would take long.

    The teacher plays the learning seats; the policy learns to decide as it does, and the value
    what that leads to.

    Attributes:
        teacher: Agent spec.
        until: Fraction of the training at which it ends.
        smoothing: Part of the target that is spread over all legal actions, so that there is
            something left to explore.
    """

    teacher: str = "heuristic"
    until: Annotated[float, Field(gt=0.0, le=1.0)] = 0.2
    smoothing: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.05


class LeagueConfig(_Strict):
    """Frozen opponents beside the current policy.

    Attributes:
        share: Fraction of the tables at which some seats are given to league members.
        seat_share: Chance that a seat of such a table goes to a member (one seat always learns).
        alike: Chance that such a table is one learning seat against one member in all others.
        baselines: Agent specs that are members from the start.
        size: Most snapshots kept.
        snapshot_every: Iterations from one snapshot to the next.
        active: Members that play at a time.
        refresh_every: Iterations after which an active member makes room for another one.
        power: Members are drawn by ``(how often they beat the current policy) ** power``.
        floor: Least weight of a member.
        decay: Factor on a member's past results for each new game.
    """

    share: Annotated[float, Field(ge=0.0, le=1.0)] = 0.5
    seat_share: Annotated[float, Field(gt=0.0, le=1.0)] = 0.5
    alike: Annotated[float, Field(ge=0.0, le=1.0)] = 0.25
    baselines: list[str] = ["heuristic", "random"]
    size: Annotated[int, Field(ge=0)] = 16
    snapshot_every: Annotated[int, Field(ge=1)] = 20
    active: Annotated[int, Field(ge=1)] = 4
    refresh_every: Annotated[int, Field(ge=1)] = 4
    power: Annotated[float, Field(ge=0.0)] = 1.0
    floor: Annotated[float, Field(gt=0.0)] = 0.02
    decay: Annotated[float, Field(gt=0.0, le=1.0)] = 0.995


class EvaluationConfig(_Strict):
    """Short matches in which one current policy meets a table of baselines.

    Attributes:
        every: Iterations from one evaluation to the next; 0: never.
        games: Games against each baseline.
        baselines: Agent specs.
        final_games: Games of the arena against each baseline at the end; 0: none.
    """

    every: Annotated[int, Field(ge=0)] = 25
    games: Annotated[int, Field(ge=1)] = 200
    baselines: list[str] = ["heuristic", "random"]
    final_games: Annotated[int, Field(ge=0)] = 1000


class TrainConfig(_Strict):
    """Everything that decides a training run.

    Attributes:
        game: Name of the game.
        options: The game's options.
        players: Seat counts to train with, tables shared evenly; ``null``: the options' own.
        rewards: ``result`` (winners share +1, the others -1), ``score`` (own less mean of the
            others, in units of the game's ``score_scale`` that make it about -1 to 1, times
            ``score_weight``) or ``mixed`` (their sum).
        score_weight: Factor on scores in rewards.
        seed: Seed of everything random.
        steps: Length in decisions of learning seats; ``null``: no limit.
        minutes: Length in minutes; ``null``: no limit. One of the two is needed.
        checkpoint_minutes: Time between checkpoints.
        threads: Threads that play and learn side by side, each with its share of the tables and
            of every minibatch. The same number gives the same run on any machine.
        network: The networks.
        ppo: The learner.
        league: Frozen opponents.
        shaping: Potential-based shaping; ``null``: none.
        imitation: A teacher to begin with; ``null``: none.
        evaluation: Matches against baselines.
    """

    game: str
    options: dict[str, int | str | bool] = {}
    players: list[int] | None = None
    rewards: Literal["result", "score", "mixed"] = "result"
    score_weight: Annotated[float, Field(gt=0.0)] = 1.0
    seed: Annotated[int, Field(ge=0)] = 0
    steps: Annotated[int | None, Field(ge=1)] = None
    minutes: Annotated[float | None, Field(gt=0.0)] = None
    checkpoint_minutes: Annotated[float, Field(ge=0.0)] = 1.0
    threads: Annotated[int, Field(ge=1, le=256)] = 2
    network: NetworkConfig = NetworkConfig()
    ppo: PPOConfig = PPOConfig()
    league: LeagueConfig = LeagueConfig()
    shaping: ShapingConfig | None = None
    imitation: ImitationConfig | None = None
    evaluation: EvaluationConfig = EvaluationConfig()

    @model_validator(mode="before")
    @classmethod
    def _baselines_of_the_game(cls, data: Any) -> Any:
        """Without the heuristic among the default baselines, where the game has none."""
        if not isinstance(data, Mapping) or _has_heuristic(data.get("game")):
            return data
        changed = dict(data)
        for part in ("league", "evaluation"):
            given = data.get(part, {})
            if isinstance(given, Mapping):
                changed[part] = {"baselines": ["random"], **given}
        return changed

    @model_validator(mode="after")
    def _has_an_end(self) -> TrainConfig:
        if self.steps is None and self.minutes is None:
            raise ValueError("steps, minutes: at least one of them must be given")
        if self.players is not None and ("players" in self.options or not self.players):
            raise ValueError("players: must not be empty, nor be given in options as well")
        return self

    def table_options(self) -> list[dict[str, Any]]:
        """Options of each kind of table."""
        if self.players is None:
            return [dict(self.options)]
        return [{**self.options, "players": count} for count in self.players]


def _has_heuristic(game: Any) -> bool:
    """Whether a game has a heuristic; an unknown game is refused where it is loaded."""
    return not isinstance(game, str) or game not in ENTRIES or has_heuristic(load(game))


def parse(data: Any) -> TrainConfig:
    """A checked configuration from plain values.

    Raises:
        ConfigError: Naming each key that is wrong and what is allowed.
    """
    if not isinstance(data, Mapping):
        raise ConfigError(f"configuration is {type(data).__name__}: must be keys and values")
    try:
        return TrainConfig.model_validate(data)
    except ValidationError as error:
        raise ConfigError("\n".join(_lines(error))) from error


def load_config(name: str, overrides: Iterable[str] = ()) -> TrainConfig:
    """Read a configuration.

    Args:
        name: Path of a YAML file, or name of one that ships (``chicago``), or of a game without
            one, for which the defaults stand.
        overrides: ``key=value`` texts with dotted keys, values as in YAML:
            ``ppo.learning_rate=3e-4``.

    Raises:
        ConfigError: If there is no such file, or it is not YAML, or a key or value is wrong.
    """
    data = _read(name)
    for text in overrides:
        _override(data, text)
    return parse(data)


def shipped() -> list[str]:
    """Names of the configurations that come with the package."""
    folder = importlib.resources.files("gangland.configs")
    return sorted(p.name.removesuffix(".yaml") for p in folder.iterdir() if p.name[-5:] == ".yaml")


def _read(name: str) -> dict[str, Any]:
    path = Path(name)
    if path.is_file():
        text = path.read_text(encoding="utf-8")
    elif name in shipped():
        folder = importlib.resources.files("gangland.configs")
        text = (folder / f"{name}.yaml").read_text(encoding="utf-8")
    elif name in ENTRIES:
        return {"game": name, "minutes": DEFAULT_MINUTES}
    else:
        names = sorted({*shipped(), *ENTRIES})
        raise ConfigError(f"no configuration {name!r}: must be a file or {_either(names)}")
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ConfigError(f"{name} is not YAML: {error}") from error
    if not isinstance(data, dict):
        raise ConfigError(f"{name}: must hold keys and values")
    return data


def _override(data: dict[str, Any], text: str) -> None:
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise ConfigError(f"--set {text!r}: must read key=value, as in ppo.learning_rate=3e-4")
    *folders, leaf = key.strip().split(".")
    at = data
    for folder in folders:
        inner = at.setdefault(folder, {})
        if not isinstance(inner, dict):
            # A constant that is to become a line, for example ppo.entropy.start=0.01.
            inner = at[folder] = {}
        at = inner
    try:
        at[leaf] = yaml.safe_load(value)
    except yaml.YAMLError as error:
        raise ConfigError(f"--set {text!r}: the value is not YAML: {error}") from error


def _lines(error: ValidationError) -> list[str]:
    lines = []
    for detail in error.errors():
        # A schedule is a number or a line; its errors carry the kind of value that was tried.
        kinds = ("float", "int", "str", "bool", "Linear")
        parts = [str(part) for part in detail["loc"] if part not in kinds]
        key = ".".join(parts)
        if detail["type"] == "extra_forbidden":
            known = _known(parts[:-1])
            lines.append(f"unknown key {key}: must be {_either(known)}")
        elif detail["type"] == "value_error":
            lines.append(str(detail["ctx"]["error"]))
        else:
            lines.append(f"{key}={detail['input']!r}: {detail['msg']}")
    return lines


def _known(path: list[str]) -> list[str]:
    model: Any = TrainConfig
    for part in path:
        annotation = model.model_fields[part].annotation
        choices = (annotation, *getattr(annotation, "__args__", ()))
        model = next(c for c in choices if isinstance(c, type) and issubclass(c, BaseModel))
    return list(model.model_fields)


def _either(names: list[str]) -> str:
    return "one of " + ", ".join(names)
