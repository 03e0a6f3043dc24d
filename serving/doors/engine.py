"""The engine: a bot on standard input and output, for frontends that start a process.

A line protocol in the spirit of UCI, described in ``docs/engine.md``. Each command is one line. Its
answer ends with exactly one closing line: ``... ok``, ``bestmove``, or ``error`` with a message. An
error changes nothing, and only ``quit`` and the end of the input stop the engine.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ... import __version__
from ...agents.base import decision_of
from ...agents.decision import Decision, require_legal
from ...agents.outside.remote import ENGINE_PROTOCOL
from ...agents.registry import make
from ...agents.seeds import players_key
from ...agents.table import deciding_view
from ...envs.core.errors import GanglandError, NotationError
from ...envs.core.game import Game
from ...envs.core.history import History
from ...envs.core.options import option_value
from ...envs.core.presentation.foreign_text import read_number
from ...envs.core.rng import draw_seed
from ...envs.core.state import NO_SEAT, State
from ...envs.core.view import Detail, View

MAX_LINE = 4 * 2**20
"""Maximum number of characters in a line; a position takes a few thousand."""
MAX_SEED = 2**64
MAX_TIME_MS = 24 * 3600 * 1000


class EngineError(GanglandError, ValueError):
    """A command of the line protocol is not valid."""


@dataclass(frozen=True, slots=True)
class Position:
    """The current position.

    Attributes:
        state: The record: complete if it was reached by actions, redacted if the frontend sent it.
        seat: The seat to decide; ``NO_SEAT`` at the end of the game.
        played: The actions that led there from the start; ``None`` if the frontend sent a state.
    """

    state: State
    seat: int
    played: tuple[int, ...] | None


class Engine:
    """Answers the commands of one frontend.

    Args:
        game: The game.
        spec: Spec of the bot.
        write: Called with each line of an answer, without the line break.

    Raises:
        GanglandError: If the bot cannot be created.
    """

    def __init__(self, game: Game, spec: str, write: Callable[[str], None]) -> None:
        self.game = game
        self.agent = make(spec, game)
        self._write = write
        self._commands: dict[str, Callable[[str], None]] = {
            "hello": self._hello,
            "ping": lambda rest: write("ping ok"),
            "newgame": self._newgame,
            "position": self._position,
            "legal": self._legal,
            "view": self._view,
            "go": self._go,
        }
        self._start = game.new_state(0)
        self._players_key = players_key(draw_seed())
        self._board = Position(self._start, int(self._start.seat), ())

    def run(self, lines: Iterable[str]) -> None:
        """Answer commands until ``quit`` or the end of the input."""
        for line in lines:
            if not self.command(line):
                break

    def command(self, line: str) -> bool:
        """Answer one command; returns whether to go on."""
        word, _, rest = line.strip().partition(" ")
        if word == "quit":
            return False
        if not word:
            return True
        try:
            if len(line) > MAX_LINE:
                raise EngineError(f"a line of {len(line)} characters: at most {MAX_LINE}")
            if word not in self._commands:
                known = ", ".join([*self._commands, "quit"])
                raise EngineError(f"no command {word[:40]!r}: there are {known}")
            self._commands[word](rest.strip())
        except GanglandError as error:
            self._write("error " + " ".join(str(error).split()))
        except Exception as error:
            # Bots of other distributions may raise anything; the frontend can go on.
            self._write(f"error internal: {type(error).__name__}: {' '.join(str(error).split())}")
        return True

    # --- commands ---------------------------------------------------------------------------

    def _hello(self, rest: str) -> None:
        game = self.game
        self._write(f"id name gangland {__version__}")
        self._write(f"id bot {self.agent.spec}")
        self._write(f"id game {game.name} {game.rules_version}")
        self._write(f"id sizes {game.num_actions} {game.observation_size}")
        for option in game.options:
            self._write(
                "option "
                + _json(
                    {
                        "name": option.name,
                        "default": option.default,
                        "allowed": option.allowed(game.options.resolve({})),
                        "doc": option.doc,
                    }
                )
            )
        self._write(f"hello ok {ENGINE_PROTOCOL}")

    def _newgame(self, rest: str) -> None:
        words = rest.split()
        seed = draw_seed()
        if words and words[0] == "seed":
            seed = _number("seed", words[1] if len(words) > 1 else "", MAX_SEED)
            words = words[2:]
        options: dict[str, Any] = {}
        for word in words:
            key, equals, value = word.partition("=")
            if not key or not equals:
                raise EngineError(f"newgame: {word!r} must be NAME=VALUE, as players=4")
            options[key] = option_value(value)
        self._start = self.game.new_state(seed, **options)
        self._players_key = players_key(seed)
        self._board = Position(self._start, int(self._start.seat), ())
        self._write(f"newgame ok seats {self.game.num_seats(self._start)} {self._where()}")

    def _position(self, rest: str) -> None:
        kind, _, argument = rest.partition(" ")
        if kind == "start":
            self._board = Position(self._start, int(self._start.seat), ())
        elif kind == "actions":
            self._board = self._played(argument)
        elif kind == "state":
            self._board = self._posted(argument)
        else:
            raise EngineError("position: must be start, actions A B C or state JSON")
        self._write(f"position ok {self._where()}")

    def _legal(self, rest: str) -> None:
        view = self._deciding()
        actions = [
            {"id": a, "notation": view.action_text(a), "sentence": view.describe(a)}
            for a in view.legal_actions
        ]
        self._write(f"legal ok {_json(actions)}")

    def _view(self, rest: str) -> None:
        seats = self.game.num_seats(self._board.state)
        seat = self._board.seat if not rest else _number("view", rest, seats)
        if seat == NO_SEAT:
            raise EngineError(f"view: the game is over, name a seat 0..{seats - 1}")
        if self._board.played is None and seat != self._board.seat:
            raise EngineError(f"view {seat}: the position is what seat {self._board.seat} knows")
        self._write(f"view ok {_json(self.game.view(self._board.state, seat).to_dict())}")

    def _go(self, rest: str) -> None:
        words = rest.split()
        agent, seed, detail = self.agent, None, Detail.ACTION
        while words:
            word = words.pop(0)
            if word == "explain":
                detail = Detail.OWN
            elif word == "seed":
                seed = _number("seed", words.pop(0) if words else "", MAX_SEED)
            elif word == "time":
                time_ms = _number("time", words.pop(0) if words else "", MAX_TIME_MS + 1)
                agent = self.agent.within(max(time_ms, 1) / 1000)
            else:
                raise EngineError(f"go: no {word!r}: there are time MS, seed N, explain")
        view = self._deciding(seed, detail)
        decision = decision_of(agent, view)
        action = int(decision.action)
        require_legal(self.game, agent.spec, view.action_mask[None], np.array([action], np.int64))
        if detail > Detail.ACTION:
            self._write(f"info {_json(_explanation(decision, view))}")
        self._write(f"bestmove {action} {view.action_text(action)}")

    # --- positions --------------------------------------------------------------------------

    def _played(self, text: str) -> Position:
        """The position after these actions from the start of the game."""
        state, played = self.game.clone(self._start), list[int]()
        for ply, word in enumerate(text.split()):
            action = _number(f"action {ply}", word, self.game.num_actions)
            try:
                self.game.apply(state, action)
            except GanglandError as error:
                raise EngineError(f"action {ply}: {error}") from error
            played.append(action)
        return Position(state, int(state.seat), tuple(played))

    def _posted(self, text: str) -> Position:
        """A position sent as a dictionary, redacted for the deciding seat."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise EngineError(f"position state: not JSON: {error}") from error
        if not isinstance(data, dict):
            raise EngineError("position state: must be an object, as `view` writes it")
        viewer = data.pop("viewer", None)
        state = self.game.from_dict(data)
        seat, seats = int(state.seat), self.game.num_seats(state)
        if not 1 <= seats <= self.game.max_seats:
            raise NotationError(f"num_seats={seats}: must be 1..{self.game.max_seats}")
        if not -1 <= seat < seats:
            raise NotationError(f"seat={seat}: must be -1..{seats - 1}")
        if viewer is not None and viewer != seat:
            raise EngineError(f"viewer={viewer}: must be the seat to decide, {seat}")
        known = state if seat == NO_SEAT else self.game.redact(state, seat)
        return Position(known, seat, None)

    def _deciding(self, seed: int | None = None, detail: Detail = Detail.ACTION) -> View:
        """The view of the deciding seat."""
        board = self._board
        if board.seat == NO_SEAT:
            raise EngineError("the game is over, nobody decides")
        history = None
        if self.agent.needs_history and board.played is not None:
            history = History.of(self.game, board.seat, self._start, board.played)
        view = deciding_view(self.game, board.state, self._players_key, detail, history)
        if seed is not None:
            view.seed = seed
        return view

    def _where(self) -> str:
        return f"ply {int(self._board.state.ply)} seat {self._board.seat}"


def _explanation(decision: Decision, view: View) -> dict[str, Any]:
    """Probabilities of the actions and the chance of winning; null if the bot gives none."""
    shares = decision.probabilities
    return {
        "probabilities": None
        if shares is None
        else {str(a): float(shares[a]) for a in view.legal_actions},
        "chance": decision.chance(view.seat),
    }


def _number(name: str, text: str, limit: int) -> int:
    """A number from 0 to ``limit - 1``."""
    number = read_number(text)
    if number is None or number >= limit:
        raise EngineError(f"{name} {text[:40]!r}: must be a number 0..{limit - 1}")
    return number


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
