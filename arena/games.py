"""Outcomes of games that have been played."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..envs.core.replay import Replay
from .forfeits import Fault


@dataclass(slots=True)
class Games:
    """Outcomes of games, one row for each game.

    Attributes:
        line_ups: Int64 of shape ``(G, seats)``: index of the agent in each seat.
        deals: Int64 of shape ``(G,)``: number of the deal on which the game was played.
        places: Int8 of shape ``(G, seats)``: final places from 1; ties share one. A truncated
            game has the ranking of its last position, which is not a result.
        scores: Int32 of shape ``(G, seats)``: final scores.
        lengths: Int64 of shape ``(G,)``: decisions.
        capped: Bool of shape ``(G,)``: ended by one of the specification's caps.
        truncated: Bool of shape ``(G,)``: ended by a cap that pays nobody, so nobody has won; see
            :meth:`gangland.envs.core.game.Game.is_truncated`.
        decisions: Int64 of shape ``(agents,)``: decisions that each agent made.
        seconds: Float64 of shape ``(agents,)``: time that each agent took for them.
        replays: The games as replays, if they were asked for.
        events: What happened, by name, each of shape ``(G,)``; see ``Game.event_counts``.
        faults: Where agents failed, if forfeits were asked for; places are as the games ended.
    """

    line_ups: NDArray[np.int64]
    deals: NDArray[np.int64]
    places: NDArray[np.int8]
    scores: NDArray[np.int32]
    lengths: NDArray[np.int64]
    capped: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    decisions: NDArray[np.int64]
    seconds: NDArray[np.float64]
    replays: list[Replay]
    events: dict[str, NDArray[np.float64]]
    faults: list[Fault] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.lengths)


def joined(parts: list[Games]) -> Games:
    """The games of several parts, one after the other."""

    def rows(name: str) -> Any:
        return np.concatenate([getattr(part, name) for part in parts])

    return Games(
        line_ups=rows("line_ups"),
        deals=rows("deals"),
        places=rows("places"),
        scores=rows("scores"),
        lengths=rows("lengths"),
        capped=rows("capped"),
        truncated=rows("truncated"),
        decisions=np.sum([part.decisions for part in parts], axis=0),
        seconds=np.sum([part.seconds for part in parts], axis=0),
        replays=[replay for part in parts for replay in part.replays],
        events={
            name: np.concatenate([part.events[name] for part in parts])
            for name in (parts[0].events if parts else ())
        },
        faults=[fault for part in parts for fault in part.faults],
    )
