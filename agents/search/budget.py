"""How long a search may take: a number of positions, or a time."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass

from ...envs.core.errors import GanglandError


class SearchSpecError(GanglandError, ValueError):
    """A search agent's spec cannot be read."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long each decision may be searched for.

    Attributes:
        count: Number of positions or iterations; an upper bound if there is a time.
        seconds: Time; ``None``: no limit. Results of a search by time depend on the machine.
    """

    count: int
    seconds: float | None = None

    def spent(self, done: int, began: float) -> float:
        """Share of the budget that is used up.

        Args:
            done: Positions or iterations so far.
            began: When the search began, by ``time.perf_counter``.
        """
        by_count = done / self.count
        if self.seconds is None:
            return by_count
        return max(by_count, (time.perf_counter() - began) / self.seconds)


def parse_budget(kind: str, argument: str, budget: str, unit: str, most: int) -> Budget:
    """Read a budget such as ``500``, ``200ms`` or ``2s``.

    Args:
        kind: The agent's prefix, for the message.
        argument: All that stands behind it, for the message.
        budget: The text.
        unit: What is counted, for the message.
        most: The largest number; also the number that stands for a time.

    Raises:
        SearchSpecError: If it cannot be read.
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s|)", budget)
    number = float(found[1]) if found else 0.0
    if found is None or number <= 0 or (not found[2] and not 1 <= number <= most):
        raise SearchSpecError(
            f"{kind}:{argument}: budget {budget!r} must be a number of {unit} from 1 to "
            f"{most:,}, or a time such as 500ms or 2s"
        )
    if not found[2] and not number.is_integer():
        raise SearchSpecError(f"{kind}:{argument}: {budget} {unit}: must be a whole number")
    if not found[2]:
        return Budget(int(number))
    return Budget(most, number * (0.001 if found[2] == "ms" else 1.0))


def is_number(text: str) -> bool:
    """Whether a text is a number from 0 in plain digits."""
    return re.fullmatch(r"\d+(\.\d+)?", text) is not None
