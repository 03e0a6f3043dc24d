"""Errors and warnings that name the thing that is wrong and what is allowed."""

from __future__ import annotations


class GanglandError(Exception):
    """Base of all errors that the package raises on purpose."""


class OptionError(GanglandError, ValueError):
    """A game option has an unknown name or a value that is not allowed."""


class IllegalActionError(GanglandError, ValueError):
    """An action is not among the legal actions of the seat to decide."""


class NotationError(GanglandError, ValueError):
    """A text is no action, position or replay of the game."""


class GameOverError(GanglandError, RuntimeError):
    """A decision was asked for or made after the end of the game."""


class ResetNeededError(GanglandError, RuntimeError):
    """A step was asked for before the first ``reset``.

    Args:
        game: Name of the game.
    """

    def __init__(self, game: str) -> None:
        super().__init__(game)

    def __str__(self) -> str:
        return f"{self.args[0]}: no game has begun: call reset() first"


class MissingDependencyError(GanglandError, ImportError):
    """A feature needs an optional package that is not installed."""


def reason_of(error: OSError) -> str:
    """Why the system refused a file, without the number and the path of Python's own text."""
    return error.strerror or str(error)


class GanglandWarning(UserWarning):
    """Base of the package's warnings."""
