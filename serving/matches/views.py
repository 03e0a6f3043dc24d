"""Messages about a match, made from what the viewer may know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...envs.core.game import Game
from ...envs.core.history import known_to
from ...envs.core.state import NO_SEAT, State
from ..errors import ServingError
from ..protocol import (
    ClockState,
    Event,
    Frame,
    LegalAction,
    MatchInfo,
    MatchResult,
    Rematch,
    SeatInfo,
    Standing,
    View,
)
from .match import Match
from .seat import Past
from .watch import SeenEvent


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a client wants its views to contain.

    Attributes:
        since: Number of the first event.
        svg: Whether to include the picture.
        text: Whether to include the table as text.
        observation: Whether to include the seat's observation.
        state: Whether to include the seat's redacted record.
    """

    since: int = 0
    svg: bool = True
    text: bool = False
    observation: bool = False
    state: bool = False


def view(match: Match, viewer: int | None, wanted: Wanted, left: float | None = None) -> View:
    """A match as a viewer may see it.

    Args:
        match: The match.
        viewer: A person's seat; ``None`` for a spectator.
        wanted: What the view is to contain.
        left: Seconds left on the clock of the deciding person. They are shown to that person only:
            others could infer from them that a secret decision was made.
    """
    watch = match.watch(viewer)
    game, known = match.game, watch.known
    playing = match.status == "playing"
    own = None if viewer is None else match.seats[viewer]
    asked = playing and own is not None and not own.bot and int(known.seat) == viewer
    to_act = int(known.seat) if playing else NO_SEAT
    place = NO_SEAT if viewer is None else viewer
    events = list(enumerate(watch.events))[wanted.since :]
    own_plies = [] if viewer is None else match.own_plies(viewer)
    return View(
        match=match.setup.match,
        game=game.name,
        title=game.title,
        options=match.setup.options,
        status=match.status,
        viewer=viewer,
        version=watch.version,
        seats=seats(match),
        to_act=_public_seat(to_act),
        decision=own.decisions if asked and own is not None else None,
        legal=[action(game, known, a) for a in watch.legal_actions()] if asked else [],
        question=game.question(known) if asked else "",
        turn=watch.turn.name,
        events=[_event(n, event) for n, event in events],
        next_event=len(watch.events),
        svg=watch.picture(asked) if wanted.svg else None,
        text=game.text(known, place) if wanted.text else None,
        clock=(
            ClockState(seat=viewer, left=left)
            if asked and left is not None and viewer is not None
            else None
        ),
        result=result(match),
        can_undo=own is not None and _can_undo(match, place),
        last_decision=match.line[own_plies[-1]].decision if own_plies else None,
        away=own is not None and bool(own.bot and own.token) and not own.conceded,
        frames=frame_count(match, viewer),
        rematch=Rematch(match=match.rematch, seat=match.asked_by) if match.rematch else None,
        observation=_observation(match, viewer) if wanted.observation else None,
        state={**game.to_dict(known), "viewer": viewer} if wanted.state else None,
    )


def action(game: Game, known: State, number: int) -> LegalAction:
    """An action with its notation and description."""
    choice = game.choice(known, number)
    return LegalAction(
        id=number,
        notation=game.action_text(known, number),
        sentence=game.describe(known, number),
        group=choice.group,
        amount=choice.amount,
    )


def _event(n: int, event: SeenEvent) -> Event:
    return Event(
        n=n,
        kind=event.kind,
        text=event.text,
        turn=event.turn.name,
        turn_seat=_public_seat(event.turn.seat),
        step=event.step,
        undone_from=event.undone_from,
    )


def seats(match: Match) -> list[SeatInfo]:
    """Who plays which seat; public."""
    game, known = match.game, match.watch(None).known
    roles = game.seat_roles(match.setup.options)
    return [
        SeatInfo(
            seat=k,
            name=game.seat_name(known, k),
            player=seat.player or seat.bot or None,
            kind="open" if seat.open else "bot" if seat.bot else "human",
            bot=seat.bot or None,
            role=game.roles[roles[k]],
            conceded=seat.conceded,
            agrees=seat.agrees,
        )
        for k, seat in enumerate(match.seats)
    ]


def info(match: Match) -> MatchInfo:
    """What everybody may know about a match."""
    return MatchInfo(
        match=match.setup.match,
        game=match.game.name,
        title=match.game.title,
        options=match.setup.options,
        status=match.status,
        seats=seats(match),
        created=match.setup.created,
        rated=match.rated,
        result=result(match),
    )


def result(match: Match) -> MatchResult | None:
    """The result of a finished match, best place first; ``None`` before the end."""
    unit = match.game.score_unit
    if match.agreed:
        return MatchResult(ending="agreed", standings=[], score_unit=unit, capped=False)
    found = match.result()
    if found is None:
        return None
    order = sorted(range(len(found.places)), key=lambda k: (found.places[k], k))
    return MatchResult(
        ending="played",
        standings=[
            Standing(
                seat=k,
                place=found.places[k],
                score=found.scores[k],
                score_text=match.game.score_text(found.scores[k]),
                reward=found.rewards[k],
                win_share=found.win_shares[k],
            )
            for k in order
        ],
        score_unit=unit,
        capped=found.capped,
    )


def frame_count(match: Match, viewer: int | None) -> int:
    """Number of frames that a viewer may see."""
    if match.status == "finished":
        return len(match.line) + 1
    return len(match.watch(viewer).frames)


def frame(
    match: Match, viewer: int | None, n: int, *, shown: int | None = None
) -> Callable[[], Frame]:
    """One position of a match.

    Args:
        match: The match.
        viewer: The viewer of a running match: a person's seat, or ``None`` for a spectator.
        n: Number of the frame.
        shown: In a finished match, the seat whose view to show; ``None`` shows everything.

    Returns:
        A function that draws the frame. It may be called in a thread: what it needs of the match
        has been copied.

    Raises:
        ServingError: ``not_found`` if there is no such frame or seat.
    """
    frames = frame_count(match, viewer)
    if not 0 <= n < frames:
        raise ServingError("not_found", f"no frame {n}: there are 0..{frames - 1}")
    past, name = match.past(), match.setup.match
    if match.status != "finished":
        watch = match.watch(viewer)
        noticed = watch.frames[n]
        first = watch.frames[n - 1].events if n else 0
        lines = [t.text for t in watch.events[first : noticed.events] if t.kind == "game"]
        return lambda: _seen_frame(name, past, watch.viewer, n, frames, noticed.ply, lines)
    if shown is not None and shown >= len(match.seats):
        raise ServingError("not_found", f"no seat {shown}: there are 0..{len(match.seats) - 1}")
    actor = match.line[n - 1].seat if n else None
    return lambda: _open_frame(name, past, shown, n, actor)


def _seen_frame(
    match: str, past: Past, viewer: int, n: int, frames: int, ply: int, lines: list[str]
) -> Frame:
    """A position of a running match as the viewer saw it at the time."""
    known = known_to(past.game, past.position(ply), viewer)
    return Frame(
        match=match,
        n=n,
        frames=frames,
        viewer=_public_seat(viewer),
        open=False,
        to_act=_public_seat(int(known.seat)),
        action=None,
        actor=None,
        events=lines,
        svg=past.game.svg(known, viewer, [], lines[-1] if lines else ""),
    )


def _open_frame(match: str, past: Past, shown: int | None, n: int, actor: int | None) -> Frame:
    """A position of a finished match."""
    game = past.game
    before, after = past.positions([max(n - 1, 0), n])
    if shown is not None:
        before, after = known_to(game, before, shown), known_to(game, after, shown)
    lines: list[str] = []
    played = None
    if actor is not None:
        last = past.actions[n - 1]
        played = action(game, before, last) if shown in (None, actor) else None
        lines = game.narrate(before, last, after, shown)
        lines += game.recap_after(past.positions(range(n)), before, after, shown)
    return Frame(
        match=match,
        n=n,
        frames=len(past.actions) + 1,
        viewer=shown,
        open=shown is None,
        to_act=_public_seat(int(after.seat)),
        action=played,
        actor=actor,
        events=lines,
        svg=game.svg(after, shown, [], lines[-1] if lines else ""),
    )


def _public_seat(seat: int) -> int | None:
    """The deciding seat for a message; null if there is none or the viewer may not know it."""
    return seat if seat >= 0 else None


def _can_undo(match: Match, seat: int) -> bool:
    try:
        match.undo(seat)
    except ServingError:
        return False
    return True


def _observation(match: Match, viewer: int | None) -> list[float] | None:
    if viewer is None:
        return None
    found: Any = match.game.observe(match.watch(viewer).known, viewer).tolist()
    return list(found)
