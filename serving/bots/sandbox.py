"""A child process in which posted positions are judged.

Rules are compiled without bounds checks: a record that no game can reach may make them read outside
their arrays or loop forever. So positions from clients are played only in a child process, never in
the server's own. If the child crashes or takes too long, it is killed, a new one is started, and
the client gets the error that its position is not valid.

Parent and child exchange JSON lines over pipes: a list of jobs in one direction, one line for each
answer in the other. Pydantic writes and reads them, several times as fast as the standard library.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any

from pydantic_core import from_json, to_json

from ...envs.core.errors import GanglandError
from ...envs.core.state import State
from ...envs.registry import entry_of
from ..errors import ServingError

log = logging.getLogger(__name__)

NONSENSE = "state: the rules cannot make sense of this position"

LOADING = 600.0
"""Time limit for compiling a game and loading a bot, in seconds."""


@dataclass(frozen=True, slots=True)
class Job:
    """A posted position for a bot.

    Attributes:
        game: Name of the game.
        bot: Spec for the registry.
        state: The position as ``View.to_dict`` writes it.
        seed: Seed for the bot's random choices.
        explain: Whether probabilities and the chance of winning are wanted as well.
    """

    game: str
    bot: str
    state: dict[str, Any]
    seed: int
    explain: bool


class Sandbox:
    """The parent's side; to be used by one thread at a time.

    Args:
        seconds: Time limit of a position.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._child: subprocess.Popen[bytes] | None = None
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._loaded: set[tuple[str, str]] = set()

    def run(self, jobs: Sequence[Job]) -> list[dict[str, Any] | Exception]:
        """Judge positions.

        Returns:
            For each job a dictionary with ``action``, ``probabilities`` and ``chance``, or its
            error.
        """
        answers: list[dict[str, Any] | Exception] = []
        again = False
        while len(answers) < len(jobs):
            rest = jobs[len(answers) :]
            try:
                self._load(rest)
                for answer in self._ask(rest, self._seconds):
                    answers.append(_from_json(answer))
                    again = False
            except _ChildLostError as error:
                # The job in progress is to blame, unless somebody else killed the child: it gets a
                # second try.
                self.close()
                again = not error.late and not again
                if not again:
                    answers.append(ServingError("bad_request", NONSENSE))
            except GanglandError as error:
                answers += [error] * len(rest)
        return answers

    def close(self) -> None:
        """Kill the child."""
        if self._child is not None:
            self._child.kill()
            self._child.wait()
            for pipe in (self._child.stdin, self._child.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):  # it may not have read everything
                        pipe.close()
        self._child = None
        self._loaded.clear()

    def _load(self, jobs: Sequence[Job]) -> None:
        """Load games and bots beforehand: this takes long, whatever the position."""
        for job in jobs:
            key = job.game, job.bot
            if key not in self._loaded:
                # The child may not know a game that this process has registered itself.
                load = {"game": job.game, "target": entry_of(job.game).target, "bot": job.bot}
                try:
                    (answer,) = self._ask([load], LOADING)
                except _ChildLostError:
                    self.close()
                    answer = {"error": "the process has ended"}
                if "error" in answer:
                    log.error("the sandbox cannot load %s: %s", job.bot, answer["error"])
                    raise ServingError("unavailable", "the bot cannot be loaded")
                self._loaded.add(key)

    def _ask(
        self, jobs: Sequence[Job | dict[str, Any]], seconds: float
    ) -> Iterator[dict[str, Any]]:
        """The child's answers one by one, each within a time limit."""
        if self._child is None or self._child.poll() is not None:
            self._start()
        assert self._child is not None
        assert self._child.stdin is not None
        try:
            self._child.stdin.write(to_json(jobs) + b"\n")
            self._child.stdin.flush()
            for _ in jobs:
                line = self._lines.get(timeout=seconds)
                if not line:
                    raise _ChildLostError(late=False)
                answer: dict[str, Any] = from_json(line)
                yield answer
        except OSError as error:
            raise _ChildLostError(late=False) from error
        except queue.Empty as error:
            raise _ChildLostError(late=True) from error

    def _start(self) -> None:
        self.close()
        self._lines = queue.SimpleQueue()
        self._child = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert self._child.stdout is not None
        reader = threading.Thread(
            target=_read_all, args=(self._child.stdout, self._lines), daemon=True
        )
        reader.start()


class _ChildLostError(Exception):
    """The child has crashed or takes too long.

    Attributes:
        late: Whether it takes too long.
    """

    def __init__(self, *, late: bool) -> None:
        super().__init__()
        self.late = late


def _read_all(stream: IO[bytes], lines: queue.SimpleQueue[bytes]) -> None:
    """Put the child's lines into a queue as they arrive, and an empty one when it ends."""
    try:
        for line in stream:
            lines.put(line)
    except (OSError, ValueError):
        pass
    lines.put(b"")


def _from_json(answer: dict[str, Any]) -> dict[str, Any] | Exception:
    if "error" in answer:
        return ServingError("bad_request", str(answer["error"]))
    if answer["probabilities"] is not None:
        answer["probabilities"] = {int(a): p for a, p in answer["probabilities"].items()}
    return answer


# --- the child ------------------------------------------------------------------------------------


def main() -> None:
    """Answer lines until the parent closes the pipe."""
    _lower_limits()
    answers_to, sys.stdout = sys.stdout.buffer, sys.stderr  # prints must not mix with answers
    bots: dict[tuple[str, str], Any] = {}
    for line in sys.stdin.buffer:
        for job in from_json(line):
            answers_to.write(to_json(_answer(job, bots)) + b"\n")
            answers_to.flush()


def _answer(job: dict[str, Any], bots: dict[tuple[str, str], Any]) -> dict[str, Any]:
    from ...agents.registry import make
    from ...envs import load, register
    from ...envs.core.view import Detail
    from .bot import Bot

    try:
        if "target" in job:
            register(job["game"], job["target"])
        game = load(job["game"])
        key = game.name, job["bot"]
        if key not in bots:
            _ = game.compiled
            bots[key] = Bot(game, job["bot"], make(job["bot"], game))
            bots[key].try_out()
        if "state" not in job:
            return {}
        state, viewer = read_state(game, job["state"])
        detail = Detail.OWN if job["explain"] else Detail.ACTION
        seen = game.view(state, viewer, job["seed"], detail)
        if not seen.legal_actions:
            raise ServingError("bad_request", "state: the viewer has no legal action")
        (decision,) = bots[key].answer([seen])
    except GanglandError as error:
        return {"error": str(error)}
    except Exception:
        # A field is out of range, and the rules raised an error instead of crashing.
        return {"error": NONSENSE}
    shares = decision.probabilities
    return {
        "action": decision.action,
        "probabilities": None
        if shares is None
        else {a: float(shares[a]) for a in seen.legal_actions},
        "chance": decision.chance(viewer),
    }


def read_state(game: Any, data: dict[str, Any]) -> tuple[State, int]:
    """Record and viewer of a posted position.

    Raises:
        GanglandError: Naming what is wrong in the parts that all games share.
    """
    known = {key: value for key, value in data.items() if key != "viewer"}
    state, viewer = game.from_dict(known), data.get("viewer")
    options = game.read_options(state)
    if game.options.resolve(options) != options or game.num_players(options) != state.num_seats:
        raise ServingError("bad_request", "state: the options are not the game's")
    if not isinstance(viewer, int) or not 0 <= viewer < state.num_seats:
        raise ServingError("bad_request", f"viewer: must be a seat 0..{state.num_seats - 1}")
    if state.over or int(state.seat) != viewer:
        raise ServingError("bad_request", "viewer: must be the seat that is to decide")
    if not 0 <= int(state.phase) < len(game.phases):
        raise ServingError("bad_request", f"phase: must be 0..{len(game.phases) - 1}")
    wrong = game.inconsistency(state)
    if wrong:
        raise ServingError("bad_request", f"state: {wrong}")
    return state, viewer


def _lower_limits() -> None:
    """Write no core file after a crash."""
    try:
        import resource
    except ImportError:  # not a Unix
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
