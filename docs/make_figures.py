"""The README's tables: speed and memory from a run of ``gangland bench``, strength from ladders.

::

    gangland bench --json docs/bench.json
    python -m docs.make_figures
"""

from __future__ import annotations

from pathlib import Path

from gangland.agents.registry import policy_spec, shipped
from gangland.agents.trained.policy import load_checkpoint

from .make_benchmark import GAMES, exploits_of
from .parts import Json, as_role, fill, most_invading_cells, read, table, worst_cells

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
RUN = Path(__file__).with_name("bench.json")

ROWS = (
    ("random decisions/s with observation and mask, one core", "batched_per_s", ",.0f"),
    ("PettingZoo `env()` steps/s, checks included", "aec_per_s", ",.0f"),
    ("self-play training of the bot's network, decisions/s", "newest_train_per_s", ",.0f"),
    ("the game's bot: forward pass of one decision, µs", "forward_us", ",.0f"),
    ("the same at the bot endpoint, 16 clients: median, ms", "serve_p50_ms", ".1f"),
)
"""What the README shows of a run: the row's words, the number's name and format."""


def figures(run: Json) -> str:
    """The paragraph and the table of a run.

    Args:
        run: What ``gangland bench --json`` writes.

    Raises:
        ValueError: If the run lacks a game or a number.
    """
    games = {row["game"]: row for row in run["games"]}
    machine = run["machine"]
    missing = [
        f"{game}: {name}"
        for game in GAMES
        for _, name, _ in ROWS
        if name not in games.get(game, {})
    ]
    if missing:
        raise ValueError(f"the run lacks {', '.join(missing)}")
    rows = [
        (words, *(format(games[game][name], wanted) for game in GAMES))
        for words, name, wanted in ROWS
    ]
    return (
        f"`gangland bench` on {machine['cores']} cores of an {machine['processor']}, Python "
        f"{machine['python']}, {machine['date']}; such machines differ up to\nfourfold from day to "
        "day:\n\n" + table(("five seats", *GAMES.values()), rows)
    )


def page() -> str:
    """The README with the figures of the committed run."""
    parts = {"bench": bench, "strength": strength}
    return fill(README.read_text(encoding="utf-8"), "make_figures", parts)


def strength() -> str:
    """The bot of each game."""
    rows = []
    for game, title in GAMES.items():
        ladder = read(ROOT / "docs" / "ladder" / f"{game}.json")
        spec = policy_spec(shipped(game)[-1])
        rows.append(
            (
                f"[{title}](docs/ladder/{game}.md)",
                f"`{policy_spec(game)}`",
                "; ".join(map(_share, worst_cells(ladder, spec))),
                "; ".join(map(_share, most_invading_cells(ladder, spec))),
                "; ".join(_best(found) for found in exploits_of(game, spec)) or "–",
                _search(load_checkpoint(game).model.get("search")),
            )
        )
    return table(("game", "bot", "worst row", "most invaded", "best response", "search"), rows)


def _share(cell: Json) -> str:
    few = ""
    if cell["games"] < 100:
        few = f" ({cell['games']} games: {cell['low']:.1%}–{cell['high']:.1%})"
    return f"{cell['share']:.1%}{few}{as_role(cell)}"


def _best(exploit: Json) -> str:
    """What the better exploiter wins, and in which role."""
    best = next(curve for curve in exploit["curves"] if curve["start"] == exploit["best"])
    return f"{best['share']:.1%}{as_role(exploit)}"


def _search(found: Json | None) -> str:
    """What one search over the bot wins among four of it."""
    return f"{found['win_share']:.1%}" if found else "–"


def bench() -> str:
    """The figures of the committed run."""
    return figures(read(RUN))


if __name__ == "__main__":
    README.write_text(page(), encoding="utf-8")
