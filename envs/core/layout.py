"""What the numbers of an observation mean: declared once, for kernels, people and networks.

A game declares its observation as typed named tuples of integers. A row of related numbers is one
class; the vector is another, whose entries are blocks of such rows or single fields::

    class Seat(NamedTuple):
        present: Annotated[int, Field("1 for a seat at the table")]
        cash: Annotated[int, Field("cash, in tens of thousands", high=2.0)]
        colours: Annotated[int, Field("share of each colour", each=COLOURS)]


    class Blocks(NamedTuple):
        phase: Annotated[int, Field("phase of the game", each=PHASES)]
        seats: Annotated[int, Block(Seat, "seats in turn order, oneself first", rows=MAX_SEATS)]


    LAYOUT: Final = Layout(Blocks)
    AT: Final = LAYOUT.at
    SEAT: Final = offsets(Seat)
    SEAT_SIZE: Final = row_size(Seat)

``AT`` and ``SEAT`` are named tuples of plain integers, which Numba takes as constants, so that a
kernel writes ``out[AT.seats + k * SEAT_SIZE + SEAT.cash]``. Everything else is computed from the
same declaration: the size of the vector, the documentation, and the bounds that tests check.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeAlias, TypeVar, cast, get_type_hints

import numpy as np
from numpy.typing import NDArray

Row: TypeAlias = tuple[int, ...]
"""A ``NamedTuple`` class of integers, each annotated with a :class:`Field`."""

ROUNDING = np.float32(1e-5)
"""How far a number may be outside its range: sums of float32 are not exact."""

R = TypeVar("R", bound=Row)
B = TypeVar("B", bound=Row)


@dataclass(frozen=True, slots=True)
class Field:
    """One number of an observation, or several of the same meaning.

    Attributes:
        meaning: What the numbers say, with their unit.
        width: How many numbers; taken from ``each`` if that is given.
        low: Least value of each number.
        high: Greatest value of each number.
        each: What each of the numbers stands for, such as the phases of a one-hot.
        unit: What every value is a whole multiple of, as float32 multiplies: 1 for flags and
            counts, ``1 / 9`` for ninths. ``None`` for numbers that may be anything between the
            bounds. Observations are kept in bytes by it; see :mod:`gangland.envs.core.codes`.
    """

    meaning: str
    width: int = 1
    low: float = 0.0
    high: float = 1.0
    each: Sequence[str] = ()
    unit: float | None = 1.0

    def __post_init__(self) -> None:
        if self.each:
            object.__setattr__(self, "each", tuple(self.each))
            object.__setattr__(self, "width", len(self.each))
        if self.width < 1 or not self.low < self.high:
            raise ValueError(f"{self}: must have a width above 0, and low below high")
        if self.unit is not None and not self.unit > 0.0:
            raise ValueError(f"{self}: must have a unit above 0, or None")


@dataclass(frozen=True, slots=True)
class Block:
    """Rows of the same fields.

    Attributes:
        row: The class of a row.
        meaning: What a row stands for, and the order of the rows.
        rows: How many rows; taken from ``each`` if that is given. ``None``: a single row, whose
            block has no axis for rows.
        planes: Whether the fields come first and the rows second: one plane of ``rows`` numbers
            for each number of a row.
        each: What each row stands for.
    """

    row: type[Row]
    meaning: str
    rows: int | None = None
    planes: bool = False
    each: Sequence[str] = ()

    def __post_init__(self) -> None:
        if self.each:
            object.__setattr__(self, "each", tuple(self.each))
            object.__setattr__(self, "rows", len(self.each))


@dataclass(frozen=True)
class PlacedField:
    """A field with its place in the observation.

    Attributes:
        name: Its name in its row.
        declared: Its meaning, width, range, and what each number stands for.
        offset: Numbers, or planes, of the row in front of it.
        indices: Where its numbers stand in the vector: int64 of shape ``(rows, width)``, of planes
            ``(width, rows)``, in a block without rows ``(width,)``.
    """

    name: str
    declared: Field
    offset: int
    indices: NDArray[np.int64]

    def of(self, observation: NDArray[Any]) -> NDArray[Any]:
        """Its numbers in observations of shape ``(..., size)``: shape ``(..., *indices.shape)``."""
        return observation[..., self.indices]


@dataclass(frozen=True)
class PlacedBlock:
    """A block with its place in the observation.

    Attributes:
        name: Its name.
        meaning: What its numbers mean.
        start: Index of its first number.
        shape: ``(rows, width)``, of planes ``(width, rows)``, without rows ``(width,)``.
        planes: Whether the fields come first and the rows second.
        each: What each row stands for; empty where rows have no names.
        fields: The fields of a row, by name, in order.
    """

    name: str
    meaning: str
    start: int
    shape: tuple[int, ...]
    planes: bool
    each: tuple[str, ...]
    fields: Mapping[str, PlacedField]

    @property
    def size(self) -> int:
        """How many numbers the block has."""
        return int(np.prod(self.shape))

    @property
    def slice(self) -> slice:
        """Its place in the vector."""
        return slice(self.start, self.start + self.size)

    def __getitem__(self, field: str) -> PlacedField:
        """A field by name."""
        return self.fields[field]

    def of(self, observation: NDArray[Any]) -> NDArray[Any]:
        """The block of observations of shape ``(..., size)``: a view, shape ``(..., *shape)``."""
        return observation[..., self.slice].reshape(*observation.shape[:-1], *self.shape)


class Layout(Generic[B]):
    """The whole observation of a game.

    Args:
        blocks: A ``NamedTuple`` class of integers, each annotated with a :class:`Block` or, for a
            block of one unnamed field, with a :class:`Field`.

    Attributes:
        at: Index of the first number of each block, as an instance of ``blocks``.
        size: Length of the vector.
    """

    def __init__(self, blocks: type[B]) -> None:
        self._blocks: dict[str, PlacedBlock] = {}
        starts: list[int] = []
        end = 0
        for name, declared in _declarations(blocks).items():
            starts.append(end)
            block = _place(name, declared, end)
            self._blocks[name] = block
            end += block.size
        self.at: B = cast("Any", blocks)(*starts)
        self.size = end

    def __getitem__(self, block: str) -> PlacedBlock:
        """A block by name."""
        return self._blocks[block]

    def __iter__(self) -> Iterator[PlacedBlock]:
        """The blocks, in order."""
        return iter(self._blocks.values())

    @cached_property
    def low(self) -> NDArray[np.float32]:
        """Smallest value of each number: float32 of shape ``(size,)``."""
        return self._bounds("low")

    @cached_property
    def high(self) -> NDArray[np.float32]:
        """Largest value of each number: float32 of shape ``(size,)``."""
        return self._bounds("high")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """A name for each number, such as ``seats[2].cash``."""
        names = [""] * self.size
        for block in self:
            for field in block.fields.values():
                for place, index in np.ndenumerate(field.indices):
                    names[index] = _name(block, field, place)
        return tuple(names)

    def outside(self, observation: NDArray[Any]) -> list[str]:
        """What is wrong with an observation of shape ``(size,)``: numbers outside their range."""
        inside = (self.low - ROUNDING <= observation) & (observation <= self.high + ROUNDING)
        return [
            f"{self.names[k]} is {observation[k]}: must be {self.low[k]:g} to {self.high[k]:g}"
            for k in np.flatnonzero(~inside)
        ]

    def to_dict(self) -> dict[str, Any]:
        """The layout as JSON-able values."""
        return {"size": self.size, "blocks": [_block_dict(block) for block in self]}

    def describe(self) -> str:
        """The layout as Markdown: a table of the blocks, then what the rows of each consist of."""
        lines = [
            f"float32 of shape `({self.size},)`.",
            "",
            "| block | from | shape | range | meaning |",
            "|---|---|---|---|---|",
            *(_block_line(block) for block in self),
        ]
        for block in self:
            lines += _section(block)
        return "\n".join(lines) + "\n"

    def _bounds(self, side: str) -> NDArray[np.float32]:
        bounds = np.zeros(self.size, np.float32)
        for block in self:
            for field in block.fields.values():
                bounds[field.indices] = getattr(field.declared, side)
        bounds.setflags(write=False)
        return bounds

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.size}: {', '.join(self._blocks)}>"


def offsets(row: type[R], start: int = 0, step: int = 1) -> R:
    """Offset of each field in a row, as an instance of its class.

    Args:
        row: The class of a row.
        start: Offset of the first field. For a block of planes, its place in the vector.
        step: How much one number takes. For a block of planes, its number of rows.
    """
    places: list[int] = []
    for field in _fields(row).values():
        places.append(start)
        start += field.width * step
    return cast("R", cast("Any", row)(*places))


def row_size(row: type[Row]) -> int:
    """How many numbers a row has."""
    return sum(field.width for field in _fields(row).values())


# --- from a declaration to places -----------------------------------------------------------------


def _declarations(row: type[Row]) -> dict[str, Any]:
    """What the entries of a named tuple are annotated with, by name."""
    hints = get_type_hints(row, include_extras=True)
    found: dict[str, Any] = {}
    for name in cast("Any", row)._fields:
        found[name] = next(iter(getattr(hints[name], "__metadata__", ())), None)
        if not isinstance(found[name], Field | Block):
            raise TypeError(f"{row.__name__}.{name}: must be Annotated[int, Field(...) or Block]")
    return found


def _fields(row: type[Row]) -> dict[str, Field]:
    fields = _declarations(row)
    for name, field in fields.items():
        if not isinstance(field, Field):
            raise TypeError(f"{row.__name__}.{name}: a row has fields only")
    return fields


def _place(name: str, declared: Field | Block, start: int) -> PlacedBlock:
    fields: Mapping[str, Field] = {"": declared} if isinstance(declared, Field) else {}
    rows: int | None = None
    planes = False
    each: tuple[str, ...] = ()
    if isinstance(declared, Block):
        fields = _fields(declared.row)
        rows, planes, each = declared.rows, declared.planes, tuple(declared.each)
    width = sum(field.width for field in fields.values())
    shape = (width,) if rows is None else (width, rows) if planes else (rows, width)
    indices = np.arange(start, start + int(np.prod(shape))).reshape(shape)
    placed: dict[str, PlacedField] = {}
    offset = 0
    for field_name, field in fields.items():
        own = slice(offset, offset + field.width)
        part = indices[own] if planes else indices[..., own]
        placed[field_name] = PlacedField(field_name, field, offset, part)
        offset += field.width
    return PlacedBlock(name, declared.meaning, start, shape, planes, each, placed)


# --- words ----------------------------------------------------------------------------------------


def _name(block: PlacedBlock, field: PlacedField, place: tuple[int, ...]) -> str:
    if len(place) == 1:
        row, entry = None, place[0]
    else:
        entry, row = place if block.planes else place[::-1]
    name = block.name
    if row is not None:
        name += f"[{block.each[row] if block.each else row}]"
    if field.name:
        name += f".{field.name}"
    if field.declared.width > 1:
        name += f"[{field.declared.each[entry] if field.declared.each else entry}]"
    return name


def _block_dict(block: PlacedBlock) -> dict[str, Any]:
    return {
        "name": block.name,
        "meaning": block.meaning,
        "start": block.start,
        "shape": list(block.shape),
        "planes": block.planes,
        "rows": list(block.each),
        "fields": [
            {
                "name": field.name,
                "offset": field.offset,
                "width": field.declared.width,
                "low": field.declared.low,
                "high": field.declared.high,
                "unit": field.declared.unit,
                "meaning": field.declared.meaning,
                "each": list(field.declared.each),
            }
            for field in block.fields.values()
        ],
    }


def _block_line(block: PlacedBlock) -> str:
    shape = " × ".join(str(length) for length in block.shape)
    extent = _range(block[""].declared) if "" in block.fields else ""
    return f"| {block.name} | {block.start} | {shape} | {extent} | {block.meaning} |"


def _section(block: PlacedBlock) -> list[str]:
    """More of a block than its line in the table holds."""
    heading = ["", f"## {block.name}"]
    if "" in block.fields:
        each = block[""].declared.each
        return [*heading, "", f"{', '.join(each)}."] if each else []
    if block.planes:
        heading += ["", f"One plane of {block.shape[1]} numbers for each of these:"]
    if block.each:
        heading += ["", f"Rows: {', '.join(block.each)}."]
    return [
        *heading,
        "",
        "| field | offset | numbers | range | meaning |",
        "|---|---|---|---|---|",
        *(_field_line(field) for field in block.fields.values()),
    ]


def _field_line(field: PlacedField) -> str:
    declared = field.declared
    meaning = declared.meaning + (f": {', '.join(declared.each)}" if declared.each else "")
    return f"| {field.name} | {field.offset} | {declared.width} | {_range(declared)} | {meaning} |"


def _range(field: Field) -> str:
    return f"{field.low:.3g} to {field.high:.3g}"
