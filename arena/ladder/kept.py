"""Outcomes of games, kept in a folder, so that a long measurement can be interrupted."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...agents.base import Agent
from ...agents.trained.model_file import MODEL_FILE, WEIGHTS_FILE
from ...agents.trained.whole import whole_file
from ...envs.core.game import Game
from ...envs.core.options import OptionValue
from ..play import CHUNK, Games
from ..schedule import Schedule


class Outcomes(NamedTuple):
    """What ratings and win shares are computed from; fields as in :class:`Games`."""

    line_ups: NDArray[np.int64]
    deals: NDArray[np.int64]
    places: NDArray[np.int8]
    truncated: NDArray[np.bool_]

    @classmethod
    def of(cls, games: Games) -> Outcomes:
        """Keep only what the ladder needs of a result."""
        return cls(games.line_ups, games.deals, games.places, games.truncated)


class Kept:
    """Outcomes of schedules that have been played to the end, one file for each.

    A file's name is a hash of everything that its games depend on: rules, options, seed, schedule,
    and the agents' specs and weights. Edits to an agent's code go unnoticed; a new version of the
    rules does not.

    Args:
        folder: Where they are kept; created on first use. ``None`` keeps nothing.
        game: The game.
        options: Its resolved options.
        agents: The agents that schedules refer to.
    """

    def __init__(
        self,
        folder: Path | None,
        game: Game,
        options: dict[str, OptionValue],
        agents: Sequence[Agent],
    ) -> None:
        self._folder = folder
        self._base = [game.name, game.rules_version, options, CHUNK]
        self._agents = [_identity(agent) for agent in agents] if folder is not None else []

    def find(self, schedule: Schedule, seed: int) -> Outcomes | None:
        """Outcomes that have been kept; ``None`` if the games have to be played."""
        if self._folder is None:
            return None
        try:
            with np.load(self._path(schedule, seed), allow_pickle=False) as file:
                places, truncated = file["places"], file["truncated"]
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None  # there is none, or it is damaged
        return Outcomes(schedule.line_ups, schedule.deals, places, truncated)

    def keep(self, schedule: Schedule, seed: int, outcomes: Outcomes) -> None:
        """Write outcomes; the file is complete or does not exist."""
        if self._folder is None:
            return
        path = self._path(schedule, seed)
        self._folder.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as draft, draft.open("wb") as file:
            np.savez_compressed(file, places=outcomes.places, truncated=outcomes.truncated)

    def _path(self, schedule: Schedule, seed: int) -> Path:
        assert self._folder is not None
        present = sorted(np.unique(schedule.line_ups), key=lambda k: self._agents[k])
        numbers = np.zeros(len(self._agents), np.int64)
        numbers[present] = np.arange(len(present))  # whatever the order of the pool
        parts: list[Any] = [
            *self._base,
            seed,
            [self._agents[k] for k in present],
            numbers[schedule.line_ups].tolist(),
            schedule.deals.tolist(),
        ]
        text = json.dumps(parts, sort_keys=True)
        return self._folder / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.npz"


def _identity(agent: Agent) -> list[str]:
    """An agent's spec, and hashes of what plays in its checkpoint: not of a card or a trainer."""
    if agent.folder is None:
        return [agent.spec]
    files = (agent.folder / MODEL_FILE, agent.folder / WEIGHTS_FILE)
    hashes = [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]
    return [agent.spec, *hashes]
