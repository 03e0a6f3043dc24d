"""What pages and other tables show of a game beside its positions.

What is on its table (:class:`Piece`), which choices belong together (:class:`Choice`), whose turn
it is (:class:`Turn`), and what it is like (:class:`About`); see :class:`~.words.Words`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..options import OptionValue
from ..state import NO_SEAT


@dataclass(frozen=True, slots=True)
class Piece:
    """Something on the table that a person may ask about: a card, a place, a marker, a number.

    It says what is always true of it; what changes during the game stands in the picture.

    Attributes:
        name: Its name.
        kind: What sort of thing it is, in a word or two.
        facts: Its numbers and properties, as pairs of a label and a value.
        text: What it does, one sentence or two in each entry.
        rules: Ids of the rules that this rests on.
        picture: A large picture of it, as an SVG document; empty if it has none.
    """

    name: str
    kind: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    text: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    picture: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """How a legal action stands to the others.

    Attributes:
        group: Name of the kind of action that it is of; empty if it stands alone.
        amount: The number that distinguishes it from others of its group, for a slider.
    """

    group: str = ""
    amount: int | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """The part of the game that a position belongs to, as a heading of the story so far.

    Attributes:
        name: The heading; events under the same heading belong together.
        seat: Whose turn it is; ``NO_SEAT`` if it is nobody's in particular.
    """

    name: str = ""
    seat: int = NO_SEAT


@dataclass(frozen=True, slots=True)
class Preset:
    """Options for a game of some kind.

    Attributes:
        name: What to call it, in a word or two.
        doc: What is different, in a sentence.
        options: The options that are not at their defaults.
    """

    name: str
    doc: str
    options: Mapping[str, OptionValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class About:
    """A game for somebody who chooses one.

    Attributes:
        pitch: What one does in it, in a sentence or two.
        minutes: A person's time for a game against bots, from and to.
        weight: How much there is to learn: ``light``, ``medium`` or ``heavy``.
        emblem: A square picture, as an SVG document.
        presets: Kinds of game to choose from; the first is the usual one.
        dealt: Group of choices that a person may leave to a bot in order to begin sooner, such as
            opening auctions; empty if there is none.
    """

    pitch: str
    minutes: tuple[int, int]
    weight: str
    emblem: str
    presets: tuple[Preset, ...] = ()
    dealt: str = ""
