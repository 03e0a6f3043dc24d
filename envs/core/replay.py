"""Recorded games: one JSON line each, with a hash chain that makes tampering and drift visible.

A replay holds the game, its rules version, the options, the seed and the actions: enough to play
it again. Link ``k`` of the chain hashes link ``k - 1`` and the position after decision ``k``, so
the first link that differs names the decision at which a replay and the rules part. A position is
hashed as :meth:`~gangland.envs.core.game.Game.rules_bytes`: a record that is laid out in another
way, or counts other events, leaves replays valid.

>>> from gangland.envs import load
>>> game = load("chicago")
>>> recorder = Recorder(game, seed=7)
>>> while not game.is_over(recorder.state):
...     recorder.apply(game.legal_actions(recorder.state)[0])
>>> replay = Replay.read(recorder.replay().write())
>>> replay.verify(game) == game.result(recorder.state)
True
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .errors import IllegalActionError, NotationError, reason_of
from .game import Game, Result
from .integers import shown
from .options import OptionValue
from .presentation.foreign_text import read_number
from .state import State

FORMAT = "gangland-replay/2"
LINK = 8
"""Hexadecimal digits kept of each link."""


class ReplayError(NotationError):
    """A replay cannot be read, or is not a genuine game."""


@dataclass(frozen=True, slots=True)
class Replay:
    """One recorded game.

    Attributes:
        game: Name of the game.
        rules_version: Version of its rules.
        options: Resolved options.
        seed: Seed of its chance.
        actions: All decisions in order.
        chain: Links of ``LINK`` hexadecimal digits: the start, then one for each decision.
        players: Who played each seat, for people; empty if unknown.
    """

    game: str
    rules_version: int
    options: dict[str, OptionValue]
    seed: int
    actions: tuple[int, ...]
    chain: str
    players: tuple[str, ...] = ()

    def write(self) -> str:
        """The replay as one line of JSON, without a line end.

        The seed is written as text: it has 64 bits, of which JavaScript and others keep 53.
        """
        data = {"format": FORMAT, **asdict(self), "seed": str(self.seed)}
        return json.dumps(data, separators=(",", ":"))

    @classmethod
    def read(cls, line: str) -> Replay:
        """A replay from its line.

        Raises:
            ReplayError: Naming what is missing or wrong.
        """
        try:
            data = json.loads(line)
        except (ValueError, RecursionError) as error:
            where = f" from character {error.pos + 1} on" if hasattr(error, "pos") else ""
            raise ReplayError(f"not a replay: is not JSON{where}") from error
        if not isinstance(data, dict) or data.pop("format", None) != FORMAT:
            raise ReplayError(f"not a replay: must be a JSON object with format={FORMAT!r}")
        wanted: dict[str, Any] = {
            "game": str,
            "rules_version": int,
            "options": dict,
            "actions": list,
            "chain": str,
            "players": list,
        }
        for key, kind in wanted.items():
            if not isinstance(data.get(key), kind):
                raise ReplayError(f"{key}={shown(data.get(key))}: must be of type {kind.__name__}")
        data["seed"] = _seed(data.get("seed"))
        if set(data) != {*wanted, "seed"}:
            raise ReplayError(f"unknown keys {sorted(set(data) - set(wanted) - {'seed'})}")
        numbers = [data["rules_version"], *data["actions"]]
        if not all(type(number) is int and 0 <= number < 2**31 for number in numbers):
            raise ReplayError(f"rules_version, actions: must be integers 0..{2**31 - 1}")
        if not all(isinstance(player, str) for player in data["players"]):
            raise ReplayError("players: must be texts")
        data["actions"] = tuple(data["actions"])
        data["players"] = tuple(data["players"])
        return cls(**data)

    def check_rules(self, game: Game) -> None:
        """Make sure that ``game`` plays what was recorded.

        Raises:
            ReplayError: If it is another game, or its rules have changed since.
        """
        recorded, played = (self.game, self.rules_version), (game.name, game.rules_version)
        if recorded != played:
            raise ReplayError(
                f"recorded with {recorded[0]} rules version {recorded[1]}, "
                f"this build plays {played[0]} version {played[1]}"
            )

    def states(self, game: Game) -> Iterator[State]:
        """Positions in order: the start, then one after each decision (each a copy of its own).

        Raises:
            ReplayError: Naming the decision that is not legal or after the end.
        """
        self.check_rules(game)
        state = game.new_state(self.seed, **game.options.resolve(self.options))
        yield game.clone(state)
        for ply, action in enumerate(self.actions):
            if game.is_over(state):
                raise ReplayError(f"decision {ply}: the game was already over")
            try:
                game.apply(state, action)
            except IllegalActionError as error:
                raise ReplayError(f"decision {ply}: {error}") from error
            yield game.clone(state)

    def steps(self, game: Game) -> Iterator[tuple[State, int, State]]:
        """``(before, action, after)`` of each decision."""
        positions = self.states(game)
        before = next(positions)
        for action, after in zip(self.actions, positions, strict=True):
            yield before, action, after
            before = after

    def verify(self, game: Game) -> Result:
        """Play it again and compare the chain.

        Returns:
            The result of the game.

        Raises:
            ReplayError: Naming the first decision after which the game differs from the record,
                or that the record stops before the end.
        """
        links = [self.chain[k : k + LINK] for k in range(0, len(self.chain), LINK)]
        link = _start(self.game, self.rules_version, self.options, self.seed)
        state: State = None
        for ply, state in enumerate(self.states(game)):
            link = _next(link, game.rules_bytes(state))
            if ply >= len(links) or links[ply] != link[:LINK]:
                where = "the start" if ply == 0 else f"decision {ply - 1}"
                raise ReplayError(f"{self.game}: the game differs from the record after {where}")
        if len(links) != len(self.actions) + 1:
            raise ReplayError(f"chain: {len(links)} links for {len(self.actions)} decisions")
        if not game.is_over(state):
            raise ReplayError(f"{self.game}: the record stops before the end of the game")
        return game.result(state)


class Recorder:
    """Plays a game and keeps its record.

    Args:
        game: The game.
        seed: Seed of its chance.
        names: Who plays each seat, for people.
        options: The game's options.
    """

    def __init__(
        self, game: Game, seed: int = 0, names: tuple[str, ...] = (), **options: Any
    ) -> None:
        self.game = game
        self.seed = seed
        self.names = names
        self.options = game.options.resolve(options)
        self.state = game.new_state(seed, **options)
        self.actions: list[int] = []
        self._link = _start(game.name, game.rules_version, self.options, seed)
        self._chain: list[str] = []
        self._add()

    def apply(self, action: int) -> None:
        """Play and record one decision.

        Raises:
            IllegalActionError: If it is not legal; nothing is changed.
        """
        self.game.apply(self.state, action)
        self.actions.append(int(action))
        self._add()

    def replay(self) -> Replay:
        """The record so far."""
        return Replay(
            self.game.name,
            self.game.rules_version,
            self.options,
            self.seed,
            tuple(self.actions),
            "".join(self._chain),
            self.names,
        )

    def _add(self) -> None:
        self._link = _next(self._link, self.game.rules_bytes(self.state))
        self._chain.append(self._link[:LINK])


def record(game: Game, seed: int, actions: list[int], **options: Any) -> Replay:
    """The replay of these decisions."""
    recorder = Recorder(game, seed, **options)
    for action in actions:
        recorder.apply(action)
    return recorder.replay()


def read_replays(path: Path) -> list[Replay]:
    """All replays of a file, one on each line.

    Raises:
        ReplayError: Naming the file and the line that cannot be read.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise ReplayError(f"{path} cannot be read: {reason_of(error)}") from error
    except UnicodeDecodeError as error:
        raise ReplayError(f"{path}: not a replay: must be text in UTF-8") from error
    replays = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                replays.append(Replay.read(line))
            except ReplayError as error:
                raise ReplayError(f"{path}, line {number}: {error}") from error
    if not replays:
        raise ReplayError(f"{path}: holds no replay")
    return replays


def _seed(written: Any) -> int:
    """A seed, written as decimal text or as a number."""
    text = written if isinstance(written, str) else str(written) if type(written) is int else ""
    seed = read_number(text)
    if seed is None or seed >= 2**64:
        raise ReplayError(f"seed={repr(written)[:40]}: must be 0..{2**64 - 1}, as text or number")
    return seed


def _start(game: str, rules_version: int, options: dict[str, OptionValue], seed: int) -> str:
    words = json.dumps([FORMAT, game, rules_version, options, seed], sort_keys=True)
    return hashlib.sha256(words.encode()).hexdigest()


def _next(link: str, position: bytes) -> str:
    return hashlib.sha256(link.encode() + position).hexdigest()
