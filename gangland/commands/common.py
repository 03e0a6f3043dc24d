"""What several commands take: game options, seats, files to write."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click


class GameOption(click.ParamType):  # type: ignore[type-arg]
    """``NAME=VALUE`` of a game's option; the game itself checks name and value."""

    name = "NAME=VALUE"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, int | str | bool]:
        """Split and read a number, ``true``, ``false`` or a word."""
        if isinstance(value, tuple):
            return value
        key, equals, text = str(value).partition("=")
        if not key or not equals:
            self.fail(f"{value!r} must be NAME=VALUE, such as players=4", param, ctx)
        return key.strip(), _value(text.strip())


def _value(text: str) -> int | str | bool:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        return int(text)
    except ValueError:
        return text


class OutputFile(click.ParamType):  # type: ignore[type-arg]
    """A file to be written later; its folder has to stand already. ``-`` if ``dash`` allows."""

    name = "FILE"

    def __init__(self, *, dash: bool = False) -> None:
        self.dash = dash

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Check before the work, not after it."""
        path = Path(value)
        if str(value) == "-" and self.dash:
            return path
        if path.is_dir():
            self.fail(f"{path} is a folder, must be a file", param, ctx)
        if not path.parent.is_dir():
            self.fail(f"{path}: there is no folder {path.parent}", param, ctx)
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            self.fail(f"{path} cannot be written", param, ctx)
        return path


def game_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: ``--option NAME=VALUE``, given as often as wanted."""
    return click.option(
        "--option",
        "options",
        type=GameOption(),
        multiple=True,
        help="Option of the game, such as players=4; may be repeated. See `gangland games`.",
    )(function)


def one_blas_thread() -> None:
    """Keep NumPy's matrix products in the thread that asks for them; call before importing it.

    Agents are asked from several threads with small batches: threads inside each product would
    only fight for the cores (twenty times slower on a busy machine).
    """
    for library in ("OPENBLAS", "MKL", "OMP"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")


def comma_list(value: str | None) -> list[str]:
    """Parts of a comma-separated text, without blanks around them."""
    return [part.strip() for part in value.split(",")] if value else []


def write_text(path: Path, text: str) -> None:
    """Write a file, or to the standard output for ``-``.

    Raises:
        click.FileError: If the file cannot be written.
    """
    if str(path) == "-":
        click.echo(text, nl=False)
        return
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.FileError(str(path), error.strerror or str(error)) from error


def check_plot(plot: Path) -> None:
    """Make sure that a picture can be drawn in the format that its name asks for.

    Raises:
        click.BadParameter: Naming the endings that are allowed.
    """
    if plot.suffix.lower() not in (".png", ".svg", ".pdf"):
        raise click.BadParameter(f"{plot} must end in .png, .svg or .pdf", param_hint="--plot")


def need_torch() -> None:
    """Make sure that training is possible.

    Raises:
        MissingDependencyError: Naming what to install.
    """
    from ..envs.core.errors import MissingDependencyError

    try:
        import sb3_contrib  # noqa: F401
        import torch  # noqa: F401
    except ImportError as error:
        raise MissingDependencyError(
            f"training needs {error.name}: pip install 'gangland[train]'"
        ) from error
