"""Messages of a running or finished match: views, decisions, hints, frames, ratings."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from .common import Count, Flag, Message, Request, Spec, Status
from .matches import MatchResult, Rematch, SeatInfo


class LegalAction(BaseModel):
    """One choice."""

    id: int
    notation: str
    sentence: str
    group: str = Field("", description="Kind of action; empty for one that stands alone.")
    amount: int | None = Field(
        None, description="What distinguishes it from others of its group, for a slider."
    )


Phrase = Literal[
    "hello",
    "good_luck",
    "well_played",
    "thanks",
    "sorry",
    "one_moment",
    "ouch",
    "revenge",
    "good_game",
]
PHRASES: dict[str, str] = {
    "hello": "Hello!",
    "good_luck": "Good luck!",
    "well_played": "Well played!",
    "thanks": "Thank you!",
    "sorry": "Sorry!",
    "one_moment": "One moment, please.",
    "ouch": "Ouch!",
    "revenge": "You will pay for that!",
    "good_game": "Good game!",
}
"""What people can say to each other."""


class Event(BaseModel):
    """Something that happened, as far as the viewer may know."""

    n: int = Field(description="Number in this viewer's list of events, from 0.")
    kind: Literal["game", "seat", "say", "clock", "undo", "end"] | str = Field(
        description="Later versions may add kinds; their texts are for people as well."
    )
    text: str
    turn: str = Field("", description="Heading under which it belongs, such as a turn.")
    turn_seat: int | None = Field(None, description="Whose turn that is.")
    step: int = Field(0, description="Events with the same number came together.")
    undone_from: int | None = Field(
        None, description="The events from this number up to this one did not happen after all."
    )


class ClockState(BaseModel):
    """The running clock of the seat that decides."""

    seat: int
    left: float = Field(description="Seconds until the server decides, when this was sent.")


class View(Message):
    """A match as one viewer may see it.

    ``version`` grows with every change that this viewer can see, and reveals nothing about secret
    decisions of others: while somebody decides in secret there are no new events, and the current
    frame is replaced by the next one. ``decision`` numbers the seat's own decisions: an action must
    name the one that it answers, so that late and repeated actions are refused.
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
        description="The seat to decide; null before and after the game, and while the viewer may "
        "not know who decides."
    )
    decision: int | None = Field(description="Null unless the viewer is to decide.")
    legal: list[LegalAction] = Field(description="Empty unless the viewer is to decide.")
    question: str = Field("", description="What the viewer is asked; empty otherwise.")
    turn: str = Field("", description="Heading of the present part of the game, such as a turn.")
    events: list[Event] = Field(description="From event ``since`` on; all of them by default.")
    next_event: int = Field(description="The ``since`` that continues after this view.")
    svg: str | None = Field(description="Picture; legal actions carry ``data-action`` attributes.")
    text: str | None = Field(description="The table as text, if asked for.")
    clock: ClockState | None
    result: MatchResult | None
    can_undo: bool
    last_decision: int | None = Field(
        None,
        description="Number of the viewer's last decision that stands and that no bot made; null "
        "if there is none.",
    )
    away: bool = Field(description="Whether a bot plays for the viewer, who may return.")
    frames: int = Field(description="Frames of the replay viewer that this viewer may see.")
    rematch: Rematch | None = Field(
        None, description="Once somebody has asked for one; ``POST .../rematch`` accepts."
    )
    observation: list[float] | None = Field(None, description="If asked for.")
    state: dict[str, Any] | None = Field(None, description="Redacted record, if asked for.")
    ref: Annotated[int | None, Field(description="``ref`` of the message that this answers.")] = (
        None
    )


class Act(Request):
    """A decision: the action's number, or its notation."""

    decision: Count
    action: Count | Annotated[str, Field(min_length=1, max_length=200)]


class HintRequest(Request):
    """Ask a bot for advice on the viewer's decision."""

    bot: Spec | None = None


class Thought(BaseModel):
    """A legal action with a bot's probability."""

    id: int
    notation: str
    sentence: str
    probability: float | None


class Hint(Message):
    """A bot's advice, from what the asking seat may know."""

    type: Literal["hint"] = "hint"
    bot: str
    decision: int
    action: LegalAction
    thoughts: list[Thought] = Field(description="Most probable first.")
    chances: list[float] | None = Field(
        description="Each seat's probability of winning, 0 to 1, from what the asking seat may "
        "know; they add up to 1. Null if the bot gives none."
    )
    ref: int | None = None


class Leave(Request):
    """Hand the seat to a bot."""

    bot: Spec | None = Field(None, description="By default the match's substitute.")


class EndMatch(Request):
    """Agree to end the match without a winner, once everybody who sits at the table has agreed."""

    agree: Flag = Field(True, description="False for not agreeing any longer.")


class Say(Request):
    """Say something to the others at the table: an event of the kind ``say`` for everybody."""

    phrase: Phrase


class Frame(Message):
    """One position of a match: fully shown if it is finished, else as the viewer saw it."""

    type: Literal["frame"] = "frame"
    match: str
    n: int
    frames: int = Field(description="Number of frames.")
    viewer: int | None
    open: bool = Field(description="Whether everything is shown.")
    to_act: int | None
    action: LegalAction | None = Field(
        description="The action that led here; finished matches only."
    )
    actor: int | None = Field(description="Who played it; finished matches only.")
    events: list[str] = Field(description="What happened since the previous frame.")
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
    wins: float = Field(description="Shared wins count as fractions.")
    win_share: float
    par: float = Field(
        description="Win share that equally strong players would have at the same tables."
    )
    rating: float = Field(description="Plackett-Luce: mean minus three standard deviations.")


class Leaderboard(Message):
    """Players of a game, best rating first."""

    type: Literal["leaderboard"] = "leaderboard"
    game: str
    rows: list[LeaderboardRow]
