"""YAML files of people: plain values, within limits."""

from __future__ import annotations

from typing import Any

import yaml

MOST = 10_000
"""Values in a file, those that aliases repeat counted each time."""
DEEPEST = 50
"""Levels of lists and mappings inside each other."""


def plain_yaml(text: str | bytes) -> Any:
    """The values of a YAML document.

    An alias stands for a value that is written elsewhere, so a few lines of aliases of aliases can
    stand for more values than any memory holds.

    Args:
        text: The document; bytes are UTF-8.

    Raises:
        ValueError: If it is not YAML, or too large or nested too deeply.
    """
    try:
        found = yaml.safe_load(text if isinstance(text, str) else text.decode("utf-8"))
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error
    except RecursionError as error:
        raise ValueError(f"nested in more than {DEEPEST} levels") from error
    _check_size(found)
    return found


def _check_size(found: Any) -> None:
    """Walk over all values, and stop at the first that is too many or too deep.

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
        inner = value.values() if isinstance(value, dict) else value
        if isinstance(value, dict | list):
            waiting.extend((one, depth + 1) for one in inner)
