"""Decisive moments: the decisions after which a winner's probability of winning rose most.

The game's shipped network judges each of the winner's decisions from what its seat knew, so that
all probabilities of a game are one player's. After the last decision that is 1 in any case: it
counts only if it rose there twice as much as anywhere before. Games without such a network show the
winner's last decision.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...agents.base import Agent
from ...agents.registry import POLICY, divided, make, strongest
from ...envs.core.game import Game
from ...envs.core.replay import Replay
from ...envs.core.state import State
from ...envs.core.view import Detail, View, ViewBatch
from ..statistics import win_shares
from .result import FolderResult

EXAMINED = 64
"""Games of a tournament that are looked at, from its first."""

MOST = 6
"""Moments that are shown."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision of a game's winner.

    Attributes:
        game: Number of the game, from 0.
        ply: Decisions of all seats before it.
        length: Decisions of the game.
        name: The winner.
        seat: Name of its seat.
        action: What was decided, in a sentence.
        chances: Probability of winning before it and at the winner's next decision, which is 1 at
            the end of the game; ``None`` if nobody judges.
        last: Whether it was the winner's last decision.
        svg: The open table before it, the decision marked.
    """

    game: int
    ply: int
    length: int
    name: str
    seat: str
    action: str
    chances: tuple[float, float] | None
    last: bool
    svg: str


def judge_of(game: Game) -> Agent | None:
    """The agent that judges: the game's shipped network, if it has one."""
    spec = strongest(game)
    return make(spec, game) if divided(spec)[0] == POLICY else None


def decisive_moments(result: FolderResult, game: Game, judge: Agent | None) -> list[Moment]:
    """The most decisive moments of some games: at most one of each game, :data:`MOST` in all.

    First the greatest of each winner, in order of the standings, then the second ones, and so on.
    Games that several seats have won are left out.

    Args:
        result: The tournament.
        game: Its game.
        judge: An agent that gives the deciding seat's probability of winning; ``None`` for nobody.
    """
    won = win_shares(result.places[:EXAMINED], result.truncated[:EXAMINED])
    found: dict[str, list[_Rise]] = {one.name: [] for one in result.standings}
    for number, seat in zip(*(rows.tolist() for rows in np.nonzero(won == 1.0)), strict=True):
        rise = _greatest_rise(result.played.replays[number], game, judge, number, seat)
        if rise is not None:
            found[result.names[result.played.line_ups[number, seat]]].append(rise)
    ordered = [
        (rank, place, rise, name)
        for place, (name, rises) in enumerate(found.items())
        for rank, rise in enumerate(sorted(rises, key=lambda one: one.before - one.after))
    ]
    chosen = sorted(ordered, key=lambda one: one[:2])[:MOST]
    return [_drawn(result.played.replays[rise.game], game, rise, name) for *_, rise, name in chosen]


class _Rise(NamedTuple):
    """A winner's decision, and its probability of winning there and next; NaN if nobody judges."""

    game: int
    seat: int
    ply: int
    before: float
    after: float
    last: bool


def _greatest_rise(
    replay: Replay, game: Game, judge: Agent | None, number: int, seat: int
) -> _Rise | None:
    """The decision of a game's winner that counts; ``None`` if it made none."""
    states = list(replay.states(game))
    own = [ply for ply, state in enumerate(states) if game.seat_to_act(state) == seat]
    if not own:
        return None
    chances = None if judge is None else _chances(judge, game, [states[k] for k in own], seat)
    if chances is None:
        return _Rise(number, seat, own[-1], math.nan, math.nan, True)
    rises = np.diff(chances)
    k = int(np.argmax(rises))
    if 0 < k == len(own) - 1 and rises[:-1].max() > rises[-1] / 2:
        k = int(np.argmax(rises[:-1]))
    return _Rise(number, seat, own[k], float(chances[k]), float(chances[k + 1]), k == len(own) - 1)


def _drawn(replay: Replay, game: Game, rise: _Rise, name: str) -> Moment:
    """A moment in words and as a picture."""
    states = list(replay.states(game))
    state, action = states[rise.ply], replay.actions[rise.ply]
    told = (
        game.narrate(states[rise.ply - 1], replay.actions[rise.ply - 1], state, None)
        if rise.ply
        else []
    )
    return Moment(
        rise.game,
        rise.ply,
        len(replay.actions),
        name,
        game.seat_name(state, rise.seat),
        game.describe(state, action),
        None if math.isnan(rise.before) else (rise.before, rise.after),
        rise.last,
        game.svg(state, None, [action], told[-1] if told else ""),
    )


def _chances(
    judge: Agent, game: Game, states: list[State], seat: int
) -> NDArray[np.float64] | None:
    """A winner's probabilities at its decisions and at the end, float64 ``(decisions + 1,)``."""
    views = [View(game, game.redact(state, seat), seat, detail=Detail.OWN) for state in states]
    found = judge.decide_batch(ViewBatch.of(views)).chances
    if found is None or np.isnan(found[:, seat]).any():
        return None
    return np.append(found[:, seat], 1.0)
