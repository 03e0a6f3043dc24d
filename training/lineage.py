"""The lineage of a training: the networks whose weights or play it has learnt from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..agents.registry import POLICY
from ..agents.trained.policy import load_checkpoint
from .config import NOTHING, TrainConfig


def lineage_of(config: TrainConfig) -> list[dict[str, Any]]:
    """All networks that a training has weights or a teacher's play from, each once.

    Args:
        config: The configuration; ``start_from`` names a checkpoint, if anything.

    Returns:
        As in ``model.json``: a digest of the weights and the decisions that each learnt from.
    """
    names = [config.start_from] if isinstance(config.start_from, str) else []
    if config.imitation is not None:
        prefix = f"{POLICY}:"
        teachers = (spec for spec in config.imitation.teachers if spec.startswith(prefix))
        names += [spec.removeprefix(prefix).partition("?")[0] for spec in teachers]
    return merged(load_checkpoint(name).lineage for name in names if name != NOTHING)


def merged(lineages: Iterable[Iterable[Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """Several lineages as one, in which every network stands once."""
    found = {one["network"]: dict(one) for lineage in lineages for one in lineage}
    return list(found.values())
