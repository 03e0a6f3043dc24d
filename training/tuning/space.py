"""What a search tries: a YAML file of dotted keys of the configuration and how each is drawn.

.. code-block:: yaml

    ppo.learning_rate: {loguniform: [1.0e-4, 1.0e-2]}
    ppo.gae_lambda: {uniform: [0.9, 1.0]}
    ppo.epochs: {randint: [1, 5]}
    network.shared: {choice: [[128], [256], [256, 256]]}
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...envs.core.errors import GanglandError
from ...envs.core.integers import shown
from ..config import ConfigError
from ..config.files import with_changes
from ..config.plain_yaml import plain_yaml

KINDS = {
    "uniform": "a number between two, such as [0.9, 1.0]",
    "loguniform": "a number between two above 0, evenly on a logarithmic scale",
    "randint": "a whole number from the first up to but not including the second",
    "choice": "one of a list",
}
"""Ways to draw a value, under the names of ``ray.tune``, and what each takes."""


class SpaceError(GanglandError, ValueError):
    """A search space cannot be read, or holds values that the configuration does not allow."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """One key of the configuration, and how its value is drawn.

    Attributes:
        key: Dotted key, such as ``ppo.learning_rate``.
        kind: One of :data:`KINDS`.
        values: The two bounds, or for ``choice`` the list.
    """

    key: str
    kind: str
    values: tuple[Any, ...]

    def draw(self, rng: np.random.Generator) -> Any:
        """Draw a value from the range or the list."""
        if self.kind == "choice":
            return self.values[int(rng.integers(len(self.values)))]
        low, high = self.values
        if self.kind == "randint":
            return int(rng.integers(low, high))
        if self.kind == "uniform":
            return float(rng.uniform(low, high))
        return math.exp(rng.uniform(math.log(low), math.log(high)))

    @property
    def extremes(self) -> tuple[Any, ...]:
        """Values between which all others lie; of a choice, all of them."""
        if self.kind == "randint":
            return (self.values[0], self.values[1] - 1)
        return self.values


@dataclass(frozen=True, slots=True)
class Space:
    """All dimensions of a search.

    Attributes:
        dimensions: In the order of the file.
    """

    dimensions: tuple[Dimension, ...]

    def check(self, data: Mapping[str, Any]) -> None:
        """Make sure that a configuration has these keys, and allows the values.

        Args:
            data: The configuration's plain values, as from ``read_config``.

        Raises:
            SpaceError: Naming each key or value that it does not allow.
        """
        wrong = []
        for dimension in self.dimensions:
            for value in dimension.extremes:
                try:
                    with_changes(data, {dimension.key: value})
                except ConfigError as error:
                    wrong.append(str(error))
        if wrong:
            raise SpaceError("; ".join(dict.fromkeys(wrong)))

    def draw(self, samples: int, seed: int) -> list[dict[str, Any]]:
        """Changes of the configuration, by dotted key; the first ones are the same for any number.

        Args:
            samples: How many.
            seed: Seed of the draw.
        """
        rng = np.random.default_rng(seed)
        return [
            {dimension.key: dimension.draw(rng) for dimension in self.dimensions}
            for _ in range(samples)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as it is written in the file."""
        return {each.key: {each.kind: list(each.values)} for each in self.dimensions}


def read_space(path: Path) -> Space:
    """Read a search space.

    Args:
        path: A YAML file.

    Raises:
        SpaceError: If it cannot be read, naming the key that is wrong and what is allowed.
    """
    try:
        data = plain_yaml(path.read_bytes())
    except OSError as error:
        raise SpaceError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise SpaceError(f"{path} cannot be read: {error}") from error
    if not isinstance(data, dict) or not data:
        raise SpaceError(f"{path}: must hold keys, such as ppo.epochs: {{choice: [2, 4]}}")
    try:
        return parse_space(data)
    except SpaceError as error:
        raise SpaceError(f"{path}: {error}") from error


def parse_space(data: Mapping[Any, Any]) -> Space:
    """A search space from plain values.

    Raises:
        SpaceError: Naming the key that is wrong and what is allowed.
    """
    return Space(tuple(_dimension(key, given) for key, given in data.items()))


def _dimension(key: Any, given: Any) -> Dimension:
    allowed = "; ".join(f"{kind}: {takes}" for kind, takes in KINDS.items())
    if not isinstance(key, str):
        raise SpaceError(f"{shown(key)}: must be a key of the configuration, such as ppo.epochs")
    if not isinstance(given, Mapping) or len(given) != 1:
        raise SpaceError(f"{key}={shown(given)}: must be {{KIND: [VALUES]}}, of {allowed}")
    ((kind, values),) = given.items()
    if kind not in KINDS:
        raise SpaceError(f"{key}: unknown kind {shown(kind)}: must be one of {allowed}")
    if not isinstance(values, list) or not values:
        raise SpaceError(f"{key}: {kind}={shown(values)}: must be a list: {KINDS[kind]}")
    if kind == "choice":
        return Dimension(key, kind, tuple(values))
    bounds = tuple(_number(value, whole=kind == "randint") for value in values)
    if len(bounds) != 2 or None in bounds or not bounds[0] < bounds[1]:  # type: ignore[operator]
        raise SpaceError(
            f"{key}: {kind}={shown(values)}: must be two numbers, the smaller one first"
        )
    if kind == "loguniform" and bounds[0] <= 0:  # type: ignore[operator]
        raise SpaceError(f"{key}: {kind}={shown(values)}: both numbers must be above 0")
    return Dimension(key, kind, bounds)


def _number(value: Any, *, whole: bool) -> float | int | None:
    """A finite number; YAML reads ``1e-4``, without a point, as a text."""
    if isinstance(value, bool):
        return None
    try:
        number = float(value)
    except (OverflowError, TypeError, ValueError):
        return None
    if not math.isfinite(number) or (whole and not number.is_integer()):
        return None
    return int(number) if whole else number
