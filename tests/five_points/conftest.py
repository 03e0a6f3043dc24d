"""Fixtures of the Five Points tests."""

from __future__ import annotations

import pytest

from gangland import envs


@pytest.fixture(scope="session")
def game():
    return envs.load("five_points")
