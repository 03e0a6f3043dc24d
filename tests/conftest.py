"""What is collected: the tests of registered games.

A wing that is still being written stands in ``envs/`` before it stands in the registry. Its tests
are run by name (``pytest tests/<game>``) and join the suite when the game is registered.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

# Before NumPy and torch are there: several test processes share the cores, and their threads spin
# while they wait. Pools of processes inherit it.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

from gangland.envs.registration import VERSIONS  # noqa: E402

HERE = Path(__file__).parent
WINGS = {path.parent.name for path in (HERE.parent / "envs").glob("*/game.py")}
UNREGISTERED = WINGS - {"core"} - set(VERSIONS)

collect_ignore = [
    name for name in sorted(UNREGISTERED) if not any(f"tests/{name}" in word for word in sys.argv)
]
