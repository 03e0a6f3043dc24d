"""Which actions concern the seats that an observation lists."""

from __future__ import annotations

from typing import Final

from .actions import HIT
from .state import MAX_SEATS

ITEM_ACTIONS: Final = {
    "seats": ((-1,), *((HIT + seat - 1,) for seat in range(1, MAX_SEATS))),
}
"""See :attr:`gangland.envs.core.game.Game.item_actions`."""
