"""Standings of a tournament, and tables of them for the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...envs.core.options import OptionValue
from ...envs.core.replay import Replay
from ..forfeits import Fault, without_forfeits
from ..statistics import Share, cross_play, pool_shares, ranks, win_shares
from ..tables import FoldedTable, cross_table, deals, win_cells

if TYPE_CHECKING:
    from rich.console import RenderableType

MESSAGES = 5
"""Different errors of a bot that are shown."""


class Played(NamedTuple):
    """Games that have been played; see :class:`gangland.arena.games.Games`.

    Attributes:
        line_ups: Int64 of shape ``(G, seats)``: number of the bot in each seat.
        deals: Int64 of shape ``(G,)``.
        places: Int8 of shape ``(G, seats)``: as the games ended, forfeits not considered.
        truncated: Bool of shape ``(G,)``.
        decisions: Int64 of shape ``(bots,)``.
        seconds: Float64 of shape ``(bots,)``: time for them; differs from run to run.
        replays: The games.
        faults: Where bots failed, numbered as the rows.
    """

    line_ups: NDArray[np.int64]
    deals: NDArray[np.int64]
    places: NDArray[np.int8]
    truncated: NDArray[np.bool_]
    decisions: NDArray[np.int64]
    seconds: NDArray[np.float64]
    replays: list[Replay]
    faults: list[Fault]

    @classmethod
    def joined(cls, parts: Sequence[Played]) -> Played:
        """Several parts, one after the other; at least one."""
        rows = {
            name: np.concatenate([getattr(part, name) for part in parts])
            for name in ("line_ups", "deals", "places", "truncated")
        }
        firsts = np.cumsum([0, *(len(part.deals) for part in parts)]).tolist()
        return cls(
            **rows,
            decisions=np.sum([part.decisions for part in parts], axis=0),
            seconds=np.sum([part.seconds for part in parts], axis=0),
            replays=[replay for part in parts for replay in part.replays],
            faults=[
                fault._replace(game=first + fault.game)
                for first, part in zip(firsts, parts, strict=False)
                for fault in part.faults
            ],
        )


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot's result.

    Attributes:
        name: The bot.
        win: Its win share of the seats played, with the 95 % interval by deals.
        place: Its mean place.
        games: Games in which it took part.
        forfeits: Those among them that it has forfeited in at least one seat.
        milliseconds: Mean time of a decision; differs from run to run.
    """

    name: str
    win: Share
    place: float
    games: int
    forfeits: int
    milliseconds: float = field(compare=False)


@dataclass(frozen=True, slots=True)
class FolderResult:
    """Outcome of a tournament. Equal for equal bots and arguments, however it was played.

    Attributes:
        game: Name of the game.
        rules_version: Version of its rules.
        options: Resolved options.
        seed: Seed of line-ups, deals and players.
        names: The bots, by number.
        standings: Best win share first.
        ahead: How often the bot of the row finishes ahead of that of the column in the same game,
            both in order of the standings; NaN on the diagonal and for bots that never met.
        refused: Why bots did not take part, by name.
        places: Int8 of shape ``(G, seats)``: final places, those who forfeited last.
        truncated: Bool of shape ``(G,)``: games that nobody has won.
        played: The games.
    """

    game: str
    rules_version: int
    options: dict[str, OptionValue]
    seed: int
    names: tuple[str, ...]
    standings: tuple[Standing, ...]
    ahead: tuple[tuple[float, ...], ...] = field(compare=False)
    refused: dict[str, str]
    places: NDArray[np.int8] = field(compare=False)
    truncated: NDArray[np.bool_] = field(compare=False)
    played: Played = field(compare=False)

    @property
    def deals(self) -> int:
        """Number of different deals."""
        return len(np.unique(self.played.deals))

    @property
    def par(self) -> float:
        """Win share of a seat if all players were equally strong."""
        return 1 / self.places.shape[1]

    def faults(self, name: str) -> list[Fault]:
        """A bot's first fault in each game and seat."""
        number = self.names.index(name)
        games = self.played
        return [one for one in games.faults if games.line_ups[one.game, one.seat] == number]

    def commonest(self, name: str) -> list[tuple[str, int, Fault]]:
        """A bot's different errors, the commonest first: one as it reads, how often, the first.

        Errors of one kind in one line are the same, whatever values they name.
        """
        faults = self.faults(name)
        first = {_kind(fault): fault for fault in reversed(faults)}
        counted = Counter(map(_kind, faults)).most_common(MESSAGES)
        return [(first[kind].what, count, first[kind]) for kind, count in counted]


def _kind(fault: Fault) -> str:
    """Where it happened, and the first word of the error: ``mine.py:3: KeyError``."""
    where, _, error = fault.what.partition(": ")
    return f"{where}: {error.split(' ')[0]}"


def standings_of(names: Sequence[str], games: Played) -> tuple[Standing, ...]:
    """Standings after some games, best win share first; bots without a game are left out."""
    places, truncated = without_forfeits(games.places, games.truncated, games.faults)
    won, compared = win_shares(places, truncated), ranks(places, truncated)
    present = np.unique(games.line_ups)
    numbers = np.zeros(len(names), np.int64)
    numbers[present] = np.arange(len(present))
    wins = pool_shares(won, numbers[games.line_ups], games.deals, len(present))
    lost = np.zeros(places.shape, np.bool_)
    for fault in games.faults:
        lost[fault.game, fault.seat] = True
    found = []
    for k, win in zip(present.tolist(), wins, strict=True):
        mine = games.line_ups == k
        found.append(
            Standing(
                names[k],
                win,
                float(compared[mine].mean()),
                int(mine.any(axis=1).sum()),
                int((mine & lost).any(axis=1).sum()),
                1000 * float(games.seconds[k]) / max(1, int(games.decisions[k])),
            )
        )
    return tuple(sorted(found, key=lambda one: (-one.win.share, one.name)))


def ahead_of(
    names: Sequence[str],
    standings: Sequence[Standing],
    line_ups: NDArray[np.int64],
    compared: NDArray[np.int8],
) -> tuple[tuple[float, ...], ...]:
    """The cross table, in order of the standings; see :class:`FolderResult`."""
    order = [names.index(one.name) for one in standings]
    shares, _ = cross_play(line_ups, compared, len(names))
    return tuple(tuple(row) for row in shares[np.ix_(order, order)].tolist())


def standings_table(standings: Sequence[Standing], title: str, par: float) -> FoldedTable:
    """Standings for the terminal."""
    columns = ("win share", "95%", "vs par", "place", "games", "forfeits", "ms/decision")
    table = FoldedTable(title, "bot", columns)
    for number, one in enumerate(standings, 1):
        table.add_row(
            f"{number} {one.name}",
            *win_cells(one.win, par),
            f"{one.place:.2f}",
            f"{one.games}",
            f"{one.forfeits or ''}",
            f"{one.milliseconds:.2f}",
        )
    return table


def as_tables(result: FolderResult) -> list[RenderableType]:
    """Final standings, the cross table, and what went wrong, for the terminal."""
    games, on = len(result.places), deals(result.deals)
    title = f"{result.game}, {games} games on {on}, par {result.par:.1%}"
    cross = cross_table([one.name for one in result.standings], result.ahead)
    tables: list[RenderableType] = [standings_table(result.standings, title, result.par), cross]
    faults = FoldedTable(
        "faults", "bot", ("error", "seats lost", "first in game"), texts=("error",)
    )
    for name, why in result.refused.items():
        faults.add_row(name, f"did not take part: {why}", "", "")
    for one in result.standings:
        for what, count, first in result.commonest(one.name):
            faults.add_row(one.name, what, f"{count}", f"{first.game + 1}")
    return [*tables, faults] if faults.row_count else tables
