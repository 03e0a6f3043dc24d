"""Fixtures of the Crime Lords tests."""

from __future__ import annotations

import pytest

from gangland import envs


@pytest.fixture(scope="session")
def game():
    return envs.load("crime_lords")
