"""A game to learn from: a recorded match, steps through it, and the rules on one page.

A game hands it over as ``lesson.json`` beside its ``RULES.md``. It holds the seed, the options
and every action of a real match, so that positions are those of the rules and not drawn by hand.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

THINGS = 5
"""Things to know that a summary has."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


Words = Annotated[str, Field(min_length=1)]


class Scene(_Part):
    """A position of the match, and what can be seen in it.

    Attributes:
        ply: Decisions of the match before it.
        title: Its heading.
        text: What is said about it, in a few sentences.
        marks: What to point out: names in ``data-piece`` or ``data-region`` of the picture.
        show: The parts of the picture to show; empty for all of it.
        rules: Ids of the rules that it rests on.
    """

    ply: Annotated[int, Field(ge=0)]
    title: Words
    text: Words
    marks: tuple[str, ...] = ()
    show: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


class Step(Scene):
    """A step of a guided game.

    Attributes:
        play: Whether the learner plays the match's next action himself.
        why: Why a good player does so; empty if there is nothing to play.
    """

    play: bool = False
    why: str = ""


class Thing(_Part):
    """Something to know, and the rules that it rests on."""

    text: Words
    rules: tuple[str, ...]


class Lesson(_Part):
    """What ``lesson.json`` holds.

    Attributes:
        seed: Seed of the match.
        options: Its options that differ from the defaults.
        seat: The learner's seat.
        actions: Notations of the match's actions, from the first one on.
        steps: The guided game, in order.
        goal: What one wants.
        turn: What a turn is like.
        win: What wins.
        things: What else to know.
    """

    seed: int
    options: dict[str, bool | int | str]
    seat: int
    actions: tuple[str, ...]
    steps: Annotated[tuple[Step, ...], Field(min_length=10, max_length=15)]
    goal: Scene
    turn: Scene
    win: Scene
    things: Annotated[tuple[Thing, ...], Field(min_length=THINGS, max_length=THINGS)]
