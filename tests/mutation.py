"""Mutation campaign: are there faults in a game's rules that its own rule tests do not see?

Small faults (see ``tests/mutants.py``) are drawn from the game's rule modules. For each, the tests
marked ``rule`` that reach the changed lines run with the rules as plain Python, in a process of
their own, until one fails::

    python -m tests.mutation gangsters --mutants 200 --seed 1 --jobs 2

The working tree is never written to: a mutant is planted when its module is imported, so that
any number of campaigns can run at once. Sources and tests of the game must not be edited
meanwhile.

First, once for each state of sources and tests, every test runs without a fault, to record which
lines it reaches and how long it takes; tests that take long (whole games, statistics, what
``--without`` names) are left out. All times are processor time, so that a busy machine changes
nothing but the wait; the search for seeds that give a scene its dice does not count.

Outcomes: *killed* (a test failed, or the module could not be imported), *timed out* (a test took
far longer than without the fault: counted as killed), *survived*, *unreached* (no fast test runs
the line: a survivor, too), *equivalent* (listed by hand, with the reason, in
``tests/<game>/equivalent_mutants.json``; not run). Written to ``--out``: ``<game>.json`` and a
short ``<game>.md``.

``--only KEY`` runs the mutants whose name holds a text, for instance a function's.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import multiprocessing
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
EQUIVALENT = "equivalent_mutants.json"
SECONDS_A_TEST = 6.0
"""Tests that take longer without a fault, while lines are recorded, are left out."""
SECONDS_A_PROCESS = 5400.0
"""Wall time after which a process counts as hung."""
WITHOUT = ("test_shootout_reference", "test_play", "heuristic", "validation", "observation", "view")
"""Parts of the names of test files that are left out: they compare whole games or what is shown."""


class TooLong(BaseException):
    """A test has used up its processor time."""


def _alarm(*_: Any) -> None:
    raise TooLong


class Watch:
    """pytest plugin: picks and orders the tests, limits their time, records what they reach.

    Args:
        limits: Name of each test to run, in this order, and its limit in seconds; None: all.
        watched: Folder of the source files whose lines are recorded; None: nothing is.
    """

    def __init__(self, limits: dict[str, float] | None = None, watched: Path | None = None) -> None:
        self.limits = limits
        self.watched = None if watched is None else str(watched) + os.sep
        self.tests: dict[str, dict[str, Any]] = {}
        self.left_out: list[str] = []
        self.started = 0.0
        self.failed = ""
        self.timed_out = False
        self.lines: set[tuple[str, int]] = set()

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Keep the tests that are wanted."""
        if self.limits is None:
            items[:] = [item for item in items if item.get_closest_marker("rule")]
        else:
            order = {name: k for k, name in enumerate(self.limits)}
            items[:] = [item for item in items if item.nodeid in order]
            items.sort(key=lambda item: order[item.nodeid])

    def pytest_runtest_protocol(self, item: Any, nextitem: Any) -> None:
        """Start the clock of a test."""
        limit = SECONDS_A_TEST if self.limits is None else self.limits[item.nodeid]
        signal.signal(signal.SIGPROF, _alarm)
        signal.setitimer(signal.ITIMER_PROF, limit)
        self.started = time.process_time()
        self.lines = set()
        if self.watched is not None:
            sys.settrace(self._call)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note how a test went."""
        if report.failed:
            self.left_out.append(report.nodeid)
            self.failed = self.failed or report.nodeid
            self.timed_out = "TooLong" in str(report.longrepr)
        if report.when == "call":
            sys.settrace(None)
            signal.setitimer(signal.ITIMER_PROF, 0)
            if report.passed and self.watched is not None:
                lines: dict[str, list[int]] = {}
                for file, line in sorted(self.lines):
                    lines.setdefault(Path(file).name, []).append(line)
                seconds = time.process_time() - self.started
                self.tests[report.nodeid] = {"seconds": seconds, "lines": lines}

    def _call(self, frame: Any, event: str, argument: Any) -> Any:
        file = frame.f_code.co_filename
        if self.watched is None or not file.startswith(self.watched):
            return None
        lines = self.lines

        def line(frame: Any, event: str, argument: Any) -> Any:
            lines.add((file, frame.f_lineno))
            return line

        return line


def _keep_seeds(seeds: dict[str, int], watch: Watch) -> None:
    """Let scenes look up seeds that have been searched for already; stop the clock meanwhile."""
    import numpy as np

    from tests import scenes

    search = scenes._search_blocks

    def known(bounds: Any, values: Any, limit: int) -> Any:
        key = f"{bounds.tolist()}{values.tolist()}"
        if key not in seeds:
            left, _ = signal.setitimer(signal.ITIMER_PROF, 0)
            begun = time.process_time()
            seeds[key] = int(search(bounds, values, limit))
            watch.started += time.process_time() - begun
            signal.setitimer(signal.ITIMER_PROF, left)
        return np.uint64(seeds[key])

    scenes._search_blocks = known


def _pytest(arguments: list[str], watch: Watch) -> tuple[int, str]:
    """Run pytest in this process, in silence."""
    import pytest

    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        quiet = ["-q", "-p", "no:cacheprovider", "--tb=short", "-m", "rule and not slow"]
        code = pytest.main([*quiet, *arguments], plugins=[watch])
    return int(code), said.getvalue()


def _record(answer: Connection, game: str, file: str) -> None:
    """Process: what each test of a file reaches, and the seeds that it searched for."""
    seeds: dict[str, int] = {}
    watch = Watch(watched=ROOT / "envs" / game)
    _keep_seeds(seeds, watch)
    _pytest([file], watch)
    answer.send((watch.tests, seeds, watch.left_out))


def _try(
    answer: Connection, game: str, mutant: Any, limits: dict[str, float], seeds: dict[str, int]
) -> None:
    """Process: plant a mutant and run the tests that reach it."""
    from tests.mutants import Planter

    module = f"gangland.envs.{game}.{mutant.file.removesuffix('.py')}"
    Planter(module, ROOT / "envs" / game / mutant.file, mutant.number).install()
    watch = Watch(limits)
    _keep_seeds(dict(seeds), watch)
    files = sorted({name.split("::")[0] for name in limits})
    code, _ = _pytest(["-x", *files], watch)
    outcome = "survived" if code == 0 else "timed out" if watch.timed_out else "killed"
    answer.send((outcome, watch.failed))


def _run_all(work: Any, jobs: list[tuple[Any, ...]], processes: int) -> Iterator[tuple[int, Any]]:
    """Run jobs in forked processes of their own; ``(number, answer)`` as they are done.

    The answer is None if the process died or hung.
    """
    context = multiprocessing.get_context("fork")
    waiting = list(enumerate(jobs))[::-1]
    running: dict[Any, tuple[int, Any, float]] = {}
    while waiting or running:
        while waiting and len(running) < processes:
            number, arguments = waiting.pop()
            receiver, sender = context.Pipe(duplex=False)
            process = context.Process(target=work, args=(sender, *arguments))
            process.start()
            sender.close()
            running[receiver] = (number, process, time.monotonic() + SECONDS_A_PROCESS)
        ready = wait(list(running), timeout=1.0)
        late = [r for r, (_, _, until) in running.items() if time.monotonic() > until]
        for receiver in {*ready, *late}:
            number, process, _ = running.pop(receiver)
            try:
                answer = receiver.recv() if receiver in ready else None
            except EOFError:
                answer = None
            if answer is None:
                process.kill()
            process.join()
            yield number, answer


def _digest(game: str, without: tuple[str, ...]) -> str:
    """A hash of the sources and tests of a game."""
    digest = hashlib.sha256(repr((without, SECONDS_A_TEST)).encode())
    folders = (ROOT / "tests" / game, ROOT / "envs" / game, ROOT / "envs" / "core")
    for path in [path for folder in folders for path in sorted(folder.glob("*.*"))]:
        if path.suffix in (".py", ".json") and path.name != EQUIVALENT:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def baseline(game: str, out: Path, without: tuple[str, ...], processes: int) -> dict[str, Any]:
    """What every rule test reaches without a fault; kept for one state of sources and tests.

    Args:
        game: The game.
        out: Folder that it is kept in.
        without: Parts of the names of test files that are left out.
        processes: How many processes at once.
    """
    folder = ROOT / "tests" / game
    files = [p for p in sorted(folder.glob("test_*.py")) if not any(w in p.name for w in without)]
    kept = out / f"{game}-{_digest(game, without)}.baseline.json"
    if kept.exists():
        found: dict[str, Any] = json.loads(kept.read_text())
        return found
    tests: dict[str, Any] = {}
    seeds: dict[str, int] = {}
    jobs = [(game, str(path.relative_to(ROOT))) for path in files]
    for number, answer in _run_all(_record, jobs, processes):
        if answer is None:
            sys.exit(f"the tests of {jobs[number][1]} broke off")
        tests |= answer[0]
        seeds |= answer[1]
        print(f"recorded {jobs[number][1]}: {len(answer[0])} tests", flush=True)
        for name in answer[2]:
            print(f"left out, as it fails or takes too long: {name}", flush=True)
    result = {"tests": tests, "seeds": seeds}
    kept.write_text(json.dumps(result))
    return result


def reaching(mutant: Any, tests: dict[str, Any]) -> dict[str, float]:
    """The tests that run a mutant's lines, the shortest first, and their limits in seconds."""
    first, last = mutant.lines
    found = {}
    for name, test in tests.items():
        lines = test["lines"].get(mutant.file, ())
        # A constant is read at import: whoever runs any line of the file may notice.
        if any(first <= line <= last for line in lines) if mutant.function else lines:
            found[name] = test["seconds"]
    return {
        name: max(3.0, 8 * seconds) for name, seconds in sorted(found.items(), key=lambda x: x[1])
    }


def drawn(game: str, count: int, seed: int, only: str) -> list[Any]:
    """Mutants of a game: statements at random, then one of the changes of each at random."""
    from tests.mutants import mutants_of, rule_files

    rng = random.Random(seed)
    every = [m for path in rule_files(ROOT / "envs" / game) for m in mutants_of(path)]
    known = {m.key for m in every}
    stale = sorted(set(equivalent(game)) - known)
    if stale:
        sys.exit(f"{EQUIVALENT} names mutants that are no more: {stale}")
    if only:
        return [m for m in every if only in m.key]
    places: dict[Any, list[Any]] = {}
    for mutant in every:
        places.setdefault((mutant.file, mutant.lines), []).append(mutant)
    lots = list(places.values())
    rng.shuffle(lots)
    chosen: list[Any] = []
    while lots and len(chosen) < count:
        for lot in lots:
            if len(chosen) < count:
                chosen.append(lot.pop(rng.randrange(len(lot))))
        lots = [lot for lot in lots if lot]
    return chosen


def equivalent(game: str) -> dict[str, str]:
    """Mutants that change nothing that the rules can tell, with the reasons."""
    path = ROOT / "tests" / game / EQUIVALENT
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def campaign(game: str, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Run the drawn mutants; one row for each."""
    without = tuple(options.without)
    begun = _digest(game, without)
    known = baseline(game, options.out, without, options.jobs)
    same = equivalent(game)
    rows: list[dict[str, Any]] = []
    jobs, places = [], []
    for mutant in drawn(game, options.mutants, options.seed, options.only):
        limits = reaching(mutant, known["tests"])
        row = {"mutant": mutant.key, "line": mutant.lines[0], "tests": len(limits), "by": ""}
        row["outcome"] = "equivalent" if mutant.key in same else "" if limits else "unreached"
        if not row["outcome"]:
            jobs.append((game, mutant, limits, known["seeds"]))
            places.append(len(rows))
        rows.append(row)
    started = time.monotonic()
    running = _run_all(_try, jobs, options.jobs)
    for done, (number, answer) in enumerate(running, 1):
        row = rows[places[number]]
        row["outcome"], row["by"] = answer or ("timed out", "")
        print(f"{done}/{len(jobs)} {row['outcome']}: {row['mutant']}", flush=True)
        if options.minutes and time.monotonic() - started > 60 * options.minutes:
            running.close()
            break
    if _digest(game, without) != begun:
        sys.exit("sources or tests were edited during the campaign: its outcomes mean nothing")
    return [row for row in rows if row["outcome"]]


def summary(game: str, rows: list[dict[str, Any]], seed: int) -> str:
    """The report as Markdown."""
    outcomes = ["killed", "timed out", "survived", "unreached", "equivalent"]
    lines = [f"# Mutation run: {game}, seed {seed}", "", f"| module | {' | '.join(outcomes)} |"]
    lines.append("|---" * (len(outcomes) + 1) + "|")
    modules = sorted({row["mutant"].split(":")[0] for row in rows})
    for module in [*modules, ""]:
        count = Counter(row["outcome"] for row in rows if row["mutant"].startswith(module))
        numbers = " | ".join(str(count[outcome]) for outcome in outcomes)
        lines.append(f"| {module or 'all'} | {numbers} |")
    left = [row for row in rows if row["outcome"] in ("survived", "unreached")]
    lines += ["", "## Survivors", ""] if left else []
    for row in left:
        lines.append(f"- line {row['line']}, {row['tests']} tests reach it: `{row['mutant']}`")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", help="name of the game, its folder in envs/ and tests/")
    parser.add_argument("--mutants", type=int, default=100, help="how many are drawn (100)")
    parser.add_argument("--seed", type=int, default=0, help="of the draw (0)")
    parser.add_argument("--jobs", type=int, default=1, help="processes at once (1)")
    parser.add_argument("--minutes", type=float, default=0, help="stop after so long (0: never)")
    parser.add_argument("--only", default="", help="run all mutants whose name holds this text")
    parser.add_argument("--without", nargs="*", default=list(WITHOUT), help="test files left out")
    parser.add_argument("--out", type=Path, default=ROOT / "runs" / "mutation", help="folder")
    options = parser.parse_args()
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    if os.environ.get("NUMBA_DISABLE_JIT") != "1" or os.environ.get("PYTHONHASHSEED") != "0":
        environment = os.environ | {
            "NUMBA_DISABLE_JIT": "1",
            "PYTHONHASHSEED": "0",
            "PYTHONPYCACHEPREFIX": str(options.out / "pycache"),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(options.out / "hypothesis"),
        }
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # it is written below --out
        again = [sys.executable, "-m", "tests.mutation", *sys.argv[1:]]
        os.execve(sys.executable, again, environment)
    os.chdir(ROOT)
    # Imported once, before the processes fork; nothing of the game itself.
    import pettingzoo  # noqa: F401
    import pytest  # noqa: F401

    from gangland.envs.core import game  # noqa: F401

    rows = campaign(options.game, options)
    text = summary(options.game, rows, options.seed)
    (options.out / f"{options.game}.json").write_text(json.dumps(rows, indent=1))
    (options.out / f"{options.game}.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
