"""What lists say of the bots that come with the project, and the levels of each game's bot.

All of it is in their ``model.json``. ``bot:hard`` is the game's bot as it ships, ``bot:medium`` and
``bot:easy`` draw at higher temperatures, and ``bot:strong`` is a search over it.

>>> from gangland.envs import load
>>> sorted(levels(load("kuhn")))
[]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..envs.core.game import Game
from .registry import LEVEL, UnknownAgentError, policy_spec, shipped
from .trained.policy import load_checkpoint


@dataclass(frozen=True, slots=True)
class Level:
    """A level of a game's bot.

    Attributes:
        stands_for: Spec of the agent that it is.
        doc: That spec, and what one of it was measured to win, in one line.
    """

    stands_for: str
    doc: str


def levels(game: Game) -> dict[str, Level]:
    """The levels of a game's bot by spec, ``bot:easy`` for example, the weakest one first.

    What is offered is what was measured, budget and settings included; a search only where it is
    known to win more than par.
    """
    if not shipped(game.name):
        return {}
    bot = shipped(game.name)[-1]
    model, found = load_checkpoint(bot).model, {}
    for name, measured in model["levels"].items():
        spec = policy_spec(bot, measured["temperature"])
        found[f"{LEVEL}:{name}"] = Level(spec, "; ".join([spec, *map(_won, measured["ratings"])]))
    search = model["search"]
    if search is not None and search["interval"][0] > search["par"]:
        spec = f"search:{bot}?{search['budget']}"
        row = {**search, "players": _seats(game), "baseline": policy_spec(bot), "role": None}
        found[f"{LEVEL}:strong"] = Level(spec, f"{spec}; {_won(row)}")
    return found


def level(name: str, game: Game) -> Level:
    """One level of a game's bot, ``easy`` for example.

    Raises:
        UnknownAgentError: If the game does not offer it, naming those that it does.
    """
    found, spec = levels(game), f"{LEVEL}:{name}"
    if spec not in found:
        there = f"must be one of {', '.join(found)}" if found else "there are no levels of bots"
        raise UnknownAgentError(f"{spec}: {there} in {game.name}")
    return found[spec]


def cards(game: Game) -> dict[str, str]:
    """The shipped bots of a game by spec, each with a line on how it fared against the baselines.

    Of its ratings only those with default options, and those against ``random`` only where there
    are no others.
    """
    found = {}
    defaults, seats = game.options.resolve({}), _seats(game)
    for bot in shipped(game.name):
        rows = [
            {**row, "interval": []}
            for row in load_checkpoint(bot).model["ratings"]
            if row["players"] == seats and row["options"].items() <= defaults.items()
        ]
        rows = [row for row in rows if row["baseline"] != "random"] or rows
        found[policy_spec(bot)] = "; ".join(["trained bot", *map(_won, rows)])
    return found


def _seats(game: Game) -> int:
    return game.num_players(game.options.resolve({}))


def _won(row: dict[str, Any]) -> str:
    """A rating in words, with its interval if it has one."""
    interval = "{:.0%}-{:.0%}, ".format(*row["interval"]) if row["interval"] else ""
    role = f" as {row['role']}" if row["role"] else ""
    return (
        f"wins {row['win_share']:.0%} ({interval}par {row['par']:.0%}) "
        f"against {row['players'] - 1} {row['baseline']}{role}"
    )
