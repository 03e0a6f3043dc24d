"""Seeds of decisions: a keyed one-way function, the same in kernels and outside."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from click.testing import CliRunner

from gangland.agents.seeds import decision_seed, decision_seeds, players_key, siphash
from gangland.commands.play import command as play
from gangland.envs import load
from gangland.envs.api.aec import GameEnv
from gangland.envs.core import rng
from gangland.serving.bots.registry import Bots
from gangland.serving.doors.engine import Engine
from gangland.serving.doors.mcp import Tables
from tests.games import TOY

KEY = np.frombuffer(bytes(range(16)), "<u8")
"""Key of all published test vectors: the bytes 00, 01, ... 0f."""

VECTORS = {
    8: "6224939a79f5f593",
    15: "e545be4961ca29a1",
    16: "db9bc2577fcc2a3f",
    63: "724506eb4c328a95",
}
"""Length of the message 00, 01, ... and its hash, byte by byte; 15 is the one of the paper."""


@pytest.mark.parametrize("length", VECTORS)
def test_siphash_gives_the_published_hashes(length):
    message = bytes(range(length))
    whole, rest = message[: length // 8 * 8], message[length // 8 * 8 :]
    words = tuple(np.frombuffer(whole, "<u8"))
    tail = np.uint64(int.from_bytes(rest.ljust(7, b"\0") + bytes([length]), "little"))
    found = int(siphash(KEY[0], KEY[1], words, tail))
    assert found.to_bytes(8, "little").hex() == VECTORS[length]


def test_a_decisions_seed_is_the_hash_of_ply_and_seat():
    """Ply and seat are a message of sixteen bytes, as in the last of the published vectors."""
    ply, seat = (int(word) for word in np.frombuffer(bytes(range(16)), "<u8"))
    assert int(decision_seed(KEY, ply, seat)).to_bytes(8, "little").hex() == VECTORS[16]


def test_every_decision_has_a_seed_of_its_own():
    grid = [(row, ply, seat) for row in range(4) for ply in range(3) for seat in range(5)]
    seeds = np.zeros(len(grid), np.uint64)
    rows, plies, seats = (np.array(column, np.int64) for column in zip(*grid, strict=True))
    keys = np.array([players_key(8, number) for number in range(4)])
    decision_seeds(keys, rows, plies, seats, seeds)
    assert len(set(seeds.tolist())) == len(grid)
    assert seeds.tolist() == [int(decision_seed(keys[r], p, s)) for r, p, s in grid]


def test_the_players_key_is_a_digest_of_seed_and_number():
    """Written out: what a program in another language has to compute."""
    message = (2**64 - 1).to_bytes(8, "little") + (3).to_bytes(8, "little")
    digest = hashlib.blake2b(message, digest_size=16, person=b"gangland players").digest()
    assert players_key(2**64 - 1, 3).astype("<u8").tobytes() == digest
    keys = {bytes(players_key(seed, number)) for seed in range(20) for number in range(20)}
    assert len(keys) == 400
    assert (players_key(4) == players_key(4, 0)).all()


def reset_environment():
    GameEnv(load(TOY)).reset()


def new_game_of_an_engine():
    Engine(load(TOY), "random", lambda line: None).command("newgame")


def table_of_a_language_model():
    Tables(Bots(), [TOY]).open(TOY, 0, ["random"], {}, None)


def game_in_the_terminal():
    done = CliRunner().invoke(play, ["--game", TOY, "--seat", "none", "--bots", "random"])
    assert f"--seed {2**64 - 1}" in done.output


UNSEEDED = [
    reset_environment,
    new_game_of_an_engine,
    table_of_a_language_model,
    game_in_the_terminal,
]


@pytest.mark.parametrize("begin", UNSEEDED, ids=lambda begin: begin.__name__)
def test_where_nobody_gives_a_seed_64_bits_are_drawn(begin, monkeypatch):
    drawn = []
    monkeypatch.setattr(rng.secrets, "randbits", lambda bits: drawn.append(bits) or 2**bits - 1)
    begin()
    assert set(drawn) == {64}


def test_seeds_of_neighbouring_decisions_have_nothing_in_common():
    """About half of the bits differ when ply, seat or one bit of the seed does."""
    base = [int(decision_seed(players_key(5), ply, 0)) for ply in range(400)]
    others = {
        "ply": [int(decision_seed(players_key(5), ply + 1, 0)) for ply in range(400)],
        "seat": [int(decision_seed(players_key(5), ply, 1)) for ply in range(400)],
        "seed": [int(decision_seed(players_key(4), ply, 0)) for ply in range(400)],
    }
    for seeds in others.values():
        flipped = sum((a ^ b).bit_count() for a, b in zip(base, seeds, strict=True))
        # 25,600 fair bits: mean 12,800, standard deviation 80; five of them.
        assert abs(flipped - 12_800) < 400
