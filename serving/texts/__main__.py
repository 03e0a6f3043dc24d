"""``python -m gangland.serving.texts GAME LANGUAGE``: what a catalogue does not translate."""

from __future__ import annotations

import sys

from ...envs import load
from .sentences import GAMES, all_sentences
from .translator import translator

if __name__ == "__main__":
    game = load(sys.argv[1])
    known = translator(game, sys.argv[2])
    games = int(sys.argv[3]) if len(sys.argv) > 3 else GAMES
    for text in sorted(text for text in all_sentences(game, games) if not known.knows(text)):
        print(text)
