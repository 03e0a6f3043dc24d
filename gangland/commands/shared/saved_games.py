"""Unfinished games that can be continued: files of replays, one on each line."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from ...agents.trained.whole import whole_file
from ...envs import load
from ...envs.core.errors import GanglandError
from ...envs.core.game import Game
from ...envs.core.replay import Replay, ReplayError, read_replays

KEPT = 20
"""Number of games that are kept in :func:`own_file`; the oldest are removed."""
PERSON = "human"


class NoSavedGameError(GanglandError, LookupError):
    """There is no game to continue."""


def own_file() -> Path:
    """The file for games that are left without a file of their own."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return (
            (Path(base) if base else Path.home() / "AppData" / "Local") / "gangland" / "left.jsonl"
        )
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "gangland" / "left.jsonl"


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game in a file of replays.

    Attributes:
        path: The file.
        replay: The game as far as it was played.
    """

    path: Path
    replay: Replay

    @property
    def seat(self) -> int:
        """The person's seat."""
        return self.replay.players.index(PERSON)

    def go_to(self, replay: Replay) -> None:
        """Write how far the game has come in place of how far it had."""
        _write(self.path, [replay if one == self.replay else one for one in _read(self.path)])

    def remove(self) -> None:
        """Take the game out of the file."""
        _write(self.path, [one for one in _read(self.path) if one != self.replay])


def keep(replay: Replay) -> Path:
    """Add a game to :func:`own_file`, whose folder is made; returns the file.

    Raises:
        OSError: If it cannot be written.
    """
    path = own_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(path, [*_read(path), replay][-KEPT:])
    return path


def find(path: Path) -> SavedGame:
    """The last game of a file that a person left before its end.

    Raises:
        NoSavedGameError: If there is none.
        ReplayError: If the file cannot be read.
    """
    if path == own_file() and not _read(path):
        raise NoSavedGameError("no game has been left before its end")
    for replay in reversed(read_replays(path)):
        if PERSON in replay.players and not _is_over(replay):
            check_players(replay, load(replay.game))
            return SavedGame(path, replay)
    raise NoSavedGameError(f"{path}: no game of a person that is not over")


def check_players(replay: Replay, game: Game) -> None:
    """Make sure that a replay names nobody, or a player for each seat.

    Raises:
        ReplayError: If it does not.
        OptionError: If the game does not allow its options.
    """
    seats = game.num_players(game.options.resolve(replay.options))
    if len(replay.players) not in (0, seats):
        raise ReplayError(f"players: there are {len(replay.players)}, must be 0 or {seats}")


def _is_over(replay: Replay) -> bool:
    game = load(replay.game)
    *_, last = replay.states(game)
    return game.is_over(last)


def _read(path: Path) -> list[Replay]:
    return read_replays(path) if path.exists() and path.read_text("utf-8").strip() else []


def _write(path: Path, replays: list[Replay]) -> None:
    with whole_file(path) as draft:
        draft.write_text("".join(f"{replay.write()}\n" for replay in replays), encoding="utf-8")
