"""A configuration from plain values, and what is wrong with those."""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import cache
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from ...envs.core.errors import GanglandError
from ...envs.core.integers import shown
from .plain_yaml import plain_yaml
from .schedules import SCHEDULES
from .train_config import TrainConfig


class ConfigError(GanglandError, ValueError):
    """A configuration has an unknown key or a value that is not allowed."""


RECIPE = "selfplay"
"""The shipped configuration that all others change."""


def parse(data: Any, name: str = "configuration") -> TrainConfig:
    """A validated configuration from plain values.

    Args:
        data: The values that differ from ``configs/selfplay.yaml``, as :func:`laid_over` has it.
        name: What holds them, for the message: a file or a shipped configuration.

    Raises:
        ConfigError: Naming each key that is wrong and what is allowed, in one line.
    """
    if not isinstance(data, Mapping):
        raise ConfigError(f"{name}: is {type(data).__name__}, must be keys and values")
    try:
        return TrainConfig.model_validate(laid_over(recipe(), data))
    except ValidationError as error:
        raise ConfigError(f"{name}: {'; '.join(_mistakes(error))}") from error


def recipe() -> dict[str, Any]:
    """The plain values of ``configs/selfplay.yaml``."""
    return deepcopy(_recipe())


@cache
def _recipe() -> dict[str, Any]:
    file = importlib.resources.files("gangland.configs") / f"{RECIPE}.yaml"
    values: dict[str, Any] = plain_yaml(file.read_bytes())
    return values


def laid_over(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Values with changes: keys in mappings are changed one by one.

    Lists, all other values, and what gets an empty mapping are replaced.
    """
    both = {
        key: laid_over(base[key], value)
        for key, value in changes.items()
        if value and isinstance(value, Mapping) and isinstance(base.get(key), Mapping)
    }
    return {**base, **changes, **both}


def _mistakes(error: ValidationError) -> list[str]:
    found = []
    for detail in error.errors():
        # Errors in unions carry the kind of value that was tried.
        kinds = ("constant", "linear", "int", "str", "bool")
        parts = [str(part) for part in detail["loc"] if part not in kinds]
        key = ".".join(parts)
        if detail["type"] == "extra_forbidden":
            known = _known(parts[:-1])
            found.append(f"unknown key {key}: must be {either(known)}")
        elif detail["type"] == "missing":
            found.append(f"{key}: must be given")
        elif detail["type"] == "value_error":
            found.append(str(detail["ctx"]["error"]))
        elif "constant" in detail["loc"]:
            found.append(f"{key}={shown(detail['input'])}: must be {SCHEDULES}")
        else:
            found.append(f"{key}={shown(detail['input'])}: {detail['msg']}")
    return found


def _known(path: list[str]) -> list[str]:
    model: Any = TrainConfig
    for part in path:
        model = next(_models_in(model.model_fields[part].annotation))
    return list(model.model_fields)


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    """Models in an annotation, which may be a union."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for choice in get_args(annotation):
        yield from _models_in(choice)


def either(names: list[str]) -> str:
    """What is allowed, in the words of errors."""
    return "one of " + ", ".join(names)
