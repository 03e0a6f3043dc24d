"""Cases of which some are enough for every day."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

import pytest


def slow_but(fast: Container[Any], cases: Iterable[Any]) -> list[Any]:
    """Cases for ``parametrize``, slow ones but those in ``fast``; a tuple is several arguments."""
    return [
        case
        if case in fast
        else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow)
        for case in cases
    ]
