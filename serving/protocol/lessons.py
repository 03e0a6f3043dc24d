"""Messages for people who learn a game: its rules on one page, and a guided game."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from .common import Message
from .play import LegalAction


class SceneInfo(BaseModel):
    """A position of a real match, and what can be seen in it."""

    title: str
    text: str
    svg: str
    marks: list[str] = Field(
        description="What to point out: ``data-piece`` or ``data-region`` in the picture."
    )
    show: list[str] = Field(description="Parts of the picture to show; empty for all of it.")
    rules: list[str] = Field(description="Ids of the rules that it rests on.")


class ThingInfo(BaseModel):
    """Something to know."""

    text: str
    rules: list[str]


class Summary(Message):
    """A game on one page."""

    type: Literal["summary"] = "summary"
    game: str
    title: str
    goal: SceneInfo
    turn: SceneInfo
    win: SceneInfo
    things: list[ThingInfo]


class LessonStep(Message):
    """One step of a guided game; the first one is number 0."""

    type: Literal["lesson"] = "lesson"
    game: str
    title: str = Field(description="Title of the game.")
    n: int
    steps: int
    seat: int = Field(description="The learner's seat.")
    scene: SceneInfo
    events: list[str] = Field(description="What has happened since the step before.")
    question: str
    play: LegalAction | None = Field(
        description="The action that leads on; null if there is nothing to play."
    )
    why: str
    reason: str = Field(description="What speaks for it by the game's rules of thumb.")
