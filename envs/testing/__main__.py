"""``python -m gangland.envs.testing GAME ...``: the conformance suite over games."""

from __future__ import annotations

import sys

from ..core.errors import GanglandError
from .run import check_game


def main(names: list[str]) -> int:
    """Check games; 0 if all of them pass, 1 if one fails, 2 if there is nothing to check."""
    if not names:
        print("usage: python -m gangland.envs.testing GAME ...", file=sys.stderr)
        return 2
    try:
        check_game(*names, quiet=False)
    except GanglandError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
