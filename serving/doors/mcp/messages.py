"""Messages to a language model: games, tables, advice."""

from __future__ import annotations

from pydantic import BaseModel, Field


class GameFacts(BaseModel):
    """A game that can be played."""

    game: str
    title: str
    seats: int = Field(description="Seats at the default options.")
    options: dict[str, str] = Field(description="What each option does and allows.")
    bots: dict[str, str] = Field(description="Bots that can take seats and give advice.")


class Choice(BaseModel):
    """A legal action."""

    action: int
    notation: str
    sentence: str


class Standing(BaseModel):
    """The result of a seat."""

    seat: int
    name: str
    place: int
    score: int
    won: bool


class Seen(BaseModel):
    """A table as the model's seat may know it."""

    table: str = Field(description="Name of this table, for further calls.")
    game: str
    seat: int = Field(description="Your seat.")
    players: list[str] = Field(description="Who sits where, by seat.")
    your_turn: bool
    over: bool
    news: list[str] = Field(description="What has happened since you decided last.")
    picture: str = Field(description="The table as text.")
    choices: list[Choice] = Field(description="Legal actions; empty when the game is over.")
    result: list[Standing] = Field(description="Standings, best first; empty until the end.")


class Thought(BaseModel):
    """A legal action and how likely the bot is to choose it."""

    action: int
    notation: str
    sentence: str
    probability: float | None


class Advice(BaseModel):
    """A bot's advice on the model's decision, from what the model's seat may know."""

    bot: str
    best: Choice
    thoughts: list[Thought] = Field(description="Most probable first.")
    chances: list[float] | None = Field(
        description="Each seat's probability of winning; they add up to 1, but for rounding. Null "
        "if the bot gives none."
    )
