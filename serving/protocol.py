"""The protocol: versioned JSON, the same through every door.

Each message is one of the models below; ``GET /api/v1/schema`` gives them as JSON Schema and
``docs/openapi.json`` holds them with the endpoints. Every message of the server carries
``protocol`` (:data:`PROTOCOL`) and ``type``. Seats are numbered from 0; actions are integers below
the game's ``num_actions``. A spectator is somebody without a seat: it is shown what every seat
knows, nothing more.

Endpoints under :data:`PREFIX`; a seat is named by its token in ``Authorization: Bearer TOKEN``:

=======  ============================  ====================  =====================================
method   path                          takes                 gives
=======  ============================  ====================  =====================================
GET      /games                                              :class:`GameList`
GET      /games/{game}                                       :class:`GameInfo`, with bots
POST     /games/{game}/table           :class:`TableRequest` :class:`Table`: seats with options
GET      /games/{game}/rules                                 :class:`Rulebook`: rules in words
POST     /bots/{game}                  :class:`BotRequest`   :class:`BotReply`; keeps nothing
POST     /matches                      :class:`NewMatch`     :class:`MatchCreated` (201)
GET      /matches                      ?game, status, limit  :class:`MatchList` of listed matches
GET      /matches/{match}                                    :class:`MatchInfo`
POST     /matches/{match}/join         :class:`Join`         :class:`SeatToken` of an open seat
GET      /matches/{match}/view         ?after, wait, since   :class:`View` of seat or spectator
POST     /matches/{match}/actions      :class:`Act`          :class:`View`
POST     /matches/{match}/undo                               :class:`View`; solo matches
POST     /matches/{match}/hint         :class:`HintRequest`  :class:`Hint`
POST     /matches/{match}/leave        :class:`Leave`        :class:`View`; a bot takes over
POST     /matches/{match}/return                             :class:`View`; takes the seat back
GET      /matches/{match}/frames/{n}   ?viewer               :class:`Frame` of the replay viewer
GET      /matches/{match}/replay                             :class:`ReplayFile` when finished
GET      /leaderboard                  ?game, limit          :class:`Leaderboard`
GET      /schema                                             JSON Schema of all messages
WS       /matches/{match}/ws           ClientMessage         ServerMessage
=======  ============================  ====================  =====================================

Errors are :class:`Problem` with a fitting status. Over the WebSocket the first message is
:class:`Hello` (with the token, or without one to watch); the server answers with a :class:`View`
and sends another one whenever something changes for this viewer.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

PROTOCOL: Literal["gangland/1"] = "gangland/1"
PREFIX = "/api/v1"
MAX_NAME = 40
MAX_SPEC = 120
MAX_SEATS = 16
SAFE_INTEGER = 2**53 - 1
"""Largest integer that every JSON reader keeps exactly."""

OptionJson = bool | int | Annotated[str, Field(max_length=64)]
Options = Annotated[dict[Annotated[str, Field(max_length=64)], OptionJson], Field(max_length=64)]
Spec = Annotated[str, Field(min_length=1, max_length=MAX_SPEC)]
Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME, pattern=r"^[^\x00-\x1f\x7f]+$")]
SeatNumber = Annotated[int, Field(ge=0, lt=MAX_SEATS)]
Count = Annotated[int, Field(ge=0, le=SAFE_INTEGER)]
Status = Literal["waiting", "playing", "finished"]


class Request(BaseModel):
    """What a client sends: unknown keys are refused by name."""

    model_config = ConfigDict(extra="forbid")


class Message(BaseModel):
    """What the server sends."""

    protocol: Literal["gangland/1"] = PROTOCOL


# --- games and bots -------------------------------------------------------------------------------


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
    thinks: bool = Field(description="Whether it tells probabilities and values.")
    takes_observations: bool = Field(description="Whether an observation and a mask are enough.")


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
    default_bot: str = Field(description="The strongest at hand; substitute for leaving seats.")


class GameList(Message):
    """All games."""

    type: Literal["games"] = "games"
    version: str = Field(description="Version of the server's package.")
    games: list[GameInfo]


class TableRequest(Request):
    """Options of a table to be."""

    options: Options = {}


class Table(Message):
    """What a table with these options looks like: one entry of ``roles`` for each seat."""

    type: Literal["table"] = "table"
    game: str
    options: dict[str, bool | int | str] = Field(description="All options, resolved.")
    roles: list[str] = Field(description="Part that each seat plays.")


class Rule(BaseModel):
    """One rule; emphasis and code are marked as in Markdown."""

    id: str
    text: str


class RuleSection(BaseModel):
    """Rules that belong together."""

    title: str
    rules: list[Rule]


class Rulebook(Message):
    """A game's rules for players."""

    type: Literal["rules"] = "rules"
    game: str
    title: str
    sections: list[RuleSection]


class BotRequest(Request):
    """A position for a bot: a seat's view as ``state``, or ``observation`` and ``legal``.

    ``state`` is what ``View.to_dict`` writes and a view's ``state`` holds: ``{"game", "fields",
    "rules_version", "serial_version", "viewer"}``, redacted for the seat ``viewer``, which must be
    the one to decide. Observations are for bots with ``takes_observations``.
    """

    bot: Spec | None = Field(None, description="By default the game's ``default_bot``.")
    state: dict[str, Any] | None = None
    observation: Annotated[list[float], Field(max_length=65_536)] | None = None
    legal: Annotated[list[Count], Field(min_length=1, max_length=65_536)] | None = Field(
        None, description="Legal actions, beside ``observation``."
    )
    role: Annotated[str, Field(max_length=64)] | None = Field(
        None, description="Beside ``observation``, in games whose seats differ in kind."
    )
    seed: Annotated[int, Field(ge=0, lt=2**64)] | None = Field(
        None, description="Randomness of the decision; drawn if missing."
    )
    explain: bool = Field(True, description="Whether probabilities and value are wanted.")


class BotReply(Message):
    """A bot's decision."""

    type: Literal["bot"] = "bot"
    bot: str
    action: int
    probabilities: dict[int, float] | None = Field(
        None, description="Of each legal action; null if the bot does not tell."
    )
    value: float | None = Field(None, description="Expected result of the deciding seat, -1 to 1.")


# --- matches --------------------------------------------------------------------------------------


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
    passes: Annotated[list[Annotated[str, Field(max_length=32)]], Field(max_length=16)] = [
        "end",
        "defer",
        "pass",
        "no",
    ]
    strikes: Annotated[int, Field(ge=1, le=1000)] = 3


class NewMatch(Request):
    """A match to be created; one entry of ``seats`` for each seat of the game."""

    game: Annotated[str, Field(max_length=64)]
    options: Options = {}
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


class LegalAction(BaseModel):
    """One choice."""

    id: int
    notation: str
    sentence: str


class Event(BaseModel):
    """Something that happened, as the viewer may be told it."""

    n: int = Field(description="Number in this viewer's own list, from 0.")
    kind: Literal["game", "seat", "clock", "undo", "end"]
    text: str


class ClockState(BaseModel):
    """The running clock of the seat that decides."""

    seat: int
    left: float = Field(description="Seconds until the server decides, when this was sent.")


class View(Message):
    """A match as one viewer may know it.

    ``version`` grows with every change that this viewer can see, and says nothing about hidden
    decisions of others: while somebody decides in secret nothing is told, and the frame that is
    shown makes way for the next one. ``decision`` numbers the seat's own decisions: an action must
    name the one that it answers, so that late and duplicate actions are refused.
    """

    type: Literal["view"] = "view"
    match: str
    game: str
    title: str
    options: dict[str, bool | int | str]
    status: Status
    viewer: int | None = Field(description="The viewer's seat; null for a spectator.")
    version: int
    seats: list[SeatInfo]
    to_act: int | None = Field(
        description="The seat that decides; null before and after, and while the viewer may not "
        "know who decides."
    )
    decision: int | None = Field(description="Null unless the viewer is to decide.")
    legal: list[LegalAction] = Field(description="Empty unless the viewer is to decide.")
    events: list[Event] = Field(description="From event ``since`` on; all of them by default.")
    next_event: int = Field(description="The ``since`` that gives what comes after this view.")
    svg: str | None = Field(description="Picture; legal actions carry ``data-action`` attributes.")
    text: str | None = Field(description="The table as text, if asked for.")
    clock: ClockState | None
    result: MatchResult | None
    can_undo: bool
    away: bool = Field(description="Whether a bot plays the viewer's seat; it may return.")
    frames: int = Field(description="Frames of the replay viewer that this viewer may see.")
    observation: list[float] | None = Field(None, description="If asked for.")
    state: dict[str, Any] | None = Field(None, description="Redacted record, if asked for.")
    ref: Annotated[int | None, Field(description="Of the client's message answered.")] = None


class Act(Request):
    """A decision: the action's number, or its notation."""

    decision: Count
    action: Count | Annotated[str, Field(min_length=1, max_length=200)]


class HintRequest(Request):
    """Ask a bot what it thinks of the decision before the viewer."""

    bot: Spec | None = None


class Thought(BaseModel):
    """A legal action with a bot's probability."""

    id: int
    notation: str
    sentence: str
    probability: float | None


class Hint(Message):
    """A bot's thoughts, from what the asking seat may know."""

    type: Literal["hint"] = "hint"
    bot: str
    decision: int
    action: LegalAction
    thoughts: list[Thought] = Field(description="Likeliest first.")
    values: list[float] | None = Field(
        description="Expected result of each seat, averaged over deals that the seat cannot tell "
        "apart; null if the bot does not tell."
    )
    ref: int | None = None


class Leave(Request):
    """Hand the seat to a bot."""

    bot: Spec | None = Field(None, description="By default the match's substitute.")


class Frame(Message):
    """One position of a match: of a finished one openly, of a running one as the viewer saw it."""

    type: Literal["frame"] = "frame"
    match: str
    n: int
    frames: int = Field(description="Number of frames.")
    viewer: int | None
    open: bool = Field(description="Whether everything is shown.")
    to_act: int | None
    action: LegalAction | None = Field(description="What led here; finished matches only.")
    actor: int | None = Field(description="Who played it; finished matches only.")
    events: list[str] = Field(description="What happened between the frame before and this one.")
    svg: str


class ReplayFile(Message):
    """A finished match for ``gangland replay``."""

    type: Literal["replay"] = "replay"
    replay: dict[str, Any] = Field(description="A line of the replay format.")


class LeaderboardRow(BaseModel):
    """One player of a game's leaderboard; people by name, bots by spec."""

    rank: int
    player: str
    bot: bool
    matches: int
    wins: float = Field(description="Shared wins count in parts.")
    win_share: float
    par: float = Field(description="Win share of equals at the same tables.")
    rating: float = Field(description="Plackett-Luce: mean minus three deviations.")


class Leaderboard(Message):
    """Players of a game, best rating first."""

    type: Literal["leaderboard"] = "leaderboard"
    game: str
    rows: list[LeaderboardRow]


class Problem(Message):
    """An error. ``code`` is for programs, ``message`` for people."""

    type: Literal["error"] = "error"
    code: Literal[
        "bad_request",
        "unauthorized",
        "not_found",
        "illegal_action",
        "not_your_turn",
        "stale_decision",
        "conflict",
        "too_large",
        "too_many",
        "unavailable",
        "internal",
    ]
    message: str
    ref: int | None = None


# --- WebSocket ------------------------------------------------------------------------------------


class SocketRequest(Request):
    """A message of a WebSocket client; ``ref`` comes back in the answer."""

    ref: Count | None = None


class Hello(SocketRequest):
    """The first message: who looks, and what views shall hold."""

    type: Literal["hello"]
    token: Annotated[str, Field(max_length=200)] | None = None
    since: Count = 0
    svg: bool = True
    text: bool = False
    observation: bool = False
    state: bool = False


class SocketAct(SocketRequest, Act):
    """As ``POST .../actions``."""

    type: Literal["act"]


class SocketUndo(SocketRequest):
    """As ``POST .../undo``."""

    type: Literal["undo"]


class SocketHint(SocketRequest, HintRequest):
    """As ``POST .../hint``."""

    type: Literal["hint"]


class SocketLeave(SocketRequest, Leave):
    """As ``POST .../leave``."""

    type: Literal["leave"]


class SocketReturn(SocketRequest):
    """As ``POST .../return``."""

    type: Literal["return"]


class Ping(SocketRequest):
    """Answered with :class:`Pong`."""

    type: Literal["ping"]


class Pong(Message):
    """Answer to :class:`Ping`."""

    type: Literal["pong"] = "pong"
    ref: int | None = None


ClientMessage = Annotated[
    Hello | SocketAct | SocketUndo | SocketHint | SocketLeave | SocketReturn | Ping,
    Field(discriminator="type"),
]
ServerMessage = Annotated[View | Hint | Problem | Pong, Field(discriminator="type")]

CLIENT_MESSAGE: TypeAdapter[
    Hello | SocketAct | SocketUndo | SocketHint | SocketLeave | SocketReturn | Ping
] = TypeAdapter(ClientMessage)
SERVER_MESSAGE: TypeAdapter[View | Hint | Problem | Pong] = TypeAdapter(ServerMessage)


def json_schema() -> dict[str, Any]:
    """JSON Schema of every message, by name under ``$defs``."""
    kinds = [model for model in globals().values() if isinstance(model, type)]
    models = [
        model
        for model in kinds
        if issubclass(model, (Message, Request)) and model not in (Message, Request, SocketRequest)
    ]
    adapters: list[Any] = [TypeAdapter(model) for model in models]
    _, definitions = TypeAdapter.json_schemas(
        [(model.__name__, "validation", a) for model, a in zip(models, adapters, strict=True)]
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": PROTOCOL,
        **definitions,
    }
