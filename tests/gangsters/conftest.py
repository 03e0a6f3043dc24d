"""Registers the game for these tests."""

from __future__ import annotations

from gangland import envs

envs.register("gangsters", "gangland.envs.gangsters.game:Gangsters")
