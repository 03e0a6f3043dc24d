"""The suite's properties of batched tables, over our games."""

from __future__ import annotations

import numpy as np

from gangland.envs import make_vec
from gangland.envs.testing.tables import TABLES, TableSuite, play
from tests.games import CONFORMING, TOY


class TestTables(TableSuite):
    games = CONFORMING


def test_a_copy_has_threads_of_its_own():
    tables = make_vec(TOY, TABLES, seed=6, threads=3)
    tables.reset()
    other = tables.clone()
    tables.close()
    assert len(play(other, 4, np.arange(TABLES, dtype=np.uint64))) == 4
    other.close()
