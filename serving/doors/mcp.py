"""Games for language models, as tools of the Model Context Protocol (MCP).

A model takes a seat against bots, sees what its seat may know, decides, and may ask a bot for
advice. Everything runs in this process; tables are lost when it ends.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from pydantic import BaseModel, Field

from ... import __version__
from ...agents.seeds import players_key
from ...agents.table import deciding_view, decisions
from ...envs import game_names, load
from ...envs.core.errors import GanglandError, MissingDependencyError
from ...envs.core.game import Game
from ...envs.core.options import OptionValue
from ...envs.core.rng import draw_seed
from ...envs.core.view import Detail
from ..bots.bot import Bot
from ..bots.registry import Bots
from ..errors import ServingError
from ..matches.watch import Watch
from ..rulebook import as_text, rulebook

if TYPE_CHECKING:
    from mcp.server import MCPServer

MAX_TABLES = 200
"""Maximum number of tables; then the least recently used one is closed."""

INSTRUCTIONS = """\
Gangster board games against bots. Call games to see what there is, rules to learn one, new_table to
take a seat. Then play: every answer shows the table as your seat may know it, what has happened
since your last decision, and the legal actions with a number and a sentence. Decide with act, by
number or notation; bots answer at once. advice asks a bot what it would do in your place."""

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")


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


class Table:
    """A game that the model plays against bots.

    Args:
        name: The table's name for the model.
        game: The game.
        seat: The model's seat.
        bots: The bot of each other seat.
        seed: Seed of the game's chance.
        options: The game's options.
    """

    def __init__(
        self,
        name: str,
        game: Game,
        seat: int,
        bots: dict[int, Bot],
        seed: int,
        options: dict[str, OptionValue],
    ) -> None:
        self.name = name
        self.game = game
        self.seat = seat
        self.bots = bots
        self._state = game.new_state(seed, **options)
        self._players_key = players_key(seed)
        self._watch = Watch(game, seat, self._state)
        self._told = 0
        self._let_bots_play()

    def act(self, wanted: str) -> None:
        """Play the model's decision, then let the bots play.

        Args:
            wanted: The action's number, or its notation.

        Raises:
            GanglandError: If the game is over or the action is not legal here.
        """
        if self.game.is_over(self._state):
            raise ServingError("conflict", f"table {self.name}: the game is over")
        legal = self._watch.legal_actions()
        number = int(wanted) if wanted.isdecimal() else -1
        by_notation = {self.game.action_text(self._watch.known, a): a for a in legal}
        action = by_notation.get(wanted, number)
        if action not in legal:
            # The game's own error names the legal actions.
            action = self.game.parse_action(self._watch.known, wanted)
        self._told = len(self._watch.events)
        self._play(self.seat, action)
        self._let_bots_play()

    def advice(self, bot: Bot) -> Advice:
        """A bot's advice for the model's decision.

        Raises:
            GanglandError: If there is nothing to decide.
        """
        if self.game.is_over(self._state):
            raise ServingError("conflict", f"table {self.name}: the game is over")
        view = deciding_view(self.game, self._watch.known, self._players_key, Detail.ALL)
        (decision,) = bot.answer([view])
        shares = decision.probabilities
        thoughts = [
            Thought(
                **self._choice(a).model_dump(),
                probability=None if shares is None else round(float(shares[a]), 4),
            )
            for a in view.legal_actions
        ]
        thoughts.sort(key=lambda thought: -(thought.probability or 0.0))
        chances = decision.chances_of(self.game.num_seats(view.known))
        return Advice(
            bot=bot.spec,
            best=self._choice(decision.action),
            thoughts=thoughts,
            chances=None if chances is None else [round(chance, 3) for chance in chances],
        )

    def seen(self) -> Seen:
        """The table as the model may see it."""
        game, known = self.game, self._watch.known
        over = game.is_over(self._state)
        return Seen(
            table=self.name,
            game=game.name,
            seat=self.seat,
            players=[
                f"{game.seat_name(known, k)}: {'you' if k == self.seat else self.bots[k].spec}"
                for k in range(game.num_seats(known))
            ],
            your_turn=not over,
            over=over,
            news=[told.text for told in self._watch.events[self._told :]],
            picture=game.text(known, self.seat),
            choices=[self._choice(a) for a in self._watch.legal_actions()],
            result=self._standings() if over else [],
        )

    def _let_bots_play(self) -> None:
        seats = range(self.game.num_seats(self._state))
        agents = [self.bots[seat].agent if seat != self.seat else None for seat in seats]
        for seat, action in decisions(self.game, self._state, agents, self._players_key):
            self._play(seat, action)

    def _play(self, seat: int, action: int) -> None:
        self.game.apply(self._state, action)
        self._watch.see(seat, action, self._state, int(self._state.ply))

    def _choice(self, action: int) -> Choice:
        known = self._watch.known
        return Choice(
            action=action,
            notation=self.game.action_text(known, action),
            sentence=self.game.describe(known, action),
        )

    def _standings(self) -> list[Standing]:
        result = self.game.result(self._state)
        found = [
            Standing(
                seat=k,
                name=self.game.seat_name(self._state, k),
                place=place,
                score=result.scores[k],
                won=place == 1,
            )
            for k, place in enumerate(result.places)
        ]
        return sorted(found, key=lambda standing: (standing.place, standing.seat))


class Tables:
    """All tables of a process.

    Args:
        bots: The bots that are offered.
        games: Names of the games that are offered; all if empty.
    """

    def __init__(self, bots: Bots, games: Sequence[str] = ()) -> None:
        self.bots = bots
        self.games = [load(name) for name in games or game_names()]
        self.lock = threading.Lock()
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._count = 0

    def open(
        self,
        name: str,
        seat: int,
        bots: list[str],
        options: dict[str, OptionValue],
        seed: int | None,
    ) -> Table:
        """Open a table with one bot for all other seats, or one for each.

        Raises:
            GanglandError: If an argument is not valid; the message names what is allowed.
        """
        game = self.game(name)
        seats = game.num_players(game.options.resolve(options))
        if not 0 <= seat < seats:
            raise ServingError("bad_request", f"seat={seat}: must be 0..{seats - 1}")
        if seed is not None and not 0 <= seed < 2**64:
            raise ServingError("bad_request", f"seed={seed}: must be 0..{2**64 - 1}")
        specs = bots or [self.bots.default(name)]
        if len(specs) == 1:
            specs = specs * (seats - 1)
        if len(specs) != seats - 1:
            raise ServingError("bad_request", f"bots: {len(specs)} given, needed 1 or {seats - 1}")
        others = [k for k in range(seats) if k != seat]
        sitting = {k: self.bot(name, spec) for k, spec in zip(others, specs, strict=True)}
        seed = draw_seed() if seed is None else seed
        self._count += 1
        table = Table(f"{name}-{self._count}", game, seat, sitting, seed, options)
        self._tables[table.name] = table
        while len(self._tables) > MAX_TABLES:
            self._tables.popitem(last=False)
        return table

    def game(self, name: str) -> Game:
        """An offered game.

        Raises:
            ServingError: If it is not offered; the message names those that are.
        """
        for game in self.games:
            if game.name == name:
                return game
        known = ", ".join(game.name for game in self.games)
        raise ServingError("not_found", f"no game {name!r}: there are {known}")

    def bot(self, game: str, spec: str | None) -> Bot:
        """An offered bot; by default the strongest."""
        return self.bots.bot(game, self.bots.check(game, spec))

    def find(self, name: str) -> Table:
        """An open table.

        Raises:
            ServingError: If there is none; the message names the open tables.
        """
        if name not in self._tables:
            known = ", ".join(self._tables) or "none, call new_table"
            raise ServingError("not_found", f"no table {name!r}; open: {known}")
        self._tables.move_to_end(name)
        return self._tables[name]


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


def make_server(bots: Bots | None = None, offered: Sequence[str] = ()) -> MCPServer[Any]:
    """The MCP server.

    Args:
        bots: The bots that are offered; by default those of the package.
        offered: Names of the games that are offered; all if empty.

    Raises:
        MissingDependencyError: If the package ``mcp`` is not installed.
    """
    try:
        from mcp.server import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
    except ImportError as error:
        raise MissingDependencyError(
            "`gangland mcp` needs the package mcp: pip install 'gangland[mcp]'"
        ) from error
    tables = Tables(bots or Bots(), offered)
    server: MCPServer[Any] = MCPServer(
        "gangland", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING"
    )

    def tool(function: Callable[Parameters, Returned]) -> Callable[Parameters, Returned]:
        """Register a tool: calls run one at a time, and our errors become tool errors."""

        @wraps(function)
        def called(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Returned:
            try:
                with tables.lock:
                    return function(*args, **kwargs)
            except GanglandError as error:
                raise ToolError(str(error)) from error

        server.tool()(called)
        return called

    @tool
    def games() -> list[GameFacts]:
        """List the games with their options and bots."""
        return [facts(game, tables.bots) for game in tables.games]

    @tool
    def rules(game: str, language: str = "en", exact: bool = False) -> str:
        """The rules of a game, in English or another language; on request their exact wording."""
        return as_text(rulebook(tables.game(game).name, language), exact=exact)

    @tool
    def new_table(
        game: str,
        seat: int = 0,
        bots: list[str] | None = None,
        options: dict[str, bool | int | str] | None = None,
        seed: int | None = None,
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
    def act(table: str, action: int | str) -> Seen:
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

    return server
