"""``gangland agents``: what can take a seat."""

from __future__ import annotations

import click

from .shared.terminal import echo, echo_rows


@click.command(name="agents")
@click.option("--game", "names", multiple=True, help="Only for this game; may be repeated.")
def command(names: tuple[str, ...]) -> None:
    """List the agents that can play each game, then how to write the spec of any other.

    Arena, play and the other commands take these specs.
    """
    from ..agents.registry import kinds, specs
    from ..envs import game_names, load

    games = [load(name) for name in names or game_names()]
    for game in games:
        echo(game.name, bold=game.name)
        echo_rows(list(specs(game).items()), 2)
    echo("in general", bold="in general")
    echo_rows([(kind.usage, kind.doc) for kind in kinds().values()], 2)
