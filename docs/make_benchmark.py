"""The tables of the benchmark page: ``python -m docs.make_benchmark``.

They are made of committed files alone: the ladders (``docs/ladder/*.json``), the exploiters
(``docs/ladder/exploit/*.json``), the checkpoints'
``model.json``, and submitted results, folders in ``docs/submissions/`` that hold ``about.json``,
``ladder.json`` and perhaps ``exploit.json``. What has no file has no number.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gangland.agents.trained.model_file import decisions_of

from .parts import Json, as_role, fill, most_invaded, read, table, worst_row

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGE = DOCS / "benchmark.md"
GAMES = {
    "gangsters": "Gangsters",
    "five_points": "Five Points",
    "crime_lords": "Crime Lords",
    "chicago": "Chicago Underworld",
}
BUDGETS = {"gangsters": 20, "five_points": 20, "crime_lords": 20, "chicago": 5}
"""Each task's training budget in millions of decisions, the whole lineage's."""
SEEDS = 3
"""Trainings that a submitted result is of."""
ABOUT = {"name", "game", "agent", "authors", "link", "decisions", "worst_rows", "hours", "hardware"}
"""What ``about.json`` of a submitted result has to say."""


HEADS = (
    "agent",
    "track",
    "task",
    "trained on",
    "worst row",
    "most invaded",
    "best exploiter wins",
    "rating",
)
SHOWN = ("agent", "task", "trained on", "worst row", "best exploiter wins")
"""The agent's cells in the table of baselines; the ladder's page has the rest."""


class SubmissionError(ValueError):
    """A submitted result that is not complete; names what is missing."""


def baselines(docs: Path = DOCS) -> str:
    """The bots that ship."""
    rows = []
    for game, title in GAMES.items():
        ladder = read(docs / "ladder" / f"{game}.json")
        for spec in (standing["spec"] for standing in ladder["standings"]):
            trained = _trained(game, spec)
            if trained[1]:
                exploits = list(exploits_of(game, spec, docs))
                cells = dict(zip(HEADS, _row(spec, trained, ladder, exploits), strict=True))
                rows.append((f"[{title}](ladder/{game}.md)", *(cells[head] for head in SHOWN)))
    return table(("game", *SHOWN), rows)


def submissions(docs: Path = DOCS) -> str:
    """Submitted results, if there are any.

    Raises:
        SubmissionError: Naming the folder and what it lacks.
    """
    rows = [_submitted(file.parent) for file in sorted(docs.glob("submissions/*/about.json"))]
    heads = (*HEADS, "mean of the seeds", "time", "by")
    return table(heads, rows) if rows else "None yet.\n"


def _submitted(folder: Path) -> tuple[str, ...]:
    about = read(folder / "about.json")
    if missing := ABOUT - set(about):
        raise SubmissionError(f"{folder.name}/about.json lacks {', '.join(sorted(missing))}")
    if about["game"] not in GAMES:
        raise SubmissionError(f"{folder.name}/about.json: game must be one of {', '.join(GAMES)}")
    ladder, exploit = folder / "ladder.json", folder / "exploit.json"
    if not ladder.is_file():
        raise SubmissionError(f"{folder.name} lacks ladder.json")
    data = read(ladder)
    if about["agent"] not in {standing["spec"] for standing in data["standings"]}:
        raise SubmissionError(f"{folder.name}/ladder.json does not hold {about['agent']}")
    found = read(exploit) if exploit.is_file() else []
    decisions, shares = about["decisions"], about["worst_rows"]
    if decisions is not None and (not isinstance(shares, list) or len(shares) != SEEDS):
        raise SubmissionError(f"{folder.name}/about.json: worst_rows must be of {SEEDS} trainings")
    trained = _budget(about["game"], decisions, 0) if decisions is not None else ("", "")
    cells = _row(about["agent"], trained, data, found)
    by = f"[{about['authors']}]({about['link']})"
    mean = f"{sum(shares) / len(shares):.1%}" if shares else ""
    time = "" if about["hours"] is None else f"{about['hours']:g} h on {about['hardware']}"
    return (f"{about['name']} ({GAMES[about['game']]})", *cells[1:], mean, time, by)


def _row(
    spec: str, trained: tuple[str, str], ladder: Json, exploits: list[Json]
) -> tuple[str, ...]:
    standing = next(row for row in ladder["standings"] if row["spec"] == spec)
    return (
        f"`{spec}`",
        standing.get("track", ""),
        *trained,
        worst_row(ladder, spec, interval),
        most_invaded(ladder, spec, interval),
        "; ".join(exploited(exploit) for exploit in exploits) or "–",
        f"{standing['rating']:+.1f} ± {standing['margin']:.1f}",
    )


def exploited(exploit: Json) -> str:
    """What the better exploiter wins, and in which role."""
    best = next(curve for curve in exploit["curves"] if curve["start"] == exploit["best"])
    return f"{interval(best)}{as_role(exploit)}"


def committed_exploits(docs: Path = DOCS) -> Iterator[list[Json]]:
    """The committed exploiters: what was found of each bot, by role."""
    for file in sorted((docs / "ladder" / "exploit").glob("*.json")):
        yield read(file)


def exploits_of(game: str, spec: str, docs: Path = DOCS) -> Iterator[Json]:
    """The committed exploiters of an agent under the default options, as in the ladder."""
    for found in committed_exploits(docs):
        for exploit in found:
            if (exploit["game"], exploit["bot"], exploit["options"]) == (game, spec, {}):
                yield exploit


def _trained(game: str, spec: str) -> tuple[str, str]:
    """Task and training of a shipped bot; of other agents the task alone."""
    model = ROOT / "checkpoints" / spec.removeprefix("ppo:") / "model.json"
    if not spec.startswith("ppo:") or not model.is_file():
        return task(game), ""
    found = read(model)
    total = decisions_of(found)
    return _budget(game, total, total - int(found["steps"]))


def _budget(game: str, decisions: int, inherited: int) -> tuple[str, str]:
    """The task that a number of decisions belongs to, and the number in words."""
    opened = "-open" if decisions > BUDGETS[game] * 1_000_000 else ""
    before = f", {inherited / 1e6:.1f} inherited" if inherited else ""
    return f"{task(game)}{opened}", f"{decisions / 1e6:.1f} million{before}"


def task(game: str) -> str:
    """Name of a game's task."""
    return f"{game.replace('_', '-')}-5"


def interval(found: Json) -> str:
    """A share with its 95 % interval."""
    return f"{found['share']:.1%} ({found['low']:.1%} to {found['high']:.1%})"


PARTS = {
    "baselines": baselines,
    "submissions": submissions,
}


def page() -> str:
    """The page with its tables as they should be."""
    return fill(PAGE.read_text(encoding="utf-8"), "make_benchmark", PARTS)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
