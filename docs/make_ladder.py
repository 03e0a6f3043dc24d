"""The tables of the ladder's page and the page of each game: ``python -m docs.make_ladder``.

They are made of the committed ladders (``docs/ladder/*.json``), exploiters
(``docs/ladder/exploit/*.json``), and what is known of searches (``docs/ladder/search/*.json``).
"""

from __future__ import annotations

import json
import re
from typing import Any

from gangland.arena.ladder import as_page
from gangland.arena.ladder import read as read_ladder

from .make_benchmark import GAMES, ROOT, committed_exploits, interval
from .parts import as_role, fill, read, table

LADDER = ROOT / "docs" / "ladder"
PAGE = LADDER / "README.md"
STARTS = {"nothing": "from nothing", "itself": "from itself", "taught": "after imitation"}
"""Starts of best responses, and what they are called."""


def _option(given: tuple[str, Any]) -> str:
    """An option other than the default, as on a command line."""
    name, value = given
    return f"`{name}={json.dumps(value)}`"


def exploits() -> str:
    """What the committed exploiters win over their final games."""
    rows = []
    for exploits_of_bot in committed_exploits():
        for found in exploits_of_bot:
            curves = {curve["start"]: curve for curve in found["curves"]}
            others = [curve for start, curve in curves.items() if start not in STARTS]
            rows.append(
                (
                    GAMES[found["game"]],
                    f"`{found['bot']}`",
                    found["role"],
                    " ".join(map(_option, found["options"].items())),
                    f"{found['decisions'] / 1e6:.0f} million",
                    *(interval(curves[s]) if s in curves else "" for s in STARTS),
                    "; ".join(f"{interval(curve)} (`{curve['start']}`)" for curve in others),
                )
            )
    order = list(GAMES.values())
    rows.sort(key=lambda row: order.index(row[0]))
    heads = ("game", "bot", "role", "options", "decisions", *STARTS.values(), "from another bot")
    filled = [at for at in range(len(heads)) if any(row[at] for row in rows)]
    return table([heads[at] for at in filled], [[row[at] for at in filled] for row in rows])


def searches() -> str:
    """What one search over a bot wins at a table of others, by the arena's kept results."""
    rows = []
    for file in sorted((LADDER / "search").glob("*.json")):
        found = read(file)
        one, *others = found["agents"]
        if not one["spec"].startswith("search:") or len(others) != 1:
            raise ValueError(f"{file.name}: must be one search at a table of one kind")
        played = [role for role, share in one["role_shares"].items() if share is not None]
        if len(played) > 1:
            raise ValueError(f"{file.name}: the search must play one role")
        role = played[0] if played else ""
        rival = others[0]["role_shares"][role] if role else others[0]["win"]["share"]
        rows.append(
            (
                GAMES[found["game"]],
                f"`{one['spec']}`",
                f"`{others[0]['spec']}`",
                str(found["games"]),
                f"{interval(one['win'])}{as_role({'role': role})}",
                f"{rival:.1%}",
            )
        )
    order = list(GAMES.values())
    rows.sort(key=lambda row: order.index(row[0]))
    heads = ("game", "search", "at a table of", "games", "win share", "each rival's")
    return table(heads, rows)


def page() -> str:
    """The page with its tables as they should be."""
    parts = {
        "searches": searches,
        "exploits": exploits,
    }
    return fill(PAGE.read_text(encoding="utf-8"), "make_ladder", parts)


def page_of(game: str) -> str:
    """The page of a game's ladder as it should be: of its file, with the command of the old one."""
    text = (LADDER / f"{game}.md").read_text(encoding="utf-8")
    command = re.search(r"^    (gangland ladder .*)$", text, re.M)
    if command is None:
        raise ValueError(f"{game}.md: must have the command that made the ladder")
    return as_page(read_ladder(read(LADDER / f"{game}.json")), command[1], f"{game}.png")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    for name in GAMES:
        (LADDER / f"{name}.md").write_text(page_of(name), encoding="utf-8")
