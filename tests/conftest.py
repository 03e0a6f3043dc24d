"""What is collected: the tests of registered games.

A wing that is still being written stands in ``envs/`` before it stands in the registry. Its tests
are run by name (``pytest tests/<game>``) and join the suite when the game is registered.
"""

from __future__ import annotations

import sys
from pathlib import Path

from gangland.envs.registration import VERSIONS

HERE = Path(__file__).parent
WINGS = {path.parent.name for path in (HERE.parent / "envs").glob("*/game.py")}
UNREGISTERED = WINGS - {"core"} - set(VERSIONS)

collect_ignore = [
    name for name in sorted(UNREGISTERED) if not any(f"tests/{name}" in word for word in sys.argv)
]
