"""``gangland play``: a game in the terminal against bots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .common import OutputFile, comma_list, game_options


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
@click.option(
    "--seed", type=click.IntRange(0, 2**64 - 1), help="Seed of the game. [default: random]"
)
@click.option("--save", type=OutputFile(), help="Append the game to this replay file.")
@click.option(
    "--delay",
    type=click.FloatRange(0),
    default=0.0,
    help="Seconds to wait after each decision of a bot.",
)
def command(
    game: str,
    seat: str,
    bots: str | None,
    options: tuple[tuple[str, Any], ...],
    seed: int | None,
    save: Path | None,
    delay: float,
) -> None:
    """Play a game against bots, or watch bots play.

    Type the number of a choice or its notation; ? lists the other commands. You see only what your
    seat may know.
    """
    from ..agents.heuristic import has_heuristic
    from ..agents.registry import make
    from ..envs import load
    from ..envs.core.rng import draw_seed
    from .session import Session

    loaded = load(game)
    chosen = dict(options)
    players = loaded.num_players(loaded.options.resolve(chosen))
    place = _seat(seat, players)
    default = "heuristic" if has_heuristic(loaded) else "random"
    wanted = _bots(comma_list(bots) or [default], players - (place is not None))
    agents = [make(spec, loaded) for spec in wanted]
    number = draw_seed() if seed is None else seed
    session = Session(loaded, place, agents, number, read=_reader(), delay=delay, **chosen)
    click.echo(click.style(loaded.title, bold=True) + f", seed {number}")
    for k, agent in enumerate(session.agents):
        name = loaded.seat_name(session.recorder.state, k)
        click.echo(f"  {k} {name}: {'you' if k == place else agent.spec}")
    try:
        session.run()
    finally:
        if save is not None:
            session.save(save)
        click.echo(f"The same game again: --seed {number}")


def _seat(text: str, players: int) -> int | None:
    if text.lower() == "none":
        return None
    if text.isdecimal() and int(text) < players:
        return int(text)
    raise click.BadParameter(f"{text!r} must be 0..{players - 1} or none", param_hint="--seat")


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
