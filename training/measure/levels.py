"""Levels of a bot: easier ones draw their actions at higher temperatures.

*hard* is the bot as it ships. The temperature of the next lower level is the lowest one of
:data:`TEMPERATURES` at which one of the higher level wins at least :data:`EDGE` times par at a
table of the lower one, in the game's first role and with its default options; the highest one of
them where none is enough.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

from ...agents.registry import policy_spec
from ...agents.trained.policy import Checkpoint
from ...envs.core.game import Game
from .final import Rated, as_ratings, in_words, rate

TEMPERATURES = (0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0)
"""What a lower level may draw at."""
EDGE = 1.75
"""Times par that one of the higher level wins at least."""
CHOOSING_GAMES, REPORTED_GAMES = 400, 1000
"""Games for each temperature that is tried, and for each row that is reported."""
CHOOSING_SEED, REPORTED_SEED = 1, 2


@dataclass(frozen=True)
class MeasuredLevel:
    """A level and how it did.

    Attributes:
        name: Its name.
        temperature: How it draws; ``None`` as the bot does.
        rows: One of it at a table of the next lower level, in each role; the lowest one at a table
            of ``random``.
    """

    name: str
    temperature: float | None
    rows: list[Rated]


def measure_levels(
    game: Game,
    bot: Checkpoint,
    games: int = REPORTED_GAMES,
    workers: int = 1,
    report: Callable[[str], None] = lambda row: None,
) -> list[MeasuredLevel]:
    """Find a bot's levels, then measure each against the next lower one, in other games.

    Args:
        game: The game.
        bot: The bot.
        games: Games for each row that is reported.
        workers: Threads of the arena.
        report: Called with each row in words, once it has been played.

    Returns:
        The levels, the weakest one first. There are fewer than three where no temperature is left
        for the lower ones.
    """
    spec = partial(policy_spec, bot.folder)
    found: dict[str, float | None] = {"hard": None}
    above, least = spec(), float(bot.model["temperature"])
    for name in ("medium", "easy"):
        for temperature in (one for one in TEMPERATURES if one > least):
            below = spec(temperature)
            row = rate(game, above, below, CHOOSING_GAMES, seed=CHOOSING_SEED, workers=workers)
            report(in_words(row))
            found[name] = least = temperature
            if row.result.win.share >= EDGE * row.par:
                break
        else:
            report(f"no temperature is enough for {name}")
        above = spec(least)
    names = ["random", *reversed(found)]
    specs = {"random": "random"} | {name: spec(found[name]) for name in found}
    levels = []
    for lower, name in pairwise(names):
        rows = []
        for role in sorted(set(game.seat_roles(game.options.resolve({})))):
            row = rate(game, specs[name], specs[lower], games, role, REPORTED_SEED, workers)
            baseline = lower if lower == "random" else f"bot:{lower}"
            rows.append(replace(row, baseline=baseline))
            report(f"bot:{name} against {in_words(rows[-1])}")
        levels.append(MeasuredLevel(name, found[name], rows))
    return levels


def as_levels(levels: list[MeasuredLevel]) -> dict[str, Any]:
    """Levels for ``model.json``; one that plays as the bot does names no temperature."""
    return {
        level.name: {
            **({} if level.temperature is None else {"temperature": level.temperature}),
            "ratings": as_ratings(level.rows),
        }
        for level in levels
    }
