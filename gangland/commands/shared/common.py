"""What several commands take: game options, workers, files to write."""

from __future__ import annotations

import math
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ...arena.workers import Workers
    from ...envs.core.game import Game


INTERRUPTED = 130
"""Exit code after Ctrl-C, following the convention of shells."""


def shell_line(*words: object) -> str:
    """A command that can be pasted into a shell, whatever characters its words hold."""
    return shlex.join(map(str, words))


# The limits of envs/core/integers.py, whose import would cost ``--help`` half a second.
SEED = click.IntRange(0, 2**64 - 1)
GAMES = click.IntRange(1, 10**7)


class Count(click.IntRange):
    """A whole number from a least one on, up to a million billions."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Check that it is one."""
        number: int = super().convert(value, param, ctx)
        if number > 10**15:
            self.fail(f"{number} must be at most {10**15}", param, ctx)
        return number


class Finite(click.FloatRange):
    """A number in a range, neither infinite nor ``nan``."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Check that it is one."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} must be a finite number", param, ctx)
        return number


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
        from ...envs.core.options import option_value

        return key.strip(), option_value(text.strip())


class Folder(click.Path):
    """A folder, which has a name."""

    def __init__(self) -> None:
        super().__init__(file_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse an empty name, which would be the folder where one is."""
        if not str(value).strip():
            self.fail("must not be empty", param, ctx)
        return super().convert(value, param, ctx)


RESULTS = f"{__name__}.results"
"""Where a command's context keeps the standard output, if a result goes there."""


class OutputFile(click.ParamType):  # type: ignore[type-arg]
    """A file to be written later, in a folder that must exist; ``-`` too if ``dash`` is set."""

    name = "FILE"

    def __init__(self, *, dash: bool = False) -> None:
        self.dash = dash

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Check that the file can be written, before any work is done."""
        path = Path(value)
        if str(value) == "-" and self.dash:
            if ctx is not None and RESULTS not in ctx.meta:
                # A bot may print: only results may reach the standard output.
                ctx.meta[RESULTS] = sys.stdout
                ctx.with_resource(redirect_stdout(sys.stderr))
            return path
        if path.is_dir():
            self.fail(f"{path} is a folder; it must be a file", param, ctx)
        if not path.parent.is_dir():
            self.fail(f"{path}: the folder {path.parent} does not exist", param, ctx)
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            self.fail(f"{path} cannot be written", param, ctx)
        return path


def game_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: ``--option NAME=VALUE``, which may be repeated."""
    return click.option(
        "--option",
        "options",
        type=GameOption(),
        multiple=True,
        help="Option of the game, such as players=4; may be repeated. See `gangland games`.",
    )(function)


def language_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: ``--language CODE``; :func:`check_language` refuses one that a game lacks."""
    return click.option(
        "--language",
        metavar="CODE",
        default="en",
        show_default=True,
        help="Language of events, questions, choices and rules, such as de.",
    )(function)


def check_language(game: Game, language: str) -> None:
    """Refuse a language that a game does not speak.

    Raises:
        click.BadParameter: Naming those that it speaks.
    """
    known = ("en", *game.languages())
    if language not in known:
        raise click.BadParameter(
            f"{language!r}: {game.name} speaks {', '.join(known)}", param_hint="--language"
        )


def set_option(where: str = "") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: ``--set KEY=VALUE``, as the argument ``overrides``.

    Args:
        where: What the key is overridden in, as the help has it: ``in all trials``.
    """
    return click.option(
        "--set",
        "overrides",
        multiple=True,
        metavar="KEY=VALUE",
        help=f"Override a key of CONFIG{where and ' ' + where}, such as ppo.epochs=4; "
        "may be repeated.",
    )


def workers_option(
    what: str = "", default: str = "all"
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: ``--workers N`` of a command that also takes ``--ray``.

    Args:
        what: What the threads do, as the help has it: `` that play the final games``.
        default: The default, as the help has it.
    """
    return click.option(
        "--workers",
        type=int,
        help=f"Threads{what}, or with --ray processors of the cluster; the result is the same for "
        f"any number. [default: {default}]",
    )


def ray_option(what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: ``--ray [ADDRESS]``, as the argument ``address``.

    Args:
        what: What is done on the cluster, as the help begins: ``Train``.
    """
    return click.option(
        "--ray",
        "address",
        is_flag=False,
        flag_value="local",
        metavar="[ADDRESS]",
        help=f"{what} on a Ray cluster at ADDRESS; auto for the one that runs on this machine. "
        "Without ADDRESS, one is started here and ends with the command.",
    )


@contextmanager
def opened_workers(workers: int | None, address: str | None) -> Iterator[int | Workers]:
    """Threads of this process, or the processors of a Ray cluster.

    Args:
        workers: How many; ``None`` for all cores of this machine, or all of the cluster.
        address: Of the cluster; ``None`` for threads.

    Raises:
        MissingDependencyError: If Ray is asked for and not installed.
        ClusterError: If there is no such cluster.
    """
    if address is None:
        from ...arena.workers.base import cores

        yield cores() if workers is None else workers
        return
    from ...arena.workers.on_ray import ray_workers

    with ray_workers(address, workers) as found:
        yield found


def one_blas_thread() -> None:
    """Run NumPy's matrix products in the calling thread; call this before importing NumPy.

    Several threads ask agents for small batches of decisions. Additional threads inside each
    product would only compete for the cores, which is twenty times slower on a busy machine.
    """
    for library in ("OPENBLAS", "MKL", "OMP"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")


def comma_list(value: str | None) -> list[str]:
    """The parts of a comma-separated text, without surrounding white space."""
    return [part.strip() for part in value.split(",")] if value else []


def write_text(path: Path, text: str) -> None:
    """Write a file, or to the standard output for ``-``.

    Raises:
        click.FileError: If the file cannot be written.
    """
    if str(path) == "-":
        ctx = click.get_current_context(silent=True)
        click.echo(text, nl=False, file=None if ctx is None else ctx.meta.get(RESULTS))
        return
    with written(path):
        path.write_text(text, encoding="utf-8")


@contextmanager
def written(path: Path) -> Iterator[None]:
    """Context for what writes a file.

    Raises:
        click.FileError: If the file cannot be written.
    """
    from ...envs.core.errors import reason_of

    try:
        yield
    except OSError as error:
        raise click.FileError(str(path), reason_of(error)) from error


def check_plot(plot: Path) -> None:
    """Make sure that the ending of a picture's name is a supported format.

    Raises:
        click.BadParameter: Naming the endings that are allowed.
    """
    if plot.suffix.lower() not in (".png", ".svg", ".pdf"):
        raise click.BadParameter(f"{plot} must end in .png, .svg or .pdf", param_hint="--plot")


@contextmanager
def needs_extra(extra: str, what: str) -> Iterator[None]:
    """Context for imports that an extra brings.

    Args:
        extra: The extra of the distribution.
        what: What needs it, to begin the message with.

    Raises:
        MissingDependencyError: If a package is missing, naming it and the extra.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        from ...envs.core.errors import MissingDependencyError

        raise MissingDependencyError(
            f"{what} needs {error.name}: pip install 'gangland[{extra}]'"
        ) from error


def need_torch() -> None:
    """Make sure that training is possible.

    Raises:
        MissingDependencyError: Naming what to install.
    """
    with needs_extra("train", "training"):
        import sb3_contrib  # noqa: F401
        import torch  # noqa: F401
