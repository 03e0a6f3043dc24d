"""Mutation testing: are there faults in a game's rules that its own rule tests do not see?

Small faults (see ``tests/mutants.py``) are drawn from the game's rule modules. For each, the tests
marked ``rule`` that reach the changed lines run with the rules as plain Python, in a process of
their own, until one fails::

    python -m tests.mutation gangsters --mutants 200 --seed 1 --jobs 2

The tests are collected once. Each mutant gets a fork of that process, in which the code of the
mutated kernel is exchanged. A mutant of anything else (a constant, a function that builds a table)
must be there when its module is imported: such a mutant has to collect its tests itself, which
takes a few seconds.

The working tree is never written to, so that any number of runs can go on at once. Sources and
tests of the game must not be edited meanwhile.

First, once for each state of the sources and of a test file, every test runs without a fault, to
record which lines it reaches and how long it takes; tests that take long (whole games, statistics,
what ``--without`` names) are left out. All times are processor time, so that a busy machine changes
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
import importlib
import io
import json
import math
import multiprocessing
import os
import random
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
EQUIVALENT = "equivalent_mutants.json"
SECONDS_A_TEST = 40.0
"""Tests that take longer without a fault, while lines are recorded, are left out."""
SECONDS_A_PROCESS = 5400.0
"""Wall time after which a process counts as hung."""
WITHOUT = ("test_shootout_reference", "test_play", "heuristic", "observation", "view")
"""Parts of the names of test files that are left out: they compare whole games or what is shown."""


class TooLong(BaseException):
    """A test has used up its processor time."""


def _alarm(*_: Any) -> None:
    raise TooLong


class Watch:
    """pytest plugin: limits the time of each test, notes failures, records the lines reached.

    Args:
        limits: Name of each test and its limit in seconds; a test without a limit gets
            :data:`SECONDS_A_TEST`.
        watched: Folder of the source files whose lines are recorded; None: nothing is.
    """

    def __init__(self, limits: dict[str, float] | None = None, watched: Path | None = None) -> None:
        self.limits = limits or {}
        self.watched = None if watched is None else str(watched) + os.sep
        self.tests: dict[str, dict[str, Any]] = {}
        self.left_out: list[str] = []
        self.started = 0.0
        self.failed = ""
        self.timed_out = False
        self.lines: set[tuple[str, int]] = set()

    def pytest_runtest_protocol(self, item: Any, nextitem: Any) -> None:
        """Start the clock of a test."""
        signal.signal(signal.SIGPROF, _alarm)
        signal.setitimer(signal.ITIMER_PROF, self.limits.get(item.nodeid, SECONDS_A_TEST))
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
                    inside = Path(file).relative_to(self.watched).as_posix()
                    lines.setdefault(inside, []).append(line)
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


class Collected:
    """pytest plugin: hands the collected tests over instead of running them.

    Args:
        use: Is called with the tests, by their names, while pytest stands ready to run them.
    """

    def __init__(self, use: Callable[[dict[str, Any]], None]) -> None:
        self.use = use

    def pytest_runtestloop(self, session: Any) -> bool:
        """Take the place of pytest's loop."""
        if session.testsfailed:
            raise session.Failed("tests cannot be collected")
        self.use({item.nodeid: item for item in session.items})
        return True


def module_name(game: str, file: str) -> str:
    """Dotted name of a source file of a game, given by its path inside the game's folder."""
    return f"gangland.envs.{game}.{file.removesuffix('.py').replace('/', '.')}"


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


def _collect(files: list[str], use: Callable[[dict[str, Any]], None]) -> tuple[int, str]:
    """Collect the rule tests of some files in this process, in silence, and use them.

    Returns:
        pytest's exit code and what it said.
    """
    import pytest

    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        # pytest's own tracebacks need line numbers, which an interrupted loop may not have.
        quiet = ["-q", "-p", "no:cacheprovider", "-s", "--tb=native", "-m", "rule and not slow"]
        code = pytest.main([*quiet, *files], plugins=[Collected(use)])
    return int(code), said.getvalue()


def _run_tests(items: list[Any], watch: Watch, stop: bool) -> None:
    """Run collected tests; with ``stop``, until one fails."""
    if not items:
        return
    config = items[0].config
    config.pluginmanager.register(watch)
    for item, following in zip(items, [*items[1:], None], strict=True):
        config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if stop and watch.failed:
            break
    signal.setitimer(signal.ITIMER_PROF, 0)


def _record(answer: Connection, game: str, items: list[Any]) -> None:
    """Process: what each of some tests reaches, and the seeds that it searched for."""
    seeds: dict[str, int] = {}
    watch = Watch(watched=ROOT / "envs" / game)
    _keep_seeds(seeds, watch)
    _run_tests(items, watch, stop=False)
    answer.send((watch.tests, seeds, watch.left_out))


def _outcome(watch: Watch) -> tuple[str, str]:
    if not watch.failed:
        return "survived", ""
    return "timed out" if watch.timed_out else "killed", watch.failed


def _try_kernel(
    answer: Connection,
    game: str,
    mutant: Any,
    limits: dict[str, float],
    seeds: dict[str, int],
    collected: dict[str, Any],
) -> None:
    """Process: put a mutant in place of its kernel and run the tests that reach it."""
    from tests.mutants import exchange

    exchange(sys.modules[module_name(game, mutant.file)], mutant)
    watch = Watch(limits)
    _keep_seeds(dict(seeds), watch)
    _run_tests([collected[name] for name in limits], watch, stop=True)
    answer.send(_outcome(watch))


def _try_import(
    answer: Connection, game: str, mutant: Any, limits: dict[str, float], seeds: dict[str, int]
) -> None:
    """Process: plant a mutant, import the game and run the tests that reach the mutant."""
    from tests.mutants import Planter

    module = module_name(game, mutant.file)
    Planter(module, ROOT / "envs" / game / mutant.file, mutant.number).install()
    outcome: tuple[str, str] = ("killed", "the game cannot be imported")

    def use(collected: dict[str, Any]) -> None:
        nonlocal outcome
        watch = Watch(limits)
        _keep_seeds(dict(seeds), watch)
        _run_tests([collected[name] for name in limits if name in collected], watch, stop=True)
        outcome = _outcome(watch)

    _collect(sorted({name.split("::")[0] for name in limits}), use)
    answer.send(outcome)


def _run_all(
    jobs: list[tuple[Callable[..., None], tuple[Any, ...]]],
    processes: int,
    seconds: float = SECONDS_A_PROCESS,
) -> Iterator[tuple[int, Any]]:
    """Run jobs in forked processes of their own; ``(number, answer)`` as they are done.

    A job is a function, which is given a connection for its answer, and its other arguments. The
    answer is None if the process hung.

    Raises:
        RuntimeError: If a process broke off without an answer.
    """
    context = multiprocessing.get_context("fork")
    waiting = list(enumerate(jobs))[::-1]
    running: dict[Any, tuple[int, Any, float]] = {}
    while waiting or running:
        while waiting and len(running) < processes:
            number, (work, arguments) = waiting.pop()
            receiver, sender = context.Pipe(duplex=False)
            process = context.Process(target=_guarded, args=(work, sender, *arguments))
            process.start()
            sender.close()
            running[receiver] = (number, process, time.monotonic() + seconds)
        ready = wait(list(running), timeout=1.0)
        late = [r for r, (_, _, until) in running.items() if time.monotonic() > until]
        for receiver in {*ready, *late}:
            number, process, _ = running.pop(receiver)
            answer = None
            if receiver in ready:
                try:
                    answer = receiver.recv()
                except EOFError:
                    answer = BrokenOffError("it was killed")
            else:
                process.kill()
            process.join()
            if isinstance(answer, BrokenOffError):
                for _, other, _ in running.values():
                    other.kill()
                raise RuntimeError(f"a process broke off: {answer}")
            yield number, answer


class BrokenOffError(Exception):
    """Something is wrong with the run itself."""


def _guarded(work: Callable[..., None], answer: Connection, *arguments: Any) -> None:
    """Process: do some work; an exception of its own is an answer, too."""
    try:
        work(answer, *arguments)
    except BaseException:
        answer.send(BrokenOffError(traceback.format_exc()))


def _digest(game: str, file: Path | None = None) -> str:
    """A hash of the sources of a game and of its tests; with ``file``, of this one's alone."""
    digest = hashlib.sha256(repr(SECONDS_A_TEST).encode())
    folders = (ROOT / "tests" / game, ROOT / "envs" / game, ROOT / "envs" / "core")
    for path in [path for folder in folders for path in sorted(folder.rglob("*.*"))]:
        other = file is not None and path.name.startswith("test_") and path != file
        if path.suffix in (".py", ".json") and path.name != EQUIVALENT and not other:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def test_files(game: str, without: tuple[str, ...]) -> list[Path]:
    """The test files of a game, but for those left out."""
    files = sorted((ROOT / "tests" / game).glob("test_*.py"))
    return [path for path in files if not any(word in path.name for word in without)]


def baseline(
    game: str, folder: Path, files: list[Path], collected: dict[str, Any], processes: int
) -> dict[str, Any]:
    """What every rule test reaches without a fault; kept for each state of sources and tests.

    Args:
        game: The game.
        folder: Where it is kept, a file for each of ``files``.
        files: The test files.
        collected: Their tests.
        processes: How many processes at once.
    """
    result: dict[str, Any] = {"tests": {}, "seeds": {}}
    jobs, places = [], []
    for file in files:
        place = folder / f"{game}-{file.stem}-{_digest(game, file)}.baseline.json"
        items = [item for item in collected.values() if item.path == file]
        if place.exists():
            known = json.loads(place.read_text())
            result["tests"] |= known["tests"]
            result["seeds"] |= known["seeds"]
        elif items:
            jobs.append((_record, (game, items)))
            places.append((file, place))
    for number, answer in _run_all(jobs, processes):
        file, place = places[number]
        if answer is None:
            raise RuntimeError(f"the tests of {file} hung")
        tests, seeds, left_out = answer
        place.write_text(json.dumps({"tests": tests, "seeds": seeds}))
        result["tests"] |= tests
        result["seeds"] |= seeds
        print(f"recorded {file.name}: {len(tests)} tests")
        for name in left_out:
            print(f"left out, as it fails or takes too long: {name}")
    return result


def reaching(mutant: Any, tests: dict[str, Any]) -> dict[str, float]:
    """The tests that run a mutant's lines, the shortest first, and their limits in seconds.

    Recording lines makes a test five to ten times slower, so a limit of twice that time is hit by
    tests that take at least ten times as long as without the fault.
    """
    first, last = mutant.lines
    found = {}
    for name, test in tests.items():
        lines = test["lines"].get(mutant.file, ())
        # A constant is read at import: whoever runs any line of the file may notice.
        if any(first <= line <= last for line in lines) if mutant.function else lines:
            found[name] = test["seconds"]
    return {
        name: max(3.0, 2 * seconds) for name, seconds in sorted(found.items(), key=lambda x: x[1])
    }


def drawn(game: str, count: int, seed: int, only: str) -> list[Any]:
    """Mutants of a game: statements at random, then one of the changes of each at random."""
    from tests.mutants import mutants_of, rule_files

    rng = random.Random(seed)
    folder = ROOT / "envs" / game
    every = [m for path in rule_files(folder) for m in mutants_of(path, folder)]
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
    """Mutants that change nothing that the rules can notice, with the reasons."""
    path = ROOT / "tests" / game / EQUIVALENT
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


class Run:
    """The outcomes of a game's mutants.

    Args:
        game: The game.
        options: The command line's.
    """

    def __init__(self, game: str, options: argparse.Namespace) -> None:
        self.game = game
        self.options = options
        self.files = test_files(game, tuple(options.without))
        self.begun = _digest(game)
        self.same = equivalent(game)
        self.until = time.monotonic() + 60 * options.minutes if options.minutes else math.inf

    def rows(self) -> list[dict[str, Any]]:
        """Run the drawn mutants; one row for each."""
        mutants = drawn(self.game, self.options.mutants, self.options.seed, self.options.only)
        # In a fork, since it imports the game, which mutants of its imports must not find there.
        job = (self._kernels, ([mutant for mutant in mutants if mutant.kernel],))
        (_, answer), *_ = _run_all([job], 1, math.inf)
        if not isinstance(answer, tuple):
            sys.exit(f"the tests could not be run:\n{answer}")
        known, rows = answer
        rows += self._run([mutant for mutant in mutants if not mutant.kernel], known, None)
        if _digest(self.game) != self.begun:
            sys.exit("sources or tests were edited during the run: it means nothing")
        return rows

    def _kernels(self, answer: Connection, mutants: list[Any]) -> None:
        """Process: the baseline and the rows of mutants of kernels, or what pytest said."""
        found: tuple[dict[str, Any], list[dict[str, Any]]] | None = None
        terminal = sys.stdout

        def use(collected: dict[str, Any]) -> None:
            nonlocal found
            for mutant in mutants:  # Games are imported when they are played, not before.
                importlib.import_module(module_name(self.game, mutant.file))
            with redirect_stdout(terminal):
                options = self.options
                known = baseline(self.game, options.out, self.files, collected, options.jobs)
                found = known, self._run(mutants, known, collected)

        _, said = _collect([str(path) for path in self.files], use)
        answer.send(found or said)

    def _run(
        self, mutants: list[Any], known: dict[str, Any], collected: dict[str, Any] | None
    ) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        jobs: list[tuple[Callable[..., None], tuple[Any, ...]]] = []
        tried = []
        for mutant in mutants:
            limits = reaching(mutant, known["tests"])
            row = {"mutant": mutant.key, "line": mutant.lines[0], "tests": len(limits), "by": ""}
            row["outcome"] = "" if limits else "unreached"
            if mutant.key in self.same:
                row["outcome"] = "equivalent"
            elif limits:
                arguments = (self.game, mutant, limits, known["seeds"])
                if collected is None:
                    jobs.append((_try_import, arguments))
                else:
                    jobs.append((_try_kernel, (*arguments, collected)))
                tried.append(row)
            rows.append(row)
        running = _run_all(jobs, self.options.jobs)
        for done, (number, answer) in enumerate(running, 1):
            tried[number]["outcome"], tried[number]["by"] = answer or ("timed out", "")
            outcome = tried[number]["outcome"]
            print(f"{done}/{len(jobs)} {outcome}: {tried[number]['mutant']}", flush=True)
            if time.monotonic() > self.until:
                running.close()
                break
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

    rows = Run(options.game, options).rows()
    text = summary(options.game, rows, options.seed)
    (options.out / f"{options.game}.json").write_text(json.dumps(rows, indent=1))
    (options.out / f"{options.game}.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
