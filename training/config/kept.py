"""The configuration that a run was started with, in the run's folder, to resume from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from ...agents.trained.whole import whole_file
from .train_config import TrainConfig

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
            yield f"{at}{key}: {_in_yaml(now)} (was {_in_yaml(was)})"


def _in_yaml(value: Any) -> str:
    """A value in one line, as it could be given."""
    text: str = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=10**6)
    return text.removesuffix("...\n").strip()
