"""The secret tokens of one's own seats."""

from __future__ import annotations

import json
from pathlib import Path

from ..agents.trained.whole import whole_file
from ..serving.protocol import SeatToken


class SeatTokens:
    """Tokens by match and seat, kept in memory or in a file that only its owner may read.

    Args:
        path: The file, a JSON list; created by the first token. ``None`` keeps them in memory.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = None if path is None else Path(path)
        self._tokens: list[SeatToken] = []
        if self.path is not None and self.path.exists():
            kept = json.loads(self.path.read_text(encoding="utf-8"))
            self._tokens = [SeatToken.model_validate(one) for one in kept]

    def find(self, match: str, seat: int | None = None) -> SeatToken | None:
        """The token of one's seat in a match; by default that of the first one."""
        own = [kept for kept in self._tokens if kept.match == match and seat in (None, kept.seat)]
        return min(own, key=lambda kept: kept.seat, default=None)

    def keep(self, token: SeatToken) -> None:
        """Keep a token, replacing an older one of the same seat."""
        place = (token.match, token.seat)
        others = [kept for kept in self._tokens if (kept.match, kept.seat) != place]
        self._write([*others, token])

    def forget(self, match: str) -> None:
        """Forget all tokens of a match."""
        self._write([kept for kept in self._tokens if kept.match != match])

    def _write(self, tokens: list[SeatToken]) -> None:
        self._tokens = tokens
        if self.path is not None:
            text = json.dumps([token.model_dump(mode="json") for token in tokens], indent=1)
            with whole_file(self.path) as draft:
                draft.touch(mode=0o600)
                draft.write_text(text + "\n", encoding="utf-8")
