"""Tables at which a language model plays against bots, and the messages about them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

from pydantic import BaseModel, Field

from ....agents.base import Agent
from ....agents.seeds import players_key
from ....agents.table import Memories, decisions
from ....envs import game_names, load
from ....envs.core.game import Game
from ....envs.core.history import Memory
from ....envs.core.options import OptionValue
from ....envs.core.presentation.foreign_text import read_number
from ....envs.core.rng import draw_seed
from ....envs.core.view import Detail
from ...bots.bot import Bot
from ...bots.registry import Bots
from ...errors import ServingError
from ...matches.watch import Watch, advised_actions, advised_view


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
    events: list[str] = Field(description="What has happened since you decided last.")
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


MAX_TABLES = 200
"""Maximum number of tables; then the least recently used one is closed."""


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
        self._memory = Memory(game, seat, self._state)
        self._memories = Memories(game, self._agents, self._state)
        self._shown = 0
        self._decided = 0
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
        number = read_number(wanted)
        by_notation = {self.game.action_text(self._watch.known, a): a for a in legal}
        action = by_notation.get(wanted, number)
        if action is None or action not in legal:
            # The game's own error names the legal actions.
            action = self.game.parse_action(self._watch.known, wanted)
        self._shown = len(self._watch.events)
        self._decided += 1
        self._play(self.seat, action)
        self._let_bots_play()

    def advice(self, bot: Bot) -> Advice:
        """A bot's advice for the model's decision.

        Raises:
            GanglandError: If there is nothing to decide.
        """
        if self.game.is_over(self._state):
            raise ServingError("conflict", f"table {self.name}: the game is over")
        view = advised_view(
            self.game,
            self._watch.known,
            self.seat,
            self._decided,
            self._players_key,
            Detail.ALL,
            self._memory.history,
        )
        (decision,) = bot.answer([view])
        thoughts = [
            Thought(
                **self._choice(a).model_dump(),
                probability=None if share is None else round(share, 4),
            )
            for a, share in advised_actions(view, decision)
        ]
        chances = decision.chances_of(self.game.num_seats(view.known))
        return Advice(
            bot=bot.spec,
            best=self._choice(thoughts[0].action),
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
            events=[event.text for event in self._watch.events[self._shown :]],
            picture=game.text(known, self.seat),
            choices=[self._choice(a) for a in self._watch.legal_actions()],
            result=self._standings() if over else [],
        )

    def _let_bots_play(self) -> None:
        key, memories = self._players_key, self._memories
        for seat, action in decisions(self.game, self._state, self._agents, key, memories):
            self._play(seat, action)

    @property
    def _agents(self) -> list[Agent | None]:
        """The agent of each seat, none at the model's."""
        seats = range(self.game.num_seats(self._state))
        return [self.bots[seat].agent if seat != self.seat else None for seat in seats]

    def _play(self, seat: int, action: int) -> None:
        self.game.apply(self._state, action)
        self._watch.see(seat, action, self._state, int(self._state.ply))
        self._memory.see(seat, action, self._state)
        self._memories.see(seat, action, self._state)

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
