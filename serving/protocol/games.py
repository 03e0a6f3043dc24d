"""Messages about games, their rules and their bots."""

from __future__ import annotations

from base64 import b64encode
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field

from .common import Count, Flag, Message, Options, Request, Spec


class OptionInfo(BaseModel):
    """An option of a game, ready for a form."""

    name: str
    doc: str
    default: bool | int | str
    flag: bool = Field(description="The values are true and false.")
    low: int | None = Field(description="Smallest integer allowed, null if no integers are.")
    high: int | None = Field(description="Largest integer allowed at the default options.")
    words: list[str] = Field(description="Words allowed.")


class BotInfo(BaseModel):
    """A bot that can take a seat, give hints, and answer at ``/bots/{game}``."""

    spec: str
    doc: str
    thinks: bool = Field(description="Whether it gives probabilities and chances of winning.")
    takes_observations: bool = Field(description="Whether an observation and a mask are enough.")


class PresetInfo(BaseModel):
    """Options for a kind of game."""

    name: str
    doc: str
    options: dict[str, bool | int | str]


class AboutInfo(BaseModel):
    """A game for somebody who chooses one."""

    pitch: str
    minutes: tuple[int, int] = Field(description="A person's time for a game, from and to.")
    weight: str = Field(description="``light``, ``medium`` or ``heavy``.")
    emblem: str = Field(description="A square SVG document.")
    presets: list[PresetInfo]
    dealt: str = Field(
        description="Group of choices that a person may leave to a bot to begin sooner, or empty."
    )


class GameInfo(Message):
    """A game with its options and bots."""

    type: Literal["game"] = "game"
    game: str
    title: str
    rules_version: int
    min_players: int
    max_players: int
    num_actions: int
    observation_size: int
    roles: list[str]
    score_unit: str
    options: list[OptionInfo]
    bots: list[BotInfo]
    default_bot: str = Field(
        description="The strongest available; it also replaces people who leave."
    )
    lesson: bool = Field(
        False, description="Whether there are a guided game and a summary on one page."
    )
    about: AboutInfo | None = Field(None, description="Null if the game has no description.")
    languages: list[str] = Field(
        [], description="Codes of the languages besides English in which its texts are there."
    )


class GameList(Message):
    """All games."""

    type: Literal["games"] = "games"
    version: str = Field(description="Version of the server's package.")
    games: list[GameInfo]


class TableRequest(Request):
    """Options of a table that is not created yet."""

    options: Options = Field({})


class Table(Message):
    """What a table with these options looks like: one entry of ``roles`` for each seat."""

    type: Literal["table"] = "table"
    game: str
    options: dict[str, bool | int | str] = Field(description="All options, resolved.")
    roles: list[str] = Field(description="Role of each seat.")


class Rule(BaseModel):
    """One rule; emphasis and code are marked as in Markdown."""

    id: str
    text: str


class RuleSection(BaseModel):
    """Rules that belong together."""

    title: str
    rules: list[Rule]


class Passage(BaseModel):
    """A paragraph, a list or a table of the rules as people read them."""

    text: str = Field(description="As Markdown.")
    html: str = Field(description="The same as HTML.")
    rules: list[str] = Field(description="Ids of the rules that it explains.")


class Chapter(BaseModel):
    """Passages that belong together, in the order in which one learns the game."""

    title: str
    passages: list[Passage]


class Rulebook(Message):
    """A game's rules for players."""

    type: Literal["rules"] = "rules"
    game: str
    title: str
    language: str = Field("en", description="Code of the language of the chapters.")
    chapters: list[Chapter] = Field(
        [],
        description="The rules as people read them; empty for a game that has nothing but their "
        "exact wording.",
    )
    sections: list[RuleSection] = Field(description="The exact wording of every rule, in English.")


class GameTexts(Message):
    """What a game says, in another language."""

    type: Literal["texts"] = "texts"
    game: str
    language: str
    texts: dict[str, str] = Field(
        description="Translations by English text, or by pattern with names in braces for what "
        "differs; ``gangland.serving.texts`` says how they are used."
    )


class PieceInfo(BaseModel):
    """A card, a place, a marker or a number on the table, and what is always true of it."""

    name: str
    kind: str
    facts: list[tuple[str, str]] = Field(description="Labels and values.")
    text: list[str]
    rules: list[str] = Field(description="Ids of the rules that this rests on.")
    picture: str = Field(description="SVG document; empty if there is none.")


class Pieces(Message):
    """What is on a game's table, by the names in the ``data-piece`` attributes of its pictures."""

    type: Literal["pieces"] = "pieces"
    game: str
    pieces: dict[str, PieceInfo]


def coded(observation: NDArray[np.float32]) -> str:
    """An observation as a request may hold it: little-endian float32 in base64."""
    return b64encode(observation.astype("<f4").tobytes()).decode()


class BotRequest(Request):
    """A position for a bot: a seat's view as ``state``, or ``observation`` and ``legal``.

    ``state`` is what ``View.to_dict`` writes and a view's ``state`` holds: ``{"game", "fields",
    "rules_version", "serial_version", "viewer"}``, redacted for the seat ``viewer``, which must be
    the one to decide. Observations are for bots with ``takes_observations``.
    """

    bot: Spec | None = Field(None, description="By default the game's ``default_bot``.")
    state: dict[str, Any] | None = None
    observation: (
        Annotated[list[float], Field(max_length=65_536)]
        | Annotated[str, Field(max_length=349_528)]
        | None
    ) = Field(
        None,
        description="Its numbers; or their little-endian float32 bytes in base64, which are read "
        "twice as fast.",
    )
    legal: Annotated[list[Count], Field(min_length=1, max_length=65_536)] | None = Field(
        None, description="Legal actions; required with ``observation``."
    )
    role: Annotated[str, Field(max_length=64)] | None = Field(
        None, description="Required with ``observation`` in games with several roles."
    )
    seed: Annotated[int, Field(ge=0, lt=2**64, strict=True)] | None = Field(
        None, description="Seed for the bot's random choices; random by default."
    )
    explain: Flag = Field(
        True, description="Whether probabilities and the chance of winning are wanted."
    )


class BotReply(Message):
    """A bot's decision."""

    type: Literal["bot"] = "bot"
    bot: str
    action: int
    probabilities: dict[int, float] | None = Field(
        None, description="By legal action; null if the bot gives none."
    )
    chance: float | None = Field(
        None,
        description="The deciding seat's probability of winning, 0 to 1; null if the bot gives "
        "none, or cannot without the number of seats, which an observation does not hold.",
    )
