"""The HTTP routes."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from ...errors import ServingError
from ...matches.hub import Hub
from ...matches.rooms import Room
from ...matches.views import Wanted, frame, info
from ...protocol import (
    PREFIX,
    SAFE_INTEGER,
    Act,
    Coaching,
    CoachRequest,
    EndMatch,
    Frame,
    Hint,
    HintRequest,
    Join,
    Leaderboard,
    LeaderboardRow,
    Leave,
    MatchCreated,
    MatchInfo,
    MatchList,
    NewMatch,
    ReplayFile,
    Review,
    Say,
    SeatToken,
    Status,
    View,
)
from ...protocol.common import MAX_SPEC
from .game_routes import PROBLEMS, send
from .limits import ENDING

router = APIRouter(prefix=PREFIX, responses=PROBLEMS)
bearer = HTTPBearer(auto_error=False, description="The token of a seat.")

Number = Annotated[int, Query(ge=0, le=SAFE_INTEGER)]
MatchName = Annotated[str, Path(min_length=1, max_length=64, description="The match.")]


# Asynchronous although they never wait: FastAPI would run plain functions in threads.


async def hub_of(request: Request) -> Hub:
    """The hub of this application."""
    hub: Hub = request.app.state.hub
    return hub


async def room_of(request: Request, match: MatchName) -> Room:
    """The room of the match in the path."""
    return await (await hub_of(request)).room(match)


async def viewer_of(
    request: Request,
    room: Annotated[Room, Depends(room_of)],
    token: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
) -> int | None:
    """The seat of the token; ``None`` for a spectator, who has none."""
    if token is None:
        if "authorization" in request.headers:
            raise ServingError("unauthorized", "the header must be Authorization: Bearer TOKEN")
        return None
    return room.match.seat_of(token.credentials)


async def seat_of(viewer: Annotated[int | None, Depends(viewer_of)]) -> int:
    """The seat of the token."""
    if viewer is None:
        raise ServingError("unauthorized", "this takes a seat's token: Authorization: Bearer TOKEN")
    return viewer


async def wanted_of(
    since: Annotated[Number, Query(description="Number of the first event.")] = 0,
    svg: Annotated[bool, Query(description="Include the picture.")] = True,
    text: Annotated[bool, Query(description="Include the table as text.")] = False,
    observation: Annotated[bool, Query(description="Include the seat's observation.")] = False,
    state: Annotated[bool, Query(description="Include the seat's redacted record.")] = False,
) -> Wanted:
    """What the client wants its view to contain."""
    return Wanted(since, svg, text, observation, state)


HubOf = Annotated[Hub, Depends(hub_of)]
RoomOf = Annotated[Room, Depends(room_of)]
ViewerOf = Annotated[int | None, Depends(viewer_of)]
SeatOf = Annotated[int, Depends(seat_of)]
WantedOf = Annotated[Wanted, Depends(wanted_of)]
Wait = Annotated[float, Query(ge=0, le=30, description="Seconds to wait.")]


async def view_of(hub: Hub, room: Room, viewer: int | None, wanted: Wanted) -> Response:
    """The match as a viewer may see it, once no bot decides in secret."""
    await hub.settled(room, viewer)
    return send(room.view(viewer, wanted))


def _its_turn(room: Room, seat: int) -> bool:
    """Whether a seat has to decide now, or never will again."""
    return room.match.to_act == seat or room.match.status in ("finished", "expired")


# --- matches --------------------------------------------------------------------------------------


@router.post("/matches", response_model=MatchCreated, status_code=201, summary="Create a match")
async def create(hub: HubOf, wanted: NewMatch) -> Response:
    """Create a match; the response contains the tokens of its human seats."""
    return send(await hub.create(wanted), 201)


@router.get("/matches", response_model=MatchList, summary="Listed matches")
async def listed(
    hub: HubOf,
    game: Annotated[str | None, Query(max_length=64)] = None,
    status: Status | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> Response:
    """Listed matches, newest first."""
    return send(MatchList(matches=await hub.listed(game, status, limit)))


@router.get("/matches/{match}", response_model=MatchInfo, summary="A match")
async def one_match(room: RoomOf) -> Response:
    """What everybody may know about a match."""
    return send(info(room.match))


@router.post("/matches/{match}/join", response_model=SeatToken, summary="Take an open seat")
async def join(hub: HubOf, room: RoomOf, wanted: Join) -> Response:
    """Take an open seat."""
    return send(await hub.join(room, wanted.name, wanted.seat))


@router.get("/matches/{match}/view", response_model=View, summary="View of a match")
async def look(
    hub: HubOf,
    room: RoomOf,
    viewer: ViewerOf,
    wanted: WantedOf,
    after: Annotated[
        Number | None,
        Query(description="Wait for a later version; by default until the seat is to decide."),
    ] = None,
    wait: Wait = 0.0,
) -> Response:
    """The match as the token's seat may see it; without a token, as a spectator may."""

    def met() -> bool:
        if after is not None:
            return room.match.watch(viewer).version > after
        return viewer is None or _its_turn(room, viewer)

    if wait:
        await hub.wait_until(room, met, wait)
        if hub.closing and not met():
            raise ServingError("unavailable", ENDING)
    return await view_of(hub, room, viewer, wanted)


@router.post("/matches/{match}/actions", response_model=View, summary="Decide")
async def act(
    hub: HubOf, room: RoomOf, seat: SeatOf, wanted: WantedOf, chosen: Act, wait: Wait = 0.0
) -> Response:
    """Decide. With ``wait``, the response comes when the seat is to decide again, or at the end."""
    await hub.act(room, seat, chosen.decision, chosen.action)
    if wait:
        await hub.wait_until(room, lambda: _its_turn(room, seat), wait)
    return await view_of(hub, room, seat, wanted)


@router.post("/matches/{match}/undo", response_model=View, summary="Take the last decision back")
async def undo(hub: HubOf, room: RoomOf, seat: SeatOf, wanted: WantedOf) -> Response:
    """Take the last decision back, in matches with one person. The match is then not rated."""
    await hub.undo(room, seat)
    return await view_of(hub, room, seat, wanted)


@router.post("/matches/{match}/hint", response_model=Hint, summary="Ask for a hint")
async def hint(
    hub: HubOf, room: RoomOf, seat: SeatOf, wanted: HintRequest | None = None
) -> Response:
    """A bot's advice on the decision, from what the seat knows."""
    return send(await hub.hint(room, seat, wanted.bot if wanted else None))


@router.post(
    "/matches/{match}/coach", response_model=Coaching, summary="Ask what a bot thinks of a decision"
)
async def coach(
    hub: HubOf, room: RoomOf, seat: SeatOf, wanted: CoachRequest | None = None
) -> Response:
    """What a bot thinks of one's own decision, from what the seat knew when it decided."""
    asked = wanted or CoachRequest(decision=None, bot=None)
    return send(await hub.rate(room, seat, asked.decision, asked.bot))


@router.get("/matches/{match}/review", response_model=Review, summary="Review of a finished match")
async def review(
    hub: HubOf,
    room: RoomOf,
    seat: SeatOf,
    bot: Annotated[str | None, Query(min_length=1, max_length=MAX_SPEC)] = None,
) -> Response:
    """A finished match as a bot sees it: the curve of chances, and the costly decisions."""
    return send(await hub.review(room, seat, bot))


@router.post("/matches/{match}/leave", response_model=View, summary="Hand the seat to a bot")
async def leave(
    hub: HubOf, room: RoomOf, seat: SeatOf, wanted: WantedOf, chosen: Leave | None = None
) -> Response:
    """Hand the seat to a bot; the token remains valid for returning."""
    await hub.leave(room, seat, chosen.bot if chosen else None)
    return await view_of(hub, room, seat, wanted)


@router.post("/matches/{match}/return", response_model=View, summary="Take the seat back")
async def come_back(hub: HubOf, room: RoomOf, seat: SeatOf, wanted: WantedOf) -> Response:
    """Take the seat back from the bot."""
    await hub.come_back(room, seat)
    return await view_of(hub, room, seat, wanted)


@router.post("/matches/{match}/concede", response_model=View, summary="Concede")
async def concede(hub: HubOf, room: RoomOf, seat: SeatOf, wanted: WantedOf) -> Response:
    """Give up: the seat is lost, a bot plays on for it, and its person cannot return."""
    await hub.concede(room, seat)
    return await view_of(hub, room, seat, wanted)


@router.post("/matches/{match}/end", response_model=View, summary="Agree to end the match")
async def end(
    hub: HubOf, room: RoomOf, seat: SeatOf, wanted: WantedOf, chosen: EndMatch | None = None
) -> Response:
    """Agree to end the match without a winner; it ends when all who sit at the table agree."""
    await hub.end(room, seat, chosen.agree if chosen else True)
    return await view_of(hub, room, seat, wanted)


@router.post("/matches/{match}/say", response_model=View, summary="Say a phrase")
async def say(hub: HubOf, room: RoomOf, seat: SeatOf, wanted: WantedOf, said: Say) -> Response:
    """Say one of a few phrases to the others at the table."""
    await hub.say(room, seat, said.phrase)
    return await view_of(hub, room, seat, wanted)


@router.post(
    "/matches/{match}/rematch", response_model=SeatToken, summary="Ask for a rematch or join it"
)
async def rematch(
    hub: HubOf,
    room: RoomOf,
    seat: SeatOf,
    token: Annotated[HTTPAuthorizationCredentials, Depends(bearer)],
) -> Response:
    """Ask for a rematch of a finished match, or sit down at the one that was asked for.

    Game, options, clock, bots and seats are the same, and so is the token. Leaving the rematch
    before one has sat down declines it.
    """
    name = await hub.rematch(room, seat)
    return send(SeatToken(match=name, seat=seat, token=token.credentials))


@router.post("/matches/{match}/begin", response_model=View, summary="Begin a rematch")
async def begin(hub: HubOf, room: RoomOf, seat: SeatOf, wanted: WantedOf) -> Response:
    """Begin a rematch without the people who have not sat down: bots take their seats."""
    await hub.begin(room, seat)
    return await view_of(hub, room, seat, wanted)


@router.get(
    "/matches/{match}/frames/{n}", response_model=Frame, summary="A position for the replay viewer"
)
async def one_frame(
    room: RoomOf,
    seen_by: ViewerOf,
    n: Annotated[int, Path(ge=0, le=SAFE_INTEGER)],
    viewer: Annotated[
        int | None, Query(ge=0, lt=16, description="Seat whose view to show, in a finished match.")
    ] = None,
) -> Response:
    """A position for the replay viewer: complete if the match is over, else as it was seen."""
    return send(await asyncio.to_thread(frame(room.match, seen_by, n, shown=viewer)))


@router.get(
    "/matches/{match}/replay", response_model=ReplayFile, summary="Replay of a finished match"
)
async def replay(room: RoomOf) -> Response:
    """The match for ``gangland replay``; only after the end, because it contains the seed."""
    if room.match.status != "finished":
        raise ServingError("conflict", "the match is not finished")
    if room.match.agreed:
        raise ServingError(
            "conflict", "the match ended by agreement: its game has no end to replay"
        )
    return send(ReplayFile(replay=json.loads(room.match.replay().write())))


@router.get("/leaderboard", response_model=Leaderboard)
async def leaderboard(
    hub: HubOf,
    game: Annotated[str, Query(max_length=64)],
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Response:
    """Players of a game by rating."""
    hub.game(game)
    # A damaged row may have no matches.
    rows = [row for row in await hub.leaderboard(game, limit) if row["matches"]]
    return send(
        Leaderboard(
            game=game,
            rows=[
                LeaderboardRow(
                    rank=k,
                    player=row["player"],
                    bot=row["bot"],
                    matches=row["matches"],
                    wins=row["wins"],
                    win_share=row["wins"] / row["matches"],
                    par=row["par"] / row["matches"],
                    rating=row["rating"],
                )
                for k, row in enumerate(rows, 1)
            ],
        )
    )
