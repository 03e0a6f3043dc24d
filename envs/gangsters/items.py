"""Which actions concern the rivals, officers, Publics and buildings that an observation lists."""

from __future__ import annotations

from typing import Final

from .actions import (
    COP,
    FLIP_JOINT,
    FLIP_PIECE,
    GO,
    MOVE_PIECE,
    PLAY,
    PUBLIC,
    SEDUCE,
    TARGET_SIDE,
    TRADE,
)
from .data.tables import BUILDINGS, JOINTS, OFFICER_IDS, PUBLIC_IDS, STREETS
from .state import MAX_SEATS

MARKERS: Final = 9
"""Officers with a marker: all but the last one."""

ITEM_ACTIONS: Final = {
    "rivals": tuple(
        (
            TRADE + rival,
            TARGET_SIDE + rival,
            *(SEDUCE + 2 * rival + piece for piece in range(2)),
            *(FLIP_PIECE + 3 * rival + piece for piece in range(3)),
        )
        for rival in range(MAX_SEATS - 1)
    ),
    "officers": tuple(
        (COP + officer, PLAY + officer if officer < MARKERS else -1)
        for officer in range(len(OFFICER_IDS))
    ),
    "publics": tuple((PUBLIC + public, FLIP_JOINT + public) for public in range(len(PUBLIC_IDS))),
    "joints": tuple((GO + STREETS + joint,) for joint in range(JOINTS)),
    "inside": tuple((GO + STREETS + building,) for building in range(BUILDINGS)),
    "buildings": tuple((GO + STREETS + building,) for building in range(BUILDINGS)),
    "piece_ends": tuple((MOVE_PIECE + piece,) for piece in range(3)),
    "public_ends": tuple((PUBLIC + public,) for public in range(len(PUBLIC_IDS))),
    "police_ends": (*((COP + officer,) for officer in range(len(OFFICER_IDS))), (-1,)),
}
"""See :attr:`gangland.envs.core.game.Game.item_actions`; a joint stands in three blocks."""
