"""Randomness of decisions: every decision has its own seed, from which nothing else follows.

An agent may be somebody else's program, so what it is given must not reveal future dice or the
draws of rivals. BLAKE2b derives a secret key from the seed of a game, match or run; SipHash-2-4,
which kernels can compute as well, derives a decision's seed from that key, the ply and the seat.
Neither can be inverted: without the game's seed, a decision's seed looks like a random number.
Whoever knows the game's seed, or guesses it because it is small, can compute everything.

References: Aumasson and Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012; Saarinen and
Aumasson, "The BLAKE2 cryptographic hash and message authentication code", RFC 7693, 2015.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..envs.core.integers import MAX_SEED, as_seed, whole_number
from ..envs.core.kernel import kernel

PERSON = b"gangland players"
"""BLAKE2b's personalisation: keeps these digests apart from all others of the same seed."""

_TAIL = np.uint64(16 << 56)
"""SipHash's last block after a message of two words: nothing but the message's length."""


def players_key(seed: int, number: int = 0) -> NDArray[np.uint64]:
    """Secret key of the randomness of a game's players.

    Args:
        seed: Seed of the game, the match or the run, 0 to 2**64 - 1.
        number: Which of the run's games, tables or threads, 0 to 2**64 - 1.

    Returns:
        Uint64 of shape ``(2,)``: 128 bits, from which the seed cannot be computed.

    Raises:
        IntegerError: If one of them is no integer in this range.
    """
    words = as_seed(seed), whole_number("number", number, 0, MAX_SEED)
    message = b"".join(word.to_bytes(8, "little") for word in words)
    digest = hashlib.blake2b(message, digest_size=16, person=PERSON).digest()
    return np.frombuffer(digest, "<u8").astype(np.uint64)


@kernel
def decision_seed(key: Any, ply: int, seat: int) -> np.uint64:
    """Seed that the agent at ``seat`` may use for the decision numbered ``ply``.

    Args:
        key: Uint64 of shape ``(2,)``, from :func:`players_key`.
        ply: Decisions made so far.
        seat: Who decides.
    """
    return siphash(key[0], key[1], (np.uint64(ply), np.uint64(seat)), _TAIL)


@kernel
def decision_seeds(keys: Any, rows: Any, plies: Any, seats: Any, seeds: Any) -> None:
    """:func:`decision_seed` of many tables.

    Args:
        keys: Uint64 of shape ``(N, 2)``, one for each table.
        rows: Int64 of shape ``(B,)``: tables that decide.
        plies: Int64 of shape ``(B,)``.
        seats: Int64 of shape ``(B,)``.
        seeds: Uint64 of shape ``(B,)``, filled.
    """
    for k in range(len(rows)):
        seeds[k] = decision_seed(keys[rows[k]], plies[k], seats[k])


@kernel
def siphash(key0: np.uint64, key1: np.uint64, words: Any, tail: np.uint64) -> np.uint64:
    """SipHash-2-4 of a message, as a 64-bit number.

    Args:
        key0: First half of the key, read as a little-endian number.
        key1: Second half.
        words: Tuple of uint64: the message's whole groups of eight bytes, little-endian.
        tail: Its last, incomplete group; the highest byte is the message's length modulo 256.
    """
    v = (
        key0 ^ np.uint64(0x736F6D6570736575),
        key1 ^ np.uint64(0x646F72616E646F6D),
        key0 ^ np.uint64(0x6C7967656E657261),
        key1 ^ np.uint64(0x7465646279746573),
    )
    for word in words:
        v = _absorb(v, word)
    v0, v1, v2, v3 = _absorb(v, tail)
    v = v0, v1, v2 ^ np.uint64(0xFF), v3
    for _ in range(4):
        v = _sip_round(v)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


@kernel(leaf=True)
def _absorb(v: Any, word: np.uint64) -> Any:
    v = v[0], v[1], v[2], v[3] ^ word
    v = _sip_round(_sip_round(v))
    return v[0] ^ word, v[1], v[2], v[3]


@kernel(leaf=True)
def _sip_round(v: Any) -> Any:
    v0, v1, v2, v3 = v
    v0 += v1
    v2 += v3
    v1 = _rotate(v1, 13) ^ v0
    v3 = _rotate(v3, 16) ^ v2
    v0 = _rotate(v0, 32)
    v2 += v1
    v0 += v3
    v1 = _rotate(v1, 17) ^ v2
    v3 = _rotate(v3, 21) ^ v0
    v2 = _rotate(v2, 32)
    return v0, v1, v2, v3


@kernel(leaf=True)
def _rotate(word: np.uint64, bits: int) -> np.uint64:
    return (word << np.uint64(bits)) | (word >> np.uint64(64 - bits))
