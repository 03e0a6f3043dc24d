"""``gangland play``: a game in the terminal against bots."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from .shared.common import (
    SEED,
    Finite,
    OutputFile,
    check_language,
    comma_list,
    game_options,
    language_option,
    shell_line,
)
from .shared.terminal import echo, echo_if_too_wide

if TYPE_CHECKING:
    from .shared.session import Session

OUTSIDE = ("cmd", "http", "https", "llm", "py")
"""Kinds of agents that start programs, run files or call addresses."""


@click.command(name="play")
@click.option("--game", default="chicago", show_default=True, help="The game.")
@click.option(
    "--seat", default="0", show_default=True, help="Your seat, or none to watch bots play."
)
@click.option(
    "--bots",
    help="Agents for the other seats: one for all, or A,B,C,D. [default: heuristic]",
)
@game_options
@click.option("--seed", type=SEED, help="Seed of the game. [default: random]")
@click.option("--save", type=OutputFile(), help="Append the game to this replay file.")
@click.option(
    "--resume",
    is_flag=False,
    flag_value="",
    metavar="[FILE]",
    help="Continue the game that you left last, or the last unfinished one of FILE.",
)
@click.option(
    "--delay",
    type=Finite(0, 86_400),
    default=0.0,
    help="Seconds to wait after each decision of a bot.",
)
@language_option
@click.pass_context
def command(
    context: click.Context,
    game: str,
    seat: str,
    bots: str | None,
    options: tuple[tuple[str, Any], ...],
    seed: int | None,
    save: Path | None,
    resume: str | None,
    delay: float,
    language: str,
) -> None:
    """Play a game against bots, or watch bots play.

    Type the number of a choice or its notation; ? lists the other commands, among them undo, rules
    and q, which leaves and keeps the game for --resume. You see only what your seat may know.
    """
    from ..envs.core.rng import draw_seed

    if resume is not None:
        _go_on(context, resume, delay, language)
        return
    number = draw_seed() if seed is None else seed
    session = _new_session(game, seat, bots, dict(options), number, delay, language)
    _introduce(session)
    over = False
    try:
        over = session.run()
    finally:
        if save is not None:
            session.save(save)
        elif not over and session.seat is not None:
            _keep(session)
        echo(f"The same game again: --seed {number}")
        if save is not None and not over:
            echo(f"Continue it: {shell_line('gangland', 'play', '--resume', save)}")


def _new_session(
    game: str,
    seat: str,
    bots: str | None,
    options: dict[str, Any],
    seed: int,
    delay: float,
    language: str,
) -> Session:
    from ..agents.baseline.heuristic import has_heuristic
    from ..agents.registry import make
    from ..envs import load
    from .shared.session import Session

    loaded = load(game)
    check_language(loaded, language)
    players = loaded.num_players(loaded.options.resolve(options))
    place = _seat(seat, players)
    default = "heuristic" if has_heuristic(loaded) else "random"
    wanted = _bots(comma_list(bots) or [default], players - (place is not None))
    agents = [make(spec, loaded) for spec in wanted]
    return Session(
        loaded, place, agents, seed, read=_reader(), delay=delay, language=language, **options
    )


def _go_on(context: click.Context, file: str, delay: float, language: str) -> None:
    """Continue a game that was left; how far it comes is kept in the same file."""
    from ..agents.registry import make
    from ..envs import load
    from ..envs.core.replay import ReplayError
    from .shared.saved_games import PERSON, find, own_file
    from .shared.session import Session

    for name in ("game", "seat", "bots", "options", "seed", "save"):
        if context.get_parameter_source(name) != ParameterSource.DEFAULT:
            flag = "--option" if name == "options" else f"--{name}"
            raise click.UsageError(f"--resume continues the game as it was: leave {flag} out")
    path = Path(file) if file else own_file()
    saved = find(path)
    replay, game = saved.replay, load(saved.replay.game)
    check_language(game, language)
    specs = [spec for spec in replay.players if spec != PERSON]
    if path != own_file():
        _ask_for_outside(specs, path)
    agents = [make(spec, game) for spec in specs]
    session = Session(
        game, saved.seat, agents, replay.seed, read=_reader(), delay=delay, played=replay.actions,
        language=language, **replay.options,
    )  # fmt: skip
    if session.recorder.replay().chain != replay.chain:
        raise ReplayError(f"{path}: the game differs from the record")
    _introduce(session)
    over = False
    try:
        over = session.run()
    finally:
        if over and path == own_file():
            saved.remove()
        else:
            saved.go_to(session.recorder.replay())
        if not over:
            words = ["gangland", "play", "--resume", *([file] if file else [])]
            echo(f"Kept. Continue it: {shell_line(*words)}")


def _ask_for_outside(specs: list[str], path: Path) -> None:
    """Let the person decide on programs and addresses that a file names: it may be a stranger's."""
    from ..agents.registry import divided
    from ..envs.core.presentation.foreign_text import printable

    for spec in dict.fromkeys(specs):
        if divided(spec)[0] in OUTSIDE:
            echo(f"{path} names an opponent that decides outside: {printable(spec)}")
            click.confirm("Start or call it?", abort=True)


def _introduce(session: Session) -> None:
    from ..envs.core.presentation.foreign_text import printable

    game = session.game
    title = session.say(game.title)
    echo(f"{title}, seed {session.recorder.seed}", bold=title)
    for k, agent in enumerate(session.agents):
        name = session.say(game.seat_name(session.recorder.state, k))
        echo(f"  {k} {name}: {'you' if k == session.seat else printable(agent.spec)}")
    echo_if_too_wide(game.text(session.recorder.state, session.seat))


def _keep(session: Session) -> None:
    """Keep a game that was left; not being able to is no reason to fail."""
    from ..envs.core.replay import ReplayError
    from .shared.saved_games import keep

    try:
        keep(session.recorder.replay())
    except (OSError, ReplayError) as error:
        echo(f"The game could not be kept: {error}", err=True)
    else:
        echo("Kept. Continue it: gangland play --resume")


def _seat(text: str, players: int) -> int | None:
    if text.lower() == "none":
        return None
    from ..envs.core.integers import shown
    from ..envs.core.presentation.foreign_text import read_number

    seat = read_number(text)
    if seat is not None and seat < players:
        return seat
    raise click.BadParameter(f"{shown(text)} must be 0..{players - 1} or none", param_hint="--seat")


def _bots(specs: list[str], seats: int) -> list[str]:
    if len(specs) == 1:
        return specs * seats
    if len(specs) != seats:
        raise click.BadParameter(
            f"{len(specs)} agents given, must be 1 or {seats}", param_hint="--bots"
        )
    return specs


def _reader() -> Any:
    """``input``, with editing and history where the terminal can."""
    import contextlib
    import sys

    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401 - importing it is what gives ``input`` its editing
    return input
