"""``gangland compile``: compile the rules now instead of on first use."""

from __future__ import annotations

import time

import click


@click.command(name="compile")
@click.argument("games", nargs=-1)
def command(games: tuple[str, ...]) -> None:
    """Compile the rules of GAMES (all by default), or load them if they are compiled already."""
    from ..envs import game_names, load

    for name in games or tuple(game_names()):
        started = time.perf_counter()
        # Reading the attribute compiles.
        assert load(name).compiled
        click.echo(f"{name}: ready in {time.perf_counter() - started:.1f} s")
