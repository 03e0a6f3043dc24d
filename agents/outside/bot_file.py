"""A bot in one Python file: a function ``act(view)`` that returns a legal action.

One that reads ``view.history`` says so with a line ``needs_history = True`` in its file.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from ...envs.core.errors import GanglandError
from ...envs.core.game import Game
from ...envs.core.integers import as_integer, shown
from ...envs.core.view import View
from ..base import Agent
from ..decision import Decision

FUNCTION = "act"


class BotFileError(GanglandError, ValueError):
    """A bot's file cannot be used, or its function fails; the message names file and line."""


class FileAgent(Agent):
    """Plays what the function ``act`` of a Python file returns.

    The file is run once, with its folder on the path, so that it may import what lies beside it.

    Attributes:
        file: Where it stands.

    Args:
        game: The game.
        path: The file.

    Raises:
        BotFileError: If there is no such file, it fails, or it has no function ``act``.
    """

    def __init__(self, game: Game, path: str) -> None:
        self.game = game
        self.spec = path
        self.file = Path(path).resolve()
        module = _module(self.file)
        self._act: Callable[[View], Any] = getattr(module, FUNCTION)
        self.needs_history = bool(getattr(module, "needs_history", False))

    def __reduce__(self) -> tuple[type[FileAgent], tuple[Game, str]]:
        # Another process runs the file for itself.
        return FileAgent, (self.game, self.spec)

    def decide(self, view: View) -> Decision:
        """What the function returns: an action, or a whole :class:`Decision`.

        Raises:
            BotFileError: If it fails, or returns neither; or an action that is not legal.
        """
        try:
            answer = self._act(view)
        except (Exception, SystemExit) as error:
            raise BotFileError(f"{self.spec}{_what(error, self.file)}") from error
        action = as_integer(answer.action if isinstance(answer, Decision) else answer)
        if action is None or action not in view.legal_actions:
            legal = ", ".join(map(str, view.legal_actions[:20]))
            more = ", ..." if len(view.legal_actions) > 20 else ""
            raise BotFileError(
                f"{self.spec}{_where(self._act, self.file)}: {FUNCTION} returned {shown(answer)}: "
                f"must be one of view.legal_actions, here {legal}{more}"
            )
        return answer if isinstance(answer, Decision) else Decision(action)


@cache
def _module(path: Path) -> ModuleType:
    """A file with the function, which is run once for all games and seats."""
    if not path.is_file():
        raise BotFileError(f"{path}: there is no such file")
    spec = spec_from_file_location(f"gangland_bot_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise BotFileError(f"{path}: must be a Python file")
    module = module_from_spec(spec)
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise BotFileError(f"{path}{_what(error, path)}") from error
    if not callable(getattr(module, FUNCTION, None)):
        raise BotFileError(f"{path}: has no function {FUNCTION}(view)")
    return module


def _where(function: Callable[[View], Any], file: Path) -> str:
    """The line at which a function begins, after a colon, if it stands in the file."""
    code = getattr(function, "__code__", None)
    if code is None or Path(code.co_filename).resolve() != file:
        return ""
    return f":{code.co_firstlineno}"


def _what(error: BaseException, file: Path) -> str:
    """The line of a file that led to an error, and the error, in one line."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).resolve() == file
    ]
    said = str(error)
    if isinstance(error, SyntaxError) and Path(error.filename or "").resolve() == file:
        lines.append(error.lineno)
        said = error.msg
    at = f":{lines[-1]}" if lines else ""
    return f"{at}: {type(error).__name__}: {said}"
