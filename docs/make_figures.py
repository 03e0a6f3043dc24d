"""The README's tables: speed and memory from a run of ``gangland bench``, strength from ladders.

::

    gangland bench --json docs/bench.json
    python -m docs.make_figures
"""

from __future__ import annotations

from pathlib import Path

from gangland.agents.registry import policy_spec, shipped

from .make_benchmark import GAMES, exploited, exploits_of, interval
from .parts import Json, fill, most_invaded, read, table, worst_row

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
RUN = Path(__file__).with_name("bench.json")

ROWS = (
    ("cold compile, s", "compile_s", ".0f"),
    ("load from cache, s", "load_s", ".1f"),
    ("random decisions/s with observation and mask, batched", "batched_per_s", ",.0f"),
    ("the same with 1,024 tables", "batched_1024_per_s", ",.0f"),
    ("the same with 1,024 tables, observations in bytes", "coded_1024_per_s", ",.0f"),
    ("random decisions/s, rules and mask only", "rollout_per_s", ",.0f"),
    ("PettingZoo `env()` steps/s, checks included", "aec_per_s", ",.0f"),
    ("clone of a position, µs", "clone_us", ".1f"),
    ("training decisions/s, recipe of five minutes", "recipe_train_per_s", ",.0f"),
    ("training decisions/s, self-play in every seat", "train_per_s", ",.0f"),
    ("the same, network of the newest bot", "newest_train_per_s", ",.0f"),
    ("of torch alone with the same settings", "ceiling_share", ".0%"),
    ("of torch alone, its threads spinning", "spinning_share", ".0%"),
    ("sb3-contrib MaskablePPO, same network", "maskable_ppo_per_s", ",.0f"),
    ("newest bot: forward pass of one decision, µs", "forward_us", ",.0f"),
    ("search over it: positions/s, one core", "search_positions_per_s", ",.0f"),
    ("bot endpoint, 16 clients: median, ms", "serve_p50_ms", ".1f"),
    ("the same, observations as numbers", "serve_p50_ms_numbers", ".1f"),
    ("bot endpoint, 64 clients: decisions/s", "serve_per_s", ",.0f"),
    ("the same, observations as numbers", "serve_per_s_numbers", ",.0f"),
    ("memory of a live match after three turns, KB", "match_kb", ".0f"),
    ("the same, with pictures for a page and a spectator, KB", "match_page_kb", ".0f"),
)
"""What the README shows of a run: the row's words, the figure's name and format."""


def figures(run: Json) -> str:
    """The paragraph and the table of a run.

    Args:
        run: What ``gangland bench --json`` writes.

    Raises:
        ValueError: If the run lacks a game or a figure.
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
        f"`gangland bench` on a virtual machine with {machine['cores']} cores of an "
        f"{machine['processor']}, Python {machine['python']}, nothing else running, one run of\n"
        f"{machine['date']} (such machines differ by a third and more from day to day, so compare "
        "figures of one run only). Rates of the\nrules are of one core, 256 tables; *cold compile* "
        "is of the rules alone, all of a game's kernels take one and a half times\nas long:\n\n"
        + table(("five seats", *GAMES.values()), rows)
    )


def page() -> str:
    """The README with the figures of the committed run."""
    parts = {"bench": bench, "strength": strength}
    return fill(README.read_text(encoding="utf-8"), "make_figures", parts)


def strength() -> str:
    """The newest and the first trained bot and the heuristic of each ladder, the newest first."""
    rows = []
    for game, title in GAMES.items():
        ladder = read(ROOT / "docs" / "ladder" / f"{game}.json")
        specs = [standing["spec"] for standing in ladder["standings"]]
        trained = [spec for spec in map(policy_spec, shipped(game)) if spec in specs]
        for spec in (trained[-1], trained[0], "heuristic"):
            standing = ladder["standings"][specs.index(spec)]
            name = title if spec == trained[-1] else ""
            rows.append(
                (
                    name,
                    f"`{spec}`",
                    worst_row(ladder, spec, interval),
                    most_invaded(ladder, spec, interval),
                    "; ".join(exploited(found) for found in exploits_of(game, spec)) or "–",
                    f"{standing['share']:.0%}, {_place(specs.index(spec))} of {len(specs)}",
                )
            )
    return table(("game", "agent", "worst row", "most invaded", "best exploiter", "mixed"), rows)


def _place(index: int) -> str:
    return ("first", "second", "third")[index] if index < 3 else f"{index + 1}th"


def bench() -> str:
    """The figures of the committed run."""
    return figures(read(RUN))


if __name__ == "__main__":
    README.write_text(page(), encoding="utf-8")
