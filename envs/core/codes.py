"""Observations in bytes: a code of one byte for each number, and back without any loss.

Most numbers of an observation are flags, or small counts in ninths or twelfths. Where a layout says
of which unit a number is a whole multiple (:attr:`~.layout.Field.unit`), and it has 256 values at
most, its code is the multiple less the least one, and ``(code - zero) * unit`` in float32 is the
number again. All other numbers are kept in full, as float32 behind the codes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .kernel import kernel
from .layout import Layout
from .state import read_only

VALUES = 256
"""Number of values of a byte."""

FITS = -1
"""What the kernels return where every observation could be coded."""

OBSERVATION_DTYPES = ("float32", "uint8")
"""Names of what observations may be kept in: the numbers themselves, or their codes."""


class ObservationCodes:
    """How a game's observations are coded in bytes.

    A coded observation begins with a byte for each number, in the order of the layout: its code, or
    0 for a number that is kept in full. Those follow as float32 of the machine's byte order, behind
    as many zero bytes as make their place a multiple of four.

    Attributes:
        length: Numbers of an observation.
        size: Bytes of a coded one.
        scales: Float32 ``(3, length)``: units in a number, the unit, and the code of zero; all of
            them 0 for numbers that are kept in full.
        whole: Int64 ``(W,)``: which numbers are kept in full, ascending.

    Args:
        game: Name of the game, for errors.
        layout: The layout of its observations.
    """

    def __init__(self, game: str, layout: Layout[Any]) -> None:
        self._game = game
        self._layout = layout
        self.length = layout.size
        self._scales = np.zeros((3, layout.size), np.float32)
        for block in layout:
            for field in block.fields.values():
                declared = field.declared
                if declared.unit is None:
                    continue
                zero = -round(declared.low / declared.unit)
                if round(declared.high / declared.unit) + zero < VALUES:
                    per_unit = np.float32(1.0) / np.float32(declared.unit)
                    coded = np.array([per_unit, declared.unit, zero], np.float32)
                    self._scales[:, field.indices] = coded.reshape(3, *[1] * field.indices.ndim)
        self._whole = np.flatnonzero(self._scales[1] == 0.0)
        self.size = whole_from(self.length) + 4 * len(self._whole)

    def encode(self, observations: NDArray[np.float32]) -> NDArray[np.uint8]:
        """Observations in bytes.

        Args:
            observations: Float32 of shape ``(B, length)``.

        Returns:
            Uint8 of shape ``(B, size)``.

        Raises:
            ValueError: Naming the first number that is no multiple of its unit within its bounds.
        """
        codes = np.zeros((len(observations), self.size), np.uint8)
        wrong = encode_rows(np.arange(len(observations)), observations, *self.tables, codes, 0)
        if wrong != FITS:
            raise self.refusal(observations[wrong])
        return codes

    def decode(self, codes: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Observations again: float32 of shape ``(B, length)`` from uint8 of ``(B, size)``."""
        observations = np.empty((len(codes), self.length), np.float32)
        decode_rows(codes, *self.tables, observations)
        return observations

    @property
    def scales(self) -> NDArray[np.float32]:
        """See above."""
        return read_only(self._scales)

    @property
    def whole(self) -> NDArray[np.int64]:
        """See above."""
        return read_only(self._whole)

    @property
    def tables(self) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """``scales`` and ``whole``, as the kernels take them."""
        return self._scales, self._whole

    def refusal(self, observation: NDArray[np.float32]) -> ValueError:
        """The error for an observation that cannot be coded, float32 of shape ``(length,)``."""
        per_unit, unit, zero = self._scales
        code = np.rint(observation * per_unit) + zero
        exact = (code >= 0) & (code < VALUES) & ((code - zero) * unit == observation)
        exact[self._whole] = True
        k = int(np.flatnonzero(~exact)[0])
        low, high = self._layout.low[k], self._layout.high[k]
        return ValueError(
            f"{self._game}: {self._layout.names[k]} is {observation[k]}: as uint8 it must be a "
            f"multiple of {unit[k]:.6g} from {low:g} to {high:g}; "
            "observation_dtype='float32' keeps any number"
        )


def check_observation_dtype(name: str) -> np.dtype[Any]:
    """What observations are kept in, by its name.

    Raises:
        ValueError: For a name that is not one of :data:`OBSERVATION_DTYPES`.
    """
    if name not in OBSERVATION_DTYPES:
        known = " or ".join(map(repr, OBSERVATION_DTYPES))
        raise ValueError(f"observation_dtype={name!r}: must be {known}")
    return np.dtype(name)


def whole_from(length: int) -> int:
    """Where the numbers that are kept in full begin, of an observation of so many numbers."""
    return (length + 3) // 4 * 4


@kernel(leaf=True)
def encode_row(numbers: Any, scales: Any, whole: Any, code: Any) -> bool:
    """Code an observation; whether that was possible.

    Args:
        numbers: Float32 ``(length,)``; zero afterwards where they are kept in full.
        scales: Float32 ``(3, length)``: see :class:`ObservationCodes`; likewise the next.
        whole: Int64 ``(W,)``.
        code: Uint8 ``(size,)``, filled.
    """
    kept = code[len(code) - 4 * len(whole) :].view(np.float32)
    for k in range(len(whole)):
        kept[k] = numbers[whole[k]]
        numbers[whole[k]] = 0.0
    lost = np.int32(0)  # 32 bits, as the numbers have: twice the lanes
    for k in range(len(numbers)):
        zero = scales[2, k]
        byte = np.uint8(np.int32(numbers[k] * scales[0, k] + zero + np.float32(0.5)))
        code[k] = byte
        lost = np.int32(lost + ((np.float32(byte) - zero) * scales[1, k] != numbers[k]))
    return lost == 0


@kernel(leaf=True)
def decode_row(code: Any, scales: Any, whole: Any, numbers: Any) -> None:
    """Fill an observation, float32 ``(length,)``; the rest is as for :func:`encode_row`."""
    for k in range(len(numbers)):
        numbers[k] = (np.float32(code[k]) - scales[2, k]) * scales[1, k]
    kept = code[len(code) - 4 * len(whole) :].view(np.float32)
    for k in range(len(whole)):
        numbers[whole[k]] = kept[k]


@kernel
def encode_rows(
    rows: Any, observations: Any, scales: Any, whole: Any, codes: Any, first: int
) -> int:
    """Code some observations, to consecutive places from ``first`` on.

    Args:
        rows: Int64 ``(B,)``: which ones.
        observations: Float32 ``(N, length)``.
        scales: Float32 ``(3, length)``: see :class:`ObservationCodes`; likewise the next.
        whole: Int64 ``(W,)``.
        codes: Uint8 ``(M, size)``, filled.
        first: The place of the first one.

    Returns:
        The first row that cannot be coded; ``FITS`` if there is none.
    """
    numbers = np.empty(observations.shape[1], np.float32)
    for k in range(len(rows)):
        numbers[:] = observations[rows[k]]
        if not encode_row(numbers, scales, whole, codes[first + k]):
            return int(rows[k])
    return FITS


@kernel
def decode_rows(codes: Any, scales: Any, whole: Any, observations: Any) -> None:
    """Fill float32 ``(B, length)`` with the observations of ``codes``, uint8 ``(B, size)``."""
    for k in range(len(codes)):
        decode_row(codes[k], scales, whole, observations[k])
