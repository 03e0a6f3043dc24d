"""Game options: declared once, checked before a game is built, described for people and forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .errors import OptionError

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
    """

    name: str
    default: OptionValue
    doc: str
    low: int | None = None
    high: Bound = 0
    words: tuple[str, ...] = field(default=())
    flag: bool = False

    def allowed(self, chosen: Chosen) -> str:
        """The valid values in words, given the options declared before this one."""
        if self.flag:
            return "true or false"
        parts = list(self.words)
        if self.low is not None:
            parts.append(f"{self.low}..{self._high(chosen)}")
        return " or ".join(parts)

    def check(self, value: Any, chosen: Chosen) -> OptionValue:
        """Return ``value`` if it is allowed.

        Raises:
            OptionError: Naming the option, the value and the valid values.
        """
        if self._fits(value, chosen):
            return value  # type: ignore[no-any-return]
        raise OptionError(f"{self.name}={value!r}: must be {self.allowed(chosen)}")

    def _high(self, chosen: Chosen) -> int:
        return self.high(chosen) if callable(self.high) else self.high

    def _fits(self, value: Any, chosen: Chosen) -> bool:
        if isinstance(value, bool):
            return self.flag
        if isinstance(value, int):
            return self.low is not None and self.low <= value <= self._high(chosen)
        return isinstance(value, str) and value in self.words


@dataclass(frozen=True, slots=True)
class OptionSet:
    """All options of a game, in order of declaration; the first one is ``players``."""

    options: tuple[Option, ...]

    def __iter__(self) -> Any:
        return iter(self.options)

    @property
    def names(self) -> Sequence[str]:
        """Names in order of declaration."""
        return [option.name for option in self.options]

    def resolve(self, given: Mapping[str, Any]) -> dict[str, OptionValue]:
        """Full options from the given ones and the defaults.

        Raises:
            OptionError: For an unknown name or a value that is not allowed.
        """
        for name, value in given.items():
            if name not in self.names:
                known = ", ".join(self.names)
                raise OptionError(f"unknown option {name}={value!r}: must be one of {known}")
        chosen: dict[str, OptionValue] = {}
        for option in self.options:
            value = given.get(option.name, option.default)
            chosen[option.name] = option.check(value, chosen)
        return chosen
