"""``gangland games``: the games and their options."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .shared.common import write_text
from .shared.terminal import echo, echo_rows, folded

if TYPE_CHECKING:
    from ..envs.core.game import Game


@click.command(name="games")
@click.argument("names", metavar="[GAME]...", nargs=-1)
@click.option("--observation", is_flag=True, help="Show what every number of an observation means.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def command(names: tuple[str, ...], observation: bool, as_json: bool) -> None:
    """List games (all by default) with their seats and options."""
    from ..envs import game_names, load

    games = [load(name) for name in names or game_names()]
    if as_json:
        import json

        describe = _layout if observation else _facts
        write_text(Path("-"), json.dumps([describe(game) for game in games], indent=2) + "\n")
        return
    for game in games:
        if observation:
            write_text(Path("-"), observation_page(game))
        else:
            _show(_facts(game))


def observation_page(game: Game) -> str:
    """The layout of a game's observation, as Markdown."""
    heading = f"# The observation of {game.title}\n\n"
    layout = game.observation_layout
    if layout is None:
        return f"{heading}{game.observation_size} numbers without names.\n"
    made = f"Made by `gangland games {game.name} --observation`; not written by hand."
    return f"{heading}{made}\n\n{layout.describe()}"


def _layout(game: Game) -> dict[str, Any]:
    layout = game.observation_layout
    parts = {"size": game.observation_size, "blocks": []} if layout is None else layout.to_dict()
    return {"name": game.name, **parts}


def _facts(game: Game) -> dict[str, Any]:
    defaults = game.options.resolve({})
    return {
        "name": game.name,
        "title": game.title,
        "rules_version": game.rules_version,
        "seats": game.num_players(defaults),
        "max_seats": game.max_seats,
        "roles": list(game.roles),
        "num_actions": game.num_actions,
        "observation_size": game.observation_size,
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "allowed": option.allowed(defaults),
                "doc": option.doc,
            }
            for option in game.options
            if not option.fixed
        ],
    }


def _show(facts: dict[str, Any]) -> None:
    name = facts["name"]
    echo(folded(f"{name}  {facts['title']}", 0, 4), bold=name)
    seats = f"{facts['seats']} seats by default, at most {facts['max_seats']}"
    roles = f", roles {' and '.join(facts['roles'])}" if len(facts["roles"]) > 1 else ""
    about = f"{seats}{roles}; {facts['num_actions']} actions; rules v{facts['rules_version']}"
    echo(folded(about, 2, 2))
    rows = [
        (option["name"], _word(option["default"]), option["allowed"], option["doc"])
        for option in facts["options"]
    ]
    echo_rows(rows, 4)
    echo()


def _word(value: int | str | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
