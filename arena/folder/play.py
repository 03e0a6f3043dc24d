"""Plays the tournament of a folder, round by round."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from ...envs.core.game import Game
from ...envs.core.integers import MAX_GAMES, as_seed, whole_number
from ...envs.core.replay import Replay, ReplayError
from ...envs.core.rng import stream
from ..forfeits import Fault, without_forfeits
from ..games import Games
from ..kept import Kept
from ..play import Progress, play_schedules
from ..schedule import Schedule, pool_schedule
from ..statistics import ranks
from ..workers import Players, Workers
from .entrants import Field
from .result import FolderResult, Played, Standing, ahead_of, standings_of

ROUND = 64
"""Games of a round at least, in whole deals. Games are kept round by round."""

SHOWN_EVERY = 0.5
"""Seconds between standings that are shown."""

OnRound: TypeAlias = Callable[[tuple[Standing, ...], float], None]
"""Called with the standings so far, to be shown, and with par."""

_ARRAYS = ("places", "truncated", "decisions", "seconds")


def play_folder(
    game: Game,
    field: Field,
    games: int = 1000,
    *,
    seed: int = 0,
    workers: int | Workers = 1,
    progress: Progress | None = None,
    on_round: OnRound | None = None,
    kept: Path | None = None,
    **options: Any,
) -> FolderResult:
    """Play mixed line-ups of all bots, so that each plays equally often in every seat.

    Line-ups are those of :func:`gangland.arena.schedule.pool_schedule`. A bot that fails has
    forfeited the game; see :mod:`gangland.arena.forfeits`.

    Args:
        game: The game.
        field: The bots; see :func:`gangland.arena.folder.entrants.find_entrants`.
        games: Games wanted; rounded up to full deals.
        seed: Seed of line-ups, deals and players.
        workers: Threads, or other workers; the result is the same for any.
        progress: Called with the number of games that have ended.
        on_round: Called with the standings so far, from time to time.
        kept: Folder in which each finished round is kept, with which a call with the same bots
            and options continues; more games may be wanted then. It is this tournament's alone: at
            the end, results of other games and of earlier bots are removed from it.
        **options: The game's options.

    Raises:
        IntegerError: If a number is no integer, or out of range.
        GanglandError: For an unknown option.
    """
    games, seed = whole_number("games", games, 1, MAX_GAMES), as_seed(seed)
    resolved = game.options.resolve(options)
    schedule = pool_schedule(len(field.names), game.seat_roles(resolved), games, seed)
    rounds = [
        (part, int(stream(np.uint64(seed), np.uint64(number))))
        for number, part in enumerate(rounds_of(schedule), 1)
    ]
    store = Kept(kept, game, resolved, field.agents, field.names)
    found = {k: one for k, part in enumerate(rounds) if (one := _find(store, *part)) is not None}

    def ended(count: int, _: int) -> None:
        if progress is not None:
            progress(count, len(schedule))

    shown = -SHOWN_EVERY

    def show() -> None:
        nonlocal shown
        if on_round is not None and found and time.monotonic() - shown >= SHOWN_EVERY:
            shown = time.monotonic()
            so_far = Played.joined([found[k] for k in sorted(found)])
            on_round(standings_of(field.names, so_far), 1 / schedule.line_ups.shape[1])

    ended(sum(len(one.deals) for one in found.values()), 0)
    show()
    missing = [k for k in range(len(rounds)) if k not in found]
    with closing(
        play_schedules(
            Players(game, resolved, field.agents),
            [rounds[k] for k in missing],
            workers=workers,
            replays=True,
            forfeits=True,
            progress=ended,
        )
    ) as played:
        for place, done in played:
            k = missing[place]
            found[k] = _played(done, field.names)
            _keep(store, *rounds[k], found[k])
            show()
    store.drop_others()
    everything = Played.joined([found[k] for k in range(len(rounds))])
    return _result(game, field, resolved, seed, everything)


def rounds_of(schedule: Schedule) -> list[Schedule]:
    """The schedule in rounds of whole deals; those of a longer one begin with the same."""
    deals = -(-ROUND // int((schedule.deals == schedule.deals[0]).sum()))
    cuts = np.flatnonzero(np.diff(schedule.deals // deals)) + 1
    pairs = zip(np.split(schedule.line_ups, cuts), np.split(schedule.deals, cuts), strict=True)
    return [Schedule(line_ups, played) for line_ups, played in pairs]


def _result(
    game: Game, field: Field, options: dict[str, Any], seed: int, games: Played
) -> FolderResult:
    places, truncated = without_forfeits(games.places, games.truncated, games.faults)
    standings = standings_of(field.names, games)
    compared = ranks(places, truncated)
    return FolderResult(
        game=game.name,
        rules_version=game.rules_version,
        options=options,
        seed=seed,
        names=field.names,
        standings=standings,
        ahead=ahead_of(field.names, standings, games.line_ups, compared),
        refused=field.refused,
        places=places,
        truncated=truncated,
        played=games,
    )


def _played(games: Games, names: Sequence[str]) -> Played:
    """What is kept of games; their replays name the bots as the tournament does."""
    replays = [
        replace(replay, players=tuple(names[k] for k in line_up))
        for replay, line_up in zip(games.replays, games.line_ups.tolist(), strict=True)
    ]
    return Played(
        games.line_ups,
        games.deals,
        games.places,
        games.truncated,
        games.decisions,
        games.seconds,
        replays,
        games.faults,
    )


def _keep(store: Kept, schedule: Schedule, seed: int, games: Played) -> None:
    lines = [[replay.write() for replay in games.replays], games.faults]
    text = np.frombuffer(json.dumps(lines).encode(), np.uint8)
    store.keep(schedule, seed, text=text, **{name: getattr(games, name) for name in _ARRAYS})


def _find(store: Kept, schedule: Schedule, seed: int) -> Played | None:
    """A round that has been kept, whole; ``None`` if it has to be played."""
    arrays = store.find(schedule, seed, (*_ARRAYS, "text"))
    if arrays is None:
        return None
    try:
        lines, faults = json.loads(arrays.pop("text").tobytes())
        replays = [Replay.read(line) for line in lines]
        noted = [Fault(*fault) for fault in faults]
    except (ValueError, TypeError, ReplayError):
        return None
    return Played(schedule.line_ups, schedule.deals, replays=replays, faults=noted, **arrays)
