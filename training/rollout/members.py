"""Agents that play for members of the league that are not networks of the policy's own layers."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..files import Files, write_files

if TYPE_CHECKING:
    from ...agents.base import Agent
    from ...agents.trained.policy import PolicyAgent
    from ...envs.core.game import Game
    from ..population.league import Member


def agent_of(member: Member, baselines: Sequence[str], game: Game) -> Agent:
    """The agent of a baseline, or of an exploiter that has layers of its own.

    Args:
        member: The member. One of a resumed league comes from a file: names that are not among
            ``baselines`` stand for agents that are part of Gangland.
        baselines: Specs of the configuration.
        game: The game.
    """
    from ...agents.registry import make, make_built_in

    if member.files is not None:
        return policy_in(member.files, game)
    return (make if member.name in baselines else make_built_in)(member.name, game)


def policy_in(files: Files, game: Game) -> PolicyAgent:
    """The agent of a checkpoint that is in memory.

    Raises:
        CheckpointError: If it is damaged, or does not fit the game.
    """
    from ...agents.trained.policy import PolicyAgent

    with tempfile.TemporaryDirectory(prefix="gangland-") as place:
        folder = Path(place) / "policy"
        write_files(folder, files)
        return PolicyAgent(game, folder)
