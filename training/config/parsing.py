"""A configuration from plain values: YAML of people, within limits, and what is wrong with it."""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import cache
from typing import Any, get_args

import yaml
from pydantic import BaseModel, ValidationError

from ...envs.core.errors import GanglandError
from ...envs.core.integers import shown
from ...envs.registry import UnknownGameError, entry_of
from .sections import SCHEDULES
from .train_config import TrainConfig

MOST = 10_000
"""Values in a file, those that aliases repeat counted each time."""
DEEPEST = 50
"""Levels of lists and mappings inside each other."""


class _Loader(yaml.SafeLoader):
    """Says where a number or a date stands that cannot be read as one, or a key a second time."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                continue
            if key.value in keys:
                problem = f"{shown(key.value)} is given a second time"
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=key.start_mark)
            keys.add(key.value)
        return super().construct_mapping(node, deep)  # type: ignore[no-untyped-call,no-any-return]

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        numeric = node.tag in ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
        if numeric and isinstance(node, yaml.ScalarNode) and ":" in node.value:
            # YAML 1.1 reads 1:30 as ninety.
            problem = f"{shown(node.value)} is not a number"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark)
        try:
            return super().construct_object(node, deep)  # type: ignore[no-untyped-call]
        except (ArithmeticError, AttributeError, LookupError, ValueError) as error:
            kind = node.tag.rpartition(":")[2]
            problem = f"{shown(node.value)} cannot be read as a value of type {kind}"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark) from error


def plain_yaml(text: str | bytes) -> Any:
    """The values of a YAML document.

    An alias stands for a value that is written elsewhere, so a few lines of aliases of aliases can
    stand for more values than any memory holds.

    Args:
        text: The document; bytes are UTF-8.

    Raises:
        ValueError: If it is not YAML, too large or nested too deeply, or holds other values than
            texts, numbers, truth values, lists and mappings; in one line, which names the place.
    """
    try:
        found = yaml.load(text if isinstance(text, str) else text.decode("utf-8"), _Loader)
    except yaml.YAMLError as error:
        raise ValueError(_in_one_line(error)) from error
    except RecursionError as error:
        raise ValueError(f"nested in more than {DEEPEST} levels") from error
    _check_values(found)
    return found


def _in_one_line(error: yaml.YAMLError) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and (mark := error.problem_mark) is not None:
        problem = ", ".join(filter(None, (error.context, error.problem)))
        return f"line {mark.line + 1}, column {mark.column + 1}: {problem}"
    return " ".join(str(error).split())


def _check_values(found: Any) -> None:
    """Walk over all values, and stop at the first that is too many, too deep or not plain.

    Raises:
        ValueError: If there is one.
    """
    count, waiting = 0, [(found, 0)]
    while waiting:
        value, depth = waiting.pop()
        count += 1
        if depth > DEEPEST:
            raise ValueError(f"nested in more than {DEEPEST} levels")
        if count > MOST:
            raise ValueError(f"more than {MOST} values, repeated ones included")
        if not isinstance(value, str | int | float | list | dict | None):
            raise ValueError(
                f"holds a value of type {type(value).__name__}: must hold texts, numbers, "
                "truth values, lists and mappings"
            )
        if isinstance(value, dict | list):
            inner = value.values() if isinstance(value, dict) else value
            waiting.extend((one, depth + 1) for one in inner)


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
    if "game" not in data:
        raise ConfigError(f"{name}: game: must be given, such as game: chicago")
    if not isinstance(data["game"], str):
        raise ConfigError(f"{name}: game={shown(data['game'])}: must be a game's name")
    try:
        entry_of(data["game"])
    except UnknownGameError as error:
        raise ConfigError(f"{name}: {error}") from error
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


PLAIN = ("int", "str", "bool")
"""What pydantic calls the kinds of an option's value."""
WANTED = {
    "dict_type": "must be keys and values",
    "model_type": "must be keys and values",
    "list_type": "must be a list",
    "too_short": "must not be empty",
}
"""What pydantic's kinds of errors are to say."""


def _mistakes(error: ValidationError) -> list[str]:
    found = []
    for detail in error.errors():
        # Errors in unions carry the kind of value that was tried.
        parts = [str(part) for part in detail["loc"] if part not in ("constant", "linear", *PLAIN)]
        key = ".".join(parts)
        if detail["type"] == "extra_forbidden":
            known = _known(parts[:-1])
            found.append(f"unknown key {key}: must be {either(known)}")
        elif detail["type"] == "missing":
            found.append(f"{key}: must be given")
        elif detail["type"] == "value_error":
            found.append(str(detail["ctx"]["error"]))
        elif "constant" in detail["loc"]:
            found.append(f"{key}={_written(detail['input'])}: must be {SCHEDULES}")
        elif detail["loc"][-1] in PLAIN:
            found.append(
                f"{key}={_written(detail['input'])}: must be a text, a number, true or false"
            )
        else:
            wanted = WANTED.get(detail["type"], detail["msg"])
            found.append(f"{key}={_written(detail['input'])}: {wanted}")
    return list(dict.fromkeys(found))


def _written(value: Any) -> str:
    """A wrong value as YAML spells it, where Python spells it otherwise."""
    return in_yaml(value) if value is None or isinstance(value, bool) else shown(value)


def in_yaml(value: Any) -> str:
    """A value in one line, as a file or ``--set`` could give it."""
    text: str = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=10**6)
    return text.removesuffix("...\n").strip()


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
