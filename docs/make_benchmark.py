"""The leaderboard of the benchmark page, and new versions of its tasks.

``python -m docs.make_benchmark`` makes the page of committed files alone: submissions
(``docs/benchmark/*.json``), and for the bots that ship the ladders (``docs/ladder/*.json``), the
exploiters (``docs/ladder/exploit/*.json``) and the checkpoints' ``model.json``. What has no file
has no number.

``python -m docs.make_benchmark --raise chicago-5`` first declares the task's next version, with the
rules and networks that ship now; more words are the specs of other opponents than those of before.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from gangland.agents.trained.model_file import decisions_of
from gangland.arena.benchmark import (
    Submission,
    SubmissionError,
    all_tasks,
    next_version,
    problems_of,
    read_submission,
    write_tasks,
)
from gangland.arena.benchmark.tasks import newest
from gangland.envs.core.errors import GanglandError

from .parts import Json, as_role, fill, read, table, worst_row

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGE = DOCS / "benchmark.md"
GAMES = {
    "gangsters": "Gangsters",
    "five_points": "Five Points",
    "crime_lords": "Crime Lords",
    "chicago": "Chicago Underworld",
}
HEADS = (
    "task",
    "agent",
    "by",
    "track",
    "trained on",
    "worst row",
    "mean of the seeds",
    "best exploiter wins",
)


def tasks() -> str:
    """The newest version of each task."""
    rows = []
    for game, title in GAMES.items():
        task = newest(f"{game.replace('_', '-')}-5")
        pool = ", ".join(f"`{spec}`" for spec in task.pool)
        budget = f"{task.decisions / 1e6:g} million"
        games = f"{task.games:,}; {task.search_games:,}"
        rows.append((f"`{task.name}`", title, budget, games, pool))
    heads = ("task", "game", "training budget", "games of a row; with a search", "opponents")
    return table(heads, rows)


def leaderboard(docs: Path = DOCS) -> str:
    """Submissions and the bots that ship, task by task.

    Raises:
        SubmissionError: Naming the file and what is wrong with it.
    """
    files = sorted(docs.glob("benchmark/*.json"))
    found = [(task, row) for task, row in (*map(_submitted, files), *_baselines(docs))]
    order = [task.name for task in all_tasks()]
    return table(HEADS, [row for _, row in sorted(found, key=lambda each: order.index(each[0]))])


def _submitted(file: Path) -> tuple[str, tuple[str, ...]]:
    """The task of a submission, and its row."""
    submission = read_submission(file)
    problems = problems_of(submission) or submission.deviations
    if problems:
        raise SubmissionError(f"{file.name}: {'; '.join(problems)}")
    first, about = submission.agents[0], submission.about
    trained = "" if first.decisions is None else f"{first.decisions / 1e6:.1f} million"
    counts = [entry.decisions for entry in submission.agents if entry.decisions is not None]
    row = (
        f"`{submission.task.division(max(counts, default=None))}`",
        about.name,
        f"[{about.authors}]({_address(about.link)})",
        first.track,
        f"{trained} ({about.training})" if about.training else trained,
        _best_rows(submission),
        "; ".join(_mean(each.model_dump()) for each in submission.summary),
        "–",
    )
    return submission.task.name, row


def _address(link: str) -> str:
    """A link as the page has it: files of this project stand above its folder."""
    if "://" in link:
        return link
    if not (ROOT / link).is_file():
        raise SubmissionError(f"{link}: there is no such file in this project")
    return f"../{link}"


def _best_rows(submission: Submission) -> str:
    """The worst row of the best training, in each role."""
    found = []
    for rows in zip(*(entry.worst for entry in submission.agents), strict=True):
        best = max(rows, key=lambda row: row.share).model_dump()
        found.append(f"{interval(best)} against `{best['table']}`{as_role(best)}")
    return "; ".join(found)


def _mean(summary: Json) -> str:
    if summary["low"] is None:
        return "–"
    return f"{interval({**summary, 'share': summary['mean']})}{as_role(summary)}"


def _baselines(docs: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The bots that ship: of each the task, and a row."""
    for game in GAMES:
        task = newest(f"{game.replace('_', '-')}-5")
        ladder = read(docs / "ladder" / f"{game}.json")
        for standing in ladder["standings"]:
            spec = standing["spec"]
            model = ROOT / "checkpoints" / spec.removeprefix("ppo:") / "model.json"
            if spec.startswith("ppo:") and model.is_file():
                decisions, words = trained_on(read(model))
                exploits = "; ".join(map(exploited, exploits_of(game, spec, docs))) or "–"
                row = (
                    f"`{task.division(decisions)}`",
                    f"`{spec}`",
                    f"[ladder](ladder/{game}.md)",
                    standing["track"],
                    words,
                    worst_row(ladder, spec, interval),
                    "–",
                    exploits,
                )
                yield task.name, row


def trained_on(model: Json) -> tuple[int, str]:
    """Decisions of a checkpoint's lineage, and the same in words."""
    decisions = decisions_of(model)
    inherited = decisions - int(model["steps"])
    before = f", {inherited / 1e6:.1f} inherited" if inherited else ""
    return decisions, f"{decisions / 1e6:.1f} million{before}"


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


def interval(found: Json) -> str:
    """A share with its 95 % interval."""
    return f"{found['share']:.1%} ({found['low']:.1%} to {found['high']:.1%})"


PARTS = {
    "tasks": tasks,
    "leaderboard": leaderboard,
}


def page() -> str:
    """The page with its tables as they should be; its examples are of the newest versions."""
    text = PAGE.read_text(encoding="utf-8")
    for base in {task.base for task in all_tasks()}:
        version = newest(base).version
        text = re.sub(rf"\b{base}(-open)?@\d+", rf"{base}\1@{version}", text)
    return fill(text, "make_benchmark", PARTS)


def raise_version(base: str, pool: Sequence[str] = ()) -> None:
    """Declare the next version of a task, if rules, networks or opponents have changed."""
    task = newest(base)
    raised = next_version(task, pool)
    if raised == task:
        print(f"{task.name} is of the rules and networks that ship: nothing to raise")
    else:
        write_tasks([*all_tasks(), raised])
        print(f"declared {raised.name}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--raise"] and len(sys.argv) > 2:
        try:
            raise_version(sys.argv[2], sys.argv[3:])
        except GanglandError as error:
            sys.exit(f"error: {error}")
    elif sys.argv[1:]:
        sys.exit(f"{' '.join(sys.argv[1:])}: must be nothing, or --raise TASK [SPEC ...]")
    PAGE.write_text(page(), encoding="utf-8")
