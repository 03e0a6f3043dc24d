"""The tools that a language model calls, as a server of the Model Context Protocol."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar

from pydantic import StrictBool, StrictInt

from .... import __version__
from ....envs.core.errors import GanglandError, MissingDependencyError
from ....envs.core.game import Game
from ...bots.registry import Bots
from ...errors import ServingError
from ...rulebook import as_text, rulebook
from .tables import Advice, GameFacts, Seen, Tables

if TYPE_CHECKING:
    from mcp.server import MCPServer

INSTRUCTIONS = """\
Gangster board games against bots. Call games to see what there is, rules to learn one, new_table to
take a seat. Then play: every answer shows the table as your seat may know it, what has happened
since your last decision, and the legal actions with a number and a sentence. Decide with act, by
number or notation; bots answer at once. advice asks a bot what it would do in your place."""

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")


def make_server(bots: Bots | None = None, offered: Sequence[str] = ()) -> MCPServer[Any]:
    """The MCP server.

    Args:
        bots: The bots that are offered; by default those of the package.
        offered: Names of the games that are offered; all if empty.

    Raises:
        MissingDependencyError: If the package ``mcp`` is not installed.
    """
    try:
        from mcp.server.mcpserver.exceptions import ToolError

        from .plain_errors import PlainErrors
    except ImportError as error:
        raise MissingDependencyError(
            "`gangland mcp` needs the package mcp: pip install 'gangland[mcp]'"
        ) from error
    tables = Tables(bots or Bots(), offered)
    server = PlainErrors(
        "gangland", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING"
    )
    _add_tools(server, tables, _registrar(server, tables, ToolError))
    return server


class _Register(Protocol):
    """A decorator that keeps the type of a function."""

    def __call__(
        self, function: Callable[Parameters, Returned], /
    ) -> Callable[Parameters, Returned]: ...


def _registrar(server: MCPServer[Any], tables: Tables, refused: type[Exception]) -> _Register:
    """A decorator that registers a tool.

    Args:
        server: Where it is registered.
        tables: What tools work on, one call at a time.
        refused: The error with the reason for the model; raised in place of our own.
    """

    def tool(function: Callable[Parameters, Returned]) -> Callable[Parameters, Returned]:
        """Register a tool."""

        @wraps(function)
        def called(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Returned:
            try:
                with tables.lock:
                    return function(*args, **kwargs)
            except GanglandError as error:
                raise refused(str(error)) from error

        server.tool()(called)
        return called

    return tool


def _add_tools(server: MCPServer[Any], tables: Tables, tool: _Register) -> None:
    """Register all tools and resources; their documentation is what the model reads."""

    @tool
    def games() -> list[GameFacts]:
        """List the games with their options and bots."""
        return [facts(game, tables.bots) for game in tables.games]

    @tool
    def rules(game: str, language: str = "en", exact: bool = False) -> str:
        """The rules of a game, in English or another language; on request their exact wording."""
        found = tables.game(game)
        known = ("en", *found.languages())
        if language not in known:
            raise ServingError("bad_request", f"language: must be one of {', '.join(known)}")
        return as_text(rulebook(found.name, language), exact=exact)

    @tool
    def new_table(
        game: str,
        seat: StrictInt = 0,
        bots: list[str] | None = None,
        options: dict[str, StrictBool | StrictInt | str] | None = None,
        seed: StrictInt | None = None,
    ) -> Seen:
        """Take a seat at a new table against bots: one spec for all of them, or one for each.

        By default the strongest bot available plays. The same seed repeats the game's chance.
        """
        return tables.open(game, seat, bots or [], dict(options or {}), seed).seen()

    @tool
    def look(table: str) -> Seen:
        """The table as your seat may know it, with your legal actions."""
        return tables.find(table).seen()

    @tool
    def act(table: str, action: StrictInt | str) -> Seen:
        """Decide, by an action's number or notation; the bots answer, then you see the table."""
        found = tables.find(table)
        found.act(str(action).strip())
        return found.seen()

    @tool
    def advice(table: str, bot: str | None = None) -> Advice:
        """What a bot would do in your place, from what your seat may know. Changes nothing."""
        found = tables.find(table)
        return found.advice(tables.bot(found.game.name, bot))

    @server.resource("gangland://rules/{game}", mime_type="text/markdown")
    def rules_resource(game: str) -> str:
        """The rules of a game."""
        return as_text(rulebook(tables.game(game).name))


def facts(game: Game, bots: Bots) -> GameFacts:
    """What a model needs to know to open a table."""
    defaults = game.options.resolve({})
    return GameFacts(
        game=game.name,
        title=game.title,
        seats=game.num_players(defaults),
        options={
            option.name: f"{option.doc}; {option.allowed(defaults)}, default {option.default}"
            for option in game.options
        },
        bots={offer.spec: offer.doc for offer in bots.offers(game.name).values()},
    )
