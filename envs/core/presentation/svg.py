"""Elements of SVG pictures, as text: what the pictures of all games are drawn with.

A picture is made of a few shapes, lines of text and groups that stand for legal actions. Elements
are strings, which are joined; parts that never change are kept as finished text. Libraries build a
tree of objects and write all of it every time: the 1,484 elements of the table of Gangsters take
svg.py 1.10 17 ms and drawsvg 2.4 23 ms, here the whole picture takes 8 ms. Neither escapes
attributes, which hold sentences, and svg.py no text either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from xml.sax.saxutils import escape, quoteattr

FONT = "DejaVu Sans, sans-serif"


def number(value: float) -> str:
    """A length or a coordinate, to a hundredth."""
    return f"{round(value, 2):g}"


def attributes(**values: object) -> str:
    """Attributes with a space in front; ``_`` in a name stands for ``-``.

    An attribute whose value is ``None`` is left out.
    """
    return "".join(
        [f" {_name(key)}={_value(value)}" for key, value in values.items() if value is not None]
    )


def element(tag: str, content: str = "", /, **values: object) -> str:
    """An element; its content is SVG already."""
    start = f"<{tag}{attributes(**values)}"
    return f"{start}>{content}</{tag}>" if content else f"{start}/>"


def text(
    x: float,
    y: float,
    words: str,
    size: float,
    fill: str,
    anchor: str = "start",
    **more: object,
) -> str:
    """A line of text, which is escaped here.

    Args:
        x: Where it is anchored.
        y: Its base line.
        words: The text.
        size: Size of the font.
        fill: Its colour.
        anchor: ``start``, ``middle`` or ``end``.
        **more: Further attributes.
    """
    where = None if anchor == "start" else anchor
    style = attributes(x=x, y=y, font_size=size, fill=fill, text_anchor=where, **more)
    return f"<text{style}>{escape(words)}</text>"


def rect(
    x: float, y: float, width: float, height: float, fill: str, rx: float = 0, **more: object
) -> str:
    """A rectangle, with rounded corners if ``rx`` is above 0."""
    corner = rx or None
    return element("rect", x=x, y=y, width=width, height=height, rx=corner, fill=fill, **more)


_CIRCLE = "M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0z"
_MARKS = (
    _CIRCLE,
    "M-5 -5h10v10h-10z",
    "M0 -6.5L6.5 5h-13z",
    "M0 -7L7 0L0 7L-7 0z",
    "M-2 -6h4v4h4v4h-4v4h-4v-4h-4v-4h4z",
    "M0 6.5L6.5 -5h-13z",
    "M0 -7l2 5h5l-4 3l2 6l-5 -4l-5 4l2 -6l-4 -3h5z",
    "M-6 -3.5L0 -7l6 3.5v7L0 7l-6 -3.5z",
)
"""Circle, square, triangle, diamond, cross, triangle on its tip, star, hexagon."""


def seat_mark(seat: int, x: float, y: float, radius: float, fill: str, **more: object) -> str:
    """The mark of a seat: a shape of its own, for those who cannot distinguish the colours.

    Args:
        seat: The seat.
        x: Its middle.
        y: Its middle.
        radius: About half of its width.
        fill: Its colour.
        **more: Further attributes.
    """
    place = f"translate({number(x)} {number(y)}) scale({number(radius / 6)})"
    shape = _MARKS[seat % len(_MARKS)]
    return element("path", d=shape, transform=place, fill=fill, data_mark=seat, **more)


def clickable(action: int, title: str, content: str) -> str:
    """A group that stands for a legal action.

    Args:
        action: The action; clients find the group by ``data-action``.
        title: What is shown when one points at it; escaped here.
        content: The group's elements.
    """
    tip = element("title", escape(title))
    return element("g", tip + content, class_="action", data_action=action, cursor="pointer")


def menu(actions: Sequence[int], content: str) -> str:
    """A group at which a person chooses among legal actions, which takes two steps at least.

    For pieces with several actions, and for actions that nobody should take by accident.

    Args:
        actions: The actions; clients find the group by ``data-actions``.
        content: The group's elements.
    """
    numbers = " ".join(map(str, actions))
    return element("g", content, class_="action", data_actions=numbers, cursor="pointer")


def piece(key: str, content: str, *now: str) -> str:
    """A group for something that :meth:`gangland.envs.core.presentation.words.Words.pieces` knows.

    Args:
        key: Its key there.
        content: The group's elements.
        *now: What is true of it in this position, in short sentences.
    """
    return element("g", content, data_piece=key, data_now="\n".join(filter(None, now)) or None)


def sentence(words: str, lines: Iterable[str]) -> str:
    """Lines of text that are one sentence: clients translate it whole and break it again.

    Args:
        words: All of it, even if the lines leave out what is too much.
        lines: An element for each line.
    """
    return element("g", "".join(lines), data_words=words)


def document(width: float, height: float, content: str, **more: object) -> str:
    """A whole picture."""
    return element(
        "svg",
        content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        **{"font_family": FONT, **more},
    )


@dataclass(frozen=True, slots=True)
class Marks:
    """Which legal actions a picture marks, for elements that stand for them.

    Attributes:
        legal: The actions.
        describe: A sentence for an action.
    """

    legal: frozenset[int]
    describe: Callable[[int], str]

    def of(self, actions: Iterable[int]) -> list[int]:
        """Those of ``actions`` that are legal."""
        return [action for action in actions if action in self.legal]

    def wrap(self, action: int, content: str) -> str:
        """Elements as a group that stands for the action, if it is legal."""
        if action not in self.legal:
            return content
        return clickable(action, self.describe(action), content)


@cache
def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _value(value: object) -> str:
    if isinstance(value, float):
        return f'"{number(value)}"'
    return _quoted(str(value))


@lru_cache(4096)
def _quoted(words: str) -> str:
    return quoteattr(words)
