"""Are two ways of drawing the same distribution? For tests of ``resample_hidden``."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable
from statistics import NormalDist

LEAST = 8
"""Kinds that were drawn less often, both ways together, are counted as one."""


def chi_square_quantile(degrees: int, alarm: float) -> float:
    """What a chi-square number exceeds with the chance ``alarm`` (Wilson and Hilferty, 1931)."""
    z = NormalDist().inv_cdf(1 - alarm)
    return degrees * (1 - 2 / (9 * degrees) + z * math.sqrt(2 / (9 * degrees))) ** 3


def assert_same_distribution(
    true: Iterable[Hashable], drawn: Iterable[Hashable], alarm: float = 1e-4
) -> int:
    """Two samples have one distribution, by a chi-square test of homogeneity.

    Args:
        true: What came up one way.
        drawn: What came up the other way.
        alarm: Chance that the test fails although the distributions are the same; seeds are fixed,
            so that it either always or never fails.

    Returns:
        How many kinds were distinguished.
    """
    first, second = Counter(true), Counter(drawn)
    rare = {kind for kind in first | second if first[kind] + second[kind] < LEAST}
    pairs = [(first[kind], second[kind]) for kind in (first | second) if kind not in rare]
    left = sum(first[kind] for kind in rare), sum(second[kind] for kind in rare)
    if sum(left) >= LEAST:
        pairs.append(left)
    assert len(pairs) > 1, "nothing varies, so that nothing is tested"
    ratio = math.sqrt(second.total() / first.total())
    chi_square = sum((a * ratio - b / ratio) ** 2 / (a + b) for a, b in pairs)
    limit = chi_square_quantile(len(pairs) - 1, alarm)
    assert chi_square <= limit, (
        f"chi-square {chi_square:.1f} of {len(pairs)} kinds, at most {limit:.1f}"
    )
    return len(pairs)
