"""The lineage of a training: the networks whose weights or play it has learnt from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..agents.registry import POLICY
from ..agents.trained.policy import load_checkpoint
from .config import TrainConfig


def lineage_of(config: TrainConfig) -> list[dict[str, Any]]:
    """All networks that a training has weights or a teacher's play from, each once.

    Args:
        config: The configuration; ``start_from`` names a checkpoint, if anything.

    Returns:
        As in ``model.json``: a digest of the weights and the decisions that each learnt from.
    """
    names = [] if config.start_from is None else [config.start_from]
    prefix = f"{POLICY}:"
    if config.imitation is not None and config.imitation.teacher.startswith(prefix):
        names.append(config.imitation.teacher.removeprefix(prefix).partition("?")[0])
    return merged(load_checkpoint(name).lineage for name in names)


def merged(lineages: Iterable[Iterable[Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """Several lineages as one, in which every network stands once."""
    found = {one["network"]: dict(one) for lineage in lineages for one in lineage}
    return list(found.values())
