"""What a game tells people of itself and its pieces, as messages."""

from __future__ import annotations

from functools import cache

from ..envs import load
from ..envs.core.game import Game
from .protocol import AboutInfo, PieceInfo, Pieces, PresetInfo


def about(game: Game) -> AboutInfo | None:
    """A game for somebody who chooses one; ``None`` if it tells nothing of itself."""
    told = game.about
    if told is None:
        return None
    return AboutInfo(
        pitch=told.pitch,
        minutes=told.minutes,
        weight=told.weight,
        emblem=told.emblem,
        presets=[
            PresetInfo(name=preset.name, doc=preset.doc, options=dict(preset.options))
            for preset in told.presets
        ],
        dealt=told.dealt,
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
