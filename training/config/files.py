"""Configurations in files: people's YAML, those of the package, and the one that a run keeps.

A run resumes from the configuration in its folder, with which it was started.
"""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterable, Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import yaml

from ...agents.trained.whole import whole_file
from ...envs.core.errors import reason_of
from ...envs.core.integers import shown
from ...envs.registry import ENTRIES
from .parsing import RECIPE, ConfigError, either, in_yaml, laid_over, parse, plain_yaml, recipe
from .train_config import TrainConfig

DEFAULT_MINUTES = 5
"""Minutes of training for a game without a configuration."""
LENGTHS = {"steps", "minutes"}
"""Of which a file that has one takes neither from the configuration that it changes."""


def load_config(name: str, overrides: Iterable[str] = ()) -> TrainConfig:
    """Read a configuration.

    Every file changes ``configs/selfplay.yaml``, and before that the shipped configuration of its
    game, as :func:`~gangland.training.config.parsing.laid_over` has it.

    Args:
        name: Path of a YAML file, name of a shipped configuration (``chicago``), or name of a game
            without one, which gets the defaults.
        overrides: ``key=value`` texts with dotted keys, values as in YAML:
            ``ppo.learning_rate=3e-4``.

    Raises:
        ConfigError: If there is no such file, or it is not YAML, or a key or value is wrong.
    """
    return parse(read_config(name, overrides), name)


def read_config(name: str, overrides: Iterable[str] = ()) -> dict[str, Any]:
    """The plain values of a configuration, as :func:`load_config` reads them, unchecked.

    Raises:
        ConfigError: If there is no such file, or it or an override is not YAML.
    """
    data = _resolved(name)
    for text in overrides:
        _override(data, text)
    return data


def shipped() -> list[str]:
    """Names of the configurations that come with the package, each of a game."""
    return sorted({*_in_folder(importlib.resources.files("gangland.configs"))} - {RECIPE})


def _in_folder(folder: Traversable) -> dict[str, Traversable]:
    """The configurations in a folder, by name."""
    return {f.name.removesuffix(".yaml"): f for f in folder.iterdir() if f.name[-5:] == ".yaml"}


def _resolved(name: str) -> dict[str, Any]:
    """The values of a file, laid over its game's and over the recipe."""
    data = _read(name)
    if name == RECIPE:
        return data
    base, game = recipe(), data.get("game")
    if isinstance(game, str) and game in shipped() and name != game:
        base = laid_over(base, _read(game))
    if data.keys() & LENGTHS:
        base = {key: value for key, value in base.items() if key not in LENGTHS}
    return laid_over(base, data)


def _read(name: str) -> dict[str, Any]:
    path = Path(name)
    folder = importlib.resources.files("gangland.configs")
    packaged = _in_folder(folder)
    if path.is_file():
        try:
            text = path.read_bytes()
        except OSError as error:
            raise ConfigError(f"{name} cannot be read: {reason_of(error)}") from error
    elif name in packaged:
        text = packaged[name].read_bytes()
    elif name in ENTRIES:
        return {"game": name, "minutes": DEFAULT_MINUTES}
    else:
        names = sorted({*shipped(), *ENTRIES})
        raise ConfigError(f"no configuration {name!r}: must be a file or {either(names)}")
    try:
        data = plain_yaml(text)
    except ValueError as error:
        raise ConfigError(f"{name} cannot be read: {error}") from error
    if not isinstance(data, dict):
        raise ConfigError(f"{name}: must hold keys and values")
    return data


def _override(data: dict[str, Any], text: str) -> None:
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise ConfigError(f"--set {shown(text)}: must read key=value, as in ppo.learning_rate=3e-4")
    try:
        _put(data, key.strip(), plain_yaml(value))
    except ValueError as error:
        raise ConfigError(f"--set {shown(text)}: {error}") from error


def _put(data: dict[str, Any], key: str, value: Any) -> None:
    """Set the value of a dotted key; a mapping changes the one that is there key by key.

    Raises:
        ValueError: If a part of the key is empty.
    """
    *folders, leaf = key.split(".")
    if not all((*folders, leaf)):
        raise ValueError("a part of the key is empty: must read as in ppo.learning_rate")
    at = data
    for folder in folders:
        inner = at.setdefault(folder, {})
        if not isinstance(inner, dict):
            # A constant that is to become a schedule, for example ppo.entropy.start=0.01.
            inner = at[folder] = {}
        at = inner
    at.update(laid_over(at, {leaf: value}))


CONFIG_FILE = "config.yaml"
"""Name of the file: all values that the configuration's file and the command line gave."""


def keep_config(out: Path, values: Mapping[str, Any]) -> None:
    """Write the plain values of a run's configuration into its folder.

    Args:
        out: The run's folder, which is made.
        values: Those of :func:`gangland.training.config.read_config`.
    """
    out.mkdir(parents=True, exist_ok=True)
    with whole_file(out / CONFIG_FILE) as draft:
        draft.write_text(yaml.safe_dump(dict(values), sort_keys=False), encoding="utf-8")


def kept_config(out: Path) -> Path | None:
    """The file of a run's configuration; ``None`` if its folder has none."""
    file = out / CONFIG_FILE
    return file if file.is_file() else None


def changed_keys(before: TrainConfig, after: TrainConfig) -> Iterable[str]:
    """What differs between two configurations, a line for each dotted key."""
    return _changes(before.model_dump(), after.model_dump(), "")


def _changes(old: Mapping[str, Any], new: Mapping[str, Any], at: str) -> Iterable[str]:
    for key in {**old, **new}:
        was, now = (values.get(key, "not given") for values in (old, new))
        if isinstance(was, Mapping) and isinstance(now, Mapping):
            yield from _changes(was, now, f"{at}{key}.")
        elif was != now:
            yield f"{at}{key}: {in_yaml(now)} (was {in_yaml(was)})"
