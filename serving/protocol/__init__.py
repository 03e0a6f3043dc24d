"""The protocol: versioned JSON, the same over HTTP and over the WebSocket.

Each message is one of the models below; ``GET /api/v1/schema`` gives them as JSON Schema and
``docs/openapi.json`` holds them with the endpoints. Every message of the server carries
``protocol`` (:data:`PROTOCOL`) and ``type``. Seats are numbered from 0; actions are integers below
the game's ``num_actions``. A spectator is a viewer without a seat, who is shown only what every
seat knows.

Endpoints under :data:`PREFIX`; a seat is named by its token in ``Authorization: Bearer TOKEN``:

=======  ============================  ====================  =====================================
method   path                          takes                 gives
=======  ============================  ====================  =====================================
GET      /games                                              :class:`GameList`
GET      /games/{game}                                       :class:`GameInfo`, with bots
POST     /games/{game}/table           :class:`TableRequest` :class:`Table`: seats with options
GET      /games/{game}/rules           ?language             :class:`Rulebook`: rules in words
GET      /games/{game}/texts/{lang}                          :class:`GameTexts` in a language
GET      /games/{game}/pieces                                :class:`Pieces`: what is on the table
GET      /games/{game}/summary                               :class:`Summary`: rules on one page
GET      /games/{game}/lesson/{n}                            :class:`LessonStep`: a guided game
POST     /bots/{game}                  :class:`BotRequest`   :class:`BotReply`; not stored
POST     /matches                      :class:`NewMatch`     :class:`MatchCreated` (201)
GET      /matches                      ?game, status, limit  :class:`MatchList` of listed matches
GET      /matches/{match}                                    :class:`MatchInfo`
POST     /matches/{match}/join         :class:`Join`         :class:`SeatToken` of an open seat
GET      /matches/{match}/view         ?after, wait, since   :class:`View` of seat or spectator
POST     /matches/{match}/actions      :class:`Act`          :class:`View`
POST     /matches/{match}/undo                               :class:`View`; solo matches
POST     /matches/{match}/hint         :class:`HintRequest`  :class:`Hint`
POST     /matches/{match}/coach        :class:`CoachRequest` :class:`Coaching`: one's own decision
GET      /matches/{match}/review       ?bot                  :class:`Review` when finished
POST     /matches/{match}/leave        :class:`Leave`        :class:`View`; a bot takes over
POST     /matches/{match}/return                             :class:`View`; takes the seat back
POST     /matches/{match}/concede                            :class:`View`; lost, a bot plays on
POST     /matches/{match}/end          :class:`EndMatch`     :class:`View`; without a winner
POST     /matches/{match}/say          :class:`Say`          :class:`View`; a phrase for the others
POST     /matches/{match}/rematch                            :class:`SeatToken` of the rematch
POST     /matches/{match}/begin                              :class:`View` of a rematch
GET      /matches/{match}/frames/{n}   ?viewer               :class:`Frame` of the replay viewer
GET      /matches/{match}/replay                             :class:`ReplayFile` when finished
GET      /leaderboard                  ?game, limit          :class:`Leaderboard`
GET      /schema                                             JSON Schema of all messages
WS       /matches/{match}/ws           ClientMessage         ServerMessage
=======  ============================  ====================  =====================================

Errors are sent as :class:`Problem` with a matching HTTP status. Over the WebSocket the first
message is :class:`Hello` (with the token, or without one to watch); the server answers with a
:class:`View` and sends another one whenever something changes for this viewer.
"""

from __future__ import annotations

from .common import PREFIX, PROTOCOL, SAFE_INTEGER, Problem, Status
from .games import (
    AboutInfo,
    BotInfo,
    BotReply,
    BotRequest,
    Chapter,
    GameInfo,
    GameList,
    GameTexts,
    OptionInfo,
    Passage,
    PieceInfo,
    Pieces,
    PresetInfo,
    Rule,
    Rulebook,
    RuleSection,
    Table,
    TableRequest,
)
from .lessons import (
    Assessment,
    Coaching,
    CoachRequest,
    CurvePoint,
    LessonStep,
    Review,
    SceneInfo,
    Summary,
    ThingInfo,
    Tried,
)
from .matches import (
    BotSeat,
    Clock,
    HumanSeat,
    Join,
    MatchCreated,
    MatchInfo,
    MatchList,
    MatchResult,
    NewMatch,
    Rematch,
    SeatInfo,
    SeatToken,
    Standing,
)
from .play import (
    PHRASES,
    Act,
    ClockState,
    EndMatch,
    Event,
    Frame,
    Hint,
    HintRequest,
    Leaderboard,
    LeaderboardRow,
    Leave,
    LegalAction,
    Phrase,
    ReplayFile,
    Say,
    Thought,
    View,
)
from .schema import json_schema
from .websocket import (
    CLIENT_MESSAGE,
    SERVER_MESSAGE,
    Command,
    Hello,
    Ping,
    Pong,
    SocketAct,
    SocketBegin,
    SocketConcede,
    SocketEnd,
    SocketHint,
    SocketLeave,
    SocketReturn,
    SocketSay,
    SocketUndo,
    ref_of,
    server_message,
)

__all__ = [
    "CLIENT_MESSAGE",
    "PHRASES",
    "PREFIX",
    "PROTOCOL",
    "SAFE_INTEGER",
    "SERVER_MESSAGE",
    "AboutInfo",
    "Act",
    "Assessment",
    "BotInfo",
    "BotReply",
    "BotRequest",
    "BotSeat",
    "Chapter",
    "Clock",
    "ClockState",
    "CoachRequest",
    "Coaching",
    "Command",
    "CurvePoint",
    "EndMatch",
    "Event",
    "Frame",
    "GameInfo",
    "GameList",
    "GameTexts",
    "Hello",
    "Hint",
    "HintRequest",
    "HumanSeat",
    "Join",
    "Leaderboard",
    "LeaderboardRow",
    "Leave",
    "LegalAction",
    "LessonStep",
    "MatchCreated",
    "MatchInfo",
    "MatchList",
    "MatchResult",
    "NewMatch",
    "OptionInfo",
    "Passage",
    "Phrase",
    "PieceInfo",
    "Pieces",
    "Ping",
    "Pong",
    "PresetInfo",
    "Problem",
    "Rematch",
    "ReplayFile",
    "Review",
    "Rule",
    "RuleSection",
    "Rulebook",
    "Say",
    "SceneInfo",
    "SeatInfo",
    "SeatToken",
    "SocketAct",
    "SocketBegin",
    "SocketConcede",
    "SocketEnd",
    "SocketHint",
    "SocketLeave",
    "SocketReturn",
    "SocketSay",
    "SocketUndo",
    "Standing",
    "Status",
    "Summary",
    "Table",
    "TableRequest",
    "ThingInfo",
    "Thought",
    "Tried",
    "View",
    "json_schema",
    "ref_of",
    "server_message",
]
