"""A game's description of itself and its pieces for people, as messages."""

from __future__ import annotations

from functools import cache

from ..envs import load
from ..envs.core.game import Game
from .protocol import AboutInfo, PieceInfo, Pieces, PresetInfo


def about(game: Game) -> AboutInfo | None:
    """A game for somebody who chooses one; ``None`` if it has no description."""
    found = game.about
    if found is None:
        return None
    return AboutInfo(
        pitch=found.pitch,
        minutes=found.minutes,
        weight=found.weight,
        emblem=found.emblem,
        presets=[
            PresetInfo(name=preset.name, doc=preset.doc, options=dict(preset.options))
            for preset in found.presets
        ],
        dealt=found.dealt,
    )


@cache
def pieces(name: str) -> Pieces:
    """What is on a game's table.

    Raises:
        UnknownGameError: If there is no such game.
    """
    return Pieces(
        game=name,
        pieces={
            key: PieceInfo(
                name=piece.name,
                kind=piece.kind,
                facts=list(piece.facts),
                text=list(piece.text),
                rules=list(piece.rules),
                picture=piece.picture,
            )
            for key, piece in load(name).pieces().items()
        },
    )
