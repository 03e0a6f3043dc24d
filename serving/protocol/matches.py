"""Messages that create, list and join matches."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from .common import MAX_SEATS, Count, Message, Name, Options, Request, SeatNumber, Spec, Status


class HumanSeat(Request):
    """A seat for the creator to hand out; its token comes with the answer."""

    kind: Literal["human"]
    name: Name = "Player"


class OpenSeat(Request):
    """A seat that anybody may join; the match waits for it."""

    kind: Literal["open"]


class BotSeat(Request):
    """A seat for a bot."""

    kind: Literal["bot"]
    bot: Spec | None = Field(None, description="By default the game's ``default_bot``.")


SeatRequest = Annotated[HumanSeat | OpenSeat | BotSeat, Field(discriminator="kind")]
Seconds = Annotated[float, Field(gt=0, le=7 * 24 * 3600)]


class Clock(Request):
    """Time limits of people; the tightest counts. Bots and the server's own pauses cost nothing.

    A turn is a run of decisions of one seat. When time is up, ``expired`` says what is played:
    ``pass`` the first legal one of the notations in ``passes`` (else as ``bot``), ``bot`` what the
    substitute bot would play. After ``strikes`` late decisions in a row a bot takes the seat over.
    """

    per_decision: Seconds | None = None
    per_turn: Seconds | None = None
    bank: Seconds | None = Field(None, description="Seconds for the whole match.")
    increment: Annotated[float, Field(ge=0, le=3600)] = Field(
        0.0, description="Seconds added to the bank by each decision."
    )
    expired: Literal["pass", "bot"] = "pass"
    passes: Annotated[list[Annotated[str, Field(max_length=32)]], Field(max_length=16)] = Field(
        ["end", "defer", "pass", "no"]
    )
    strikes: Annotated[int, Field(ge=1, le=1000)] = 3


class NewMatch(Request):
    """A match to be created; one entry of ``seats`` for each seat of the game."""

    game: Annotated[str, Field(max_length=64)]
    options: Options = Field({})
    seats: Annotated[list[SeatRequest], Field(min_length=1, max_length=MAX_SEATS)]
    seed: Count | None = Field(
        None, description="Only for trying out: who knows it can foretell the dice. Not rated."
    )
    clock: Clock | None = None
    substitute: Spec | None = Field(None, description="Bot that takes over leaving seats.")
    listed: bool = Field(True, description="Whether the match stands in the list of matches.")


class SeatToken(Message):
    """The secret of a seat."""

    type: Literal["seat"] = "seat"
    match: str
    seat: int
    token: str


class MatchCreated(Message):
    """A new match and the tokens of its human seats."""

    type: Literal["created"] = "created"
    match: str
    tokens: list[SeatToken]


class SeatInfo(BaseModel):
    """Who sits where; public."""

    seat: int
    name: str = Field(description="Name of the part, from the game.")
    player: str | None = Field(description="Who plays it; null while the seat is open.")
    kind: Literal["human", "open", "bot"] = Field(description="``bot`` after a take-over too.")
    bot: str | None
    role: str


class Standing(BaseModel):
    """A seat's part of the result."""

    seat: int
    place: int
    score: int
    score_text: str = Field(description="The score in words, for people.")
    reward: float
    win_share: float


class MatchResult(BaseModel):
    """Outcome of a finished match, best place first."""

    standings: list[Standing]
    score_unit: str
    capped: bool = Field(description="Whether the game's cap ended it.")


class MatchInfo(Message):
    """A match as anybody may know it."""

    type: Literal["match"] = "match"
    match: str
    game: str
    title: str
    options: dict[str, bool | int | str]
    status: Status
    seats: list[SeatInfo]
    created: str = Field(description="ISO 8601, UTC.")
    rated: bool = Field(description="Whether the leaderboard will count it.")
    result: MatchResult | None


class MatchList(Message):
    """Listed matches, the newest first."""

    type: Literal["matches"] = "matches"
    matches: list[MatchInfo]


class Join(Request):
    """Take an open seat."""

    name: Name = "Player"
    seat: SeatNumber | None = Field(None, description="By default the first open one.")
