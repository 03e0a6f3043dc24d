"""The HTTP routes of games, rules and bots; they need no matches."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel

from ... import lessons
from ...bots.service import BotService
from ...protocol import (
    PREFIX,
    SAFE_INTEGER,
    BotInfo,
    BotReply,
    GameInfo,
    GameList,
    GameTexts,
    LessonStep,
    OptionInfo,
    Pieces,
    Problem,
    Rulebook,
    Summary,
    Table,
    TableRequest,
    json_schema,
)
from ...rulebook import rulebook
from ...texts import catalogue_of

PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": text}
    for status, text in {
        400: "Not HTTP.",
        401: "The token is wrong or missing.",
        404: "Not found.",
        405: "The method is not allowed here.",
        408: "The request did not arrive in time.",
        409: "Not possible now: illegal, late or out of turn.",
        413: "Too large.",
        421: "The server does not answer to this host name.",
        422: "Not valid, or not allowed by the game.",
        429: "Too many requests.",
        431: "The headers of the request are too large.",
        500: "Internal server error.",
        503: "Temporarily not possible.",
    }.items()
}

router = APIRouter(prefix=PREFIX, responses=PROBLEMS)

GameName = Annotated[str, Path(min_length=1, max_length=64, description="The game.")]
LANGUAGE = r"^[a-z]{2,3}$"
"""Codes of languages by ISO 639, without regions."""


# Asynchronous although it never waits: FastAPI would run a plain function in a thread.


async def service_of(request: Request) -> BotService:
    """The games and bots of this application."""
    service: BotService = request.app.state.hub
    return service


ServiceOf = Annotated[BotService, Depends(service_of)]


def send(message: BaseModel, status: int = 200) -> Response:
    """A message as a response; it is serialised once, without FastAPI's validation."""
    return Response(message.model_dump_json(), status, media_type="application/json")


def game_info(service: BotService, name: str) -> GameInfo:
    """A game as clients see it."""
    game = service.game(name)
    defaults = game.options.resolve({})
    options = [
        OptionInfo(
            name=option.name,
            doc=option.doc,
            default=option.default,
            flag=option.flag,
            low=option.low,
            high=None
            if option.low is None
            else (option.high(defaults) if callable(option.high) else option.high),
            words=list(option.words),
        )
        for option in game.options
        if not option.fixed
    ]
    counts = [game.num_players(game.options.resolve({o: v})) for o, v in _table_sizes(options)]
    return GameInfo(
        game=game.name,
        title=game.title,
        rules_version=game.rules_version,
        min_players=min(counts),
        max_players=max(counts),
        num_actions=game.num_actions,
        observation_size=game.observation_size,
        roles=list(game.roles),
        score_unit=game.score_unit,
        options=options,
        bots=[
            BotInfo(
                spec=offer.spec,
                doc=offer.doc,
                thinks=offer.traits.probabilities,
                takes_observations=offer.traits.observations,
            )
            for offer in service.bots.offers(name).values()
        ],
        default_bot=service.bots.default(name),
        lesson=lessons.there_is(game.name),
        about=lessons.about(game),
        languages=list(game.languages()),
    )


def _table_sizes(options: list[OptionInfo]) -> list[tuple[str, int]]:
    """All values of the option for the number of players, which is always the first."""
    first = options[0]
    assert first.low is not None
    assert first.high is not None
    return [(first.name, value) for value in range(first.low, first.high + 1)]


@router.get("/games", response_model=GameList)
async def games(service: ServiceOf) -> Response:
    """All games with their options and bots."""
    from gangland import __version__

    return send(GameList(version=__version__, games=[game_info(service, n) for n in service.games]))


@router.get("/games/{game}", response_model=GameInfo, summary="A game")
async def one_game(service: ServiceOf, game: GameName) -> Response:
    """One game with its options and bots."""
    return send(game_info(service, game))


@router.get("/games/{game}/rules", response_model=Rulebook, summary="Rules of a game")
async def rules(
    service: ServiceOf,
    game: GameName,
    language: Annotated[
        str, Query(pattern=LANGUAGE, description="Code of a language; English if it is unknown.")
    ] = "en",
) -> Response:
    """The rules of a game in words."""
    return send(rulebook(service.game(game).name, language))


@router.get(
    "/games/{game}/texts/{language}",
    response_model=GameTexts,
    summary="Texts of a game in a language",
)
async def texts(
    service: ServiceOf,
    game: GameName,
    language: Annotated[str, Path(pattern=LANGUAGE, description="Code of a language.")],
) -> Response:
    """What a game says, in one of its languages."""
    return send(catalogue_of(service.game(game), language))


@router.get("/games/{game}/pieces", response_model=Pieces, summary="Pieces of a game")
async def pieces(service: ServiceOf, game: GameName) -> Response:
    """What is on the table of a game: cards, places, markers and numbers."""
    return send(lessons.pieces(service.game(game).name))


@router.get("/games/{game}/summary", response_model=Summary, summary="A game on one page")
async def summary(service: ServiceOf, game: GameName) -> Response:
    """A game on one page, with pictures of real positions."""
    return send(await asyncio.to_thread(lessons.summary, service.game(game).name))


@router.get("/games/{game}/lesson/{n}", response_model=LessonStep, summary="A step of a lesson")
async def lesson(
    service: ServiceOf,
    game: GameName,
    n: Annotated[int, Path(ge=0, le=SAFE_INTEGER, description="Number of the step, from 0.")],
) -> Response:
    """A step of a guided game."""
    return send(await asyncio.to_thread(lessons.step, service.game(game).name, n))


@router.post("/games/{game}/table", response_model=Table, summary="Seats of a table")
async def table(service: ServiceOf, game: GameName, wanted: TableRequest) -> Response:
    """The seats and roles of a table with these options."""
    loaded = service.game(game)
    options = loaded.options.resolve(dict(wanted.options))
    roles = [loaded.roles[role] for role in loaded.seat_roles(options)]
    return send(Table(game=game, options=options, roles=roles))


@router.post(
    "/bots/{game}",
    response_model=BotReply,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {"schema": {"$ref": "#/components/schemas/BotRequest"}}
            },
        }
    },
    summary="Ask a bot",
)
async def ask_bot(
    game: GameName,
    bot: Annotated[
        str | None, Query(max_length=120, description="If the body names no bot.")
    ] = None,
) -> Response:
    """A bot's decision in a posted position; nothing is stored."""
    raise NotImplementedError("BotEndpoint answers these requests; this describes them")


@router.get("/schema", summary="Schema of all messages")
async def schema() -> dict[str, Any]:
    """JSON Schema of every message."""
    return json_schema()
