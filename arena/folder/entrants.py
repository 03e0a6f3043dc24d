"""Which bots take part: those of a folder, and others by their specs."""

from __future__ import annotations

import symtable
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...agents.base import Agent
from ...agents.outside.bot_file import FUNCTION, FileAgent
from ...agents.registry import SUFFIX, make, policy_spec
from ...agents.trained.model_file import CheckpointError
from ...agents.trained.policy import find_checkpoint
from ...envs.core.errors import GanglandError
from ...envs.core.game import Game
from ..tournament import ArenaError


@dataclass(frozen=True, slots=True)
class Field:
    """The participants of a tournament.

    Attributes:
        names: Their names in alphabetical order, no two alike.
        agents: The agents, in the same order.
        refused: Why bots and Python files of the folder do not take part, by name.
    """

    names: tuple[str, ...]
    agents: tuple[Agent, ...]
    refused: dict[str, str]


def find_entrants(folder: Path, game: Game, also: Sequence[str] = ()) -> Field:
    """The bots of a folder, and some others.

    A bot is a Python file with a function ``act``, called by the file's name without its ending, or
    a folder with a trained model, called by the folder's name. Other files and folders, and those
    whose names begin with ``.`` or ``_``, are left out. A bot that cannot be loaded does not take
    part, nor does another Python file.

    Args:
        folder: The folder.
        game: The game.
        also: Specs of further agents, which are their names; one given twice counts once.

    Raises:
        ArenaError: If there is no such folder, it holds no bot, two bots have one name, or fewer
            than two can play.
        GanglandError: If an agent of ``also`` is not known or cannot be made.
    """
    paths = _bots(folder)
    agents: dict[str, Agent] = {}
    refused = {}
    for name, path in paths.items():
        try:
            agents[name] = _made(path, game)
        except GanglandError as error:
            why = str(error).replace(str(path.resolve()), str(path))
            refused[name] = " ".join(why.split())
    for path in sorted(folder.glob(f"[!._]*{SUFFIX}")):
        if path not in paths.values():
            refused[path.stem] = f"{path} has no function {FUNCTION}(view)"
    for spec in dict.fromkeys(also):
        if spec in paths:
            raise ArenaError(f"two bots are called {spec}: {paths[spec]} and the agent {spec!r}")
        agents[spec] = make(spec, game)
    if len(agents) < 2:
        _refuse(folder, agents, refused)
    names = sorted(agents)
    return Field(tuple(names), tuple(agents[name] for name in names), refused)


def _bots(folder: Path) -> dict[str, Path]:
    """Bots of a folder by name.

    Raises:
        ArenaError: If there is no such folder, it holds no bot, or two bots have one name.
    """
    if not folder.is_dir():
        raise ArenaError(
            f"{folder}: {'is not a' if folder.exists() else 'there is no such'} folder"
        )
    found: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        if path.name[0] in "._" or not (_is_model(path) if path.is_dir() else _is_bot(path)):
            continue
        name = path.name if path.is_dir() else path.stem
        if name in found:
            raise ArenaError(f"two bots are called {name}: {found[name]} and {path}; rename one")
        found[name] = path
    if not found:
        raise ArenaError(
            f"{folder} holds no bot: neither a Python file with a function {FUNCTION}(view), which "
            "`gangland new-bot` writes, nor a folder with a trained model"
        )
    return found


def _is_bot(path: Path) -> bool:
    """Whether a file is meant as a bot: it binds ``act``, or cannot be read as Python."""
    if path.suffix != SUFFIX:
        return False
    try:
        with tokenize.open(path) as file:
            table = symtable.symtable(file.read(), str(path), "exec")
    except (OSError, SyntaxError, ValueError):
        return True  # what is wrong with it is said when it is loaded
    return any(
        symbol.get_name() == FUNCTION and (symbol.is_assigned() or symbol.is_imported())
        for symbol in table.get_symbols()
    )


def _is_model(path: Path) -> bool:
    try:
        # No shipped bot is called by a whole path.
        find_checkpoint(str(path.resolve()))
    except CheckpointError:
        return False
    return True


def _made(path: Path, game: Game) -> Agent:
    return make(policy_spec(path), game) if path.is_dir() else FileAgent(game, str(path))


def _refuse(folder: Path, agents: dict[str, Agent], refused: dict[str, str]) -> None:
    """Say that there are too few bots, and what is wrong with those that cannot be loaded."""
    playing = f"only {next(iter(agents))} can play" if agents else "no bot can play"
    broken = "".join(f"; {why}" for why in refused.values())
    raise ArenaError(
        f"{folder}: {playing}{broken}. A tournament needs two: add a bot, or opponents by --with "
        "heuristic,random"
    )
