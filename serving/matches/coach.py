"""The coach: what a trained bot thinks of a person's decisions, from what the seat knew.

Every judgement is made from the seat's view at its decision, as it was when the coach was asked.
One is worked on at a time, in a thread of the bots, so that matches go on meanwhile; what has been
found is kept for a while.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...agents.decision import Decision
from ...agents.judgement import Judgement, JudgementError, judge
from ...agents.seeds import players_key
from ...envs.core.game import Game
from ...envs.core.history import known_to
from ...envs.core.view import Detail, View
from ..bots.bot import Bot
from ..bots.registry import Bots
from ..errors import ServingError
from ..protocol import Assessment, CurvePoint, Hint, Review, Thought, Tried
from .match import Match
from .seat import Past
from .views import action
from .watch import advised_actions, advised_view

BEST = 3
"""Actions that are shown, and decisions of a review."""

LOOKED_INTO = 12
"""Decisions of a review that are tried out: those that the bot is least likely to share."""

CURVE = 100
"""Most points of a curve before its end."""

LEAST_MARGIN = 0.005
ERRORS = 2.0
"""Standard errors within which a cost means nothing."""

KEPT = 300
"""Answers that are kept."""

WAITING = 16
"""Questions that may wait."""

Value = TypeVar("Value")


class Coach:
    """Rates decisions and reviews matches.

    Args:
        bots: The server's bots.
        start: Starts a background task.
    """

    def __init__(self, bots: Bots, start: Callable[[Any], asyncio.Task[Any]]) -> None:
        self._bots = bots
        self._start = start
        self._one = asyncio.Semaphore(1)
        self._waiting = 0
        self._kept: OrderedDict[Hashable, asyncio.Task[Any]] = OrderedDict()

    async def rate(self, match: Match, seat: int, number: int | None, spec: str) -> Assessment:
        """What a bot thinks of a decision that a person has made and not taken back.

        Args:
            match: The match.
            seat: The person's seat.
            number: Number of the decision; ``None`` for the last one.
            spec: A checked bot.

        Raises:
            ServingError: ``not_found`` if there is no such decision, ``bad_request`` if the bot
                cannot rate, ``too_many`` if too many questions wait.
        """
        found = [one for one in own_decisions(match, seat) if number in (None, one.number)]
        if not found:
            which = "decision" if number is None else f"decision {number}"
            raise ServingError("not_found", f"{which} was not made by you, or was taken back")
        one, about = found[-1], Subject.of(match, seat)
        key = "rate", match.setup.match, seat, one.number, one.frame, spec
        return await self._once(key, lambda: self._rate(about, one, spec))

    async def advise(self, match: Match, seat: int, spec: str) -> Hint:
        """A bot's advice for a seat that is to decide, from what the seat knows.

        Raises:
            ServingError: ``not_your_turn`` if the seat's person is not to decide now.
        """
        if match.to_act != seat or match.seats[seat].bot:
            raise ServingError("not_your_turn", f"seat {seat} is not to decide now")
        number, key = match.seats[seat].decisions, players_key(match.setup.seed)
        remembers = await self._bots.remembers(match.game.name, spec)
        history = match.history(seat) if remembers else None
        seen = advised_view(match.game, match.state, seat, number, key, Detail.ALL, history)
        decision = await self._bots.ask(match.game.name, spec, seen)
        thoughts = [
            Thought(**action(match.game, seen.known, a).model_dump(), probability=share)
            for a, share in advised_actions(seen, decision)
        ]
        return Hint(
            bot=spec,
            decision=number,
            action=action(match.game, seen.known, thoughts[0].id),
            thoughts=thoughts,
            chances=decision.chances_of(len(match.seats)),
        )

    async def review(self, match: Match, seat: int, spec: str) -> Review:
        """A finished match as a bot sees it from one seat's point of view.

        Raises:
            ServingError: ``conflict`` before the end, ``bad_request`` if the bot cannot rate,
                ``too_many`` if too many questions wait.
        """
        if match.status != "finished":
            raise ServingError("conflict", "the match is not finished")
        own, about = own_decisions(match, seat), Subject.of(match, seat)
        key = "review", match.setup.match, seat, spec
        return await self._once(key, lambda: self._review(about, own, spec))

    async def _once(self, key: Hashable, make: Callable[[], Awaitable[Value]]) -> Value:
        """The answer to a question, worked out once however many ask."""
        task = self._kept.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            if self._waiting >= WAITING:
                raise ServingError("too_many", "the coach is busy, try again", retry_after=2)
            task = self._kept[key] = self._start(self._counted(make))
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        found: Value = await asyncio.shield(task)
        return found

    async def _counted(self, make: Callable[[], Awaitable[Value]]) -> Value:
        self._waiting += 1
        try:
            return await make()
        finally:
            self._waiting -= 1

    async def _work(self, work: Callable[..., Value], *arguments: Any) -> Value:
        """Do something in a thread, after all that was asked before."""
        async with self._one:
            loop = asyncio.get_running_loop()
            try:
                return await loop.run_in_executor(self._bots.pool, work, *arguments)
            except JudgementError as error:
                raise ServingError("bad_request", str(error)) from error

    async def _bot(self, game: Game, spec: str) -> Bot:
        await self._bots.ready(game.name, [spec])
        bot = self._bots.bot(game.name, spec)
        if bot.agent.deliberate:
            raise ServingError("bad_request", f"{spec} takes too long to rate decisions")
        return bot

    async def _rate(self, about: Subject, one: Own, spec: str) -> Assessment:
        bot = await self._bot(about.past.game, spec)
        (view,) = await self._work(about.views, [one])
        return await self._work(_assess, bot, one, view)

    async def _review(self, about: Subject, own: Sequence[Own], spec: str) -> Review:
        bot = await self._bot(about.past.game, spec)
        views = await self._work(about.views, own)
        decisions = await self._work(_decisions, bot, views)
        doubts = [_doubt(answer, one.action) for one, answer in zip(own, decisions, strict=True)]
        looked = sorted(range(len(own)), key=lambda k: -doubts[k])[:LOOKED_INTO]
        found = [
            await self._work(_assess, bot, own[k], views[k]) for k in looked if doubts[k] > 0.0
        ]
        found.sort(key=lambda one: -one.cost)
        chosen = spread(len(own), CURVE)
        curve = await self._work(
            _curve, bot, about, [own[k] for k in chosen], [views[k] for k in chosen]
        )
        return Review(
            match=about.match,
            game=about.past.game.name,
            bot=spec,
            seat=about.seat,
            decisions=len(own),
            agreed=sum(doubt <= 0.0 for doubt in doubts),
            curve=curve,
            costly=[one for one in found if one.cost > one.margin][:BEST],
        )


@dataclass(frozen=True, slots=True)
class Own:
    """A decision that a person has made.

    Attributes:
        number: Its number among the decisions of its seat.
        ply: Decisions of all seats before it.
        frame: The frame in which it was made, of those that the person may see.
        action: The action.
    """

    number: int
    ply: int
    frame: int
    action: int


def own_decisions(match: Match, seat: int) -> list[Own]:
    """A person's decisions that have not been taken back, in order."""
    finished, watch = match.status == "finished", match.watch(seat)
    return [
        Own(match.line[k].decision, k, k if finished else watch.frame_at(k), match.line[k].action)
        for k in match.own_plies(seat)
    ]


@dataclass(frozen=True, slots=True)
class Subject:
    """What the coach was asked about, as it was then; the match may have changed since.

    Attributes:
        match: Name of the match.
        seat: The person's seat.
        key: The players' key, uint64 of shape ``(2,)``.
        past: The decisions of all seats.
    """

    match: str
    seat: int
    key: NDArray[np.uint64]
    past: Past

    @classmethod
    def of(cls, match: Match, seat: int) -> Subject:
        """The match as it is now."""
        return cls(match.setup.match, seat, players_key(match.setup.seed), match.past())

    def views(self, own: Sequence[Own]) -> list[View]:
        """What the person knew before each of these decisions, which are in order."""
        game, states = self.past.game, self.past.positions(one.ply for one in own)
        return [
            advised_view(game, state, self.seat, one.number, self.key, Detail.OWN)
            for one, state in zip(own, states, strict=True)
        ]


def spread(count: int, most: int) -> list[int]:
    """Up to ``most`` of the numbers below ``count``, evenly spread, with the first and last."""
    return sorted({round(x) for x in np.linspace(0, count - 1, min(count, most))})


def _decisions(bot: Bot, views: Sequence[View]) -> list[Decision]:
    """The bot's decisions with probabilities."""
    found = bot.answer(views) if views else []
    if any(answer.probabilities is None for answer in found):
        raise JudgementError(f"{bot.spec} does not give the probabilities of its actions")
    return found


def _doubt(answer: Decision, played: int) -> float:
    """How much likelier the bot's likeliest action is than the one played; 0 for the same."""
    assert answer.probabilities is not None
    best, own = float(answer.probabilities.max()), float(answer.probabilities[played])
    return math.log(best / max(own, 1e-9))


def _assess(bot: Bot, one: Own, view: View) -> Assessment:
    """A decision as a bot sees it."""
    found = judge(bot.agent, view, one.action)
    own = _tried(found, view, one.action)
    return Assessment(
        decision=one.number,
        ply=one.frame,
        played=own,
        best=[_tried(found, view, int(likely)) for likely in found.actions[:BEST]],
        before=found.before.tolist(),
        after=own.chances,
        cost=found.cost(one.action),
        margin=max(LEAST_MARGIN, ERRORS * float(found.errors[found.row(one.action)])),
    )


def _tried(found: Judgement, view: View, number: int) -> Tried:
    row = found.row(number)
    return Tried(
        action=action(view.game, view.known, number),
        probability=float(found.probabilities[row]),
        chances=found.chances[row].tolist(),
        reason=view.game.reason(view.known, number),
    )


def _curve(bot: Bot, about: Subject, own: Sequence[Own], views: Sequence[View]) -> list[CurvePoint]:
    """Chances at some decisions, as the seat could judge them, and at the end."""
    game, plies = about.past.game, len(about.past.actions)
    end = about.past.position(plies)
    seats = game.num_seats(end)
    wide = [View(game, seen.known, seen.seat, seen.seed, Detail.ALL) for seen in views]
    points = []
    for one, seen, answer in zip(own, wide, bot.answer(wide) if wide else [], strict=True):
        chances = answer.chances_of(seats)
        if chances is None:
            raise JudgementError(f"{bot.spec} does not give the chances of all seats")
        points.append(CurvePoint(ply=one.ply, turn=game.turn(seen.known).name, chances=chances))
    won = game.result(end).win_shares if end.over else ()  # Agreed to end: nobody has won.
    shares = list(won) if any(won) else [1 / seats] * seats
    last = game.turn(known_to(game, end, about.seat)).name
    points.append(CurvePoint(ply=plies, turn=last, chances=shares))
    return points
