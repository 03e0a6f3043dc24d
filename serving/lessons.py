"""A game for people, as messages: what it is, its pieces, its rules on one page, a guided game.

The guided game's positions come from the match that the game's lesson records, as the learner's
seat knew them.
"""

from __future__ import annotations

from functools import cache, lru_cache

from ..envs import load
from ..envs.core.game import Game
from ..envs.core.presentation.lesson import Lesson, Scene
from ..envs.core.state import State
from .errors import ServingError
from .matches.views import action
from .protocol import (
    AboutInfo,
    LessonStep,
    PieceInfo,
    Pieces,
    PresetInfo,
    SceneInfo,
    Summary,
    ThingInfo,
)


def about(game: Game) -> AboutInfo | None:
    """A game for somebody who chooses one; ``None`` if it has no description."""
    found = game.about
    if found is None:
        return None
    return AboutInfo(
        pitch=found.pitch,
        minutes=found.minutes,
        weight=found.weight,
        emblem=found.emblem,
        presets=[
            PresetInfo(name=preset.name, doc=preset.doc, options=dict(preset.options))
            for preset in found.presets
        ],
        dealt=found.dealt,
    )


@cache
def pieces(name: str) -> Pieces:
    """What is on a game's table.

    Raises:
        UnknownGameError: If there is no such game.
    """
    return Pieces(
        game=name,
        pieces={
            key: PieceInfo(
                name=piece.name,
                kind=piece.kind,
                facts=list(piece.facts),
                text=list(piece.text),
                rules=list(piece.rules),
                picture=piece.picture,
            )
            for key, piece in load(name).pieces().items()
        },
    )


KEPT = 200
"""Steps that are kept, pictures included."""


def lesson_of(name: str) -> Lesson:
    """A game's lesson.

    Raises:
        UnknownGameError: If there is no such game.
        ServingError: ``not_found`` if it comes without one.
    """
    found = load(name).lesson()
    if found is None:
        raise ServingError("not_found", f"{name} comes without a lesson")
    return found


@cache
def there_is(name: str) -> bool:
    """Whether a game comes with a lesson."""
    return load(name).lesson() is not None


@cache
def _match(name: str) -> tuple[list[State], list[int]]:
    """All positions of a lesson's match, and the actions between them."""
    game, lesson = load(name), lesson_of(name)
    state = game.new_state(lesson.seed, **lesson.options)
    states, actions = [game.clone(state)], []
    for text in lesson.actions:
        actions.append(game.parse_action(state, text))
        game.apply(state, actions[-1])
        states.append(game.clone(state))
    return states, actions


def _known(name: str, ply: int) -> State:
    return load(name).redact(_match(name)[0][ply], lesson_of(name).seat)


def _scene(name: str, scene: Scene, legal: list[int]) -> SceneInfo:
    return SceneInfo(
        title=scene.title,
        text=scene.text,
        svg=load(name).svg(_known(name, scene.ply), lesson_of(name).seat, legal),
        marks=list(scene.marks),
        show=list(scene.show),
        rules=list(scene.rules),
    )


@lru_cache(KEPT)
def step(name: str, n: int) -> LessonStep:
    """A step of a guided game.

    Raises:
        UnknownGameError: If there is no such game.
        ServingError: ``not_found`` if it has no such step.
    """
    game, lesson = load(name), lesson_of(name)
    if not 0 <= n < len(lesson.steps):
        raise ServingError("not_found", f"no step {n}: there are 0..{len(lesson.steps) - 1}")
    now = lesson.steps[n]
    known = _known(name, now.ply)
    played = _match(name)[1][now.ply] if now.play else None
    return LessonStep(
        game=name,
        title=game.title,
        n=n,
        steps=len(lesson.steps),
        seat=lesson.seat,
        scene=_scene(name, now, [] if played is None else [played]),
        events=_events(name, lesson.steps[n - 1].ply if n else now.ply, now.ply),
        question=game.question(known) if played is not None else "",
        play=None if played is None else action(game, known, played),
        why=now.why,
        reason="" if played is None else game.reason(known, played),
    )


def _events(name: str, first: int, last: int) -> list[str]:
    """What happened between two positions, as the learner's seat may know it."""
    game, seat, actions = load(name), lesson_of(name).seat, _match(name)[1]
    lines: list[str] = []
    for ply in range(first, last):
        lines += game.narrate(_known(name, ply), actions[ply], _known(name, ply + 1), seat)
    return lines


@cache
def summary(name: str) -> Summary:
    """A game on one page.

    Raises:
        UnknownGameError: If there is no such game.
        ServingError: ``not_found`` if it comes without one.
    """
    lesson = lesson_of(name)
    return Summary(
        game=name,
        title=load(name).title,
        goal=_scene(name, lesson.goal, []),
        turn=_scene(name, lesson.turn, []),
        win=_scene(name, lesson.win, []),
        things=[ThingInfo(text=one.text, rules=list(one.rules)) for one in lesson.things],
    )
