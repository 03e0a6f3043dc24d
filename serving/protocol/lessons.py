"""Messages for people who learn a game: its rules on one page, a guided game, and the coach.

The coach is what a bot thinks of a person's decisions.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from .common import Count, Message, Request, Spec
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


class CoachRequest(Request):
    """Ask what a bot thinks of one's own decision."""

    decision: Count | None = Field(None, description="Its number; by default the last one.")
    bot: Spec | None = Field(None, description="By default the strongest that can rate decisions.")


class Tried(BaseModel):
    """An action as a bot sees it."""

    action: LegalAction
    probability: float = Field(description="How likely the bot plays it, 0 to 1.")
    chances: list[float] = Field(
        description="Each seat's probability of winning after it; they add up to 1."
    )
    reason: str = Field(description="By the game's rules of thumb; may be empty.")


class Assessment(BaseModel):
    """A decision as a bot sees it, from what the seat knew when it decided."""

    decision: int = Field(description="Number of the decision.")
    ply: int = Field(
        description="The frame in which it was made: of the finished match, or while the match "
        "runs, of those that the person may see."
    )
    played: Tried
    best: list[Tried] = Field(description="Up to three actions, the bot's likeliest first.")
    before: list[float] = Field(
        description="Each seat's probability of winning if the bot were to decide; they add up "
        "to 1."
    )
    after: list[float] = Field(description="The same after the action that was played.")
    cost: float = Field(
        description="What the action loses of the chance that the likeliest one has; negative for "
        "a gain."
    )
    margin: float = Field(description="Costs smaller than this mean nothing.")


class Coaching(Message):
    """A bot's opinion of a decision."""

    type: Literal["coach"] = "coach"
    bot: str
    assessment: Assessment


class CurvePoint(BaseModel):
    """Chances at one moment of a match, as one seat could judge them."""

    ply: int = Field(description="Frame of the finished match.")
    turn: str
    chances: list[float] = Field(description="By seat; they add up to 1.")


class Review(Message):
    """A finished match as a bot sees it from one seat's point of view."""

    type: Literal["review"] = "review"
    match: str
    game: str
    bot: str
    seat: int
    decisions: int = Field(description="Decisions that the person made.")
    agreed: int = Field(description="Those in which the bot would most likely do the same.")
    curve: list[CurvePoint] = Field(
        description="Chances at the person's decisions, all or some of them, and at the end who "
        "won."
    )
    costly: list[Assessment] = Field(description="Up to three decisions, the most costly first.")
