"""Fixtures of the training's tests."""

from .ray_cluster import cluster  # noqa: F401
