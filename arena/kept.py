"""Games that have been played, kept in a folder, so that a long measurement can be interrupted."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..agents.base import Agent
from ..agents.trained.whole import whole_file
from ..envs.core.game import Game
from ..envs.core.options import OptionValue
from .hashes import hashes_of
from .play import CHUNK
from .schedule import Schedule


class Kept:
    """Results of schedules that have been played to the end, one file for each.

    A file's name is a hash of everything that its games depend on: rules, options, seed, schedule,
    and the agents' names, weights and Python files. Edits to other code go unnoticed; a new version
    of the rules does not.

    Args:
        folder: Where they are kept; created on first use. ``None`` keeps nothing.
        game: The game.
        options: Its resolved options.
        agents: The agents that schedules refer to.
        names: Their names; their specs by default.
    """

    def __init__(
        self,
        folder: Path | None,
        game: Game,
        options: dict[str, OptionValue],
        agents: Sequence[Agent],
        names: Sequence[str] | None = None,
    ) -> None:
        self._folder = folder
        self._used: set[Path] = set()
        self._base = [game.name, game.rules_version, options, CHUNK]
        called = [agent.spec for agent in agents] if names is None else names
        self._agents = (
            [[name, hashes_of(agent)] for name, agent in zip(called, agents, strict=True)]
            if folder is not None
            else []
        )

    def find(
        self, schedule: Schedule, seed: int, names: Sequence[str]
    ) -> dict[str, NDArray[Any]] | None:
        """Arrays of these names that have been kept; ``None`` if the games have to be played."""
        if self._folder is None:
            return None
        try:
            with np.load(self._path(schedule, seed), allow_pickle=False) as file:
                return {name: file[name] for name in names}
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None  # there is none, or it is damaged

    def keep(self, schedule: Schedule, seed: int, **arrays: Any) -> None:
        """Write arrays; the file is complete or does not exist."""
        if self._folder is None:
            return
        path = self._path(schedule, seed)
        self._folder.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as draft, draft.open("wb") as file:
            np.savez_compressed(file, **arrays)

    def drop_others(self) -> None:
        """Remove results that were neither found nor kept, such as those of earlier agents."""
        if self._folder is not None and self._folder.is_dir():
            for path in set(self._folder.glob("*.npz")) - self._used:
                path.unlink(missing_ok=True)

    def _path(self, schedule: Schedule, seed: int) -> Path:
        assert self._folder is not None
        present = sorted(np.unique(schedule.line_ups), key=lambda k: json.dumps(self._agents[k]))
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
        path = self._folder / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.npz"
        self._used.add(path)
        return path
