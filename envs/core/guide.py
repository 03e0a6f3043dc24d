"""What people are told about a game beside its positions, for pages and other tables.

Everything here has a default, so that a game without any of it can be played all the same. A game
tells what is on its table (:class:`Piece`), what its seats are asked, which choices belong together
(:class:`Choice`), whose turn it is (:class:`Turn`), and what it is like (:class:`About`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from .options import OptionValue
from .state import NO_SEAT, State


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
        amount: The number that tells it from others of its group, for a slider.
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


class Guide:
    """The part of :class:`~.game.Game` that tells people about it.

    Attributes:
        about: The game for somebody who chooses one; ``None`` if there is nothing to tell.
    """

    about: ClassVar[About | None] = None

    def pieces(self) -> Mapping[str, Piece]:
        """What is on the table, by the names that pictures give in ``data-piece``."""
        return {}

    def question(self, state: State) -> str:
        """What the deciding seat is asked, in its own words; empty if there are none.

        It is shown to that seat alone, and made from what it may know.
        """
        return ""

    def choice(self, state: State, action: int) -> Choice:
        """How a legal action stands to the others, for the deciding seat."""
        return Choice()

    def reason(self, state: State, action: int) -> str:
        """What speaks for or against a legal action by the game's rules of thumb; may be empty.

        A sentence or two for the deciding seat, made from what it may know.
        """
        return ""

    def turn(self, state: State) -> Turn:
        """The part of the game that a position belongs to.

        Made from redacted records, as everything that a seat is told.
        """
        return Turn()
