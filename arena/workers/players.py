"""A game and its agents, which other processes can make again."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...agents.base import Agent
from ...agents.outside.bot_file import FileAgent
from ...agents.registry import POLICY, make
from ...agents.trained.model_file import MODEL_FILE, WEIGHTS_FILE
from ...agents.trained.policy import find_checkpoint, shipped_bots
from ...envs import load, register
from ...envs.core.errors import GanglandError
from ...envs.core.game import Game
from ...envs.core.options import OptionValue
from ...envs.registry import ENTRIES

WITH_PATH = (POLICY, "search")
"""Kinds of agents whose spec names a checkpoint, before a question mark."""


class PlayersError(GanglandError, ValueError):
    """A game or an agent cannot be made again in another process."""


@dataclass(frozen=True)
class Players:
    """A game, its options, and the agents that play it.

    Pickled, it is the game's name, the agents' specs, and the files of their checkpoints or a bot's
    own file, so that a machine without those files can make them too.

    Attributes:
        game: The game.
        options: Its resolved options.
        agents: The agents.
    """

    game: Game
    options: dict[str, OptionValue]
    agents: Sequence[Agent]

    def __reduce__(self) -> tuple[Any, ...]:
        entry = ENTRIES.get(self.game.name)
        if entry is None:
            raise PlayersError(f"game {self.game.name!r} is not registered: others cannot load it")
        packed = [_pack(agent) for agent in self.agents]
        version = self.game.rules_version
        return _made_again, (entry.name, entry.target, version, self.options, packed)


@dataclass(frozen=True)
class _Packed:
    """An agent for another process.

    Attributes:
        spec: Its spec.
        files: Files of its checkpoint, or its Python file, by name; ``None`` for an agent without
            any, or with one that is part of the installation.
    """

    spec: str
    files: dict[str, bytes] | None

    def make(self, game: Game, place: Path) -> Agent:
        """The agent; its files go to a new folder in ``place``."""
        if self.files is None:
            return make(self.spec, game)
        folder = Path(tempfile.mkdtemp(dir=place))
        for name, data in self.files.items():
            (folder / name).write_bytes(data)
        kind, _, argument = self.spec.partition(":")
        _, mark, query = argument.partition("?")
        if kind in WITH_PATH:
            agent = make(f"{kind}:{folder}{mark}{query}", game)
        else:
            agent = FileAgent(game, str(folder / next(iter(self.files))))
        agent.spec = self.spec
        return agent


def _pack(agent: Agent) -> _Packed:
    if isinstance(agent, FileAgent):
        return _Packed(agent.spec, {agent.file.name: agent.file.read_bytes()})
    kind, _, argument = agent.spec.partition(":")
    if not kind:
        raise PlayersError(f"{agent!r} has no spec: others cannot make it")
    path = argument.partition("?")[0]
    if kind not in WITH_PATH or path in shipped_bots():
        return _Packed(agent.spec, None)
    folder = find_checkpoint(path)
    files = {name: (folder / name).read_bytes() for name in (MODEL_FILE, WEIGHTS_FILE)}
    return _Packed(agent.spec, files)


def known_game(name: str, target: str) -> Game:
    """The game of a name, which is registered if this process does not know it.

    Args:
        name: Its name.
        target: Its class where it is known; see :class:`gangland.envs.registry.Entry`.
    """
    if name not in ENTRIES:
        register(name, target)
    return load(name)


def _made_again(
    name: str,
    target: str,
    version: int,
    options: dict[str, OptionValue],
    packed: Sequence[_Packed],
) -> Players:
    game = known_game(name, target)
    if game.rules_version != version:
        raise PlayersError(
            f"{name} has rules version {game.rules_version} here, {version} where the games were "
            "planned: install the same gangland on all machines"
        )
    with tempfile.TemporaryDirectory(prefix="gangland-") as place:
        agents = [one.make(game, Path(place)) for one in packed]
    return Players(game, options, agents)
