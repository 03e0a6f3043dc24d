"""Messages that create, list and join matches."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from .common import (
    MAX_SEATS,
    Count,
    Flag,
    Message,
    Name,
    Options,
    Request,
    SeatNumber,
    Spec,
    Status,
)


class HumanSeat(Request):
    """A seat for a person; the response contains its token, for the creator to pass on."""

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
    """Time limits for people; the tightest one applies. Only a person's own time counts.

    A turn is a run of decisions of one seat, as far as that seat can know. When time is up,
    ``expired`` says what is played: ``pass`` plays the first legal notation of ``passes`` (or like
    ``bot`` if none is legal), ``bot`` plays what the substitute bot chooses. After ``strikes`` late
    decisions in a row a bot takes over the seat.
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
        None,
        description="For experiments: whoever knows it can predict all chance. Such a match is "
        "not rated.",
    )
    clock: Clock | None = None
    substitute: Spec | None = Field(None, description="Bot that replaces people who leave.")
    listed: Flag = Field(True, description="Whether the match appears in the list of matches.")


class SeatToken(Message):
    """The secret token of a seat."""

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
    """Who plays a seat; public."""

    seat: int
    name: str = Field(description="Name of the seat in the game.")
    player: str | None = Field(
        description="Who plays it; for an open seat of a rematch, for whom it is kept, and for "
        "other open seats null."
    )
    kind: Literal["human", "open", "bot"] = Field(
        description="``bot`` also after a bot has taken over."
    )
    bot: str | None
    role: str
    conceded: bool = Field(
        False, description="Whether its person has conceded: lost, while a bot plays on."
    )
    agrees: bool = Field(False, description="Whether its person agrees to end the match.")


class Standing(BaseModel):
    """The result of one seat."""

    seat: int
    place: int
    score: int
    score_text: str = Field(description="The score in words, for people.")
    reward: float
    win_share: float


class MatchResult(BaseModel):
    """Outcome of a finished match, best place first."""

    ending: Literal["played", "agreed"] = Field(
        "played",
        description="Whether the game was played to its end, or the people at the table agreed to "
        "end it: then nobody has won, and there are no standings.",
    )
    standings: list[Standing]
    score_unit: str
    capped: bool = Field(description="Whether the game's cap ended it.")


class MatchInfo(Message):
    """What everybody may know about a match."""

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
    """Listed matches, newest first."""

    type: Literal["matches"] = "matches"
    matches: list[MatchInfo]


class Join(Request):
    """Take an open seat."""

    name: Name = "Player"
    seat: SeatNumber | None = Field(None, description="By default the first open one.")


class Rematch(BaseModel):
    """A rematch that somebody has asked for."""

    match: str
    seat: int = Field(description="Who asked.")
