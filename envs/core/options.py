"""Game options: declared once, checked before a game is built, described for people and programs.

A game declares its options as a list of :class:`Option`, one line each. :class:`OptionSet` makes a
pydantic model of them, which checks values and has a JSON Schema.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    create_model,
)

from .errors import OptionError
from .integers import as_integer, shown

OptionValue = int | str | bool
Chosen = Mapping[str, OptionValue]
Bound = int | Callable[[Chosen], int]


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game: an integer range, a set of words, or both (``random`` or a seat).

    Attributes:
        name: Keyword under which it is given.
        default: Value when it is not given.
        doc: One sentence for people.
        low: Smallest integer allowed; ``None`` if no integers are.
        high: Largest integer allowed, or a function of the options declared before this one.
        words: Words allowed.
        flag: Whether ``True`` and ``False`` are the values.
        fixed: Whether the default is the only value: there is nothing to choose.
    """

    name: str
    default: OptionValue
    doc: str
    low: int | None = None
    high: Bound = 0
    words: tuple[str, ...] = field(default=())
    flag: bool = False
    fixed: bool = False

    def allowed(self, chosen: Chosen) -> str:
        """The valid values in words, given the options declared before this one."""
        if self.fixed:
            return str(self.default).lower()
        if self.flag:
            return "true or false"
        parts = list(self.words)
        if self.low is not None:
            parts.append(f"{self.low}..{self._high(chosen)}")
        return " or ".join(parts)

    @property
    def numbered(self) -> bool:
        """Whether a number says which value it is: not if words and numbers are allowed."""
        return not (self.fixed or (self.words and self.low is not None))

    def number(self, value: OptionValue) -> int:
        """A value as a field holds it: numbers and flags as they are, of words the place."""
        return self.words.index(str(value)) if self.words else int(value)

    def value(self, number: int) -> OptionValue:
        """The value of :meth:`number`."""
        if self.words:
            return self.words[number]
        return bool(number) if self.flag else number

    def _high(self, chosen: Chosen) -> int:
        return self.high(chosen) if callable(self.high) else self.high

    def _annotation(self) -> Any:
        """Type of the option's field in the pydantic model."""
        if self.fixed:
            return Literal[self.default]
        if self.flag:
            return bool
        kinds: list[Any] = [Literal[self.words]] if self.words else []
        if self.low is not None:
            high = None if callable(self.high) else self.high
            kinds.append(Annotated[int, Field(ge=self.low, le=high)])
        kind: Any = kinds[0]
        for other in kinds[1:]:
            kind = kind | other
        return Annotated[kind, AfterValidator(self._within)] if callable(self.high) else kind

    def _within(self, value: OptionValue, info: ValidationInfo) -> OptionValue:
        """Check a bound that depends on the options declared before this one."""
        try:
            high = self._high(info.data)
        except KeyError:  # An option that it depends on was refused, which is the error to report.
            return value
        if isinstance(value, int) and value > high:
            raise ValueError(self.allowed(info.data))
        return value


@dataclass(frozen=True, slots=True)
class OptionSet:
    """All options of a game, in order of declaration; the first one is ``players``."""

    options: tuple[Option, ...]

    def __iter__(self) -> Iterator[Option]:
        return iter(self.options)

    @property
    def names(self) -> Sequence[str]:
        """Names in order of declaration."""
        return [option.name for option in self.options]

    @property
    def model(self) -> type[BaseModel]:
        """Pydantic model with a field for each option; for its JSON Schema, for example.

        Combinations that a game forbids besides are checked by :meth:`resolve` alone.
        """
        return _model(self.options)

    def resolve(self, given: Mapping[str, Any]) -> dict[str, OptionValue]:
        """Full options from the given ones and the defaults.

        Raises:
            OptionError: For an unknown name or a value that is not allowed.
        """
        for name, value in given.items():
            if name not in self.names:
                known = ", ".join(self.names)
                raise OptionError(f"unknown option {name}={shown(value)}: must be one of {known}")
        numbers = {name: as_integer(value) for name, value in given.items()}
        plain = {n: given[n] if number is None else number for n, number in numbers.items()}
        try:
            chosen: dict[str, OptionValue] = self.model.model_validate(plain).model_dump()
        except ValidationError as error:
            raise self._error(error, given) from None
        return chosen

    def _error(self, error: ValidationError, given: Mapping[str, Any]) -> OptionError:
        """The first error, with what is allowed there."""
        wrong = error.errors(include_url=False)[0]["loc"][0]
        chosen: dict[str, Any] = {}
        for option in self.options:
            if option.name == wrong:
                value = given.get(option.name, option.default)
                number = option.low is not None and not option.words and as_integer(value) is None
                allowed = "an integer " * number + option.allowed(chosen)
                return OptionError(f"{option.name}={shown(value)}: must be {allowed}")
            chosen[option.name] = given.get(option.name, option.default)
        raise AssertionError(wrong)


def option_value(text: str) -> OptionValue:
    """The value that a user has written: ``true``, ``false``, a number or a word."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        return int(text)
    except ValueError:
        return text


@cache
def _model(options: tuple[Option, ...]) -> type[BaseModel]:
    fields: dict[str, Any] = {
        option.name: (option._annotation(), Field(option.default, description=option.doc))
        for option in options
    }
    # Strict, so that neither 1 nor "yes" is a flag.
    config = ConfigDict(extra="forbid", strict=True, frozen=True, validate_default=True)
    return create_model("Options", __config__=config, **fields)
