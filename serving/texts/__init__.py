"""What the games say, in other languages.

A game says everything in English: what happened, what can be done, what is asked, what a piece is.
Its translations are gettext catalogues in its own folder, ``envs/<game>/texts/de.po`` for German,
which its authors write without touching a line of code; ``RULEBOOK.de.md`` beside them is the
rulebook. :mod:`.translator` translates a sentence, :mod:`.sentences` lists what a game says, and

    python -m gangland.serving.texts chicago de

prints what a catalogue lacks.
"""

from .catalogue import catalogue_of, read_catalogue

__all__ = ["catalogue_of", "read_catalogue"]
